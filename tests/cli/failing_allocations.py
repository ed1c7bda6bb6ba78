#!/usr/bin/env python3
"""Fails the n-th allocation of every golden command line that runs hoist alone, or makes a file by `hoist
pack` and gives its arrays back. Runs are made sequential,
for among threads the n-th allocation is another one each time; those of the examples and checks of races,
which take long, fail at SAMPLES allocations only.

failing_allocations.py PROGRAM
"""
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import run  # pylint: disable=wrong-import-position

SAMPLES = 80


def command_lines():
    for path in sorted(run.HERE.glob("*.test")):
        for case in run.parse(path)[0]:
            packing, _, command = case.command.rpartition(" && hoist recover ")
            command = f"hoist recover {command}" if packing else case.command
            words = shlex.split(command)
            plain = words[0] == "hoist" and not any(c in packing + command for c in "|&;<>$`(")
            if plain and "--max-memory" not in command:
                runs = words[1:2] in (["run"], ["bench"])
                slow = "examples/" in command if runs else "--races" in words
                count = SAMPLES if slow else 0
                yield count, words[1:] + ["--sequential"] * runs, shlex.split(packing)[1:]


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    passed = failed = 0
    for count, words, packing in command_lines():
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(run.HERE / "data", f"{folder}/data")
            os.symlink(run.ROOT / "examples", f"{folder}/examples")
            if packing:
                subprocess.run([program, "1", *packing], cwd=folder, check=True)
            done = subprocess.run([program, str(count), *words], cwd=folder, capture_output=True, text=True, check=False,
                                  env=os.environ | {"COLUMNS": "80"})
        if done.returncode:
            failed += 1
            print(f"hoist {shlex.join(words)}: status {done.returncode}\n{done.stdout}{done.stderr[-2000:]}")
        else:
            passed += 1
            print(f"hoist {shlex.join(words)}: {done.stdout}", end="")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
