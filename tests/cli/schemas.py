#!/usr/bin/env python3
"""The schemas themselves: complete, closed, and used.

schemas.py HOIST

- Each schema is valid, is named after what it describes, closes every object whose keys it lists,
  and describes every key. Each command with --json or --jsonl has one, and each belongs to such a command.
- What `dump --json` prints of data/every_field.yaml, a NEFF, a bare stream, a model, a plan, data/every_line.hoist
  and a device image, and of the plan of a run, holds every key that the schema of dump
  knows, so that no key of the schema is one that is never sent.
- Each line of `scan --jsonl` over the samples is valid, of both kinds.
- A document with one more key in any closed object, or with a required key less, is refused.
Ends with 77 (skipped) without jsonschema.
"""
import copy
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SCHEMAS = HERE.parent.parent / "schemas"
SKIPPED = 77

try:
    import jsonschema
except ImportError:
    jsonschema = None

problems = []


def expect(holds, text):
    if not holds:
        problems.append(text)


def hoist_json(hoist, *arguments):
    done = subprocess.run([hoist, *arguments], cwd=HERE, check=False, capture_output=True, stdin=subprocess.DEVNULL)
    return json.loads(done.stdout)


def parts(schema, path=()):
    """Every map of a schema with its path."""
    if isinstance(schema, dict):
        yield path, schema
        for key, value in schema.items():
            yield from parts(value, path + (key,))
    elif isinstance(schema, list):
        for index, value in enumerate(schema):
            yield from parts(value, path + (str(index),))


def check_form(name, schema):
    jsonschema.Draft202012Validator.check_schema(schema)
    # A relative id would stand for another place wherever the schema lies.
    expect("$id" not in schema, f"{name}: has an id")
    expect(schema["properties"]["schema"].get("const") == f"hoist.{name}/1", f"{name}: describes another document")
    for path, part in parts(schema):
        where = f"{name}: {'/'.join(path)}"
        if part.get("type") == "object" and "properties" in part:
            expect("additionalProperties" in part, f"{where}: further keys are neither allowed nor refused")
        placed = "$ref" in part  # only narrows `value` of the definition
        for key, value in part.get("properties", {}).items() if not placed else ():
            expect(isinstance(value, dict) and value.get("description"), f"{where}: '{key}' has no description")


def check_commands(hoist, names):
    commands = hoist_json(hoist, "help", "--json")["commands"]
    with_json = {command["name"] for command in commands
                 if any(option["name"] in ("json", "jsonl") for option in command["options"])}
    names = names - {"progress"}  # of no command
    expect(with_json == names, f"commands with JSON {sorted(with_json)}, schemas {sorted(names)}")


def keys_of(document):
    if isinstance(document, dict):
        for key, value in document.items():
            yield key
            yield from keys_of(value)
    elif isinstance(document, list):
        for value in document:
            yield from keys_of(value)


def neff_of(hoist, folder):
    """A NEFF of data/report_neff with a stream that is cut off and a .npy that is none."""
    source, packed = pathlib.Path(folder) / "source", pathlib.Path(folder) / "report.neff"
    shutil.copytree(HERE / "data/report_neff", source)
    (source / "sg01/sp.asm").unlink()
    (source / "sg01/sp.bin").write_bytes(b"cut off")
    (source / "sg01/none.npy").write_bytes(b"none")
    subprocess.run([hoist, "pack", "-o", packed, source], check=True, stdin=subprocess.DEVNULL)
    return str(packed)


def stream_of(hoist, folder):
    """The instructions of an example for the Edge TPU, as a file."""
    model = HERE.parent.parent / "examples/tflite/small_edgetpu.tflite"
    subprocess.run([hoist, "unpack", "-o", f"{folder}/model", model], check=True, stdin=subprocess.DEVNULL,
                   stdout=subprocess.DEVNULL)
    return f"{folder}/model/payloads/0/packages/0/executables/0/chunks/0.bin"


def image_in(folder):
    """A device image with a netlist."""
    image = f"{folder}/net.tti"
    subprocess.run([HERE / "data/make_tti.py", HERE / "data/memory.yaml", image, "w=1x1x32x64:0.5"], check=True)
    return image


def check_every_key_is_sent(documents, schema):
    sent = set().union(*map(keys_of, documents))
    for path, part in parts(schema):
        if part.get("type") == "object":
            for key in part.get("properties", {}):
                expect(key in sent, f"dump: {'/'.join(path)} knows '{key}', which is never sent")


def mutations(document, path=()):
    """Copies of a document with a key too many or too few, and what was done."""
    where = document
    for key in path:
        where = where[key]
    if isinstance(where, dict):
        for key in [None, *where]:
            changed = copy.deepcopy(document)
            at = changed
            for step in path:
                at = at[step]
            if key is None:
                at["surplus"] = 1
            else:
                del at[key]
            yield f"{list(path)} {'has surplus' if key is None else 'lacks ' + key}", changed
    items = where.items() if isinstance(where, dict) else enumerate(where[:1]) if isinstance(where, list) else ()
    for key, _ in items:
        yield from mutations(document, path + (key,))


def optional_keys(schema):
    return {key for _, part in parts(schema) if part.get("type") == "object"
            for key in part.get("properties", {}) if key not in part.get("required", [])}


def check_strict(name, document, schema):
    judge = jsonschema.Draft202012Validator(schema)
    error = jsonschema.exceptions.best_match(judge.iter_errors(document))
    expect(error is None, f"{name}: {error and error.message}")
    optional = optional_keys(schema)
    for what, changed in mutations(document):
        if what.rpartition(" lacks ")[2] not in optional:
            expect(not judge.is_valid(changed), f"{name}: accepted although {what}")


def check_scan(hoist, schema):
    """Lines of an inventory: entries, and caching tokens; no key of a line may be missing, nor one be too many."""
    done = subprocess.run([hoist, "scan", "--jsonl", "data", "../../examples"], cwd=HERE, check=True, capture_output=True,
                          stdin=subprocess.DEVNULL)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    judge = jsonschema.Draft202012Validator(schema)
    for line in lines:
        error = jsonschema.exceptions.best_match(judge.iter_errors(line))
        expect(error is None, f"scan: {line['file']}: {error and error.message}")
    plain = [line for line in lines if "format" in line and not line["rules"] and not line["versions"]]
    tokens = [line for line in lines if "token" in line]
    expect(len(lines) > 20 and plain and tokens, f"scan: {len(lines)} lines, {len(tokens)} of them tokens")
    for line in plain[:1] + tokens[:1]:
        for what, changed in mutations(line):
            expect(not judge.is_valid(changed), f"scan: accepted although {what}")


EDGE_ENDS = {
    "reads": ({"queue", "op", "unknown"}, {"op"}), "writes": ({"op"}, {"queue"}), "owns": ({"engine"}, {"queue_set"}),
    "moves": ({"variable", "unknown"}, {"variable", "unknown"}), "raises": ({"engine", "queue_set"}, {"semaphore"}),
    "awaited": ({"semaphore"}, {"engine"}),
}


def check_graph(document, schema):
    """Nodes stand at the places of their ids, edges lead from and to nodes of the right kinds."""
    check_strict("graph", document, schema)
    for graph in document["graphs"]:
        nodes = graph["nodes"]
        expect([node["id"] for node in nodes] == list(range(len(nodes))), f"graph {graph['name']}: ids are no places")
        for edge in graph["edges"]:
            ends = [nodes[edge[end]]["kind"] for end in ("from", "to")]
            expect(all(kind in kinds for kind, kinds in zip(ends, EDGE_ENDS[edge["kind"]])), f"graph: {edge} has {ends}")
            if edge.get("queue_set") is not None:
                expect(nodes[edge["queue_set"]]["kind"] == "queue_set", f"graph: {edge} is of no queue set")


def main():
    hoist = str(pathlib.Path(sys.argv[1]).resolve())
    if not jsonschema:
        print("skipped: no jsonschema")
        return SKIPPED
    schemas = {path.name.split(".")[1][:-2]: json.loads(path.read_text(encoding="utf-8"))
               for path in sorted(SCHEMAS.glob("*.schema.json"))}
    for name, schema in schemas.items():
        check_form(name, schema)
    check_commands(hoist, set(schemas))
    with tempfile.TemporaryDirectory() as folder:
        neff = neff_of(hoist, folder)
        files = ("data/every_field.yaml", neff, stream_of(hoist, folder), "data/every_field_model.json",
                 "data/every_field_plan.json", "data/every_line.hoist", image_in(folder))
        dumps = [hoist_json(hoist, "dump", "--json", path) for path in files]
        plan = hoist_json(hoist, "dump", "--plan", "--json", "../../examples/ark/swiglu.json")
        queues = hoist_json(hoist, "dump", "--plan", "--json", "data/small.yaml")
        check_every_key_is_sent(dumps + [plan, queues], schemas["dump"])
        check_strict("dump", plan, schemas["dump"])
        check_strict("info", hoist_json(hoist, "info", "--json", neff), schemas["info"])
        program = "../../examples/programs/buda_training.hoist"
        check_strict("info", hoist_json(hoist, "info", "--json", program), schemas["info"])
        jsonschema.validate(hoist_json(hoist, "graph", "--json", program), schemas["graph"])
        check_graph(hoist_json(hoist, "graph", "--json", neff), schemas["graph"])
    for path in ("data/small.yaml", "data/every_field.yaml", "../../examples/buda/transformer_encoder.yaml"):
        check_graph(hoist_json(hoist, "graph", "--json", path), schemas["graph"])
    check_strict("diff", hoist_json(hoist, "diff", "--json", "data/small.yaml", "data/warning.yaml"), schemas["diff"])
    check_strict("check", hoist_json(hoist, "check", "--json", "data/warning.yaml"), schemas["check"])
    check_strict("info", hoist_json(hoist, "info", "--json", "--resources", "data/small.yaml"), schemas["info"])
    check_strict("rules", hoist_json(hoist, "rules", "--json", "BUDA-017"), schemas["rules"])
    check_scan(hoist, schemas["scan"])
    check_strict("help", hoist_json(hoist, "help", "--json", "check"), schemas["help"])
    print("\n".join(problems[:40] + [f"{len(schemas)} schemas, {len(problems)} problems"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
