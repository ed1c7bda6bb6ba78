#!/usr/bin/env python3
"""hoist run in a process for each rank, under mpirun: the same files as in one process, and how everything ends
when something is wrong with one of them.

ranks.py HOIST [--memory] [--only TEXT]

Each row of ROWS is a command line with its exit code and what the one message has. In LATER a rank is killed or
stopped in mid-run: all end within --timeout and 2 s, and what mpirun itself takes. --memory adds a rank that has
too little of it, which sanitizers do not allow. Ends with 77 (skipped) without mpirun, or where hoist was built
without MPI.
"""
import argparse
import filecmp
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
DATA = HERE / "data/ark_ranks"
RANKS = [DATA / "rank0.json", DATA / "rank1.json"]
FOUR = HERE.parent.parent / "examples/ark/all_reduce_rank%r.json"
SKIPPED = 77
SLACK = 2.0  # seconds after --timeout
LIMIT = 20   # --timeout of runs that are to be stopped before
ENDLESS = ["--iterations", "16777216", "--input", "*=random:1"]
MPIRUN = ["mpirun", "--oversubscribe", "--quiet"]

# name, groups of (processes, words before the command, files and options), exit codes, parts of the message
ROWS = [
    ("one file is missing", [(2, [], [RANKS[0]])], {2}, ["no file of rank 1"]),
    ("one file twice", [(2, [], [RANKS[0], RANKS[0]])], {2, 3}, ["no file of rank 1", "expected each rank once", "ARK-X01"]),
    ("a file of another format", [(2, [], [RANKS[0], HERE / "data/small.yaml"])], {2, 3}, ["small.yaml"]),
    ("no such file", [(2, [], [RANKS[0], DATA / "rank7.json"])], {3}, ["rank7.json", "cannot be opened"]),
    ("%r of no file", [(2, [], [DATA / "none%r.json"])], {3}, ["none0.json", "cannot be opened"]),
    ("more processes than ranks", [(3, [], RANKS)], {2}, ["3 processes, expected one for each of the 2 ranks"]),
    ("less processes than ranks", [(3, [], [FOUR])], {2}, ["3 processes, expected one for each of the 4 ranks"]),
    ("one process for two ranks", [(1, [], RANKS)], {2}, ["1 processes, expected one for each of the 2 ranks"]),
    ("processes for a file without ranks", [(2, [], [HERE / "data/small.yaml", "-i", "q0=zeros"])], {2},
     ["2 processes, expected one for each of the 1 rank"]),
    ("crossed receipts", [(2, [], [DATA / "rank0_waits.json", DATA / "rank1_waits.json"])], {3},
     ["rank 0 at recv (Recv)", "ARK-X03"]),
    ("other options", [(1, [], [*RANKS, "--sequential"]), (1, [], RANKS)], {2}, ["rank 1 was given other options"]),
    ("other files", [(1, [], RANKS), (1, [], [*reversed(RANKS)])], {2}, ["rank 1 was given other options or files"]),
    ("a missing input", [(2, [], [*RANKS, "--input", "rank0/0=zeros"])], {2}, ["input is missing: rank1/0"]),
    ("a limit of steps", [(2, [], [*RANKS, "--max-steps", "1"])], {5}, ["RUN-104"]),
    ("not in time", [(2, [], [*RANKS, *ENDLESS, "--timeout", "5"])], {5}, ["time limit"]),
]
# name, signal, exit codes, parts of the message
LATER = [
    ("a rank is killed", signal.SIGKILL, None, ["rank 1 has ended", "'rank0' waits at|had done all of its steps"]),
    ("a rank is stopped", signal.SIGSTOP, {5}, ["rank 1 does not answer", "'rank0' waits at|the time limit"]),
]


def environment():
    return dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", NO_COLOR="1",
                ASAN_OPTIONS="detect_leaks=0")


def command(hoist, groups, timeout=60):
    words = list(MPIRUN)
    for number, (count, before, rest) in enumerate(groups):
        given = [str(word) for word in rest]
        has_input = any(word in ("--input", "-i") for word in given)
        has_timeout = "--timeout" in given
        words += [":"] if number else []
        words += ["-n", str(count), *before, hoist, "run", *given]
        words += [] if has_input else ["--input", "*=random:1"]
        words += [] if has_timeout else ["--timeout", str(timeout)]
    return words


def complain(name, done, wanted, parts):
    """What is wrong with how a command line ended, or nothing."""
    if wanted is not None and done.returncode not in wanted or done.returncode == 0:
        return f"{name}: exit {done.returncode}, expected {wanted or 'a failure'}\n{done.stderr}"
    for part in parts:
        if not any(text in done.stderr for text in part.split("|")):
            return f"{name}: no '{part}' in\n{done.stderr}"
    errors = [line for line in done.stderr.splitlines() if parts[0] in line]
    return None if len(errors) == 1 else f"{name}: {len(errors)} messages\n{done.stderr}"


def bench_needs_iterations(hoist):
    words = [*MPIRUN, "-n", "2", hoist, "bench", *map(str, RANKS)]
    done = subprocess.run(words, check=False, capture_output=True, text=True, env=environment(), timeout=120)
    return complain("bench", done, {2}, ["need --iterations"])


def rank_of(process):
    try:
        words = pathlib.Path(f"/proc/{process}/environ").read_bytes().split(b"\0")
    except OSError:
        return None
    return next((int(word.split(b"=")[1]) for word in words if word.startswith(b"OMPI_COMM_WORLD_RANK=")), None)


def child(parent, rank):
    """The process of a rank, when it is there."""
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text(encoding="ascii", errors="replace").rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[1]) == parent and rank_of(path.parent.name) == rank:
            return int(path.parent.name)
    return None


def launcher_seconds(number):
    """What mpirun takes on this machine, as busy as it is, to begin two processes that do nothing and to end them
    when rank 1 has got the signal: it waits for one that is stopped before it kills it.
    """
    script = f"test $OMPI_COMM_WORLD_RANK = 1 && kill -{int(number)} $$; exit 5"
    began = time.monotonic()
    subprocess.run([*MPIRUN, "-n", "2", "sh", "-c", script], check=False, capture_output=True, env=environment(), timeout=60)
    return time.monotonic() - began


def interrupt(hoist, name, number, wanted, parts):
    """Sends a signal to rank 1 in mid-run."""
    timeout = LIMIT if number == signal.SIGKILL else 8
    with tempfile.TemporaryDirectory() as folder:
        return interrupt_in(hoist, name, (number, timeout), wanted, parts, pathlib.Path(folder) / "out")


def interrupt_in(hoist, name, how, wanted, parts, out):
    number, timeout = how
    words = command(hoist, [(2, [], [*RANKS, *ENDLESS, "--output", out])], timeout)
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                          env=environment()) as mpi:
        began = time.monotonic()
        process = None
        while len(list(out.glob(".rank*"))) < 2 and time.monotonic() - began < 30:
            time.sleep(0.05)  # the last thing before it runs
        ready = time.monotonic()  # mpirun needed its time to begin
        process = child(mpi.pid, 1)
        if process is None:
            mpi.kill()
            return f"{name}: no process of rank 1"
        time.sleep(0.7)
        sent = time.monotonic()
        os.kill(process, number)
        try:
            _, stderr = mpi.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            mpi.kill()
            return f"{name}: no end"
        seconds = time.monotonic() - (sent if number == signal.SIGKILL else ready)
        if seconds > timeout + SLACK + launcher_seconds(number):
            return f"{name}: ended after {seconds:.1f} s"
        return complain(name, subprocess.CompletedProcess(words, mpi.returncode, "", stderr), wanted, parts)


def same_files(hoist):
    """Every rank writes the files that one process does."""
    with tempfile.TemporaryDirectory() as temporary:
        for job, count in ((RANKS, 2), ([FOUR], 4)):
            one, several = (pathlib.Path(temporary) / f"{name}{count}" for name in ("one", "several"))
            plain = [hoist, "run", "--quiet", *map(str, job), "--input", "*=random:1", "--output", str(one)]
            subprocess.run(plain, check=True, capture_output=True)
            for extra in ([], ["--sequential"], ["--threads", "4", "--iterations", "1"]):
                words = command(hoist, [(count, [], [*job, "--output", several, "--quiet", *extra])])
                done = subprocess.run(words, check=False, capture_output=True, text=True, env=environment())
                if done.returncode:
                    return f"{count} ranks {extra}: exit {done.returncode}\n{done.stderr}"
                names = sorted(path.relative_to(one) for path in one.rglob("*.npy"))
                if sorted(path.relative_to(several) for path in several.rglob("*.npy")) != names or not names:
                    return f"{count} ranks {extra}: other files than {names}"
                for name in names:
                    if not filecmp.cmp(one / name, several / name, shallow=False):
                        return f"{count} ranks {extra}: {name} differs"
                if sum(line.startswith("rank0/") for line in done.stdout.splitlines()) != done.stdout.count("rank"):
                    return f"{count} ranks {extra}: a report of another rank\n{done.stdout}"
    return None


def little_memory(hoist):
    """A rank whose buffers are larger than its address space ends the job."""
    shell = ["sh", "-c", 'ulimit -v 200000; exec "$@"', "sh"]
    with tempfile.TemporaryDirectory() as temporary:
        job = [pathlib.Path(temporary) / path.name for path in RANKS]
        for path, copy in zip(RANKS, job, strict=True):
            copy.write_text(path.read_text().replace("[16]", "[67108864]"))
        done = subprocess.run(command(hoist, [(1, [], job), (1, shell, job)]), check=False, capture_output=True,
                              text=True, env=environment(), timeout=60)
    return complain("too little memory", done, (5,), ["memory ran out while"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("hoist")
    parser.add_argument("--memory", action="store_true")
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    version = subprocess.run([args.hoist, "version", "--json"], check=True, capture_output=True, text=True).stdout
    if not shutil.which("mpirun") or json.loads(version)["mpi"] == "none":
        print("skipped: no mpirun, or hoist was built without MPI")
        return SKIPPED
    failures = 0
    checks = [("the same files", lambda: same_files(args.hoist))]
    for name, groups, wanted, parts in ROWS:
        checks.append((name, lambda name=name, groups=groups, wanted=wanted, parts=parts: complain(
            name, subprocess.run(command(args.hoist, groups), check=False, capture_output=True, text=True,
                                 env=environment(), timeout=120), wanted, parts)))
    checks.append(("bench without --iterations", lambda: bench_needs_iterations(args.hoist)))
    for row in LATER:
        checks.append((row[0], lambda row=row: interrupt(args.hoist, *row)))
    if args.memory:
        checks.append(("too little memory", lambda: little_memory(args.hoist)))
    count = 0
    for name, check in checks:
        if args.only not in name:
            continue
        complaint = check()
        count += 1
        failures += complaint is not None
        print(f"{name}: {complaint or 'as expected'}", flush=True)
    print(f"{count - failures} of {count} as expected")
    return 1 if failures or not count else 0


if __name__ == "__main__":
    sys.exit(main())
