#!/usr/bin/env python3
"""Runs of sparse matmuls whose encodings are of the older forms against the vendor's saved results.

sparse_older.py HOIST [--folder DIR]

The folder is --folder or HOIST_NETLISTS, a checkout of tenstorrent/tt-budabackend; without one it ends with 77
(skipped). The netlists are those of verif/op_tests/pytorch_bin/matmul_ident that have a result beside them; tensors
are there as float32, encodings as 32-bit words, in the order of rows. The correlation with the result is at least
0.9999: inputs and results have 16 bits on the device, here the results are float32.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SKIPPED = 77
LEAST = 0.9999
WEIGHTS, ENCODING, ACTIVATIONS = "lc.input_tensor.sparse0.0", "lc.input_tensor.sparse0.1", "input_1_sparse0"
RESULT = "ModuleBuilder.simple_sparse_matmul.output_sparse0"


def shapes(text):
    """Elements of an entry, by the name of the queue: [t, rows, columns]."""
    line = re.compile(r"^\s+([\w.]+):\s+\{.*?grid_size: \[1, 1\], t: (\d+), mblock: \[(\d+), (\d+)\], "
                      r"ublock: \[(\d+), (\d+)\]", re.MULTILINE)
    sizes = {found[0]: [int(size) for size in found[1:]] for found in line.findall(text)}
    return {name: (t, 32 * m * rt, 32 * n * ct) for name, (t, m, n, rt, ct) in sizes.items()}


def correlation(hoist, netlist, numpy, work):
    shape = shapes(netlist.read_text(encoding="utf-8"))
    command = [hoist, "run", "-q", str(netlist), "-o", f"{work}/out"]
    for name, dtype, saved in ((WEIGHTS, "<f4", f"{WEIGHTS}.0"), (ACTIVATIONS, "<f4", f"{ACTIVATIONS}.0"),
                               (ENCODING, "<u4", f"{ENCODING}.0")):
        count = shape[name][0] * shape[name][1] * shape[name][2]
        array = numpy.fromfile(netlist.parent / f"{saved}.bin", dtype, count)  # one file has a byte more
        numpy.save(f"{work}/{name}.npy", array.reshape(shape[name]))
        command += ["-i", f"{name}=@{work}/{name}.npy"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    got = numpy.load(f"{work}/out/{RESULT}.npy").ravel()
    return numpy.corrcoef(got, numpy.fromfile(netlist.parent / f"{RESULT}.0.bin", "<f4"))[0, 1]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("hoist")
    parser.add_argument("--folder", default=os.environ.get("HOIST_NETLISTS"))
    options = parser.parse_args()
    try:
        import numpy  # pylint: disable=import-outside-toplevel
    except ImportError:
        return SKIPPED
    saved = pathlib.Path(options.folder or "/nonexistent", "verif/op_tests/pytorch_bin/matmul_ident")
    netlists = sorted(path for path in saved.glob("*/*.yaml") if (path.parent / f"{RESULT}.0.bin").exists())
    if not netlists:
        return SKIPPED
    least = 1.0
    for netlist in netlists:
        with tempfile.TemporaryDirectory() as work:
            found = correlation(options.hoist, netlist, numpy, work)
        print(f"{found:.9f} {netlist.parent.name}")
        least = min(least, found)
    print(f"{len(netlists)} netlists, least correlation {least:.9f}, expected {LEAST}")
    return 0 if least >= LEAST else 1


if __name__ == "__main__":
    sys.exit(main())
