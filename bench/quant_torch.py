#!/usr/bin/env python3
"""quant_torch.py LIBRARY [LEVEL]: 8-bit layers of MobileNet v1 against PyTorch's float32 ones.

Both sides run alternately in this process, with 1 and with 2 threads of the same OpenMP; the least
wall times of ROUNDS are compared, layer by layer and for the sum of all. PyTorch's time is that of
the convolution alone, in the layout that it is fastest with; ours has the requantisation and the
clamp in it. Its own 8-bit layers are shown too. Wanted is WANT times the speed of float32
for the sum with 2 threads (below a level with 8-bit dot products, which PyTorch does not keep to,
no less than its speed). Exits with 1 when that is missed, with 77 without PyTorch.
"""

import copy
import ctypes
import os
import sys
import time

WANT = 2.0
LEAST = 1.0
DOT_LEVELS = ("x86-64-v4-vnni", "x86-64-v4-bf16", "amx")
ROUNDS = 40
LEAST_SECONDS = 0.0003  # of one measurement


class Layer(ctypes.Structure):
    """bench_layer of quant_peer.h."""
    _fields_ = [(name, ctypes.c_int64) for name in
                ("is_depthwise", "edge", "channels", "outputs", "kernel", "stride")]


def mobilenet(width, edge):
    """Layers of MobileNet v1: (name, Layer)."""
    def scaled(channels):
        return int(channels * width)

    layers = [("conv", Layer(0, edge, 3, scaled(32), 3, 2))]
    edge //= 2
    channels = scaled(32)
    for outputs, stride in ((64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2), (512, 1),
                            (512, 1), (512, 1), (512, 1), (512, 1), (1024, 2), (1024, 1)):
        layers.append(("depthwise", Layer(1, edge, channels, channels, 3, stride)))
        edge //= stride
        layers.append(("pointwise", Layer(0, edge, channels, scaled(outputs), 1, 1)))
        channels = scaled(outputs)
    layers.append(("dense", Layer(0, 1, channels, 1001, 1, 1)))
    return layers


NETWORKS = [("MobileNet v1 0.25 at 128", mobilenet(0.25, 128)),
            ("MobileNet v1 1.0 at 224", mobilenet(1.0, 224))]


class Ours:
    def __init__(self, library, level, layers):
        self.library = library
        self.jobs = [library.bench_create(level, ctypes.byref(layer)) for layer in layers]
        if not all(self.jobs):
            sys.exit("quant_torch.py: no such level, or no memory")
        self.array = (ctypes.c_void_p * len(self.jobs))(*self.jobs)

    def run(self, threads, repeat):
        self.library.bench_run(self.array, len(self.jobs), threads, repeat)

    def close(self):
        for job in self.jobs:
            self.library.bench_destroy(job)


def float_layers(torch, layer):
    """Ways to a float32 convolution: both layouts of memory, and oneDNN's own with packed weights."""
    from torch.utils import mkldnn
    conv = torch.nn.Conv2d(layer.channels, layer.outputs, layer.kernel, layer.stride,
                           layer.kernel // 2,
                           groups=layer.channels if layer.is_depthwise else 1).eval()
    x = torch.randn(1, layer.channels, layer.edge, layer.edge)
    last = copy.deepcopy(conv).to(memory_format=torch.channels_last)
    ways = [(last, x.contiguous(memory_format=torch.channels_last)),
            (mkldnn.to_mkldnn(copy.deepcopy(conv)), x.to_mkldnn())]
    if torch.get_num_threads() > 1:  # alone it has a slow way of its own for this layout
        ways.append((conv, x))
    return ways


def dense_layer(torch, layer):
    return torch.nn.Linear(layer.channels, layer.outputs).eval(), torch.randn(1, layer.channels)


def int8_layer(torch, layer):
    """The same layer in PyTorch's own 8-bit arithmetic."""
    if layer.edge == 1 and layer.kernel == 1:
        module = torch.nn.quantized.Linear(layer.channels, layer.outputs)
        x = torch.randn(1, layer.channels)
    else:
        module = torch.nn.quantized.Conv2d(
            layer.channels, layer.outputs, layer.kernel, layer.stride, layer.kernel // 2,
            groups=layer.channels if layer.is_depthwise else 1)
        x = torch.randn(1, layer.channels, layer.edge, layer.edge)
        x = x.contiguous(memory_format=torch.channels_last)
    module.scale = 0.1
    return module, torch.quantize_per_tensor(x, 0.05, 3, torch.quint8)


def peers(torch, layer):
    """Ways in which PyTorch does a layer: lists of (module, input), by kind."""
    if layer.edge == 1 and layer.kernel == 1:
        floats = [dense_layer(torch, layer)]
    else:
        floats = float_layers(torch, layer)
    return {"float32": floats, "int8": [int8_layer(torch, layer)]}


def seconds(run, repeat):
    start = time.perf_counter()
    run(repeat)
    return (time.perf_counter() - start) / repeat


def repeats_of(run):
    run(1)
    once = min(seconds(run, 1) for _ in range(3))
    return max(1, int(LEAST_SECONDS / once))


def least(runs):
    """Least seconds of each of some ways, run alternately."""
    repeats = [repeats_of(run) for run in runs]
    times = [[] for _ in runs]
    for _ in range(ROUNDS):
        for run, repeat, kept in zip(runs, repeats, times):
            kept.append(seconds(run, repeat))
    return [min(kept) for kept in times]


def torch_run(module, x):
    def run(repeat):
        for _ in range(repeat):
            module(x)
    return run


def measure(torch, library, level, layer, threads):
    """Seconds of a layer: ours, float32, int8."""
    torch.set_num_threads(threads)
    ours = Ours(library, level, [layer])
    ways = peers(torch, layer)
    runs = [lambda repeat: ours.run(threads, repeat)]
    runs += [torch_run(*way) for kind in ("float32", "int8") for way in ways[kind]]
    times = least(runs)
    ours.close()
    floats = len(ways["float32"])
    return times[0], min(times[1:1 + floats]), min(times[1 + floats:])


def describe(name, layer):
    return (f"{name:9} {layer.edge:3}x{layer.edge:<3} {layer.channels:4} to {layer.outputs:4} "
            f"{layer.kernel}x{layer.kernel}/{layer.stride}")


def row(what, times):
    """One line: microseconds and ratios for each number of threads."""
    cells = [f"{ours * 1e6:8.1f} {f32 * 1e6:8.1f} {int8 * 1e6:8.1f} {f32 / ours:6.2f}x"
             for ours, f32, int8 in times]
    print(f"{what:40} {' |'.join(cells)}", flush=True)


def compare(torch, library, level, network):
    title, layers = network
    print(f"{title}; microseconds with 1 thread, with 2: ours, PyTorch float32, PyTorch int8; "
          "float32 / ours")
    sums = [[0.0] * 3, [0.0] * 3]
    known = {}
    for name, layer in layers:
        what = describe(name, layer)
        if what not in known:
            known[what] = [measure(torch, library, level, layer, n) for n in (1, 2)]
        row(what, known[what])
        for total, times in zip(sums, known[what]):
            for i in range(3):
                total[i] += times[i]
    row("sum", sums)
    ratio = sums[1][1] / sums[1][0]
    want = WANT if level.decode() in DOT_LEVELS else LEAST
    print(f"{title}, 8-bit layers vs PyTorch float32, 2 threads: {ratio:.2f}x (want >= {want:g}); "
          f"{sums[1][0] * 1e3:.2f} ms against {sums[1][1] * 1e3:.2f} ms; "
          f"1 thread: {sums[0][1] / sums[0][0]:.2f}x", flush=True)
    return ratio >= want


def load(path):
    library = ctypes.CDLL(path)
    library.bench_create.restype = ctypes.c_void_p
    library.bench_create.argtypes = [ctypes.c_char_p, ctypes.c_void_p]
    library.bench_run.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_int, ctypes.c_int]
    library.bench_destroy.argtypes = [ctypes.c_void_p]
    return library


def main():
    try:
        import torch
    except ImportError:
        print("quant_torch.py: needs python3-torch", file=sys.stderr)
        sys.exit(77)
    torch.set_grad_enabled(False)
    torch.backends.quantized.engine = "onednn"
    library = load(sys.argv[1])
    level = (sys.argv[2] if len(sys.argv) > 2 else "x86-64-v3").encode()
    print(f"level {level.decode()}, PyTorch {torch.__version__}, load {os.getloadavg()[0]:.1f}")
    sys.exit(0 if all([compare(torch, library, level, n) for n in NETWORKS]) else 1)


if __name__ == "__main__":
    main()
