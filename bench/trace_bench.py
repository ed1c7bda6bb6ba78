#!/usr/bin/env python3
"""What `hoist run --trace` costs, and whether the trace has all of the time.

trace_bench.py HOIST [--pairs N] [--only TEXT]

Runs each file N times (3) with a timeline and without, by turns, and compares the least times of an iteration,
which is what a busy machine disturbs least; then sums the events of each worker, but those inside others, against
the time of the runs that the report has. `steps` is the share of it that are data steps, `per event` the difference
over the events of an iteration. The exit status is 1 where a worker's sum is more than 2 % away, where an iteration
of a millisecond or more takes 3 % longer, and where a shorter one takes more than 200 ns for each event. A netlist
of BERT base is measured where the corpus is; its runs are so long that a busy machine disturbs all of them, and
`by events`, the events at 200 ns over the time of an iteration, is what counts.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
CORPUS = pathlib.Path(os.environ.get("HOIST_CORPUS", ROOT / "../shared/corpus"))
MOST_COST = 3.0  # percent
MOST_AWAY = 2.0  # percent
EVENT_NS = 200
LINE = "{:<31} {:>9} {:>9} {:>8} {:>10} {:>10} {:>9} {:>6} {:>8} {:>5}"

FILES = {
    "feed_forward": (["--param", "p_loop_count=1"], "examples/buda/feed_forward.yaml"),
    "transformer_encoder": (["--param", "p_loop_count=1", "--param", "p_microbatch_size=2", "-i", "*=0.01"], "examples/buda/transformer_encoder.yaml"),
    "classifier": (["--batch", "8"], "examples/tflite/classifier.tflite"),
    "swiglu": ([], "examples/ark/swiglu.json"),
    "bert base": (["--param", "p_loop_count=1", "-i", "*=0.01"],
                  CORPUS / "buda-large/netlist_bert_12x_encoder_1x_whb0_base_inference.yaml"),
}
WAYS = {"1 worker": ["-j", "1"], "2 workers": ["-j", "2"], "sequential": ["--sequential"]}


def run(hoist, arguments):
    done = subprocess.run([hoist, "run", "--json", *arguments], cwd=ROOT, check=True, capture_output=True,
                          stdin=subprocess.DEVNULL)
    return json.loads(done.stdout)["summary"]


def seconds_of_workers(trace):
    """Of each worker the seconds of its outermost events and of those that are data steps, as shares of the runs."""
    names = {e["tid"]: e["args"]["name"] for e in trace["traceEvents"] if e["name"] == "thread_name" and e["pid"] == 1}
    all_of = {tid: 0.0 for tid, name in names.items() if name.startswith("worker ")}
    data_of = dict(all_of)
    for event in trace["traceEvents"]:
        if event["ph"] == "X" and event["pid"] == 1 and event["tid"] in all_of and not event["args"].get("sum_of_blocks"):
            all_of[event["tid"]] += event["dur"] / 1e6
            data_of[event["tid"]] += event["dur"] / 1e6 if event["cat"] not in ("control", "idle", "host") else 0
    return all_of, data_of


def measure(hoist, folder, arguments, pairs):
    path = pathlib.Path(folder) / "t.json"
    once = run(hoist, arguments)["seconds"]
    # Long enough for a steady least, short enough to be kept completely.
    count = max(2, min(1000, int(0.2 / once)))
    iterations = ["--iterations", str(count), "--warmup", "1"]
    plain, traced = [], []
    for _ in range(pairs):
        plain.append(run(hoist, [*iterations, *arguments])["least_seconds"])
        summary = run(hoist, ["--trace", str(path), *iterations, *arguments])
        traced.append(summary["least_seconds"])
    with open(path, encoding="utf-8") as file:
        trace = json.load(file)
    all_of, data_of = seconds_of_workers(trace)
    away = max(abs(100 * seconds / summary["seconds"] - 100) for seconds in all_of.values())
    share = 100 * sum(data_of.values()) / summary["seconds"] / len(data_of)
    facts = trace["otherData"]
    return min(plain), min(traced), away, share, facts["events"] / count, facts["lost_events"]


def is_missed(plain, traced, away, events):
    cost = 100 * traced / plain - 100
    if plain >= 0.1:  # a scheduler's turn and more
        cost = 100 * events * EVENT_NS * 1e-9 / plain
    return away > MOST_AWAY or (cost >= MOST_COST if plain >= 0.001 else traced - plain > events * EVENT_NS * 1e-9)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("hoist")
    parser.add_argument("--pairs", type=int, default=3)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    hoist = str(pathlib.Path(options.hoist).resolve())
    missed = False
    print(LINE.format("", "plain ms", "traced ms", "cost", "per event", "by events", "away", "steps", "events", "lost"))
    with tempfile.TemporaryDirectory() as folder:
        for name, (arguments, path) in FILES.items():
            for way, how in WAYS.items():
                title = f"{name}, {way}"
                if options.only not in title or not (ROOT / path).exists():
                    continue
                inputs = [] if "-i" in arguments else ["-i", "*=random:1"]
                plain, traced, away, share, events, lost = measure(hoist, folder, [*how, *arguments, *inputs, str(path)], options.pairs)
                missed = missed or is_missed(plain, traced, away, events)
                print(LINE.format(title, f"{1e3 * plain:.3f}", f"{1e3 * traced:.3f}", f"{100 * traced / plain - 100:+.1f} %",
                                  f"{1e9 * (traced - plain) / events:.0f} ns", f"{100 * events * EVENT_NS * 1e-9 / plain:.2f} %",
                                  f"{away:.4f} %", f"{share:.0f} %", f"{events:.0f}", lost), flush=True)
    return missed


if __name__ == "__main__":
    sys.exit(main())
