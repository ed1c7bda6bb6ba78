#!/usr/bin/env python3
"""Sources of compiled models, run with both ways of rounding, against the outputs of TFLite itself.

tflite_rounding.py HOIST [MODEL...]

The outputs in edgetpu-field are those of TFLite's optimised kernels, without XNNPACK. With --rounding single every run
has to be equal, bit for bit; with --rounding double every run of a model whose layers are of uint8 numbers. Ends with
77 (skipped) without the corpus (HOIST_CORPUS, else ../shared/corpus).
"""
import argparse
import ast
import collections
import pathlib
import subprocess
import sys
import tempfile
import urllib.parse
import zipfile

from tflite_vectors import CORPUS, SKIPPED

FIELD = CORPUS / "edgetpu-field"
WAYS = ("double", "single")
# Models of int8 numbers, whose layers are rounded once.
SIGNED = ("yamnet", "yolov5nu", "bodypix")


def elements(data):
    """Type and elements of a .npy file."""
    end = 10 + int.from_bytes(data[8:10], "little")
    dtype = ast.literal_eval(data[10:end].decode())["descr"]
    size = int(dtype[2:])
    return dtype, [data[at:at + size] for at in range(end, len(data), size)]


def run(hoist, vector, way):
    """How many elements differ, of how many; a text: why there are none."""
    model = FIELD / "source" / f"{vector.stem.rsplit('.', 1)[0]}.tflite"
    with zipfile.ZipFile(vector) as archive, tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        arrays = {file.filename.removesuffix(".npy"): archive.read(file) for file in archive.infolist()}
        words = [hoist, "run", model, "--rounding", way, "--output", folder / "out"]
        for number, key in enumerate(key for key in arrays if key.startswith("in:")):
            file = folder / f"{number}.npy"
            file.write_bytes(arrays[key])
            words += ["--input", f"{key.removeprefix('in:')}=@{file}"]
        done = subprocess.run(list(map(str, words)), check=False, capture_output=True, text=True, timeout=600)
        if done.returncode:
            return f"exit {done.returncode}: {done.stderr.strip()[:200]}"
        found = {urllib.parse.unquote(path.stem): path.read_bytes() for path in (folder / "out").rglob("*.npy")}
    return compare(found, {key.removeprefix("out:"): data for key, data in arrays.items() if key.startswith("out:")})


def compare(found, expected):
    differ = count = 0
    for name, data in expected.items():
        dtype, ours = elements(found[name]) if name in found else (None, [])
        their_dtype, theirs = elements(data)
        if dtype != their_dtype or len(ours) != len(theirs):
            return f"{name} is {dtype} with {len(ours)} elements, expected {their_dtype} with {len(theirs)}"
        differ += sum(a != b for a, b in zip(ours, theirs))
        count += len(theirs)
    return differ, count


def may_differ(vector, way):
    return sys.maxsize if way == "double" and any(name in vector.stem for name in SIGNED) else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("hoist")
    parser.add_argument("models", nargs="*")
    options = parser.parse_args()
    vectors = [path for path in sorted((FIELD / "vectors").glob("*.npz"))
               if not options.models or any(model in path.name for model in options.models)]
    if not vectors:
        print("skipped: the corpus is absent")
        return SKIPPED
    bad, totals = 0, collections.Counter()
    for vector in vectors:
        for way in WAYS:
            result = run(options.hoist, vector, way)
            if isinstance(result, str) or result[0] > may_differ(vector, way):
                print(f"{vector.stem}, {way}: {result}")
                bad += 1
            elif result[1]:
                totals[way, "runs"] += 1
                totals[way, "equal"] += result[0] == 0
                totals[way, "differ"] += result[0]
                totals[way, "elements"] += result[1]
    for way in WAYS:
        print(f"--rounding {way}: {totals[way, 'equal']} of {totals[way, 'runs']} runs equal, "
              f"{totals[way, 'differ']} of {totals[way, 'elements']} elements differ")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
