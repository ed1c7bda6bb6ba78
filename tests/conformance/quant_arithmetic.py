"""The arithmetic of TFLite's reference kernels and of the Edge TPU on numpy arrays of int64, written from
the TFLite kernels reference and the darwinn reference (16.7), independently of the C sources."""
import math

import numpy as np

LIMITS = {"u8": (0, 255), "i8": (-128, 127), "i16": (-32768, 32767), "i32": (-2**31, 2**31 - 1)}
ONE = 2**31 - 1


def wrap(x):
    """As int32, two's complement."""
    return (np.asarray(x, dtype=np.int64) + 2**31) % 2**32 - 2**31


def away(x):
    """The nearest whole numbers of floats, halves away from zero."""
    x = np.asarray(x, dtype=np.float64)
    return (np.sign(x) * np.floor(np.abs(x) + 0.5)).astype(np.int64)


def high_multiply(a, b):
    """a * b / 2^31; halves go up for both signs."""
    product = np.asarray(a, dtype=np.int64) * np.asarray(b, dtype=np.int64)
    return np.minimum((product + 2**30) >> 31, ONE)


def shift_down(x, exponent):
    """x / 2^exponent, halves away from zero."""
    x = np.asarray(x, dtype=np.int64)
    exponent = np.asarray(exponent, dtype=np.int64)
    half = np.left_shift(np.int64(1), exponent) >> 1
    return np.sign(x) * ((np.abs(x) + half) >> exponent)


def scale(x, multiplier, shift):
    """MBQM with two roundings; `multiplier` and `shift` may be arrays."""
    shift = np.asarray(shift, dtype=np.int64)
    wide = wrap(np.left_shift(np.asarray(x, dtype=np.int64), np.maximum(shift, 0)))
    return shift_down(high_multiply(wide, multiplier), np.maximum(-shift, 0))


def scale_single(x, multiplier, shift):
    """MBQM with one rounding of the 64-bit product, half up."""
    shift = np.asarray(shift, dtype=np.int64)
    wide = wrap(np.left_shift(np.asarray(x, dtype=np.int64), np.maximum(shift, 0)))
    down = 31 - np.minimum(shift, 0)
    return (wide * np.asarray(multiplier, dtype=np.int64) + np.left_shift(np.int64(1), down - 1)) >> down


def scale_wide(x, multiplier, shift):
    """MBQM of sums of 48 bits: a multiplier of 15 bits, the product rounded half up."""
    reduced = np.minimum((np.asarray(multiplier, dtype=np.int64) + 2**15) >> 16, 2**15 - 1)
    down = 15 - np.asarray(shift, dtype=np.int64)
    return (np.clip(x, -2**47, 2**47) * reduced + np.left_shift(np.int64(1), down - 1)) >> down


def quantize_multiplier(factor):
    if factor == 0:
        return 0, 0
    mantissa, shift = math.frexp(factor)
    multiplier = math.floor(mantissa * 2**31 + 0.5)
    if multiplier == 2**31:
        multiplier, shift = 2**30, shift + 1
    return (0, 0) if shift < -31 else (multiplier, shift)


def real_scale(x, multiplier, low, high):
    """The float32 requantisation, rounded half to even; without the zero point."""
    t = np.asarray(x, dtype=np.int64).astype(np.float32) * np.asarray(multiplier, dtype=np.float32)
    return np.rint(np.minimum(np.maximum(t, np.float32(low)), np.float32(high))).astype(np.int64)


# Windows ----------------------------------------------------------------------------------------------


def windows(x, taps, out, stride, pad, dilation, fill):
    """[taps_h, taps_w, N, out_h, out_w, C] of x [N, H, W, C]; `fill` outside of the image."""
    n, h, w, c = x.shape
    result = np.full((*taps, n, *out, c), fill, dtype=np.int64)
    for ky in range(taps[0]):
        for kx in range(taps[1]):
            for oy in range(out[0]):
                for ox in range(out[1]):
                    iy = oy * stride[0] - pad[0] + ky * dilation[0]
                    ix = ox * stride[1] - pad[1] + kx * dilation[1]
                    if 0 <= iy < h and 0 <= ix < w:
                        result[ky, kx, :, oy, ox, :] = x[:, iy, ix, :]
    return result


def convolve(x, weights, out, stride, pad, dilation):
    """Sums of x [N, H, W, C] and weights [O, kh, kw, I], zero points subtracted."""
    o, kh, kw, i = weights.shape
    groups = x.shape[3] // i
    taps = windows(x, (kh, kw), out, stride, pad, dilation, 0)
    parts = []
    for group in range(groups):
        of_x = taps[..., group * i:(group + 1) * i]
        of_w = weights[group * (o // groups):(group + 1) * (o // groups)]
        parts.append(np.einsum("klnyxi,okli->nyxo", of_x, of_w))
    return np.concatenate(parts, axis=3)


def depthwise(x, weights, out, stride, pad, dilation):
    """Sums of x [N, H, W, C] and weights [1, kh, kw, C * m], zero points subtracted."""
    taps = windows(x, weights.shape[1:3], out, stride, pad, dilation, 0)
    times = weights.shape[3] // x.shape[3]
    return np.einsum("klnyxo,klo->nyxo", np.repeat(taps, times, axis=5), weights[0])


def pool(x, kind, kernel, out, stride, pad, signed):
    marker = 10**6
    taps = windows(x, kernel, out, stride, pad, (1, 1), marker)
    flat = taps.reshape(-1, *taps.shape[2:])
    inside = flat != marker
    if kind == "max":
        return np.where(inside, flat, -marker).max(axis=0)
    sums = np.where(inside, flat, 0).sum(axis=0)
    count = inside.sum(axis=0)
    if signed:
        return np.sign(sums) * ((np.abs(sums) + count // 2) // count)
    return (sums + count // 2) // count


# Functions: Python integers, one at a time --------------------------------------------------------------


def multiply(a, b):
    return int(high_multiply(a, b))


def down(x, exponent):
    return int(shift_down(x, exponent))


def saturate(x):
    return max(-2**31, min(ONE, x))


def half_sum(a, b):
    total = a + b
    return (total + 1) // 2 if total >= 0 else -((1 - total) // 2)


def exp(a, bits):
    if a == 0:
        return ONE
    fraction = 31 - bits
    quarter = 2**(fraction - 2)
    rest = a % quarter - quarter
    x = saturate(rest * 2**bits) + 2**28
    x2 = multiply(x, x)
    x3 = multiply(x2, x)
    x4 = multiply(x2, x2)
    u = down(multiply(down(x4, 2) + x3, 715827883) + x2, 1)
    result = 1895147668 + multiply(1895147668, x + u)
    factors = {-2: 1672461947, -1: 1302514674, 0: 790015084, 1: 290630308, 2: 39332535, 3: 720401, 4: 242}
    for exponent, factor in factors.items():
        if bits > exponent and (rest - a) // 2**(fraction + exponent) % 2:
            result = multiply(result, factor)
    return result


def newton(a):
    half = half_sum(a, ONE)
    x = 1515870810 + multiply(half, -1010580540)
    for _ in range(3):
        x += saturate(multiply(x, 2**29 - multiply(half, x)) * 4)
    return x


def reciprocal(a):
    return saturate(newton(a) * 2)


def logistic(f):
    if f == 0:
        return 2**30
    p = reciprocal(exp(-abs(f), 4))
    return p if f > 0 else ONE - p


def tanh(f):
    if f == 0:
        return 0
    t = saturate((newton(exp(-abs(f), 5)) - 2**29) * 4)
    return t if f > 0 else -t


def curve(x, zero, multiplier, shift, which):
    """logistic or tanh of one number, as a signed result."""
    radius = 15 * 2**27 // 2**shift
    d = x - zero
    if abs(d) >= radius:
        return -128 if d < 0 else 127
    f = int(scale(d, multiplier, shift))
    y = down(logistic(f), 23) - 128 if which == "logistic" else down(tanh(f), 24)
    return max(-128, min(127, y))


def softmax_row(row, multiplier, shift):
    """One row, from 0 on; None where the reference stops."""
    least = -(31 * 2**26 // 2**shift)
    top = max(row)
    terms = [exp(multiply((x - top) * 2**shift, multiplier), 5) if x - top >= least else None for x in row]
    total = sum(down(e, 12) for e in terms if e is not None)
    if total >= 2**28:
        return None
    zeros = 32 - total.bit_length()
    r = reciprocal(total * 2**zeros - 2**31)
    return [0 if e is None else max(0, min(255, down(multiply(r, e), 12 - zeros + 31 - 8))) for e in terms]


def resize_axis(size, out, align, half):
    """(lower, upper, fraction) for each output position."""
    step = (1024 * (size - 1) + (out - 1) // 2) // (out - 1) if align and out > 1 else (1024 * size + out // 2) // out
    for i in range(out):
        position = i * step + (step // 2 - 512 if half else 0)
        lower = min(max(position // 1024, 0), size - 1)
        upper = min(-(-position // 1024) if position > 0 else 0, size - 1)
        yield lower, upper, position - 1024 * lower


def resize(x, out, align, half):
    rows = list(resize_axis(x.shape[1], out[0], align, half))
    cols = list(resize_axis(x.shape[2], out[1], align, half))
    result = np.zeros((x.shape[0], *out, x.shape[3]), dtype=np.int64)
    for oy, (y0, y1, fy) in enumerate(rows):
        for ox, (x0, x1, fx) in enumerate(cols):
            total = ((1024 - fy) * (1024 - fx) * x[:, y0, x0] + (1024 - fy) * fx * x[:, y0, x1] +
                     fy * (1024 - fx) * x[:, y1, x0] + fy * fx * x[:, y1, x1])
            result[:, oy, ox] = np.where(total > 0, (total + 2**19) // 2**20, -((-total + 2**19) // 2**20))
    return result


def mean(x, zero, multiplier, shift):
    count = x.shape[1] * x.shape[2]
    bits = min(count.bit_length() - 1, 32, 31 + shift)
    total = x.sum(axis=(1, 2), keepdims=True) - zero * count
    return scale(total, (multiplier << bits) // count, shift - bits)
