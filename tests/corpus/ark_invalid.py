#!/usr/bin/env python3
"""The verdicts of `hoist check` on ARK files: the broken ones of the corpus, and all others.

ark_invalid.py HOIST [CORPUS]

For every case of ark/invalid/index.json, whose files are one job: the case's rule is among the findings (any
letter of it; of SYN any JSON rule, too), and the exit status is 1 for a case of severity E, 0 for W and I, which
have no error. For every job of ark/vectors and ark/public, that is the files of a folder that differ in the number
of the rank: no error. Prints what differs. Exits 77 when there is no corpus.
"""
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

# A published plan with an error: its WorldSize is 0, which ARK's executor refuses.
PUBLISHED = {"public/seed-b1d73e57/plan.json": {"ARK-M07"}}


def check(hoist, files):
    """The rules of errors and of all findings, and the exit status."""
    done = subprocess.run([hoist, "check", "--json", "--format", "ark", *files], capture_output=True, check=False)
    findings = [f for file in json.loads(done.stdout)["files"] for f in file["findings"]]
    errors = {f["rule"] for f in findings if f["severity"] == "error"}
    return errors, {f["rule"] for f in findings}, done.returncode


def names(rule, found):
    """Whether a rule of the index is among those that were found."""
    if rule == "SYN" and any(f.startswith("JSON-") for f in found):
        return True
    return any(re.fullmatch(f"ARK-{rule}[a-z]?", f) for f in found)


def check_case(hoist, folder, case):
    """What is wrong with the findings of a broken case; empty: nothing."""
    _, found, status = check(hoist, [folder / name for name in case["files"]])
    if not names(case["rule"], found):
        return f"not among {sorted(found)}"
    is_empty = any((folder / name).stat().st_size == 0 for name in case["files"])
    # An empty file is unreadable for every command.
    expected = 3 if is_empty else 1 if case["severity"] == "E" else 0
    return f"exit status {status}, expected {expected}: {sorted(found)}" if status != expected else ""


def jobs(corpus):
    """Lists of the files that belong together."""
    found = {}
    for top in ("vectors", "public"):
        for path in sorted((corpus / top).rglob("*.json")):
            if path.name != "manifest.json":
                key = (path.parent, re.sub(r"_(rank|gpu)\d+", "", path.stem))
                found.setdefault(key, []).append(path)
    return found.values()


def check_job(hoist, corpus, files):
    """What is wrong with the findings of a job that is right; empty: nothing."""
    errors, _, _ = check(hoist, files)
    expected = PUBLISHED.get(str(files[0].relative_to(corpus)), set())
    return f"errors {sorted(errors)}, expected {sorted(expected)}" if errors != expected else ""


def main():
    hoist = pathlib.Path(sys.argv[1]).resolve()
    corpus = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else
                          os.environ.get("HOIST_CORPUS", ROOT / "../shared/corpus")) / "ark"
    index = corpus / "invalid/index.json"
    if not index.exists():
        print("skipped: the corpus is absent (ark/invalid/index.json)")
        return 77
    results = [(f"{case['rule']} ({case['note']})", check_case(hoist, index.parent, case))
               for case in json.loads(index.read_text(encoding="utf-8"))]
    cases = len(results)
    results += [(str(files[0].relative_to(corpus)), check_job(hoist, corpus, files)) for files in jobs(corpus)]
    wrong = [(name, text) for name, text in results if text]
    for name, text in wrong:
        print(f"{name}: {text}")
    print(f"{cases} broken cases, {len(results) - cases} others, {len(wrong)} wrong")
    return 1 if wrong or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
