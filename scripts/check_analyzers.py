#!/usr/bin/env python3
"""Runs gcc's -fanalyzer and clang's analyzer over the sources of the library and the command.

check_analyzers.py                            gcc over all files, clang over the next third of them
check_analyzers.py --part 1|2|3               the same with that third
check_analyzers.py --only gcc|clang [FILE...] one of them over all, or over the files

clang takes ten times as long as gcc: three runs in one tree check every file, and the last line of the
output names the part. build/analyzers.part holds the last part; where that file is missing, the date
chooses. clang-tidy over all files (check_tidy.sh all) has the same checks.

Asserts are on: they state for the analyzers what we guarantee. Known false findings are rows of
scripts/analyzers.tsv: file, function, check, reason. Any other finding, and a row without a finding,
makes the exit status 1.
"""
import argparse
import concurrent.futures
import datetime
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "scripts/analyzers.tsv"
# Of Open MPI; nothing where it is not installed.
MPI = subprocess.run(["pkg-config", "--cflags", "ompi-c"], capture_output=True, text=True, check=False).stdout.split()
FLAGS = ["-std=c17", "-D_GNU_SOURCE", "-Iinclude", "-Isrc", "-Itools/hoist", "-Ibuild/dev/generated",
         '-DHOIST_MPI_VERSION=""', '-DHOIST_MPI_FROM_BIN=""', *MPI,
         # Sources of src/kernels that are compiled once per CPU level.
         "-DHOIST_LEVEL=HOIST_CPU_BASELINE", "-DHOIST_LEVEL_SUFFIX=baseline", "-DHOIST_LEVEL_BASE=baseline"]
COMMANDS = {
    # gcc finds what it does on the code before optimisation; -O0 has no more to say than -O2, faster.
    "gcc": ["gcc", *FLAGS, "-fanalyzer", "-fanalyzer-verbosity=0", "-fdiagnostics-plain-output", "-c",
            "-o", "/dev/null"],
    # The checks that .clang-tidy leaves out, and why, are left out here, too.
    "clang": ["clang", *FLAGS, "--analyze", "--analyzer-output", "text",
              "-Xclang", "-analyzer-disable-checker=valist.Uninitialized"],
}
PARTS = 3
LAST_PART = ROOT / "build/analyzers.part"
# gcc takes minutes for each of these: loops over vectors, unrolled by macros.
TOO_LONG_FOR_GCC = re.compile(r"src/kernels/\w+_level\.c$")
NOT_SHIPPED = re.compile(r"(_test|_testing|_fuzz|_example|_docgen|/docgen)\.c$|^src/testing/"
                         + ("" if MPI else "|^src/comm/mpi/"))
WARNING = re.compile(r"^(\S+?):(\d+):\d+: warning: (.*?)(?: \[CWE-\d+\])? \[(-W)?([\w.+-]+)\]$")
FUNCTION = re.compile(r"^(?!static_assert)[A-Za-z_].*?([A-Za-z_]\w*)\(")


def function_at(path, line):
    """Name of the function that holds a line: the last definition that begins before it."""
    name = "?"
    for text in (ROOT / path).read_text(encoding="utf-8").splitlines()[:line]:
        match = FUNCTION.match(text)
        if match and not text.startswith(("typedef", "struct", "enum", "union", "#")) and not text.endswith(";"):
            name = match.group(1)
    return name


def findings(job):
    tool, path = job
    found = []
    done = subprocess.run([*COMMANDS[tool], path], cwd=ROOT, capture_output=True, text=True, check=False)
    for line in done.stderr.splitlines():
        match = WARNING.match(line)
        if match:
            where, number, text, prefix, check = match.groups()
            check = (prefix or "")[1:] + check
            where = os.path.relpath(os.path.join(ROOT, where), ROOT)
            found.append((where, function_at(where, int(number)), check, f"{where}:{number}: {text} [{check}]"))
    if done.returncode and not found:
        found.append((path, "?", "failed", f"{path}: {tool} failed: {done.stderr.strip()[-200:]}"))
    return found


def known():
    rows = {}
    for line in TABLE.read_text(encoding="utf-8").splitlines()[1:]:
        where, function, check, why = line.split("\t")
        assert why.strip(), line
        rows[where, function, check] = False
    return rows


def sources():
    listed = subprocess.run(["git", "ls-files", "src/*.c", "tools/*.c"], cwd=ROOT, capture_output=True, text=True,
                            check=True).stdout.split()
    return [path for path in listed if not NOT_SHIPPED.search(path)]


def next_part():
    """The part after the one of the last run in this tree, 1 to PARTS; by the date in a fresh tree."""
    try:
        last = int(LAST_PART.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        last = datetime.date.today().toordinal()
    return last % PARTS + 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=sorted(COMMANDS))
    parser.add_argument("--part", type=int, choices=range(1, PARTS + 1))
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    paths = options.files or sources()
    part = options.part or next_part()
    third = paths[len(paths) * (part - 1) // PARTS : len(paths) * part // PARTS]
    short = [path for path in paths if not TOO_LONG_FOR_GCC.search(path)]
    jobs = [("gcc", path) for path in short] if options.only != "clang" else []
    if options.only != "gcc":
        jobs += [("clang", path) for path in (paths if options.only else third)]
    rows = known()
    bad = set()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for found in pool.map(findings, jobs):
            for *key, text in found:
                if tuple(key) in rows:
                    rows[tuple(key)] = True
                else:
                    bad.add(text)
    for text in sorted(bad):
        print(text)
    stale = [] if options.only else [key for key, used in rows.items() if not used and key[2].startswith("Wanalyzer")]
    for where, function, check in stale:
        print(f"scripts/analyzers.tsv: nothing is found for {where} {function} {check} any more")
    ran = f"{options.only}: {len(paths)} files" if options.only else \
        f"gcc: {len(short)} files, clang: part {part} of {PARTS}, {len(third)} files, {third[0]} to {third[-1]}"
    if not options.only and LAST_PART.parent.is_dir():
        LAST_PART.write_text(f"{part}\n", encoding="utf-8")
    print(f"{ran}; {len(bad)} findings, {sum(rows.values())} explained")
    return 1 if bad or stale else 0


if __name__ == "__main__":
    sys.exit(main())
