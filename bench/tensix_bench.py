#!/usr/bin/env python3
"""The op model of Tenstorrent chips (src/cost/tensix.h) against the vendor's measurements on silicon.

tensix_bench.py TENSIX_CYCLES FOLDER [--ranges]

FOLDER is perf_lib/op_model/scripts/perf_data of tenstorrent/tt-budabackend, a folder of .csv for each device;
TENSIX_CYCLES is the program bench/tensix_cycles of a build. Prints a line for each file and type of op: rows, how
many of their estimates are within 20 and 30 %, the middle one's ratio of estimate to measurement with the 5th and the
95th of 100, and whether nine of ten are within 20 %. --ranges prints the range of each row of weights instead, as
src/cost/tensix_weights.inc has it. Exits with 1 when fewer than 90 % of all rows of Wormhole are within 20 %, and with 77
(skipped) when FOLDER has no rows.
"""
import argparse
import collections
import csv
import pathlib
import subprocess
import sys

BAR = 90       # percent of rows
WITHIN = 20    # percent
SKIPPED = 77
BFP, INT8, INT32, APPROXIMATE, ROWS, COLUMNS, L1, DIM_C, FLOAT16, FLOAT32 = (1 << i for i in range(10))
FORMATS = {"Bfp": BFP, "Float16": FLOAT16, "Float32": FLOAT32, "Int8": INT8, "Int32": INT32}
PHASES = {"LoFi": 1, "HiFi2": 2, "HiFi2_A": 2, "HiFi2_B": 2, "HiFi3": 3, "HiFi4": 4}


def first(row, *names, default="1"):
    return next((row[name] for name in names if name in row), default)


def measured(row):
    """Cycles for one input: those of a run over its inputs, where it has several."""
    if "total-runtime" in row:
        inputs = int(row["last-input-idx-recorded"]) - int(row["first-input-idx-recorded"]) + 1
        return float(row["total-runtime"]) / inputs
    return float(row["runtime"])


def op_of(device, stem, row):
    """The words of tensix_cycles for a row; its type, which files whose rows lack it have in their names."""
    name = stem.removeprefix("whb0-").removesuffix("-performance").removesuffix("-op")
    is_matmul, is_sparse = name.startswith("matmul"), name == "matmul-sparse"
    kind = first(row, "Unary-Type", "Binary-Type", "quant_type", default=name.split("-")[0] if is_matmul or name.startswith("reduce") else name.removesuffix("-approx").replace("-", "_"))
    kind = kind.removesuffix("_fp16").removesuffix("_bfp8")
    # What is dequantized has its format before.
    of = ("input0_df",) if kind in ("dequantization", "requantization") else ("output_df", "input0_df", "input0")
    if is_sparse:
        of = ("output_df",)
    traits = next(bit for prefix, bit in FORMATS.items() if first(row, *of).startswith(prefix))
    traits |= APPROXIMATE if name.endswith("approx") else 0
    traits |= {"r": ROWS, "c": COLUMNS}.get(first(row, "Vector-Mode", default="rc"), 0)
    traits |= L1 if "-l1-acc" in name or first(row, "l1_acc", default="False") == "True" else 0
    traits |= DIM_C if name == "reduce-c" else 0
    nonzero = [first(row, "nz_tiles", default="0"), first(row, "nz_ublocks", default="0"), first(row, "nz_strips", default="0")]
    return "matmul_sparse" if is_sparse else kind, [
        device, kind, traits, PHASES[row["math_fidelity"]], first(row, "t", "output_t"), first(row, "mblock_m", "output_mb_r"),
        first(row, "mblock_n", "output_mb_c"), first(row, "ublock_rt", "output_ub_r"), first(row, "ublock_ct", "output_ub_c"),
        first(row, "m_k", "mblock_k"), first(row, "u_kt", "ublock_kt"), int(first(row, "z", default="0")), int(is_sparse), *nonzero]


def rows_of(folder):
    """Device, file, type, words and measured cycles of every row."""
    for path in sorted(folder.glob("*/*.csv")):
        with open(path, encoding="utf-8-sig", newline="") as file:
            for row in csv.DictReader(file):
                kind, words = op_of(path.parent.name, path.stem, row)
                yield path.parent.name, path.name, kind, words, measured(row)


def estimates(program, rows):
    text = "".join(" ".join(str(word) for word in row[3]) + "\n" for row in rows)
    done = subprocess.run([program], input=text, check=True, capture_output=True, text=True)
    return [line.split() for line in done.stdout.splitlines()]


def at(values, percent):
    return sorted(values)[round((len(values) - 1) * percent / 100)]


def share(ratios, percent):
    return 100 * sum(abs(ratio - 1) <= percent / 100 for ratio in ratios) / len(ratios)


def print_ranges(rows, found):
    by = collections.defaultdict(list)
    for row, estimate in zip(rows, found):
        by[row[0], estimate[1], int(estimate[2])].append(row[4] / float(estimate[0]))
    for key, ratios in by.items():
        print(*key, f"{at(ratios, 5):.2f}", f"{at(ratios, 95):.2f}", len(ratios))


def print_table(rows, found):
    """All ratios by device."""
    by, devices = collections.defaultdict(list), collections.defaultdict(list)
    for row, estimate in zip(rows, found):
        ratio = float(estimate[0]) / row[4]
        by[row[:3]].append(ratio)
        devices[row[0]].append(ratio)
    print(f"{'device':<12} {'file':<40} {'op':<16} {'rows':>5} {'20 %':>6} {'30 %':>6} {'5th':>6} {'middle':>6} {'95th':>6}")
    for (device, name, kind), ratios in by.items():
        print(f"{device:<12} {name:<40} {kind:<16} {len(ratios):>5} {share(ratios, 20):>4.0f} % {share(ratios, 30):>4.0f} % "
              f"{at(ratios, 5):>6.2f} {at(ratios, 50):>6.2f} {at(ratios, 95):>6.2f}{'' if share(ratios, WITHIN) >= BAR else '  does not hold'}")
    for device, ratios in devices.items():
        print(f"{device}, all: {len(ratios)} rows, {share(ratios, 20):.1f} % within 20 %, {share(ratios, 30):.1f} % within 30 %")
    return devices


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--ranges", action="store_true")
    options = parser.parse_args()
    rows = list(rows_of(options.folder))
    if not rows:
        print(f"skipped: no rows in {options.folder}")
        return SKIPPED
    found = estimates(options.program, rows)
    if len(found) != len(rows) or ["-"] in found:
        sys.exit("an op has no weights")
    if options.ranges:
        print_ranges(rows, found)
        return 0
    return 0 if share(print_table(rows, found)["wormhole_b0"], WITHIN) >= BAR else 1


if __name__ == "__main__":
    sys.exit(main())
