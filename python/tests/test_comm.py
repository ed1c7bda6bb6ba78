"""A program of two ranks in two processes under mpirun, and the same in one."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from support import EXAMPLES, HOIST, Case, main, np

import hoist

MODULE = pathlib.Path(HOIST).with_name("hoist-mpi.so")
PROGRAM = EXAMPLES / "programs/ark_ranks.hoist"


def inputs():
    """Of both ranks: bytes, as the program says of its buffers only how large they are."""
    numbers = np.random.default_rng(1).normal(size=(2, 32)).astype(np.float32)
    return {f"x{rank}": row.view(np.uint8) for rank, row in enumerate(numbers)}


def one_rank(folder):
    """What a process does under mpirun."""
    with hoist.Comm(str(MODULE)) as comm:
        rank = comm.rank
        assert comm.agree(10 + rank) == [10, 11] and comm.is_alive(1 - rank)
        with hoist.read_program(PROGRAM.read_text()).session(comm=comm) as session:
            try:
                comm.close()
                raise AssertionError("closed under a session")
            except ValueError:
                pass
            outputs = session.run(inputs(), outputs=[f"x{rank}", f"received{rank}"])
        np.savez(f"{folder}/{rank}.npz", **outputs)
    for _ in range(2):
        try:
            hoist.Comm(str(MODULE))
            raise AssertionError("MPI was started twice")
        except hoist.UnsupportedError as problem:
            assert "before" in str(problem)


class Ranks(Case):
    def test_without_a_launcher(self):
        self.assertIsInstance(hoist.mpi_version(), (str, type(None)))
        with self.assertRaises(hoist.HoistError):
            hoist.Comm("no such module")

    @unittest.skipUnless(shutil.which("mpirun") and MODULE.exists(), "skipped: there is no mpirun, or no module of MPI")
    def test_two_processes(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(
                ["mpirun", "--oversubscribe", "--quiet", "-n", "2", sys.executable, os.path.abspath(__file__), folder],
                capture_output=True, text=True, check=False, timeout=120,
                env={**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"})
            self.assertEqual(0, done.returncode, done.stdout + done.stderr)
            with hoist.read_program(PROGRAM.read_text()).session() as session:
                expected = session.run(inputs(), outputs=["x0", "x1", "received0", "received1"])
            for rank in range(2):
                for name, array in np.load(f"{folder}/{rank}.npz").items():
                    np.testing.assert_array_equal(array, expected.pop(name))
            self.assertEqual({}, expected)


if __name__ == "__main__":
    if len(sys.argv) == 2 and os.path.isdir(sys.argv[1]):
        one_rank(sys.argv[1])
    else:
        main()
