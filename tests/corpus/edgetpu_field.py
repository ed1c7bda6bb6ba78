#!/usr/bin/env python3
"""Compiled models as people have them: none is recovered or run as another model than it was compiled from.

edgetpu_field.py [--cost] HOIST [MODEL...]

Each compiled model of edgetpu-field, and of the pairs of the corpus, is recovered. What is complete has to be the
source, by `hoist diff` and by code that has nothing of hoist (tflite_same.py): constants, padding, strides, order of
layers, numbers. What is not complete has to be refused by `hoist run`, with the layers or instructions that are not
understood. Then sources are changed, by a seed: a weight, a bias, a padding, a stride, a zero point, two layers
exchanged; both comparisons have to see it. Recovered models are loaded by the real TFLite where node and its package
are here (TFL_WASM is the folder `wasm` of @tensorflow/tfjs-tflite); one with operators that TFLite has not is as its
source is. With --cost (a build without sanitizers) no recovery may take more than 2 seconds of CPU time or 16 times
the file's memory, of small files 2 MiB. Ends with 77 (skipped) without the corpus (HOIST_CORPUS, else ../shared/corpus).
"""
import argparse
import csv
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

import tflite_read
import tflite_same
import tflite_vectors

FIELD = tflite_vectors.CORPUS / "edgetpu-field"
PAIRS = tflite_vectors.CORPUS / "darwinn/pairs"
LOADER = tflite_vectors.CORPUS / "../tools/real-tflite/tfl.js"
LARGEST = 2 << 20  # bytes of sources that are changed: larger ones have the same operators
SEED = 14
SECONDS, TIMES = 2, 16  # that a recovery may take, and times the file's size
LEAST = 2 << 20  # bytes that one may take whatever the file's size
LIMIT = 5  # exit code

LOAD = """
const fs = require('fs'), {mod} = require(process.argv[2]);
(async () => {
  const tfl = await mod();
  for (const file of process.argv.slice(3)) {
    const bytes = fs.readFileSync(file), at = tfl._malloc(bytes.length);
    tfl.HEAPU8.set(bytes, at);
    const made = tfl.TFLiteWebModelRunner.CreateFromBufferAndOptions(
      at, bytes.length, {numThreads: 1, enableProfiling: false, maxProfilingBufferEntries: 64});
    console.log(JSON.stringify({file, error: made.ok() ? '' : made.errorMessage()}));
    if (made.ok()) made.value().delete();
    tfl._free(at);
  }
  process.exit(0);
})();
"""


def command(*words):
    return subprocess.run(list(map(str, words)), check=False, capture_output=True, text=True, timeout=600)


def named_source(compiled, listed):
    """The source that the list has for a compiled model; None: there is none. What the list has of another repository
    is a model of that name that was trained again: single weights differ by one. One of the same repository is taken
    for it."""
    repository = compiled.split("--")[0]
    if listed == "-" or listed.startswith(f"{repository}--"):
        return FIELD / "source" / listed if listed != "-" else None
    own = FIELD / "source" / f"{repository}--{listed.split('--')[1]}"
    return own if own.exists() else None


def source_of(compiled, listed):
    """The same, where it can be the source: a compiled model keeps the names of its tensors, so what has not all of
    them is another model (of one PoseNet with other tensors, scales and zero points before its decoder)."""
    source = named_source(compiled.name, listed)
    if source is None:
        return None
    names = {tensor.name for tensor in model_of(source).tensors}
    strangers = [tensor.name for tensor in model_of(compiled).tensors if tensor.name not in names]
    if strangers:
        print(f"{compiled.name}: not of {source.name}, which has no {', '.join(strangers)}")
    return None if strangers else source


def rows():
    """Compiled models and their sources, which may not be there."""
    with open(FIELD / "index.tsv", encoding="utf-8") as index:
        for row in csv.DictReader(index, delimiter="\t"):
            compiled = FIELD / "compiled" / row["file"]
            yield compiled, source_of(compiled, row["source"])
    for compiled in sorted(PAIRS.glob("*_edgetpu.tflite")):
        source = PAIRS / f"{compiled.name.removesuffix('_edgetpu.tflite')}.tflite"
        yield compiled, source if source.exists() else None


def model_of(path):
    return tflite_read.Model(bytearray(path.read_bytes()))


def is_seen_by_diff(hoist, compiled, source):
    """Whether the compiled model and another differ in what hoist compares."""
    done = command(hoist, "diff", compiled, source)
    return done.returncode != 0


def layers_with_unread(package):
    """Layers of a recovery whose padding after the last window is said to be unknown."""
    return [index for index, layer in enumerate(package["layers"])
            if any(layer["padding_unread"]) and "padding after the windows" in layer["heuristics"]]


def check_whole(hoist, compiled, source, made, package):
    """What is wrong with a complete recovery, in words; empty: nothing. Padding is compared on all four sides; at the
    bottom and the right it may differ where no window of either model reads it (tflite_same.py computes that), and
    then recovery has to say so."""
    done = command(hoist, "recover", "--force", "--tflite", made, compiled)
    if done.returncode:
        return f"complete, but recover --tflite ends with {done.returncode}: {done.stderr.strip()}"
    if source is None:
        return ""
    unread = []
    problems = tflite_same.compare(model_of(made), model_of(source), unread)
    if problems:
        return f"complete, but not its source: {'; '.join(problems)}"
    if len(unread) > len(layers_with_unread(package)):
        return f"padding that no window reads is not its source's, and recover does not say so: {'; '.join(unread)}"
    if unread:
        print(f"{compiled.name}: padding that no window reads is not in the file: {'; '.join(unread)}")
    if is_seen_by_diff(hoist, compiled, source):
        return "complete, but hoist diff finds differences"
    return ""


def check_gaps(hoist, compiled, package):
    """What is wrong with a recovery that is not complete."""
    gaps = package["gaps"]
    if not gaps or any(not gap["reason"] for gap in gaps):
        return "not complete, and no gap says why"
    done = command(hoist, "run", compiled)
    if done.returncode == 0:
        return "runs, though it is not complete"
    if done.returncode == 4 and "[RUN-03" not in done.stderr:
        return f"refused without a rule: {done.stderr.strip()[:200]}"
    return ""


def check_changes(hoist, compiled, source, made, folder):
    """Changes of the source that one of the two comparisons does not see."""
    data = source.read_bytes()
    missed = []
    count = 0
    recovered = model_of(made)
    for index, change in enumerate(tflite_same.CHANGES):
        other = tflite_same.changed(data, change, random.Random(f"{SEED} {compiled.name} {index}"))
        if other is None:
            continue
        count += 1
        path = folder / "changed.tflite"
        path.write_bytes(other)
        if not tflite_same.compare(recovered, model_of(path)):
            missed.append(f"{change.__name__} by the script")
        if not is_seen_by_diff(hoist, compiled, path):
            missed.append(f"{change.__name__} by hoist diff")
    return missed, count


def load(models):
    """Errors of the real TFLite by file; None: it is not here."""
    node = shutil.which("node")
    if not node or not LOADER.exists() or not os.environ.get("TFL_WASM"):
        return None
    os.environ["TFL_WASM"] = os.path.join(os.environ["TFL_WASM"], "")  # tfl.js joins names to it as it is
    with tempfile.NamedTemporaryFile("w", suffix=".js") as script:
        script.write(LOAD)
        script.flush()
        done = command(node, script.name, LOADER.resolve(), *models)
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return {line["file"]: line["error"] for line in lines}


def check_loads(pairs):
    """Recovered models that the real TFLite does not load though it loads their sources."""
    errors = load([path for pair in pairs for path in pair if path])
    if errors is None:
        print("the real TFLite is not here: nothing was loaded (node, and TFL_WASM)")
        return []
    problems = []
    for made, source in pairs:
        wrong = errors.get(str(made), "no answer")
        theirs = errors.get(str(source), "") if source else ""
        has_own = any(op.custom for op in model_of(made).operators)
        if wrong and not (has_own and (source is None or theirs)):
            problems.append(f"{made.name}: TFLite: {wrong}")
    print(f"{len(pairs)} recovered models given to the real TFLite, {len(problems)} not loaded")
    return problems


def cost_of(*words):
    """Exit code of a command, and its seconds of CPU time."""
    process = subprocess.Popen(list(map(str, words)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, code, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(code)
    return process.returncode, usage.ru_utime + usage.ru_stime


def check_cost(hoist, compiled):
    """What recoveries take beyond the bar: 2 seconds, or 16 times the file. Memory is what the command itself counts,
    as pages of code and the size of the process that starts it are more than a small file."""
    most = max(TIMES * os.path.getsize(compiled), LEAST)
    problems = []
    for words in ([], ["--tflite", "-"]):
        code, seconds = cost_of(hoist, "recover", "--max-memory", most, *words, compiled)
        what = " ".join(["recover", *words])
        problems += [f"{what} takes {seconds:.2f} s"] if seconds > SECONDS else []
        problems += [f"{what} takes more than {most} bytes"] if code == LIMIT else []
    return problems


def check(hoist, compiled, source, folder, made):
    """Problems of a compiled model, whether it is complete, and how many changes were made."""
    done = command(hoist, "recover", "--json", compiled)
    packages = tflite_vectors.find(json.loads(done.stdout), "packages") if done.stdout else []
    if not packages:
        return [f"recover ends with {done.returncode}"], False, 0
    if not packages[0]["complete"]:
        wrong = check_gaps(hoist, compiled, packages[0])
        return [wrong] if wrong else [], False, 0
    wrong = check_whole(hoist, compiled, source, made, packages[0])
    if wrong or source is None or source.stat().st_size > LARGEST:
        return [wrong] if wrong else [], True, 0
    missed, count = check_changes(hoist, compiled, source, made, folder)
    return [f"not seen: {', '.join(missed)}"] if missed else [], True, count


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cost", action="store_true")
    parser.add_argument("hoist")
    parser.add_argument("models", nargs="*")
    options = parser.parse_args()
    if not FIELD.is_dir():
        print("skipped: the corpus is absent")
        return tflite_vectors.SKIPPED
    problems, whole, changes, count = [], [], 0, 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for compiled, source in rows():
            if options.models and not any(model in compiled.name for model in options.models):
                continue
            count += 1
            made = folder / f"{compiled.stem}.tflite"
            wrong, is_whole, changed = check(options.hoist, compiled, source, folder, made)
            wrong += check_cost(options.hoist, compiled) if options.cost else []
            problems += [f"{compiled.name}: {one}" for one in wrong]
            changes += changed
            if is_whole and made.exists():
                whole.append((made, source))
        problems += check_loads(whole)
    for problem in problems:
        print(problem)
    print(f"{count} models, {len(whole)} complete, {changes} changed sources, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
