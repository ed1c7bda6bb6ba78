#!/usr/bin/env python3
"""The examples of the manual pages run.

man_examples.py HOIST PAGE.1...

They run one after the other in a folder that has the files that they name, made from examples/. What
follows a `|` is for people; what stands before it must be JSON then. `check` and `diff` may say no.
"""
import json
import pathlib
import re
import shutil
import sys
import tempfile

import run
from tally import tally

PREPARE = """
mkdir build models
hoist pack -o model.neff examples/neff/all_reduce && cp model.neff before.neff && cp model.neff after.neff
cp model.neff models/a.neff
cp model.yaml a.yaml && cp model.yaml b.yaml && cp model.yaml build/n.yaml
hoist unpack -o model model.neff >unpacked
cp examples/tflite/layers_edgetpu.tflite model_edgetpu.tflite
hoist recover --tflite source.tflite model_edgetpu.tflite >recovered
hoist run -q -i '*=zeros' -o made model.yaml >ran && cp made/out.npy in.npy && cp made/out.npy .
"""


def examples(path):
    """The commands of a page."""
    text = path.read_text(encoding="utf-8").partition(".SH EXAMPLES\n")[2].partition(".SH ")[0]
    return [line[3:].replace("\\-", "-").replace("\\e", "\\") for line in text.splitlines() if line.startswith(".B ")]


def write_netlist(folder, has_parameter):
    """model.yaml: takes `in`, gives `out`."""
    text = (run.ROOT / "examples/buda/feed_forward.yaml").read_text(encoding="utf-8")
    text = re.sub(r"\bx\b", "in", re.sub(r"\by\b", "out", text))
    if not has_parameter:
        text = text.replace("    - param: [$p_loop_count]\n", "").replace("$p_loop_count", "1")
    (folder / "model.yaml").write_text(text, encoding="utf-8")


def fault(command, hoist, folder):
    """What is wrong with the command, or nothing."""
    write_netlist(folder, "--param" in command)
    line, pipe, _ = command.partition(" | ")
    for made in re.findall(r" -o ([a-z]+) ", line):  # a folder that must not be there
        shutil.rmtree(folder / made, ignore_errors=True)
    out, err, code, raw = run.run(run.Case(line, 0), hoist, folder)
    if code > (1 if line.split()[1] in ("check", "diff") else 0):
        return "\n    ".join([f"exit status {code}"] + out + err)
    if pipe:
        try:
            json.loads(raw)
        except ValueError as error:
            return f"no JSON: {error}"
    return ""


def complaints(hoist, pages, folder):
    for path in pages:
        for command in examples(path):
            said = fault(command, hoist, folder)
            yield f"{path.name}: {command}\n    {said}" if said else ""


def main():
    hoist = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "examples").symlink_to(run.ROOT / "examples")
        write_netlist(folder, False)
        _, err, code, _ = run.run(run.Case(PREPARE, 0), hoist, folder)
        if code:
            sys.exit("\n".join(["the files could not be made:"] + err))
        return tally(complaints(hoist, map(pathlib.Path, sys.argv[2:]), folder))


if __name__ == "__main__":
    sys.exit(main())
