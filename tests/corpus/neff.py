#!/usr/bin/env python3
"""The rebuilt NEFFs of the corpus: checked, disassembled, packed again and run.

neff.py HOIST

    check     exit 0 with the findings of FINDINGS and no others
    disasm    TEXT, byte for byte
    pack      what unpack wrote gives the same file where its archive is as our writer makes it, else
              the same members and header fields
    run       one rank gives its input; ranks give the sum of theirs, (x0 + x1) + x2 ..., in float32,
              bit for bit, in every way of WAYS

Prints what is wrong. Ends with 77 (skipped) without the corpus (HOIST_CORPUS, else
../shared/corpus).
"""
import argparse
import hashlib
import itertools
import json
import os
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SKIPPED = 77
FILES = {"tiny_allreduce_pkg1_pax.neff": False, "tiny_allreduce_pkg2_gnu.neff": True}  # packs to the same bytes
FINDINGS = [("warning", "NEFF-074b", "sg00/act.json"), ("note", "NEFF-073", "sg00/pe.bin"), ("note", "NEFF-073", "sg00/pool.bin")]
RANKS = (1, 2, 4)
WAYS = [("--sequential",), *(("--threads", n) for n in "124")]
SCHEDULES = ("in-order", "random:1", "random:2", "adversarial")
COUNT = 32  # elements

TEXT = """\
# sg00/pe.bin pe 1 record
PSEUDO_TRIGGER_COLLECTIVE $S[10]>0 $S[22]++@complete ctype=ALL_REDUCE input_tensor_id=3 output_tensor_id=4 num_elements=32 dtype=fp32 op=ADD group_id=0;

# sg00/act.bin act 0 records

# sg00/pool.bin pool 3 records
PSEUDO_DMA_TRIGGER q_gradient_in block_id=0;
PSEUDO_DMA_TRIGGER $S[22]>0 q_gradient_out block_id=0;
EVENT_SEMAPHORE $S[11]>0;

# sg00/dve.bin dve 0 records

# sg00/sp.bin sp 0 records
"""
# Of the record lines of a stream with their newlines, which are those of the vendor's .asm members.
DIGESTS = {"pe": "f29523f090390ca0ca86df1706b3679b", "pool": "7c9340c2ed45801efb8ef1779f43a21a"}


def corpus():
    folder = pathlib.Path(os.environ.get("HOIST_CORPUS", ROOT / "../shared/corpus")) / "neff"
    return folder if all((folder / name).exists() for name in FILES) else None


def hoist(options, *words):
    return subprocess.run([options.hoist, *words], check=False, capture_output=True, timeout=60)


def judge_check(options, path):
    done = hoist(options, "check", "--json", path)
    found = [(f["severity"], f["rule"], f.get("member")) for f in json.loads(done.stdout)["files"][0]["findings"]]
    if done.returncode or sorted(found) != sorted(FINDINGS):
        yield f"check: exit {done.returncode}, {found}"


def judge_disasm(options, path):
    done = hoist(options, "disasm", path)
    if done.returncode or done.stdout.decode() != TEXT:
        yield f"disasm: exit {done.returncode}, {done.stdout.decode()}"
    for engine, digest in DIGESTS.items():
        text = hoist(options, "disasm", "--engine", engine, path).stdout
        records = b"".join(line + b"\n" for line in text.splitlines() if not line.startswith(b"#"))
        if hashlib.md5(records).hexdigest() != digest:
            yield f"disasm of {engine}: {records.decode()}"


def header_of(file):
    """All of it but what depends on the archive's bytes: data_size and hash."""
    return file[:16] + file[24:172] + file[204:1024]


def members_of(options, path, folder):
    done = hoist(options, "unpack", "--force", "-o", folder, path)
    assert done.returncode == 0, done.stderr
    return {str(f.relative_to(folder)): f.read_bytes() for f in sorted(folder.rglob("*")) if f.is_file() and f.name != "hoist-neff.json"}


def judge_pack(options, path, folder, same):
    members = members_of(options, path, folder / "first")
    packed = folder / "packed.neff"
    done = hoist(options, "pack", "-o", packed, folder / "first")
    if done.returncode:
        yield f"pack: exit {done.returncode}, {done.stderr.decode()}"
        return
    before, after = path.read_bytes(), packed.read_bytes()
    if same and before != after:
        yield "pack: other bytes"
    if header_of(before) != header_of(after):
        yield "pack: another header"
    if members_of(options, packed, folder / "second") != members:
        yield "pack: other members"
    if hoist(options, "unpack", "--list", "--verify", packed).returncode:
        yield "pack: a wrong hash"


def float32(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


def inputs(ranks):
    """Of many magnitudes, so that sums in another order have other bits."""
    numbers = random.Random(ranks)
    return [[float32(numbers.uniform(-1, 1) * 2.0 ** numbers.randint(-20, 20)) for _ in range(COUNT)] for _ in range(ranks)]


def total(columns):
    """A sum of two float32 in double precision, rounded once more, is their float32 sum."""
    return [list(itertools.accumulate(column, lambda a, b: float32(a + b)))[-1] for column in zip(*columns)]


def npy(values):
    text = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({len(values)},), }}".ljust(117) + "\n"
    return b"\x93NUMPY\1\0" + struct.pack("<H", len(text)) + text.encode() + struct.pack(f"<{len(values)}f", *values)


def run(options, path, folder, ranks, way):
    """How a run with these options differs from what is wanted."""
    words = ["run", "-q", "--ranks", str(ranks), "-o", folder / "out", *way]
    given = inputs(ranks)
    for rank, values in enumerate(given):
        (folder / f"x{rank}.npy").write_bytes(npy(values))
        words += ["-i", f"{f'rank{rank}/' if ranks > 1 else ''}input=@{folder}/x{rank}.npy"]
    done = hoist(options, *words, path)
    if done.returncode:
        yield f"run {ranks} {way}: exit {done.returncode}, {done.stderr.decode()}"
        return
    wanted = struct.pack(f"<{COUNT}f", *total(given))
    for rank in range(ranks):
        out = folder / "out" / (f"rank{rank}/output.npy" if ranks > 1 else "output.npy")
        if out.read_bytes()[-len(wanted):] != wanted:
            yield f"run {ranks} {way}: other bits in {out.name} of rank {rank}"


def ways(options):
    yield from WAYS
    if b"--schedule" in hoist(options, "run", "--help").stdout:
        yield from ((*way, f"--schedule={schedule}") for way in WAYS[:2] for schedule in SCHEDULES)


def judge_run(options, path, folder):
    for ranks, way in itertools.product(RANKS, ways(options)):
        with tempfile.TemporaryDirectory(dir=folder) as place:
            yield from run(options, path, pathlib.Path(place), ranks, way)


def judge(options, path, same):
    yield from judge_check(options, path)
    yield from judge_disasm(options, path)
    with tempfile.TemporaryDirectory() as folder:
        yield from judge_pack(options, path, pathlib.Path(folder), same)
        yield from judge_run(options, path, pathlib.Path(folder))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("hoist", type=lambda p: str(pathlib.Path(p).resolve()))
    options = parser.parse_args()
    folder = corpus()
    if not folder:
        print("skipped: the corpus is absent")
        return SKIPPED
    wrong = [f"{name}: {sentence}" for name, same in FILES.items() for sentence in judge(options, folder / name, same)]
    print("\n".join(wrong) or f"{len(FILES)} files, as they should be")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
