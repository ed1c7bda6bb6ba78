#!/usr/bin/env python3
"""The verdicts of `hoist check --arch ARCH FILE` on real netlists.

verdicts.py HOIST [CORPUS]

For every row of buda/expect.tsv and buda-large/expect.tsv: no finding at error level where the column
`check` says clean, else every rule that it names among the errors (a rule without a clause letter is
met by any of its letters). For every case of buda-golden/index.json, all of which the reference model
ran: clean. Prints the table of disagreements. Exits 77 when there is no corpus.
"""
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def rows(table):
    """The netlists of one folder: path, arch, check."""
    if table.suffix == ".json":
        for case in json.loads(table.read_text(encoding="utf-8"))["cases"]:
            yield {"path": f"{case['dir']}/netlist.yaml", "arch": case["arch"], "check": "clean"}
        return
    header = None
    for line in table.read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        if header is None:
            header = line.split("\t")
        else:
            yield dict(zip(header, line.split("\t")))


def judge(hoist, path, row):
    arch = [] if row["arch"] == "-" else ["--arch", row["arch"]]
    done = subprocess.run([hoist, "check", "--json", *arch, path], capture_output=True, check=False)
    findings = json.loads(done.stdout)["files"][0]["findings"]
    errors = [f["rule"] for f in findings if f["severity"] == "error"]
    if row["check"] == "clean":
        wrong = bool(errors) or done.returncode != 0
    else:
        wanted = row["check"].split(",")
        wrong = done.returncode != 1 or any(
            not any(e == w or e[:-1] == w for e in errors) for w in wanted)
    return wrong, f"{row['check']}\t{','.join(sorted(set(errors))) or 'clean'}\texit {done.returncode}"


def main():
    hoist = pathlib.Path(sys.argv[1]).resolve()
    corpus = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else
                          os.environ.get("HOIST_CORPUS", ROOT / "../shared/corpus"))
    passed = failed = 0
    for name in ("buda/expect.tsv", "buda-large/expect.tsv", "buda-golden/index.json"):
        table = corpus / name
        if not table.exists():
            print(f"skipped: the corpus is absent ({name})")
            return 77
        for row in rows(table):
            wrong, text = judge(hoist, table.parent / row["path"], row)
            failed += wrong
            passed += not wrong
            if wrong:
                print(f"{row['path']}\t{row['arch']}\t{text}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
