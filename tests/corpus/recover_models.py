#!/usr/bin/env python3
"""Compiled models, written as ordinary ones by `hoist recover --tflite`, against those that were compiled.

recover_models.py HOIST [MODEL...]

Each compiled model of the corpus whose source is there is recovered; what is written has to pass `hoist check`
without a finding, to have the constants of the compiled model by the compiler's arithmetic, bit for bit (`hoist
diff`), and to give the outputs of the source and of the compiled model, byte for byte, for the inputs
of the vectors and for random ones. Models that cannot be recovered whole are refused, with a finding for each
reason. Of some the recovery alone is looked at. Ends with 77 (skipped) without the corpus (HOIST_CORPUS, else
../shared/corpus).
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import tflite_runs
import tflite_vectors

RANDOM = 4  # inputs of each model beside the vectors

# Of each model the operators that it is recovered as; None: it is refused.
MODELS = {
    "bright_16x16": 6,
    "color_red_64x64": 7,
    "deeplabv3_mnv2_dm05_pascal_quant": 74,
    "dense_1024": 3,
    "dense_256": 3,
    "gabor_128x128_7k_4o_2s": 3,
    "gabor_64x64_7k_4o_2s": 3,
    "gabor_64x64_p4": 4,
    "keras_lstm_mnist_ptq": None,
    "looming_64x64_3x3": 9,
    "mobilenet_v1_0.25_128_quant": 31,
    "mobilenet_v1_1.0_224_quant_embedding_extractor": 28,
    "posenet_mobilenet_v1_075_353_481_16_quant_decoder": 38,
    "split_concat": 6,
}
# Some outputs show that the files have multipliers to 24 bits.
NOT_RUN = ("posenet_mobilenet_v1_075_353_481_16_quant_decoder", "deeplabv3_mnv2_dm05_pascal_quant")


# Of this one five constants are those of the file to a rounding only: its sums leave no scales that give all.
NOT_SAME = ("deeplabv3_mnv2_dm05_pascal_quant",)


def command(*words):
    return subprocess.run(words, check=False, capture_output=True, text=True, timeout=600)


def recover(hoist, compiled, made, wanted):
    """What is wrong with the model that is written, in words; empty: nothing."""
    done = command(hoist, "recover", "--json", "--tflite", made, compiled)
    if wanted is None:
        refused = done.returncode == 1 and "[LOAD-005]" in done.stderr and not made.exists()
        return "" if refused else f"exit {done.returncode}, expected to be refused"
    if done.returncode:
        return f"exit {done.returncode}: {done.stderr.strip()}"
    packages = tflite_vectors.find(json.loads(done.stdout), "packages")
    inexact = [index for index, layer in enumerate(packages[0]["layers"])
               if layer["scale_from"] == "chosen" and layer["exact_multipliers"] != layer["reference_multipliers"]]
    checked = command(hoist, "check", made)
    operators = sum(row["count"] for row in tflite_vectors.find(json.loads(command(hoist, "info", "--json", made).stdout),
                                                                "operators"))
    if checked.returncode or not checked.stdout.endswith(": clean\n"):
        return f"check: {checked.stdout.strip()}"
    same = command(hoist, "diff", made, compiled).returncode == 0
    if not same and compiled.name.removesuffix("_edgetpu.tflite") not in NOT_SAME:
        return "the compiler would not make the same constants of it"
    if operators != wanted or inexact:
        return f"{operators} operators, expected {wanted}; chosen scales of layers {inexact} are not exact"
    return ""


def outputs(hoist, model, words):
    with tempfile.TemporaryDirectory() as out:
        done = command(hoist, "run", model, "-o", out, *words)
        found = {path.name: path.read_bytes() for path in pathlib.Path(out).rglob("*.npy")}
    return found if done.returncode == 0 and found else f"exit {done.returncode}: {done.stderr.strip()}"


def cases(name, ports):
    """What the inputs of a model get, in their order: names of files or other sources, as the option has them."""
    vectors = tflite_vectors.VECTORS / name
    for path in sorted(vectors.glob("*_in0.npy")):
        stem = path.name.removesuffix("0.npy")
        yield [f"{port}=@{vectors / f'{stem}{index}.npy'}" for index, port in enumerate(ports)]
    for seed in range(1, RANDOM + 1):
        yield [f"{port}=random:{seed + index}" for index, port in enumerate(ports)]


def compare(hoist, models, made, name):
    """Cases that differ from one of the models, or that one of them does not run."""
    ports = tflite_runs.ports_of(hoist, models[0])[0]
    differ = []
    for case in cases(name, ports):
        words = [word for given in case for word in ("--input", given)]
        found, *wanted = (outputs(hoist, model, words) for model in (made, *models))
        if isinstance(found, str) or any(found != one for one in wanted):
            differ.append(" ".join(case))
    return differ


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("hoist")
    parser.add_argument("models", nargs="*")
    options = parser.parse_args()
    pairs = tflite_vectors.CORPUS / "darwinn/pairs"
    if not pairs.is_dir():
        print("skipped: the corpus is absent")
        return tflite_vectors.SKIPPED
    problems = 0
    for name in options.models or MODELS:
        with tempfile.TemporaryDirectory() as folder:
            made = pathlib.Path(folder) / "made.tflite"
            source, compiled = (pairs / f"{name}{end}.tflite" for end in ("", "_edgetpu"))
            wrong = recover(options.hoist, compiled, made, MODELS[name])
            differ = []
            if not wrong and MODELS[name] is not None and name not in NOT_RUN:
                differ = compare(options.hoist, (source, compiled), made, name)
        if wrong or differ:
            problems += 1
            print(f"{name}: {wrong or 'differs for ' + ', '.join(differ)}")
    print(f"{len(options.models or MODELS)} models, {problems} with problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
