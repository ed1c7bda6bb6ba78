#!/usr/bin/env python3
"""`hoist scan` over a large tree: memory, time of a second scan, and scans that are killed.

scan_tree.py HOIST [--files N] [--kills N] [--seed N]

Makes a tree of N files (one in ten of a format of hoist, in folders of a compile cache, some in
archives, the others source texts, images and noise) with a few links, FIFOs and names of odd bytes. Then:

- a first scan takes less than 256 MB (the largest resident set);
- a second one finds every file known, and takes at most a twentieth of the time;
- a scan that is killed with SIGKILL at random moments, and begun again, ends with the same rows;
- -j 4, and two shards that are merged, end with the same rows, too;
- files that are gone are removed.
"""
import argparse
import os
import pathlib
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
problems = []


def expect(holds, text):
    print(("  " if holds else "FAILED: ") + text, flush=True)
    if not holds:
        problems.append(text)


def samples():
    paths = [*ROOT.glob("examples/tflite/*.tflite"), *ROOT.glob("examples/buda/*.yaml"), *ROOT.glob("examples/ark/*.json"),
             *ROOT.glob("examples/programs/*.hoist"), ROOT / "fuzz/corpus/all_neff_fuzz/all_reduce"]
    return [path.read_bytes() for path in paths]


def make_tree(root, count, chance):
    models = samples()
    folder = None
    for i in range(count):
        if i % 250 == 0:
            name = f"MODULE_{i:08d}+x" if i % 1000 == 0 else f"part{i:08d}"
            folder = root / f"zoo{i // 25000}" / name
            folder.mkdir(parents=True)
        if i % 10 == 0:
            (folder / f"f{i}.bin").write_bytes(chance.choice(models))
        elif i % 10 == 1:
            (folder / f"f{i}.png").write_bytes(b"\x89PNG\r\n\x1a\n" + chance.randbytes(200))
        else:
            (folder / f"f{i}.c").write_text(f"int f{i}(void) {{ return {i}; }}\n", encoding="utf-8")
    for i in range(20):
        packed = root / f"packed{i}"
        packed.mkdir()
        for k in range(5):
            (packed / f"m{k}").write_bytes(chance.choice(models))
        shutil.make_archive(str(root / f"archive{i}"), "gztar" if i % 2 else "tar", packed)
        shutil.rmtree(packed)
    (root / "link").symlink_to(root)
    os.mkfifo(root / "fifo")
    (pathlib.Path(os.fsdecode(os.fsencode(root) + b"/odd\xff\x1b[31m\nname"))).write_bytes(models[0])


def scan(hoist, db, *rest):
    return [hoist, "scan", "--db", str(db), "-q", *map(str, rest)]


def rows(db):
    with sqlite3.connect(db) as connection:
        return [list(connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2, 3")) for table in ("files", "entries", "tokens")]


def timed(command):
    start = time.monotonic()
    process = subprocess.Popen(command)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    expect(process.returncode == 0, f"exit {process.returncode} of {command[4:]}")
    return time.monotonic() - start, usage.ru_maxrss / 1024


def kill_and_resume(hoist, tree, db, kills, first, chance):
    killed = 0
    while killed < kills:
        process = subprocess.Popen(scan(hoist, db, tree))
        try:
            process.wait(timeout=chance.uniform(0, first / 2))
            db.unlink()  # it was complete: once more from the beginning
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
            killed += 1
    subprocess.run(scan(hoist, db, tree), check=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("hoist")
    parser.add_argument("--files", type=int, default=100000)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    hoist = os.path.abspath(options.hoist)
    if "libsqlite3" in subprocess.run([hoist, "scan", "/dev/null"], check=False, capture_output=True, text=True).stderr:
        print("skipped: scanning needs libsqlite3")
        return 77
    chance = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        tree = folder / "tree"
        tree.mkdir()
        make_tree(tree, options.files, chance)
        first, peak = timed(scan(hoist, folder / "a.db", tree))
        large = options.files >= 20000  # in small trees a process is all there is; sanitizers make it larger
        expect(peak < 256 or not large, f"{options.files} files: {first:.2f} s, {peak:.0f} MB at most")
        reference = rows(folder / "a.db")
        expect(len(reference[0]) == options.files + 21, f"{len(reference[0])} files, {len(reference[1])} entries")
        second = min(timed(scan(hoist, folder / "a.db", tree))[0] for _ in range(2))
        expect(second * 20 <= first or not large, f"the second time {second:.3f} s, {first / second:.0f} times faster")
        expect(rows(folder / "a.db") == reference, "the second scan has the same rows")
        kill_and_resume(hoist, tree, folder / "b.db", options.kills, first, chance)
        expect(rows(folder / "b.db") == reference, f"killed {options.kills} times: the same rows")
        timed(scan(hoist, folder / "c.db", tree, "-j", 4))
        expect(rows(folder / "c.db") == reference, "-j 4: the same rows")
        shutil.rmtree(tree / "zoo0")
        timed(scan(hoist, folder / "c.db", tree))
        timed(scan(hoist, folder / "e.db", tree))
        expect(rows(folder / "c.db") == rows(folder / "e.db") != reference, "files that are gone are removed")
        reference = rows(folder / "e.db")
        for i in (1, 2):
            timed(scan(hoist, folder / f"shard{i}.db", tree, "--shard", f"{i}/2"))
        expect(rows(folder / "shard1.db") != reference, "a shard has not all rows")
        timed(scan(hoist, folder / "d.db", "--merge", folder / "shard1.db", "--merge", folder / "shard2.db"))
        expect(rows(folder / "d.db") == reference, "two shards, merged: the same rows")
    return 1 if problems else 0


sys.exit(main())
