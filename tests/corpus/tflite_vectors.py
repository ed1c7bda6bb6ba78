"""The vectors of TFLite's outputs in the corpus, for the tests that run models by them."""
import argparse
import json
import os
import pathlib

SKIPPED = 77
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CORPUS = pathlib.Path(os.environ.get("HOIST_CORPUS", ROOT / "../shared/corpus"))
VECTORS = CORPUS / "darwinn-vectors"


def arguments(*programs, flag):
    """Of a command line: the programs, models by name, and the flag."""
    parser = argparse.ArgumentParser()
    for program in programs:
        parser.add_argument(program)
    parser.add_argument("models", nargs="*")
    parser.add_argument(flag, action="store_true")
    return parser.parse_args()


def entries():
    """Those of the index, one for each model; None, and it is told: there is no corpus."""
    index = VECTORS / "index.json"
    if not index.exists():
        print("skipped: the corpus is absent")
        return None
    return json.loads(index.read_text(encoding="utf-8"))


def file_of(entry, compiled=False):
    """A model, or what it was compiled to."""
    return CORPUS / "darwinn/pairs" / pathlib.Path(entry["path"][compiled]).name


def bytes_of(path):
    """The elements of a .npy file."""
    data = path.read_bytes()
    return data[10 + int.from_bytes(data[8:10], "little"):]


def find(node, key):
    """The first value of that key in a JSON document, or None."""
    if isinstance(node, dict):
        if key in node:
            return node[key]
        node = list(node.values())
    for child in node if isinstance(node, list) else []:
        found = find(child, key)
        if found is not None:
            return found
    return None
