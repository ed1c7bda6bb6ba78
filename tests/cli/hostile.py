#!/usr/bin/env python3
"""Hostile inputs against the command: exit status, first message, time and memory.

hostile.py HOIST [--memory] [--update-golden]

Each row of ROWS makes an input and runs a command line on it. The exit status and the first line of
the message must be those of hostile.golden. Nothing may crash, or take longer than 20 seconds.
With --memory (a build without sanitizers) the peak may not exceed twice the file's size plus 64 MB.
"""
import argparse
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
GOLDEN = HERE / "hostile.golden"
SMALL = (HERE / "data/small.yaml").read_text(encoding="utf-8")
SECONDS = 20
MIB = 1 << 20


def random_bytes(size):
    return random.Random(7).randbytes(size)


def laughs():
    lines = ["a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]"]
    for i in range(1, 30):
        lines.append(f"a{i}: &a{i} [" + ", ".join([f"*a{i - 1}"] * 9) + "]")
    return "\n".join(lines) + "\n" + SMALL


def replaced(old, new):
    assert old in SMALL, old
    return SMALL.replace(old, new, 1)


# name, content (text, bytes or a callable that makes the path), command after `hoist`
ROWS = [
    ("empty file", "", "check F"),
    ("one byte", "x", "check F"),
    ("only a comment", "# nothing\n", "check F"),
    ("truncated in a flow map", SMALL[:400], "check F"),
    ("truncated between sections", SMALL[:SMALL.index("graphs:")], "check F"),
    ("100 MB of random bytes", lambda: random_bytes(100 * MIB), "check F"),
    ("100 MB of zeros", lambda: bytes(100 * MIB), "check F"),
    ("100 MB on one line", lambda: b"a" * (100 * MIB), "check F"),
    ("100,000 nested brackets", "queues: " + "[" * 100_000, "check F"),
    ("100,000 nested maps", "queues: " + "{a: " * 100_000, "check F"),
    ("100,000 nested block lists", "- " * 100_000 + "x", "check F"),
    ("billion laughs", laughs(), "check F"),
    ("alias to itself", "a: &a [*a]\n" + SMALL, "check F"),
    ("alias to nothing", "a: *nowhere\n" + SMALL, "check F"),
    ("NUL byte in a name", SMALL.replace("copy", "co\0py"), "check F"),
    ("NUL byte escaped", SMALL.replace("q1:", '"q\\0":', 1), "check F"),
    ("invalid UTF-8", SMALL.encode().replace(b"q1:", b"q\xff\xfe:", 1), "check F"),
    ("UTF-16", SMALL.encode("utf-16"), "check F"),
    ("byte order mark", b"\xef\xbb\xbf" + SMALL.encode(), "check F"),
    ("two documents", SMALL + "---\n" + SMALL, "check F"),
    ("grid of 10^9 by 10^9", replaced("grid_size: [1, 1]", "grid_size: [1000000000, 1000000000]"), "check F"),
    ("grid of 10^9 by 10^9, info", replaced("grid_size: [1, 1]", "grid_size: [1000000000, 1000000000]"), "info F"),
    ("op grid of 10^9 by 10^9", replaced("grid_loc: [0, 0], grid_size: [1, 1]",
                                         "grid_loc: [0, 0], grid_size: [1000000000, 1000000000]"), "check F"),
    ("op grid of 10^9 by 10^9, graph", replaced("grid_loc: [0, 0], grid_size: [1, 1]",
                                                "grid_loc: [0, 0], grid_size: [1000000000, 1000000000]"), "graph F"),
    ("list of 10^6 numbers as grid", replaced("grid_size: [1, 1]", "grid_size: [" + "1, " * 1_000_000 + "1]"), "check F"),
    ("entries beyond 64 bits", replaced("entries: 4", "entries: 99999999999999999999"), "check F"),
    ("entries 2^63 - 1", replaced("entries: 4", "entries: 9223372036854775807"), "check F"),
    ("t times mblock overflows", replaced("t: 1, mblock: [1, 1]", "t: 4611686018427387904, mblock: [4, 4]"), "check F"),
    ("negative grid", replaced("grid_size: [1, 1]", "grid_size: [-1, 1]"), "check F"),
    ("10^6 devices", replaced("target_device: 0, loc", "target_device: [" + ",".join(map(str, range(100_000))) + "], loc"), "check F"),
    ("loop of 2^31", replaced("    - execute", "    - loop: 2147483647\n    - endloop\n    - execute"), "check F"),
    ("64 nested loops of 1000", replaced("    - execute", "    - loop: 1000\n" * 64 + "    - endloop\n" * 64 + "    - execute"), "check F"),
    ("200,000 queues of one name", replaced("graphs:", "  q: {}\n" * 200_000 + "graphs:"), "check F"),
    ("200,000 unknown keys", replaced("type: queue", ", ".join(f"k{i}: 1" for i in range(200_000)) + ", type: queue"), "check F"),
    ("a name of 10 MB", replaced("q1: {", "? " + "n" * (10 * MIB) + "\n  : {"), "check F"),
    ("an unfilled template", replaced("entries: 4", "entries: $TEMPLATE_entries"), "check F"),
    ("a directory", None, "check ."),
    ("a FIFO that nobody writes is closed at once", None, "check <(exit 0)"),
    ("a FIFO with a netlist", SMALL, "check <(cat F)"),
    ("no such file", None, "check nowhere.yaml"),
    ("a name that is a folder below a file", SMALL, "check F/x"),
    ("standard input, empty", "", "check - < F"),
    ("standard input, netlist", SMALL, "check - < F"),
    ("standard input, closed", SMALL, "check - <&-"),
    ("full disk", SMALL, "info F > /dev/full"),
    ("full disk, JSON", SMALL, "dump --json F > /dev/full"),
    ("closed pipe", SMALL, "dump --json F | true"),
    ("closed standard output", SMALL, "info F >&-"),
    ("memory limit", SMALL, "check --max-memory 10K F"),
    ("memory limit that is enough", SMALL, "check --max-memory 64M F"),
    ("output into a folder that is not there", SMALL, "dump -o nowhere/x F"),
    ("JSON instead of YAML", '{"devices": {"arch": "grayskull"}}', "check F"),
    ("a tar file", b"x" * 257 + b"ustar\0" + bytes(300), "check F"),
    ("devices from a cluster file that is not there", SMALL, "check --cluster nowhere F"),
    ("a SoC file that is none", SMALL, "check --soc F F"),
]


def unreadable_row(folder):
    """Root reads everything, so the row runs only for other users."""
    path = pathlib.Path(folder) / "unreadable"
    path.write_text(SMALL, encoding="utf-8")
    path.chmod(0)
    return path


def first_line(text):
    lines = text.decode("utf-8", "replace").splitlines()
    return lines[0][:160] if lines else ""


def run(hoist, folder, command):
    line = command.replace("F", "input") if "F" in command else command
    started = time.monotonic()
    process = subprocess.Popen(["bash", "-c", f"hoist {line}"], cwd=folder, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               env=os.environ | {"PATH": f"{hoist.parent}:/usr/bin:/bin", "COLUMNS": "80", "LC_ALL": "C.UTF-8"})
    try:
        out, err = process.communicate(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        return "hang", "", SECONDS
    return process.returncode, first_line(err or out), time.monotonic() - started


def peak_of(hoist, folder, command, limit):
    """True when the command succeeds in being no larger: measured in a child of its own."""
    probe = ("import resource, subprocess, sys\n"
             "subprocess.run(sys.argv[1], shell=True, executable='/bin/bash', stdin=subprocess.DEVNULL,"
             " stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)\n"
             "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
    line = "exec hoist " + (command.replace("F", "input") if "F" in command else command)
    done = subprocess.run([sys.executable, "-c", probe, line], cwd=folder, check=True, capture_output=True,
                          env=os.environ | {"PATH": f"{hoist.parent}:/usr/bin:/bin"})
    return int(done.stdout) * 1024 <= limit, int(done.stdout) * 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("hoist", type=lambda p: pathlib.Path(p).resolve())
    parser.add_argument("--memory", action="store_true")
    parser.add_argument("--update-golden", action="store_true")
    options = parser.parse_args()
    golden = {}
    if GOLDEN.exists():
        for line in GOLDEN.read_text(encoding="utf-8").splitlines():
            name, code, message = line.split("\t")
            golden[name] = (code, message)
    made, failed = [], 0
    for name, content, command in ROWS:
        with tempfile.TemporaryDirectory() as folder:
            data = content() if callable(content) else content
            if data is not None:
                (pathlib.Path(folder) / "input").write_bytes(data if isinstance(data, bytes) else data.encode())
            code, message, seconds = run(options.hoist, folder, command)
            message = re.sub(r"/dev/fd/\d+", "/dev/fd/N", message)
            made.append((name, str(code), message))
            wanted = golden.get(name)
            if not options.update_golden and wanted != (str(code), message):
                failed += 1
                print(f"{name}: exit {code}, {message}\n    wanted {wanted}")
            if code == "hang" or (isinstance(code, int) and code < 0) or code in (70, 134, 139):
                failed += 1
                print(f"{name}: {command}: {code} after {seconds:.1f} s: {message}")
            if options.memory and data is not None:
                limit = 2 * len(data) + 64 * MIB
                fits, peak = peak_of(options.hoist, folder, command, limit)
                if not fits:
                    failed += 1
                    print(f"{name}: peak {peak / MIB:.0f} MiB, limit {limit / MIB:.0f} MiB")
    if os.getuid() != 0:
        with tempfile.TemporaryDirectory() as folder:
            unreadable_row(folder)
            code, message, _ = run(options.hoist, folder, "check unreadable")
            failed += code != 3
    if options.update_golden:
        GOLDEN.write_text("".join("\t".join(row) + "\n" for row in made), encoding="utf-8")
    print(f"{len(made) - failed} passed, {failed} failed")
    return 1 if failed and not options.update_golden else 0


if __name__ == "__main__":
    sys.exit(main())
