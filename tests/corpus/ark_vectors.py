#!/usr/bin/env python3
"""The ARK vectors: models and plans of one and of several ranks, with inputs and outputs.

ark_vectors.py HOIST [--verbose] [--all] [-j N] [CASE...]

Runs each case and compares every output by the rule of the ARK reference, section 7: both NaN, or equal, or
|found - expected| <= atol + rtol * |expected|. Other numbers of workers, --sequential, other schedules, steps without
fusion, the model's other dialects and its plan give the same bits. One line per case: equal, or differs with the first line that says how.
Cases whose inputs are recipes are left out, and, without --all, those of medium size. Ends with 77 (skipped) without the
vectors (HOIST_CORPUS, else ../shared/corpus).
"""
import argparse
import array
import concurrent.futures
import json
import math
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SKIPPED = 77
DIALECTS = ["model_v0seed.json", "model_v1.json", "model_uncompressed.json"]  # of cases of one rank, next to the models
WAYS = [["-j1"], ["-j2"], ["-j4"], ["--sequential"], ["--schedule", "random:1"], ["--schedule", "random:2"],
        ["--schedule", "adversarial"], ["-j2", "--no-fusion"]]
FORMS = {"FP32": "f", "INT32": "i", "UINT32": "I", "INT8": "b", "UINT8": "B", "BYTE": "B", "FP16": "e"}


def corpus():
    vectors = pathlib.Path(os.environ.get("HOIST_CORPUS", ROOT / "../shared/corpus")) / "ark/vectors"
    return vectors if vectors.exists() else None


def files(folder, manifest):
    """The jobs of a case: its models, its plans, and its model in other dialects."""
    for names in manifest["models"], manifest["plans"], *([name] for name in DIALECTS):
        if names and all((folder / name).exists() for name in names):
            yield [folder / name for name in names]


def tensors(node):
    """The Ids of all tensors in a file."""
    if isinstance(node, list):
        return set().union(*map(tensors, node))
    if not isinstance(node, dict):
        return set()
    return ({node["Id"]} if "DataType" in node else set()).union(*map(tensors, node.values()))


def port(manifest, known, row):
    """The tensor, or the buffer that it fills where the file does not have the tensor."""
    tensor = row["tensor"]
    is_known = tensor["Id"] in known[row["rank"]]
    name = str(tensor["Id"]) if is_known else f"buffer:{tensor['Buffer']['Id']}"
    return f"rank{row['rank']}/{name}" if manifest["world_size"] > 1 else name


def numbers(data, dtype):
    """Raw elements as numbers."""
    if dtype == "BF16":
        words = struct.unpack(f"<{len(data) // 2}H", data)
        return struct.unpack(f"<{len(words)}f", struct.pack(f"<{len(words)}I", *(word << 16 for word in words)))
    form = FORMS[dtype]
    return struct.unpack(f"<{len(data) // struct.calcsize(form)}{form}", data)


def read_npy(path):
    data = path.read_bytes()
    size = struct.unpack_from("<H", data, 8)[0]
    descr = data[10:10 + size].decode().split("'descr': '")[1].split("'")[0]
    values = array.array({"<f4": "f", "<i4": "i", "<u4": "I", "|i1": "b", "|u1": "B"}[descr])
    values.frombytes(data[10 + size:])
    if sys.byteorder != "little":
        values.byteswap()
    return values


def is_close(found, expected, row):
    if math.isnan(found) or math.isnan(expected):
        return math.isnan(found) and math.isnan(expected)
    if found == expected:
        return True
    return not math.isinf(found) and abs(found - expected) <= row["atol"] + row["rtol"] * abs(expected)


def compare(folder, manifest, found):
    """What differs, or nothing."""
    for row, path in zip(manifest["outputs"], found):
        values = read_npy(path)
        expected = numbers((folder / row["file"]).read_bytes(), row["tensor"]["DataType"])
        if len(values) != len(expected):
            return f"{path.name} ({row['label']}): {len(values)} elements, expected {len(expected)}"
        for i, (got, wanted) in enumerate(zip(values, expected)):
            if not is_close(got, wanted, row):
                return f"{path.name} ({row['label']}): element {i} is {got!r}, expected {wanted!r}"
    return None


def run(hoist, folder, manifest, job, way, out):
    """The files of the outputs, in the order of the manifest; or the complaint of a run that failed."""
    known = [tensors(json.loads(path.read_text(encoding="utf-8"))) for path in job]
    words = [hoist, "run", "--quiet", "--timeout", "300", *way, "--output", out]
    for row in manifest["inputs"]:
        words += ["--input", f"{port(manifest, known, row)}=@{folder / row['file']}"]
    names = [port(manifest, known, row) for row in manifest["outputs"]]
    for name in names:
        words += ["--fetch", name]
    done = subprocess.run([*words, *job], check=False, capture_output=True, text=True)
    complaint = f"exit {done.returncode}: {(done.stderr or done.stdout).strip()}" if done.returncode else None
    return [out / (name.replace(":", "_") + ".npy") for name in names], complaint


def check(hoist, folder, manifest):
    """All ways of the first job of a case, and the first way of the others; what differs, or nothing."""
    jobs = list(files(folder, manifest))
    first = None
    with tempfile.TemporaryDirectory() as temporary:
        for number, (job, way) in enumerate([*((jobs[0], way) for way in WAYS), *((job, WAYS[0]) for job in jobs[1:])]):
            found, complaint = run(hoist, folder, manifest, job, way, pathlib.Path(temporary) / str(number))
            if not complaint and first is None:
                complaint = compare(folder, manifest, found)
                first = [read_npy(path).tobytes() for path in found]
            elif not complaint and [read_npy(path).tobytes() for path in found] != first:
                complaint = "other bits than those of the first run"
            if complaint:
                return f"{job[0].name} {' '.join(way)}: {complaint}"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("hoist")
    parser.add_argument("cases", nargs="*")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("-j", type=int, default=1)
    args = parser.parse_args()
    vectors = corpus()
    if not vectors:
        print("skipped: the corpus is absent")
        return SKIPPED
    work = []
    for path in sorted(vectors.glob("*/manifest.json")):
        manifest = json.loads(path.read_text(encoding="utf-8"))
        has_files = all("file" in row for row in manifest["inputs"] + manifest["outputs"])
        is_chosen = path.parent.name in args.cases if args.cases else args.all or "medium" not in path.parent.name
        if has_files and is_chosen:
            work.append((path.parent, manifest))
    failures = 0
    with concurrent.futures.ThreadPoolExecutor(args.j) as pool:
        results = pool.map(lambda item: check(args.hoist, *item), work)
        for (folder, _), complaint in zip(work, results):
            failures += complaint is not None
            if complaint or args.verbose:
                print(f"{folder.name}: {'differs: ' + complaint if complaint else 'equal'}", flush=True)
    print(f"{len(work) - failures} of {len(work)} cases equal")
    return 1 if failures or not work else 0


if __name__ == "__main__":
    sys.exit(main())
