#!/usr/bin/python3
"""All TFLite models of folders, such as those of tensorflow/tflite-micro, against TFLite itself.

tflite_micro.py HOIST [FOLDER...] [--seeds N] [--verbose]

Without a folder those that HOIST_TFLITE_MODELS names, with ':' between them. Each model is run in TFLite compiled to
WebAssembly without XNNPACK and in hoist, with both ways of rounding and inputs of N seeds, random and smooth ones in
turn (tests/corpus/tflite_ops.py says what that needs, and what is equal). A line for each model that is not equal, with
--verbose for all:

  equal                       with both ways of rounding
  equal, double differs ...   with that of TFLite's own kernels, `single`; how many elements differ, the greatest difference
  differs ...                 with `single`: the check fails
  differs as known (...)      as the table KNOWN explains
  refused: ...                by hoist, with its first error; TFLite runs it
  unsupported: ...            by TFLite, whose error it is, and whether hoist runs it

Ends with 77 (skipped) without numpy, node, TFLite or models.
"""
import argparse
import collections
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "corpus"))
import tflite_ops  # pylint: disable=wrong-import-position


# Results that differ because this build of TFLite does: by file name.
KNOWN = {
    "dtln_noise_suppression.tflite": "the build subtracts the zero point of an LSTM's int8 output, TFLite's source adds it",
}


def reason(text):
    """The first error, without its place."""
    errors = re.findall(r"error: (.*)", text) or text.splitlines() or ["no reason given"]
    return re.sub(r" \(subgraphs[^)]*\)", "", errors[0])[:150]


def lowers(hoist, path):
    """Why hoist does not run a model, "" where it does."""
    done = subprocess.run([hoist, "dump", "--program", path], check=False, capture_output=True, text=True)
    return f"refused by hoist, too: {reason(done.stderr)}" if done.returncode > 1 else "hoist runs it"


class Differences:
    """Of one way of rounding, over the runs of a model."""

    def __init__(self):
        self.elements, self.greatest, self.shapes = 0, 0.0, 0

    def add(self, outputs):
        for count, greatest in filter(None, outputs):
            self.shapes += count < 0
            self.elements += max(count, 0)
            self.greatest = max(self.greatest, greatest)

    def __bool__(self):
        return self.elements > 0 or self.shapes > 0

    def __str__(self):
        other = f", {self.shapes} outputs are missing or of another shape or type" if self.shapes else ""
        return f"{self.elements} elements, by {self.greatest:g} at most{other}"


def check(hoist, path, seeds):
    """The kind of result, the word that its line begins with, and the line."""
    found = {"double": Differences(), "single": Differences()}
    for seed in range(1, seeds + 1):
        with tempfile.TemporaryDirectory() as temporary:
            folder = pathlib.Path(temporary)
            expected = tflite_ops.Expected(path, seed, folder / "expected")
            if expected.error:
                return "unsupported", f"unsupported: {expected.error[:100]}; {lowers(hoist, path)}"
            for way, differences in found.items():
                outputs = expected.compare(hoist, way, folder / way)
                if isinstance(outputs, str):
                    return "refused", f"refused: {reason(outputs)}"
                differences.add(outputs)
    if found["single"] and path.name in KNOWN:
        return "differ as known", f"differs as known ({KNOWN[path.name]}): {found['single']}"
    if found["single"]:
        return "differs", f"differs: {found['single']}; with double {found['double']}"
    if found["double"]:
        return "equal with single", f"equal, double differs: {found['double']}"
    return "equal", "equal"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("hoist", type=pathlib.Path)
    parser.add_argument("folders", type=pathlib.Path, nargs="*")
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    folders = options.folders or [pathlib.Path(name) for name in os.environ.get("HOIST_TFLITE_MODELS", "").split(":") if name]
    models = [(path.relative_to(folder), path) for folder in folders for path in sorted(folder.rglob("*.tflite"))]
    if not tflite_ops.is_there():
        return 77
    if not models:
        print("skipped: no models; HOIST_TFLITE_MODELS names folders of them")
        return 77
    counts = collections.Counter()
    for name, path in models:
        kind, line = check(options.hoist.resolve(), path, options.seeds)
        counts[kind] += 1
        if options.verbose or kind != "equal":
            print(f"{name}: {line}", flush=True)
    print(f"{len(models)} models: " + ", ".join(f"{count} {kind}" for kind, count in counts.items()))
    return 1 if counts["differs"] else 0


if __name__ == "__main__":
    sys.exit(main())
