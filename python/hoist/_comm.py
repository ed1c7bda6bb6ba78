"""Ranks in processes of their own, which a launcher such as mpirun has started."""
import ctypes
import weakref
from typing import Optional

from . import _abi
from ._calls import Handle
from ._errors import error
from ._library import lib, name_of


def mpi_version() -> Optional[str]:
    """The MPI library that libhoist was built for, "Open MPI 4.1.4"; None: it was built without."""
    text: Optional[bytes] = lib.hoist_comm_mpi()
    return None if text is None else text.decode()


class Comm:
    """The processes of a job, a rank in each. Once in a process, under mpirun or another launcher.

    ``program.session(comm=comm)`` runs the rank of this process. ``module`` is the path of hoist-mpi.so, where it is
    not next to the library. ``with`` or :meth:`close` ends it, after its sessions, and waits for the other processes.
    Raises :class:`UnsupportedError` where there is no MPI.
    """

    def __init__(self, module: Optional[str] = None) -> None:
        pointer, why = ctypes.c_void_p(), ctypes.c_char_p()
        status = lib.hoist_comm_open_mpi(lib.hoist_allocator_system(), name_of(module), why, pointer)
        if status:
            raise error(status, f"starting MPI ({(why.value or b'').decode()})")
        self._handle = Handle(pointer, lib.hoist_comm_close, "communication", exclusive=False)
        self._sessions: "weakref.WeakSet[Handle]" = weakref.WeakSet()

    @property
    def rank(self) -> int:
        """Number of this process, from 0 on."""
        with self._handle as comm:
            return int(lib.hoist_comm_rank(comm))

    @property
    def count(self) -> int:
        """Number of processes."""
        with self._handle as comm:
            return int(lib.hoist_comm_count(comm))

    def agree(self, mine: int, timeout: Optional[float] = None) -> "list[Optional[int]]":
        """Gives a number (0 to 2^64 - 1) to all others and returns the one of each rank; None of those that did not
        come within ``timeout`` seconds or have ended."""
        count = self.count
        values, there = (ctypes.c_uint64 * count)(), (ctypes.c_bool * count)()
        with self._handle as comm:
            status = lib.hoist_comm_agree(comm, mine, -1.0 if timeout is None else max(timeout, 0.0), values, there)
        if status not in (_abi.hoist_status.OK, _abi.hoist_status.LIMIT):
            raise error(status, "talking to the other ranks")
        return [value if came else None for value, came in zip(values, there)]

    def is_alive(self, rank: int) -> bool:
        """Whether the process of a rank is not known to have ended."""
        if not 0 <= rank < self.count:
            raise ValueError(f"rank: {rank}, expected 0 to {self.count - 1}")
        with self._handle as comm:
            return bool(lib.hoist_comm_is_alive(comm, rank))

    def abort(self, code: int = 1) -> None:
        """Ends the processes of all ranks, this one as well, with an exit code."""
        with self._handle as comm:
            lib.hoist_comm_abort(comm, code)

    def close(self) -> None:
        """Ends the communication, when the other processes do. ValueError while a session of it is open."""
        if any(not session.closed for session in self._sessions):
            raise ValueError("a session of the communication is open")
        self._handle.close()

    def __enter__(self) -> "Comm":
        return self

    def __exit__(self, *unused: object) -> None:
        self.close()
