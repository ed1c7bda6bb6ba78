#!/usr/bin/env python3
"""What CI systems take from the repository: the hooks of pre-commit, the composite action, reports.

ci_kit.py HOIST [--all]

- Each hook of .pre-commit-hooks.yaml has a name, a description and an entry that runs: over files of a
  repository that its pattern matches it passes good ones and fails broken ones.
- The check of action.yml is run as a runner does, its inputs in the variables that the step declares.
- SARIF logs, JUnit reports and bills of materials of all samples, and of the corpus where it is there (each 7th file;
  with --all every one), are valid for the schemas of standards/, and for the complete ones that HOIST_SARIF_SCHEMA
  (OASIS, 2.1.0), HOIST_JUNIT_XSD and HOIST_CYCLONEDX_SCHEMA (1.6, with those that it refers to beside it) name; these are
  left out where there are none. -j gives the same bytes.
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
STANDARDS = HERE / "standards"
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


def samples(every):
    """The files of tests and examples, and of the corpus."""
    corpus = pathlib.Path(os.environ.get("HOIST_CORPUS", SHARED / "corpus"))
    files = [path for folder in (HERE / "data", ROOT / "examples") for path in sorted(folder.rglob("*")) if path.is_file()]
    listed = [path for path in sorted(corpus.rglob("*")) if path.is_file()]
    return files + (listed if every else [path for path in listed if path.stat().st_size < 1 << 22][::7])


def judge_of(jsonschema, path):
    """A validator for a schema, which may refer to those beside it."""
    schema = json.loads(path.read_text(encoding="utf-8"))
    near = [json.loads(other.read_text(encoding="utf-8")) for other in path.parent.glob("*.schema.json") if other != path]
    named = [(document["$id"], document) for document in near if "$id" in document]
    kind = jsonschema.validators.validator_for(schema)
    try:
        import referencing
        registry = referencing.Registry().with_resources((uri, referencing.Resource.from_contents(document))
                                                         for uri, document in named)
        return kind(schema, registry=registry)
    except ImportError:  # jsonschema before 4.18
        return kind(schema, resolver=jsonschema.RefResolver.from_schema(schema, store=dict(named)))


def check_json(what, document, ours, variable):
    """By our schema of what hoist writes, and the standard's own where it is at hand."""
    try:
        import jsonschema
    except ImportError:
        return
    for path in [STANDARDS / ours] + [pathlib.Path(os.environ[name]) for name in [variable] if name in os.environ]:
        for error in list(judge_of(jsonschema, path).iter_errors(document))[:20]:
            problems.append(f"{what}: {path.name}: {error.message[:200]} at {list(error.absolute_path)}")
        print(f"{what}: checked with {path}")


def check_reports(hoist, files):
    names = "".join(f"{path}\0" for path in files).encode()
    made = {}
    for form in ("--sarif", "--junit"):
        runs = [subprocess.run([hoist, "check", form, "-j", jobs, "--files0-from", "-"], input=names, check=False,
                               capture_output=True).stdout for jobs in ("1", "3")]
        expect(runs[0] == runs[1], f"{form}: -j 3 gives another report")
        made[form] = runs[0]
    count = made["--junit"].count(b"<testcase ")
    expect(count == len(files), f"{count} test cases of {len(files)} files")
    log = json.loads(made["--sarif"])
    check_json(f"SARIF of {len(files)} files", log, "sarif.schema.json", "HOIST_SARIF_SCHEMA")
    rules = [rule["id"] for rule in log["runs"][0]["tool"]["driver"]["rules"]]
    expect(len(rules) == len(set(rules)), "SARIF: a rule is listed twice")
    expect({result["ruleId"] for result in log["runs"][0]["results"]} == set(rules), "SARIF: rules of no result, or without one")
    if shutil.which("xmllint"):
        for xsd in [str(STANDARDS / "junit.xsd")] + [os.environ[name] for name in ["HOIST_JUNIT_XSD"] if name in os.environ]:
            done = subprocess.run(["xmllint", "--noout", "--huge", "--schema", xsd, "-"], input=made["--junit"], check=False,
                                  capture_output=True)
            expect(done.returncode == 0, f"JUnit: {xsd}: {done.stderr[:400]}")
            print(f"JUnit of {len(files)} files: checked with {xsd}")


def check_bom(hoist, files):
    """A bill of materials has a component for each line of the inventory, in its order, and says the same of it."""
    arguments = sorted({str(path) for path in files})
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([hoist, "scan", "-j", "2", "--jsonl", "--bom", f"{folder}/bom", *arguments], check=False,
                              capture_output=True, stdin=subprocess.DEVNULL)
        expect(done.returncode == 0, f"scan: exit status {done.returncode}, {done.stderr[:400]}")
        document = json.loads(pathlib.Path(f"{folder}/bom").read_bytes())
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    entries = [line for line in lines if "token" not in line]
    components = document["components"]
    expect(len(entries) == len(components) > 20, f"{len(components)} components of {len(entries)} entries")
    check_json(f"CycloneDX of {len(components)} components", document, "bom.schema.json", "HOIST_CYCLONEDX_SCHEMA")
    for number, (entry, component) in enumerate(zip(entries, components), 1):
        where = entry["file"] + (f"!{entry['member']}" if entry["member"] else "")
        said = {item["name"]: item["value"] for item in component["properties"]}
        rules = {name[len("hoist:rule:"):]: int(value) for name, value in said.items() if name.startswith("hoist:rule:")}
        expect(component["bom-ref"] == f"model-{number}", f"bom: {where} is {component['bom-ref']}")
        expect(component["evidence"]["occurrences"] == [{"location": where}], f"bom: {where} is somewhere else")
        expect(component.get("hashes", [{"content": None}])[0]["content"] == entry["sha256"], f"bom: {where} has another digest")
        expect(said.get("hoist:format") == entry["format"] and said.get("hoist:content-sha256") == entry["content_sha256"]
               and int(said["hoist:errors"]) == entry["errors"] and rules == entry["rules"], f"bom: {where} has {said}")


def main():
    hoist = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        make_repository(pathlib.Path(folder))
        check_hooks(hoist, pathlib.Path(folder))
        check_action(hoist, pathlib.Path(folder))
    files = samples("--all" in sys.argv)
    check_reports(hoist, files)
    check_bom(hoist, files)
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


main()
