#!/usr/bin/python3
"""Operators of ordinary TFLite models in models of one operator, against TFLite itself.

tflite_ops.py HOIST [--verbose]

Makes the models, runs them in TFLite compiled to WebAssembly without XNNPACK (../shared/tools/real-tflite, or
$HOIST_TOOLS/real-tflite, whose README says how to get it and to make it; TFL_WASM names its folder, TFL_WASMFILE the
build in which XNNPACK takes no operator) and in hoist, with both ways of rounding. Integers have to be equal, bit for
bit; float32 within 1e-5 of the greatest. Ends with 77 (skipped) without numpy, node or TFLite.
"""
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import urllib.parse

try:
    import numpy as np
except ImportError:
    print("skipped: no numpy")
    sys.exit(77)

import tflite_models  # pylint: disable=wrong-import-position

HERE = pathlib.Path(__file__).resolve().parent
SHARED = pathlib.Path(__file__).resolve().parents[3] / "shared"
TOOL = pathlib.Path(os.environ.get("HOIST_TOOLS", SHARED / "tools")) / "real-tflite/run.js"
SIZES = {"b": 1, "B": 1, "i": 4, "I": 4, "f": 4, "q": 8}
TYPES = {"f32": (0, np.float32), "i32": (2, np.int32), "u8": (3, np.uint8), "i64": (4, np.int64), "i16": (7, np.int16),
         "i8": (9, np.int8)}


class Writer:
    """A FlatBuffer, from its root on. A table is a dict of slots: a form of struct and a number, or "table",
    "tables", "text", "data" or "[FORM]" and what it holds."""

    def __init__(self):
        self.out = bytearray(4) + b"TFL3"

    def align(self, size, ahead=0):
        self.out += bytes(-(len(self.out) + ahead) % size)

    def refer(self, at, to):
        struct.pack_into("<I", self.out, at, to - at)

    def table(self, slots):
        places, end = {}, 4
        for slot in sorted(slots, key=lambda slot: -SIZES.get(slots[slot][0], 4)):
            size = SIZES.get(slots[slot][0], 4)
            places[slot] = end = -(-end // size) * size
            end += size
        count = max(slots, default=-1) + 1
        self.align(8, 4 + 2 * count)
        vtable = len(self.out)
        self.out += struct.pack(f"<HH{count}H", 4 + 2 * count, end, *(places.get(slot, 0) for slot in range(count)))
        at = len(self.out)
        self.out += struct.pack("<i", at - vtable) + bytes(end - 4)
        for slot, (form, value) in slots.items():
            if form in SIZES:
                struct.pack_into("<" + form, self.out, at + places[slot], value)
        for slot, (form, value) in slots.items():
            if form not in SIZES:
                self.refer(at + places[slot], self.item(form, value))
        return at

    def item(self, form, value):
        if form == "table":
            return self.table(value)
        if form == "tables":
            self.align(4)
            at = len(self.out)
            self.out += struct.pack("<I", len(value)) + bytes(4 * len(value))
            for i, slots in enumerate(value):
                self.refer(at + 4 + 4 * i, self.table(slots))
            return at
        data = value.encode() if form == "text" else value if form == "data" else struct.pack(
            f"<{len(value)}{form[1]}", *value)
        self.align({"text": 4, "data": 16}.get(form) or max(4, SIZES[form[1]]), 4)
        at = len(self.out)
        self.out += struct.pack("<I", len(data) if form in ("text", "data") else len(value)) + data + b"\0" * (form == "text")
        return at


class Model:
    """One operator; tensors with data are constants, those of its inputs that are neither constants nor variables are
    the model's."""

    def __init__(self):
        self.tensors, self.buffers, self.operators, self.codes, self.inputs = [], [{}], [], [], []

    def tensor(self, dtype, shape, scale=None, zero=0, data=None, variable=False):
        number = len(self.tensors)
        row = {0: ("[i]", shape), 1: ("b", TYPES[dtype][0]), 2: ("I", 0), 3: ("text", f"t{number}")}
        if scale is not None:
            scales = list(np.atleast_1d(scale))
            row[4] = ("table", {2: ("[f]", scales), 3: ("[q]", [zero] * len(scales)), 6: ("i", 0)})
        if data is not None:
            row[2] = ("I", len(self.buffers))
            self.buffers.append({0: ("data", np.ascontiguousarray(data, dtype=TYPES[dtype][1]).tobytes())})
        if variable:
            row[5] = ("b", 1)
        self.tensors.append(row)
        return number

    def operator(self, code, inputs, output, options, kind, version):
        self.codes.append({0: ("b", min(code, 127)), 2: ("i", version), 3: ("i", code)})
        self.operators.append({0: ("I", 0), 1: ("[i]", inputs), 2: ("[i]", [output]), 3: ("B", kind), 4: ("table", options)})
        self.inputs = [i for i in inputs if i >= 0 and self.tensors[i][2][1] == 0 and 5 not in self.tensors[i]]
        graph = {0: ("tables", self.tensors), 1: ("[i]", self.inputs), 2: ("[i]", [output]),
                 3: ("tables", self.operators), 4: ("text", "main")}
        writer = Writer()
        writer.refer(0, writer.table({0: ("I", 3), 1: ("tables", self.codes), 2: ("tables", [graph]),
                                      4: ("tables", self.buffers)}))
        return bytes(writer.out)


def weights_of(model, rng, dtype, shape):
    """Weights and the scales that they have."""
    if dtype == "f32":
        return model.tensor(dtype, shape, data=rng.normal(size=shape)), None
    if dtype == "u8":
        return model.tensor(dtype, shape, 0.013, 117, rng.integers(0, 256, size=shape)), [0.013]
    scales = [0.013 * (1 + 0.1 * i) for i in range(shape[0])]
    return model.tensor("i8", shape, scales, 0, rng.integers(-127, 128, size=shape)), scales


def transposed(rng, dtype, x, kernel, outputs, stride, same):
    model = Model()
    n, h, w, i = x
    size = [a * s if same or k < s else (a - 1) * s + k for a, k, s in zip((h, w), kernel, stride)]
    shape = [n, *size, outputs]
    given = model.tensor("i32", [4], data=shape)
    weights, scales = weights_of(model, rng, dtype, [outputs, *kernel, i])
    real = dtype == "f32"
    zeros = {"u8": (131, 120), "i8": (-7, 5), "i16": (0, 0), "f32": (0, 0)}[dtype]
    source = model.tensor(dtype, list(x), None if real else 0.05, zeros[0])
    result = model.tensor(dtype, shape, None if real else 0.37, zeros[1])
    bias = model.tensor({"f32": "f32", "i16": "i64"}.get(dtype, "i32"), [outputs], None if real else np.array(scales) * 0.05, 0,
                        rng.normal(size=outputs) if real else rng.integers(-3000, 3000, size=outputs))
    return model.operator(67, [given, weights, source, bias], result,
                          {0: ("b", 0 if same else 1), 1: ("i", stride[1]), 2: ("i", stride[0])}, 49, 3)


def wide_conv(rng, x, kernel, outputs, stride, scale):
    model = Model()
    n, h, w, i = x
    shape = [n, -(-h // stride), -(-w // stride), outputs]
    weights, scales = weights_of(model, rng, "i16", [outputs, *kernel, i])
    source, result = model.tensor("i16", list(x), 0.0001), model.tensor("i16", shape, scale)
    bias = model.tensor("i64", [outputs], np.array(scales) * 0.0001, 0, rng.integers(-3000000, 3000000, size=outputs))
    return model.operator(3, [source, weights, bias], result, {0: ("b", 0), 1: ("i", stride), 2: ("i", stride)}, 1, 4)


def leaky(dtype, slope):
    model = Model()
    zero, out = {"i8": (-3, 6), "u8": (131, 140), "i16": (0, 0)}[dtype]
    x, y = model.tensor(dtype, [1, 37, 9, 3], 0.05, zero), model.tensor(dtype, [1, 37, 9, 3], 0.043, out)
    return model.operator(98, [x], y, {0: ("f", slope)}, 75, 2)


def quantize(dtype, to, ratio, zeros):
    model = Model()
    x, y = model.tensor(dtype, [1, 37, 9, 3], 0.05, zeros[0]), model.tensor(to, [1, 37, 9, 3], 0.05 / ratio, zeros[1])
    return model.operator(114, [x], y, {}, 89, 2)


def softmax(dtype, scale, length, to=None):
    model = Model()
    x = model.tensor(dtype, [3, length], scale, 0)
    out = {"i16": (1 / 65536, -32768), "i8": (1 / 256, -128), "u8": (1 / 256, 0)}[to or dtype]
    y = model.tensor(to or dtype, [3, length], *out)
    return model.operator(25, [x], y, {0: ("f", 1.0)}, 9, 2)


def lstm(rng, x, cells, outputs=0, leaves_out=(), clips=(0, 0), time_major=False, activation=4):
    """Of float32; `x` [batch, times, inputs] (or, with the times first, [times, batch, inputs]) is of a sequence, [batch,
    inputs] of one time. `leaves_out`: "input gate", "peepholes"; with `outputs` a projection."""
    model = Model()
    sequence = len(x) == 3
    batch = x[1] if time_major else x[0]
    source = model.tensor("f32", list(x))
    real = lambda *shape: model.tensor("f32", list(shape), data=rng.normal(size=shape) * 0.4)
    first = "input gate" not in leaves_out
    rows = [source] + [real(cells, x[-1]) if first or i else -1 for i in range(4)]
    rows += [real(cells, outputs or cells) if first or i else -1 for i in range(4)]
    rows += [real(cells) if "peepholes" not in leaves_out and (first or i) else -1 for i in range(3)]
    rows += [real(cells) if first or i else -1 for i in range(4)]
    rows += [real(outputs, cells), real(outputs)] if outputs else [-1, -1]
    rows += [model.tensor("f32", [batch, outputs or cells], variable=True),
             model.tensor("f32", [batch, cells], variable=True)]
    result = model.tensor("f32", [*x[:-1], outputs or cells])
    options = {0: ("b", activation), 1: ("f", clips[0]), 2: ("f", clips[1])}
    if sequence:
        options[3] = ("b", int(time_major))
    return model.operator(44 if sequence else 16, rows, result, options, 71 if sequence else 14, 1)


def svdf(rng, dtype, x, filters, rank, times, activation=0, bias=True):
    model = Model()
    whole = dtype == "i8"
    batch, inputs = x
    source = model.tensor(dtype, list(x), 0.05 if whole else None, 7 if whole else 0)
    features = model.tensor(dtype, [filters, inputs], 0.01 if whole else None, 0,
                            rng.integers(-127, 128, size=(filters, inputs)) if whole else rng.normal(size=(filters, inputs)))
    shape = (filters, times)
    weights = model.tensor("i16" if whole else "f32", list(shape), 0.0001 if whole else None, 0,
                           rng.integers(-32768, 32768, size=shape) if whole else rng.normal(size=shape))
    units = filters // rank
    add = model.tensor("i32" if whole else "f32", [units], 1e-7 if whole else None, 0,
                       rng.integers(-9000000, 9000000, size=units) if whole else rng.normal(size=units)) if bias else -1
    state = model.tensor("i16" if whole else "f32", [batch, filters * times], 0.001 if whole else None, variable=True)
    result = model.tensor(dtype, [batch, units], 0.31 if whole else None, -11 if whole else 0)
    return model.operator(27, [source, features, weights, add, state], result,
                          {0: ("i", rank), 1: ("b", activation)}, 6, 3)


def models():
    rng = np.random.default_rng(17)
    for dtype in ("u8", "i8", "i16", "f32"):
        yield f"TRANSPOSE_CONV {dtype} same", transposed(rng, dtype, (1, 5, 7, 3), (3, 3), 4, (2, 2), True)
        yield f"TRANSPOSE_CONV {dtype} valid", transposed(rng, dtype, (2, 6, 4, 8), (4, 4), 5, (2, 2), False)
        yield f"TRANSPOSE_CONV {dtype} apart", transposed(rng, dtype, (1, 4, 6, 17), (1, 3), 9, (2, 1), False)
    for scale in (0.0003, 0.03, 0.00001):
        yield f"CONV_2D i16 {scale}", wide_conv(rng, (1, 9, 7, 13), (3, 3), 5, 1, scale)
    yield "CONV_2D i16 strides", wide_conv(rng, (2, 9, 9, 4), (3, 3), 4, 2, 0.002)
    for dtype in ("i8", "u8", "i16"):
        for slope in (-0.25, -1.5, 0.3):
            yield f"LEAKY_RELU {dtype} {slope}", leaky(dtype, slope)
    for dtype, to, ratio, zeros in (("i16", "i32", 3317.7, (0, 0)), ("i16", "i32", 0.49, (0, 0)), ("i32", "i16", 17.9, (0, 0)),
                                    ("i32", "i8", 0.31, (0, 7)), ("i32", "i8", 12.3, (-5, -7))):
        yield f"QUANTIZE {dtype} {to} {ratio}", quantize(dtype, to, ratio, zeros)
    for dtype in ("i8", "u8"):
        yield f"SOFTMAX {dtype} of near-equal numbers", softmax(dtype, 1e-5, 5000)
    for dtype in ("i8", "f32"):
        relu = int(dtype == "i8")  # TFLite's kernel of integers takes no other activation, and applies none
        yield f"SVDF {dtype}", svdf(rng, dtype, (1, 40), 24, 1, 8, relu)
        yield f"SVDF {dtype} rank 3, batch, relu", svdf(rng, dtype, (3, 17), 12, 3, 5, 1)
        yield f"SVDF {dtype} of one time, no bias", svdf(rng, dtype, (2, 9), 4, 2, 1, relu, bias=False)
    yield "SOFTMAX to i16", softmax("i8", 0.1, 9, "i16")
    yield "SOFTMAX to i16 of many", softmax("i8", 0.02, 300, "i16")
    plain = ("peepholes",)
    yield "LSTM sequence", lstm(rng, (1, 28, 9), 20, leaves_out=plain)
    yield "LSTM sequence, times first", lstm(rng, (13, 3, 7), 11, leaves_out=plain, time_major=True)
    yield "LSTM sequence, batch, clipped", lstm(rng, (4, 9, 5), 6, leaves_out=plain, clips=(0.3, 0))
    yield "LSTM sequence, peepholes", lstm(rng, (2, 9, 5), 6)
    yield "LSTM sequence without input gate", lstm(rng, (2, 9, 5), 6, leaves_out=("peepholes", "input gate"))
    yield "LSTM sequence, peepholes without input gate", lstm(rng, (2, 9, 5), 6, leaves_out=("input gate",))
    yield "LSTM sequence, projection", lstm(rng, (2, 9, 5), 8, outputs=3, clips=(0, 0.25))
    yield "LSTM of one time", lstm(rng, (3, 5), 6, leaves_out=plain)
    yield "LSTM of one time, all", lstm(rng, (3, 5), 6, outputs=4, clips=(0.5, 0.5))


def is_equal(found, expected):
    if found.shape != expected.shape or found.dtype != expected.dtype:
        return False
    if expected.dtype == np.float32:
        return np.abs(found - expected).max() <= 1e-5 * np.abs(expected).max()
    return np.array_equal(found, expected)


def outputs_of(folder, names):
    """Arrays by the names of outputs; a long name ends in %~ and a number in that of its file. Of a name that is None
    there is nothing to compare with."""
    found = {}
    for path in folder.rglob("*.npy"):
        stem = urllib.parse.unquote(str(path.relative_to(folder))[:-4].split("%~")[0])
        name = stem if stem in names else next((name for name in names if name and name.startswith(stem)), None)
        found[name] = np.load(path)
    return [found.get(name) for name in names]


def difference(found, expected):
    """None where arrays are equal; else how many elements differ and the greatest difference, of float32 in parts of
    the greatest element; -1 of arrays that are not alike."""
    if found is None or found.shape != expected.shape or found.dtype != expected.dtype:
        return -1, 0
    if is_equal(found, expected):
        return None
    real = expected.dtype == np.float32
    apart = np.abs(found.astype(np.float64) - expected.astype(np.float64))
    scale = max(float(np.abs(expected).max()), 1e-30) if real else 1
    return int(np.count_nonzero(~(apart <= (1e-5 * scale if real else 0)))), float(apart.max()) / scale


class Expected:
    """What TFLite makes of a model with inputs of a seed; `error`: why it does not run, else ""."""

    def __init__(self, model, seed, folder):
        self.model, self.folder, self.names = model, folder, {}
        self.error = self.run("node", TOOL, model, folder, str(seed))
        if not self.error:
            self.names = json.loads((folder / "names.json").read_text(encoding="utf-8"))
            self.fill(model.read_bytes())
        if not self.error and self.names["outputs"].count(None) == len(self.names["outputs"]):
            self.error = "TFLite: it gives no output of a type that can be read"

    @staticmethod
    def run(*words):
        done = subprocess.run(words, check=False, capture_output=True, text=True)
        return f"TFLite: {done.stderr.strip() or done.returncode}" if done.returncode else ""

    def fill(self, data):
        """The names that tensors without one have in hoist; and shapes that inputs are have to be those of the file, with
        which it is run again."""
        root = tflite_models.Table(data, struct.unpack_from("<I", data, 0)[0])
        graph = root.tables(2)[0]
        ports = {"inputs": graph.vector(1, "i"), "outputs": graph.vector(2, "i")}
        for key, tensors in ports.items():
            self.names[key] = [f"0/{number}" if name == "" else name for name, number in zip(self.names[key], tensors)]
        codes = [max(code.number(0, "b"), code.number(3, "i")) for code in root.tables(1)]
        shapes = {operator.vector(1, "i")[0]: operator.vector(2, "i")[0] for operator in graph.tables(3)
                  if codes[operator.number(0, "I")] == 67}
        given = [(i, shapes[number]) for i, number in enumerate(ports["inputs"]) if number in shapes]
        for i, number in given:
            np.save(self.folder / f"in_{i}.npy", np.array(graph.tables(0)[number].vector(0, "i"), dtype=np.int32))
        self.error = self.again() if given else ""

    def again(self):
        """Runs TFLite with the inputs that the folder has; what is wrong, or ""."""
        error = self.run("node", HERE / "tflite_given.js", TOOL.parent / "tfl.js", self.model, self.folder)
        if not error:
            shapes = json.loads((self.folder / "shapes.json").read_text(encoding="utf-8"))
            for i, shape in enumerate(shapes):
                if self.names["outputs"][i] is None:
                    continue
                dtype = np.load(self.folder / f"out_{i}.npy").dtype
                data = (self.folder / f"out_{i}.bin").read_bytes()
                np.save(self.folder / f"out_{i}.npy", np.frombuffer(data, dtype).reshape(shape))
        return error

    def compare(self, hoist, way, out):
        """The differences of hoist's outputs with this rounding, None for each that is equal; a text: it does not
        run."""
        words = [hoist, "run", self.model, "--rounding", way, "--output", out]
        for i, name in enumerate(self.names["inputs"]):
            words += ["--input", f"{name}=@{self.folder / f'in_{i}.npy'}"]
        done = subprocess.run(list(map(str, words)), check=False, capture_output=True, text=True)
        if done.returncode:
            return f"exit {done.returncode}: {done.stderr.strip()}"
        found = outputs_of(out, self.names["outputs"])
        return [difference(y, np.load(self.folder / f"out_{i}.npy")) for i, y in enumerate(found) if self.names["outputs"][i]]


def check(hoist, data, seed, folder):
    """The ways of rounding whose results differ; a text: it does not run."""
    path = folder / "m.tflite"
    path.write_bytes(data)
    expected = Expected(path, seed, folder / "expected")
    if expected.error:
        return expected.error
    bad = []
    for way in ("double", "single"):
        result = expected.compare(hoist, way, folder / way)
        if isinstance(result, str):
            return result
        if any(result):
            bad.append(way)
    return " ".join(bad)


def is_there():
    """Whether TFLite is; else it is printed what is missing."""
    if not (shutil.which("node") and TOOL.exists() and os.environ.get("TFL_WASM") and os.environ.get("TFL_WASMFILE")):
        print("skipped: it needs node, real-tflite, TFL_WASM and TFL_WASMFILE")
        return False
    os.environ["TFL_WASM"] = os.path.join(os.environ["TFL_WASM"], "")
    return True


def main():
    hoist = pathlib.Path(sys.argv[1]).resolve()
    if not is_there():
        return 77
    runs = wrong = 0
    for name, data in models():
        for seed in (1, 2):
            with tempfile.TemporaryDirectory() as temporary:
                result = check(hoist, data, seed, pathlib.Path(temporary))
            runs += 1
            wrong += result != ""
            if result or "--verbose" in sys.argv:
                print(f"{name}, seed {seed}: {result or 'equal'}")
    print(f"{runs} runs, {wrong} differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
