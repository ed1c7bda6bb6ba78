#!/usr/bin/env python3
"""suites.py LOG CTEST-ARGUMENT...: runs ctest and prints a line per folder of tests as soon as its last one ends.

What ctest prints goes to LOG. A test that does not pass is printed at once; after 15 seconds without a line, how
many tests are done. The exit status is ctest's.
"""
import collections
import os
import pathlib
import re
import subprocess
import sys
import threading
import time

LISTED = re.compile(r"^ +Test +#\d+: (\S+)$")
DONE = re.compile(r"^ *\d+/\d+ Test +#\d+: (\S+) \.*( +Passed|\*\*\*.*?) +([0-9.]+) sec")
SILENCE = 15


class Printer:
    """Writes lines, and one of its own when nothing was written for a while."""

    def __init__(self, total):
        self.total, self.done, self.last = total, 0, time.monotonic()
        threading.Thread(target=self.watch, daemon=True).start()

    def line(self, text):
        print(text, flush=True)
        self.last = time.monotonic()

    def watch(self):
        while True:
            time.sleep(1)
            if time.monotonic() - self.last >= SILENCE:
                self.line(f"   {self.done} of {self.total} tests are done")


def main():
    log, arguments = sys.argv[1], ["ctest", *sys.argv[2:]]
    listed = subprocess.run([*arguments, "-N"], capture_output=True, text=True, check=False)
    left = collections.Counter(os.path.dirname(m[1]) for m in map(LISTED.match, listed.stdout.splitlines()) if m)
    counts, times = dict(left), collections.Counter()
    printer = Printer(sum(counts.values()))
    with pathlib.Path(log).open("w") as kept, subprocess.Popen(
            arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace") as ctest:
        for text in ctest.stdout:
            kept.write(text)
            match = DONE.match(text)
            if not match:
                continue
            folder, printer.done = os.path.dirname(match[1]), printer.done + 1
            left[folder] -= 1
            times[folder] += float(match[3])
            if "Passed" not in match[2]:
                printer.line(f"   {match[1]}: {match[2].strip(' *')}, {match[3]} s")
            if left[folder] == 0:
                printer.line(f"   {folder:24} {counts[folder]:4} tests {times[folder]:7.1f} s")
    return ctest.returncode


if __name__ == "__main__":
    sys.exit(main())
