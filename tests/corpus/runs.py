#!/usr/bin/env python3
"""Every netlist of expect.tsv that the public reference ran to its end is run to its end.

runs.py HOIST [-j N] [--timeout SECONDS] [PATH...]

Conditions as the head of expect.tsv says, with one value (0.5, integers 1) in every element of every
input. A netlist may be refused with exit 4 and a reason instead; those are listed and counted. One line per
netlist:
    ran       exit 0
    refused   exit 4, with the first line that says why
    failed    anything else, with the first line
Fails when one failed. Ends with 77 (skipped) without the corpus (HOIST_CORPUS, else
../shared/corpus).
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SKIPPED = 77


def corpus():
    folder = pathlib.Path(os.environ.get("HOIST_CORPUS", ROOT / "../shared/corpus"))
    return folder if (folder / "buda/expect.tsv").exists() else None


def rows(folder):
    """Path and architecture of the netlists that the reference ran."""
    for line in (folder / "expect.tsv").read_text(encoding="utf-8").splitlines():
        fields = line.split("\t")
        if not line.startswith("#") and len(fields) > 3 and fields[3] == "runs":
            yield folder / fields[0], fields[1]


def parameter(name, info, text):
    if "microbatch_size" in name or "batch_size" in name:
        return max(graph["input_count"] for graph in info["graphs"])
    if any(part in name for part in ("lptr", "gptr", "zero")):
        return 0
    loop = re.search(r"program_loop_count\s*:\s*(\d+)", text)
    return int(loop.group(1)) if name.endswith("p_loop_count") and loop else 1


def encodings(hoist, options, path):
    """Queues that hold the encoding of a sparse matmul: input 2 of an op with `identity`."""
    done = subprocess.run([hoist, "dump", "--json", *options, path], check=True, capture_output=True)
    module = json.loads(done.stdout)["module"]
    for graph in module["graphs"]["value"].values():
        for op in graph["value"].values():
            fields = op["value"]
            if isinstance(fields, dict) and "identity" in fields.get("attributes", {}).get("value", {}):
                yield fields["inputs"]["value"][2]["value"]


def empty_encoding(queue):
    """What a sparse matmul reads as "no tiles" for every slice: strips without blocks that are each
    the last of their slice (bit 30), the last one also of its tile (bit 31)."""
    z, rows, cols = queue["shape"]
    strips = [struct.pack("<IH", 0x40000000, 0)] * 681 + [struct.pack("<IH", 0xC0000000, 0)]
    tile = b"".join(strips) + bytes(4)
    return tile * (queue["entries"] * z * rows * cols // 1024)


def inputs(hoist, options, path, info, folder):
    """--input of every queue that the host fills: 0.5, in integer queues 1."""
    encoded = set(encodings(hoist, options, path))
    for queue in info["queues"]:
        if queue["name"] in encoded:
            file = pathlib.Path(folder) / queue["name"]
            file.write_bytes(empty_encoding(queue))
            yield f"--input={queue['name']}=@{file}.bin"
            file.rename(f"{file}.bin")
        elif "Int" in queue["df"] and queue["input"] == "HOST":
            yield f"--input={queue['name']}=1"
    yield "--input=*=0.5"


def run(hoist, path, arch, timeout):
    text = path.read_text(encoding="utf-8")
    options = ["--arch", arch] if arch != "-" else []
    done = subprocess.run([hoist, "info", "--json", *options, path], check=False, capture_output=True)
    if done.returncode:
        return "failed", f"info: exit {done.returncode}"
    info = json.loads(done.stdout)["files"][0]
    words = [hoist, "run", *options, "--quiet", "--timeout", str(timeout)]
    for name in sorted({name for program in info["programs"] for name in program["params"]}):
        words += ["--param", f"{name}={parameter(name, info, text)}"]
    with tempfile.TemporaryDirectory() as folder:
        words += inputs(hoist, options, path, info, folder)
        done = subprocess.run([*words, path], check=False, capture_output=True, text=True, timeout=2 * timeout)
    said = (done.stderr.strip() or done.stdout.strip() or "nothing said").splitlines()[0]
    if done.returncode == 0:
        return "ran", ""
    return ("refused" if done.returncode == 4 else "failed"), f"exit {done.returncode}: {said}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("hoist")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--timeout", type=int, default=150)
    parser.add_argument("--large", action="store_true", help="the full-size models too")
    parser.add_argument("paths", nargs="*", help="parts of paths; default: all")
    options = parser.parse_args()
    folder = corpus()
    if not folder:
        print("skipped: the corpus is absent")
        return SKIPPED
    folders = [folder / "buda"] + ([folder / "buda-large"] if options.large else [])
    wanted = [row for part in folders for row in rows(part)
              if not options.paths or any(p in str(row[0]) for p in options.paths)]
    counts = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        judged = pool.map(lambda row: run(options.hoist, row[0], row[1], options.timeout), wanted)
        for (path, _), (verdict, reason) in zip(wanted, judged):
            counts[verdict] += 1
            if verdict != "ran":
                print(f"{verdict:8} {path.relative_to(folder)}: {reason}", flush=True)
    print(f"{len(wanted)} netlists: " + ", ".join(f"{n} {verdict}" for verdict, n in sorted(counts.items())))
    return 1 if counts["failed"] or not wanted else 0


if __name__ == "__main__":
    sys.exit(main())
