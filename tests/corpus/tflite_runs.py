#!/usr/bin/env python3
"""Quantised TFLite models of the corpus through the command, against the outputs of TFLite.

tflite_runs.py HOIST RUN_PROGRAM [--all] [MODEL...]

Every case of the vectors is run and every output compared, byte for byte: through `hoist run` with several
numbers of threads, and as the text of the program at every CPU level. These take turns from case to case; --all
runs each case in all ways. Ends with 77 (skipped) without the corpus (HOIST_CORPUS, else ../shared/corpus).
"""
import itertools
import json
import pathlib
import subprocess
import sys
import tempfile
import urllib.parse

from tflite_vectors import SKIPPED, VECTORS, arguments, bytes_of, entries, file_of, find

WAYS = (["--sequential"], ["--threads", "1"], ["--threads", "2"], ["--threads", "5"])
LEVELS = ("1", "2", "3", "4")  # of run_program: from the baseline up; the machine's best where it has less


def ports_of(hoist, model):
    """Names of the inputs and outputs."""
    done = subprocess.run([hoist, "info", "--json", model], check=True, capture_output=True, timeout=60)
    document = json.loads(done.stdout)
    return [[row["name"] for row in find(document, key)] for key in ("inputs", "outputs")]


def run(hoist, model, case, ports, way):
    """What is wrong with one case, in words; empty: nothing."""
    inputs, outputs = case
    with tempfile.TemporaryDirectory() as out:
        words = [hoist, "run", model, "-o", out, *way]
        for name, file in zip(ports[0], inputs):
            words += ["--input", f"{name}=@{file}"]
        done = subprocess.run(words, check=False, capture_output=True, text=True, timeout=600)
        if done.returncode:
            return f"exit {done.returncode}: {done.stderr.strip()}"
        found = {urllib.parse.unquote(path.stem): bytes_of(path) for path in pathlib.Path(out).rglob("*.npy")}
    return compare([found.get(name) for name in ports[1]], outputs)


def compare(found, outputs):
    differ = [file.name for got, file in zip(found, outputs) if got != bytes_of(file)]
    return f"differ: {', '.join(differ)}" if differ or len(found) != len(outputs) else ""


def run_text(options, model, case, ports, level):
    """The same with the program's text, whose inputs become constants, at a CPU level."""
    inputs, outputs = case
    done = subprocess.run([options.hoist, "dump", "--program", model], check=True, capture_output=True, text=True,
                          timeout=60)
    text = done.stdout
    for file in inputs:
        text = text.replace("lifetime session contents caller",
                            f"lifetime constant contents bytes data {bytes_of(file).hex()}", 1)
    done = subprocess.run([options.run_program, level, "2"], input=text, check=False, capture_output=True, text=True,
                          timeout=600)
    if done.returncode:
        return f"exit {done.returncode}: {done.stderr.strip()[:200]}"
    found = dict(line.rsplit(" ", 1) for line in done.stdout.splitlines())
    return compare([bytes.fromhex(found.get(name, "")) for name in ports[1]], outputs)


def judge(options, entry):
    """Prints what is wrong with a model; how many cases."""
    model = file_of(entry)
    folder = VECTORS / entry["model"]
    ports = ports_of(options.hoist, model)
    bad = 0
    for number, names in enumerate(entry["cases"]):
        case = [[folder / name for name in names[key]] for key in ("inputs", "outputs")]
        for turn, way in enumerate(WAYS):
            if options.all or turn % len(entry["cases"]) == number:
                wrong = run(options.hoist, model, case, ports, way)
                bad += report(entry, names, way, wrong)
        for turn, level in enumerate(LEVELS):
            if options.all or turn % len(entry["cases"]) == number:
                bad += report(entry, names, ["level", level], run_text(options, model, case, ports, level))
    return bad


def report(entry, names, way, wrong):
    if wrong:
        print(f"{entry['model']} {names['case']} {' '.join(way)}: {wrong}")
    return bool(wrong)


def main():
    options = arguments("hoist", "run_program", flag="--all")
    found = entries()
    if found is None:
        return SKIPPED
    bad = sum(judge(options, entry) for entry in found
              if not options.models or entry["model"] in options.models)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
