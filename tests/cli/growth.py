#!/usr/bin/env python3
"""How work grows with files, by counted instructions.

growth.py HOIST [--only TEXT] [--figures]

Counts the instructions of commands under valgrind (callgrind) on files of bench/growth_files.py of n and
2 n: what a file's double takes may be at most 2.3 times as much, less what the command takes for nothing.
Time says nothing on a busy machine; instructions are the same everywhere. Exits with 77 without valgrind.
"""
import argparse
import math
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "bench"))
import growth_files  # pylint: disable=wrong-import-position

MOST = 2.3
# What still grows faster, (family, command): by how much at most; a line leaves when it is mended.
KNOWN = {}
SECONDS = 30  # of the processor, for one command

# n is large enough that what grows by its square would show beside reading the text.
ROWS = [
    ("buda/graphs", 120, "info", "check", "check --races", "dump --json", "run"),
    ("buda/ops", 240, "check", "run"),
    ("buda/programs", 300, "check", "check --races", "run"),
    ("buda/executes", 300, "check --races", "run", "time"),
    ("buda/fan-out", 300, "check", "run"),
    ("buda/readers", 240, "check --races", "run"),
    ("hoist/steps", 1000, "program print", "program order", "program run", "info", "check", "dump --json", "graph"),
    ("hoist/buffers", 2000, "program run", "check", "dump --json", "graph"),
    ("hoist/lives", 2000, "program run"),
    ("hoist/threads", 1000, "program order", "program run"),
    ("hoist/entries", 1000, "program run"),
    ("hoist/units", 500, "program order"),
    ("hoist/functions", 1000, "program run", "info", "dump --json", "graph"),
    ("neff/descriptors", 2000, "check", "dump", "unpack"),
    ("neff/blocks", 1000, "check --races"),
    ("neff/queues", 400, "check --races", "dump --json", "run", "time"),
    ("neff/variables", 500, "check --races", "run"),
    ("neff/inputs", 500, "run", "info"),
    ("neff/instructions", 2000, "check", "disasm"),
    ("neff/subgraphs", 500, "info", "check", "unpack", "pack"),
    ("tflite/operators", 1000, "check", "run", "time --json"),
    ("tflite/inputs", 1000, "run", "dump --json"),
    ("tflite/lives", 1000, "run"),
    ("tflite/subgraphs", 500, "check"),
    ("edgetpu/instructions", 2000, "check", "disasm", "recover"),
    ("edgetpu/operators", 40, "check", "check --races", "dump --program", "run", "time", "unpack", "pack"),
]


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


def instructions(words):
    """As many as the command takes; infinite when it takes too long."""
    done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *words], check=False,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, preexec_fn=limit)
    counted = re.search(rb"Collected : (\d+)", done.stderr)
    if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return math.inf
    if not counted:
        raise RuntimeError(f"exit {done.returncode}: {' '.join(map(str, words))}\n{done.stderr.decode(errors='replace')[-2000:]}")
    return int(counted[1])


def measure(family, n, commands, hoist, nothing):
    """(command, instructions of n, of 2 n) for each command."""
    counts = {command: [] for command in commands}
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for size in (n, 2 * n):
            path = growth_files.make(family, folder, size, hoist)
            for command in commands:
                words = growth_files.command_line(hoist, command, path, folder)
                counts[command].append(max(1, instructions(words) - nothing))
    return [(command, *pair) for command, pair in counts.items()]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("hoist", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--only", default="")
    parser.add_argument("--figures", action="store_true", help="print all counts")
    options = parser.parse_args()
    if not shutil.which("valgrind"):
        print("skipped: valgrind is not installed")
        return 77
    nothing = instructions([options.hoist, "version"])
    bad = 0
    for family, n, *commands in ROWS:
        if options.only not in family:
            continue
        for command, once, twice in measure(family, n, commands, options.hoist, nothing):
            growth = math.inf if math.isinf(twice) else twice / once
            most = KNOWN.get((family, command), MOST)
            bad += growth > most
            if options.figures or growth > most:
                print(f"{family} {command}: {once:,} instructions for {n:,}, {twice:,} for {2 * n:,}: {growth:.2f} times, "
                      f"expected at most {most}", flush=True)
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
