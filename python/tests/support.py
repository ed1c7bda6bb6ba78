"""What the tests share: the tree, the command, and files of the project's own."""
import json
import os
import pathlib
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HOIST = os.environ.get("HOIST_COMMAND", str(ROOT / "build/release/tools/hoist/hoist"))
EXAMPLES = ROOT / "examples"
CLASSIFIER = str(EXAMPLES / "tflite/classifier.tflite")
LAYERS = str(EXAMPLES / "tflite/layers_edgetpu.tflite")
NETLIST = str(EXAMPLES / "buda/feed_forward.yaml")
BROKEN = str(EXAMPLES / "buda/feed_forward_broken.yaml")
ARK = str(EXAMPLES / "ark/swiglu.json")
NEFF = str(EXAMPLES / "neff/all_reduce")

try:
    import numpy as np
except ImportError:
    print("skipped: NumPy is absent")
    sys.exit(77)


__all__ = ["ARK", "BROKEN", "CLASSIFIER", "Case", "EXAMPLES", "HOIST", "LAYERS", "NEFF", "NETLIST", "ROOT", "command",
           "document", "main", "np"]


def command(*arguments, accept=(0,)):
    """What the command prints; its exit status is one of `accept`."""
    done = subprocess.run([HOIST, *map(str, arguments)], capture_output=True, check=False, cwd=ROOT)
    if done.returncode not in accept:
        raise AssertionError(f"hoist {arguments}: exit status {done.returncode}\n{done.stderr.decode()}")
    return done.stdout


def document(*arguments, accept=(0,)):
    """The same as JSON."""
    return json.loads(command(*arguments, "--json", accept=accept))


class Case(unittest.TestCase):
    maxDiff = 4000


def main():
    os.chdir(ROOT)
    unittest.main(verbosity=0)
