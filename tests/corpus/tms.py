#!/usr/bin/env python3
"""The vectors of single tensor manipulations: tensors with an own value in every element.

tms.py HOIST [--verbose]

Runs each way of ROWS to do a vector's manipulation as a netlist of one op and compares the output,
bit for bit; then once more with one element of the expectation changed, which must be noticed. One
line per row:
    equal     the output has the same bits, and the changed expectation has not
    differs   the output has not, with the first line that says how
    refused   the file was not run, with the reason; or `exit N`
    blind     the changed expectation passed too
    missing   ROWS names a vector that the folder lacks, or lacks one that the folder has
Fails when a line says anything but equal. Ends with 77 (skipped) without the vectors
(HOIST_CORPUS, else ../shared/corpus).
"""
import argparse
import ast
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SKIPPED = 77
TILE = 32


def within_tiles(shape, values):
    """Each tile transposed in its place."""
    z, rows, columns = shape
    return shape, [
        values[(k * rows + r - r % TILE + c % TILE) * columns + c - c % TILE + r % TILE]
        for k in range(z) for r in range(rows) for c in range(columns)]


def tile_grid(shape, values):
    """Tile [i, j] moved to [j, i] as it is."""
    z, rows, columns = shape
    return (z, columns, rows), [
        values[(k * rows + c - c % TILE + r % TILE) * columns + r - r % TILE + c % TILE]
        for k in range(z) for r in range(columns) for c in range(rows)]


# Vector, keys of the op (or the TMs of a fused add's input 1), and what makes the vector's output
# the netlist's. `transpose` moves the tiles and transposes each: a vector of one half is met by
# doing the other half to its output, or by slicing to single tiles around a second `transpose`.
ROWS = [
    ("r_broadcast3", "input_0_tms: [broadcast: {r: 3}]", None),
    ("c_broadcast3", "input_0_tms: [broadcast: {c: 3}]", None),
    ("z_broadcast3", "input_0_tms: [broadcast: {z: 3}]", None),
    ("hslice3", "input_0_tms: [hslice: 3]", None),
    ("hslice2_wide", "input_0_tms: [hslice: 2]", None),
    ("hstack2", "input_0_tms: [hstack: 2]", None),
    ("vslice3", "input_0_tms: [vslice: 3]", None),
    ("vstack2", "input_0_tms: [vstack: 2]", None),
    ("transpose_tiles", "input_0_tms: [transpose]", within_tiles),
    ("transpose_tiles",
     "input_0_tms: [transpose, hslice: 2, vslice: 3, transpose, vstack: 3, hstack: 2]", None),
    ("transpose_within_tile", "input_0_tms: [transpose]", tile_grid),
    ("transpose_within_tile",
     "input_0_tms: [hslice: 3, vslice: 2, transpose, vstack: 2, hstack: 3]", None),
    ("tile_broadcast_r", "tile_broadcast: r", None),
    ("tile_broadcast_c", "tile_broadcast: c", None),
    ("pad_1_2", "input_0_pad: {rt: 1, ct: 2, pad_value: -5.0}", None),
    ("pad_1_2", "input_0_tms: [pad: [1, 2, -5.0]]", None),
    ("unpad_1_1", "input_0_unpad: {rt: 1, ct: 1}", None),
]

# Blackhole: Wormhole truncates Float32 inputs to 10 bits of mantissa, the values have up to 13.
NETLIST = """\
devices: {{arch: blackhole}}
queues:
{inputs}
  y: {{type: queue, input: op, {out}, {queue}, dram: [[0, 0x30000000]]}}
graphs:
  g:
    target_device: 0
    input_count: 1
    op: {{{op}, grid_loc: [0, 0], {out}, acc_df: Float32, out_df: Float32, intermed_df: Float32,
         ublock_order: r, buf_size_mb: 2, math_fidelity: HiFi4, untilize_output: false}}
programs:
  - p: [execute: {{graph_name: g, queue_settings: {{{settings}}}}}]
"""
INPUT = "  {name}: {{type: queue, input: HOST, {size}, {queue}, dram: [[0, {address:#x}]]}}"
QUEUE = "entries: 1, df: Float32, target_device: 0, loc: dram"
SETTING = "{prologue: false, epilogue: false, zero: false, rd_ptr_local: 0, rd_ptr_global: 0}"
FUSED = """\
fused_ops:
  0:
    inputs: 2
    intermediates: 0
    schedules:
      - - add: {{type: add, inputs: [input0, input1], input_1_tms: [{tm}], mblock: [{rt}, {ct}],
                 ublock: [1, 1], output: output}}
"""


def corpus():
    folder = pathlib.Path(os.environ.get("HOIST_CORPUS", ROOT / "../shared/corpus")) / "buda-golden/formats_and_tms"
    return folder if folder.is_dir() else None


def read_npy(path):
    """Shape and values of a float32 file of version 1, as all vectors are."""
    data = path.read_bytes()
    start = 10 + struct.unpack_from("<H", data, 8)[0]
    head = ast.literal_eval(data[10:start].decode("ascii").strip())
    assert data[:8] == b"\x93NUMPY\x01\x00" and head["descr"] == "<f4" and not head["fortran_order"], path
    return head["shape"], [value for (value,) in struct.iter_unpack("<f", data[start:])]


def write_npy(path, shape, values):
    head = str({"descr": "<f4", "fortran_order": False, "shape": shape}).ljust(117) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode("ascii")
                     + struct.pack(f"<{len(values)}f", *values))
    return path


def size(shape):
    z, rows, columns = shape
    return f"grid_size: [1, 1], t: {z}, mblock: [{rows // TILE}, {columns // TILE}], ublock: [1, 1]"


def netlist(keys, x, out):
    """Inputs and text of an op to y of the given shapes: nop of x, or a fused op that adds x to zeros."""
    inputs, tail = {"x": x}, ""
    op = f"type: nop, inputs: [x], in_df: [Float32], {keys}"
    if not keys.startswith("input_0_"):
        inputs = {"zeros": out, "x": x}
        op = "type: fused_op, inputs: [zeros, x], in_df: [Float32, Float32], attributes: {fused_op_id: 0}"
        tail = FUSED.format(tm=keys, rt=out[1] // TILE, ct=out[2] // TILE)
    queues = [INPUT.format(name=name, size=size(shape), queue=QUEUE, address=0x30100000 + 0x100000 * i)
              for i, (name, shape) in enumerate(inputs.items())]
    settings = ", ".join(f"{name}: {SETTING}" for name in inputs)
    text = NETLIST.format(op=op, inputs="\n".join(queues), out=size(out), queue=QUEUE, settings=settings)
    return inputs, text + tail


def run(words, expected):
    """Whether the output is as expected, and a line that says why not."""
    done = subprocess.run(words + ["--expect", f"y=@{expected}"], check=False, capture_output=True, text=True, timeout=60)
    unlike = [line for line in done.stdout.splitlines() if ": NOT as " in line]
    said = unlike + done.stderr.splitlines()
    if done.returncode == 1 and not unlike:
        return "exit 1", said[:1]
    return {0: "equal", 1: "differs", 4: "refused"}.get(done.returncode, f"exit {done.returncode}"), said[:1]


def judge(hoist, folder, row, temporary):
    vector, keys, rest = row
    source = folder / f"tm_{vector}.in.npy"
    expected = folder / f"tm_{vector}.out.npy"
    if not source.exists() or not expected.exists():
        return "missing", ["no such vector"], []
    shape, _ = read_npy(source)
    out, values = read_npy(expected)
    if rest:
        out, values = rest(out, values)
        expected = write_npy(temporary / "expected.npy", out, values)
    inputs, text = netlist(keys, shape, out)
    path = temporary / "netlist.yaml"
    path.write_text(text, encoding="utf-8")
    words = [hoist, "run", path, "--quiet", "--exact", "--input", f"x=@{source}"]
    if "zeros" in inputs:
        words += ["--input", f"zeros=@{write_npy(temporary / 'zeros.npy', out, [0.0] * len(values))}"]
    verdict, said = run(words, expected)
    if verdict == "equal":
        values[-1] += 1
        verdict = run(words, write_npy(temporary / "changed.npy", out, values))[0]
        verdict = {"equal": "blind", "differs": "equal"}.get(verdict, verdict)
    return verdict, said, words


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("hoist", type=lambda p: str(pathlib.Path(p).resolve()))
    parser.add_argument("--verbose", action="store_true", help="print the netlists and the command lines")
    options = parser.parse_args()
    folder = corpus()
    if not folder:
        print("skipped: the corpus is absent")
        return SKIPPED
    wrong = 0
    with tempfile.TemporaryDirectory() as name:
        temporary = pathlib.Path(name)
        for row in ROWS:
            verdict, said, words = judge(options.hoist, folder, row, temporary)
            wrong += verdict != "equal"
            print(f"{verdict:8} tm_{row[0]}  {row[1]}", *(said if verdict != "equal" else []), sep="  ")
            if options.verbose and words:
                print((temporary / "netlist.yaml").read_text(encoding="utf-8") + " ".join(map(str, words)))
    known = {row[0] for row in ROWS}
    unknown = sorted({path.name.split(".")[0] for path in folder.glob("tm_*")} - {f"tm_{vector}" for vector in known})
    for vector in unknown:
        print(f"missing  {vector}  not in ROWS")
    print(f"{len(ROWS)} rows, {len(known)} vectors: {len(ROWS) - wrong} equal, {wrong + len(unknown)} not")
    return 1 if wrong or unknown else 0


if __name__ == "__main__":
    sys.exit(main())
