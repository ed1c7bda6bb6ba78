#!/usr/bin/env python3
"""Every netlist of a folder is checked, and run with the inputs of its own test where the check is clean.

netlists.py HOIST [--folder DIR] [--seconds N] [--every N] [--timeout N] [--memory MIB] [--list FILE]

The folder is --folder or HOIST_NETLISTS, a checkout of tenstorrent/tt-budabackend; without one it ends with 77
(skipped). A netlist is a .yaml file with the sections queues and graphs and without $TEMPLATE_. Parameters of
programs have the values of the file's test-args, those of batches else the input_count of its graphs, others 1.
--every N takes each Nth netlist; --seconds ends the walk and says how far it came. What a netlist comes to:
    0            checked clean and run to its end
    5            a limit of time or memory, of hoist or of this script
    unsupported  refused with exit 4 and a rule that names what is not supported
    refused      the check found errors
    stopped      the run began and ended early: data that an op does not take, or threads that wait
    otherwise    anything else, a crash above all
Fails when one ends otherwise. --list adds one line for each to FILE as it ends (outcome, seconds, path, reason); netlists
that FILE has already are not run again, so that a walk that was cut off goes on.
"""
import argparse
import collections
import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import time

SKIPPED = 77
TIMED_OUT = 124


def netlists(folder):
    section = {name: re.compile(rf"^{name}\s*:", re.MULTILINE) for name in ("queues", "graphs")}
    for path in sorted(folder.rglob("*.yaml")):
        text = path.read_text(encoding="utf-8", errors="replace")
        if "$TEMPLATE_" not in text and all(s.search(text) for s in section.values()):
            yield path, text


def run(command, options):
    """Exit status (TIMED_OUT for a timeout), output and messages of a command under the limits."""
    limit = options.memory << 20

    def confine():
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    try:
        done = subprocess.run(command, capture_output=True, timeout=options.timeout, preexec_fn=confine)
    except subprocess.TimeoutExpired:
        return TIMED_OUT, "", "timeout"
    return (done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace"))


def parameter(name, info, text):
    bare = name.lstrip("$").removeprefix("p_")
    given = re.search(rf"^\s*{re.escape(bare)}\s*:\s*(\d+)\s*$", text, re.MULTILINE)
    if given:
        return int(given.group(1))
    if "batch_size" in bare:
        return max(graph["input_count"] for graph in info["graphs"])
    return 0 if any(part in bare for part in ("lptr", "gptr", "zero", "index")) else 1


def parameters(options, path, text):
    code, out, _ = run([options.hoist, "info", "--json", path], options)
    if code:
        return []
    info = json.loads(out)["files"][0] if "files" in json.loads(out) else json.loads(out)
    names = {name for program in info.get("programs", []) for name in program["params"]}
    return [f"--param={name}={parameter(name, info, text)}" for name in sorted(names)]


def first_finding(text):
    lines = [line for line in text.splitlines() if ": error: " in line or line.startswith("hoist:")]
    return (lines or text.strip().splitlines() or [""])[0][-200:]


def outcome(options, path, text):
    code, out, messages = run([options.hoist, "check", "--quiet", path], options)
    if code == 1:
        return "refused", first_finding(out + messages)
    if code == 0:
        given = parameters(options, path, text)
        code, out, messages = run([options.hoist, "run", "--quiet", "--input=*=config", *given, path], options)
    reason = "" if code == 0 else first_finding(out + messages)
    if code in (0, 5):
        return str(code), reason
    if code == TIMED_OUT:
        return "5", "timeout"
    ends = {1: "stopped", 3: "stopped", 4: "unsupported"}
    known = re.search(r"\[[A-Z]+-\w+\]", reason)
    return ends.get(code, "otherwise") if known else "otherwise", f"exit {code}: {reason}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("hoist")
    parser.add_argument("--folder", default=os.environ.get("HOIST_NETLISTS"))
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=20)
    parser.add_argument("--memory", type=int, default=4096)
    parser.add_argument("--list")
    options = parser.parse_args()
    if not options.folder or not pathlib.Path(options.folder).is_dir():
        print("skipped: HOIST_NETLISTS names no folder of netlists")
        return SKIPPED
    folder = pathlib.Path(options.folder)
    chosen = list(netlists(folder))[:: options.every]
    counts, begin, known = collections.Counter(), time.monotonic(), {}
    if options.list and pathlib.Path(options.list).exists():
        lines = pathlib.Path(options.list).read_text(encoding="utf-8").splitlines()
        known = {fields[2]: fields[0] for fields in (line.split("\t") for line in lines) if len(fields) == 4}
    for path, text in chosen:
        before = time.monotonic()
        place = str(path.relative_to(folder))
        if place in known:
            counts[known[place]] += 1
            continue
        if before - begin > options.seconds:
            continue
        what, reason = outcome(options, path, text)
        counts[what] += 1
        if options.list:
            with open(options.list, "a", encoding="utf-8") as log:
                log.write(f"{what}\t{time.monotonic() - before:.1f}\t{place}\t{reason}\n")
        if what == "otherwise":
            print(f"{place}: {reason}")
    print(f"{sum(counts.values())} of {len(chosen)} netlists in {time.monotonic() - begin:.0f} s: "
          + ", ".join(f"{count} {what}" for what, count in sorted(counts.items())))
    return 1 if counts["otherwise"] else 0


if __name__ == "__main__":
    sys.exit(main())
