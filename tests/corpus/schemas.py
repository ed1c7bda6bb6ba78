#!/usr/bin/env python3
"""Every JSON document of every netlist of the corpus against its schema.

schemas.py HOIST

Runs check, info, info --resources and dump with --json on each file. check must print a document
that its schema accepts for every file, the others for every file that they open; a file that they
do not open must be one in which check finds an error. Ends with 77 (skipped) when the corpus
($HOIST_CORPUS, else ../shared/corpus) or jsonschema is absent.
"""
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CORPUS = pathlib.Path(os.environ.get("HOIST_CORPUS") or ROOT.parent / "shared" / "corpus")
SKIPPED = 77
COMMANDS = (["check"], ["info"], ["info", "--resources"], ["dump"])

try:
    import jsonschema
except ImportError:
    jsonschema = None


def validator(command):
    path = ROOT / "schemas" / f"hoist.{command}-1.schema.json"
    schema = json.loads(path.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def run(hoist, command, path):
    done = subprocess.run([hoist, *command, "--json", path], check=False, capture_output=True,
                          stdin=subprocess.DEVNULL, timeout=300,
                          env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"})
    return done.returncode, done.stdout


def counts_agree(document):
    """The numbers of check are those of its list."""
    for file in document["files"]:
        listed = [finding["severity"] for finding in file["findings"]]
        counted = file["errors"] + file["warnings"] + file["notes"]
        if len(listed) + file["findings_dropped"] != counted:
            return False
        if file["findings_dropped"] == 0 and listed.count("error") != file["errors"]:
            return False
    return True


def judge(hoist, path):
    """The problems of one file, and how many documents were validated."""
    problems, documents, errors = [], 0, None
    for command in COMMANDS:
        name = " ".join(command)
        code, text = run(hoist, command, path)
        if command == ["check"]:
            errors = code == 1
        opened = command == ["check"] or code == 0
        if code not in (0, 1 if command == ["check"] else 3) or (not opened and not errors):
            problems.append(f"{name}: exit status {code}")
            continue
        if not text and command == ["dump"] and not opened:
            continue
        document = json.loads(text)
        documents += 1
        if list(document)[:2] != ["schema", "generator"]:
            problems.append(f"{name}: the first keys are not schema and generator")
        error = jsonschema.exceptions.best_match(VALIDATORS[command[0]].iter_errors(document))
        if error:
            problems.append(f"{name}: {error.message[:200]} at {list(error.absolute_path)}")
        if command == ["check"] and not counts_agree(document):
            problems.append(f"{name}: its numbers do not agree with its list")
    return problems, documents


VALIDATORS = {}


def main():
    hoist = sys.argv[1]
    files = [path for folder in ("buda", "buda-large") for path in sorted((CORPUS / folder).rglob("*.yaml"))]
    if not jsonschema or not files:
        print("skipped: no jsonschema" if files else f"skipped: no netlists in {CORPUS}")
        return SKIPPED
    for command in ("check", "info", "dump"):
        VALIDATORS[command] = validator(command)
    failed = documents = 0
    with concurrent.futures.ProcessPoolExecutor() as pool:
        for path, (problems, count) in zip(files, pool.map(judge, [hoist] * len(files), files, chunksize=4)):
            documents += count
            failed += bool(problems)
            for problem in problems:
                print(f"{path.relative_to(CORPUS)}: {problem}")
    print(f"{len(files) - failed} passed, {failed} failed; {documents} documents")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
