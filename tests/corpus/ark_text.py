#!/usr/bin/env python3
"""The texts of ARK's models and plans: written again, in other dialects, and planned.

ark_text.py HOIST

    dump       every model and plan of the corpus, byte for byte, the published ones included
    --dialect  the same models in the dialects D1, D2 and D3, from each to each
    plan       the default plan of every model with one, and the published default_plan.json

Prints what is wrong. Ends with 77 (skipped) without the corpus (HOIST_CORPUS, else
../shared/corpus).
"""
import argparse
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SKIPPED = 77
DIALECTS = {"d1": "model_v0seed.json", "d2": "model_v1.json", "d3": "model.json"}
# Models with padding, which the files of D1 there lack: hoist writes it as multiples.
PADDED = {"B08_views_padded"}


def hoist(tool, *arguments):
    return subprocess.run([tool, *map(str, arguments)], capture_output=True, check=False).stdout


def files_of(corpus):
    for folder in ("public", "vectors"):
        for path in sorted((corpus / folder).rglob("*.json")):
            if path.name != "manifest.json":
                yield path


def differing_dumps(tool, corpus):
    for path in files_of(corpus):
        if hoist(tool, "dump", path) != path.read_bytes():
            yield f"{path.relative_to(corpus)}: dump writes other bytes"


def differing_dialects(tool, corpus):
    for seed in sorted((corpus / "vectors").rglob(DIALECTS["d1"])):
        folder = seed.parent
        for old, name in DIALECTS.items():
            for new, other in DIALECTS.items():
                if folder.name in PADDED and "d1" in (old, new):
                    continue
                if hoist(tool, "dump", "--dialect", new, folder / name) != (folder / other).read_bytes():
                    yield f"{folder.name}: {old} as {new} has other bytes than {other}"


def differing_plans(tool, corpus):
    published = corpus / "public" / "main-d8bbaebd"
    pairs = [(published / "model.json", published / "default_plan.json", ("--arch", "none"))]
    for plan in sorted((corpus / "vectors").rglob("plan*.json")):
        model = plan.with_name(plan.name.replace("plan", "model", 1))
        if model.exists():
            pairs.append((model, plan, ()))
    for model, plan, options in pairs:
        if hoist(tool, "plan", *options, model) != plan.read_bytes():
            yield f"{model.relative_to(corpus)}: plan writes another plan than {plan.name}"
    if len(pairs) < 100:
        yield f"only {len(pairs)} models with a plan"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("hoist")
    tool = parser.parse_args().hoist
    corpus = pathlib.Path(os.environ.get("HOIST_CORPUS") or ROOT.parent / "shared" / "corpus") / "ark"
    if not corpus.is_dir():
        print("skipped: the corpus is absent")
        sys.exit(SKIPPED)
    wrong = [*differing_dumps(tool, corpus), *differing_dialects(tool, corpus), *differing_plans(tool, corpus)]
    print("\n".join(wrong))
    print(f"{sum(1 for _ in files_of(corpus))} files, {len(wrong)} wrong")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
