#!/usr/bin/python3
"""What a run costs from Python: an empty program's run and wait by a session's methods, and by the C functions alone
through ctypes; least times of seven rounds, by turns.

PYTHONPATH=python HOIST_LIBRARY=LIBRARY python_bench.py
"""
import time

import hoist
from hoist._library import lib

ROUNDS, RUNS = 7, 2000
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
    session = hoist.read_program(EMPTY).session(sequential=True)

    def methods():
        session.begin("run")
        session.wait()

    with session._handle.use() as pointer:
        def functions():
            lib.hoist_session_run(pointer, b"run", None, 0)
            lib.hoist_session_wait_idle(pointer, -1.0)

        times = [(once(methods), once(functions)) for _ in range(ROUNDS)]
    ours, peer = (min(column) for column in zip(*times))
    print(f"an empty run: {ours * 1e6:.1f} us by methods, {peer * 1e6:.1f} us by the C functions, {ours / peer:.2f} times")
    return ours > 20 * peer


if __name__ == "__main__":
    raise SystemExit(main())
