#!/usr/bin/python3
"""The large ARK vectors: inputs from recipes, outputs by samples.

ark_big.py HOIST [--verbose] [--plan] [CASE...]

Makes the inputs of each case as the ARK reference, section 12.4, describes them, checks their digests, runs the model
(with --plan its plan, too) and compares the samples of every output by the rule of section 7. One line per case and
kind of file. Ends with 77 (skipped) without numpy or the vectors (HOIST_CORPUS, else ../shared/corpus).
"""
import argparse
import hashlib
import json
import pathlib
import subprocess
import sys
import tempfile

from ark_vectors import SKIPPED, corpus, port, tensors

try:
    import numpy as np
except ImportError:
    print("skipped: no numpy")
    sys.exit(SKIPPED)

STEP = 0x9E3779B97F4A7C15
TYPES = {"FP32": np.float32, "FP16": np.float16, "INT32": np.int32}


def splitmix(seed, count):
    with np.errstate(over="ignore"):
        z = np.arange(count, dtype=np.uint64) + np.uint64((seed * STEP + STEP) & (2**64 - 1))
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))


def uniform(gen, count):
    k = (splitmix(gen["seed"], count) >> np.uint64(40)).astype(np.float64)
    return (2 * k - 2**24) / 2**24 * gen["scale"] + gen.get("bias", 0.0)


def rope(gen, _):
    t = np.arange(gen["T"], dtype=np.float64)[:, None]
    q = np.arange(gen["hd"] // 2, dtype=np.float64)[None, :]
    angle = t * gen["theta"] ** (-2 * q / gen["hd"])
    return np.stack([np.cos(angle), np.sin(angle)], axis=-1).reshape(-1)


def causal(gen, _):
    column, row = np.meshgrid(np.arange(gen["T"]), np.arange(gen["T"]))
    return np.where(column <= row, 0.0, gen["value"]).reshape(-1)


KINDS = {"uniform": uniform, "rope": rope, "causal": causal}


def stored(values, dtype):
    """The bytes of doubles, each rounded once, to nearest even."""
    if dtype != "BF16":
        return values.astype(TYPES[dtype]).tobytes()
    near = values.astype(np.float32)
    # To float32 toward zero, and odd where bits are lost: the second rounding is then that of the double.
    toward = np.where(np.abs(near.astype(np.float64)) > np.abs(values), np.nextafter(near, np.float32(0)), near)
    bits = toward.view(np.uint32) | (toward.astype(np.float64) != values)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16).tobytes()


def write_inputs(manifest, folder):
    """A file per input; what is wrong with one, or nothing."""
    for number, row in enumerate(manifest["inputs"]):
        count = int(np.prod(row["tensor"]["Shape"]))
        data = stored(KINDS[row["gen"]["kind"]](row["gen"], count), row["tensor"]["DataType"])
        if hashlib.sha256(data).hexdigest() != row["sha256"]:
            return f"input {number}: the recipe gives other bytes than the digest is of"
        (folder / f"{number}.bin").write_bytes(data)
    return None


def compare(folder, manifest, names, out):
    for row, name in zip(manifest["outputs"], names):
        found = np.load(out / (name.replace(":", "_") + ".npy")).reshape(-1).astype(np.float64)
        samples = np.fromfile(folder / row["samples"], dtype=[("index", "<u8"), ("value", "<f8")])
        got, expected = found[samples["index"]], samples["value"]
        with np.errstate(invalid="ignore"):
            close = (got == expected) | (np.isnan(got) & np.isnan(expected))
            close |= np.abs(got - expected) <= row["atol"] + row["rtol"] * np.abs(expected)
        if not close.all():
            i = int(np.argmin(close))
            return f"{name} ({row['label']}): element {samples['index'][i]} is {got[i]!r}, expected {expected[i]!r}"
    return None


def check(hoist, folder, manifest, job, inputs):
    known = [tensors(json.loads(path.read_text(encoding="utf-8"))) for path in job]
    names = [port(manifest, known, row) for row in manifest["outputs"]]
    with tempfile.TemporaryDirectory() as temporary:
        out = pathlib.Path(temporary) / "out"
        words = [hoist, "run", "--quiet", "--output", out]
        for number, row in enumerate(manifest["inputs"]):
            words += ["--input", f"{port(manifest, known, row)}=@{inputs / f'{number}.bin'}"]
        for name in names:
            words += ["--fetch", name]
        done = subprocess.run([*words, *job], check=False, capture_output=True, text=True)
        if done.returncode:
            return f"exit {done.returncode}: {(done.stderr or done.stdout).strip()}"
        return compare(folder, manifest, names, out)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("hoist")
    parser.add_argument("cases", nargs="*")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--plan", action="store_true")
    args = parser.parse_args()
    vectors = corpus()
    if not vectors:
        print("skipped: the corpus is absent")
        return SKIPPED
    count = failures = 0
    for path in [*sorted(vectors.glob("big/*/manifest.json")), vectors / "P_public_allreduce_sm/manifest.json"]:
        folder, manifest = path.parent, json.loads(path.read_text(encoding="utf-8"))
        if args.cases and folder.name not in args.cases:
            continue
        jobs = [names for names in (manifest["models"], manifest["plans"]) if names]
        with tempfile.TemporaryDirectory() as temporary:
            broken = write_inputs(manifest, pathlib.Path(temporary))
            for names in jobs if args.plan else jobs[:1]:
                job = [folder / name for name in names]
                complaint = broken or check(args.hoist, folder, manifest, job, pathlib.Path(temporary))
                count += 1
                failures += complaint is not None
                if complaint or args.verbose:
                    what = f"differs: {complaint}" if complaint else "equal"
                    print(f"{folder.name} {job[0].name}: {what}", flush=True)
    print(f"{count - failures} of {count} jobs equal")
    return 1 if failures or not count else 0


if __name__ == "__main__":
    sys.exit(main())
