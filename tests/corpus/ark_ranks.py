#!/usr/bin/env python3
"""The ARK vectors of several ranks, with a process for each rank: the files of a run in one process, byte for byte.

ark_ranks.py HOIST [CASE...]

Models and plans of each case, with workers and --sequential. One line per case that differs. Ends with 77 (skipped)
without the vectors (HOIST_CORPUS, else ../shared/corpus), without mpirun, or where hoist was built without MPI.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import ark_vectors

WAYS = [[], ["--sequential"]]
MPIRUN = ["mpirun", "--oversubscribe", "--quiet", "-n"]


def environment():
    return dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                ASAN_OPTIONS="detect_leaks=0")


def run(before, hoist, job, options, out):
    """The files by name, or the complaint of a run that failed."""
    words = [*before, hoist, "run", "--quiet", "--timeout", "300", *options, "--output", out, *job]
    done = subprocess.run(list(map(str, words)), check=False, capture_output=True, text=True, env=environment())
    files = {str(path.relative_to(out)): path.read_bytes() for path in sorted(out.rglob("*.npy"))}
    return files, f"exit {done.returncode}: {(done.stderr or done.stdout).strip()}" if done.returncode else None


def options_of(folder, manifest, job):
    known = [ark_vectors.tensors(json.loads(path.read_text(encoding="utf-8"))) for path in job]
    words = []
    for row in manifest["inputs"]:
        words += ["--input", f"{ark_vectors.port(manifest, known, row)}=@{folder / row['file']}"]
    for row in manifest["outputs"]:
        words += ["--fetch", ark_vectors.port(manifest, known, row)]
    return words


def check(hoist, folder, manifest):
    """What differs between one process and several, or nothing."""
    ranks = [*MPIRUN, str(manifest["world_size"])]
    for job in ark_vectors.files(folder, manifest):
        options = options_of(folder, manifest, job)
        with tempfile.TemporaryDirectory() as temporary:
            expected, complaint = run([], hoist, job, options, pathlib.Path(temporary) / "one")
            for number, way in enumerate(WAYS):
                if complaint:
                    break
                found, complaint = run(ranks, hoist, job, [*options, *way], pathlib.Path(temporary) / str(number))
                if not complaint and (found != expected or not found):
                    complaint = f"{' '.join(way)}: other bits than those of one process, or other files"
            if complaint:
                return f"{job[0].name}: {complaint}"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("hoist")
    parser.add_argument("cases", nargs="*")
    args = parser.parse_args()
    vectors = ark_vectors.corpus()
    version = subprocess.run([args.hoist, "version", "--json"], check=True, capture_output=True, text=True).stdout
    if not vectors or not shutil.which("mpirun") or json.loads(version)["mpi"] == "none":
        print("skipped: the corpus is absent, no mpirun, or a build without MPI")
        return ark_vectors.SKIPPED
    count = 0
    failures = 0
    for path in sorted(vectors.glob("*/manifest.json")):
        manifest = json.loads(path.read_text(encoding="utf-8"))
        has_files = all("file" in row for row in manifest["inputs"] + manifest["outputs"])
        if manifest["world_size"] == 1 or not has_files or (args.cases and path.parent.name not in args.cases):
            continue
        complaint = check(args.hoist, path.parent, manifest)
        count += 1
        failures += complaint is not None
        if complaint:
            print(f"{path.parent.name}: {complaint}", flush=True)
    print(f"{count - failures} of {count} cases equal")
    return 1 if failures or not count else 0


if __name__ == "__main__":
    sys.exit(main())
