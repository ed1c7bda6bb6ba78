#!/usr/bin/env python3
"""Models that were compiled for an Edge TPU, run by the layers that are recovered from them alone.

edgetpu_runs.py HOIST [--all] [MODEL...]

The outputs of every case of the vectors are those of TFLite's kernels for the model that was compiled (darwinn
reference section 16.8): byte for byte, and with --rounding float as near as the table says. The package alone, all cases
as one batch, and two files that are loaded together give the same, and so do all drivers. Every other compiled
model ends as its row says. Cases take turns in how they are run; --all runs each in all ways. Ends with 77
(skipped) without the corpus (HOIST_CORPUS, else ../shared/corpus).
"""
import itertools
import json
import pathlib
import struct
import subprocess
import sys
import tempfile
import urllib.parse

from tflite_runs import WAYS
from tflite_vectors import CORPUS, SKIPPED, VECTORS, arguments, bytes_of, entries, file_of, find

DRIVERS = ("none", "pcie", "usb", "usb-no-hints")

# The least percentage of equal bytes and the greatest difference with --rounding float.
FLOAT = {
    "dense_256": (100, 0),
    "dense_1024": (100, 0),
    "bright_16x16": (100, 0),
    "color_red_64x64": (100, 0),
    "looming_64x64_3x3": (100, 0),
    "split_concat": (100, 0),
    "gabor_64x64_p4": (95.8, 1),  # its pool: TFLite rounds averages of int8 numbers half away from zero
    "gabor_64x64_7k_4o_2s": (99.6, 1),
    "gabor_128x128_7k_4o_2s": (99.8, 1),
    "mobilenet_v1_0.25_128_quant": (96.4, 6),
    "mobilenet_v1_1.0_224_quant_embedding_extractor": (68, 10),
}

# What becomes of models without vectors, whole and their package alone: the rules that they are refused by; none:
# they run.
OTHERS = {
    "pairs/deeplabv3_mnv2_dm05_pascal_quant": ("", ""),
    "pairs/keras_lstm_mnist_ptq": ("RUN-032", "RUN-032"),
    "pairs/posenet_mobilenet_v1_075_353_481_16_quant_decoder": ("", ""),
    "compiled/deeplab_mobilenet_edgetpu_slim_cityscapes_quant": ("RUN-032", "RUN-032"),
    "compiled/mobilenet_v1_0.25_128_quant_cocompiled_with_3quant": ("", ""),
    "compiled/mobilenet_v1_0.25_128_quant_cocompiled_with_mobilenet_v1_0.5_160_quant": ("", ""),
    "compiled/mobilenet_v1_0.5_160_quant_cocompiled_with_mobilenet_v1_0.25_128_quant": ("", ""),
    "compiled/movenet_single_pose_lightning_ptq": ("RUN-032", "RUN-032"),
    "compiled/ssd_mobilenet_v1_coco_quant_postprocess_segment_0_of_4": ("", ""),
    "compiled/ssd_mobilenet_v1_coco_quant_postprocess_segment_1_of_4": ("", ""),
}

# Models without vectors whose source runs, too: in a batch, with operators on the CPU beside the package.
SOURCES = ["deeplabv3_mnv2_dm05_pascal_quant"]

# Models that end in an operator of float32, and its name: what is given to it is nearly what the source gives to it. The
# file has the factors in float32 only, so single steps grow, and how far depends on the input. Reference section 16.8 has 82
# to 96 % of equal bytes, at most 2 apart, for an input that it does not name. Here: a gradient, of 89 to 97 %, and noise
# (random:1 to random:5 have 68 to 95 %, at most 3 apart).
NEARLY = {"posenet_mobilenet_v1_075_353_481_16_quant_decoder": (b"PosenetDecoderOp", "sub_2", [1, 353, 481, 3], (82, 2),
                                                                 (65, 3))}

# Files with the layers of a model that has vectors: co-compiled ones, one with streamed parameters.
SAME = {
    "mobilenet_v1_0.25_128_quant": [
        "compiled/mobilenet_v1_0.25_128_quant_cocompiled_with_3quant",
        "compiled/mobilenet_v1_0.25_128_quant_cocompiled_with_mobilenet_v1_0.5_160_quant",
    ],
}


def run(hoist, words, inputs, options=()):
    """Outputs by name, as bytes; a string: what went wrong."""
    with tempfile.TemporaryDirectory() as out:
        command = [hoist, "run", *map(str, words), "-o", out, *options]
        for name, source in inputs.items():
            command += ["--input", f"{name}={source}"]
        done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=600)
        if done.returncode:
            return f"exit {done.returncode}: {done.stderr.strip()[:400]}"
        root = pathlib.Path(out)
        return {urllib.parse.unquote(str(path.relative_to(root)))[:-4]: bytes_of(path) for path in root.rglob("*.npy")}


def difference(found, wanted, is_signed):
    """Percentage of equal bytes, and the greatest difference."""
    kind = "b" if is_signed else "B"
    pairs = list(zip(struct.unpack(f"{len(found)}{kind}", found), struct.unpack(f"{len(wanted)}{kind}", wanted)))
    return 100 * sum(a == b for a, b in pairs) / len(pairs), max(abs(a - b) for a, b in pairs)


class Model:
    def __init__(self, hoist, entry):
        self.hoist, self.entry, self.name = hoist, entry, entry["model"]
        self.file = file_of(entry, compiled=True)
        self.folder = VECTORS / self.name
        self.bad = 0

    def inputs(self, case, prefix=""):
        return {prefix + port["name"]: f"@{self.folder / name}" for port, name in zip(self.entry["inputs"], case["inputs"])}

    def wanted(self, case):
        return [bytes_of(self.folder / name) for name in case["outputs"]]

    def report(self, what, wrong):
        if wrong:
            self.bad += 1
            print(f"{self.name} {what}: {wrong}")

    def judge(self, what, found, wanted, limits=(100, 0), prefix=""):
        """Compares what a run gave with what is wanted; the worst percentage and difference."""
        if isinstance(found, str):
            self.report(what, found)
            return 0, 255
        worst, most = 100, 0
        for port, data in zip(self.entry["outputs"], wanted):
            got = found.get(prefix + port["name"], b"")
            if len(got) != len(data):
                self.report(what, f"'{port['name']}' has {len(got)} bytes, expected {len(data)}")
                return 0, 255
            equal, steps = difference(got, data, port["dtype"] == "int8")
            worst, most = min(worst, equal), max(most, steps)
        if worst < limits[0] or most > limits[1]:
            self.report(what, f"{worst:.3f} % equal, greatest difference {most}")
        return worst, most

    def case_in_all_ways(self, case, ways):
        wanted = self.wanted(case)
        for way in ([*way, "--driver", driver] for way, driver in ways):
            found = run(self.hoist, [self.file], self.inputs(case), way)
            self.judge(f"{case['case']} {' '.join(way)}", found, wanted)
        for other in SAME.get(self.name, []):
            found = run(self.hoist, [CORPUS / "darwinn" / f"{other}_edgetpu.tflite"], self.inputs(case))
            self.judge(f"{case['case']} {other}", found, wanted)
        found = run(self.hoist, [self.file], self.inputs(case), ["--rounding", "float"])
        return self.judge(f"{case['case']} --rounding float", found, wanted, FLOAT[self.name])

    def package_alone(self, case):
        """Its input layers may have another shape, so they are given plain bytes."""
        with tempfile.TemporaryDirectory() as folder:
            package = carve(self.hoist, self.file, folder)
            inputs = {}
            for i, port in enumerate(self.entry["inputs"]):
                path = pathlib.Path(folder) / f"{i}.raw"
                path.write_bytes(bytes_of(self.folder / case["inputs"][i]))
                inputs[port["name"]] = f"@{path}"
            found = run(self.hoist, [package], inputs, ["--format", "darwinn"])
            self.judge("package alone", found, self.wanted(case))

    def batch(self, driver):
        """All cases in one run."""
        cases = self.entry["cases"]
        with tempfile.TemporaryDirectory() as folder:
            inputs = {}
            for i, port in enumerate(self.entry["inputs"]):
                path = pathlib.Path(folder) / f"{i}.npy"
                save(path, [port["shape"][0] * len(cases), *port["shape"][1:]],
                     b"".join(bytes_of(self.folder / case["inputs"][i]) for case in cases))
                inputs[port["name"]] = f"@{path}"
            found = run(self.hoist, [self.file], inputs, ["--batch", str(len(cases)), "--driver", driver])
        self.judge(f"batch {driver}", found, [b"".join(parts) for parts in zip(*map(self.wanted, cases))])

    def together(self, other):
        """The model beside another one, and alone of both."""
        case = self.entry["cases"][0]
        files = [other.file, self.file]
        inputs = {**other.inputs(other.entry["cases"][0], f"{other.file.stem}/"), **self.inputs(case, f"{self.file.stem}/")}
        found = run(self.hoist, files, inputs)
        self.judge("together", found, self.wanted(case), prefix=f"{self.file.stem}/")
        other.judge("together", found, other.wanted(other.entry["cases"][0]), prefix=f"{other.file.stem}/")
        # Where a driver remembers whose parameters are on the chip there is one program for all.
        found = run(self.hoist, files, inputs, ["--program", self.file.stem, "--driver", "none"])
        self.judge("one of two", found, self.wanted(case), prefix=f"{self.file.stem}/")


def carve(hoist, file, folder):
    """The custom_options of the only operator of a file, as a file."""
    done = subprocess.run([hoist, "info", "--json", file], check=True, capture_output=True, timeout=60)
    payload = find(json.loads(done.stdout), "payloads")[0]
    path = pathlib.Path(folder) / "package.bin"
    path.write_bytes(file.read_bytes()[payload["offset"]:][:payload["size_bytes"]])
    return path


def save(path, shape, data):
    head = f"{{'descr': '|u1', 'fortran_order': False, 'shape': ({', '.join(map(str, shape))},), }}".encode()
    head += b" " * (-(len(head) + 11) % 64) + b"\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head + data)


def judge_model(model, every_way):
    least, most = 100, 0
    for number, case in enumerate(model.entry["cases"]):
        ways = itertools.product(WAYS, DRIVERS) if every_way else zip(WAYS, DRIVERS)
        ways = [way for turn, way in enumerate(ways) if every_way or turn % len(model.entry["cases"]) == number]
        equal, steps = model.case_in_all_ways(case, ways)
        least, most = min(least, equal), max(most, steps)
    model.package_alone(model.entry["cases"][0])
    for driver in DRIVERS:
        model.batch(driver)
    print(f"{model.name}: {'wrong' if model.bad else '100 %'}, with float {least:.2f} % and at most {most}")
    return model.bad


def judge_other(hoist, name, rules):
    """A model without vectors and its package run, or are refused by these rules and no others."""
    file = CORPUS / "darwinn" / f"{name}_edgetpu.tflite"
    with tempfile.TemporaryDirectory() as folder:
        package = carve(hoist, file, folder)
        return sum(judge_file(hoist, words, name, wanted) for words, wanted in
                   zip(([file], ["--format", "darwinn", package]), rules))


def judge_file(hoist, words, name, rules):
    done = subprocess.run([hoist, "run", "-q", "-i", "*=random:1", *words], check=False, capture_output=True, text=True,
                          timeout=600)
    found = sorted({line.rsplit("[", 1)[1][:-1] for line in done.stderr.splitlines() if ": error:" in line})
    if " ".join(found) == rules and done.returncode == (4 if rules else 0):
        return 0
    print(f"{name}: exit {done.returncode}, {' '.join(found)}")
    return 1


def judge_source(hoist, name):
    """A compiled model gives what its source gives, whatever the driver."""
    source, compiled = (CORPUS / "darwinn/pairs" / f"{name}{ending}.tflite" for ending in ("", "_edgetpu"))
    wanted = run(hoist, [source], {"*": "random:1"}, ["--batch", "2"])
    bad = 0
    for driver in DRIVERS:
        found = run(hoist, [compiled], {"*": "random:1"}, ["--batch", "2", "--driver", driver])
        if found != wanted or isinstance(found, str):
            bad += 1
            print(f"{name} {driver}: {found if isinstance(found, str) else 'another output than that of the source'}")
    return bad


def save_gradient(path, shape):
    """Of the kind that the vectors have: linear in rows and columns, and folded into 0 to 255."""
    folded = bytes(min(number, 510 - number) for number in range(511))
    save(path, shape, bytes(folded[(4 * x + 2 * x * c + 4 * y - y * c + 2) // 4 % 510]
                            for y in range(shape[1]) for x in range(shape[2]) for c in range(shape[3])))


def judge_nearly(hoist, name, operator, port, shape, gradient, noise):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "gradient.npy"
        save_gradient(path, shape)
        return sum(judge_near(hoist, name, operator, {port: source}, *limits)
                   for source, limits in ((f"@{path}", gradient), ("random:1", noise)))


def run_without(hoist, file, operator, inputs):
    """A run of the model with the operator under a name that is not known, so that its inputs are outputs."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / file.name
        path.write_bytes(file.read_bytes().replace(operator, b"?" * len(operator)))
        return run(hoist, [path], inputs, ["-q", "--on-unknown", "skip"])


def judge_near(hoist, name, operator, inputs, least, most):
    source, compiled = (run_without(hoist, CORPUS / "darwinn/pairs" / f"{name}{ending}.tflite", operator, inputs)
                        for ending in ("", "_edgetpu"))
    if isinstance(source, str) or isinstance(compiled, str) or not source or source.keys() != compiled.keys():
        print(f"{name}: {source if isinstance(source, str) else compiled}")
        return 1
    figures = [difference(compiled[output], source[output], False) for output in source]
    print(f"{name}: {', '.join(f'{equal:.2f} % and at most {steps}' for equal, steps in figures)}")
    return sum(equal < least or steps > most for equal, steps in figures)


def main():
    options = arguments("hoist", flag="--all")
    found = entries()
    if found is None:
        return SKIPPED
    models = {entry["model"]: Model(options.hoist, entry) for entry in found if entry["model"] in FLOAT}
    wanted = options.models or list(models)
    bad = sum(judge_model(models[name], options.all) for name in wanted)
    if not options.models:
        bad += sum(judge_other(options.hoist, name, rules) for name, rules in OTHERS.items())
        bad += sum(judge_source(options.hoist, name) for name in SOURCES)
        bad += sum(judge_nearly(options.hoist, name, *limits) for name, limits in NEARLY.items())
        models["bright_16x16"].together(models["mobilenet_v1_0.25_128_quant"])
        bad += models["bright_16x16"].bad + models["mobilenet_v1_0.25_128_quant"].bad
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
