#!/usr/bin/python3
"""Compute rows of the profiles tflite and edgetpu against another implementation, bit for bit.

quant.py RUN_PROGRAM [--cases N] [--seed N] [--verbose]

Makes N random cases of every operation (default 120): shapes, strides, dilations, padding, groups, types,
views with gaps, turned and backwards, broadcast; puts them into programs in the text form, runs these at
every CPU level and with several workers, and compares every output byte. Ends with 77 (skipped) without
numpy.
"""
import argparse
import random
import subprocess
import sys

SKIPPED = 77
try:
    import numpy as np
except ImportError:
    print("skipped: no numpy")
    sys.exit(SKIPPED)

import quant_arithmetic as q

STORED = {"u8": np.uint8, "i8": np.int8, "i16": "<i2", "i32": "<i4", "i64": "<i8", "f32": "<f4"}
PER_PROGRAM = 60


class Case:
    """One compute step with its buffers."""

    def __init__(self, rng, number, op):
        self.rng = rng
        self.number = number
        self.op = op
        self.plain = rng.random() < 0.5  # what fast kernels take
        self.attrs = {}
        self.buffers = []
        self.inputs = []
        self.bytes = b""  # wanted

    def layout(self, shape, size, apart):
        """Strides in bytes, offset, and bytes of memory of a random layout. `apart`: no two elements share
        bytes."""
        rng = self.rng
        order = list(range(len(shape)))
        plain = self.plain or rng.random() < 0.3
        if not plain:
            rng.shuffle(order)
        strides = [0] * len(shape)
        step = size
        low = 0
        for axis in reversed(order):
            strides[axis] = step
            step *= shape[axis]
            if not plain and rng.random() < 0.4:
                step += size * rng.randrange(1, 4)
            if not plain and rng.random() < 0.2:
                strides[axis] = -strides[axis]
                low += strides[axis] * (shape[axis] - 1)
        offset = -low + (0 if plain else rng.randrange(8))
        return strides, offset, offset + low + step + 3

    def view(self, name, dtype, shape, strides, offset):
        by = f" by {strides}" if strides else ""
        return f"{name} {dtype}{list(shape)}{by} + {offset}"

    def place(self, array, dtype, strides, offset, memory):
        size = np.dtype(STORED[dtype]).itemsize
        data = np.ascontiguousarray(array).astype(STORED[dtype])
        for index in np.ndindex(array.shape):
            at = offset + sum(i * s for i, s in zip(index, strides))
            memory[at:at + size] = data[index].tobytes()

    def input(self, array, dtype, shape=None):
        """An operand; `shape` broadcasts it."""
        name = f"c{self.number}.{len(self.inputs)}"
        size = np.dtype(STORED[dtype]).itemsize
        strides, offset, total = self.layout(array.shape, size, False)
        memory = bytearray(self.rng.randbytes(total))
        self.place(array, dtype, strides, offset, memory)
        self.buffers.append(f"buffer {name} in m size {total} lifetime constant contents bytes data {memory.hex()}")
        if shape is not None:
            lead = len(shape) - array.ndim
            strides = [0] * lead + [0 if n == 1 else s for n, s in zip(array.shape, strides)]
        self.inputs.append(self.view(name, dtype, array.shape if shape is None else shape, strides, offset))

    def output(self, array, dtype):
        name = self.name()
        size = np.dtype(STORED[dtype]).itemsize
        strides, offset, total = self.layout(array.shape, size, True)
        memory = bytearray(total)
        self.place(array, dtype, strides, offset, memory)
        self.buffers.append(f"buffer {name} in m size {total} lifetime run output contents zero")
        self.bytes = bytes(memory)
        attrs = f"({', '.join(f'{key} {value}' for key, value in self.attrs.items())})" if self.attrs else ""
        to = self.view(name, dtype, array.shape, strides, offset)
        self.step = f"    compute {self.op}{attrs} from [{', '.join(self.inputs)}] to [{to}]"

    def name(self):
        return f"c{self.number}.y"


# Random pieces ------------------------------------------------------------------------------------------


def numbers(rng, dtype, shape):
    low, high = q.LIMITS[dtype]
    kind = rng.random()
    source = np.random.default_rng(rng.getrandbits(32))
    if kind < 0.2:  # extremes
        return source.choice(np.array([low, high]), size=shape).astype(np.int64)
    if kind < 0.3:
        return np.full(shape, rng.choice([low, high]), dtype=np.int64)
    return source.integers(low, high, size=shape, endpoint=True)


def zero_of(rng, dtype):
    low, high = q.LIMITS[dtype]
    return rng.choice([rng.randint(low, high), rng.randint(low, high), low, high, (low + high + 1) // 2])


def limits(rng, dtype):
    low, high = q.LIMITS[dtype]
    if rng.random() < 0.5:
        return low, high
    return tuple(sorted((rng.randint(low, high), rng.randint(low, high))))


def real_limits(rng, dtype, zero):
    low, high = q.LIMITS[dtype]
    low, high = np.float32(low - zero), np.float32(high - zero)
    if rng.random() < 0.5:
        low = np.float32(max(low, 0))
        high = np.nextafter(high, np.float32(1e9))
    if rng.random() < 0.3:
        low, high = sorted((np.float32(rng.uniform(float(low), float(high))) for _ in range(2)))
    return low, high


def show(number):
    return np.format_float_positional(np.float32(number), unique=True, trim="0") if abs(number) > 1e-3 or not number \
        else np.format_float_scientific(np.float32(number), unique=True)


def factor(rng, spread):
    """A multiplier and shift that take sums of about `spread` to bytes, or anything."""
    kind = rng.random()
    if kind < 0.05:
        return rng.choice([(0, 0), (2**31 - 1, -31), (2**30, 0), (2**31 - 1, 30), (1, 30), (2**31 - 1, 1)])
    if kind < 0.15:
        return rng.randrange(2**31), rng.randint(-31, 30)
    return q.quantize_multiplier(rng.uniform(20, 200) / spread)


def axis(rng, size):
    """kernel, stride, pad, dilation and outputs of one axis whose windows all meet the image."""
    kernel = rng.choice([1, 1, 2, 3, 3, 5, 7])
    dilation = rng.choice([1, 1, 1, 2, 3])
    reach = (kernel - 1) * dilation + 1
    stride = rng.choice([1, 1, 2, 3])
    pad = rng.choice([0, rng.randint(0, reach - 1), (reach - 1) // 2])
    most = (size - 1 + pad) // stride + 1
    return kernel, stride, pad, dilation, rng.choice([most, rng.randint(1, most)])


# Operations ---------------------------------------------------------------------------------------------


def requant(case, sums, how, dtype, zero_out, channels):
    """The scales operand; the attributes behind zero_out; the wanted numbers."""
    rng = case.rng
    rows = rng.choice([1, channels])
    spread = max(1.0, float(np.abs(sums).mean()))
    case.attrs["zero_out"] = zero_out
    if how == "real":
        factors = np.array([np.float32(rng.uniform(20, 200) / spread) for _ in range(rows)], dtype=np.float32)
        low, high = real_limits(rng, dtype, zero_out)
        case.attrs.update(low=show(low), high=show(high))
        case.input(factors, "f32")
        return q.real_scale(sums, factors, low, high) + zero_out
    pairs = np.array([factor(rng, spread) for _ in range(rows)], dtype=np.int64)
    low, high = limits(rng, dtype)
    case.attrs.update(low=low, high=high)
    case.input(pairs, "i32")
    scale = q.scale_single if how == "single" else q.scale
    return np.clip(scale(sums, pairs[:, 0], pairs[:, 1]) + zero_out, low, high)


def bias_of(case, sums, channels):
    spread = int(np.abs(sums).mean()) + 1
    huge = case.rng.random() < 0.05
    bias = np.array([case.rng.randint(-2**31, 2**31 - 1) if huge else case.rng.randint(-spread, spread)
                     for _ in range(channels)], dtype=np.int64)
    if case.rng.random() < 0.1:
        case.input(np.zeros((1,), dtype=np.int64), "i32", (channels,))
        return np.zeros(channels, dtype=np.int64)
    case.input(bias, "i32")
    return bias


def make_conv(case, how, deep):
    rng = case.rng
    dtype = rng.choice(["u8", "i8"])
    n, h, w = rng.choice([1, 1, 2, 3]), rng.randint(1, 9), rng.randint(1, 9)
    (kh, sh, ph, dh, oh), (kw, sw, pw, dw, ow) = axis(rng, h), axis(rng, w)
    if deep:
        c = rng.choice([1, 2, 3, 4, 8, 17, 33])
        o = c * rng.choice([1, 1, 2, 3])
        shape = (1, kh, kw, o)
    else:
        groups = rng.choice([1, 1, 1, 2, 3])
        i = rng.choice([1, 2, 3, 4, 8, 16, 19])
        c = i * groups
        o = groups * rng.choice([1, 2, 3, 5, 8, 16, 33 if groups == 1 else 4, 70 if groups == 1 and i < 5 else 4])
        shape = (o, kh, kw, i)
    zero_in, zero_weight = zero_of(rng, dtype), rng.choice([0, zero_of(rng, dtype)])
    case.attrs.update(stride_h=sh, stride_w=sw, pad_top=ph, pad_left=pw, dilation_h=dh, dilation_w=dw,
                      zero_in=zero_in, zero_weight=zero_weight)
    x, weights = numbers(rng, dtype, (n, h, w, c)), numbers(rng, dtype, shape)
    case.input(x, dtype)
    case.input(weights, dtype)
    sums = (q.depthwise if deep else q.convolve)(x - zero_in, weights - zero_weight, (oh, ow), (sh, sw), (ph, pw),
                                                 (dh, dw))
    sums = q.wrap(sums + bias_of(case, sums, o))
    case.output(requant(case, sums, how, dtype, zero_of(rng, dtype), o), dtype)


def scatter(x, weights, out, stride, pad, dilation):
    """Sums of products of x [N, H, W, I] with weights [O, kh, kw, I], each added to its place of the output, by rising
    place of x."""
    sums = np.zeros((x.shape[0], *out, weights.shape[0]), dtype=x.dtype)
    for iy, ix in np.ndindex(x.shape[1:3]):
        for i in range(x.shape[3]):
            for ky, kx in np.ndindex(weights.shape[1:3]):
                oy, ox = iy * stride[0] - pad[0] + ky * dilation[0], ix * stride[1] - pad[1] + kx * dilation[1]
                if 0 <= oy < out[0] and 0 <= ox < out[1]:
                    sums[:, oy, ox] += np.outer(x[:, iy, ix, i], weights[:, ky, kx, i])
    return sums


def transposed_window(case):
    """Attributes of a random window; kernel and output, and the arguments of scatter."""
    rng = case.rng
    kernel, out = ((rng.randint(1, 4), rng.randint(1, 4)), (rng.randint(1, 9), rng.randint(1, 9)))
    stride, pad, dilation = ((rng.randint(low, high), rng.randint(low, high)) for low, high in ((1, 3), (0, 4), (1, 2)))
    case.attrs.update(stride_h=stride[0], stride_w=stride[1], pad_top=pad[0], pad_left=pad[1], dilation_h=dilation[0],
                      dilation_w=dilation[1])
    return kernel, (out, stride, pad, dilation)


def make_transposed(case):
    rng = case.rng
    dtype = rng.choice(["u8", "i8"])
    kernel, window = transposed_window(case)
    n, h, w, i, o = rng.choice([1, 2]), rng.randint(1, 5), rng.randint(1, 5), rng.choice([1, 3, 8]), rng.choice([1, 2, 5])
    zero_in, zero_weight = zero_of(rng, dtype), rng.choice([0, zero_of(rng, dtype)])
    case.attrs.update(zero_in=zero_in, zero_weight=zero_weight)
    x, weights = numbers(rng, dtype, (n, h, w, i)), numbers(rng, dtype, (o, *kernel, i))
    case.input(x, dtype)
    case.input(weights, dtype)
    sums = scatter(x - zero_in, weights - zero_weight, *window)
    sums = q.wrap(sums + bias_of(case, sums, o))
    case.output(requant(case, sums, "double", dtype, zero_of(rng, dtype), o), dtype)


def wide_result(case, sums):
    """The bias, scales and output of sums of 64 bits."""
    rng, o = case.rng, sums.shape[3]
    reach = rng.choice([2**20, 2**40, 2**62])
    bias = np.array([rng.randint(-reach, reach) for _ in range(o)], dtype=np.int64)
    case.input(bias, "i64")
    sums = sums + bias
    pairs = np.array([rng.choice([(rng.randrange(2**31), rng.randint(-31, 7)), (2**31 - 1, 7),
                                  q.quantize_multiplier(2e4 / (1 + float(np.abs(sums).mean())))])
                      for _ in range(rng.choice([1, o]))], dtype=np.int64)
    zero_out, (low, high) = zero_of(rng, "i16"), limits(rng, "i16")
    case.attrs.update(zero_out=zero_out, low=low, high=high)
    case.input(pairs, "i32")
    case.output(np.clip(q.scale_wide(sums, pairs[:, 0], pairs[:, 1]) + zero_out, low, high), "i16")


def make_wide_transposed(case):
    rng = case.rng
    kernel, window = transposed_window(case)
    n, h, w, i, o = rng.choice([1, 2]), rng.randint(1, 5), rng.randint(1, 5), rng.choice([1, 3, 8]), rng.choice([1, 2, 5])
    zeros = [rng.choice([0, 0, zero_of(rng, dtype)]) for dtype in ("i16", "i8")]
    case.attrs.update(zero_in=zeros[0], zero_weight=zeros[1])
    x, weights = numbers(rng, "i16", (n, h, w, i)), numbers(rng, "i8", (o, *kernel, i))
    case.input(x, "i16")
    case.input(weights, "i8")
    wide_result(case, scatter(x - zeros[0], weights - zeros[1], *window))


def make_wide_conv(case):
    rng = case.rng
    n, h, w = rng.choice([1, 1, 2]), rng.randint(1, 7), rng.randint(1, 7)
    (kh, sh, ph, dh, oh), (kw, sw, pw, dw, ow) = axis(rng, h), axis(rng, w)
    groups, i, per_group = rng.choice([1, 1, 2]), rng.choice([1, 3, 8]), rng.choice([1, 2, 5])
    o = groups * per_group
    zeros = [rng.choice([0, 0, zero_of(rng, dtype)]) for dtype in ("i16", "i8")]
    case.attrs.update(stride_h=sh, stride_w=sw, pad_top=ph, pad_left=pw, dilation_h=dh, dilation_w=dw, zero_in=zeros[0],
                      zero_weight=zeros[1])
    x, weights = numbers(rng, "i16", (n, h, w, i * groups)), numbers(rng, "i8", (o, kh, kw, i))
    case.input(x, "i16")
    case.input(weights, "i8")
    wide_result(case, q.convolve(x - zeros[0], weights - zeros[1], (oh, ow), (sh, sw), (ph, pw), (dh, dw)))


def make_dense(case, how):
    rng = case.rng
    dtype = rng.choice(["u8", "i8"])
    batch, i, o = rng.choice([1, 1, 2, 5]), rng.choice([1, 3, 16, 65, 200, 600]), rng.choice([1, 2, 7, 64, 65, 130])
    zero_in, zero_weight = zero_of(rng, dtype), zero_of(rng, dtype)
    case.attrs.update(zero_in=zero_in, zero_weight=zero_weight)
    x, weights = numbers(rng, dtype, (batch, i)), numbers(rng, dtype, (o, i))
    case.input(x, dtype)
    case.input(weights, dtype)
    sums = (x - zero_in) @ (weights - zero_weight).T
    sums = q.wrap(sums + bias_of(case, sums, o))
    case.output(requant(case, sums, how, dtype, zero_of(rng, dtype), o), dtype)


def pair(case, dtype):
    """Two inputs, the second perhaps broadcast; their numbers in full."""
    rng = case.rng
    rank = rng.randint(0, 4)
    shape = tuple(rng.choice([1, 2, 3, 5, 9]) for _ in range(rank))
    if rng.random() < 0.1:
        shape = (rng.choice([1023, 1024, 1025, 2100]),)
    a = numbers(rng, dtype, shape)
    case.input(a, dtype)
    if rng.random() < 0.3:
        small = tuple(n if rng.random() < 0.5 else 1 for n in shape)
        small = small[rng.randint(0, len(small)):]
        b = numbers(rng, dtype, small)
        case.input(b, dtype, shape)
    else:
        b = numbers(rng, dtype, shape)
        case.input(b, dtype)
    return a, np.broadcast_to(b, shape)


def make_sum(case, sign):
    rng = case.rng
    dtype = rng.choice(["u8", "i8", "i16"])
    left = 15 if dtype == "i16" else 20
    s1, s2, so = (rng.uniform(0.001, 0.1) for _ in range(3))
    top = 2 * max(s1, s2)
    (m1, h1), (m2, h2) = q.quantize_multiplier(s1 / top), q.quantize_multiplier(s2 / top)
    mo, ho = q.quantize_multiplier(top / (2**left * so))
    if rng.random() < 0.1:
        (m1, h1), (m2, h2), (mo, ho) = factor(rng, 1), factor(rng, 1), factor(rng, 1)
    zero = [0, 0, 0] if dtype == "i16" and rng.random() < 0.5 else [zero_of(rng, dtype) for _ in range(3)]
    low, high = limits(rng, dtype)
    case.attrs.update(zero_a=zero[0], zero_b=zero[1], zero_out=zero[2], left=left, multiplier_a=m1, shift_a=h1,
                      multiplier_b=m2, shift_b=h2, multiplier=mo, shift=ho, low=low, high=high)
    a, b = pair(case, dtype)
    a = q.scale((a - zero[0]) << left, m1, h1)
    b = q.scale((b - zero[1]) << left, m2, h2)
    case.output(np.clip(q.scale(q.wrap(a + sign * b), mo, ho) + zero[2], low, high), dtype)


def finish(case, sums, real, dtype, zero_out):
    """Scales of attributes."""
    rng = case.rng
    spread = max(1.0, float(np.abs(sums).mean()))
    case.attrs["zero_out"] = zero_out
    if real:
        multiplier = np.float32(rng.uniform(20, 200) / spread)
        low, high = real_limits(rng, dtype, zero_out)
        case.attrs.update(low=show(low), high=show(high), multiplier=show(multiplier))
        case.output(q.real_scale(sums, multiplier, low, high) + zero_out, dtype)
    else:
        multiplier, shift = factor(rng, spread)
        low, high = limits(rng, dtype)
        case.attrs.update(low=low, high=high, multiplier=multiplier, shift=shift)
        case.output(np.clip(q.scale(sums, multiplier, shift) + zero_out, low, high), dtype)


def make_multiply(case, real):
    dtype = case.rng.choice(["u8", "i8"])
    zero_a, zero_b = zero_of(case.rng, dtype), zero_of(case.rng, dtype)
    case.attrs.update(zero_a=zero_a, zero_b=zero_b)
    a, b = pair(case, dtype)
    finish(case, (a - zero_a) * (b - zero_b), real, dtype, zero_of(case.rng, dtype))


def make_weighted(case, real):
    dtype = case.rng.choice(["u8", "i8"])
    k1, k2 = case.rng.randint(-32768, 32767), case.rng.randint(-32768, 32767)
    constant = case.rng.randint(-2**23, 2**23)
    case.attrs.update(k1=k1, k2=k2, constant=constant)
    a, b = pair(case, dtype)
    finish(case, k1 * a + k2 * b + constant, real, dtype, zero_of(case.rng, dtype))


def make_pool(case, kind):
    rng = case.rng
    dtype = rng.choice(["u8", "i8"])
    n, h, w, c = rng.choice([1, 2]), rng.randint(1, 9), rng.randint(1, 9), rng.choice([1, 2, 3, 16, 33])
    (kh, sh, ph, _, oh), (kw, sw, pw, _, ow) = axis(rng, h), axis(rng, w)
    ph, pw = min(ph, kh - 1), min(pw, kw - 1)
    oh, ow = min(oh, (h - 1 + ph) // sh + 1), min(ow, (w - 1 + pw) // sw + 1)
    low, high = limits(rng, dtype)
    case.attrs.update(kernel_h=kh, kernel_w=kw, stride_h=sh, stride_w=sw, pad_top=ph, pad_left=pw, low=low, high=high)
    x = numbers(rng, dtype, (n, h, w, c))
    case.input(x, dtype)
    case.output(np.clip(q.pool(x, kind, (kh, kw), (oh, ow), (sh, sw), (ph, pw), dtype == "i8"), low, high), dtype)


def make_softmax(case):
    rng = case.rng
    dtype = rng.choice(["u8", "i8"])
    multiplier, shift = q.quantize_multiplier(min(rng.uniform(0.001, 2) * 2**26, 2**31 - 1))
    if rng.random() < 0.1:
        multiplier, shift = rng.randrange(2**31), rng.randint(0, 31)
    case.attrs.update(multiplier=multiplier, shift=shift)
    shape = tuple(rng.choice([1, 2, 3]) for _ in range(rng.randint(0, 2))) + (rng.choice([1, 2, 10, 40, 500]),)
    x = numbers(rng, dtype, shape)
    case.input(x, dtype)
    rows = [q.softmax_row([int(v) for v in row], multiplier, shift) for row in x.reshape(-1, shape[-1])]
    case.output(np.array(rows, dtype=np.int64).reshape(shape) + q.LIMITS[dtype][0], dtype)


def make_curve(case, which):
    rng = case.rng
    dtype = rng.choice(["u8", "i8"])
    zero = zero_of(rng, dtype)
    multiplier, shift = q.quantize_multiplier(rng.uniform(0.001, 0.5) * 2**27)
    if rng.random() < 0.1:
        multiplier, shift = rng.randrange(2**31), rng.randint(0, 30)
    case.attrs.update(zero_in=zero, multiplier=multiplier, shift=shift)
    low, high = q.LIMITS[dtype]
    x = np.arange(low, high + 1, dtype=np.int64)
    case.input(x, dtype)
    middle = 128 if dtype == "u8" else 0
    case.output(np.array([q.curve(int(v), zero, multiplier, shift, which) + middle for v in x]), dtype)


def make_resize(case):
    rng = case.rng
    dtype = rng.choice(["u8", "i8"])
    align, half = rng.choice([(0, 0), (1, 0), (0, 1)])
    case.attrs.update(align_corners=align, half_pixel_centers=half)
    x = numbers(rng, dtype, (rng.choice([1, 2]), rng.randint(1, 6), rng.randint(1, 6), rng.choice([1, 3, 5])))
    case.input(x, dtype)
    out = rng.randint(1, 13), rng.choice([rng.randint(1, 13), 2 * x.shape[2]])
    case.output(q.resize(x, out, align, half), dtype)


def make_mean(case):
    rng = case.rng
    dtype = rng.choice(["u8", "i8"])
    zero_in, zero_out = zero_of(rng, dtype), zero_of(rng, dtype)
    multiplier, shift = factor(rng, 100) if rng.random() < 0.3 else q.quantize_multiplier(rng.uniform(0.2, 3))
    case.attrs.update(zero_in=zero_in, zero_out=zero_out, multiplier=multiplier, shift=shift)
    x = numbers(rng, dtype, (rng.choice([1, 2]), rng.randint(1, 9), rng.randint(1, 9), rng.choice([1, 3, 64, 65])))
    case.input(x, dtype)
    case.output(np.clip(q.mean(x, zero_in, multiplier, shift) + zero_out, *q.LIMITS[dtype]), dtype)


def any_shape(rng):
    return tuple(rng.choice([1, 2, 3, 7]) for _ in range(rng.randint(0, 4))) if rng.random() < 0.9 else (1500,)


def make_requantize(case):
    rng = case.rng
    of, to = (rng.choice(["u8", "i8", "i16", "i32"]) for _ in range(2))
    zero_in, zero_out = zero_of(rng, of), zero_of(rng, to)
    multiplier, shift = factor(rng, 100) if rng.random() < 0.5 else q.quantize_multiplier(rng.uniform(0.01, 3))
    case.attrs.update(zero_in=zero_in, zero_out=zero_out, multiplier=multiplier, shift=shift)
    x = numbers(rng, of, any_shape(rng))
    case.input(x, of)
    case.output(np.clip(q.scale(q.wrap(x - zero_in), multiplier, shift) + zero_out, *q.LIMITS[to]), to)


def make_quantize(case):
    rng = case.rng
    to = rng.choice(["u8", "i8", "i16"])
    zero, step = zero_of(rng, to), np.float32(rng.choice([0.5, 0.25, rng.uniform(0.0001, 1)]))
    source = np.random.default_rng(rng.getrandbits(32))
    shape = any_shape(rng)
    x = (source.normal(0, 100, size=shape) * step).astype(np.float32)
    x = np.where(source.random(shape) < 0.3, (source.integers(-600, 600, shape) * step / 2).astype(np.float32), x)
    odd = np.array([np.inf, -np.inf, np.nan, 0.0, -0.0, 3e38, -3e38, 1e-45], dtype=np.float32)
    x = np.where(source.random(shape) < 0.1, source.choice(odd, size=shape), x).astype(np.float32)
    case.attrs.update(scale=show(step), zero=zero)
    case.input(x, "f32")
    with np.errstate(all="ignore"):
        t = np.clip(np.where(np.isnan(x), -np.inf, x / step), -1e6, 1e6)
    case.output(np.clip(q.away(t) + zero, *q.LIMITS[to]), to)


def make_dequantize(case):
    rng = case.rng
    of = rng.choice(["u8", "i8", "i16"])
    zero, step = zero_of(rng, of), np.float32(rng.uniform(0.0001, 1))
    case.attrs.update(scale=show(step), zero=zero)
    x = numbers(rng, of, any_shape(rng))
    case.input(x, of)
    case.output((float(step) * (x - zero)).astype(np.float32), "f32")


def make_rescale(case):
    rng = case.rng
    factor32 = np.float32(rng.uniform(0.01, 3)) * (np.float32(1) / np.float32(rng.uniform(0.01, 3)))
    zero_in, zero_out = zero_of(rng, "u8"), zero_of(rng, "u8")
    case.attrs.update(scale=show(factor32), zero_in=zero_in, zero_out=zero_out)
    x = numbers(rng, "u8", any_shape(rng))
    case.input(x, "u8")
    offset = np.float32(-zero_in) * factor32
    case.output(np.clip(q.away(x.astype(np.float32) * factor32 + offset) + zero_out, 0, 255), "u8")


OPERATIONS = {
    "tflite.conv": lambda c: make_conv(c, "double", False),
    "tflite.depthwise": lambda c: make_conv(c, "double", True),
    "tflite.dense": lambda c: make_dense(c, "double"),
    "tflite.conv_single": lambda c: make_conv(c, "single", False),
    "tflite.dense_single": lambda c: make_dense(c, "single"),
    "tflite.add": lambda c: make_sum(c, 1),
    "tflite.subtract": lambda c: make_sum(c, -1),
    "tflite.multiply": lambda c: make_multiply(c, False),
    "tflite.average_pool": lambda c: make_pool(c, "average"),
    "tflite.max_pool": lambda c: make_pool(c, "max"),
    "tflite.softmax": make_softmax,
    "tflite.logistic": lambda c: make_curve(c, "logistic"),
    "tflite.tanh": lambda c: make_curve(c, "tanh"),
    "tflite.resize_bilinear": make_resize,
    "tflite.mean": make_mean,
    "tflite.requantize": make_requantize,
    "tflite.quantize": make_quantize,
    "tflite.dequantize": make_dequantize,
    "tflite.rescale": make_rescale,
    "tflite.weighted_sum": lambda c: make_weighted(c, False),
    "tflite.conv_i16": make_wide_conv,
    "tflite.transpose_conv": make_transposed,
    "tflite.transpose_conv_i16": make_wide_transposed,
    "edgetpu.conv": lambda c: make_conv(c, "real", False),
    "edgetpu.depthwise": lambda c: make_conv(c, "real", True),
    "edgetpu.dense": lambda c: make_dense(c, "real"),
    "edgetpu.multiply": lambda c: make_multiply(c, True),
    "edgetpu.weighted_sum": lambda c: make_weighted(c, True),
}

# Running ------------------------------------------------------------------------------------------------


def program(cases):
    lines = ["program quant", "space m"]
    lines += [line for case in cases for line in case.buffers]
    lines += ["thread main {"] + [case.step for case in cases] + ["}", "entry run {", "    start main", "}", ""]
    return "\n".join(lines)


def check(runner, cases, level, threads):
    """The cases that differ."""
    done = subprocess.run([runner, str(level), str(threads)], input=program(cases), check=False, capture_output=True,
                          text=True)
    if done.returncode:
        finding = done.stderr.strip().splitlines()[0] if done.stderr.strip() else f"exit {done.returncode}"
        line = finding.split(":")[0]
        print(finding[:600], program(cases).splitlines()[int(line) - 1][:900] if line.isdigit() else "", sep="\n")
        return cases
    found = dict(line.split() for line in done.stdout.splitlines())
    return [case for case in cases if bytes.fromhex(found[case.name()]) != case.bytes]


def explain(runner, case, level):
    done = subprocess.run([runner, str(level), "1"], input=program([case]), check=False, capture_output=True, text=True)
    print(case.step)
    for line in done.stdout.splitlines():
        print(f"found  {line.split()[1][:200]}")
    print(f"expected {case.bytes.hex()[:200]}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("runner")
    parser.add_argument("--cases", type=int, default=120)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    wrong = 0
    for op, make in OPERATIONS.items():
        if options.only and options.only != op:
            continue
        rng = random.Random(f"{options.seed} {op}")
        cases = []
        for number in range(options.cases):
            cases.append(Case(rng, number, op))
            make(cases[-1])
        bad = {}
        for level, threads in ((1, 1), (2, 2), (3, 1), (4, 1), (0, 3)):
            for begin in range(0, len(cases), PER_PROGRAM):
                for case in check(options.runner, cases[begin:begin + PER_PROGRAM], level, threads):
                    bad.setdefault(case.number, (case, level))
        for case, level in list(bad.values())[:2]:
            print(f"{op} at level {level}:")
            explain(options.runner, case, level)
        wrong += len(bad)
        if options.verbose or bad:
            print(f"{op}: {len(cases)} cases, {len(bad)} differ (seed {options.seed})")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
