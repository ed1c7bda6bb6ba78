#!/usr/bin/python3
"""All TFLite models of a folder, such as those of tensorflow/tflite-micro, against TFLite itself.

tflite_folder.py HOIST FOLDER [--verbose]

Each is run in TFLite compiled to WebAssembly without XNNPACK and in hoist, with both ways of rounding and two inputs
(tests/corpus/tflite_ops.py says what that needs, and what is equal). Models that cannot be run are listed with the
reason, hoist's or TFLite's. It fails where results differ with `--rounding single`, that of TFLite's own kernels.
Ends with 77 (skipped) without numpy, node or TFLite.
"""
import argparse
import collections
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "corpus"))
import tflite_ops  # pylint: disable=wrong-import-position


def check(hoist, path):
    """The result for a model: equal, double (equal with single only), differs, or why it does not run."""
    found = set()
    for seed in (1, 2):
        with tempfile.TemporaryDirectory() as temporary:
            result = tflite_ops.check(hoist, path.read_bytes(), seed, pathlib.Path(temporary))
        if result and not set(result.split()) <= {"double", "single"}:
            return result
        found |= set(result.split())
    return "differs" if "single" in found else "double differs" if found else "equal"


def reason(result):
    """The first error, without its place."""
    errors = re.findall(r"error: (.*)", result) or result.splitlines()
    return re.sub(r" \(subgraphs.*", "", errors[0])[:150]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("hoist", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    if not tflite_ops.is_there():
        return 77
    counts = collections.Counter()
    for path in sorted(options.folder.rglob("*.tflite")):
        result = check(options.hoist.resolve(), path)
        kind = result if result in ("equal", "double differs", "differs") else "does not run"
        counts[kind] += 1
        if options.verbose or kind != "equal":
            print(f"{path.relative_to(options.folder)}: {reason(result) if kind == 'does not run' else result}", flush=True)
    print(", ".join(f"{count} {kind}" for kind, count in counts.items()))
    return 1 if counts["differs"] or not counts else 0


if __name__ == "__main__":
    sys.exit(main())
