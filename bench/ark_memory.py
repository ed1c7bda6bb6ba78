#!/usr/bin/env python3
"""Peak memory of ARK runs: what `hoist info --resources` states, and what a run touches.

ark_memory.py HOIST FOLDER...

A FOLDER has model.json, or model_rank0.json and so on (../shared/corpus/ark/vectors). A line for each: the
stated peak, the greatest resident size of `hoist run` with random inputs in one thread, that without the resident
size of `hoist info` on the same files (program, text and model of the job), and the ratio of the two. What a run has
beyond the stated peak are the command's arrays of inputs and outputs, and the forms in which kernels keep constants.
"""
import json
import os
import pathlib
import subprocess
import sys


def resident(command):
    """Bytes of the greatest resident size of a command that must succeed."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL) as child:
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"{' '.join(command)}: exit status {child.returncode}")
    return usage.ru_maxrss * 1024


def files_of(folder):
    ranks = sorted(folder.glob("model_rank*.json"), key=lambda path: int(path.stem.removeprefix("model_rank")))
    return [str(path) for path in ranks or [folder / "model.json"]]


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    hoist = sys.argv[1]
    print(f"{'folder':40} {'stated':>14} {'resident':>14} {'of the run':>14} {'ratio':>6}")
    for folder in map(pathlib.Path, sys.argv[2:]):
        files = files_of(folder)
        document = subprocess.run([hoist, "info", "--json", "--resources", *files], check=True, capture_output=True).stdout
        stated = json.loads(document)["resources"]["memory"]["peak_bytes"]
        own = resident([hoist, "info", *files])
        peak = resident([hoist, "run", "-q", "-j", "1", "-i", "*=random:1", *files])
        print(f"{folder.name:40} {stated:14,} {peak:14,} {peak - own:14,} {(peak - own) / stated:6.2f}")


if __name__ == "__main__":
    main()
