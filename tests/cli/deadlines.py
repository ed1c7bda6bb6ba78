#!/usr/bin/env python3
"""--timeout bounds a command from its start to its end, whatever it is doing.

deadlines.py HOIST [--repeat N] [--all] [--slack SECONDS] [--only TEXT]

ROWS has command lines that do not end by themselves, or take much longer than they may, with what they
have to end with. --all adds every command on every file that bench/growth_files.py makes, at a size that
takes some seconds: those must end in time, by themselves or by their limit. A line takes at most its
limit and SLACK seconds: 2, and 0.5 where nothing else runs on the machine.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "bench"))
import growth_files  # noqa: E402

SMALL = HERE / "data/small.yaml"
LIMIT = 0.4
# Of --all: large enough to take longer than the limit in most lines, small enough to be made quickly.
SIZES = {"neff/descriptors": 1_000_000, "neff/subgraphs": 2_000, "edgetpu/operators": 2_000, "buda/entries": 65_535}
SIZE = 50_000


def loop(folder, count, entries=4):
    """The small netlist, whose program goes round `count` times over a queue of so many entries."""
    text = SMALL.read_text(encoding="ascii")
    text = text.replace("entries: 4", f"entries: {entries}").replace("2, 8]", f"2, {2 * entries}]")
    text = text.replace("    - execute", f"    - loop: {count}\n    - execute") + "    - endloop\n"
    path = folder / f"loop{count}.yaml"
    path.write_text(text, encoding="ascii")
    return path


def fifo(folder):
    path = folder / "fifo"
    if not path.exists():
        os.mkfifo(path)
    return path


def family(name, n):
    return lambda folder, hoist: growth_files.make(name, folder, n, hoist)


# name, a function that makes the file, command and options before the file, standard input or output
# ("silent": nobody ever writes; "stuck": nobody ever reads), exit statuses
ROWS = [
    ("a queue of 65,536 entries, a million rounds", lambda f, h: loop(f, 1_000_000, 65_536),
     ["run", "-i", "q0=random:1"], "", {5}),
    ("two thousand million rounds", lambda f, h: loop(f, 2_000_000_000), ["run", "-i", "q0=random:1"], "", {5}),
    ("the same on one thread", lambda f, h: loop(f, 2_000_000_000), ["run", "--sequential", "-i", "q0=random:1"],
     "", {5}),
    ("the same measured", lambda f, h: loop(f, 2_000_000_000), ["bench"], "", {5}),
    ("the orders of two thousand million rounds", lambda f, h: loop(f, 2_000_000_000),
     ["check", "--races", "--max-steps", "4000000000"], "", {5}),
    ("20,000 programs", family("buda/programs", 20_000), ["run", "-q", "-i", "*=zeros"], "", {5}),
    ("a chain of 100,000 ADDs", family("tflite/operators", 100_000), ["run", "-q", "-i", "*=zeros"], "", {0, 5}),
    ("a FIFO that nobody writes to", lambda f, h: fifo(f), ["info"], "", {5}),
    ("standard input that does not end", lambda f, h: "-", ["check"], "silent", {5}),
    ("standard output that nobody reads", family("buda/ops", 20_000), ["dump", "--json"], "stuck", {5}),
]


def run(words, mode):
    """Exit status, seconds and the last line of standard error."""
    read_end, write_end = os.pipe()
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}
    if mode == "silent":
        streams["stdin"] = read_end
    elif mode == "stuck":
        streams["stdout"] = write_end
    began = time.monotonic()
    done = subprocess.run(words, stderr=subprocess.PIPE, timeout=120, check=False, **streams)
    seconds = time.monotonic() - began
    os.close(read_end)
    os.close(write_end)
    lines = done.stderr.decode("utf-8", "replace").splitlines()
    return done.returncode, seconds, lines[-1] if lines else ""


def check(name, words, mode, statuses, slack):
    """Runs a line; what is wrong with it, or nothing."""
    status, seconds, said = run(words, mode)
    late = seconds - LIMIT
    note = f"{late:.2f} s after its limit" if late > 0.25 else ""
    if status not in statuses or late > slack:
        return f"exit {status} after {seconds:.2f} s, expected {sorted(statuses)} within {LIMIT + slack:.2f} s: {said}", note
    return None, note


def every_command(folder, hoist, only):
    """A row for each command on each family."""
    for name, row in growth_files.FAMILIES.items():
        if only not in name:
            continue
        size = min(SIZES.get(name, SIZE), row[3])
        path = growth_files.make(name, folder, size, hoist)
        for command in row[2]:
            if not command.startswith("program "):
                words = growth_files.command_line(hoist, command, path, folder)
                yield f"{name} {command}", words, "", {0, 1, 2, 3, 4, 5}


def every_row(folder, hoist, only):
    for name, make, words, mode, statuses in ROWS:
        if only in name:
            yield name, [hoist, *words, make(folder, hoist)], mode, statuses


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("hoist", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--slack", type=float, default=2)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    bad = count = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        rows = every_command if options.all else every_row
        for name, words, mode, statuses in rows(folder, options.hoist, options.only):
            words = [*words[:2], "--timeout", str(LIMIT), *words[2:]]
            worst = ""
            for _ in range(options.repeat):
                fault, note = check(name, words, mode, statuses, options.slack)
                count += 1
                worst = note or worst
                if fault:
                    bad += 1
                    print(f"{name}: {fault}", flush=True)
            if worst:
                print(f"{name}: {worst}", flush=True)
    print(f"{count} runs, {bad} not as expected")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
