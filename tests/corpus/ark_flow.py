#!/usr/bin/env python3
"""What ARK's models and plans need and leave, against their manifests and a bitmap.

ark_flow.py HOIST [--big] [--verbose]

For each model and plan of the vectors `hoist info` names inputs, outputs and state. They are those that this
script finds by a bit for each byte of memory. Of the files that a manifest names, its inputs cover the inputs, and
its outputs have the outputs' bytes; they have more in the files of MORE alone, which also want something that is
read or overwritten later. The big vectors are left out without --big. Last, `hoist diff` finds no difference in a model whose edges are in another order. One
line per file that is wrong. Ends with 77 (skipped) without the vectors (HOIST_CORPUS, else ../shared/corpus).
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SKIPPED = 77
SIZES = {"FP32": 4, "FP16": 2, "BF16": 2, "INT32": 4, "UINT32": 4, "INT8": 1, "UINT8": 1, "BYTE": 1}
VIRTUAL = {"Tensor", "Placeholder", "Reshape"}
# Manifests with outputs that are intermediate results, or inputs that are updated in place.
MORE = {"B08_views_concat_medium", "B08_views_offsets", "B08_views_padded", "B08_views_shards", "B08_views_big",
        "C01_pingpong_2ranks", "O_bytecast", "O_copy_broadcast_fill", "O_inplace", "O_war_hazard",
        "P_public_allreduce_sm"}


def bits(tensor):
    """The bytes of a tensor in its buffer, a bit each."""
    size, dims = SIZES[tensor["DataType"]], tensor["Strides"]
    pitch = [size] * len(dims)
    for i in range(len(dims) - 2, -1, -1):
        pitch[i] = pitch[i + 1] * dims[i + 1]
    found = (1 << tensor["Shape"][-1] * size) - 1
    for i in range(len(dims) - 2, -1, -1):
        have, count = 1, tensor["Shape"][i]
        while have < count:
            more = min(have, count - have)
            found |= (found & ((1 << more * pitch[i]) - 1)) << have * pitch[i]
            have += more
    return found << sum(o * p for o, p in zip(tensor["Offsets"], pitch))


def operators(file):
    """In the order of execution."""
    if "Nodes" in file:
        return [op for node in file["Nodes"] for op in (node["Ops"] if "Ops" in node else [node["Op"]])]
    tasks = {task["Id"]: task for task in file["TaskInfos"]}
    order = dict.fromkeys(part["TaskId"] for group in file["ProcessorGroups"]
                          for resource in group["ResourceGroups"] for part in resource["TaskGroups"])
    return [op for task in order for op in tasks[task]["Ops"]]


def effects(op, local):
    """Tensors that are read, filled by other ranks before they are read, and written; and the result."""
    kind, reads, fills, writes = op["Type"], op["ReadTensors"], [], op["WriteTensors"]
    result = op["ResultTensors"][:1]
    if kind in VIRTUAL or kind in ("Noop", "SendDone"):
        return [], [], [], []
    if kind == "DeviceSync":
        writes = []
    elif kind.startswith("Recv"):
        reads, fills = (reads[:1], reads[1:]) if "Reduce" in kind else ([], reads[1:])
    return [[t for t in part if local(t)] for part in (reads, fills, writes, result)]


def flow(file):
    """Inputs by buffer as [first tensor, bytes, reader], outputs as [tensor, operator]."""
    steps = []
    for op in operators(file):
        steps.append((op, effects(op, lambda t: t["Buffer"]["Rank"] in (-1, file["Rank"]))))
    known, needs, outputs = {}, {}, []
    for op, (reads, fills, writes, _) in steps:
        for tensor in fills:
            known[tensor["Buffer"]["Id"]] = known.get(tensor["Buffer"]["Id"], 0) | bits(tensor)
        for tensor in reads:
            buffer = tensor["Buffer"]["Id"]
            new = bits(tensor) & ~known.get(buffer, 0)
            if new:
                needs.setdefault(buffer, [tensor["Id"], 0, op["Name"]])[1] |= new
        for tensor in writes:
            known[tensor["Buffer"]["Id"]] = known.get(tensor["Buffer"]["Id"], 0) | bits(tensor)
    read, gone = {}, {}
    for op, (reads, fills, writes, result) in reversed(steps):
        for tensor in result:
            buffer, own = tensor["Buffer"]["Id"], bits(tensor)
            if not own & read.get(buffer, 0) and own & ~gone.get(buffer, 0):
                outputs.insert(0, (tensor, op["Name"]))
        for tensor in writes + fills:
            gone[tensor["Buffer"]["Id"]] = gone.get(tensor["Buffer"]["Id"], 0) | bits(tensor)
        for tensor in reads + fills:
            read[tensor["Buffer"]["Id"]] = read.get(tensor["Buffer"]["Id"], 0) | bits(tensor)
    return needs, outputs


def told(info):
    """The same as `hoist info` says it."""
    needs = [(i["buffer"], i["tensor"], i["needed_bytes"], i["first_read_by"], i["state"]) for i in info["inputs"]]
    return needs, [(o["buffer"], o["tensor"], o["written_by"], o["state"]) for o in info["outputs"]]


def expected(needs, outputs):
    ends = {tensor["Buffer"]["Id"] for tensor, _ in outputs}
    ids = [(tensor["Buffer"]["Id"], tensor["Id"], name) for tensor, name in outputs]
    return ([(buffer, tensor, bin(found).count("1"), name, buffer in ends)
             for buffer, (tensor, found, name) in needs.items()],
            [(buffer, tensor, name, buffer in needs) for buffer, tensor, name in ids])


def union(tensors):
    found = {}
    for tensor in tensors:
        found[tensor["Buffer"]["Id"]] = found.get(tensor["Buffer"]["Id"], 0) | bits(tensor)
    return found


def manifest_problem(name, manifest, rank, needs, outputs):
    given = union(i["tensor"] for i in manifest["inputs"] if i["rank"] == rank)
    wanted = union(o["tensor"] for o in manifest["outputs"] if o["rank"] == rank)
    left = union(tensor for tensor, _ in outputs)
    for buffer, (_, found, _) in needs.items():
        if found & ~given.get(buffer, 0):
            return f"the manifest lacks input of buffer {buffer}"
    if any(found & ~wanted.get(buffer, 0) for buffer, found in left.items()):
        return "an output that the manifest does not have"
    if name not in MORE and any(found & ~left.get(buffer, 0) for buffer, found in wanted.items()):
        return "the manifest has more outputs"
    return None


def run(hoist, *words):
    return subprocess.run([hoist, *words], capture_output=True, text=True, check=False)


def file_problem(info, path, manifest):
    file = json.loads(path.read_text(encoding="utf-8"))
    needs, outputs = flow(file)
    got, want = told(info), expected(needs, outputs)
    if got != want:
        return f"got {got}, expected {want}"
    if path.name in manifest["models"] + manifest["plans"]:
        return manifest_problem(path.parent.name, manifest, file["Rank"], needs, outputs)
    return None


def edges_problem(hoist, path):
    """A model whose lists of edges are the other way round is the same; one with other edges is not."""
    file = json.loads(path.read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "copy.json"
        for node in file["Nodes"]:
            node["ProducerNodeIds"].reverse()
            node["ConsumerNodeIds"].reverse()
        copy.write_text(json.dumps(file), encoding="utf-8")
        same = run(hoist, "diff", str(path), str(copy)).returncode
        file["Nodes"][-1]["ProducerNodeIds"] = [0]
        copy.write_text(json.dumps(file), encoding="utf-8")
        other = run(hoist, "diff", str(path), str(copy))
    if same != 0 or other.returncode != 1 or "ProducerNodeIds" not in other.stdout:
        return f"diff of other orders of edges: exit {same}, of other edges {other.returncode}: {other.stdout}"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("hoist")
    parser.add_argument("--big", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    corpus = pathlib.Path(os.environ.get("HOIST_CORPUS", ROOT.parent / "shared" / "corpus"))
    manifests = sorted((corpus / "ark" / "vectors").glob("*/manifest.json"))
    if options.big:
        manifests += sorted((corpus / "ark" / "vectors" / "big").glob("*/manifest.json"))
    if not manifests:
        print("skipped: the corpus is absent")
        return SKIPPED
    count = failed = 0
    for place in manifests:
        manifest = json.loads(place.read_text(encoding="utf-8"))
        paths = sorted(place.parent.glob("model*.json")) + sorted(place.parent.glob("plan*.json"))
        done = run(options.hoist, "info", "--json", *map(str, paths))
        infos = {info["file"]: info for info in json.loads(done.stdout)["files"]}
        for path in paths:
            problem = (file_problem(infos[str(path)], path, manifest) if str(path) in infos
                       else f"exit {done.returncode}: {done.stderr.strip()}")
            count += 1
            failed += problem is not None
            if problem or options.verbose:
                print(f"{path.parent.name}/{path.name}: {problem or 'as expected'}")
    problem = edges_problem(options.hoist, corpus / "ark/vectors/B01_ffn_tutorial_small_fp32/model.json")
    if problem:
        print(problem)
    print(f"{count} files, {failed} wrong")
    return 1 if failed or problem or count < 100 else 0


if __name__ == "__main__":
    sys.exit(main())
