#!/usr/bin/env python3
"""What CI systems take from the repository: the hooks of pre-commit, the composite action, reports.

ci_kit.py HOIST

- Each hook of .pre-commit-hooks.yaml has a name, a description and an entry that runs: over files of a
  repository that its pattern matches it passes good ones and fails broken ones.
- The check of action.yml is run as a runner does, its inputs in the variables that the step declares.
- SARIF logs and JUnit reports of all samples, and of the corpus where it is there, are valid for the
  schemas that HOIST_SARIF_SCHEMA (OASIS, 2.1.0) and HOIST_JUNIT_XSD name; both default to files of
  ../shared, and are left out where there are none. -j gives the same bytes.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SHARED = ROOT.parent / "shared"
problems = []


def expect(holds, text):
    if not holds:
        problems.append(text)


def blocks(text):
    """The items of a YAML list of maps of plain texts."""
    for part in re.split(r"^- ", text, flags=re.M)[1:]:
        yield dict(re.findall(r"^ *(\w+): (.*)$", part, flags=re.M))


def make_repository(folder):
    subprocess.run(["git", "init", "-q", folder], check=True)
    good = {"good.tflite": ROOT / "examples/tflite/classifier.tflite", "good.hoist": ROOT / "examples/programs/tflite_edges.hoist",
            "netlist_good.yaml": HERE / "data/small.yaml", "sub folder/good.tflite": ROOT / "examples/tflite/layers_edgetpu.tflite"}
    for name, source in good.items():
        (folder / name).parent.mkdir(exist_ok=True)
        shutil.copy(source, folder / name)
    model = (folder / "good.tflite").read_bytes()
    (folder / "bad.tflite").write_bytes(model[:200])
    (folder / "bad.hoist").write_text("program p\nspace\n", encoding="utf-8")
    netlist = (folder / "netlist_good.yaml").read_text(encoding="utf-8")
    (folder / "netlist_bad.yaml").write_text(netlist.replace("input: HOST", "input: nobody"), encoding="utf-8")
    subprocess.run(["git", "-C", folder, "add", "-A"], check=True)


def run(command, folder, hoist, **variables):
    env = dict(os.environ, PATH=f"{hoist.parent}:{os.environ['PATH']}", **variables)
    return subprocess.run(command, cwd=folder, env=env, check=False, capture_output=True, text=True, stdin=subprocess.DEVNULL)


def check_hooks(hoist, folder):
    listed = run(["git", "ls-files", "-z"], folder, hoist).stdout.split("\0")[:-1]
    hooks = list(blocks((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")))
    expect(len(hooks) == 2, f"{len(hooks)} hooks were read")
    for hook in hooks:
        expect({"id", "name", "description", "entry", "language", "files"} <= set(hook), f"{hook}: a key is missing")
        matched = [name for name in listed if re.search(hook["files"], name)]
        good = [name for name in matched if "good" in name]
        bad = [name for name in matched if "bad" in name]
        expect(good and bad, f"{hook['id']}: matches {matched}")
        expect(run([*hook["entry"].split(), *good], folder, hoist).returncode == 0, f"{hook['id']}: good files fail")
        for name in bad:
            expect(run([*hook["entry"].split(), name], folder, hoist).returncode == 1, f"{hook['id']}: {name} passes")


def step_of(text, name):
    """The variables and the command of a step of action.yml."""
    part = re.search(rf"^    - name: {name}\n((?:      .*\n?)*)", text, flags=re.M).group(1)
    inputs = dict(re.findall(r"^        (\w+): \$\{\{ inputs\.(\w+) \}\}$", part, flags=re.M))
    command = re.search(r"^      run: '?(.*?)'?$", part, flags=re.M).group(1)
    return inputs, command


def check_action(hoist, folder):
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    declared = set(re.findall(r"^  (\w+):\n    description:", text, flags=re.M))
    inputs, command = step_of(text, "check")
    expect(set(inputs.values()) == declared, f"inputs {sorted(declared)}, used {sorted(inputs.values())}")
    build = re.search(r"build hoist\n(.*?)\n    - name", text, flags=re.S).group(1)
    for script in re.findall(r"\$GITHUB_ACTION_PATH/([\w/.]+)", text):
        expect(os.access(ROOT / script, os.X_OK), f"action.yml runs {script}, which is no program")
    expect("release --target hoist_tool" in build, "the action builds nothing")

    def act(**given):
        values = {variable: given.get(name, "") for variable, name in inputs.items()} | {"HOIST_COMMAND": str(hoist)}
        return run(["bash", "-c", command], folder, hoist, GITHUB_ACTION_PATH=str(ROOT), **values)

    done = act(files="*good*\n\n")
    expect(done.returncode == 0 and done.stdout.count("clean") == 4, f"good files: {done}")
    done = act(files="netlist*", sarif="log.sarif", options="--quiet  --werror")
    expect(done.returncode == 1 and "::error file=netlist_bad.yaml,line=" in done.stdout, f"a bad netlist: {done}")
    log = json.loads((folder / "log.sarif").read_text(encoding="utf-8"))
    expect(log["version"] == "2.1.0" and log["runs"][0]["results"], "the log has no results")
    done = act(files="netlist*", baseline="log.sarif")
    expect(done.returncode == 0 and "known" in done.stdout, f"with a baseline: {done}")
    for files in ("", "none*"):
        expect(act(files=files).returncode == 2, f"files '{files}' are taken")


def check_reports(hoist):
    files = [path for folder in (HERE / "data", ROOT / "examples") for path in sorted(folder.rglob("*")) if path.is_file()]
    corpus = pathlib.Path(os.environ.get("HOIST_CORPUS", SHARED / "corpus"))
    files += [path for path in sorted(corpus.rglob("*")) if path.is_file() and path.stat().st_size < 1 << 22][::7]
    names = "".join(f"{path}\0" for path in files).encode()
    made = {}
    for form in ("--sarif", "--junit"):
        runs = [subprocess.run([hoist, "check", form, "-j", jobs, "--files0-from", "-"], input=names, check=False,
                               capture_output=True).stdout for jobs in ("1", "3")]
        expect(runs[0] == runs[1], f"{form}: -j 3 gives another report")
        made[form] = runs[0]
    count = made["--junit"].count(b"<testcase ")
    expect(count == len(files), f"{count} test cases of {len(files)} files")
    schema = pathlib.Path(os.environ.get("HOIST_SARIF_SCHEMA", SHARED / "sarif-schema-2.1.0.json"))
    try:
        import jsonschema
    except ImportError:
        jsonschema = None
    if jsonschema and schema.exists():
        checker = jsonschema.Draft4Validator(json.loads(schema.read_text(encoding="utf-8")))
        for error in checker.iter_errors(json.loads(made["--sarif"])):
            problems.append(f"SARIF: {error.message[:200]}")
        print(f"SARIF of {len(files)} files: checked with {schema}")
    xsd = os.environ.get("HOIST_JUNIT_XSD", str(SHARED / "junit-10.xsd"))
    if shutil.which("xmllint"):
        command = ["xmllint", "--noout"] + (["--schema", xsd] if pathlib.Path(xsd).exists() else []) + ["-"]
        done = subprocess.run(command, input=made["--junit"], check=False, capture_output=True)
        expect(done.returncode == 0, f"JUnit: {done.stderr[:400]}")
        print(f"JUnit of {len(files)} files: {' '.join(command)}")


def main():
    hoist = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        make_repository(pathlib.Path(folder))
        check_hooks(hoist, pathlib.Path(folder))
        check_action(hoist, pathlib.Path(folder))
    check_reports(hoist)
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


main()
