#!/usr/bin/env python3
"""ark_matmul_torch.py LIBRARY LEVEL [NAME]: products of matrices of the profile ark against peers.

PyTorch, and oneDNN and OpenBLAS where they are installed, run alternately with ours in this process,
on as many threads each; a line has the median times of ROUNDS and the peers' divided by ours: CPU
time of 1 thread, wall time of more. Ours adds in a fixed order, the same on every machine; the peers may add as they like. Rows with a wanted
ratio are compared with PyTorch on 2 threads. NAME: only the rows whose names have it. Exits with 1
when a wanted ratio is missed, with 77 without PyTorch.
"""

import ctypes
import os
import statistics
import sys
import time

ROUNDS = 7
LEAST_SECONDS = 0.02  # of one measurement
TYPES = ("float32", "bfloat16", "float16")


class Product(ctypes.Structure):
    """bench_product of ark_matmul_peer.h."""
    _fields_ = ([(name, ctypes.c_int64) for name in ("m", "n", "k", "is_transposed", "type", "is_fast")] +
                [(name, ctypes.c_void_p) for name in "aby"])


# name, m, k, n, b is stored as [n, k], type ("fast": bfloat16 by the profile fast), wanted ratio. The sizes are
# those of the layers of section 12.2 of the ARK reference: a feed-forward block of 4096 and 11008, heads of 128.
PRODUCTS = (
    ("wide, b [k, n]", 512, 4096, 11008, False, "float32", 0.95),
    ("wide, b [n, k]", 512, 4096, 11008, True, "float32", 0.95),
    ("deep, b [n, k]", 512, 11008, 4096, True, "float32", 0.95),
    ("square, b [n, k]", 512, 4096, 4096, True, "float32", 0.95),
    ("tall, b [k, n]", 8192, 1024, 64, False, "float32", 0.95),
    ("scores of a head", 512, 128, 512, True, "float32", 0.95),
    ("values of a head", 512, 512, 128, False, "float32", 0.95),
    ("1 row, b [k, n]", 1, 4096, 11008, False, "float32", 1.2),
    ("1 row, b [n, k]", 1, 4096, 11008, True, "float32", 1.2),
    ("4 rows, b [k, n]", 4, 4096, 11008, False, "float32", 1.2),
    ("4 rows, b [n, k]", 4, 4096, 11008, True, "float32", 1.2),
    ("16 rows, b [k, n]", 16, 4096, 11008, False, "float32", 1.2),
    ("16 rows, b [n, k]", 16, 4096, 11008, True, "float32", 1.2),
    ("wide, bf16", 512, 4096, 11008, True, "bfloat16", None),
    ("wide, f16", 512, 4096, 11008, True, "float16", None),
    ("1 row, bf16", 1, 4096, 11008, True, "bfloat16", None),
    ("16 rows, bf16", 16, 4096, 11008, True, "bfloat16", None),
    ("wide, fast", 512, 4096, 11008, True, "fast", None),
    ("wide, b [k, n], fast", 512, 4096, 11008, False, "fast", None),
    ("scores of a head, fast", 512, 128, 512, True, "fast", None),
    ("1 row, fast", 1, 4096, 11008, True, "fast", None),
    ("16 rows, fast", 16, 4096, 11008, True, "fast", None),
)


def library_of(names):
    """The first of these libraries that is there; None: none is."""
    for name in names:
        try:
            return ctypes.CDLL(name)
        except OSError:
            pass
    return None


def pointer(tensor):
    return ctypes.c_void_p(tensor.data_ptr())


def onednn_run(library, a, b, y, product):
    m, n, k = (ctypes.c_int64(x) for x in product[:3])
    is_transposed = product[3]
    step = k if is_transposed else n

    def run():
        library.dnnl_sgemm(ctypes.c_char(b"N"), ctypes.c_char(b"T" if is_transposed else b"N"),
                           m, n, k, ctypes.c_float(1), pointer(a), k, pointer(b), step,
                           ctypes.c_float(0), pointer(y), n)
    return run


def openblas_run(library, a, b, y, product):
    m, n, k, is_transposed = product
    row_major, plain, transposed = 101, 111, 112

    def run():
        library.cblas_sgemm(row_major, plain, transposed if is_transposed else plain, m, n, k,
                            ctypes.c_float(1), pointer(a), k, pointer(b), k if is_transposed else n,
                            ctypes.c_float(0), pointer(y), n)
    return run


class Ours:
    def __init__(self, library, level, matrices, product, type_name, is_fast):
        m, n, k, is_transposed = product
        self.library = library
        given = Product(m, n, k, int(is_transposed), TYPES.index(type_name), int(is_fast),
                        *[x.data_ptr() for x in matrices])
        self.job = library.bench_create(level, ctypes.byref(given))
        if not self.job:
            sys.exit("ark_matmul_torch.py: no such level, or no memory")

    def runner(self, threads):
        return lambda: self.library.bench_run(self.job, threads)

    def close(self):
        self.library.bench_destroy(self.job)


def seconds(run, repeat, clock):
    start = clock()
    for _ in range(repeat):
        run()
    return (clock() - start) / repeat


def medians(runs, clock):
    """Median seconds of each of some ways, run alternately."""
    repeats = []
    for run in runs:
        run()
        repeats.append(max(1, int(LEAST_SECONDS / seconds(run, 1, clock))))
    times = [[] for _ in runs]
    for _ in range(ROUNDS):
        for run, repeat, kept in zip(runs, repeats, times):
            kept.append(seconds(run, repeat, clock))
    return [statistics.median(kept) for kept in times]


def torch_run(torch, a, b, y, is_transposed):
    b = b.t() if is_transposed else b
    if a.dtype == torch.float16:  # it has no such product on CPUs: converted before it is timed
        a, b, y = a.float(), b.float(), y.float()
    return lambda: torch.matmul(a, b, out=y)


def compare(torch, ours, peers, level, row, threads):
    name, m, k, n, is_transposed, kind, want = row
    type_name = "bfloat16" if kind == "fast" else kind
    dtype = getattr(torch, type_name)
    a = torch.randn(m, k).to(dtype)
    b = torch.randn(*((n, k) if is_transposed else (k, n))).to(dtype)
    y, check = torch.zeros(m, n, dtype=dtype), torch.zeros(m, n, dtype=dtype)
    product = (m, n, k, is_transposed)
    job = Ours(ours, level, (a, b, y), product, type_name, kind == "fast")
    runs = [("ours", job.runner(threads)),
            ("PyTorch", torch_run(torch, a, b, check, is_transposed))]
    if type_name == "float32":
        runs += [(peer, make(library, a, b, check, product)) for peer, library, make in peers]
    times = medians([run for _, run in runs],
                    time.process_time if threads == 1 else time.perf_counter)
    job.close()
    exact = a.double() @ (b.t() if is_transposed else b).double() if m * n * k < 1 << 28 else None
    if exact is not None and not torch.allclose(y.double(), exact, rtol=2e-2, atol=k ** 0.5 / 50):
        sys.exit(f"ark_matmul_torch.py: {name}: wrong results")
    ratios = ", ".join(f"{time / times[0]:.2f}x {peer}" for (peer, _), time in
                       zip(runs[1:], times[1:]))
    wanted = f" (want >= {want:g})" if want and threads == 2 else ""
    print(f"{name:22} {threads} threads: {2e-9 * m * n * k / times[0]:6.1f} GFLOP/s, "
          f"{times[0] * 1e3:8.3f} ms: {ratios}{wanted}", flush=True)
    return not wanted or times[1] / times[0] >= want


def find_peers(threads):
    peers = []
    onednn = library_of(("libdnnl.so.3", "libdnnl.so.2"))
    openblas = library_of(("libopenblas.so.0",))
    for name, library, make in (("oneDNN", onednn, onednn_run), ("OpenBLAS", openblas, openblas_run)):
        if library:
            peers.append((name, library, make))
        else:
            print(f"{name} is left out: it is not installed")
    if openblas:
        openblas.openblas_set_num_threads(threads)
    return peers


def set_environment():
    """Before the libraries are loaded: threads that wait leave the cores to others' turns, and an
    OpenBLAS that is older than the CPU uses its vectors all the same."""
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    with open("/proc/cpuinfo", encoding="ascii", errors="replace") as info:
        if " avx512bw" in info.read():
            os.environ.setdefault("OPENBLAS_CORETYPE", "SkylakeX")


def main():
    set_environment()
    try:
        import torch
    except ImportError:
        print("ark_matmul_torch.py: needs python3-torch", file=sys.stderr)
        sys.exit(77)
    torch.set_grad_enabled(False)
    ours = ctypes.CDLL(sys.argv[1])
    ours.bench_create.restype = ctypes.c_void_p
    ours.bench_create.argtypes = [ctypes.c_char_p, ctypes.c_void_p]
    ours.bench_run.argtypes = [ctypes.c_void_p, ctypes.c_int]
    ours.bench_destroy.argtypes = [ctypes.c_void_p]
    part = sys.argv[3] if len(sys.argv) > 3 else ""
    print(f"level {sys.argv[2]}, PyTorch {torch.__version__}, load {os.getloadavg()[0]:.1f}")
    good = True
    for threads in (1, 2):
        torch.set_num_threads(threads)
        peers = find_peers(threads)
        for row in PRODUCTS:
            if part in row[0]:
                good &= compare(torch, ours, peers, sys.argv[2].encode(), row, threads)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
