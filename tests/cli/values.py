#!/usr/bin/env python3
"""Wrong values of options, and the exit statuses that each command says it has.

values.py HOIST

- Every option of every command that takes a value is given each wrong value of its row: the command
  ends with 2 before it opens a file, says which option wanted what, and writes nothing else. An option
  without a row is a failure.
- A name that the file has not ends with 2 and the names that there are.
- Each command has every exit status that its help lists, and no row has another one.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent

HUGE = "99999999999999999999"
NO_COUNT = ["-1", "+1", " 1", "1 ", "one", "1.5", "0x10", "1k", HUGE]
NO_NUMBER = ["-1", "+1", " 1", "much", "nan", "inf", "-0", "1e999"]
NO_WORD = ["nothing", "0", "-1", " ", HUGE]

# Option: (the value it takes, wrong values but for the empty one). None: any text; the file decides.
VALUES = {
    "format": ("buda, neff, tflite, darwinn, darwinn-stream, ark, program or tti", NO_WORD + ["NEFF", "buda neff"]),
    "target": ("inf1, inf2, trn1, trn2, trn3 or gen5", NO_WORD + ["v3", "trn"]),
    "queue-mode": ("strict or golden", NO_WORD),
    "on-unknown": ("stop, skip or poison", NO_WORD),
    "on-undefined": ("stop or nan", NO_WORD),
    "numerics": ("reference, declared, device or fast", NO_WORD),
    "rounding": ("double, single or float", NO_WORD),
    "driver": ("pcie, usb, usb-no-hints or none", NO_WORD + ["USB"]),
    "dialect": ("d1, d2 or d3", NO_WORD + ["d0", "D3"]),
    "processors": ("an integer from 1 to 65536", NO_COUNT + ["0", "65537"]),
    "batch": ("an integer from 1 to 4096", NO_COUNT + ["0", "4097"]),
    "host": ("usb3, usb2 or pcie", NO_WORD + ["usb", "USB3"]),
    "cores": ("an integer from 1 to 65536", NO_COUNT + ["0", "65537"]),
    "cpu-level": ("baseline, x86-64-v3, x86-64-v4, x86-64-v4-vnni, x86-64-v4-bf16 or amx", NO_WORD + ["AMX", "x86-64-v5"]),
    "flops": ("a number of 0 or more", NO_NUMBER),
    "bandwidth": ("a number of 0 or more", NO_NUMBER),
    "engine": ("pe, act, pool, dve or sp", NO_WORD + ["PE", "gpsimd"]),
    "address": ("BUFFER=ADDRESS or BUFFER[ELEMENT]=ADDRESS with an integer",
                ["a", "=1", "a=", "a=x", "a=-1", "a=1.5", "[0]=1", "a=0x1g", f"a={HUGE}99", "a[99999999999]=1"]),
    "hints": ("auto, keep or make", NO_WORD + ["MAKE", "none"]),
    "transport": ("usb", NO_WORD + ["pcie", "USB"]),
    "pkg-version": ("1 or 2", ["0", "-1", "3", HUGE]),
    "color": ("auto, always or never", NO_WORD),
    "progress": ("auto, json or none", NO_WORD + ["JSON", "always"]),
    "ranks": ("an integer from 1 to 1024", NO_COUNT + ["0", "1025", "100000000"]),
    "threads": ("an integer from 1 to 1024", NO_COUNT + ["0", "1025"]),
    "command-slots": ("an integer from 1 to 65536", NO_COUNT + ["0", "65537"]),
    "binary-slots": ("an integer from 1 to 65536", NO_COUNT + ["0", "65537"]),
    "iterations": ("an integer from 1 to 16777216", NO_COUNT + ["0", "16777217"]),
    "warmup": ("an integer from 0 to 16777216", NO_COUNT + ["16777217"]),
    "max-steps": ("an integer of 1 or more", NO_COUNT + ["0"]),
    "level": ("an integer from 0 to 9", NO_COUNT + ["10"]),
    "timeout": ("a number of 0 or more", NO_NUMBER),
    "atol": ("a number of 0 or more", NO_NUMBER),
    "rtol": ("a number of 0 or more", NO_NUMBER),
    "pcc": ("a number from 0 to 1", NO_NUMBER + ["1.5"]),
    "max-memory": ("a number of bytes such as 512M", ["0", "-1", "much", "1.5G", "1KB", "9" * 12 + "T", HUGE]),
    "schedule": ("in-order, random:SEED or adversarial", NO_WORD + ["random", "random:", "random:-1", "random:" + HUGE]),
    "call": ("PROGRAM[,NAME=VALUE]... with integers", [",", "a,", ",a=1", "a,b", "a,b=", "a,=1", "a,b=1,", "a,b=1;", "a,b=1,c=x", "a,b=" + HUGE]),
    "param": ("NAME=VALUE with an integer", ["x", "=1", "x=", "x=y", "x=1.5", "x=" + HUGE]),
    "input": ("NAME[:DTYPE]=SOURCE with @FILE (unless NAME is *), random:SEED[:LOW..HIGH], config[:SEED], zeros or a number; or @FILE alone, "
              ".npz or .safetensors",
              ["x", "=1", "x=", "x=@", "@", "*=@a.npy", "x=@a.npz", "x=@a.safetensors", "x=five", "x=random:", "x=random:-1", "x=random:1:2..1",
               "x=random:1:0..", "x=1e999"]),
    "expect": ("NAME[:DTYPE]=@FILE", ["x", "x=@a.npz", "=@a", "x=", "x=@", "x=1", "x=zeros"]),
    "top": ("an integer from 1 to 1000", NO_COUNT + ["0", "1001"]), "labels": None, "baseline": None, "files0-from": None,
    "jobs": ("an integer from 1 to 1024", NO_COUNT + ["0", "1025"]),
    "shard": ("I/N with integers, I from 1 to N", ["1", "/", "0/2", "3/2", "1/0", "-1/2", "1/2/3", "one/2", "1/" + HUGE]),
    "db": ("the name of a file", ["-"]), "bom": None, "merge": ("the name of a file", ["-"]),
    "graph": None, "op": None, "depth": ("an integer from 0 to 1000", NO_COUNT + ["1001"]),
    "arch": None, "soc": None, "cluster": None, "program": None, "fetch": None, "member": None, "subgraph": None,
    "output": None, "dump-memory": None, "load-memory": None, "parameters": None, "tflite": None, "compare": None, "trace": None,
}

# What else a command line needs, so that only the value is wrong.
NEEDS = {"pack": ["-o", "none.neff"], "link": ["-o", "none.neff"], "diff": ["none"], "check": ["--races"]}

# Names that the file has not: command line, and what it says.
NAMES = [
    ("run --program none -i x=1 a.neff", "a.neff has no program 'none'; there are: 'run'"),
    ("run --call none feed.yaml", "feed.yaml has no program 'none'; there are: 'run_feed_forward'"),
    ("run --param none=1 -i x=1 a.neff", "no program that runs has a parameter 'none'; there are: none"),
    ("run -i none=1 a.neff", "a.neff has no input 'none'; there are: 'x'"),
    ("run -i none=1 --ranks 2 a.neff", "a.neff has no input 'none'; there are: 'rank0/x', 'rank1/x'"),
    ("run -i x=1 --fetch none a.neff", "a.neff has no queue or ram 'none'; there are: 'x', 'y'"),
    ("run -i x=1 --expect none=@none.npy a.neff", "a.neff has no output 'none'; there are: 'y'"),
    ("run --ranks 3 a.neff a.neff", "--ranks 3 and 2 files: expected one file, or one for each rank"),
    ("bench --ranks 1 a.neff a.neff", "--ranks 1 and 2 files: expected one file, or one for each rank"),
    ("bench --program none a.neff", "a.neff has no program 'none'; there are: 'run'"),
    ("bench -i none=1 a.neff", "a.neff has no input 'none'; there are: 'x'"),
    ("dump --member none a.neff", "a.neff has no member 'none'; there are: 'neff.json', 'kelf-0.json', 'sg00/def.json', "),
    ("graph --op none small.yaml", "there is no op 'none'; there are:"),
    ("info --graph none small.yaml", "the file has no graph 'none'; there are:"),
    ("disasm --subgraph none a.neff", "the file has no streams of a subgraph 'none'; there are: 'sg00' [LOAD-003]"),
    ("disasm --json --subgraph none a.neff", "the file has no streams of a subgraph 'none'; there are: 'sg00' [LOAD-003]"),
    ("disasm --engine pe --subgraph none a.neff", "the file has no engine 'pe' in a subgraph 'none' [LOAD-003]"),
    ("check --program none a.neff", "--program is about --races, which is not given"),
    ("check --param none=1 small.yaml", "--param is about --races, which is not given"),
    ("check --driver usb small.yaml", "--driver is about --races, which is not given"),
    ("check --batch 2 small.yaml", "--batch is about --races, which is not given"),
    ("check --max-steps 5 small.yaml", "--max-steps is about --races, which is not given"),
    ("check --races --program none a.neff", "there is no program 'none'; there are: 'run' [LOAD-003]"),
    ("check --races --param none=1 feed.yaml", "there is no parameter 'none'; there are: '$p_loop_count' [LOAD-003]"),
    ("time --program none a.neff", "there is no program 'none'; there are: 'run' [LOAD-003]"),
    ("time --param none=1 feed.yaml", "there is no parameter 'none'; there are: '$p_loop_count' [LOAD-003]"),
    ("time --ranks 3 a.neff a.neff", "--ranks 3 and 2 files: expected one file, or one for each rank"),
    ("link -a none=1 -o new.tflite e.tflite", "there is no buffer 'none' with an element 0 ("),
    ("link -o new.tflite e.tflite", "link needs either addresses (--address BUFFER=ADDRESS) or --undo"),
    ("link --undo e.tflite", "link needs a file to write: --output FILE"),
    ("rules none", "there is no rule 'none'"),
    ("rules ''", "there is no rule ''"),
    ("help none", "there is no command 'none'"),
]

# Command: status: a command line that has it. 130 is a test of its own (bench.test).
EXITS = {
    "info": {0: "a.neff", 2: "", 3: "none", 5: "--max-memory 1K a.neff"},
    "check": {0: "a.neff", 1: "broken.yaml", 2: "--races --program none a.neff", 3: "none",
              4: "--races --ranks 2 small.yaml small.yaml", 5: "--max-memory 1K a.neff"},
    "dump": {0: "a.neff", 2: "--member none a.neff", 3: "none", 4: "--member none small.yaml", 5: "--max-memory 1K a.neff"},
    "diff": {0: "a.neff a.neff", 1: "a.neff b.neff", 2: "a.neff", 3: "a.neff none", 4: "a.neff small.yaml",
             5: "--max-memory 1K a.neff a.neff"},
    "disasm": {0: "a.neff", 2: "--subgraph none a.neff", 3: "none", 4: "small.yaml", 5: "--max-memory 1K a.neff"},
    "link": {0: "--undo -o new.tflite e.tflite", 2: "--undo e.tflite", 3: "--undo -o new.tflite none",
             4: "--undo -o new.tflite small.yaml", 5: "--undo -o new.tflite --max-memory 1K e.tflite"},
    "graph": {0: "a.neff", 2: "", 3: "none", 5: "--max-memory 1K a.neff"},
    "view": {0: "-o new.html a.neff", 2: "", 3: "none", 5: "--max-memory 1K a.neff"},
    "run": {0: "-i x=1 a.neff", 1: "-i x=2 --expect y=@y.bin a.neff", 2: "a.neff", 3: "none", 4: "-i '*=1' b.neff",
            5: "-i x=1 --max-steps 1 a.neff", 130: None},
    "bench": {0: "--iterations 1 a.neff", 2: "-i none=1 a.neff", 3: "none", 4: "b.neff", 5: "--max-steps 1 a.neff", 130: None},
    "unpack": {0: "-l a.neff", 1: "-l --verify wrong.neff", 2: "", 3: "-l none", 4: "-l small.yaml", 5: "-l --max-memory 1K a.neff"},
    "pack": {0: "-o new.neff folder", 2: "folder", 3: "-o new.neff none", 4: "-o new.neff --format buda folder",
             5: "-o new.neff --max-memory 1K folder"},
    "recover": {0: "a.neff", 1: "w.neff", 2: "", 3: "none", 4: "small.yaml", 5: "--max-memory 1K a.neff"},
    "time": {0: "a.neff", 2: "--program none a.neff", 3: "none", 4: "stream.bin", 5: "--max-steps 1 a.neff"},
    "trace": {0: "a.neff", 2: "--program none a.neff", 3: "none", 4: "stream.bin", 5: "--max-steps 1 a.neff"},
    "plan": {0: "swiglu.json", 2: "", 3: "none", 4: "small.yaml", 5: "--max-memory 1K swiglu.json"},
    "scan": {0: "feed.yaml broken.yaml", 2: "", 3: "none", 4: None, 5: "--max-memory 1K feed.yaml"},
    "rules": {0: "BUDA-017", 2: "none", 3: "> /dev/full"},
    "help": {0: "check", 2: "none", 3: "> /dev/full"},
    "version": {0: "", 2: "surplus", 3: "> /dev/full"},
}

problems = []
count = 0


def expect(holds, *what):
    global count  # pylint: disable=global-statement
    count += 1
    if not holds:
        problems.append(" ".join(str(w) for w in what))


def run(hoist, arguments, folder, variables=()):
    kept = {name: value for name, value in os.environ.items() if name.endswith("SAN_OPTIONS")}
    done = subprocess.run([hoist, *arguments], cwd=folder, check=False, capture_output=True, stdin=subprocess.DEVNULL,
                          env=kept | {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"} | dict(variables))
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def refuses(hoist, command, name, value, wanted, folder, variables=()):
    """`value` on the command line, or of a variable."""
    line = [command] + ([] if variables else [f"--{name}={value}"]) + NEEDS.get(command, []) + ["none"]
    code, out, err = run(hoist, line, folder, variables)
    shown = next(iter(variables)) if variables else "--" + name
    says = f"hoist: {shown} takes {wanted}, not '{value}'\n" if value else f"hoist: --{name} needs a value: "
    hint = f"hoist: try 'hoist help {command}'\n"
    expect(code == 2 and not out and err.startswith(says) and err.endswith(hint), line, dict(variables), code, err)


def check_values(hoist, commands, folder):
    for command in commands:
        for option in command["options"]:
            name = option["name"]
            if not option["value"]:
                continue
            expect(name in VALUES, command["name"], name, "has no row")
            wanted, wrong = VALUES.get(name) or (None, [])
            for value in [""] + wrong:
                refuses(hoist, command["name"], name, value, wanted, folder)
    for name, variable, values in (("threads", "HOIST_THREADS", ["0", "many"]), ("max-memory", "HOIST_MAX_MEMORY", ["0", "x"])):
        for value in values:
            refuses(hoist, "run", name, value, VALUES[name][0], folder, {variable: value})
    code, _, _ = run(hoist, ["run", "-i", "x=1", "a.neff"], folder, {"HOIST_THREADS": "", "HOIST_MAX_MEMORY": ""})
    expect(code == 0, "empty variables are as none", code)


def check_names(hoist, folder):
    for line, says in NAMES:
        code, out, err = run(hoist, [word.strip("'") for word in line.split(" ")], folder)
        report = line.startswith("check --races ")  # whose findings are its result
        expect(code == 2 and says in (out if report else err) and (report or not out), line, code, out, err)


def check_exits(hoist, commands, folder):
    for command in commands:
        name = command["name"]
        rows = EXITS[name]
        expect([row["code"] for row in command["exits"]] == list(rows), name, "lists", command["exits"])
        for code, line in rows.items():
            if line is None:
                continue
            done = subprocess.run(["bash", "-c", f"{hoist} {name} {line}"], cwd=folder, check=False, capture_output=True,
                                  stdin=subprocess.DEVNULL)
            expect(done.returncode == code, name, line, "expected", code, "got", done.returncode, done.stderr)


def make_files(hoist, folder):
    for name, source in (("a", ROOT / "examples/neff/all_reduce"), ("b", HERE / "data/engines_neff"),
                         ("w", HERE / "data/weights_neff"), ("wrong", ROOT / "examples/neff/all_reduce")):
        subprocess.run([hoist, "pack", "-o", f"{folder}/{name}.neff", source], check=True, stdin=subprocess.DEVNULL)
    with open(f"{folder}/wrong.neff", "r+b") as file:
        file.seek(172)  # in the hash
        file.write(b"x")
    os.symlink(HERE / "data/small.yaml", f"{folder}/small.yaml")
    os.symlink(ROOT / "examples/tflite/small_edgetpu.tflite", f"{folder}/e.tflite")
    subprocess.run([hoist, "unpack", "-o", f"{folder}/parts", f"{folder}/e.tflite"], check=True, stdin=subprocess.DEVNULL,
                   stdout=subprocess.DEVNULL)
    os.symlink(f"{folder}/parts/payloads/0/packages/0/executables/0/chunks/0.bin", f"{folder}/stream.bin")
    os.symlink(ROOT / "examples/buda/feed_forward_broken.yaml", f"{folder}/broken.yaml")
    os.symlink(ROOT / "examples/buda/feed_forward.yaml", f"{folder}/feed.yaml")
    os.symlink(ROOT / "examples/ark/swiglu.json", f"{folder}/swiglu.json")
    os.symlink(ROOT / "examples/neff/all_reduce", f"{folder}/folder")
    pathlib.Path(f"{folder}/y.bin").write_bytes(bytes(4 * 32 * 32))


def main():
    hoist = str(pathlib.Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as folder:
        make_files(hoist, folder)
        commands = json.loads(run(hoist, ["help", "--json"], folder)[1])["commands"]
        check_values(hoist, commands, folder)
        check_names(hoist, folder)
        check_exits(hoist, commands, folder)
    print("\n".join(problems[:40] + [f"{count} checks, {len(problems)} problems"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
