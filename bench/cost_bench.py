#!/usr/bin/env python3
"""cost_bench.py HOIST: estimates of `hoist time` with published latencies of Edge TPU models.

One line for each published figure whose compiled model is in ../shared/corpus or $HOIST_CORPUS: file, host,
published time, estimate with its range, error of the typical one, and whether the range holds the figure.
Rates are the same for all files. Exits with 1 when fewer than WANTED of the six models that count are within
20 %, and with 77 (skipped) when no model is there. Other lines are for information: models whose time is mostly
operators of the host, which have no estimate, and figures that rates were taken from.
"""
import json
import os
import pathlib
import subprocess
import sys

WITHIN = 20  # percent
WANTED = 5   # of the models that count
SKIPPED = 77

CORAL = "coral.ai/models, USB 3 on a desktop"
PYCORAL = "google-coral/pycoral benchmarks/reference"
LIBREDGETPU = "LibrEdgeTPU HARDWARE_ANALYSIS.md"

FIELD = "edgetpu-field/compiled/"
PAIRS = "darwinn/pairs/"

# file, host, published ms, source, counts: a model, with the decoder or head that the host does left out
FIGURES = [
    (PAIRS + "mobilenet_v1_1.0_224_quant_embedding_extractor_edgetpu.tflite", "usb3", 2.17,
     PYCORAL + ", x86_64 (with its head)", "MobileNet v1 1.0"),
    (FIELD + "edgetpu--mobilenet_v2_1.0_224_quant_edgetpu.tflite", "usb3", 2.29, PYCORAL + ", x86_64", "MobileNet v2"),
    (FIELD + "edgetpu--mobilenet_v1_0.25_128_quant_edgetpu.tflite", "usb3", 0.9, CORAL + " (which file is not said)", "MobileNet v1 0.25_128"),
    (FIELD + "edgetpu--posenet_mobilenet_v1_075_353_481_quant_decoder_edgetpu.tflite", "usb3", 5.8, CORAL, "PoseNet 353x481"),
    (FIELD + "test_data--posenet_mobilenet_v1_075_481_641_16_quant_decoder_edgetpu.tflite", "usb3", 10.3, CORAL, "PoseNet 481x641"),
    (FIELD + "project-bodypix--bodypix_mobilenet_v1_075_512_512_16_quant_decoder_edgetpu.tflite", "usb3", 10.7, CORAL, "BodyPix 512"),
    (PAIRS + "mobilenet_v1_0.25_128_quant_edgetpu.tflite", "usb3", 0.9, CORAL + ", a newer compiler's file", None),
    (FIELD + "edgetpu--mobilenet_v2_1.0_224_inat_bird_quant_edgetpu.tflite", "usb3", 2.6, CORAL + ", of MobileNet v2", None),
    (FIELD + "project-bodypix--bodypix_mobilenet_v1_075_480_352_16_quant_decoder_edgetpu.tflite", "usb3", 6.9, CORAL, None),
    (PAIRS + "dense_256_edgetpu.tflite", "usb3", 0.28, LIBREDGETPU + " (the round trip is from there)", None),
    (PAIRS + "dense_1024_edgetpu.tflite", "usb3", 0.29, LIBREDGETPU + " (the same)", None),
    (PAIRS + "mobilenet_v1_1.0_224_quant_embedding_extractor_edgetpu.tflite", "usb2", 9.0,
     PYCORAL + ", Raspberry Pi 3B+ (the link is from there)", None),
    (FIELD + "edgetpu--mobilenet_v2_1.0_224_quant_edgetpu.tflite", "usb2", 10.61, PYCORAL + ", Raspberry Pi 3B+ (the same)", None),
    (PAIRS + "mobilenet_v1_1.0_224_quant_embedding_extractor_edgetpu.tflite", "pcie", 2.22, PYCORAL + ", Dev Board", None),
    (FIELD + "edgetpu--mobilenet_v2_1.0_224_quant_edgetpu.tflite", "pcie", 2.56, PYCORAL + ", Dev Board", None),
    (PAIRS + "deeplabv3_mnv2_dm05_pascal_quant_edgetpu.tflite", "usb3", 36.8, CORAL, None),
    ("darwinn/compiled/movenet_single_pose_lightning_ptq_edgetpu.tflite", "usb3", 7.1, CORAL, None),
]


def corpus():
    default = pathlib.Path(__file__).resolve().parent.parent.parent / "shared/corpus"
    return pathlib.Path(os.environ.get("HOIST_CORPUS", default))


def estimate(hoist, path, host):
    done = subprocess.run([hoist, "time", "--json", "--host", host, path], check=True, capture_output=True, stdin=subprocess.DEVNULL)
    return json.loads(done.stdout)


def milliseconds(document):
    return [document["total"][key + "_seconds"] * 1e3 for key in ("low", "typical", "high")]


def host_operators(document):
    names = sorted({row["name"].split("/")[0] for row in document["untimed"]})
    return " + host operators: " + ", ".join(names) if names else ""


def show(figure, document):
    """Prints the line; the typical estimate's error in percent."""
    path, host, published, source, _ = figure
    low, typical, high = milliseconds(document)
    error = 100 * (typical - published) / published
    held = "in" if low <= published <= high else "not in"
    print(f"{pathlib.PurePath(path).name} {host}: published {published:.2f} ms, device {typical:.2f} ms ({low:.2f} to {high:.2f}, "
          f"{held} the range), error {error:+.1f} %{host_operators(document)} [{source}]")
    return error


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.splitlines()[0])
    root, errors = corpus(), {}
    figures = [figure for figure in FIGURES if (root / figure[0]).is_file()]
    if not figures:
        print(f"skipped: no models below {root}")
        return SKIPPED
    for counts in (True, False):
        print("the models that count:" if counts else "others, for information:")
        for figure in (row for row in figures if bool(row[4]) == counts):
            error = show(figure, estimate(sys.argv[1], root / figure[0], figure[1]))
            if counts:
                errors[figure[4]] = error
    good = sum(abs(error) <= WITHIN for error in errors.values())
    print(f"{good} of {len(errors)} models within {WITHIN} %, expected {WANTED}")
    return 0 if good >= WANTED else 1


if __name__ == "__main__":
    sys.exit(main())
