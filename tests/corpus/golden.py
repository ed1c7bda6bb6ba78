#!/usr/bin/env python3
"""The golden vectors: netlists with inputs and outputs of the public reference model.

golden.py HOIST [--verbose] [-j N] [CASE...]

Runs each case with its inputs and compares every output, bit for bit. One line per case:
    equal     all outputs have the same bits
    differs   an output has not, with the first line that says how
    refused   the file was not run, with the reason
Fails when a case differs, or when one is refused that is not in REFUSED. Ends with 77 (skipped)
without the vectors (HOIST_CORPUS, else ../shared/corpus).
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SKIPPED = 77
# Host types that the vectors hold as unsigned integers.
TAGS = {"Float16": "f16", "Float16_b": "bf16"}
# Cases that are not run, and why.
REFUSED = {}


def corpus():
    golden = pathlib.Path(os.environ.get("HOIST_CORPUS", ROOT / "../shared/corpus")) / "buda-golden"
    return golden if (golden / "index.json").exists() else None


def ports(folder):
    """Names and fields of the queues in index.txt: lines `IN name key=value...`."""
    for line in (folder / "index.txt").read_text(encoding="utf-8").splitlines():
        words = line.split()
        if words and words[0] in ("IN", "OUT"):
            yield words[0], words[1], dict(word.split("=", 1) for word in words[2:] if "=" in word)


def parameters(hoist, path, arch):
    """As the vectors were made: sizes are the input count, pointers 0, all others 1."""
    done = subprocess.run([hoist, "info", "--json", "--arch", arch, path], check=False, capture_output=True)
    if done.returncode:
        return
    info = json.loads(done.stdout)["files"][0]
    names = {name for program in info["programs"] for name in program["params"]}
    for name in sorted(names):
        value = info["graphs"][0]["input_count"] if "size" in name else 1
        yield name, 0 if any(part in name for part in ("lptr", "gptr", "zero")) else value


def command(hoist, folder, arch):
    path = folder / "netlist.yaml"
    words = [hoist, "run", path, "--arch", arch, "--quiet", "--exact", "--timeout", "300"]
    for name, value in parameters(hoist, path, arch):
        words += ["--param", f"{name}={value}"]
    for way, name, fields in ports(folder):
        if way == "IN":
            tag = TAGS.get(fields["host"])
            words += ["--input", f"{name}{':' + tag if tag else ''}=@{folder}/in_{name}.host.npy"]
        else:
            words += ["--expect", f"{name}=@{folder}/out_{name}.f32.npy"]
    return words


def judge(hoist, folder, arch):
    words = command(hoist, folder, arch)
    done = subprocess.run(words, check=False, capture_output=True, text=True, timeout=600)
    said = [line for line in done.stderr.splitlines() if "warning:" not in line] + [line for line in done.stdout.splitlines() if ": NOT as " in line]
    reason = said[0].replace(str(folder) + "/", "") if said else ""
    verdict = {0: "equal", 1: "differs", 4: "refused"}.get(done.returncode, f"exit {done.returncode}")
    return verdict, reason, words


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("hoist", type=lambda p: str(pathlib.Path(p).resolve()))
    parser.add_argument("--verbose", action="store_true", help="print the command lines")
    parser.add_argument("-j", type=int, default=1)
    parser.add_argument("cases", nargs="*")
    options = parser.parse_intermixed_args()
    golden = corpus()
    if not golden:
        print("skipped: the corpus is absent")
        return SKIPPED
    index = json.loads((golden / "index.json").read_text(encoding="utf-8"))["cases"]
    cases = [case for case in index if not options.cases or case["dir"] in options.cases]
    counts, wrong = {}, 0
    with concurrent.futures.ThreadPoolExecutor(options.j) as pool:
        judged = pool.map(lambda case: judge(options.hoist, golden / case["dir"], case["arch"]), cases)
        for case, (verdict, reason, words) in zip(cases, judged):
            counts[verdict] = counts.get(verdict, 0) + 1
            wrong += verdict != "equal" and not (verdict == "refused" and case["dir"] in REFUSED)
            print(f"{verdict:8} {case['dir']}{'  ' + reason if verdict != 'equal' else ''}")
            if options.verbose:
                print("    " + " ".join(str(word) for word in words))
    print(f"{len(cases)} cases: " + ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
