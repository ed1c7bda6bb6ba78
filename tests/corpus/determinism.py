#!/usr/bin/env python3
"""Golden netlists give the same output files for every number of workers, and without any.

determinism.py HOIST [-n COUNT] [CASE...]

Runs COUNT of the cases (20), evenly spread over the index, with --threads 1, 2, 4 and --sequential, and
compares all files that --output writes. Ends with 77 (skipped) without the corpus.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import golden

WAYS = (("--threads", "1"), ("--threads", "2"), ("--threads", "4"), ("--sequential",))


def words_of(hoist, folder, arch):
    """The command of golden.py without what it compares with."""
    given = golden.command(hoist, folder, arch)
    return [word for at, word in enumerate(given)
            if word not in ("--exact", "--expect") and given[at - 1] != "--expect"]


def run(words, way):
    """All output files by name; None with the reason when the run fails."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([*words, *way, "--output", folder], check=False, capture_output=True,
                              text=True, timeout=600)
        if done.returncode:
            return None, f"exit {done.returncode}: {done.stderr.strip()[:200]}"
        out = pathlib.Path(folder)
        return {str(f.relative_to(out)): f.read_bytes() for f in sorted(out.rglob("*")) if f.is_file()}, ""


def judge(hoist, folder, arch):
    """Empty, or how the case differs."""
    words = words_of(hoist, folder, arch)
    first = None
    for way in WAYS:
        files, why = run(words, way)
        if not files:
            return f"{' '.join(way)}: {why or 'no output files'}"
        first = first or files
        if files != first:
            return f"{' '.join(way)}: other files than {' '.join(WAYS[0])}"
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("hoist", type=lambda p: str(pathlib.Path(p).resolve()))
    parser.add_argument("-n", type=int, default=20)
    parser.add_argument("cases", nargs="*")
    options = parser.parse_intermixed_args()
    folder = golden.corpus()
    if not folder:
        print("skipped: the corpus is absent")
        return golden.SKIPPED
    index = json.loads((folder / "index.json").read_text(encoding="utf-8"))["cases"]
    step = max(len(index) // options.n, 1)
    cases = ([case for case in index if case["dir"] in options.cases] if options.cases
             else index[::step][:options.n])
    wrong = 0
    for case in cases:
        reason = judge(options.hoist, folder / case["dir"], case["arch"])
        wrong += bool(reason)
        if reason:
            print(f"{case['dir']}: {reason}")
    print(f"{len(cases)} cases in {len(WAYS)} ways: {wrong} differ")
    return 1 if wrong or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
