#!/usr/bin/env python3
"""The library works in threads whose stack has the bytes that hoist/base.h promises to be enough.

small_stack.py HOIST SMALL_STACK [BYTES]

SMALL_STACK (small_stack.c) does all that the library can do with each file, on stacks of that size: the
examples of all formats, and files that are nested as deep as their reader lets them be.
"""
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def deep_lists(depth):
    return "[" * depth + "]" * depth


def netlists():
    small = (HERE / "data/small.yaml").read_text(encoding="utf-8")
    for depth in (200, 250):  # readers end at 256
        yield f"lists{depth}.yaml", small.replace("type: queue", f"strange: {deep_lists(depth)}, type: queue", 1)
        yield f"maps{depth}.yaml", small.replace("type: queue", "strange: " + "{a: " * depth + "1" + "}" * depth + ", type: queue", 1)
        yield f"alone{depth}.yaml", "a: " + deep_lists(depth) + "\n" + small
    nested = re.sub(r"    - execute.*\n", lambda execute: "    - loop: 1\n" * 60 + execute[0] + "    - endloop\n" * 60, small)
    yield "loops.yaml", nested


def neff_folders(folder):
    """The example, and copies with JSON of 1,000 levels where keys are unknown."""
    example = ROOT / "examples/neff/all_reduce"
    yield example, "all_reduce.neff"
    for name in ("neff.json", "kelf-0.json", "sg00/def.json", "sg00/pe.json"):
        copy = folder / ("deep-" + name.replace("/", "-"))
        shutil.copytree(example, copy)
        text = (copy / name).read_text(encoding="utf-8").rstrip()
        (copy / name).write_text(text[:-1].rstrip() + f',\n"strange": {deep_lists(1000)}, "maps": ' + '{"a":' * 1000 + "1" + "}" * 1000 + "}", encoding="utf-8")
        yield copy, copy.name + ".neff"


def deep_flexbuffer(depth):
    """{"7": a list in a list ... around a number}. A vector has its size before its items, their types behind."""
    out = bytearray([1, 7, 1 << 2])  # [7], of which the item is an integer
    at = 1
    for _ in range(depth):
        out += bytes([1, len(out) + 1 - at, 10 << 2])  # [the vector that begins so many bytes before]
        at = len(out) - 2
    key = len(out)
    out += b"7\0" + bytes([1, len(out) + 3 - key])  # the key, and the vector of keys
    keys = len(out) - 1
    out += bytes([len(out) - keys, 1, 1, len(out) + 3 - at, 10 << 2])  # the map: its keys, their width, its size, its item
    return bytes(out + bytes([2, 9 << 2, 1]))


def models():
    """The compiled example with another custom operator, whose options are deep, behind all else."""
    data = (ROOT / "examples/tflite/layers_edgetpu.tflite").read_bytes()
    users = [(p, p + struct.unpack_from("<I", data, p)[0]) for p in range(0, 2048, 4)]
    user = max(p for p, at in users if at + 4 <= len(data) and vector_size(data, at) > len(data) // 2)
    for depth in (30, 60):
        flex = deep_flexbuffer(depth)
        behind = bytes(-len(data) % 4) + struct.pack("<I", len(flex)) + flex
        copy = bytearray(data.replace(b"edgetpu-custom-op", b"another-custom-op") + behind)
        struct.pack_into("<I", copy, user, len(copy) - len(flex) - 4 - user)
        yield f"flex{depth}.tflite", bytes(copy)


def vector_size(data, at):
    """Bytes of the vector there; 0: it would not fit."""
    size = struct.unpack_from("<I", data, at)[0]
    return size if at + 4 + size <= len(data) else 0


def main():
    hoist, small_stack = (str(pathlib.Path(path).resolve()) for path in sys.argv[1:3])
    size = sys.argv[3] if len(sys.argv) > 3 else "0"
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        files = [str(path) for pattern in ("buda/*.yaml", "tflite/*.tflite") for path in sorted((ROOT / "examples").glob(pattern))]
        for name, content in (*netlists(), *models()):
            (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)
            files.append(name)
        for source, name in neff_folders(folder):
            subprocess.run([hoist, "pack", str(source), "-o", name], cwd=folder, check=True, capture_output=True)
            files.append(name)
        done = subprocess.run([small_stack, size, *files], cwd=folder, check=False, capture_output=True, text=True)
    print(done.stdout + done.stderr, end="")
    lines = [line for line in done.stdout.splitlines() if " bytes (" in line]
    if done.returncode != 0 or len(lines) != len(files):
        print(f"exit status {done.returncode} after {len(lines)} of {len(files)} files")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
