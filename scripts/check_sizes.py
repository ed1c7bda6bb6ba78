#!/usr/bin/env python3
"""Checks the sizes that the style guide allows: lines of files and functions, parameters.

Fails for a file of more than 1200 lines (`// size: table` on its first line exempts it), a function
of more than 100 lines or with more than 6 parameters, and when 3 % of the functions or more have
over 60 lines. Tests count for their own.
"""

import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MAX_FILE = 1200
MAX_FUNCTION = 100
LONG_FUNCTION = 60
MAX_LONG_SHARE = 3.0
MAX_PARAMETERS = 6
TEST = re.compile(r"_(test|testing|fuzz|bench)\.[ch]$")
# clang-format puts the brace of a function, and of nothing else, alone in column 1; a body that
# fits the line of its signature does not occur.
TOKENS = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)


def blank(match):
    """A comment or literal as blanks that keep the lines."""
    return re.sub(r"[^\n]", " ", match.group(0))


def parameters(signature):
    """Number of parameters of the last parenthesis of a signature."""
    depth = 0
    start = -1
    for i in range(len(signature) - 1, -1, -1):
        if signature[i] == ")":
            depth += 1
        elif signature[i] == "(":
            depth -= 1
            if depth == 0:
                start = i
                break
    inner = signature[start + 1:signature.rfind(")")].strip()
    if inner in ("", "void"):
        return 0
    depth = 0
    count = 1
    for c in inner:
        depth += c == "("
        depth -= c == ")"
        count += c == "," and depth == 0
    return count


def functions(text):
    """Yields (name, first line, number of lines, number of parameters)."""
    lines = TOKENS.sub(blank, text).split("\n")
    start = 0
    for i, line in enumerate(lines):
        stripped = line.strip()
        if line == "{":
            signature = "\n".join(lines[start:i])
            name = re.search(r"(\w+)\s*\(", signature)
            end = next((k for k in range(i, len(lines)) if lines[k].startswith("}")), i)
            if name and ")" in signature:
                yield name.group(1), start + 1, end - start + 1, parameters(signature)
            start = end + 1
        elif not stripped or stripped.startswith("#") or stripped.endswith((";", "}", "},")):
            start = i + 1


def sources():
    for top in ("include", "src", "tools", "tests", "bench"):
        for folder, _, names in os.walk(os.path.join(ROOT, top)):
            for name in sorted(names):
                if name.endswith((".c", ".h")):
                    yield os.path.relpath(os.path.join(folder, name), ROOT)


def quantile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0


def main():
    complaints = []
    lengths = {False: [], True: []}
    totals = {False: 0, True: 0}
    file_lengths = []
    for path in sorted(sources()):
        with open(os.path.join(ROOT, path), encoding="utf-8") as stream:
            text = stream.read()
        count = text.count("\n")
        is_test = bool(TEST.search(path)) or path.startswith(("tests/", "src/testing/", "bench/"))
        totals[is_test] += count
        if not is_test and path.endswith(".c"):
            file_lengths.append(count)
        if count > MAX_FILE and not text.startswith("// size: table"):
            complaints.append(f"{path}:1: file has {count} lines, at most {MAX_FILE}")
        for name, line, size, arguments in functions(text):
            lengths[is_test].append(size)
            if size > MAX_FUNCTION:
                complaints.append(f"{path}:{line}: {name} has {size} lines, at most {MAX_FUNCTION}")
            if arguments > MAX_PARAMETERS:
                complaints.append(
                    f"{path}:{line}: {name} has {arguments} parameters, at most {MAX_PARAMETERS}")
    for complaint in complaints:
        print(complaint)
    for is_test, what in ((False, "source"), (True, "tests")):
        values = lengths[is_test]
        long = sum(1 for size in values if size > LONG_FUNCTION)
        share = 100.0 * long / len(values) if values else 0.0
        print(f"{what}: {totals[is_test]} lines, {len(values)} functions: median "
              f"{quantile(values, 0.5)}, p90 {quantile(values, 0.9)}, p99 {quantile(values, 0.99)} "
              f"lines, {long} ({share:.1f} %) over {LONG_FUNCTION}")
        if not is_test and share >= MAX_LONG_SHARE:
            complaints.append("share")
            print(f"too many functions over {LONG_FUNCTION} lines: {share:.1f} %, expected under "
                  f"{MAX_LONG_SHARE:.0f} %")
    print(f".c files: median {quantile(file_lengths, 0.5)}, p90 {quantile(file_lengths, 0.9)} lines; "
          f"test lines / source lines {totals[True] / max(1, totals[False]):.2f}")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
