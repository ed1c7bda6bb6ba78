#!/usr/bin/python3
"""Quantised TFLite models of the corpus as programs of tflite rows, against the outputs of TFLite.

tflite_models.py RUN_PROGRAM [--verbose] [MODEL...]

Writes each model as a program in the text form (the scales by the rules of the TFLite kernels reference,
sections 3 and 4), runs it with the inputs of the vectors, and compares every output byte. Ends with 77
(skipped) without numpy or the corpus (HOIST_CORPUS, else ../shared/corpus).
"""
import struct
import subprocess
import sys

from tflite_vectors import ROOT, SKIPPED, VECTORS, arguments, entries, file_of

try:
    import numpy as np
except ImportError:
    print("skipped: no numpy")
    sys.exit(SKIPPED)

sys.path.insert(0, str(ROOT / "tests/conformance"))
from quant_arithmetic import LIMITS, away, quantize_multiplier  # noqa: E402

TYPES = {0: ("f32", np.float32), 2: ("i32", np.int32), 3: ("u8", np.uint8), 7: ("i16", np.int16), 9: ("i8", np.int8)}


class Table:
    """A table of a FlatBuffer: fields by slot."""

    def __init__(self, data, at):
        self.data, self.at = data, at
        self.vtable = at - struct.unpack_from("<i", data, at)[0]
        self.size = struct.unpack_from("<H", data, self.vtable)[0]

    def place(self, slot):
        entry = 4 + 2 * slot
        offset = struct.unpack_from("<H", self.data, self.vtable + entry)[0] if entry < self.size else 0
        return self.at + offset if offset else 0

    def number(self, slot, form, default=0):
        place = self.place(slot)
        return struct.unpack_from("<" + form, self.data, place)[0] if place else default

    def follow(self, place):
        return place + struct.unpack_from("<I", self.data, place)[0]

    def table(self, slot):
        place = self.place(slot)
        return Table(self.data, self.follow(place)) if place else None

    def vector(self, slot, form):
        place = self.place(slot)
        if not place:
            return []
        start = self.follow(place)
        count = struct.unpack_from("<I", self.data, start)[0]
        return list(struct.unpack_from(f"<{count}{form}", self.data, start + 4))

    def tables(self, slot):
        place = self.place(slot)
        if not place:
            return []
        start = self.follow(place)
        count = struct.unpack_from("<I", self.data, start)[0]
        return [Table(self.data, self.follow(start + 4 + 4 * i)) for i in range(count)]

    def bytes(self, slot):
        place = self.place(slot)
        if not place:
            return b""
        start = self.follow(place)
        return bytes(self.data[start + 4:start + 4 + struct.unpack_from("<I", self.data, start)[0]])


class Tensor:
    def __init__(self, number, table, buffers):
        self.name = f"t{number}"
        self.shape = table.vector(0, "i")
        self.dtype, self.numpy = TYPES[table.number(1, "b")]
        self.data = buffers[table.number(2, "I")].bytes(0)
        quantization = table.table(4)
        self.scales = quantization.vector(2, "f") if quantization else []
        zeros = quantization.vector(3, "q") if quantization else []
        self.scale = self.scales[0] if self.scales else 0.0
        self.zero = zeros[0] if zeros else 0
        self.size = int(np.prod(self.shape)) * np.dtype(self.numpy).itemsize

    def view(self, shape=None, tail=""):
        return f"{self.name} {self.dtype}{self.shape if shape is None else list(shape)}{tail}"


class Model:
    def __init__(self, data):
        root = Table(data, struct.unpack_from("<I", data, 0)[0])
        buffers = root.tables(4)
        graph = root.tables(2)[0]
        self.codes = [max(code.number(0, "b"), code.number(3, "i")) for code in root.tables(1)]
        self.tensors = [Tensor(i, table, buffers) for i, table in enumerate(graph.tables(0))]
        self.inputs = [self.tensors[i] for i in graph.vector(1, "i")]
        self.outputs = [self.tensors[i] for i in graph.vector(2, "i")]
        self.declarations, self.steps = [], []
        for operator in graph.tables(3):
            self.lower(operator)

    def constant(self, data):
        name = f"k{len(self.declarations)}"
        self.declarations.append(
            f"buffer {name} in m size {len(data)} lifetime constant contents bytes data {data.hex()}")
        return name

    def compute(self, op, attrs, sources, to):
        text = ", ".join(f"{key} {value}" for key, value in attrs.items())
        self.steps.append(f"    compute tflite.{op}({text}) from [{', '.join(sources)}] to [{to}]")

    def copy(self, source, to, more=""):
        self.steps.append(f"    move copy from [{source}] to {to}{more}")

    def lower(self, operator):
        code = self.codes[operator.number(0, "I")]
        ins = [self.tensors[i] if i >= 0 else None for i in operator.vector(1, "i")]
        outs = [self.tensors[i] for i in operator.vector(2, "i")]
        LOWER[code](self, ins, outs, operator.table(4) or Table(b"\4\0\0\0\4\0\0\0", 4))


def limits(y, activation):
    low, high = LIMITS[y.dtype]

    def number(f):
        return y.zero + int(away(np.float32(f) / np.float32(y.scale)))

    if activation in (1, 3):
        low = max(low, number(0))
    if activation == 3:
        high = min(high, number(6))
    if activation == 2:
        low, high = max(low, number(-1)), min(high, number(1))
    return {"zero_out": y.zero, "low": low, "high": high}


def scales(model, x, w, y, per_tensor_single):
    factors = []
    for scale in w.scales:
        if per_tensor_single and len(w.scales) == 1:
            factors.append(float(np.float32(x.scale) * np.float32(scale)) / y.scale)
        else:
            factors.append(x.scale * scale / y.scale)
    data = b"".join(struct.pack("<ii", *quantize_multiplier(factor)) for factor in factors)
    return f"{model.constant(data)} i32[{len(factors)}, 2]"


def bias_of(model, bias, channels):
    return bias.view() if bias else f"{model.constant(bytes(4))} i32[{channels}] by [0]"


def padding(same, size, kernel, stride, dilation, out):
    effective = (kernel - 1) * dilation + 1
    return max((out - 1) * stride + effective - size, 0) // 2 if same else 0


def lower_conv(model, ins, outs, options, deep=False):
    x, w = ins[:2]
    y = outs[0]
    more = 1 if deep else 0
    same = options.number(0, "b") == 0
    stride_w, stride_h = options.number(1, "i"), options.number(2, "i")
    dilation_w, dilation_h = options.number(4 + more, "i", 1), options.number(5 + more, "i", 1)
    attrs = {"stride_h": stride_h, "stride_w": stride_w,
             "pad_top": padding(same, x.shape[1], w.shape[1], stride_h, dilation_h, y.shape[1]),
             "pad_left": padding(same, x.shape[2], w.shape[2], stride_w, dilation_w, y.shape[2]),
             "dilation_h": dilation_h, "dilation_w": dilation_w, "zero_in": x.zero, "zero_weight": w.zero,
             **limits(y, options.number(3 + more, "b"))}
    bias = bias_of(model, ins[2] if len(ins) > 2 else None, y.shape[3])
    model.compute("depthwise" if deep else "conv", attrs,
                  [x.view(), w.view(), bias, scales(model, x, w, y, x.dtype == "u8")], y.view())


def lower_dense(model, ins, outs, options):
    x, w = ins[:2]
    y = outs[0]
    o, i = w.shape
    batch = int(np.prod(x.shape)) // i
    attrs = {"zero_in": x.zero, "zero_weight": w.zero, **limits(y, options.number(0, "b"))}
    bias = bias_of(model, ins[2] if len(ins) > 2 else None, o)
    model.compute("dense", attrs, [x.view((batch, i)), w.view(), bias, scales(model, x, w, y, True)],
                  y.view((batch, o)))


def broadcast(tensor, shape):
    lead = len(shape) - len(tensor.shape)
    strides, step = [0] * len(shape), np.dtype(tensor.numpy).itemsize
    for axis in reversed(range(len(tensor.shape))):
        strides[lead + axis] = 0 if tensor.shape[axis] == 1 else step
        step *= tensor.shape[axis]
    return tensor.view(shape, f" by {strides}")


def lower_sum(model, ins, outs, options, op="add"):
    a, b = ins
    y = outs[0]
    top = 2 * max(a.scale, b.scale)
    attrs = {"zero_a": a.zero, "zero_b": b.zero, "left": 20}
    for name, factor in (("_a", a.scale / top), ("_b", b.scale / top), ("", top / (2**20 * y.scale))):
        attrs["multiplier" + name], attrs["shift" + name] = quantize_multiplier(factor)
    attrs.update(limits(y, options.number(0, "b")))
    model.compute(op, attrs, [broadcast(a, y.shape), broadcast(b, y.shape)], y.view())


def lower_multiply(model, ins, outs, options):
    a, b = ins
    y = outs[0]
    multiplier, shift = quantize_multiplier(a.scale * b.scale / y.scale)
    model.compute("multiply", {"zero_a": a.zero, "zero_b": b.zero, "multiplier": multiplier, "shift": shift,
                               **limits(y, options.number(0, "b"))},
                  [broadcast(a, y.shape), broadcast(b, y.shape)], y.view())


def lower_pool(model, ins, outs, options, op="average_pool"):
    x, y = ins[0], outs[0]
    same = options.number(0, "b") == 0
    stride_w, stride_h, kernel_w, kernel_h = (options.number(slot, "i") for slot in (1, 2, 3, 4))
    attrs = {"kernel_h": kernel_h, "kernel_w": kernel_w, "stride_h": stride_h, "stride_w": stride_w,
             "pad_top": padding(same, x.shape[1], kernel_h, stride_h, 1, y.shape[1]),
             "pad_left": padding(same, x.shape[2], kernel_w, stride_w, 1, y.shape[2]),
             **limits(y, options.number(5, "b"))}
    del attrs["zero_out"]
    model.compute(op, attrs, [x.view()], y.view())


def lower_softmax(model, ins, outs, options):
    beta = options.number(0, "f")
    multiplier, shift = quantize_multiplier(min(beta * ins[0].scale * 2**26, 2**31 - 1))
    model.compute("softmax", {"multiplier": multiplier, "shift": shift}, [ins[0].view()], outs[0].view())


def lower_curve(model, ins, outs, op):
    multiplier, shift = quantize_multiplier(ins[0].scale * 2**27)
    model.compute(op, {"zero_in": ins[0].zero, "multiplier": multiplier, "shift": shift}, [ins[0].view()],
                  outs[0].view())


def lower_reshape(model, ins, outs, _):
    model.copy(ins[0].view([outs[0].size]), outs[0].view([outs[0].size]))


def lower_quantize(model, ins, outs, _):
    x, y = ins[0], outs[0]
    multiplier, shift = quantize_multiplier(x.scale / y.scale)
    model.compute("requantize", {"zero_in": x.zero, "zero_out": y.zero, "multiplier": multiplier, "shift": shift},
                  [x.view()], y.view())


def slices(whole, axis, begin, count):
    """A view of part of a tensor along an axis."""
    shape = list(whole.shape)
    strides = [int(np.prod(shape[i + 1:])) for i in range(len(shape))]
    shape[axis] = count
    return whole.view(shape, f" by {strides} + {begin * strides[axis]}")


def lower_concatenation(model, ins, outs, options):
    y = outs[0]
    axis = options.number(0, "i") % len(y.shape)
    begin = 0
    for x in ins:
        part = slices(y, axis, begin, x.shape[axis])
        if (x.scale, x.zero) == (y.scale, y.zero):
            model.copy(x.view(), part)
        else:
            factor = np.float32(x.scale) * (np.float32(1) / np.float32(y.scale))
            model.compute("rescale", {"scale": np.format_float_scientific(factor, unique=True), "zero_in": x.zero,
                                      "zero_out": y.zero}, [x.view()], part)
        begin += x.shape[axis]


def lower_split(model, ins, outs, _):
    x = ins[1]
    axis = struct.unpack("<i", ins[0].data)[0] % len(x.shape)
    begin = 0
    for y in outs:
        model.copy(slices(x, axis, begin, y.shape[axis]), y.view())
        begin += y.shape[axis]


LOWER = {
    0: lower_sum,
    1: lower_pool,
    2: lower_concatenation,
    3: lower_conv,
    4: lambda m, i, o, t: lower_conv(m, i, o, t, True),
    9: lower_dense,
    14: lambda m, i, o, t: lower_curve(m, i, o, "logistic"),
    17: lambda m, i, o, t: lower_pool(m, i, o, t, "max_pool"),
    18: lower_multiply,
    22: lower_reshape,
    25: lower_softmax,
    28: lambda m, i, o, t: lower_curve(m, i, o, "tanh"),
    41: lambda m, i, o, t: lower_sum(m, i, o, t, "subtract"),
    49: lower_split,
    114: lower_quantize,
}


def program(model, inputs):
    """The text, with the inputs as constants."""
    lines = ["program model", "space m"]
    for tensor in model.tensors:
        data = tensor.data
        if tensor in model.inputs:
            data = inputs[model.inputs.index(tensor)].tobytes()
        if data:
            lines.append(f"buffer {tensor.name} in m size {tensor.size} lifetime constant contents bytes data "
                         f"{data.hex()}")
        else:
            output = " output" if tensor in model.outputs else ""
            lines.append(f"buffer {tensor.name} in m size {tensor.size} lifetime run{output}")
    lines += model.declarations + ["thread main {"] + model.steps + ["}", "entry run {", "    start main", "}", ""]
    return "\n".join(lines)


def check(runner, entry, path, verbose):
    """The number of cases whose outputs differ."""
    model = Model(path.read_bytes())
    bad = 0
    for case in entry["cases"]:
        folder = VECTORS / entry["model"]
        inputs = [np.load(folder / name) for name in case["inputs"]]
        wanted = [np.load(folder / name) for name in case["outputs"]]
        done = subprocess.run([runner, "0", "2"], input=program(model, inputs), check=False, capture_output=True,
                              text=True)
        if done.returncode:
            print(f"{entry['model']}: {done.stderr.strip().splitlines()[0] if done.stderr else done.returncode}")
            return len(entry["cases"])
        found = dict(line.split() for line in done.stdout.splitlines())
        for tensor, array in zip(model.outputs, wanted):
            got = np.frombuffer(bytes.fromhex(found[tensor.name]), dtype=tensor.numpy)
            differ = int((got != array.reshape(-1)).sum())
            bad += differ > 0
            if verbose or differ:
                print(f"{entry['model']} {case['case']} {tensor.name}: {differ} of {got.size} differ")
    return bad


def main():
    options = arguments("runner", flag="--verbose")
    found = entries()
    if found is None:
        return SKIPPED
    bad = 0
    for entry in found:
        path = file_of(entry)
        if path.exists() and (not options.models or entry["model"] in options.models):
            bad += check(options.runner, entry, path, options.verbose)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
