#!/usr/bin/python3
"""The profile ark against numpy, bit for bit: quant.py's cases of other rows. exp, gelu and sigmoid are compared with
the C library instead (kernels/ark_math_test.c).

ark.py RUN_PROGRAM [--cases N] [--seed N] [--verbose]
"""
import sys

import quant
from plain import RANGES, generator, stretched, wholes
from quant import any_shape, np

F32, F64 = np.float32, np.float64
FLOATS = ["f32", "f16", "bf16"]
INTEGERS = ["i32", "u32", "i8", "u8"]
LOWEST = {"f32": -np.finfo(F32).max, "f16": F32(-65504), "bf16": np.array([0xff7f0000], dtype="<u4").view("<f4")[0]}
quant.STORED.update(f16="<f2", bf16="<u2", u32="<u4")
RANGES["u32"] = 0, 2**32 - 1


def odd(exact, error):
    """The sum of two float64, of which `error` is too small to change the first: rounded to odd, so that rounding it
    once more to a narrower type is rounding the exact sum."""
    even = exact.view(np.int64) & 1 == 0
    inexact = np.isfinite(exact) & (error != 0) & even
    return np.where(inexact, np.nextafter(exact, np.where(error > 0, np.inf, -np.inf)), exact)


def fma(a, b, c):
    product, c = a.astype(F64) * b.astype(F64), c.astype(F64)
    total = product + c
    part = total - product
    return odd(total, (product - (total - part)) + (c - part)).astype(F32)


def stored(x, dtype):
    """Float32 or float64 numbers as the elements of a type, rounded once, with one NaN."""
    if dtype != "bf16":
        with np.errstate(over="ignore"):
            return np.where(np.isnan(x), np.nan, x).astype(quant.STORED[dtype])
    narrow = np.array(x, dtype=F32)
    bits = narrow.view("<u4").astype(np.int64)
    # Where rounding to float32 has led to the middle between two elements, what was lost decides.
    middle = (bits & 0xffff == 0x8000) & np.isfinite(x)
    away = middle & (np.abs(x) > np.abs(narrow))
    near = middle & (np.abs(x) < np.abs(narrow))
    bits = bits + 0x7fff + (bits >> 16 & 1) + away.astype(np.int64) - near.astype(np.int64)
    return np.where(np.isnan(x), 0x7fc0, bits >> 16).astype("<u2")


def number(x, dtype):
    """Elements of a type as float32 or as integers of Python's size."""
    if dtype in INTEGERS:
        return x.astype(np.int64)
    return (x.astype("<u4") * np.uint32(65536)).view("<f4") if dtype == "bf16" else x.astype(F32)


def wrapped(x, dtype):
    return x.astype(np.int64).astype(quant.STORED[dtype])


def reals(rng, dtype, shape):
    source = generator(rng)
    special = np.array([np.inf, -np.inf, np.nan, 0.0, -0.0, LOWEST[dtype], -LOWEST[dtype], 1e-7, 1e-40, 1, -1], dtype=F32)
    x = np.where(source.random(shape) < 0.3, source.integers(-300, 300, size=shape), source.normal(0, 1e2, size=shape))
    return stored(np.where(source.random(shape) < 0.1, source.choice(special, size=shape), x).astype(F32), dtype)


def elements(dtype):
    if dtype in FLOATS:
        return lambda rng, shape: reals(rng, dtype, shape)
    return lambda rng, shape: wrapped(wholes(rng, dtype, shape), dtype)


def operand(case, dtype, shape):
    make = elements(dtype)
    return number(stretched(case.rng, case, lambda s: make(case.rng, s), dtype, shape), dtype)


def output(case, x, dtype):
    case.output(stored(x, dtype) if dtype in FLOATS else wrapped(x, dtype), dtype)


def make_binary(floats, integers):
    def make(case):
        dtype = case.rng.choice(FLOATS + INTEGERS)
        shape = any_shape(case.rng)
        a, b = (operand(case, dtype, shape) for _ in range(2))
        with np.errstate(all="ignore"):
            output(case, (floats if dtype in FLOATS else integers)(a, b), dtype)
    return make


def quotient(a, b):
    """Truncated; of 0 it is 0."""
    some = np.where(b == 0, 1, b)
    return np.where(b == 0, 0, np.sign(a) * np.sign(some) * (np.abs(a) // np.abs(some)))


def make_unary(function, types):
    def make(case):
        dtype = case.rng.choice(types)
        x = operand(case, dtype, any_shape(case.rng))
        with np.errstate(all="ignore"):
            output(case, function(x), dtype)
    return make


def integer_of(x, of, to):
    x = x.astype(F64)
    low, high = RANGES[to]
    if high < 256:
        return np.fmod(np.trunc(np.where(np.isfinite(x), x, 0)), 256)
    return np.clip(np.where(np.isnan(x), 0, np.trunc(x) if of == "f32" else np.rint(x)), low, high)


def make_cast(case):
    of, to = (case.rng.choice(FLOATS + INTEGERS) for _ in range(2))
    x = operand(case, of, any_shape(case.rng))
    with np.errstate(all="ignore"):
        if to in FLOATS:
            output(case, x if of in FLOATS else x.astype(F64), to)
        else:
            output(case, integer_of(x, of, to) if of in FLOATS else x, to)


def make_rope(case):
    dtype = case.rng.choice(FLOATS)
    shape = any_shape(case.rng)[:-1] + (2 * case.rng.randint(1, 5),)
    x, y = (operand(case, dtype, shape) for _ in range(2))

    def rounded(value):
        return number(stored(value, dtype), dtype)

    with np.errstate(all="ignore"):
        first = rounded(x[..., ::2] * y[..., ::2]) - rounded(x[..., 1::2] * y[..., 1::2])
        second = rounded(x[..., ::2] * y[..., 1::2]) + rounded(x[..., 1::2] * y[..., ::2])
        output(case, np.stack([first, second], axis=-1).reshape(shape), dtype)


def folded(x, axis, start, step):
    """The terms along an axis in the order of the profile: `step` of an accumulator and a term."""
    lanes = 16 if axis == x.ndim - 1 else 1
    parts = [np.full(x.shape[:axis] + x.shape[axis + 1:], start) for _ in range(lanes)]
    for k in range(x.shape[axis]):
        parts[k % lanes] = step(parts[k % lanes], np.take(x, k, axis=axis))
    while len(parts) > 1:
        half = len(parts) // 2
        parts = [step(parts[i], parts[i + half]) for i in range(half)]
    return parts[0]


def make_reduce(kind):
    def make(case):
        rng = case.rng
        dtype = rng.choice(FLOATS + INTEGERS)
        shape = tuple(rng.choice([1, 2, 3, 16, 70]) if i == 0 else rng.randint(1, 4) for i in range(rng.randint(1, 5)))
        shape = tuple(reversed(shape)) if rng.random() < 0.5 else shape
        axis, keep = rng.randrange(len(shape)), rng.randint(0, 1)
        case.attrs.update(axis=axis, keep_dims=keep)
        x = operand(case, dtype, shape)
        count = shape[axis]
        with np.errstate(all="ignore"):
            if dtype in FLOATS and kind == "max":
                y = folded(x, axis, LOWEST[dtype], lambda most, term: np.where(term > most, term, most))
            elif dtype in FLOATS:
                y = folded(x.astype(F64), axis, 0.0, lambda total, term: total + term)
                y = y / F64(number(stored(np.array([count], dtype=F32), dtype), dtype)[0]) if kind == "mean" else y
            elif kind == "max":
                y = x.max(axis=axis)
            else:
                y = wrapped(x.sum(axis=axis), dtype).astype(np.int64)
                y = quotient(y, np.int64(count)) if kind == "mean" else y
        output(case, np.expand_dims(y, axis) if keep else y, dtype)
    return make


def make_matmul(case):
    rng = case.rng
    dtype = rng.choice(FLOATS)
    turn_a, turn_b = rng.randint(0, 1), rng.randint(0, 1)
    case.attrs.update(transpose_a=turn_a, transpose_b=turn_b)
    batch = tuple(rng.randint(1, 3) for _ in range(rng.choice([0, 0, 1, 2, 3])))
    rows, depth, columns = rng.randint(1, 5), rng.choice([1, 2, 5, 40, 256, 300, 513]), rng.randint(1, 5)
    shapes = (depth, rows) if turn_a else (rows, depth), (columns, depth) if turn_b else (depth, columns)
    a, b = (operand(case, dtype, batch + shape) for shape in shapes)
    a, b = a.swapaxes(-1, -2) if turn_a else a, b.swapaxes(-1, -2) if turn_b else b
    y = None
    with np.errstate(all="ignore"):
        for block in range(0, depth, 256):
            total = np.zeros(batch + (rows, columns), dtype=F32)
            for k in range(block, min(block + 256, depth)):
                total = fma(a[..., :, k, None], b[..., None, k, :], total)
            y = total if y is None else y + total
        output(case, y, dtype)


def make_embedding(case):
    rng = case.rng
    dtype = rng.choice(FLOATS + INTEGERS)
    rows = rng.randint(1, 9)
    index = stretched(rng, case, lambda s: generator(rng).integers(-rows, rows, size=s), "i32", any_shape(rng))
    weight = elements(dtype)(rng, (rows, rng.choice([1, 3, 600])))
    case.input(weight, dtype)
    case.output(weight[index], dtype)


quant.OPERATIONS = {
    "ark.add": make_binary(lambda a, b: a + b, lambda a, b: a + b),
    "ark.subtract": make_binary(lambda a, b: a - b, lambda a, b: a - b),
    "ark.multiply": make_binary(lambda a, b: a * b, lambda a, b: a * b),
    "ark.divide": make_binary(lambda a, b: a / b, quotient),
    "ark.sqrt": make_unary(np.sqrt, FLOATS),
    "ark.rsqrt": make_unary(lambda x: F32(1) / np.sqrt(x), FLOATS),
    "ark.relu": make_unary(lambda x: np.where(x > 0, x, x.dtype.type(0)), FLOATS + INTEGERS),
    "ark.cast": make_cast,
    "ark.rope": make_rope,
    "ark.reduce_sum": make_reduce("sum"),
    "ark.reduce_mean": make_reduce("mean"),
    "ark.reduce_max": make_reduce("max"),
    "ark.matmul": make_matmul,
    "ark.embedding": make_embedding,
}

if __name__ == "__main__":
    sys.exit(quant.main())
