#!/usr/bin/env python3
"""Whole models against TFLite itself with XNNPACK, compiled to WebAssembly, in turn, on one thread.

tflite_bench.py HOIST [MODEL.tflite...]

Without models: sources of compiled models in the corpus (HOIST_CORPUS, else ../shared/corpus). TFLite runs under node
(../shared/tools/real-tflite, whose README says how to get it; TFL_WASM names its folder). Of ROUNDS rounds on each side
the least processor time of an inference counts. Wanted is WANT times its speed for each model. Exits with 1 when that is
missed, with 77 without node, TFLite or models.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CORPUS = pathlib.Path(os.environ.get("HOIST_CORPUS", ROOT / "../shared/corpus"))
TOOL = pathlib.Path(os.environ.get("HOIST_TOOLS", ROOT / "../shared/tools")) / "real-tflite/tfl.js"
MODELS = ("edgetpu--mobilenet_v1_0.25_128_quant", "test_data--mobilenet_v1_0.5_160_quant",
          "edgetpu--mobilenet_v1_1.0_224_quant_embedding_extractor", "edgetpu--mobilenet_v2_1.0_224_quant",
          "edgetpu--deeplabv3_mnv2_dm05_pascal_quant", "EdgeTPU-MOT--yamnet_spectra_in")
WANT = 2.0
ROUNDS = 5

# Milliseconds of processor time of an inference: the least of as many as take half a second, at least 5.
SCRIPT = """
const fs = require('fs'), {mod} = require(process.argv[1]);
(async () => {
  const tfl = await mod(), bytes = fs.readFileSync(process.argv[2]), at = tfl._malloc(bytes.length);
  tfl.HEAPU8.set(bytes, at);
  const made = tfl.TFLiteWebModelRunner.CreateFromBufferAndOptions(
    at, bytes.length, {numThreads: 1, enableProfiling: false, maxProfilingBufferEntries: 64});
  if (!made.ok()) { console.error(made.errorMessage()); process.exit(4); }
  const runner = made.value(), inputs = runner.GetInputs();
  for (let i = 0; i < inputs.size(); i++) {
    const data = inputs.get(i).data();
    for (let k = 0; k < data.length; k++) data[k] = k * 2654435761 % 251 - (data instanceof Int8Array ? 125 : 0);
  }
  const times = [];
  for (let i = 0, begun = performance.now(); i < 5 || performance.now() - begun < 500; i++) {
    const start = process.cpuUsage();
    if (!runner.Infer()) process.exit(5);
    const used = process.cpuUsage(start);
    times.push((used.user + used.system) / 1e3);
  }
  console.log(Math.min(...times));
  process.exit(0);
})();
"""


def output(*words):
    return subprocess.run(list(map(str, words)), check=True, capture_output=True, text=True, timeout=600).stdout


def least_of(report):
    """Processor seconds of the fastest inference in the report of `hoist bench`."""
    return json.loads(report)["cpu"]["least_seconds"]


def main():
    hoist = pathlib.Path(sys.argv[1]).resolve()
    models = [pathlib.Path(name) for name in sys.argv[2:]] or [CORPUS / "edgetpu-field/source" / f"{name}.tflite" for name in MODELS]
    models = [model for model in models if model.exists()]
    if not (shutil.which("node") and TOOL.exists() and os.environ.get("TFL_WASM") and models):
        print("skipped: it needs node, real-tflite, TFL_WASM and models")
        return 77
    os.environ["TFL_WASM"] = os.path.join(os.environ["TFL_WASM"], "")
    os.environ.pop("TFL_WASMFILE", None)
    missed = 0
    for model in models:
        ours, theirs = [], []
        for _ in range(ROUNDS):
            ours.append(1e3 * least_of(output(hoist, "bench", "--json", "--threads", 1, "--sequential", model)))
            theirs.append(float(output("node", "-e", SCRIPT, TOOL, model)))
        ratio = min(theirs) / min(ours)
        missed += ratio < WANT
        print(f"{model.stem} vs TFLite with XNNPACK as WebAssembly: {ratio:.2f}x (want >= {WANT}); "
              f"{min(ours):.2f} ms against {min(theirs):.2f} ms", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
