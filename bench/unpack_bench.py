#!/usr/bin/env python3
"""unpack_bench.py HOIST [PACKED_MB [RAW_MB]]: `hoist unpack` against tar and sha256sum.

Both sides run alternately on one CPU, on files in memory where there is room; medians of their CPU
time are compared, since tar has gzip work beside it. A packed NEFF holds constants that hardly
compress and text that does; a raw one is listed, with and without its hash. Exits with 1 when a
wanted ratio is missed.
"""
import gzip
import hashlib
import os
import pathlib
import random
import resource
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile

MB = 1_000_000
ROUNDS = 5
# Upper bytes of bfloat16 weights: few values, so that they compress by a third.
EXPONENTS = bytes(0x3C + (byte % 5 if byte % 3 else byte & 1) | (byte & 0x80) for byte in range(256))
# name, wanted of the ratio hoist : peer, and whether it must be at most that
UNPACK, VERIFY, LIST = ("unpack", 1.0), ("list with the hash", 1.2), ("list", 0.02)


def weights(size, numbers):
    data = bytearray(size)
    data[0::2] = numbers.randbytes(size // 2)
    data[1::2] = numbers.randbytes(size // 2).translate(EXPONENTS)
    return bytes(data)


def blocks(size):
    """Text as engines have it."""
    line = '{{"id": {0}, "queue": "q{1}", "desc": [{{"from": "w{1}", "from_off": {2}, "from_sizes": [512, 128], "from_steps": [1, 2048]}}]}},\n'
    text = "".join(line.format(i, i % 16, i * 65536) for i in range(10_000)).encode()
    return (text * (size // len(text) + 1))[:size]


def member(name, data):
    fields = [name.encode().ljust(100, b"\0"), b"0000644\0" + b"0000000\0" * 2, f"{len(data):011o}\0".encode(), b"0" * 11 + b"\0", b" " * 8,
              b"0".ljust(101, b"\0"), b"ustar\x0000".ljust(247, b"\0")]
    head = b"".join(fields).ljust(512, b"\0")
    return head[:148] + f"{sum(head):06o}\0 ".encode() + head[156:] + data + bytes(-len(data) % 512)


def archive(megabytes):
    """A quarter of text in one member, the rest weights of 8 MB each."""
    numbers = random.Random(4)
    text = member("neff.json", b"{}") + member("sg00/sp.json", blocks(megabytes * MB // 4))
    return text + b"".join(member(f"sg00/w{i}.bin", weights(8 * MB, numbers)) for i in range(megabytes * 3 // 32)) + bytes(1024)


def write_neff(path, payload, pkg):
    digest = hashlib.md5(payload).digest() if pkg == 2 else hashlib.sha256(payload).digest()
    head = struct.pack("<5Q", pkg, 1024, len(payload), 1, 0) + b"0".ljust(128, b"\0") + struct.pack("<I", 1) + digest.ljust(32, b"\0")
    path.write_bytes((head + bytes(6) + b"\x40\0\x80" + bytes(7) + b"x".ljust(256, b"\0") + struct.pack("<I", 1) + bytes(72) + struct.pack("<I", 1)).ljust(1024, b"\0") + payload)


def seconds(line, folder):
    """CPU time of a command line, that of all its processes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(["bash", "-c", f"set -o pipefail; {line}"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    shutil.rmtree(folder / "out", ignore_errors=True)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def compare(folder, ours, peers):
    """Medians of both."""
    times = [(seconds(ours, folder), seconds(peers, folder)) for _ in range(ROUNDS)]
    return statistics.median(t[0] for t in times), statistics.median(t[1] for t in times)


def judge_unpack(hoist, folder, megabytes):
    payload = gzip.compress(archive(megabytes), 1, mtime=0)
    write_neff(folder / "packed.neff", payload, 2)
    ours, peers = compare(folder, f"'{hoist}' unpack -o out packed.neff", "mkdir out && tail -c +1025 packed.neff | tar xzf - -C out")
    name, want = UNPACK
    print(f"{name} of {megabytes} MB packed to {len(payload) // MB} MB vs tar xzf: {peers / ours:.2f}x (want >= {want:g}); {ours:.2f} s against {peers:.2f} s", flush=True)
    (folder / "packed.neff").unlink()
    return peers / ours >= want


def judge_list(hoist, folder, megabytes):
    payload = archive(megabytes)
    write_neff(folder / "raw.neff", payload, 1)
    (folder / "payload").write_bytes(payload)
    good = True
    for (name, want), options in ((VERIFY, "--list --verify"), (LIST, "--list")):
        ours, peers = compare(folder, f"'{hoist}' unpack {options} raw.neff", "sha256sum payload")
        print(f"{name} of {megabytes} MB raw vs sha256sum: {ours / peers:.3f} of its time (want <= {want:g}); {ours * 1e3:.1f} ms against {peers * 1e3:.1f} ms", flush=True)
        good = good and ours / peers <= want
    return good


def main():
    hoist = pathlib.Path(sys.argv[1]).resolve()
    packed, raw = int(sys.argv[2]) if len(sys.argv) > 2 else 200, int(sys.argv[3]) if len(sys.argv) > 3 else 500
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    room = os.path.isdir("/dev/shm") and shutil.disk_usage("/dev/shm").free > 4 * max(packed, raw) * MB
    with tempfile.TemporaryDirectory(dir="/dev/shm" if room else None) as place:
        results = [judge_unpack(hoist, pathlib.Path(place), packed), judge_list(hoist, pathlib.Path(place), raw)]
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
