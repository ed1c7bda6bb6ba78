#!/usr/bin/env python3
"""Models that `hoist recover --tflite` writes are loaded and run by TFLite itself.

real_tflite.py HOIST

Every compiled Edge TPU model of the corpus that is recovered as a whole goes to TFLite compiled to WebAssembly,
under node: ../shared/tools/real-tflite (or $HOIST_TOOLS/real-tflite), whose README says how to get it; TFL_WASM
names its wasm folder. Of operators that are nobody's but the model's TFLite knows nothing: models that have such
are left out. Ends with 77 (skipped) without node, TFLite or the corpus.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SHARED = pathlib.Path(__file__).resolve().parents[3] / "shared"
CORPUS = pathlib.Path(os.environ.get("HOIST_CORPUS", SHARED / "corpus"))
TOOL = pathlib.Path(os.environ.get("HOIST_TOOLS", SHARED / "tools")) / "real-tflite/run.js"


def command(*words):
    return subprocess.run(words, check=False, capture_output=True, text=True, timeout=300)


def has_custom_operators(hoist, model):
    report = json.loads(command(hoist, "info", "--json", model).stdout)
    return any(operator["custom"] for operator in report["files"][0]["operators"])


def judge_model(hoist, compiled, folder):
    """True or False: TFLite runs it, or not; None: it is not to be run."""
    made = folder / compiled.name
    if command(hoist, "recover", "--tflite", made, compiled).returncode not in (0, 1) or not made.exists():
        return None
    if has_custom_operators(hoist, made):
        return None
    done = command("node", TOOL, made, folder / "out", "1")
    if done.returncode:
        print(f"{compiled.name}: exit {done.returncode}: {done.stderr.strip()}")
    return done.returncode == 0


def main():
    hoist = pathlib.Path(sys.argv[1]).resolve()
    models = sorted({path.name: path for path in CORPUS.rglob("*_edgetpu.tflite")}.items())
    if not (shutil.which("node") and TOOL.exists() and os.environ.get("TFL_WASM") and models):
        print("skipped: it needs node, real-tflite, TFL_WASM and the corpus")
        return 77
    os.environ["TFL_WASM"] = os.path.join(os.environ["TFL_WASM"], "")  # the tool joins names to it as it is
    with tempfile.TemporaryDirectory() as temporary:
        results = [judge_model(hoist, path, pathlib.Path(temporary)) for _, path in models]
    print(f"{results.count(True)} models are run by TFLite, {results.count(False)} are not, {results.count(None)} are not recovered or have "
          "operators of their own")
    return 1 if False in results or True not in results else 0


if __name__ == "__main__":
    sys.exit(main())
