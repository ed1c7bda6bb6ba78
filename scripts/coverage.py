#!/usr/bin/env python3
"""Line and branch coverage of a build with gcov.

coverage.py BUILD [FOLDER...]

Prints per folder of src/ and tools/ how many lines and branches the tests ran, how many lines of
tests stand beside how many lines of source, then per file the lines that nothing ran (of FOLDER...
only, when given). A header or a source that several objects compile counts once: a line ran when it
ran in any of them.
"""
import collections
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def is_test(path):
    stem = path.rsplit(".", 1)[0]
    return path.startswith(("src/testing/", "tests/")) or stem.endswith(("_test", "_fuzz", "_testing"))


def measure(build):
    """Lines {file: {line: count}} and branches {file: {(line, n): count}} of all objects."""
    lines = collections.defaultdict(lambda: collections.defaultdict(int))
    branches = collections.defaultdict(lambda: collections.defaultdict(int))
    # The notes exist for objects that no test loaded, too.
    for notes in sorted(build.rglob("*.gcno")):
        done = subprocess.run(["gcov", "-b", "--json-format", "--stdout", str(notes)], cwd=build, check=True,
                              capture_output=True, text=True)
        for document in done.stdout.splitlines():
            for file in json.loads(document)["files"]:
                add(file, build, lines, branches)
    return lines, branches


def add(file, build, lines, branches):
    path = pathlib.Path(build, file["file"]).resolve()
    if not path.is_relative_to(ROOT) or path.is_relative_to(build):
        return
    name = str(path.relative_to(ROOT))
    if is_test(name) or not name.startswith(("src/", "tools/")):
        return
    for line in file["lines"]:
        number = line["line_number"]
        lines[name][number] += line["count"]
        for index, branch in enumerate(line["branches"]):
            branches[name][number, index] += branch["count"]


def join_statements(name, counts):
    """gcov can give the first line of a call over several lines the count of an arm of an argument's
    `?:` instead of its own. A line ran when the rest of its statement did."""
    with open(ROOT / name, encoding="utf-8") as text:
        source = text.read().splitlines()
    for number in [n for n, count in counts.items() if not count]:
        rest = number
        while rest < len(source) and not source[rest - 1].rstrip().endswith((";", "{", "}", ":")):
            rest += 1
            counts[number] += counts.get(rest, 0)


def ranges(numbers):
    """[3, 4, 5, 9] as "3-5 9"."""
    runs = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return " ".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)


def sizes():
    """Lines of files under git per folder: {folder: [source, test]}; tests/ has a row of its own."""
    listed = subprocess.run(["git", "ls-files", "src", "tools", "include", "tests"], cwd=ROOT, check=True,
                            capture_output=True, text=True).stdout.split()
    found = collections.defaultdict(lambda: [0, 0])
    for name in listed:
        if name.endswith((".c", ".h", ".inc", ".py", ".sh", ".test")):
            with open(ROOT / name, encoding="utf-8", errors="replace") as text:
                count = sum(1 for _ in text)
            folder = "tests" if name.startswith("tests/") else str(pathlib.PurePath(name).parent)
            found[folder][is_test(name)] += count
    return found


def share(counts):
    return f"{100 * sum(1 for c in counts if c) / len(counts):6.1f}" if counts else "     -"


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    lines, branches = measure(build)
    for name, counts in lines.items():
        join_statements(name, counts)
    written = sizes()
    folders = collections.defaultdict(lambda: ([], []))
    for name in lines:
        for folder in (str(pathlib.PurePath(name).parent), "all"):
            folders[folder][0].extend(lines[name].values())
            folders[folder][1].extend(branches[name].values())
    written["all"] = [sum(row[i] for row in written.values()) for i in (0, 1)]
    print(f"{'folder':20} {'lines':>6} {'% run':>6} {'branches':>8} {'% run':>6} {'source':>7} {'tests':>6} {'ratio':>6}")
    for folder in sorted(set(folders) | set(written), key=lambda f: (f == "all", f)):
        run, taken = folders.get(folder, ([], []))
        source, test = written.get(folder, (0, 0))
        ratio = f"{test / source:6.2f}" if source else "     -"
        print(f"{folder:20} {len(run):6} {share(run)} {len(taken):8} {share(taken)} {source:7} {test:6} {ratio}")
    print("\nlines that no test ran:")
    for name in sorted(lines):
        missed = sorted(n for n, count in lines[name].items() if not count)
        if missed and (not sys.argv[2:] or name.startswith(tuple(sys.argv[2:]))):
            print(f"{name}: {ranges(missed)}")


if __name__ == "__main__":
    main()
