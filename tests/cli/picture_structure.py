#!/usr/bin/env python3
"""The structure of pictures that `hoist graph --svg` draws of the project's own files, as small hashes.

picture_structure.py HOIST [--update-golden]

The structure is what a picture has, not where it is or what color it has: elements in order and nested, their classes,
texts and titles. A change of layout or of colors leaves it, a box, an edge or a word that is lost does not. Twenty pictures:
files, graphs of them and depths; the hashes are in picture_structure.golden, with counts that say what has changed.
"""
import argparse
import collections
import hashlib
import pathlib
import subprocess
import sys
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
GOLDEN = pathlib.Path(__file__).with_suffix(".golden")

PICTURES = [
    "examples/buda/feed_forward.yaml",
    "examples/buda/transformer_encoder.yaml",
    "--graph attention examples/buda/transformer_encoder.yaml",
    "--depth 0 examples/buda/transformer_encoder.yaml",
    "tests/cli/data/small.yaml",
    "tests/cli/data/every_field.yaml",
    "examples/ark/swiglu.json",
    "examples/ark/all_reduce_rank0.json",
    "examples/ark/all_reduce_rank1.json",
    "examples/ark/all_reduce_rank3.json",
    "--depth 0 examples/ark/swiglu.json",
    "examples/tflite/classifier.tflite",
    "examples/tflite/layers_edgetpu.tflite",
    "examples/tflite/small_edgetpu.tflite",
    "--depth 0 examples/tflite/layers_edgetpu.tflite",
    "examples/programs/ark_layer.hoist",
    "examples/programs/ark_ranks.hoist",
    "examples/programs/buda_training.hoist",
    "examples/programs/neff_all_reduce.hoist",
    "examples/programs/tflite_edges.hoist",
]


def structure(element, counts):
    """Lines of an element and what is in it: its name, class and words."""
    name = element.tag.rsplit("}", 1)[-1]
    counts[name] += 1
    words = " ".join((element.text or "").split()) if name in ("text", "tspan", "title", "desc") else ""
    yield f"{name} {element.get('class', '')} {words}"
    for child in element:
        yield from (" " + line for line in structure(child, counts))


def row_of(hoist, words):
    done = subprocess.run([hoist, "graph", "--svg", *words.split()], cwd=ROOT, check=True, capture_output=True, stdin=subprocess.DEVNULL)
    counts = collections.Counter()
    text = "\n".join(structure(xml.etree.ElementTree.fromstring(done.stdout), counts))
    shown = " ".join(f"{name}:{counts[name]}" for name in sorted(counts))
    return f"{hashlib.sha256(text.encode()).hexdigest()[:16]} {words} | {shown}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("hoist", type=pathlib.Path)
    parser.add_argument("--update-golden", action="store_true")
    options = parser.parse_args()
    rows = [row_of(options.hoist.resolve(), words) for words in PICTURES]
    if options.update_golden:
        GOLDEN.write_text("\n".join(rows) + "\n", encoding="utf-8")
        return 0
    expected = GOLDEN.read_text(encoding="utf-8").splitlines()
    for row in sorted(set(rows) ^ set(expected)):
        print("drawn:   " if row in rows else "expected:", row)
    return rows != expected


if __name__ == "__main__":
    sys.exit(main())
