#!/usr/bin/python3
"""What a run costs from Python: an empty program's run by a session, with the same from C; least times of seven rounds.

python_bench.py HOIST: the command of a build, in which libhoist.so.0 and the program of python_peer.c are, too.
"""
import os
import pathlib
import subprocess
import sys
import time

ROUNDS, RUNS = 7, 20000
EMPTY = """program empty

thread main {
}

entry run {
    start main
}
"""


def once(call):
    begun = time.perf_counter()
    for _ in range(RUNS):
        call()
    return (time.perf_counter() - begun) / RUNS


def main():
    build = pathlib.Path(sys.argv[1]).resolve().parent.parent.parent
    os.environ["HOIST_LIBRARY"] = str(build / "libhoist.so.0")
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "python"))
    import hoist

    peer = float(subprocess.run([build / "bench/python_peer"], check=True, capture_output=True, text=True).stdout)
    with hoist.read_program(EMPTY).session(sequential=True) as session:
        ours = min(once(session.run) for _ in range(ROUNDS)) * 1e6
    print(f"an empty run: {ours:.2f} us from Python, {peer:.2f} us from C, {ours / peer:.1f} times (at most 20)")
    return ours > 20 * peer


if __name__ == "__main__":
    raise SystemExit(main())
