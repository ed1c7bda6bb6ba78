#!/usr/bin/env python3
"""Proves that every rule occurs in a test, and that every rule id in the sources has a row.

The tables are the files src/**/*rules.inc. `X_RULE(id, ...)` is a rule X-id; it has to stand in a
*_test.c or in a file under tests/. One of level UNJUDGED is one that `check` cannot find; it is
exempt, and listed.
"""

import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROW = re.compile(r"^([A-Z]+)_RULE\(\s*(\w+)\s*,\s*(UNJUDGED)?", re.M)


def files(*tops):
    for top in tops:
        for folder, _, names in os.walk(os.path.join(ROOT, top)):
            for name in sorted(names):
                yield os.path.join(folder, name)


def text_of(path):
    with open(path, encoding="utf-8", errors="replace") as stream:
        return stream.read()


def read_tables():
    """Rule id -> whether `check` judges it."""
    rules = {}
    for path in files("src"):
        if path.endswith("rules.inc"):
            for prefix, number, unjudged in ROW.findall(text_of(path)):
                rules[f"{prefix}-{number}"] = not unjudged
    return rules


def used_ids(text, prefixes):
    """Rule ids that a text names, as "BUDA-004a", "ARK-M37a" or as the enumerator BUDA_004a."""
    pattern = re.compile(rf"\b({'|'.join(prefixes)})[-_](\d{{3}}[a-z]?|[MXP]\d{{2}}[a-z]?|SYN)\b")
    return {f"{prefix}-{number}" for prefix, number in pattern.findall(text)}


def placed_ids(text):
    """Rule ids of ARK's files that a text expects at a place, as "7:13 M37a"."""
    return {f"ARK-{number}" for number in re.findall(r"\b\d+:\d+ ([MXP]\d{2}[a-z]?)\b", text)}


def is_test(path):
    relative = os.path.relpath(path, ROOT)
    return relative.endswith("_test.c") or relative.startswith("tests/")


def main():
    rules = read_tables()
    prefixes = sorted({rule.partition("-")[0] for rule in rules})
    tested = set()
    unknown = []
    for path in files("src", "tools", "tests", "docs", "include"):
        text = text_of(path)
        ids = used_ids(text, prefixes) | placed_ids(text)
        if is_test(path):
            tested |= ids
        for rule in sorted(ids - set(rules)):
            # A number alone stands for the rows with its letters.
            if not any(other.startswith(rule) for other in rules):
                unknown.append(f"{os.path.relpath(path, ROOT)}: {rule} has no row in a table")
    untested = [rule for rule, judged in rules.items() if judged and rule not in tested]
    exempt = [rule for rule, judged in rules.items() if not judged]
    for rule in untested:
        print(f"{rule}: occurs in no test")
    for line in unknown:
        print(line)
    print(f"exempt, since check cannot find them: {', '.join(exempt) or 'none'}")
    print(f"rules: {len(rules)} rows, {len(untested)} without a test, {len(unknown)} unknown ids")
    return 1 if untested or unknown else 0


if __name__ == "__main__":
    sys.exit(main())
