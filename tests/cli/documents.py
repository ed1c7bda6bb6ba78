#!/usr/bin/env python3
"""The examples in documents are what the command prints.

documents.py HOIST [--story] FILE.md...

A block fenced as ```console holds `$ COMMAND` and what it prints; a line of just `...` stands for any
number of lines. The command runs as those of run.py do; with --story those of a document run in one folder, one
after the other.
"""
import os
import pathlib
import sys
import tempfile

import run
from tally import tally


def examples(path):
    """Line number, command and wanted lines of each command in the document."""
    found, inside = [], False
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("```"):
            inside = line == "```console"
        elif inside and line.startswith("$ "):
            found.append((number, line[2:], []))
        elif inside and found:
            found[-1][2].append(line)
    return found


def parts_of(wanted):
    """The runs of lines between `...`."""
    parts = [[]]
    for line in wanted:
        if line.strip() == "...":
            parts.append([])
        else:
            parts[-1].append(line)
    return parts


def missing_part(wanted, got):
    """The first run of wanted lines that does not come in its turn, or None."""
    parts, at = parts_of(wanted), 0
    for index, part in enumerate(parts):
        first, last = index == 0, index == len(parts) - 1
        starts = [len(got) - len(part)] if last else range(at, at + 1 if first else len(got))
        found = next((start for start in starts if start >= at and got[start:start + len(part)] == part), None)
        if found is None or (first and found != 0):
            return part
        at = found + len(part)
    return None


def linked(folder):
    os.symlink(run.HERE / "data", f"{folder}/data")
    os.symlink(run.ROOT / "examples", f"{folder}/examples")
    return folder


def outputs_of(hoist, commands, is_story):
    """What each command prints, in one folder or each in its own: on standard error where there is nothing else."""
    with tempfile.TemporaryDirectory() as story:
        linked(story)
        for command in commands:
            with tempfile.TemporaryDirectory() as own:
                folder = story if is_story else linked(own)
                out, err, _, _ = run.run(run.Case(command, 0), hoist, folder)
                yield out or err


def complaints(hoist, paths, is_story):
    for path in paths:
        found = examples(path)
        outputs = outputs_of(hoist, [command for _, command, _ in found], is_story)
        for (number, command, wanted), got in zip(found, outputs):
            missing = missing_part(wanted, got)
            yield "" if missing is None else "\n    ".join(
                [f"{path}:{number}: $ {command}", "does not print in this place:", *missing])


def main():
    arguments = sys.argv[2:]
    is_story = arguments[:1] == ["--story"]
    paths = map(pathlib.Path, arguments[is_story:])
    return tally(complaints(pathlib.Path(sys.argv[1]).resolve(), paths, is_story))


if __name__ == "__main__":
    sys.exit(main())
