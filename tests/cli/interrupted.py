#!/usr/bin/env python3
"""Ends every command that writes at random moments, and fills its disk: outputs are the old or the new ones, whole.

interrupted.py HOIST [--trials N] [--seed N] [--only TEXT]

Each trial starts in a folder of its own, with an old output or none, and ends the command by SIGKILL, SIGINT, SIGTERM
or SIGHUP at a random moment (half of them counted from the moment when a temporary name appears), or lets it write to
a full disk (a small tmpfs), beyond RLIMIT_FSIZE, or to a folder that is read-only (for root a file system). After that

- the output is the old one, or the new one, byte for byte;
- nothing else is there, but after SIGKILL: then under a temporary name, or, in a folder that was there before, beside
  the marker .hoist-incomplete, which says that the folder has not all of its files;
- the same command, run again, succeeds, gives the new output, and leaves nothing else.

Prints a table with the trials of each row, and what they met. Trials that need to mount a file system are skipped
where that is not permitted, and counted as such.
"""
import argparse
import collections
import json
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
TEMPORARY = re.compile(r"\.(.+\.)?hoist-[0-9a-f]{16}\.tmp$")
MARKER = ".hoist-incomplete"
SIGNALS = [signal.SIGKILL, signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
WAYS = [s.name for s in SIGNALS] + ["full disk", "file size", "read-only"]
MIB = 1 << 20

Case = collections.namedtuple("Case", "name command target force")
# In `command` OUT is the output. `force`: what an old output takes to be replaced; None: there is no old output.
CASES = [
    Case("dump -o", "dump --json -o OUT net.yaml", "new.json", ""),
    Case("dump --member -o", "dump --member sg00/big.bin -o OUT big.neff", "big.bin", ""),
    Case("dump --program -o", "dump --program -o OUT net.yaml", "new.hoist", ""),
    Case("view -o", "view -o OUT net.yaml", "new.html", ""),
    Case("pack -o", "pack --level 0 -o OUT folder", "new.neff", ""),
    Case("pack --parameters -o", "pack --parameters parameters.bin -o OUT big.tflite", "new.tflite", ""),
    Case("link -o", "link -a parameters=0x1000 -o OUT big.tflite", "linked.tflite", ""),
    Case("link --transport -o", "link --transport usb -o OUT big.tflite", "run.usb", ""),
    Case("recover -o FILE.npz", "recover -o OUT big.neff", "weights.npz", "--force"),
    Case("recover -o FILE.safetensors", "recover -o OUT big.neff", "weights.safetensors", "--force"),
    Case("recover --tflite", "recover --tflite OUT layers.tflite", "recovered.tflite", "--force"),
    Case("recover -o DIR", "recover -o OUT big.neff", "arrays", "--force"),
    Case("unpack -o DIR", "unpack -o OUT big.neff", "members", "--force"),
    Case("run -o DIR", "run -q -i *=random:1 -o OUT net.yaml", "results", ""),
    Case("run --dump-memory", "run -q --sequential -i *=random:1 --dump-memory OUT net.yaml", "memory", ""),
]


# What is read -------------------------------------------------------------------------------------------------------

def netlist(queues):
    """tests/cli/data/small.yaml with that many outputs of one input each."""
    text = (HERE / "data/small.yaml").read_text(encoding="utf-8")
    lines = text.splitlines(keepends=True)
    source = next(line for line in lines if line.startswith("  q0:"))
    output = next(line for line in lines if line.startswith("  q1:"))
    op = next(line for line in lines if line.startswith("    copy:"))
    made = []
    for line in lines:
        if line == output:
            made += [output.replace("q1:", f"q{i}:").replace("copy", f"op{i}").replace("0x30000000", hex(0x30000000 + i * 0x10000))
                     for i in range(1, queues + 1)]
        elif line == op:
            made += [op.replace("copy:", f"op{i}:", 1).replace("[0, 0]", f"[{i % 8}, {i // 8}]", 1) for i in range(1, queues + 1)]
        else:
            made.append(line)
    assert source in made
    return "".join(made)


def make_inputs(hoist, folder):
    """The examples, with more in them, so that writing takes a while."""
    def run(command):
        subprocess.run([hoist, *command.split()], cwd=folder, check=True, stdout=subprocess.DEVNULL)

    (folder / "net.yaml").write_text(netlist(24), encoding="utf-8")
    shutil.copytree(HERE / "data/weights_neff", folder / "folder")
    path = folder / "folder/sg00/def.json"
    definition = json.loads(path.read_text(encoding="utf-8"))
    filler = random.Random(1)
    definition["var"] = {}
    for i in range(100):
        (folder / f"folder/sg00/v{i}.bin").write_bytes(filler.randbytes(20000))
        definition["var"][f"v{i}"] = {"type": "file", "var_id": i, "size": 20000, "file_name": f"v{i}.bin"}
    (folder / "folder/sg00/big.bin").write_bytes(filler.randbytes(4 * MIB))
    path.write_text(json.dumps(definition), encoding="utf-8")
    run("pack --level 0 -o big.neff folder")
    shutil.copy(ROOT / "examples/tflite/layers_edgetpu.tflite", folder / "layers.tflite")
    shutil.copy(ROOT / "examples/tflite/small_edgetpu.tflite", folder / "small.tflite")
    run("unpack -o model small.tflite")
    executables = folder / "model/payloads/0/packages/0/executables"
    size = 4 * MIB
    (executables / "1/parameters.bin").write_bytes(filler.randbytes(size))
    run("pack -o big.tflite model")
    (folder / "parameters.bin").write_bytes(filler.randbytes(size))


# The state of an output ---------------------------------------------------------------------------------------------

def state_of(path):
    """What is at `path`: None, bytes, or {name: bytes} of a folder, without what has a temporary name."""
    if path.is_dir():
        return {str(p.relative_to(path)): p.read_bytes() for p in sorted(path.rglob("*"))
                if p.is_file() and not any(TEMPORARY.match(part) or part == MARKER for part in p.relative_to(path).parts)}
    return path.read_bytes() if path.exists() else None


def left_in(folder, target):
    """The names that the command left: beside the output, and in it when it is a folder."""
    names = [p.name for p in folder.iterdir() if p.name != target]
    inside = folder / target
    if inside.is_dir():
        names += [p.name for p in inside.iterdir() if TEMPORARY.match(p.name) or p.name == MARKER]
    return names


def old_of(new):
    """An output that is there before: of a folder one file of the new ones, and one more."""
    if not isinstance(new, dict):
        return b"old\n" * 100
    first = sorted(new)[0]
    return {first: b"old", "other/mine.txt": b"stays"}


def put(path, state):
    if isinstance(state, dict):
        for name, data in state.items():
            (path / name).parent.mkdir(parents=True, exist_ok=True)
            (path / name).write_bytes(data)
    elif state is not None:
        path.write_bytes(state)


def merged(old, new):
    return {**old, **new} if isinstance(old, dict) else new


# Trials -------------------------------------------------------------------------------------------------------------

class Disk:
    """A tmpfs of any size, where mounting is permitted."""

    def __init__(self, folder):
        self.path = folder
        folder.mkdir()
        self.mounted = os.geteuid() == 0 and shutil.which("mount") is not None and self.mount("size=64m")

    def mount(self, options):
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "none", str(self.path)], check=False, capture_output=True)
        return done.returncode == 0

    def change(self, options):
        subprocess.run(["mount", "-o", f"remount,{options}", str(self.path)], check=True)

    def clear(self):
        self.change("rw,size=64m")
        for entry in self.path.iterdir():
            if entry.is_dir():
                shutil.rmtree(entry)
            else:
                entry.unlink()

    def close(self):
        if self.mounted:
            subprocess.run(["umount", str(self.path)], check=False)


class Trials:
    def __init__(self, hoist, scratch, seed):
        self.hoist = hoist
        self.scratch = scratch
        self.random = random.Random(seed)
        self.inputs = scratch / "inputs"
        self.inputs.mkdir()
        make_inputs(hoist, self.inputs)
        self.disk = Disk(scratch / "disk")
        self.new = {}
        self.seconds = {}
        self.count = 0
        self.met = collections.defaultdict(collections.Counter)
        self.wrong = []
        for case in CASES:
            self.learn(case)

    def arguments(self, case, out, force):
        words = [str(out) if word == "OUT" else word for word in case.command.split()]
        return [str(self.hoist), words[0], *([case.force] if force and case.force else []), *words[1:]]

    def start(self, case, out, force, limit=None):
        def prepare():
            for number in SIGNALS[1:]:
                signal.signal(number, signal.SIG_DFL)
            if limit is not None:
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        return subprocess.Popen(self.arguments(case, out, force), cwd=self.inputs, stdin=subprocess.DEVNULL,
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, preexec_fn=prepare)

    def learn(self, case):
        """The new output, and how long it takes."""
        folder = self.scratch / "learn"
        folder.mkdir()
        begin = time.monotonic()
        process = self.start(case, folder / case.target, False)
        message = process.communicate()[1]
        assert process.returncode in (0, 1), (case.name, process.returncode, message)
        self.seconds[case] = time.monotonic() - begin
        self.new[case] = state_of(folder / case.target)
        assert self.new[case] and not left_in(folder, case.target), case.name
        shutil.rmtree(folder)

    def interrupt(self, process, folder, out, number, seconds):
        """Sends the signal at a random moment of the run, or after the moment when something appears."""
        if self.random.random() < 0.5:
            begin = time.monotonic()
            while process.poll() is None and time.monotonic() - begin < 10 * seconds + 5 and not (
                    any(TEMPORARY.match(name) for name in os.listdir(folder)) or
                    (out.is_dir() and any(TEMPORARY.match(name) or name == MARKER for name in os.listdir(out)))):
                pass
            seconds /= 4
        time.sleep(self.random.random() * seconds)
        if process.poll() is None:
            process.send_signal(number)

    def run(self, case, way, folder, out, force):
        """One run that is disturbed; its exit status, and the errors that are its own."""
        limit = None
        if way == "file size":
            largest = self.new[case] if isinstance(self.new[case], bytes) else max(self.new[case].values(), key=len)
            limit = self.random.randrange(len(largest) + 1000)
        process = self.start(case, out, force, limit)
        if way.startswith("SIG"):
            self.interrupt(process, folder, out, signal.Signals[way], self.seconds[case])
        message = process.communicate(timeout=120)[1].decode(errors="replace")
        return process.returncode, message

    def expected_exit(self, way, code):
        if way.startswith("SIG"):
            return code in (0, 1, -signal.Signals[way], 130 if way == "SIGINT" else 0)
        return code in (0, 1, 3) and (way != "read-only" or code == 3)

    def set_up(self, way, folder, out):
        """Makes the disk as the way wants it, behind the old output."""
        if way == "read-only" and folder != self.disk.path:
            for path in [folder] + [out] * out.is_dir():
                path.chmod(0o555)
        elif way == "read-only":
            self.disk.change("ro")
        elif way == "full disk":
            used = shutil.disk_usage(folder).used
            self.disk.change(f"size={used + self.random.randrange(4096, 7 * MIB)}")

    def give_back(self, folder, out):
        """Makes the disk writable again."""
        if folder == self.disk.path:
            self.disk.change("rw,size=64m")
            return
        for path in [folder] + [out] * out.is_dir():
            path.chmod(0o755)

    def judge(self, case, way, old, folder, code):
        """What is wrong with the state after a trial, or None."""
        new = merged(old, self.new[case])
        found = state_of(folder / case.target)
        left = left_in(folder, case.target)
        allowed = way == "SIGKILL"
        if not self.expected_exit(way, code):
            return f"exit status {code}"
        if left and not (allowed and all(TEMPORARY.match(name) or name == MARKER for name in left)):
            return f"left {left}"
        if MARKER in left:
            self.met[case, way]["incomplete, marked"] += 1
        elif found == new:
            self.met[case, way]["new"] += 1
        elif found == old:
            self.met[case, way]["old"] += 1
        else:
            return "neither the old output nor the new one"
        if left:
            self.met[case, way]["temporary left"] += 1
        if code == 0 and found != new:
            return "exit status 0 without the new output"
        return None

    def judge_again(self, case, old, folder):
        """The same command once more, undisturbed."""
        process = self.start(case, folder / case.target, True)
        message = process.communicate(timeout=120)[1]
        if process.returncode not in (0, 1):
            return f"again: exit status {process.returncode}: {message}"
        if state_of(folder / case.target) != merged(old, self.new[case]):
            return "again: not the new output"
        left = left_in(folder, case.target)
        return f"again: left {left}" if left else None

    def trial(self, case, way):
        # Root writes where nobody may; only a read-only file system stops it.
        on_disk = way == "full disk" or (way == "read-only" and os.geteuid() == 0)
        if on_disk and not self.disk.mounted:
            self.met[case, way]["skipped"] += 1
            return
        folder = self.disk.path if on_disk else pathlib.Path(tempfile.mkdtemp(dir=self.scratch))
        out = folder / case.target
        old = self.random.choice([None, old_of(self.new[case])])
        put(out, old)
        self.count += 1
        self.set_up(way, folder, out)
        code, message = self.run(case, way, folder, out, old is not None)
        wrong = self.judge(case, way, old, folder, code)
        self.give_back(folder, out)
        wrong = wrong or self.judge_again(case, old, folder)
        if wrong:
            self.wrong.append(f"{case.name}, {way}, old output {'there' if old else 'absent'}: {wrong} ({message.strip()[:300]})")
        if on_disk:
            self.disk.clear()
        else:
            shutil.rmtree(folder)

    def report(self):
        for case in CASES:
            for way in WAYS:
                met = self.met.get((case, way))
                if met:
                    print(f"{case.name:28} {way:10} " + ", ".join(f"{name} {met[name]}" for name in sorted(met)))
        for wrong in self.wrong:
            print("exception:", wrong)
        print(f"{self.count} trials, {len(self.wrong)} exceptions")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("hoist", type=lambda p: pathlib.Path(p).resolve())
    parser.add_argument("--trials", type=int, default=1, help="at least so many; every command meets every way as often")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="cases whose name has TEXT")
    options = parser.parse_args()
    cases = [case for case in CASES if options.only in case.name]
    with tempfile.TemporaryDirectory() as folder:
        trials = Trials(options.hoist, pathlib.Path(folder), options.seed)
        try:
            while cases and trials.count < options.trials:
                for way in WAYS:
                    for case in cases:
                        trials.trial(case, way)
        finally:
            trials.disk.close()
        trials.report()
    return 1 if trials.wrong or not trials.count else 0


if __name__ == "__main__":
    sys.exit(main())
