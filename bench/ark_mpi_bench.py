#!/usr/bin/env python3
"""ark_mpi_bench.py HOIST PEER [--count N] [--rounds N] [--only TEXT]: all-reduces of ARK jobs against plain C over MPI.

Each row is a job of 2 or 4 ranks: B04, whole tensors by Send and Recv, made here; B05 by packets and B06 by sums in
place, of the corpus (../shared/corpus), with every extent made as many times larger as --count asks for. It runs in
a process for each rank under mpirun, by turns with the same exchange in plain C (PEER, ark_mpi_peer.c) for B04 and
with MPI_Allreduce for the others, and, once, in one process with a thread for each core. Medians of --rounds
medians. `hoist bench` times an iteration from its beginning in the first rank to its end in all.

Wanted: B04 over MPI at most 1.2 times the plain C, B05 and B06 at most 1.5 times MPI_Allreduce; B04 in one process
at most 0.7 of its own time over MPI. Exits with 1 when one is missed, with 77 without mpirun.
"""
import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "examples/ark"))
from make import all_reduce  # noqa: E402

VECTORS = pathlib.Path(os.environ.get("HOIST_CORPUS", HERE.parent / "../shared/corpus")) / "ark/vectors"
SKIPPED = 77
ITERATIONS = 5
MPIRUN = ["mpirun", "--oversubscribe", "--quiet", "--mca", "mpi_yield_when_idle", "1"]
ROWS = [(name, ranks) for name in ("B04", "B05", "B06") for ranks in (2, 4)]


def scale(value, factor):
    """A model whose extents and offsets are `factor` times as large."""
    if isinstance(value, dict):
        return {key: [factor * n for n in part] if key in ("Shape", "Strides", "Offsets", "PaddedShape") else scale(part, factor)
                for key, part in value.items()}
    return [scale(part, factor) for part in value] if isinstance(value, list) else value


def write_models(name, ranks, count, folder):
    """The files of a job whose ranks have about `count` elements; None: the corpus is not there."""
    if name == "B04":
        texts = [all_reduce(rank, ranks, count).text() for rank in range(ranks)]
    else:
        kind = {"B05": "packet", "B06": "sm"}[name]
        source = VECTORS / f"{name}_allreduce_{kind}_{ranks}ranks_fp32"
        if not source.exists():
            return None
        models = [json.loads((source / f"model_rank{rank}.json").read_text()) for rank in range(ranks)]
        own = max(t["Shape"][0] for n in models[0]["Nodes"] for t in n["Op"]["ReadTensors"] if t["DataType"] == "FP32")
        largest = max(t["Strides"][0] for n in models[0]["Nodes"] for t in n["Op"]["ReadTensors"] if t["DataType"] == "FP32")
        texts = [json.dumps(scale(model, count // max(own, largest))) for model in models]
    for rank, text in enumerate(texts):
        (folder / f"{name}_{ranks}_{rank}.json").write_text(text)
    return [str(folder / f"{name}_{ranks}_{rank}.json") for rank in range(ranks)]


def output(command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: exit status {done.returncode}\n{done.stderr[-2000:]}")
    return done.stdout


def time_ours(command):
    return json.loads(output([*command, "--json", "-q", "--iterations", str(ITERATIONS)]))["wall"]["median_seconds"]


def time_peer(peer, ranks, kind, count):
    lines = output([*MPIRUN, "-n", str(ranks), peer, kind, str(count), str(ITERATIONS)]).split()
    return statistics.median(map(float, lines))


def measure(options, name, ranks, files):
    kind = "exchange" if name == "B04" else "allreduce"
    over, peer = [], []
    for _ in range(options.rounds):
        over.append(time_ours([*MPIRUN, "-n", str(ranks), options.hoist, "bench", *files]))
        peer.append(time_peer(options.peer, ranks, kind, options.count))
    alone = [time_ours([options.hoist, "bench", *files]) for _ in range(options.rounds)]
    return [statistics.median(times) for times in (over, peer, alone)]


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("hoist")
    parser.add_argument("peer")
    parser.add_argument("--count", type=int, default=1 << 22)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    if not shutil.which("mpirun"):
        print("skipped: no mpirun")
        return SKIPPED
    missed = 0
    print(f"{'job':12} {'over MPI':>10} {'plain C':>10} {'ratio':>6} {'wanted':>7} {'one process':>12} {'of MPI':>7} {'wanted':>7}")
    with tempfile.TemporaryDirectory() as folder:
        for name, ranks in ROWS:
            if options.only not in f"{name} {ranks}":
                continue
            files = write_models(name, ranks, options.count, pathlib.Path(folder))
            if not files:
                print(f"{name} {ranks}: left out, it needs the corpus")
                continue
            over, peer, alone = measure(options, name, ranks, files)
            wanted, part = (1.2, 0.7) if name == "B04" else (1.5, None)
            missed += over / peer > wanted or (part is not None and alone / over > part)
            print(f"{name} {ranks} ranks  {over * 1e3:7.1f} ms {peer * 1e3:7.1f} ms {over / peer:6.2f} {wanted:7.1f} "
                  f"{alone * 1e3:9.1f} ms {alone / over:7.2f} {part or '-':>7}", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
