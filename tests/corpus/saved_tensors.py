#!/usr/bin/env python3
"""Runs of netlists on the PyTorch tensors that the vendor has saved for them, against its saved results.

saved_tensors.py HOIST [--folder DIR]

The folder is --folder or HOIST_NETLISTS, a checkout of tenstorrent/tt-budabackend; without one it ends with 77
(skipped). QUEUE.N.bin is entry N of a queue or ram: float32 or 32-bit words, in the order of rows. The correlation with
each result is at least 0.9999: inputs have 16 bits on the device. The sparse matmuls have encodings of the older forms.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

SKIPPED = 77
LEAST = 0.9999
ENCODER = "verif/directed_tests/saved_pytorch_tensors/bert_encoder"
EMBEDDINGS = "verif/op_tests/pytorch_bin/embeddings/mc_2x1"
# A netlist, the folder of its tensors, and how many entries of each input are there.
CASES = (("verif/directed_tests/netlist_bert_encoder.yaml", ENCODER, 6),
         ("verif/directed_tests/netlist_bert_encoder_multi_core.yaml", ENCODER, 6),
         ("verif/op_tests/netlists/netlist_embedding_op_mc.yaml", EMBEDDINGS, 1))
# Sparse matmuls, each in a folder with its tensors: those with a saved result.
SPARSE = "verif/op_tests/pytorch_bin/matmul_ident/*/ModuleBuilder.simple_sparse_matmul.output_sparse0.0.bin"


def cases_of(root):
    """Path of each netlist that is there, its folder of tensors, entries of each input."""
    cases = [(root / netlist, root / folder, entries) for netlist, folder, entries in CASES if (root / folder).exists()]
    folders = sorted(path.parent for path in root.glob(SPARSE))
    return cases + [(netlist, folder, 1) for folder in folders for netlist in folder.glob("*.yaml")]


def queues(hoist, netlist):
    """Shape of an entry and bit patterns or not, by name, of what the host fills; and of the rest."""
    done = subprocess.run([hoist, "info", "--json", "--all", netlist], check=True, capture_output=True)
    rows = json.loads(done.stdout)["files"][0]["queues"]
    shapes = {row["name"]: (row["shape"], row["df"].startswith("Raw")) for row in rows}
    filled = [row["name"] for row in rows if row["input"] == "HOST"]
    return {name: shapes[name] for name in filled}, {name: shapes[name] for name in shapes if name not in filled}


def saved(numpy, folder, name, index, shape, raw):
    count = shape[0] * shape[1] * shape[2]
    path = folder / f"{name}.{index}.bin"
    return numpy.fromfile(path, "<u4" if raw else "<f4", count).reshape(shape)  # one file has a byte more


def correlations(hoist, numpy, netlist, folder, index, work):
    """Each output's correlation with what was saved of entry `index`."""
    inputs, outputs = queues(hoist, netlist)
    command = [hoist, "run", "-q", netlist, "-o", f"{work}/out"]
    entries = 4 if "embedding" in netlist.name else 1  # its graph takes four; one was saved
    for name, (shape, raw) in inputs.items():
        array = saved(numpy, folder, name, index, shape, raw)
        is_queue = raw or "embedding" not in netlist.name
        numpy.save(f"{work}/in.{len(command)}.npy", numpy.stack([array] * (entries if is_queue else 1)))
        command += ["-i", f"{name}=@{work}/in.{len(command)}.npy"]
    subprocess.run(command, check=True, capture_output=True)
    for name in outputs:
        path = folder / f"{name}.{index}.bin"
        if path.exists():
            expected = numpy.fromfile(path, "<f4")
            got = numpy.load(f"{work}/out/{name}.npy")[0].ravel()[:expected.size]
            # Rows of indices that PyTorch was not given are zeros, where a device has the first row of the table.
            given = numpy.repeat(expected.reshape(-1, 32).any(axis=1), 32) if "embedding" in netlist.name else slice(None)
            yield name, numpy.corrcoef(got[given], expected[given])[0, 1]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("hoist")
    parser.add_argument("--folder", default=os.environ.get("HOIST_NETLISTS"))
    options = parser.parse_args()
    try:
        import numpy  # pylint: disable=import-outside-toplevel
    except ImportError:
        return SKIPPED
    root = pathlib.Path(options.folder or "/nonexistent")
    cases = cases_of(root)
    if not cases:
        return SKIPPED
    least, count = 1.0, 0
    for netlist, folder, entries in cases:
        for index in range(entries):
            with tempfile.TemporaryDirectory() as work:
                for name, found in correlations(options.hoist, numpy, netlist, folder, index, work):
                    print(f"{found:.9f} {netlist.relative_to(root)} {index} {name}")
                    least, count = min(least, found), count + 1
    print(f"{count} results, least correlation {least:.9f}, expected {LEAST}")
    return 0 if count and least >= LEAST else 1


if __name__ == "__main__":
    sys.exit(main())
