#!/usr/bin/env python3
"""Adds a format to a copy of the tree in the way of CONTRIBUTING, builds it and uses it.

added.py SOURCE COMPILER [--scratch FOLDER]

The format is a text of tensors and two ops (tests/format/added/src), which exists for this test only.
Its two folders and the lines of LINES are all that may differ between the copy and SOURCE: what a new
format needs elsewhere is a failure here. With --scratch the copy and its build stay in FOLDER, and a
second run builds only what has changed.
"""

import argparse
import hashlib
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ADDED = HERE / "added" / "src"

# File: (a line, None or the one that ends the list in it, what is added before that end or behind the line).
LINES = {
    "CMakeLists.txt": [("set(HOIST_FORMATS", None, "  tensors")],
    "src/load/formats.c": [
        ('#include "formats/neff/module.h"', None, '#include "formats/tensors/module.h"'),
        ('#include "lower/neff/lower.h"', None, '#include "lower/tensors/lower.h"'),
        ("static const hoist_format_row formats[] = {", "};",
         "    {.format = &hoist_tensors_format, .lower = tensors_lower},"),
    ],
}
TARGETS = ["hoist_tool", "formats_tensors_tensors_test", "lower_tensors_lower_test"]

# a is [[1, 2, 3], [4, 5, 6]], b is [[1, 2], [3, 4], [5, 6]], and their product [[22, 28], [49, 64]].
INPUT = (1, 2, 3, 4, 5, 6)
OUTPUT = (22.5, 27, 51, 1064)

INFO = """\
file:           sample.tensors
size:           {size}
sha256:         {digest}
content sha256: ffc96ef274d33722936324f3acb6566980eabde8a4771b0720ad3d846033ddeb
format:         tensors
title:          Text of tensors
ops:            2

inputs
  name  shape
  a     2, 3

outputs
  name  shape
  d     2, 2
"""
GRAPH = """\
graph tensors
=============

     name        reads  type    shape
  a  a                  input   2x3
  b  b                  const   3x2
  c  e                  const   2x2
  0  c           a b    matmul  2x2
  1  d           0 c    add     2x2
  d  d           1      output  2x2
"""
STEPS = """\
    c: compute ark.matmul(transpose_a 0, transpose_b 0) from [a f32[2, 3], b f32[3, 2]] to [c f32[2, 2]]
    d: compute ieee.add from [c f32[2, 2], e f32[2, 2]] to [d f32[2, 2]]
"""
FINDINGS = """\
faulty.tensors:3:12: error: 'b' is defined in no line above [TEN-002]
faulty.tensors: 1 error
"""


def expect(what, found, expected):
    if found != expected:
        sys.exit(f"{what}:\nfound\n{found}\nexpected\n{expected}")


def files_of(root):
    """Path below the root: content, of the source tree without what is made or found."""
    files = {}
    for folder, names, found in os.walk(root):
        below = pathlib.Path(folder).relative_to(root)
        names[:] = [n for n in names if (below / n).as_posix() not in (".git", "build", "fuzz/corpus")
                    and n != "__pycache__"]
        for name in found:
            path = pathlib.Path(folder) / name
            if path.is_file():
                files[(below / name).as_posix()] = path.read_bytes()
    return files


def with_lines(text, path):
    lines = text.split("\n")
    for line, end, new in LINES[path]:
        expect(f"lines of {path} that are {line!r}", lines.count(line), 1)
        at = lines.index(line)
        lines.insert(lines.index(end, at) if end else at + 1, new)
    return "\n".join(lines)


def write_tree(files, root):
    """Writes what is not there already, so that a second build finds its objects up to date, and nothing else is."""
    for path in set(files_of(root)) - set(files):
        (root / path).unlink()
    for path, content in files.items():
        target = root / path
        if not target.exists() or target.read_bytes() != content:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
            target.chmod(0o755 if content.startswith(b"#!") else 0o644)


def add_format(source, tree):
    """Makes the copy, and proves that nothing but folders and lines of the format is new in it."""
    before = files_of(source)
    after = dict(before)
    for path in LINES:
        after[path] = with_lines(before[path].decode(), path).encode()
    for path, content in files_of(ADDED).items():
        after[f"src/{path}"] = content
    write_tree(after, tree)
    copy = files_of(tree)
    changed = {path for path in copy if copy[path] != before.get(path)} | (set(before) - set(copy))
    folders = ("src/formats/tensors/", "src/lower/tensors/")
    expect("files outside of the format's folders that differ",
           sorted(path for path in changed if not path.startswith(folders)), sorted(LINES))


def run(words, folder, status=0):
    done = subprocess.run([str(w) for w in words], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False)
    if done.returncode != status:
        sys.exit(f"{' '.join(map(str, words))}: exit {done.returncode}, expected {status}\n{done.stdout[-6000:]}")
    return done.stdout


def build(tree, folder, compiler):
    words = ["cmake", "-S", tree, "-B", folder, f"-DCMAKE_C_COMPILER={compiler}", "-DCMAKE_BUILD_TYPE=",
             "-DCMAKE_C_FLAGS=-O0", "-DHOIST_WERROR=ON", "-DBUILD_TESTING=ON"]
    if shutil.which("ninja"):
        words += ["-G", "Ninja"]
    if shutil.which("ccache"):
        words += ["-DCMAKE_C_COMPILER_LAUNCHER=ccache"]
        os.environ["CCACHE_BASEDIR"] = str(tree.parent)
        os.environ["CCACHE_NOHASHDIR"] = "1"
    run(words, tree)
    run(["cmake", "--build", folder, "--parallel", str(os.cpu_count()), "--target", *TARGETS], tree)


def check_commands(hoist, folder):
    """The commands on a sample, whose numbers were computed by hand, and on one with a fault."""
    for name in ("sample.tensors", "faulty.tensors"):
        shutil.copy(HERE / "added" / name, folder)
    sample = (folder / "sample.tensors").read_text()
    expect("info", run([hoist, "info", "sample.tensors"], folder),
           INFO.format(size=len(sample), digest=hashlib.sha256(sample.encode()).hexdigest()))
    expect("check", run([hoist, "check", "sample.tensors"], folder), "sample.tensors: clean\n")
    expect("dump", run([hoist, "dump", "sample.tensors"], folder), sample)
    document = json.loads(run([hoist, "dump", "--json", "--format", "tensors", "sample.tensors"], folder))
    data = document["module"]["statements"][3]
    expect("dump --json", (data["at"], data["value"]["name"], data["value"]["data"]), ([5, 1], "e", [0.5, -1, 2, 1000]))
    program = run([hoist, "dump", "--program", "sample.tensors"], folder)
    expect("dump --program", program[program.index("{\n") + 2:program.index("}")], STEPS)
    expect("graph", run([hoist, "graph", "sample.tensors"], folder), GRAPH)
    (folder / "a.bin").write_bytes(struct.pack("<6f", *INPUT))
    run([hoist, "run", "-q", "--input", "a=@a.bin", "--output", ".", "sample.tensors"], folder)
    expect("run", struct.unpack("<4f", (folder / "d.npy").read_bytes()[-16:]), OUTPUT)
    expect("check of a fault", run([hoist, "check", "faulty.tensors"], folder, 1), FINDINGS)


def test(source, compiler, scratch):
    tree = scratch / "tree"
    folder = scratch / "build"
    add_format(source, tree)
    for script in ("check_layers.py", "check_sizes.py", "check_rules.py"):
        run([sys.executable, tree / "scripts" / script], tree)
    build(tree, folder, compiler)
    for program in ("formats/tensors/formats_tensors_tensors_test", "lower/tensors/lower_tensors_lower_test"):
        run([folder / "src" / program], folder)
    with tempfile.TemporaryDirectory() as outputs:
        check_commands(folder / "tools/hoist/hoist", pathlib.Path(outputs))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("compiler")
    parser.add_argument("--scratch", type=lambda text: pathlib.Path(text).resolve())
    options = parser.parse_args()
    if options.scratch:
        options.scratch.mkdir(parents=True, exist_ok=True)
        test(options.source, options.compiler, options.scratch)
    else:
        with tempfile.TemporaryDirectory() as scratch:
            test(options.source, options.compiler, pathlib.Path(scratch))
    print("a format was added by two folders and "
          f"{sum(len(lines) for lines in LINES.values())} lines, built, tested and used")


if __name__ == "__main__":
    main()
