#!/usr/bin/env python3
"""Compiled models against their sources, layer by layer, by what both compute.

edgetpu_layers.py HOIST [MODEL...]

`hoist diff --run` of each compiled model of edgetpu-field and of the pairs of the corpus with its source, for three
inputs: random elements, a gradient and a smooth wave. Every layer alone has to give what the source's operator gives,
bit for bit, or where the file's multipliers of 24 bits are not TFLite's, within a step. A run with each driver has the
outputs of one without. Prints a row for each model and input: layers that were compared, their elements, those that
differ in the run, those that differ when each layer is given what the source's has, the greatest of these differences,
and channels whose multiplier is not TFLite's. Ends with 77 (skipped) without the corpus (HOIST_CORPUS, else
../shared/corpus).
"""
import argparse
import csv
import json
import math
import pathlib
import struct
import subprocess
import sys
import tempfile

import tflite_vectors
from edgetpu_field import FIELD, PAIRS, source_of

INPUTS = ("random", "gradient", "smooth")
DRIVERS = ("pcie", "usb-no-hints")
CODES = {"INT8": ("|i1", "b", -128), "UINT8": ("|u1", "B", 0), "FLOAT32": ("<f4", "f", -128)}
ROW = "{:64} {:8} {:>6} {:>10} {:>9} {:>6} {:>4} {:>15}"


def command(*words):
    return subprocess.run(list(map(str, words)), check=False, capture_output=True, text=True, timeout=600)


def pairs_of(chosen):
    """Compiled models with their sources."""
    found = []
    with open(FIELD / "index.tsv", encoding="utf-8") as index:
        for row in csv.DictReader(index, delimiter="\t"):
            found.append((FIELD / "compiled" / row["file"], row["source"]))
    rows = [(compiled, source_of(compiled, source)) for compiled, source in found]
    rows += [(path, path.with_name(path.name.replace("_edgetpu", ""))) for path in sorted(PAIRS.glob("*_edgetpu.tflite"))]
    return [row for row in rows if row[1] and (not chosen or any(name in row[0].name for name in chosen))]


def elements(kind, shape):
    """Bytes above the least of the type: a gradient over all elements, or a wave over pixels, another one for each
    channel."""
    count, channels = math.prod(shape), shape[-1] if shape else 1
    if kind == "gradient":
        return [i * 255 // max(count - 1, 1) for i in range(count)]
    return [round(128 + 120 * math.sin(i // channels / 97 + i % channels)) for i in range(count)]


def write_npy(path, code, shape, values):
    name, letter, least = code
    head = f"{{'descr': '{name}', 'fortran_order': False, 'shape': ({', '.join(map(str, shape))},), }}"
    head += " " * (-(len(head) + 11) % 64) + "\n"
    data = struct.pack(f"<{len(values)}{letter}", *(value + least for value in values))
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + data)


def inputs_of(hoist, model, kind, folder):
    """Words of a command line that give this input to the model; None: it has one that is no bytes."""
    words = []
    found = json.loads(command(hoist, "info", "--json", model).stdout)["files"][0]["inputs"]
    for i, tensor in enumerate(found):
        if kind == "random":
            words += ["--input", f"{tensor['name']}=random:{11 + i}"]
            continue
        if tensor["type"] not in CODES or None in tensor["shape"]:
            return None
        write_npy(folder / f"{i}.npy", CODES[tensor["type"]], tensor["shape"], elements(kind, tensor["shape"]))
        words += ["--input", f"{tensor['name']}=@{folder / f'{i}.npy'}"]
    return words


def row_of(compiled, kind, report):
    """A line of the table, and what is wrong."""
    layers = [pair for pair in report["compared"] if pair["layer"] is not None]
    unknown = [pair["layer"] for pair in layers if pair["alone"] is None]
    alone = sum(pair["alone"] or 0 for pair in layers)
    step = max([pair["alone_greatest"] or 0 for pair in layers], default=0)
    exact = [pair["layer"] for pair in layers if pair["alone"] and pair["inexact"] == 0]
    multipliers = report.get("multipliers", {"inexact": 0, "channels": 0})
    print(ROW.format(compiled.name.replace("_edgetpu.tflite", "")[-64:], kind, len(layers),
                     sum(pair["elements"] or 0 for pair in layers), sum(pair["different"] or 0 for pair in layers),
                     alone, f"{step:g}", f"{multipliers['inexact']}/{multipliers['channels']}"), flush=True)
    faults = [f"layers {unknown} have another size"] * bool(unknown)
    faults += [f"differs by {step:g}"] * (step > 1)
    faults += [f"layers {exact} differ and have TFLite's multipliers"] * bool(exact)
    return faults + ["no layer was compared"] * (not layers)


def outputs_of(hoist, compiled, words, driver):
    """Names and checksums of the outputs; a text: the model did not run."""
    done = command(hoist, "run", "--json", "--driver", driver, *words, compiled)
    if done.returncode:
        return f"exit {done.returncode} with --driver {driver}: {done.stderr.strip()[:200]}"
    return [(output["name"], output["checksum"]) for output in json.loads(done.stdout)["outputs"]]


def check_drivers(hoist, compiled, words):
    plain = outputs_of(hoist, compiled, words, "none")
    found = [plain] + [outputs_of(hoist, compiled, words, driver) for driver in DRIVERS]
    faults = [outputs for outputs in found if isinstance(outputs, str)]
    return faults or [f"other outputs with --driver {driver}" for driver, outputs in zip(DRIVERS, found[1:])
                      if outputs != plain]


def check(hoist, compiled, source):
    """What is wrong; None: there is nothing to compare, which is printed."""
    same = command(hoist, "diff", compiled, source)
    if same.returncode == 1:
        print(f"{compiled.name}: not of {source.name}, by hoist diff")
        return None
    faults = []
    for kind in INPUTS:
        with tempfile.TemporaryDirectory() as folder:
            words = inputs_of(hoist, source, kind, pathlib.Path(folder))
            if words is None:
                continue
            done = command(hoist, "diff", "--run", "--json", *words, compiled, source)
            if done.returncode == 4 and "custom one" in done.stderr:  # both end before an operator of another library
                done = command(hoist, "diff", "--run", "--json", "--on-unknown", "skip", *words, compiled, source)
            if done.returncode == 4:
                errors = [line for line in done.stderr.splitlines() if "error" in line] or [done.stderr.strip()]
                print(f"{compiled.name}: cannot be run: {errors[0].split('error: ')[-1][:160]}")
                return None
            if done.returncode not in (0, 1):
                return [f"exit {done.returncode}: {done.stderr.strip()[:200]}"]
            faults += row_of(compiled, kind, json.loads(done.stdout))
            if kind == "gradient":
                faults += check_drivers(hoist, compiled, [*words, "--on-unknown", "skip"])
    return faults


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("hoist", type=pathlib.Path)
    parser.add_argument("models", nargs="*")
    options = parser.parse_args()
    if not FIELD.exists():
        print("skipped: no corpus")
        return tflite_vectors.SKIPPED
    compared = left = wrong = 0
    print(ROW.format("model", "input", "layers", "elements", "differ", "alone", "step", "inexact"))
    for compiled, source in pairs_of(options.models):
        faults = check(options.hoist.resolve(), compiled, source)
        compared += faults is not None
        left += faults is None
        wrong += bool(faults)
        for fault in faults or []:
            print(f"{compiled.name}: {fault}")
    print(f"{compared} models compared, {left} not, {wrong} wrong")
    return 1 if wrong or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
