#!/usr/bin/env python3
"""move_numpy.py LIBRARY [LEVEL [NAME]]: moves between views of four dimensions, against numpy's assignment.

Both sides run alternately in this process on the same arrays, one thread; the least CPU times of
ROUNDS are compared, and the results. Wanted is WANT times numpy's speed. Where numpy takes less
than WANT plain copies of as many bytes, memcpy itself is not that fast: there LEAST of memcpy's
speed is wanted, and the line says so. Exits with 1 when either is missed. With NAME only the cases
whose line has it.
"""

import ctypes
import sys
import time

import numpy as np

WANT = 3.0   # times numpy's speed
LEAST = 0.5  # of memcpy's, where that is less than WANT times numpy's
ROUNDS = 15
SMALL, LARGE = 16, 64  # four dimensions of this: 256 KiB and 64 MiB of float32


class Array(ctypes.Structure):
    """bench_array of move_peer.h."""
    _fields_ = [("dtype", ctypes.c_char_p), ("memory", ctypes.c_void_p), ("size", ctypes.c_int64),
                ("offset", ctypes.c_int64), ("rank", ctypes.c_int64),
                ("shape", ctypes.c_int64 * 8), ("stride", ctypes.c_int64 * 8)]


def array_of(root, view, dtype):
    start = root.__array_interface__["data"][0]
    first = view.__array_interface__["data"][0]
    return Array(dtype.encode(), start, root.nbytes, first - start, view.ndim,
                 (ctypes.c_int64 * 8)(*view.shape), (ctypes.c_int64 * 8)(*view.strides))


# hoist's name of the type: numpy's type of the same bytes.
TYPES = {"f32": np.float32, "f16": np.float16, "bf16": np.uint16, "u8": np.uint8, "i32": np.int32,
         "i8": np.int8}


def assign(to, source, to_type, from_type):
    """numpy's way, with its integers where it has no type."""
    if to_type == "bf16" and from_type == "f32":
        bits = source.view(np.uint32)
        to[...] = (bits + (0x7fff + ((bits >> 16) & 1))) >> 16
    elif from_type == "bf16" and to_type == "f32":
        np.left_shift(source, 16, out=to.view(np.uint32), dtype=np.uint32)
    elif to_type == "i8":
        to[...] = np.clip(np.rint(source), -128, 127)  # what hoist does: nearest, saturating
    else:
        to[...] = source


def whole(a):
    return a


def turned(*axes):
    return lambda a: a.transpose(axes)


def every_second(a):
    return a[..., ::2]


def window(a):
    return a[1:-1, 1:-1, 1:-1, :-4]


# name, type of the source, of the destination, the source as a view of a whole array
CASES = [
    ("axes 3 1 2 0", "f32", "f32", turned(3, 1, 2, 0)),
    ("axes 3 2 1 0", "f32", "f32", turned(3, 2, 1, 0)),
    ("axes 0 1 3 2", "f32", "f32", turned(0, 1, 3, 2)),
    ("axes 2 3 0 1", "f32", "f32", turned(2, 3, 0, 1)),
    ("axes 0 2 1 3", "f32", "f32", turned(0, 2, 1, 3)),
    ("every second", "f32", "f32", every_second),
    ("a window", "f32", "f32", window),
    ("a window", "f32", "bf16", window),
    ("a window", "bf16", "f32", window),
    ("a window", "f32", "f16", window),
    ("a window", "f16", "f32", window),
    ("a window", "u8", "f32", window),
    ("a window", "f32", "i8", window),
    ("axes 0 2 1 3", "f32", "bf16", turned(0, 2, 1, 3)),
    ("axes 0 2 1 3", "u8", "f32", turned(0, 2, 1, 3)),
    ("axes 3 1 2 0", "f32", "bf16", turned(3, 1, 2, 0)),
    ("axes 3 1 2 0", "u8", "f32", turned(3, 1, 2, 0)),
    ("all", "f32", "bf16", whole),
    ("all", "bf16", "f32", whole),
    ("all", "f32", "f16", whole),
    ("all", "u8", "f32", whole),
]


def seconds(run):
    start = time.thread_time()
    run()
    return time.thread_time() - start


def memcpy_seconds(size):
    """CPU time of a plain copy that moves `size` bytes in all, read and written."""
    a = np.zeros(size // 2, np.uint8)
    b = np.ones(size // 2, np.uint8)
    repeat = max(1, 2 ** 24 // size)

    def run():
        for _ in range(repeat):
            ctypes.memmove(a.ctypes.data, b.ctypes.data, a.size)

    return min(seconds(run) for _ in range(ROUNDS)) / repeat


def compare(library, level, case, edge):
    name, from_type, to_type, view_of = case
    source_root = np.random.default_rng(1).uniform(0, 100, edge ** 4).astype(np.float32)
    if from_type == "bf16":
        source_root = (source_root.view(np.uint32) >> 16).astype(np.uint16)
    else:
        source_root = source_root.astype(TYPES[from_type])
    source = view_of(source_root.reshape((edge,) * 4))
    ours = np.zeros(source.shape, TYPES[to_type])
    theirs = np.zeros(source.shape, TYPES[to_type])
    to = ctypes.byref(array_of(ours, ours, to_type))
    of = ctypes.byref(array_of(source_root, source, from_type))
    repeat = max(1, 2 ** 20 // source.size)

    def run():
        if library.bench_move(level, to, of, repeat) != 0:
            sys.exit("move_numpy.py: the move failed")

    def peer():
        for _ in range(repeat):
            assign(theirs, source, to_type, from_type)

    times = [(seconds(run) / repeat, seconds(peer) / repeat) for _ in range(ROUNDS)]
    if not np.array_equal(ours, theirs):
        sys.exit(f"move_numpy.py: other values than numpy's: {name} {from_type} to {to_type}")
    a = min(t[0] for t in times)
    b = min(t[1] for t in times)
    plain = memcpy_seconds(source.size * (source.itemsize + ours.itemsize))
    bound = b < WANT * plain
    wanted = f"want >= {WANT:g}"
    if bound:
        wanted += f", bound by memory: memcpy has {b / plain:.2f}x, want >= {LEAST:g} of that"
    print(f"{edge}^4 {from_type} to {to_type}, {name} vs numpy: {b / a:.2f}x ({wanted}); "
          f"{a / source.size * 1e9:.3f} ns against {b / source.size * 1e9:.3f} ns per element, "
          f"{plain / a:.2f} of memcpy's speed", flush=True)
    return b / a >= WANT or (bound and plain / a >= LEAST)


def main():
    library = ctypes.CDLL(sys.argv[1])
    level = (sys.argv[2] if len(sys.argv) > 2 else "x86-64-v3").encode()
    only = sys.argv[3] if len(sys.argv) > 3 else ""
    results = [compare(library, level, case, edge) for edge in (SMALL, LARGE) for case in CASES
               if only in f"{edge}^4 {case[1]} to {case[2]}, {case[0]}"]
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
