"""Random sequences of calls from four threads: every call gives its result or one of our exceptions, whatever was
closed meanwhile, and nothing grows.

HOIST_TEST_CALLS   how many calls; 4,000 by default
"""
import os
import random
import threading

from support import CLASSIFIER, LAYERS, NETLIST, Case, main, np

import hoist

CALLS = int(os.environ.get("HOIST_TEST_CALLS", "4000"))
EXPECTED = (hoist.HoistError, ValueError)
IMAGE = np.zeros((1, 8, 8, 3), np.int8)


class Shared:
    """Objects that all threads use, close and open anew."""

    def __init__(self):
        self.jobs = [hoist.open(path) for path in (CLASSIFIER, LAYERS, NETLIST)]
        self.programs = [job.lower() for job in self.jobs]
        self.sessions = [program.session(sequential=True) for program in self.programs]
        self.arrays = []


def step(shared, dice):
    """One random call."""
    index = dice.randrange(3)
    job, program, session = shared.jobs[index], shared.programs[index], shared.sessions[index]
    other = shared.jobs[dice.randrange(3)]

    def reopen():
        shared.jobs[index] = hoist.open(job.name)

    def renew():
        shared.sessions[index] = program.session(threads=dice.choice((1, 2)))

    def array():
        shared.arrays = list(job.arrays().values()) or shared.arrays
        return [int(item.reshape(-1)[-1]) for item in shared.arrays if item.size]

    dice.choice((
        job.check, job.info, job.arrays, job.graph, job.lower, job.close, reopen, reopen, lambda: job.diff(other),
        lambda: job.lower(timeout=0), renew, renew, session.close, session.cancel, session.counts, session.report,
        lambda: session.run({"input": IMAGE}, timeout=0.2), lambda: session.pop("y", timeout=0),
        lambda: session.push("x", np.zeros((1, 128, 128), np.float32), timeout=0), lambda: session.read("softmax"),
        lambda: session.write("input", IMAGE), lambda: session.available("y"), lambda: session.wait(0),
        lambda: program.missing([]), program.text, array, lambda: job.layers, lambda: job.write()))()


class Random(Case):
    def test_calls(self):
        shared, failures = Shared(), []

        def work(seed):
            dice = random.Random(seed)
            for number in range(CALLS // 4):
                try:
                    step(shared, dice)
                except EXPECTED:
                    pass
                except BaseException as problem:
                    failures.append((seed, number, repr(problem)))
                    return

        threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual([], failures)

    def test_nothing_grows(self):
        program = hoist.open(CLASSIFIER).lower()

        def many(count):
            for _ in range(count):
                with program.session(sequential=True) as session:
                    session.run({"input": IMAGE})
            with open("/proc/self/statm", encoding="ascii") as file:
                return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

        before = many(CALLS // 8)
        self.assertLess(many(CALLS // 4) - before, 8 << 20)


if __name__ == "__main__":
    main()
