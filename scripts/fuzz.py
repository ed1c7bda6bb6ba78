#!/usr/bin/env python3
"""Runs the libFuzzer targets.

fuzz.py --seconds N [TARGET...]   each target for N seconds
fuzz.py --bar [TARGET...]         each target to its bar: 10,000,000 executions, or 60 minutes
                                  with no new edge in the last 15; then what was found is
                                  minimised into fuzz/corpus/TARGET.tar.gz;
                                  with --seconds N no longer than that
fuzz.py --pack TARGET...          what is in fuzz/work/TARGET/corpus becomes that archive
--log FILE   appends a line per target: date, target, commit, executions, edges, seconds, why it
             stopped, open findings
--jobs N     targets at a time (default: the number of cores)
--built      takes the programs of build/fuzz as they are
--workers N  processes for each target, which take over each other's inputs (default: 1); their
             executions are counted together

A line is printed per target, with the seconds since its last new edge at the end of it.
Findings (crash-*, timeout-*, oom-*, leak-*) stay in fuzz/work/TARGET and make the exit status 1.
"""
import argparse
import datetime
import gzip
import hashlib
import io
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BAR_EXECUTIONS = 10_000_000
BAR_SECONDS = 60 * 60
QUIET_SECONDS = 15 * 60
# Whose dictionary a target uses, where it is not its own.
DICTIONARIES = {"ark_file": "json", "all_buda": "netlist", "all_edgetpu": "tflite", "all_neff": "json", "all_tflite": "tflite",
                "all_tti": "json", "lower": "netlist", "neff_def": "json", "neff_engine": "json", "session": "program",
                "tti": "json"}
# The largest input where 4 KiB, which is much for a parser, are no whole file.
MAX_LENGTHS = {"all_buda": 32768, "all_tti": 32768, "tti": 32768, "all_neff": 16384, "all_edgetpu": 65536}


def targets():
    found = {}
    for path in sorted((ROOT / "build/fuzz").rglob("*_fuzz")):
        if path.is_file() and os.access(path, os.X_OK):
            found[path.name] = path
    return found


class Run:
    def __init__(self, name, program, options):
        self.name, self.program = name, program
        self.seconds, self.bar, self.workers = options.seconds, options.bar, options.workers
        self.work = ROOT / "fuzz/work" / name
        self.queue = self.work / "corpus"
        self.queue.mkdir(parents=True, exist_ok=True)
        self.committed = ROOT / "fuzz/corpus" / name  # seeds and past crashes
        self.archive = ROOT / "fuzz/corpus" / f"{name}.tar.gz"
        self.executions = 0
        self.edges = 0
        self.why = ""
        self.took = 0
        self.quiet = 0  # seconds since the last new edge

    def findings(self):
        kinds = ("crash-", "timeout-", "oom-", "leak-")
        return [p for p in self.work.iterdir() if p.name.startswith(kinds)]

    def command(self):
        stem = self.name.removesuffix("_fuzz")
        line = [str(self.program), str(self.queue), str(self.committed), f"-artifact_prefix={self.work}/",
                "-rss_limit_mb=4096", "-timeout=20", f"-max_len={MAX_LENGTHS.get(stem, 4096)}", "-print_final_stats=1"]
        dictionary = ROOT / "fuzz" / f"{DICTIONARIES.get(stem, stem)}.dict"
        if dictionary.exists():
            line.append(f"-dict={dictionary}")
        return line

    def follow(self, number, state):
        """Reads what a worker writes until it ends or the run is done, and ends all workers then."""
        process = state["processes"][number]
        with open(self.work / f"log{number or ''}", "w", encoding="utf-8") as log:
            for line in process.stderr:
                log.write(line)
                now = time.monotonic()
                match = re.match(r"#(\d+)\s.*cov: (\d+)", line)
                with state["lock"]:
                    if match:
                        state["counts"][number] = max(state["counts"][number], int(match.group(1)))
                        self.executions = sum(state["counts"])
                        if int(match.group(2)) > self.edges:
                            self.edges, state["last_edge"] = int(match.group(2)), now
                    self.why = self.why or self.done(now - state["started"], now - state["last_edge"])
                    if self.why:
                        break
        for one in state["processes"]:  # what ends one ends all
            one.terminate()

    def fuzz(self):
        self.unpack()
        now = time.monotonic()
        processes = [subprocess.Popen(self.command(), stderr=subprocess.PIPE, text=True, errors="replace",
                                      cwd=self.work) for _ in range(self.workers)]
        state = {"lock": threading.Lock(), "counts": [0] * self.workers, "last_edge": now, "started": now,
                 "processes": processes}
        followers = [threading.Thread(target=self.follow, args=(number, state)) for number in range(self.workers)]
        for follower in followers:
            follower.start()
        for follower, process in zip(followers, processes):
            follower.join()
            process.stderr.read()
            process.wait()
        self.took = round(time.monotonic() - now)
        self.quiet = round(time.monotonic() - state["last_edge"])
        if self.findings():
            self.why = "finding"
        elif not self.why:
            self.why = f"ended by itself, status {processes[0].returncode}"

    def done(self, seconds, quiet):
        if self.seconds and seconds >= self.seconds:
            return "time"
        if self.bar and self.executions >= BAR_EXECUTIONS:
            return "executions"
        if self.bar and seconds >= BAR_SECONDS and quiet >= QUIET_SECONDS:
            return "no new edge"
        return ""

    def minimise(self):
        """The smallest set of inputs with the same edges goes back to the archive."""
        made = self.work / "minimised"
        made.mkdir(exist_ok=True)
        for old in made.iterdir():
            old.unlink()
        subprocess.run([str(self.program), "-merge=1", str(made), str(self.committed), str(self.queue)],
                       stderr=subprocess.DEVNULL, check=True, cwd=self.work)
        seeds = {path.read_bytes() for path in self.committed.iterdir()}
        kept, budget = {}, 1 << 20  # at most 1 MiB of inputs per target is committed
        for content in sorted({path.read_bytes() for path in made.iterdir()} - seeds, key=len):
            budget -= len(content)
            if budget < 0:
                break
            kept[hashlib.sha1(content).hexdigest()] = content
        self.pack(kept)

    def unpack(self):
        """Fuzzing goes on from what was found before."""
        if self.archive.exists():
            with tarfile.open(self.archive) as archive:
                for member in archive:
                    (self.queue / pathlib.Path(member.name).name).write_bytes(archive.extractfile(member).read())

    def pack(self, inputs):
        """The same inputs give the same bytes."""
        made = io.BytesIO()
        with tarfile.open(fileobj=made, mode="w", format=tarfile.USTAR_FORMAT) as archive:
            for name, content in sorted(inputs.items()):
                member = tarfile.TarInfo(name)
                member.size = len(content)
                archive.addfile(member, io.BytesIO(content))
        self.archive.write_bytes(gzip.compress(made.getvalue(), 9, mtime=0))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=int)
    parser.add_argument("--bar", action="store_true")
    parser.add_argument("--pack", action="store_true")
    parser.add_argument("--built", action="store_true")
    parser.add_argument("--log")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("targets", nargs="*")
    options = parser.parse_args()
    if not (options.seconds or options.bar or options.pack) or options.pack and (options.seconds or options.bar):
        parser.error("give --seconds N, --bar or --pack")
    if options.pack:
        for name in options.targets:
            run = Run(name, None, options)
            run.pack({path.name: path.read_bytes() for path in run.queue.iterdir()})
        return 0
    for target in [] if options.built else [["--target", name] for name in options.targets] or [[]]:
        subprocess.run([str(ROOT / "scripts/build.sh"), "fuzz", *target], check=True)
    known = targets()
    names = options.targets or list(known)
    runs = [Run(name, known[name], options) for name in names]

    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, text=True,
                            capture_output=True, check=False).stdout.strip()
    gate = threading.Semaphore(options.jobs)
    report = threading.Lock()

    def work(run):
        with gate:
            run.fuzz()
            if options.bar and not run.findings():
                run.minimise()
        row = (f"{datetime.date.today().isoformat()}\t{run.name}\t{commit}\t{run.executions}\t{run.edges}\t"
               f"{run.took}\t{run.why}\t{len(run.findings())}")
        with report:
            print(f"{row}\t{run.quiet} s since the last edge", flush=True)
            if options.log:
                with open(ROOT / options.log, "a", encoding="utf-8") as log:
                    log.write(row + "\n")

    threads = [threading.Thread(target=work, args=(run,)) for run in runs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    failed = any(run.findings() or run.executions == 0 for run in runs)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
