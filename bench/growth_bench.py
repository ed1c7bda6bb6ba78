#!/usr/bin/env python3
"""How time and memory grow with files: a table for every command and format.

growth_bench.py HOIST [--only TEXT] [--seconds S] [--most N]

Makes the files of growth_files.py at 1,000, 10,000 and so on, and runs every command on each with a limit
of S seconds of the processor (60). A line has a time and the peak memory for each size, and the growth:
by how much time grows when the file doubles, from one size to the next at the worst. What takes less than
50 ms says nothing of that and is left out. The exit status is 1 where a growth is above 2.3, where a
command ended by another status than at the first size, or by the limit.
"""
import argparse
import math
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

import growth_files

FIRST = 1000
STEP = 10
MOST = 2.3  # of growth; 2 is linear
NOISE = 0.05  # seconds
LINE = "{:<21} {:<16} {}"


def run(words, seconds):
    """The time of the processor, peak memory in MB and exit status of a command; None: beyond the limit."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(seconds), math.ceil(seconds) + 1))

    child = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=limit)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    time = usage.ru_utime + usage.ru_stime
    return time, usage.ru_maxrss / 1024, None if child.returncode < 0 else child.returncode


def growth_of(cells):
    """Per doubling, the worst of the steps that take long enough to be measured; NaN: none does."""
    steps = [(b[0] / max(a[0], NOISE)) ** (1 / math.log2(b[3] / a[3])) for a, b in zip(cells, cells[1:]) if b[0] > NOISE]
    return max(steps, default=math.nan)


def show(cell):
    time, memory, status, _ = cell
    end = "" if status == 0 else " limit" if status is None else f" exit {status}"
    return f"{time:7.2f} s {memory:6.0f} MB{end:7}"


def sizes_of(family, most):
    size, last = FIRST, min(growth_files.FAMILIES[family][3], most)
    while size < last:
        yield size
        size *= STEP
    yield last


def measure(family, folder, hoist, seconds, most):
    """A list of cells for each command of the family."""
    rows = {command: [] for command in growth_files.FAMILIES[family][2]}
    for size in sizes_of(family, most):
        path = growth_files.make(family, folder, size, hoist)
        for command, cells in rows.items():
            if not cells or cells[-1][2] is not None:
                cells.append((*run(growth_files.command_line(hoist, command, path, folder), seconds), size))
    return rows


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("hoist", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--only", default="")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--most", type=int, default=10_000_000)
    options = parser.parse_args()
    bad = 0
    for family in growth_files.FAMILIES:
        if options.only not in family:
            continue
        with tempfile.TemporaryDirectory() as folder:
            rows = measure(family, pathlib.Path(folder), options.hoist, options.seconds, options.most)
        print(LINE.format(family, "", " | ".join(f"{size:<26,}" for size in sizes_of(family, options.most))))
        for command, cells in rows.items():
            growth = growth_of(cells)
            missed = growth > MOST or any(cell[2] != cells[0][2] for cell in cells)
            bad += missed
            print(LINE.format("", command, " | ".join(map(show, cells))), f"growth {growth:.2f}{' MISSED' * missed}", flush=True)
    if bad:
        print(f"{bad} lines grow by more than {MOST} per doubling, or end otherwise")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
