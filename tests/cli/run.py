#!/usr/bin/env python3
"""Golden command-line tests.

run.py HOIST [--update-golden] [--schemas DIR] [FILE.test...]

A .test file is a console session. A line `$ COMMAND` is run by bash in a fresh folder that holds
links to tests/cli/data and examples, with `hoist` on the PATH, COLUMNS=80 and a clean environment.
What must come out follows:
    | LINE    of standard output, exactly
    ! LINE    of standard error, exactly
    ? CODE    the exit status, when it is not 0
    @ schema  standard output is JSON that its schema (schemas/) accepts; it is not compared
A line that starts with # is a comment. --update-golden rewrites what came out.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


class Case:
    def __init__(self, command, line):
        self.command, self.line = command, line
        self.before = []
        self.out, self.err, self.code, self.schema = [], [], 0, False


def parse(path):
    cases, loose = [], []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        mark, rest = line[:2], line[2:]
        if line.startswith("$ "):
            cases.append(Case(rest, number))
            cases[-1].before, loose = loose, []
        elif mark == "| " or line == "|":
            cases[-1].out.append(rest)
        elif mark == "! " or line == "!":
            cases[-1].err.append(rest)
        elif mark == "? ":
            cases[-1].code = int(rest)
        elif line == "@ schema":
            cases[-1].schema = True
        elif not line or line.startswith("#"):
            loose.append(line)
        else:
            sys.exit(f"{path}:{number}: cannot read this line: {line}")
    return cases, loose


def environment(hoist):
    kept = {name: os.environ[name] for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS")
            if name in os.environ}
    return kept | {"PATH": f"{hoist.parent}:/usr/bin:/bin", "LC_ALL": "C.UTF-8", "COLUMNS": "80", "HOME": "/nonexistent"}


def run(case, hoist, folder):
    done = subprocess.run(["bash", "-c", case.command], cwd=folder, env=environment(hoist), check=False,
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
    text = [stream.decode("utf-8", "surrogateescape") for stream in (done.stdout, done.stderr)]
    return text[0].splitlines(), text[1].splitlines(), done.returncode, done.stdout


def schema_error(schemas, text):
    try:
        import jsonschema  # pylint: disable=import-outside-toplevel
    except ImportError:
        return None if json.loads(text) else "empty"
    document = json.loads(text)
    name = document["schema"].replace("/", "-") + ".schema.json"
    if not (schemas / name).exists():
        return f"there is no {name}"
    schema = json.loads((schemas / name).read_text(encoding="utf-8"))
    try:
        jsonschema.validate(document, schema)
    except jsonschema.ValidationError as error:
        return f"{name}: {error.message} at {list(error.absolute_path)}"
    if list(document)[:2] != ["schema", "generator"]:
        return "the first keys are not schema and generator"
    return None


def judge(case, hoist, folder, schemas):
    out, err, code, raw = run(case, hoist, folder)
    wrong = []
    if case.schema:
        problem = schema_error(schemas, raw)
        wrong += [f"schema: {problem}"] if problem else []
    elif out != case.out:
        wrong += ["standard output:"] + difference(case.out, out)
    if err != case.err:
        wrong += ["standard error:"] + difference(case.err, err)
    if code != case.code:
        wrong.append(f"exit status {code}, expected {case.code}")
    case.out, case.err, case.code = ([] if case.schema else out), err, code
    return wrong


def difference(wanted, got):
    import difflib  # pylint: disable=import-outside-toplevel
    return ["    " + line for line in difflib.unified_diff(wanted, got, "expected", "got", n=1, lineterm="")]


def rewrite(path, cases, loose):
    lines = []
    for case in cases:
        lines += case.before + ["$ " + case.command] + (["@ schema"] if case.schema else [])
        lines += [("| " + line).rstrip() if not line else "| " + line for line in case.out]
        lines += [("! " + line).rstrip() if not line else "! " + line for line in case.err]
        lines += [f"? {case.code}"] if case.code else []
    path.write_text("\n".join(lines + loose) + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("hoist", type=lambda p: pathlib.Path(p).resolve())
    parser.add_argument("--update-golden", action="store_true")
    parser.add_argument("--schemas", type=pathlib.Path, default=ROOT / "schemas")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    options = parser.parse_intermixed_args()
    files = options.files or sorted(HERE.glob("*.test"))
    passed = failed = 0
    for path in files:
        cases, loose = parse(path)
        for case in cases:
            with tempfile.TemporaryDirectory() as folder:
                os.symlink(HERE / "data", f"{folder}/data")
                os.symlink(ROOT / "examples", f"{folder}/examples")
                wrong = judge(case, options.hoist, folder, options.schemas)
            failed += bool(wrong)
            passed += not wrong
            if wrong and not options.update_golden:
                print(f"{path.name}:{case.line}: $ {case.command}")
                print("\n".join("  " + line for line in wrong))
        if options.update_golden:
            rewrite(path, cases, loose)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed and not options.update_golden else 0


if __name__ == "__main__":
    sys.exit(main())
