#!/usr/bin/env python3
"""No line of a report is wider than the window.

widths.py HOIST

Every report of every command is written at several widths. A line may be wider only where it is one
word, behind its key at most: a path or a digest is not broken, so that it can be copied. Findings are
one line each, however long, for editors and grep; dump and disasm write the file's own text.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
WIDTHS = (40, 48, 60, 72, 80, 100, 132)
FINDING = re.compile(r"^(\S+: )?(error|warning|note): ")
SUMMARY = re.compile(r"^\S+: (orders|the check is incomplete|clean|\d+ (error|warning|note))")
EXCERPT = re.compile(r"^ *\d* \| ")
WORD = re.compile(r"^ *([^:]+: +)?\S+$")

NEFFS = ["all", "copy", "engines", "report", "streams", "weights"]
NETLISTS = ["small.yaml", "every_field.yaml", "archs.yaml", "feed_forward.yaml", "transformer_encoder.yaml"]
REPORTS = (
    [f"{command} {file}" for command in ("info", "graph", "check --explain", "check --races")
     for file in [name + ".neff" for name in NEFFS] + NETLISTS]
    + [f"info --resources {file}" for file in NETLISTS]
    + [f"{command} {name}.neff" for command in ("unpack -l --verify", "unpack -f -o out", "recover") for name in NEFFS]
    + ["recover small_edgetpu.tflite", "recover --force --tflite made.tflite layers_edgetpu.tflite"]
    + ["recover -f -o out weights.neff", "diff report.neff streams.neff", "diff all.neff engines.neff",
       "diff small.yaml feed_forward.yaml", "version", "help", "rules", "rules NEFF", "rules BUDA-017",
       "run -i *=1 all.neff", "run --ranks 3 -i *=1 all.neff", "run -i *=1 small.yaml", "scan .", "diff small_edgetpu.tflite layers_edgetpu.tflite",
       "run -i *=1 --iterations 3 small.yaml", "run -i *=1 -o out small.yaml",
       "run -i *=random:1 --expect q1=@zeros.bin small.yaml", "run -i *=1 --param p_loop_count=1 feed_forward.yaml",
       "bench --iterations 2 all.neff", "bench --iterations 2 -j 2 small.yaml",
       "bench --iterations 2 --param p_loop_count=1 feed_forward.yaml"]
    + [f"help {name}" for name in ("info check dump diff disasm graph run bench unpack pack recover rules help "
                                   "version").split()])

problems = []
lines = 0


def is_free(report, line):
    """A line that need not fit."""
    if FINDING.match(line) or (report.startswith("check") and (SUMMARY.match(line) or EXCERPT.match(line))):
        return True
    return bool(WORD.match(line))


def check_report(hoist, report, folder, width):
    global lines  # pylint: disable=global-statement
    kept = {name: value for name, value in os.environ.items() if name.endswith("SAN_OPTIONS")}
    done = subprocess.run([hoist, *report.split()], cwd=folder, check=False, capture_output=True, stdin=subprocess.DEVNULL,
                          env=kept | {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "COLUMNS": str(width)})
    text = done.stdout.decode().splitlines()
    lines += len(text)
    if done.returncode not in (0, 1, 3) or not text:
        problems.append(f"{width}: {report}: exit status {done.returncode}, {len(text)} lines, {done.stderr.decode()}")
    for line in text:
        if len(line) > width and not is_free(report, line):
            problems.append(f"{width}: {report}: {len(line)} columns: {line}")


def make_files(hoist, folder):
    sources = {name: HERE / f"data/{name}_neff" for name in NEFFS} | {"all": ROOT / "examples/neff/all_reduce"}
    for name, source in sources.items():
        subprocess.run([hoist, "pack", "-o", f"{folder}/{name}.neff", source], check=True, stdin=subprocess.DEVNULL)
    for name in NETLISTS:
        data = HERE / "data" / name
        os.symlink(data if data.exists() else ROOT / "examples/buda" / name, f"{folder}/{name}")
    for name in ("small_edgetpu.tflite", "layers_edgetpu.tflite"):
        os.symlink(ROOT / "examples/tflite" / name, f"{folder}/{name}")
    pathlib.Path(f"{folder}/zeros.bin").write_bytes(bytes(4 * 2 * 64 * 64))


def main():
    hoist = str(pathlib.Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as folder:
        make_files(hoist, folder)
        for width in WIDTHS:
            for report in REPORTS:
                check_report(hoist, report, folder, width)
    print("\n".join(problems[:60] + [f"{len(REPORTS)} reports at {len(WIDTHS)} widths, {lines} lines, {len(problems)} problems"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
