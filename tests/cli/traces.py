#!/usr/bin/env python3
"""Traces that hoist writes, against the trace-event format ("Trace Event Format", JSON object form).

traces.py HOIST          runs examples with --trace in each way to run, and checks what comes out
traces.py --check FILE   checks one file

- Events have the fields of their kind and no others, of the right types; times are microseconds with at
  most three decimals, never negative. One event on each line.
- Every process and thread is named before its first event. Events of a thread are apart or nested.
- Of a measured run: the events of each worker add up to the time of the runs, and so do nested ones to no
  more than what they are in.
"""
import decimal
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
Decimal = decimal.Decimal

# Fields of each kind of event, with their types; all are required.
HEAD = {"ph": str, "pid": int, "tid": int, "name": str}
KINDS = {
    "M": {**HEAD, "args": dict},
    "X": {**HEAD, "cat": str, "ts": Decimal, "dur": Decimal, "args": dict},
    "C": {**HEAD, "cat": str, "ts": Decimal, "args": dict},
}
METADATA = {"process_name": ("name", str), "thread_name": ("name", str), "process_sort_index": ("sort_index", int),
            "thread_sort_index": ("sort_index", int)}
ROUNDING = Decimal("0.001")  # microseconds


class Wrong(Exception):
    """The first thing that a trace does not hold to."""


def expect(holds, *what):
    if not holds:
        raise Wrong(" ".join(str(part) for part in what))


def is_of(value, kind):
    if kind is Decimal:
        return isinstance(value, (int, Decimal)) and not isinstance(value, bool)
    return isinstance(value, kind) and not (kind is int and isinstance(value, bool))


def check_time(value, event):
    value = Decimal(value)
    expect(value.is_finite() and value >= 0, "a time that is none:", event)
    expect(-value.as_tuple().exponent <= 3, "more than nanoseconds:", event)


def check_fields(event):
    expect(event.get("ph") in KINDS, "an event of no known kind:", event)
    fields = KINDS[event["ph"]]
    expect(set(event) == set(fields), "other fields than", sorted(fields), "in", event)
    for key, kind in fields.items():
        expect(is_of(event[key], kind), key, "is of another type in", event)
    for key in ("ts", "dur"):
        if key in event:
            check_time(event[key], event)
    if event["ph"] == "M":
        expect(event["name"] in METADATA, "metadata of no known name:", event)
        key, kind = METADATA[event["name"]]
        expect(set(event["args"]) == {key} and is_of(event["args"][key], kind), "arguments of", event)
    if event["ph"] == "C":
        expect(event["args"] and all(is_of(v, Decimal) for v in event["args"].values()), "a series is no number:", event)


def check_names(events):
    named = set()
    for event in events:
        owner = (event["pid"], None if event["name"].startswith("process_") else event["tid"])
        if event["ph"] == "M":
            named.add(owner)
        else:
            expect((event["pid"], None) in named, "the process has no name:", event)
            expect(event["ph"] == "C" or owner in named, "the thread has no name:", event)


def spans(events, owner):
    found = [e for e in events if e["ph"] == "X" and (e["pid"], e["tid"]) == owner]
    return sorted(found, key=lambda e: (e["ts"], -e["dur"]))


def check_nesting(events):
    """Each event begins after the one before has ended, or is inside it. Gives those that are in no other."""
    outer = {}
    for owner in {(e["pid"], e["tid"]) for e in events if e["ph"] == "X"}:
        stack = []
        outer[owner] = []
        for event in spans(events, owner):
            end = event["ts"] + event["dur"]
            while stack and stack[-1] <= event["ts"]:
                stack.pop()
            expect(not stack or end <= stack[-1], "neither apart nor nested:", event)
            if not stack:
                outer[owner].append(event)
            stack.append(end)
    return outer


def check_workers(events, outer):
    """Without a gap while something runs."""
    names = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["name"] == "thread_name"}
    runs = sum(e["dur"] for owner, found in outer.items() if names[owner] == "runs" for e in found)
    workers = [owner for owner, name in names.items() if name.startswith("worker ")]
    expect(workers and runs > 0, "no worker, or no run")
    for owner in workers:
        found = outer.get(owner, [])
        total = sum(e["dur"] for e in found)
        expect(abs(total - runs) <= ROUNDING * (len(found) + 2), names[owner], "has", total, "us of", runs)
    return runs


def check(path):
    """The trace, when it holds to everything; Wrong else."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    trace = json.loads(text, parse_float=Decimal, parse_constant=lambda word: expect(False, "JSON has no", word))
    expect(list(trace) == ["schema", "displayTimeUnit", "otherData", "traceEvents"], "other keys:", list(trace))
    expect(trace["schema"] == "hoist.trace/1" and trace["displayTimeUnit"] == "ns", "another schema or unit")
    events = trace["traceEvents"]
    expect(sum(line.startswith('    {"ph": ') for line in text.split("\n")) == len(events), "not one event on each line")
    for event in events:
        check_fields(event)
    check_names(events)
    outer = check_nesting(events)
    if trace["otherData"].get("kind") == "measured" and trace["otherData"]["lost_events"] == 0:
        runs = check_workers(events, outer)
        seconds = Decimal(trace["otherData"]["seconds"]) * 1000000
        expect(abs(runs - seconds) <= seconds / 50, "runs of", runs, "us in", seconds)
    return trace


# Runs ------------------------------------------------------------------------------------------------------

HOSTILE = 'a"\\</script><!--\u202e\x01'  # a name of an op


def hostile_netlist(folder):
    """The netlist of the example, with an op of a name that markup and terminals would obey."""
    text = (ROOT / "examples/buda/feed_forward.yaml").read_text(encoding="utf-8")
    expect("act: {" in text and "[act" in text, "the example has changed")
    quoted = json.dumps(HOSTILE)
    path = folder / "hostile.yaml"
    path.write_text(text.replace("act: {", f"{quoted}: {{").replace("[act", f"[{quoted}"), encoding="utf-8")
    return path


def trace_of(hoist, folder, *arguments):
    path = folder / "t.json"
    path.unlink(missing_ok=True)
    done = subprocess.run([hoist, "run", "--trace", path, *arguments], cwd=ROOT, check=False, capture_output=True,
                          stdin=subprocess.DEVNULL, timeout=300)
    expect(done.returncode == 0, arguments, "gives", done.returncode, done.stderr.decode("utf-8", "replace"))
    return check(path)


def names_of(trace, key):
    return {event["args"].get(key) for event in trace["traceEvents"] if event["ph"] == "X"}


RUNS = {
    "netlist": ["--param", "p_loop_count=2", "-i", "*=random:1", "examples/buda/feed_forward.yaml"],
    "model": ["-i", "*=random:1", "examples/tflite/classifier.tflite"],
    "ranks": ["-i", "*=random:1", *(f"examples/ark/all_reduce_rank{i}.json" for i in range(4))],
    "groups": ["-i", "*=random:1", "examples/ark/swiglu.json"],
}
WAYS = {
    "one worker": ["-j", "1"],
    "workers": ["-j", "3", "--iterations", "3", "--warmup", "1"],
    "sequential": ["--sequential"],
    "at random": ["--schedule", "random:5"],
    "no fusion": ["--no-fusion", "--iterations", "2"],
}


ESTIMATED = 4  # the process of the estimated run in the trace of a measured one


def check_estimate(trace, hoist, folder, run, options):
    """The estimated run in the trace of a measured one is that of `hoist trace` alone, on as many cores."""
    path = folder / "estimate.json"
    words = [word for word in RUNS[run] if word not in ("-i", "*=random:1")]
    cores = ["--cores", str(trace["otherData"]["threads"])]
    subprocess.run([hoist, "trace", "-o", path, *cores, *words], cwd=ROOT, check=True, stdin=subprocess.DEVNULL)
    alone = [{**event, "pid": ESTIMATED} for event in check(path)["traceEvents"] if event["ph"] == "X"]
    together = [event for event in trace["traceEvents"] if event["pid"] == ESTIMATED and event["ph"] == "X"]
    expect(alone and together == alone, "another estimate in the run of", run, options)


def main(hoist):
    wrong = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for run, arguments in RUNS.items():
            for way, options in WAYS.items():
                try:
                    trace = trace_of(hoist, folder, *options, *arguments)
                    expect(names_of(trace, "step") - {None}, "no step has a name")
                    check_estimate(trace, hoist, folder, run, options)
                    together = any(event["args"].get("steps_together") for event in trace["traceEvents"])
                    expect(together == (run in ("groups", "ranks") and way != "no fusion"), "steps together:", together)
                except Wrong as reason:
                    print(f"{run}, {way}: {reason}")
                    wrong += 1
        try:
            trace = trace_of(hoist, folder, "--param", "p_loop_count=1", "-i", "*=random:1", hostile_netlist(folder))
            expect(HOSTILE in names_of(trace, "step"), "the hostile name is another one:", names_of(trace, "step"))
        except Wrong as reason:
            print(f"hostile: {reason}")
            wrong += 1
    return wrong > 0


ESTIMATES = {
    "Edge TPU": ["--host", "usb2", "examples/tflite/layers_edgetpu.tflite"],
    "netlist": ["--param", "p_loop_count=2", "examples/buda/feed_forward.yaml"],
    "ranks": ["--cores", "2", *(f"examples/ark/all_reduce_rank{i}.json" for i in range(4))],
    "model": ["examples/tflite/classifier.tflite"],
}


def estimates(hoist):
    """Traces of estimated runs: rows of `hoist time`, each with its times."""
    wrong = 0
    with tempfile.TemporaryDirectory() as name:
        path = pathlib.Path(name) / "t.json"
        for what, arguments in ESTIMATES.items():
            try:
                subprocess.run([hoist, "trace", "-o", path, *arguments], cwd=ROOT, check=True, stdin=subprocess.DEVNULL)
                trace = check(path)
                done = subprocess.run([hoist, "time", "--json", *arguments], cwd=ROOT, check=True, capture_output=True,
                                      stdin=subprocess.DEVNULL)
                rows = [row for row in json.loads(done.stdout)["rows"] if row["low_seconds"] or row["untimed_steps"]]
                events = [event for event in trace["traceEvents"] if event["ph"] == "X"]
                expect(len(events) == len(rows), len(events), "events,", len(rows), "rows")
                for event, row in zip(events, rows):
                    expect(event["name"] == row["name"] and event["cat"] == (row["bound"] or "untimed"), "another row:", event, row)
                    expect(abs(float(event["ts"]) - row["begin_seconds"] * 1e6) < 0.001, "another begin:", event, row)
            except Wrong as reason:
                print(f"estimate, {what}: {reason}")
                wrong += 1
    return wrong > 0


if __name__ == "__main__":
    if sys.argv[1] == "--check":
        check(sys.argv[2])
    else:
        sys.exit(main(sys.argv[1]) or estimates(sys.argv[1]))
