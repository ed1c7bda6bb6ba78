#!/usr/bin/env python3
"""Peak memory of ARK runs: what is alive, what `hoist info --resources` states, and what a run touches.

ark_memory.py HOIST FOLDER...

A FOLDER has model.json, or model_rank0.json and so on (../shared/corpus/ark/vectors). A line for each:
- live: bytes of the buffers that hold a value which is needed later, at the worst operator, by this script alone,
  all ranks doing one operator at a time: inputs in all of a run, outputs from their first write on, others from there
  to their last use, what is sent until it is received;
- session: the peak of the session that is stated, and its ratio to what is alive (wanted: at most 1.1);
- stated: that with the arrays of the command;
- run: the greatest resident size of `hoist run` with random inputs in one thread, without that of `hoist info` on
  the same files (program, text and model of the job), and its ratio to what is stated (wanted: at most 1.15);
- own: bytes that a buffer for each tensor, and one for each message, would take.
"""
import json
import os
import pathlib
import subprocess
import sys


def resident(command):
    """Bytes of the greatest resident size of a command that must succeed."""
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as child:
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"{' '.join(command)}: exit status {child.returncode}")
    return usage.ru_maxrss * 1024


def files_of(folder):
    ranks = sorted(folder.glob("model_rank*.json"), key=lambda path: int(path.stem.removeprefix("model_rank")))
    return [str(path) for path in ranks or [folder / "model.json"]]


BYTES = {"FP32": 4, "FP16": 2, "BF16": 2, "INT32": 4, "UINT32": 4, "INT8": 1, "UINT8": 1, "BYTE": 1}


def size_of(tensor):
    size = BYTES[tensor["DataType"]]
    for extent in tensor["Strides"]:
        size *= extent
    return size


class Buffer:
    def __init__(self, at, given):
        self.size = 0
        self.first = at
        self.last = at
        self.given = given  # by the caller, who finds it there in the next run, too
        self.kept = False  # nobody has read what was written last: an output


def operators_of(model):
    """Those that do something, in order."""
    operators = [op for node in model["Nodes"] for op in node.get("Ops", [node.get("Op")])]
    return [op for op in operators if not op["IsVirtual"] and op["Type"] not in ("SendDone", "Noop")]


def sent_key(rank, op):
    """(sender, receiver, tag) of a Send."""
    proxy = op["WriteTensors"][0]["Buffer"]
    return rank, proxy["Rank"], next(tag for peer, tag in proxy["RecvTags"] if peer == -1)


def received_key(rank, op):
    proxy = op["ReadTensors"][0]["Buffer"]
    return proxy["Rank"], rank, next(tag for peer, tag in proxy["SendTags"] if peer == -1)


def times_of(jobs):
    """When each operator of each rank is done, if all ranks do one at a time, and when each message is received."""
    at = {rank: 0 for rank in jobs}
    times = {rank: [] for rank in jobs}
    sent, received = {}, {}
    for now in range(1 + sum(map(len, jobs.values()))):
        ready = {rank: at[rank] for rank, operators in jobs.items() if at[rank] < len(operators)}
        for rank, index in ready.items():
            op = jobs[rank][index]
            if op["Type"] == "Recv":
                key = received_key(rank, op)
                if sum(time < now for time in sent.get(key, [])) <= len(received.setdefault(key, [])):
                    continue
                received[key].append(now)
            if op["Type"] == "Send":
                sent.setdefault(sent_key(rank, op), []).append(now)
            times[rank].append(now)
            at[rank] += 1
    return times, received


def buffers_of(rank, operators, times, received):
    """The local buffers of a rank, with the times between which they are used."""
    found, count = {}, {}
    for op, now in zip(operators, times):
        for tensors, reads in (op["ReadTensors"], True), (op["WriteTensors"], False):
            for tensor in tensors:
                buffer = tensor["Buffer"]
                if buffer["Rank"] in (-1, rank):
                    row = found.setdefault(buffer["Id"], Buffer(now, reads))
                    row.size = max(row.size, size_of(tensor))
                    row.last = max(row.last, now)
                    row.kept = not reads
        if op["Type"] == "Send":
            key = sent_key(rank, op)
            number = count[key] = count.get(key, -1) + 1
            row = found[op["ReadTensors"][0]["Buffer"]["Id"]]
            row.last = max([row.last, *received.get(key, [])[number:number + 1]])
    return found.values()


def live(files):
    """Bytes that are alive at the worst operator, and those of all buffers and messages."""
    models = [json.loads(pathlib.Path(path).read_text(encoding="utf-8")) for path in files]
    jobs = {model["Rank"]: operators_of(model) for model in models}
    times, received = times_of(jobs)
    change = [0] * (3 + sum(map(len, jobs.values())))
    own = 0
    for rank, operators in jobs.items():
        for row in buffers_of(rank, operators, times[rank], received):
            change[0 if row.given else row.first] += row.size
            if not row.given and not row.kept:
                change[row.last + 1] -= row.size
            own += row.size
        own += sum(size_of(op["WriteTensors"][0]) for op in operators if op["Type"] in ("Send", "SendPacket"))
    now = most = 0
    for difference in change:
        now += difference
        most = max(most, now)
    return most, own


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    hoist = sys.argv[1]
    print(f"{'folder':40} {'live':>13} {'session':>13} {'':>5} {'stated':>13} {'run':>13} {'':>5} {'own':>13}")
    for folder in map(pathlib.Path, sys.argv[2:]):
        files = files_of(folder)
        document = subprocess.run([hoist, "info", "--json", "--resources", *files], check=True, capture_output=True).stdout
        resources = json.loads(document)["resources"]
        session = resources["memory"]["peak_bytes"]
        stated = resources["command"]["peak_bytes"]
        most, own = live(files)
        before = resident([hoist, "info", *files])
        run = resident([hoist, "run", "-q", "-j", "1", "-i", "*=random:1", *files]) - before
        print(f"{folder.name:40} {most:13,} {session:13,} {session / most:5.2f} {stated:13,} {run:13,} {run / stated:5.2f} {own:13,}")


if __name__ == "__main__":
    main()
