#!/usr/bin/env python3
"""usb_wire.py HOIST: the USB stream of `hoist link --transport usb` against traces of the wire.

Each trace has five runs of one model, recorded while the vendor's runtime drove a chip. In order, by endpoint: transfers
to the chip are frames of 8 bytes and what they announce; the chip's answer comes in pieces of 1,024 bytes, and events of 16
on an endpoint of their own, once for each output. Facts: iwatake2222/EdgeTPU_Analysis, InOut/log_wireshark,
log_padding_*.txt (the lengths there include 64 bytes of the capture). The models are those of the corpus; exits with
77 (skipped) where they are not there.
"""
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

SKIPPED = 77
FRAME = 8

# Model, sizes of the transfers to the chip in order, bytes of its answer, events.
TRACES = [
    ("model_padding_128x256x3", [8, 5024, 8, 16], 128 * 1024, 1),
    ("model_padding_256x512x3", [8, 5024, 8, 16], 512 * 1024, 1),
]


def corpus():
    default = pathlib.Path(__file__).resolve().parents[3] / "shared/corpus"
    return pathlib.Path(os.environ.get("HOIST_CORPUS", default)) / "edgetpu-field/compiled"


def transfers(stream):
    """Sizes of the frames of a stream and of what each announces."""
    at, sizes = 0, []
    while at < len(stream):
        size = struct.unpack_from("<I", stream, at)[0]
        sizes += [FRAME, size]
        at += FRAME + size
    return sizes if at == len(stream) else None


def check(hoist, path, sent, answered, events):
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "stream"
        done = subprocess.run([hoist, "link", "--transport", "usb", "--json", "-o", out, path], check=True, capture_output=True,
                              stdin=subprocess.DEVNULL)
        stream = out.read_bytes()
    steps = json.loads(done.stdout)["steps"]
    outputs = [step["size_bytes"] for step in steps if step["kind"] == "output"]
    in_report = [size for step in steps if step["at"] is not None for size in (FRAME, step["size_bytes"])]
    for what, got, expected in (("transfers", transfers(stream), sent), ("transfers of the report", in_report, sent),
                                ("bytes of the answer", sum(outputs), answered), ("outputs", len(outputs), events)):
        if got != expected:
            print(f"{path.name}: {what} are {got}, on the wire {expected}")
            return False
    print(f"{path.name}: {sent} bytes to the chip, {answered} bytes from it, as on the wire")
    return True


def main():
    found = [(corpus() / f"EdgeTPU_Analysis--{name}_edgetpu.tflite", *facts) for name, *facts in TRACES]
    found = [row for row in found if row[0].is_file()]
    if not found:
        print(f"skipped: no models in {corpus()}")
        return SKIPPED
    return 0 if all([check(sys.argv[1], *row) for row in found]) else 1


if __name__ == "__main__":
    sys.exit(main())
