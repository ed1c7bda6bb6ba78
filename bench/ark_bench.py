#!/usr/bin/env python3
"""ark_bench.py HOIST [--small] [--rounds N] [--only TEXT]: ARK models against PyTorch on the same cores.

Each row is a model that is made here (examples/ark/make.py) and the same computation in PyTorch: both get the
same random inputs, run alternately in this process with as many threads each, and their outputs are compared.
The medians of the wall times give torch / ours; beside it is what is wanted and, in brackets, the goal. PyTorch
runs eager, in fresh memory and, where a row says `out=`, in its own preallocated memory; OpenMP waits passively
and malloc keeps its memory, so that neither side pays for the other's threads or for fresh pages. Exits with 1
when a figure that is wanted is missed or outputs differ; says so and ends without PyTorch.

HOIST is the command of a release build, whose libhoist.so is two folders above it. --small: sizes for a try.
"""
import argparse
import ctypes
import json
import os
import pathlib
import statistics
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "examples/ark"))
from make import Model  # noqa: E402

THREADS = min(2, os.cpu_count() or 1)
ENVIRONMENT = {"OMP_WAIT_POLICY": "PASSIVE", "OMP_NUM_THREADS": str(THREADS), "MALLOC_TRIM_THRESHOLD_": str(2**36),
               "MALLOC_MMAP_THRESHOLD_": str(2**36), "MALLOC_TOP_PAD_": str(2**28)}
FOREVER = -1.0


# Ours -----------------------------------------------------------------------------------------------

class Bytes(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("size", ctypes.c_size_t)]


class Options(ctypes.Structure):
    """hoist_session_options."""
    _fields_ = [("struct_size", ctypes.c_size_t), ("alloc", ctypes.c_void_p * 2), ("threads", ctypes.c_uint32),
                ("sequential", ctypes.c_bool), ("max_memory", ctypes.c_uint64), ("max_steps", ctypes.c_uint64),
                ("command_slots", ctypes.c_uint32), ("binary_slots", ctypes.c_uint32), ("preload", ctypes.c_bool),
                ("max_cpu_level", ctypes.c_uint32), ("schedule", ctypes.c_int), ("seed", ctypes.c_uint64),
                ("on_unknown", ctypes.c_int), ("on_opaque", ctypes.c_void_p), ("on_opaque_self", ctypes.c_void_p),
                ("deadline", ctypes.c_void_p), ("no_fusion", ctypes.c_bool), ("comm", ctypes.c_void_p),
                ("reads", ctypes.POINTER(ctypes.c_char_p)), ("read_count", ctypes.c_size_t),
                ("on_undefined", ctypes.c_int)]


class LowerOptions(ctypes.Structure):
    """The first fields of hoist_lower_options."""
    _fields_ = [("struct_size", ctypes.c_size_t), ("numerics", ctypes.c_int), ("queue_mode", ctypes.c_int)]


NUMERICS = {"reference": 0, "fast": 3}  # hoist_numerics


class Hoist:
    """A session of a model whose caller reads `output`, by the public interface of the library."""

    def __init__(self, library, model, output, numerics):
        self.library = library
        self.job, self.program, self.session = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            file.write(model.text())
            file.flush()
            self.call("hoist_job_open", file.name.encode(), None, None, ctypes.byref(self.job))
            options = LowerOptions(ctypes.sizeof(LowerOptions), NUMERICS[numerics], 0)
            self.call("hoist_job_lower", self.job, ctypes.byref(options), None, ctypes.byref(self.program))
        self.reads = (ctypes.c_char_p * 1)(output.encode())  # else values between steps would be kept, too
        self.options = Options(struct_size=ctypes.sizeof(Options), threads=THREADS, reads=self.reads, read_count=1)
        self.call("hoist_session_open", self.program, ctypes.byref(self.options), None, ctypes.byref(self.session))

    def call(self, name, *values):
        status = getattr(self.library, name)(*values)
        if status:
            sys.exit(f"ark_bench.py: {name} has ended with the status {status}")

    def dtype(self, tensor):
        code = {4: b"f32", 2: b"bf16"}[tensor.element_size()]
        return self.library.hoist_dtype_find(Bytes(ctypes.cast(code, ctypes.c_void_p), len(code)))

    def transfer(self, function, port, tensor):
        data = Bytes(tensor.data_ptr(), tensor.numel() * tensor.element_size())
        self.call(function, self.session, port.encode(), ctypes.c_uint32(0), self.dtype(tensor), data)

    def write(self, port, tensor):
        self.transfer("hoist_session_write", port, tensor)

    def read(self, port, tensor):
        self.transfer("hoist_session_read", port, tensor)

    def run(self):
        self.call("hoist_session_run", self.session, b"run", None, 0)
        self.call("hoist_session_wait_idle", self.session, ctypes.c_double(FOREVER))

    def close(self):
        self.library.hoist_session_close(self.session)
        self.library.hoist_program_destroy(self.program)
        self.library.hoist_job_close(self.job)


# Models ---------------------------------------------------------------------------------------------

class Graph(Model):
    """A model of one type, by operators as formulas have them."""

    def __init__(self, dtype="FP32"):
        super().__init__()
        self.dtype, self.inputs = dtype, []

    def input(self, *shape, scale=1.0):
        """Filled by its buffer: of a tensor of which only parts are read the model knows nothing else."""
        tensor = self.tensor(list(shape), dtype=self.dtype)
        self.inputs.append((f"buffer:{tensor['Buffer']['Id']}", shape, scale))
        return tensor

    def make(self, kind, reads, shape, args=None):
        return self.op(kind, kind.lower(), reads, [self.tensor(shape, dtype=self.dtype)], args)

    def unary(self, kind, x):
        return self.make(kind, [x], x["Shape"])

    def scalar(self, kind, x, factor):
        return self.make(kind, [x], x["Shape"], {"Factor": {"FLOAT": factor}})

    def binary(self, kind, x, y):
        return self.make(kind, [x, y], [max(a, b) for a, b in zip(x["Shape"], y["Shape"])])

    def matmul(self, x, y, transposed=False):
        shape = [*x["Shape"][:-1], y["Shape"][-2 if transposed else -1]]
        flags = {"TransposeInput": {"BOOL": False}, "TransposeOther": {"BOOL": transposed}}
        return self.make("Matmul", [x, y], shape, flags)

    def reduce(self, kind, x, axis, keep=True):
        shape = list(x["Shape"])
        shape[axis:axis + 1] = [1] if keep else []
        return self.make(kind, [x], shape, {"Axis": {"INT": axis}, "KeepDim": {"BOOL": keep}})

    def view(self, x, shape):
        """The same memory in another shape; the producer stays known by the node that reads it."""
        result = self.tensor(shape, x["Buffer"], self.dtype)
        if x["Id"] in self.producers:
            self.producers[result["Id"]] = self.producers[x["Id"]]
        return result

    def part(self, x, offsets, shape):
        result = self.view(x, shape)
        result.update(Strides=x["Shape"], Offsets=offsets)
        return result

    def transpose(self, x, order):
        return self.make("Transpose", [x], [x["Shape"][i] for i in order], {"Permutation": {"DIMS": order}})

    def swiglu(self, x, gate, up, down):
        g = self.matmul(x, gate, True)
        return self.matmul(self.binary("Mul", self.binary("Mul", g, self.unary("Sigmoid", g)), self.matmul(x, up, True)),
                           down, True)

    def softmax(self, x, axis):
        e = self.unary("Exp", self.binary("Sub", x, self.reduce("ReduceMax", x, axis)))
        return self.binary("Div", e, self.reduce("ReduceSum", e, axis))

    def rms_norm(self, x, weights):
        mean = self.reduce("ReduceMean", self.binary("Mul", x, x), len(x["Shape"]) - 1)
        return self.binary("Mul", self.binary("Mul", x, self.unary("Rsqrt", self.scalar("ScalarAdd", mean, 1e-5))), weights)

    def layer_norm(self, x, axis):
        centred = self.binary("Sub", x, self.reduce("ReduceMean", x, axis))
        variance = self.reduce("ReduceMean", self.binary("Mul", centred, centred), axis)
        return self.binary("Mul", centred, self.unary("Rsqrt", self.scalar("ScalarAdd", variance, 1e-5)))


class Row:
    """A comparison: the model with its output, what PyTorch computes, and torch / ours as wanted (0: as it is) and as a
    goal; of numerics fast only on a CPU that has instructions for them."""

    def __init__(self, name, graph, output, peer, wanted=0, goal=None, out=False, numerics="reference"):
        self.name = f"{name}, fast" if numerics == "fast" else name
        self.graph, self.output, self.peer = graph, output, peer
        self.wanted, self.goal, self.out, self.numerics = wanted, goal, out, numerics


def products(torch, small):
    tokens, width, hidden = (64, 256, 688) if small else (512, 4096, 11008)
    kinds = (("FP32", "reference", 0.95, 1.1), ("BF16", "reference", 0, None), ("BF16", "fast", 1.0, 1.5))
    for dtype, numerics, wanted, goal in kinds:
        g = Graph(dtype)
        x = g.input(tokens, width)
        weights = [g.input(*shape, scale=0.02) for shape in ((hidden, width), (hidden, width), (width, hidden))]

        def ffn(x, gate, up, down):
            return (torch.nn.functional.silu(x @ gate.T) * (x @ up.T)) @ down.T
        yield Row(f"FFN {tokens}x{width}x{hidden} {dtype}", g, g.swiglu(x, *weights), ffn, wanted, goal,
                  numerics=numerics)
    shapes = [("tall GEMM", 16 * tokens, width // 8, width // 8), ("wide GEMM", tokens // 8, width, hidden)]
    for name, m, k, n in shapes + [(f"batch {b}", b, width, hidden) for b in (1, 2, 4, 8, 16)]:
        few = name.startswith("batch")
        for dtype, numerics in (("FP32", "reference"), ("BF16", "fast")):
            g = Graph(dtype)
            y = g.matmul(g.input(m, k), g.input(n, k, scale=0.02), True)
            wanted = (1.2 if few else 0.95, 2.0 if few else 1.1) if dtype == "FP32" else ()
            yield Row(f"{name} {m}x{k}x{n} {dtype}", g, y, lambda x, w: x @ w.T, *wanted, numerics=numerics)


def layer(torch, small):
    tokens, width, hidden, heads = (32, 128, 344, 4) if small else (512, 4096, 11008, 32)
    size = width // heads
    g = Graph()
    x, mask = g.input(tokens, width), g.input(1, tokens, tokens)
    norms = [g.input(1, width), g.input(1, width)]
    square = [g.input(width, width, scale=0.02) for _ in range(4)]
    ffn = [g.input(*shape, scale=0.02) for shape in ((hidden, width), (hidden, width), (width, hidden))]

    def split(t):
        return g.transpose(g.view(t, [tokens, heads, size]), [1, 0, 2])
    normed = g.rms_norm(x, norms[0])
    q, k, v = (split(g.matmul(normed, w, True)) for w in square[:3])
    scores = g.binary("Add", g.scalar("ScalarMul", g.matmul(q, k, True), size ** -0.5), mask)
    joined = g.view(g.transpose(g.matmul(g.softmax(scores, 2), v), [1, 0, 2]), [tokens, width])
    x2 = g.binary("Add", x, g.matmul(joined, square[3], True))
    y = g.binary("Add", x2, g.swiglu(g.rms_norm(x2, norms[1]), *ffn))

    def rms(x, w):
        return x * torch.rsqrt((x * x).mean(-1, keepdim=True) + 1e-5) * w

    def peer(x, mask, n1, n2, wq, wk, wv, wo, gate, up, down):
        h = rms(x, n1)
        q, k, v = ((h @ w.T).view(tokens, heads, size).transpose(0, 1) for w in (wq, wk, wv))
        p = torch.softmax(q @ k.transpose(1, 2) * size ** -0.5 + mask, -1)
        x2 = x + (p @ v).transpose(0, 1).reshape(tokens, width) @ wo.T
        h = rms(x2, n2)
        return x2 + (torch.nn.functional.silu(h @ gate.T) * (h @ up.T)) @ down.T
    yield Row(f"layer {tokens}x{width}, {heads} heads FP32", g, y, peer, 0.95, 1.1)


def chains(torch, small):
    edge = 256 if small else 4096
    g = Graph()
    x, y = g.input(edge, edge), g.input(edge, edge)
    a = g.binary("Mul", g.binary("Add", x, y), x)
    a = g.scalar("ScalarAdd", g.scalar("ScalarMul", a, 0.5), 0.25)
    a = g.binary("Mul", g.unary("Sigmoid", a), a)
    a = g.unary("Relu", g.binary("Sub", a, y))
    a = g.unary("Sqrt", g.scalar("ScalarAdd", a, 1.0))
    a = g.unary("Exp", g.scalar("ScalarMul", a, -1.0))
    a = g.binary("Add", a, x)

    def eager(x, y):
        a = ((x + y) * x) * 0.5 + 0.25
        a = torch.relu(torch.sigmoid(a) * a - y)
        return torch.exp(torch.sqrt(a + 1.0) * -1.0) + x
    a0, a1 = torch.empty(edge, edge), torch.empty(edge, edge)

    def preallocated(x, y):
        torch.add(x, y, out=a0), torch.mul(a0, x, out=a0), torch.mul(a0, 0.5, out=a0), torch.add(a0, 0.25, out=a0)
        torch.sigmoid(a0, out=a1), torch.mul(a1, a0, out=a0), torch.sub(a0, y, out=a0), torch.clamp_min(a0, 0, out=a0)
        torch.add(a0, 1.0, out=a0), torch.sqrt(a0, out=a0), torch.mul(a0, -1.0, out=a0), torch.exp(a0, out=a0)
        return torch.add(a0, x, out=a0)
    yield Row(f"13 ops {edge}x{edge}, eager", g, a, eager, 6.0, 10.0)
    yield Row(f"13 ops {edge}x{edge}, out=", g, a, preallocated, 1.8, 3.0)


def norms(torch, small):
    rows, columns = (128, 64) if small else (16384, 1024)

    def softmax(x):
        e = torch.exp(x - x.max(1, keepdim=True).values)
        return e / e.sum(1, keepdim=True)

    def layer_norm(x):
        c = x - x.mean(1, keepdim=True)
        return c * torch.rsqrt((c * c).mean(1, keepdim=True) + 1e-5)
    fused = {"softmax": lambda x: torch.softmax(x, 1),
             "layernorm": lambda x: torch.nn.functional.layer_norm(x, (columns,))}
    for name, peer in (("softmax", softmax), ("layernorm", layer_norm)):
        g = Graph()
        x = g.input(rows, columns)
        y = g.softmax(x, 1) if name == "softmax" else g.layer_norm(x, 1)
        yield Row(f"{name} {rows}x{columns}, decomposed", g, y, peer, 5.0, 8.0)
        yield Row(f"{name} {rows}x{columns}, torch's own", g, y, fused[name], 1.5, 3.0)


def reductions(torch, small):
    shape = (4, 32, 64) if small else (64, 512, 1024)
    peers = {"ReduceSum": torch.sum, "ReduceMean": torch.mean, "ReduceMax": torch.amax}
    for kind, peer in peers.items():
        for axis in range(3):
            g = Graph()
            y = g.reduce(kind, g.input(*shape), axis, keep=False)
            yield Row(f"{kind} axis {axis} of {'x'.join(map(str, shape))}", g, y,
                      lambda x, peer=peer, axis=axis: peer(x, dim=axis), 1.2)


def movements(torch, small):
    edge = 256 if small else 4096
    for kind, peer in (("Add", torch.add), ("Sub", torch.sub), ("Mul", torch.mul), ("Div", torch.div)):
        g = Graph()
        yield Row(f"{kind} {edge}x{edge} and a row", g, g.binary(kind, g.input(edge, edge), g.input(1, edge)), peer, 2.0)
    g = Graph()
    yield Row(f"Add a column and a row {edge}", g, g.binary("Add", g.input(edge, 1), g.input(1, edge)), torch.add, 2.0)
    half = edge // 2
    g = Graph()
    x = g.input(edge, edge)
    parts = [g.part(x, [half // 2, half // 2 * k], [half, half]) for k in (0, 2)]
    yield Row(f"Add views {half}x{half} of {edge}x{edge}", g, g.make("Add", parts, [half, half]),
              lambda x: x[half // 2:half // 2 + half, :half] + x[half // 2:half // 2 + half, half:], 2.0)
    g = Graph()
    yield Row(f"Transpose {edge}x{edge}", g, g.transpose(g.input(edge, edge), [1, 0]), lambda x: x.T.contiguous(), 2.0)


# Measuring ------------------------------------------------------------------------------------------

def timed(run):
    before = time.perf_counter()
    result = run()
    return time.perf_counter() - before, result


def measure(torch, library, row, rounds):
    """Medians of ours and of PyTorch's times, and whether the outputs agree."""
    dtype = torch.bfloat16 if row.graph.dtype == "BF16" else torch.float32
    torch.manual_seed(1)
    inputs = [((torch.rand(shape) * 2 - 1) * scale).to(dtype) for _, shape, scale in row.graph.inputs]
    ours = Hoist(library, row.graph, str(row.output["Id"]), row.numerics)
    for (port, _, _), tensor in zip(row.graph.inputs, inputs):
        ours.write(port, tensor)
    expected = row.peer(*inputs)
    ours.run()
    found = torch.empty_like(expected, memory_format=torch.contiguous_format)
    ours.read(str(row.output["Id"]), found)
    scale = expected.float().abs().mean().item() + 1e-6
    error = (found.float() - expected.float()).abs().max().item() / scale
    del expected, found
    mine, theirs = [], []
    for _ in range(rounds):
        mine.append(timed(ours.run)[0])
        theirs.append(timed(lambda: row.peer(*inputs))[0])
    ours.close()
    return statistics.median(mine), statistics.median(theirs), error < (0.2 if dtype == torch.bfloat16 else 1e-2)


def load(command):
    path = pathlib.Path(command).resolve().parent.parent.parent / "libhoist.so"
    library = ctypes.CDLL(str(path))
    library.hoist_dtype_find.argtypes = [Bytes]
    library.hoist_fast_products.restype = ctypes.c_char_p
    for name in ("hoist_session_close", "hoist_program_destroy", "hoist_job_close"):
        getattr(library, name).restype = None
    return library


def compare(torch, library, args):
    missed = 0
    fast = library.hoist_fast_products()
    print(f"fast products: {fast.decode() if fast else 'none'}")
    print(f"{'model':44} {'ours':>9} {'torch':>9} {'torch/ours':>10}  wanted (goal)")
    for family in (products, layer, chains, norms, reductions, movements):
        for row in family(torch, args.small):
            if args.only not in row.name:
                continue
            mine, theirs, agree = measure(torch, library, row, args.rounds)
            ratio = theirs / mine
            wanted = 0 if row.numerics == "fast" and not fast else row.wanted
            short = ratio < wanted
            missed += short or not agree
            goal = f" ({row.goal:g})" if row.goal else ""
            print(f"{row.name:44} {mine * 1e3:6.2f} ms {theirs * 1e3:6.2f} ms {ratio:10.2f}  {f'{wanted:g}{goal}' if wanted else '-'}"
                  f"{' short' if short else ''}{'' if agree else ' DIFFERS'}", flush=True)
    return missed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("hoist")
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    if any(os.environ.get(name) != value for name, value in ENVIRONMENT.items()):
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, **ENVIRONMENT})
    try:
        import torch
    except ImportError:
        print("skipped: no PyTorch (python3-torch)")
        return 0
    torch.set_num_threads(THREADS)
    print(f"{THREADS} threads, medians of {args.rounds}, load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    with torch.no_grad():
        missed = compare(torch, load(args.hoist), args)
    # The small sizes are for trying the script.
    return 1 if missed and not args.small else 0


if __name__ == "__main__":
    sys.exit(main())
