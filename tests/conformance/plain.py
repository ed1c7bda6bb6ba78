#!/usr/bin/python3
"""Plain numbers, choices and lookups of the profile tflite against numpy, bit for bit: quant.py's cases of other rows.

plain.py RUN_PROGRAM [--cases N] [--seed N] [--verbose]
"""
import sys

import quant
from quant import any_shape, np, q, show, zero_of

quant.STORED.update(i64="<i8", bool=np.uint8)
RANGES = {"u8": (0, 255), "i8": (-128, 127), "i16": (-2**15, 2**15 - 1), "i32": (-2**31, 2**31 - 1),
          "i64": (-2**63, 2**63 - 1), "bool": (0, 1)}
F32 = np.float32
MOST = np.finfo(F32).max


def generator(rng):
    return np.random.default_rng(rng.getrandbits(32))


def wholes(rng, dtype, shape):
    low, high = RANGES[dtype]
    source = generator(rng)
    small = source.integers(max(low, -5), min(high, 5), size=shape, endpoint=True)
    return np.where(source.random(shape) < 0.5, small, source.integers(low, high, size=shape, endpoint=True))


def reals(rng, shape):
    source = generator(rng)
    odd = np.array([np.inf, -np.inf, np.nan, 0.0, -0.0, MOST, -MOST, 1e-45, 1, -1], dtype=F32)
    x = np.where(source.random(shape) < 0.3, source.integers(-300, 300, size=shape), source.normal(0, 1e3, size=shape))
    # A NaN has the bits that the arithmetic of the machine gives it: the usual ones.
    return np.where(source.random(shape) < 0.15, source.choice(odd, size=shape), x).astype(F32)


def stretched(rng, case, make, dtype, shape):
    """An input of the shape, or of one that is stretched to it: as an array of the shape."""
    small = tuple(1 if rng.random() < 0.2 else n for n in shape)[rng.choice([0, 0, rng.randint(0, len(shape))]):]
    x = make(small)
    case.input(x, dtype, shape if small != shape else None)
    return np.broadcast_to(x, shape)


def make_real(function):
    def make(case):
        rng = case.rng
        low, high = rng.choice([(-MOST, MOST), (F32(0), MOST), (F32(0), F32(6)), (F32(-1), F32(1))])
        case.attrs.update(low=show(low) if abs(low) < MOST else "-3.4028235e38",
                          high=show(high) if high < MOST else "3.4028235e38")
        shape = any_shape(rng)
        a, b = (stretched(rng, case, lambda s: reals(rng, s), "f32", shape) for _ in range(2))
        with np.errstate(all="ignore"):
            x = function(a, b)
            y = np.where(x < low, low, np.where(x > high, high, x)).astype(F32)
        # Which NaN comes of several is the machine's choice.
        case.output(np.where(np.isnan(y), np.where(np.isnan(a), a, np.where(np.isnan(b), b, y)), y), "f32")
    return make


def make_root(case):
    x = np.abs(reals(case.rng, any_shape(case.rng)))
    case.input(x, "f32")
    case.output(np.sqrt(x), "f32")


def modulo(x):
    return (x + 2**31) % 2**32 - 2**31


def make_whole(function):
    def make(case):
        rng = case.rng
        low, high = rng.choice([RANGES["i32"], (0, 2**31 - 1), (0, 6), (-1, 1)])
        case.attrs.update(low=low, high=high)
        shape = any_shape(rng)
        a, b = (stretched(rng, case, lambda s: wholes(rng, "i32", s), "i32", shape) for _ in range(2))
        with np.errstate(all="ignore"):
            case.output(np.clip(modulo(function(a, b)), low, high), "i32")
    return make


def make_floor_divide(case):
    rng = case.rng
    shape = any_shape(rng)
    a = stretched(rng, case, lambda s: wholes(rng, "i32", s), "i32", shape)
    b = stretched(rng, case, lambda s: np.where((x := wholes(rng, "i32", s)) == 0, 7, x), "i32", shape)
    case.output(modulo(a // b), "i32")


def make_choice(compare):
    def make(case):
        rng = case.rng
        dtype = rng.choice(["u8", "i8", "i16", "i32", "f32"])
        shape = any_shape(rng)
        maker = (lambda s: reals(rng, s)) if dtype == "f32" else (lambda s: wholes(rng, dtype, s))
        a, b = (stretched(rng, case, maker, dtype, shape) for _ in range(2))
        case.output(np.where(compare(a, b), a, b), dtype)
    return make


def make_cast(case):
    rng = case.rng
    of, to = (rng.choice(["u8", "i8", "i16", "i32", "i64", "f32", "bool"]) for _ in range(2))
    shape = any_shape(rng)
    x = reals(rng, shape) if of == "f32" else wholes(rng, of, shape)
    case.input(x, of)
    if to == "bool":
        y = (x != 0).astype(np.uint8)
    elif to == "f32":
        y = x.astype(F32)
    elif of == "f32":
        low, high = RANGES[to]
        y = [0 if np.isnan(v) else high if v > high else low if v < low else int(v) for v in x.ravel().astype(float)]
        y = np.array(y, dtype=np.int64).reshape(shape)
    else:
        y = x
    case.output(y, to)


def make_swish(case):
    """The steps of 16 bits one by one, in numpy's integers."""
    rng = case.rng
    dtype = rng.choice(["u8", "i8"])
    zero_in, zero_out = zero_of(rng, dtype), zero_of(rng, dtype)
    multiplier, shift = rng.choice([0, 16384, 32767, rng.randint(16384, 32767)]), rng.randint(-12, 0)
    ramp, ramp_shift = rng.choice([0, 16384, 32767, rng.randint(16384, 32767)]), rng.randint(-8, 12)
    case.attrs.update(zero_in=zero_in, zero_out=zero_out, multiplier=multiplier, shift=shift, ramp=ramp,
                      ramp_shift=ramp_shift)
    x = quant.numbers(rng, dtype, any_shape(rng))
    case.input(x, dtype)

    def short(v):
        return np.clip(v, -2**15, 2**15 - 1)

    def high_product(a, b):  # half up
        return short(np.floor_divide(a * b + 2**14, 2**15))

    def divided(v, bits):  # half away from zero
        return np.sign(v) * ((np.abs(v) + (2**bits // 2)) // 2**bits)

    fine = (x - zero_in) * 128
    value = high_product(short(fine * 2**max(ramp_shift - 1, 0)), ramp)
    value = short(value * 2) if ramp_shift > 0 else divided(value, -ramp_shift)
    product = ((value + 2**15) // 2) * high_product(fine, multiplier)
    product = np.sign(product) * (np.abs(product) // 2**15)
    case.output(np.clip(divided(product, -shift) + zero_out, *q.LIMITS[dtype]), dtype)


def make_arg(greatest):
    def make(case):
        rng = case.rng
        dtype, to = rng.choice(["u8", "i8", "i16", "i32", "f32"]), rng.choice(["i32", "i64"])
        shape = rng.choice([1, 2, 300]), rng.randint(1, 9), rng.choice([1, 2, 3])
        x = reals(rng, shape) if dtype == "f32" else wholes(rng, dtype, shape)
        case.input(x, dtype)
        if dtype == "f32":
            last = np.float64(-1e300 if greatest else 1e300)  # NaN is chosen last, below the infinities
            finite = np.where(np.isinf(x), np.sign(x) * 1e200, x.astype(float))
            x = np.where(np.isnan(x), last, finite)
        case.output(np.argmax(x, axis=1) if greatest else np.argmin(x, axis=1), to)
    return make


def any_numbers(rng, shape):
    dtype = rng.choice(["u8", "i8", "i16", "i32", "i64", "f32", "bool"])
    return (reals(rng, shape) if dtype == "f32" else wholes(rng, dtype, shape)), dtype


def make_gather(case):
    rng = case.rng
    x, dtype = any_numbers(rng, (rng.randint(1, 3), rng.randint(1, 5), rng.randint(1, 4)))
    indices = generator(rng).integers(0, x.shape[1], size=rng.randint(1, 6))
    case.input(x, dtype)
    case.input(indices, rng.choice(["i32", "i64"]))
    case.output(np.take(x, indices, axis=1), dtype)


def make_gather_nd(case):
    rng = case.rng
    depth = rng.randint(1, 4)
    shape = (1,) * (4 - depth) + tuple(rng.randint(1, 4) for _ in range(depth)) + (rng.randint(1, 4),)
    x, dtype = any_numbers(rng, shape)
    indices = np.stack([generator(rng).integers(0, n, size=rng.choice([5])) for n in shape[4 - depth:4]], axis=-1)
    case.input(x, dtype)
    case.input(indices, rng.choice(["i32", "i64"]))
    case.output(x[(0,) * (4 - depth) + tuple(indices.T)], dtype)


def positions(size, out, align, half):
    """In float32: where each output position is in the input."""
    step = F32(size - 1) / F32(out - 1) if align and out > 1 else F32(size) / F32(out)
    return (np.arange(out).astype(F32) + F32(0.5 if half else 0)) * step


def make_nearest(case):
    rng = case.rng
    align, half = rng.randint(0, 1), rng.randint(0, 1)
    case.attrs.update(align_corners=align, half_pixel_centers=half)
    x, dtype = any_numbers(rng, (rng.choice([1, 2]), rng.randint(1, 6), rng.randint(1, 6), rng.choice([1, 3])))
    case.input(x, dtype)
    rows, columns = ([min(int(q.away(p)) if align else int(np.floor(p)), size - 1)
                      for p in positions(size, rng.randint(1, 13), align, half)] for size in x.shape[1:3])
    case.output(x[:, rows][:, :, columns], dtype)


def make_bilinear(case):
    rng = case.rng
    align, half = rng.choice([(0, 0), (1, 0), (0, 1)])
    case.attrs.update(align_corners=align, half_pixel_centers=half)
    shape = rng.choice([1, 2]), rng.randint(1, 6), rng.randint(1, 6), rng.choice([1, 3])
    x = generator(rng).normal(0, 10, shape).astype(F32)
    case.input(x, "f32")

    def blend(size, out):
        at = positions(size, out, align, half) - F32(0.5 if half else 0)
        lower = np.maximum(np.floor(at), 0).astype(int)
        return lower, np.minimum(np.ceil(at), size - 1).astype(int), at - lower.astype(F32)

    top, bottom, down = blend(x.shape[1], rng.randint(1, 13))
    left, right, across = blend(x.shape[2], rng.randint(1, 13))
    down, across = down[None, :, None, None], across[None, None, :, None]
    up, back = F32(1) - down, F32(1) - across
    case.output(x[:, top][:, :, left] * up * back + x[:, bottom][:, :, left] * down * back +
                x[:, top][:, :, right] * up * across + x[:, bottom][:, :, right] * down * across + F32(0), "f32")


def real_limits(case):
    low, high = case.rng.choice([(-MOST, MOST), (F32(0), MOST), (F32(0), F32(6)), (F32(-1), F32(1))])
    case.attrs.update(low=show(low) if abs(low) < MOST else "-3.4028235e38",
                      high=show(high) if high < MOST else "3.4028235e38")
    return low, high


def small_reals(rng, shape):
    return generator(rng).normal(0, 2, size=shape).astype(F32)


def make_real_windows(deep):
    """Products summed one after the other, each rounded."""
    def make(case):
        rng = case.rng
        n, h, w = rng.choice([1, 1, 2]), rng.randint(1, 8), rng.randint(1, 8)
        (kh, sh, ph, dh, oh), (kw, sw, pw, dw, ow) = quant.axis(rng, h), quant.axis(rng, w)
        groups = 1 if deep else rng.choice([1, 1, 2, 3])
        i = rng.choice([1, 2, 3, 8])
        c = i * groups
        o = (c if deep else groups) * rng.choice([1, 2, 3, 8, 13])
        case.attrs.update(stride_h=sh, stride_w=sw, pad_top=ph, pad_left=pw, dilation_h=dh, dilation_w=dw)
        low, high = real_limits(case)
        x, weights = small_reals(rng, (n, h, w, c)), small_reals(rng, (1, kh, kw, o) if deep else (o, kh, kw, i))
        bias = small_reals(rng, (o,))
        for array in (x, weights, bias):
            case.input(array, "f32")
        sums = np.zeros((n, oh, ow, o), dtype=F32)
        for ky, kx, oy, ox in np.ndindex(kh, kw, oh, ow):
            iy, ix = oy * sh - ph + ky * dh, ox * sw - pw + kx * dw
            for k in range(1 if deep else i):
                if 0 <= iy < h and 0 <= ix < w:
                    taken = np.arange(o) // (o // c) if deep else np.arange(o) // (o // groups) * i + k
                    sums[:, oy, ox, :] += x[:, iy, ix, taken] * (weights[0, ky, kx] if deep else weights[:, ky, kx, k])
        case.output(np.clip(sums + bias, low, high).astype(F32), "f32")
    return make


def make_real_transposed(case):
    rng = case.rng
    kernel, window = quant.transposed_window(case)
    n, h, w, i, o = rng.choice([1, 2]), rng.randint(1, 5), rng.randint(1, 5), rng.choice([1, 3, 8]), rng.choice([1, 2, 5])
    low, high = real_limits(case)
    x, weights, bias = (small_reals(rng, shape) for shape in ((n, h, w, i), (o, *kernel, i), (o,)))
    for array in (x, weights, bias):
        case.input(array, "f32")
    case.output(np.clip(quant.scatter(x, weights, *window) + bias, low, high).astype(F32), "f32")


def make_real_dense(case):
    rng = case.rng
    batch, i, o = rng.choice([1, 1, 2, 5]), rng.choice([1, 3, 16, 65]), rng.choice([1, 2, 7, 8, 64, 65, 130])
    low, high = real_limits(case)
    x, weights, bias = (small_reals(rng, shape) for shape in ((batch, i), (o, i), (o,)))
    for array in (x, weights, bias):
        case.input(array, "f32")
    sums = np.zeros((batch, o), dtype=F32)
    for k in range(i):
        sums += x[:, k:k + 1] * weights[:, k]
    case.output(np.clip(sums + bias, low, high).astype(F32), "f32")


def make_real_pool(greatest):
    def make(case):
        rng = case.rng
        n, h, w, c = rng.choice([1, 2]), rng.randint(1, 8), rng.randint(1, 8), rng.choice([1, 3, 8])
        kh, kw = rng.randint(1, 4), rng.randint(1, 4)
        sh, sw, ph, pw = rng.randint(1, 3), rng.randint(1, 3), rng.randint(0, kh - 1), rng.randint(0, kw - 1)
        oh, ow = rng.randint(1, (h - 1 + ph) // sh + 1), rng.randint(1, (w - 1 + pw) // sw + 1)
        case.attrs.update(kernel_h=kh, kernel_w=kw, stride_h=sh, stride_w=sw, pad_top=ph, pad_left=pw)
        low, high = real_limits(case)
        x = small_reals(rng, (n, h, w, c))
        case.input(x, "f32")
        y = np.zeros((n, oh, ow, c), dtype=F32)
        for oy, ox in np.ndindex(oh, ow):
            taps = [x[:, iy, ix] for iy in range(max(0, oy * sh - ph), min(h, oy * sh - ph + kh))
                    for ix in range(max(0, ox * sw - pw), min(w, ox * sw - pw + kw))]
            total = taps[0]
            for tap in taps[1:]:
                total = np.maximum(total, tap) if greatest else total + tap
            y[:, oy, ox] = total if greatest else total / F32(len(taps))
        case.output(np.clip(y, low, high).astype(F32), "f32")
    return make


def make_real_curve(function):
    """Exponentials of double, rounded once; numbers without those beyond its range."""
    def make(case):
        x = small_reals(case.rng, any_shape(case.rng))
        case.input(x, "f32")
        case.output(function(x).astype(F32), "f32")
    return make


def make_prelu(case):
    shape = any_shape(case.rng)
    a, b = (stretched(case.rng, case, lambda s: small_reals(case.rng, s), "f32", shape) for _ in range(2))
    case.output(np.where(a >= 0, a, a * b), "f32")


def make_real_softmax(case):
    beta = F32(case.rng.choice([1, 0.5, 2]))
    case.attrs.update(beta=show(beta))
    shape = any_shape(case.rng)
    x = small_reals(case.rng, shape)
    case.input(x, "f32")
    lines = x.reshape(-1, shape[-1] if shape else 1)
    e = np.exp(((lines - lines.max(axis=1, keepdims=True)) * beta).astype(float)).astype(F32)
    sums = np.zeros((len(lines), 1), dtype=F32)
    for column in range(lines.shape[1]):
        sums += e[:, column:column + 1]
    case.output((e / sums).reshape(shape), "f32")


quant.OPERATIONS = {
    "tflite.maximum": make_choice(lambda a, b: a > b),
    "tflite.minimum": make_choice(lambda a, b: a < b),
    "tflite.add_f32": make_real(lambda a, b: a + b),
    "tflite.subtract_f32": make_real(lambda a, b: a - b),
    "tflite.multiply_f32": make_real(lambda a, b: a * b),
    "tflite.divide_f32": make_real(lambda a, b: a / b),
    "tflite.sqrt_f32": make_root,
    "tflite.add_i32": make_whole(lambda a, b: a + b),
    "tflite.subtract_i32": make_whole(lambda a, b: a - b),
    "tflite.multiply_i32": make_whole(lambda a, b: a * b),
    "tflite.floor_divide_i32": make_floor_divide,
    "tflite.cast": make_cast,
    "tflite.hard_swish": make_swish,
    "tflite.arg_max": make_arg(True),
    "tflite.arg_min": make_arg(False),
    "tflite.gather": make_gather,
    "tflite.gather_nd": make_gather_nd,
    "tflite.resize_nearest": make_nearest,
    "tflite.resize_bilinear_f32": make_bilinear,
    "tflite.conv_f32": make_real_windows(False),
    "tflite.depthwise_f32": make_real_windows(True),
    "tflite.dense_f32": make_real_dense,
    "tflite.average_pool_f32": make_real_pool(False),
    "tflite.max_pool_f32": make_real_pool(True),
    "tflite.softmax_f32": make_real_softmax,
    "tflite.logistic_f32": make_real_curve(lambda x: F32(1) / (F32(1) + np.exp(-x.astype(float)).astype(F32))),
    "tflite.tanh_f32": make_real_curve(lambda x: np.tanh(x.astype(float))),
    "tflite.prelu_f32": make_prelu,
    "tflite.transpose_conv_f32": make_real_transposed,
}

if __name__ == "__main__":
    sys.exit(quant.main())
