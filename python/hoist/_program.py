"""Programs, and sessions that run them with numpy arrays."""
import contextlib
import ctypes
import functools
import threading
import time
from dataclasses import dataclass
from typing import Any, Callable, Mapping, Optional, Union

import numpy as np

from . import _abi
from ._calls import (Deadline, Handle, NUMPY, Progress, choice, dtype_name, elements_of, fields, interruptible, options,
                     room_of)
from ._comm import Comm
from ._errors import Diag, Finding, NotFoundError
from ._library import bytes_of, lib, name_of, text_of
from ._tree import Tree

# As numbers: a run compares them, and comparing with members of enums takes longer than an empty run.
_BUSY, _LIMIT, _NOT_FOUND = (int(_abi.hoist_status[name]) for name in ("BUSY", "LIMIT", "NOT_FOUND"))
# A call of C that waits returns after so many seconds, since Python handles signals between calls only.
_SLICE = 0.05
_CODES = {np.dtype(kind): code for code, kind in NUMPY.items()}


@dataclass(frozen=True)
class Port:
    """A tensor, or a queue of tensors, that a caller gives or gets by name.

    ``shape`` is that of one entry, in elements; ``numpy`` the type of the arrays that sessions take and give, which
    is float32 where NumPy lacks the type ``dtype`` (hoist's own name for it, "bf16").
    """
    name: str
    input: bool
    output: bool
    queue: bool
    ram: bool
    slots: int
    dtype: str
    numpy: "np.dtype[Any]"
    shape: "tuple[int, ...]"
    required: bool
    result: bool
    note: str
    rank: int


def read_program(text: Union[str, bytes], *, name: str = "-", timeout: Optional[float] = None) -> "Program":
    """A program from its text form (docs/formats/program.md)."""
    data = np.frombuffer(text.encode() if isinstance(text, str) else text, np.uint8)
    deadline = Deadline(timeout)
    choices = options(_abi.hoist_program_read_options, name=name_of(name), deadline=deadline.handle)
    pointer = ctypes.c_void_p()
    with Diag() as diag:
        diag.check(interruptible(deadline.cancel, lambda: lib.hoist_program_read(
            elements_of(data), choices, diag.handle, pointer)), f"reading {name}")
    return Program(pointer)


def fast_products() -> Optional[str]:
    """The instructions of this CPU by which ``lower(numerics="fast")`` multiplies matrices of bfloat16, "AVX512-BF16";
    None: it has none that are faster, and the results are those of the reference."""
    text: Optional[bytes] = lib.hoist_fast_products()
    return None if text is None else text.decode()


class Program:
    """What a job is lowered to. It never changes; any thread may use it. It is freed with its last session."""

    def __init__(self, pointer: Any) -> None:
        self._handle = Handle(pointer, lib.hoist_program_destroy, "program", exclusive=False)
        self.ports = [_port(lib.hoist_program_port(pointer, index))
                      for index in range(lib.hoist_program_port_count(pointer))]
        self._by_name = {port.name: port for port in self.ports}
        self._entries = [text_of(lib.hoist_program_entry_name(pointer, index))
                         for index in range(lib.hoist_program_entry_count(pointer))]
        # As C takes them; None is the one entry, where there is one.
        self._encoded: "dict[Optional[str], Optional[bytes]]" = {name: name_of(name) for name in self._entries}
        if len(self._entries) == 1:
            self._encoded[None] = name_of(self._entries[0])
        self._outputs = [port for port in self.ports if port.result]

    @property
    def entries(self) -> "list[str]":
        """Names of what can be run."""
        return list(self._entries)

    def parameters(self, entry: str) -> "list[str]":
        """Names of the parameters of an entry, for each of which a run needs a value."""
        with self._handle as program:
            index = self._entries.index(entry)
            return [text_of(lib.hoist_program_parameter_name(program, index, number))
                    for number in range(lib.hoist_program_parameter_count(program, index))]

    @property
    def inputs(self) -> "list[Port]":
        """The ports that a caller has to fill."""
        return [port for port in self.ports if port.required]

    @property
    def outputs(self) -> "list[Port]":
        """The ports that a caller who names none expects."""
        return list(self._outputs)

    def port(self, name: str) -> Port:
        """The port of a name; KeyError where there is none."""
        return self._by_name[name]

    def missing(self, given: "list[str]") -> "list[str]":
        """Names of the ports that must still be filled when those of ``given`` are."""
        count = len(self.ports)
        have, lack = (ctypes.c_bool * count)(), (ctypes.c_bool * count)()
        for index, port in enumerate(self.ports):
            have[index] = port.name in given
        with self._handle as program, Diag() as diag:
            diag.check(lib.hoist_program_missing(program, have, lack), "looking for missing inputs")
        return [port.name for port, absent in zip(self.ports, lack) if absent]

    def text(self) -> str:
        """The text form, which :func:`read_program` reads."""
        out = _abi.hoist_mut_bytes()
        with self._handle as program, Diag() as diag:
            diag.check(lib.hoist_program_write(program, out), "writing a program")
            result = bytes_of(out).decode("utf-8", "surrogateescape")
            lib.hoist_program_free_text(program, out)
        return result

    def plan(self, *, fusion: bool = True, timeout: Optional[float] = None) -> "dict[str, Any]":
        """Memory, groups of steps and places of buffers, as ``hoist dump --plan --json`` has them."""
        tree, deadline = Tree(), Deadline(timeout)
        choices = options(_abi.hoist_program_plan_options, no_fusion=not fusion, deadline=deadline.handle)
        with self._handle as program, Diag() as diag:
            diag.check(interruptible(deadline.cancel, lambda: lib.hoist_program_plan(
                program, choices, diag.handle, tree.sink)), "planning")
        return tree.root

    def session(self, *, threads: int = 0, sequential: bool = False, max_memory: int = 0, max_steps: int = 0,
                seed: Optional[int] = None, fusion: bool = True, on_undefined: str = "stop",
                comm: Optional[Comm] = None) -> "Session":
        """Opens a session. ``threads`` 0: one for each core; ``max_memory`` in bytes and ``max_steps`` of one run,
        0: no limit; ``seed`` chooses a random order of steps, which changes no result of a program without races;
        ``on_undefined`` "nan": where the format's reference stops, go on with the value of IEEE 754. With ``comm`` it
        runs the rank of this process: every process fills the inputs of all, and reads the outputs of its own."""
        choices = options(
            _abi.hoist_session_options, threads=threads, sequential=sequential, max_memory=max_memory,
            max_steps=max_steps, no_fusion=not fusion, seed=seed or 0,
            on_undefined=choice("on_undefined", on_undefined, {"stop": 0, "nan": 1}),
            schedule=_abi.hoist_run_schedule.AS_IT_COMES if seed is None else _abi.hoist_run_schedule.RANDOM)
        if comm is None:
            return Session(self, choices)
        with comm._handle as processes:
            choices.comm = processes
            session = Session(self, choices, comm._handle)
            comm._sessions.add(session._handle)
        return session


class Session:
    """A program with its data and state. Any thread may push, pop, run and read; ``with`` or :meth:`close` ends it.

    Arrays that are given are taken without a copy where they are contiguous and of the port's type or float32; those
    that are returned were filled by the library in place.
    """

    def __init__(self, program: Program, choices: Any, keep: Any = None) -> None:
        self.program = program
        self._has_begun = False  # a run, of which nobody has seen the end
        pointer = ctypes.c_void_p()
        with program._handle as source, Diag() as diag:
            diag.check(lib.hoist_session_open(source, choices, diag.handle, pointer), "opening a session")
        self._handle = Handle(pointer, lib.hoist_session_close, "session", exclusive=False,
                              keep=(program._handle, choices, keep))

    def close(self) -> None:
        """Cancels what runs and frees the session. Twice is once."""
        self._handle.close(lib.hoist_session_cancel)

    def __enter__(self) -> "Session":
        return self

    def __exit__(self, *unused: Any) -> None:
        self.close()

    def run(self, inputs: "Optional[Mapping[str, Any]]" = None, *, entry: Optional[str] = None,
            outputs: "Optional[list[str]]" = None, timeout: Optional[float] = None,
            progress: "Optional[Progress]" = None, **parameters: int) -> "dict[str, np.ndarray[Any, Any]]":
        """Fills inputs, runs an entry and returns its outputs by name.

        Of a queue several entries are one array with a dimension more in front; they are pushed while it runs, and
        outputs of queues have all entries that it made. ``entry`` may be left out where there is one; ``parameters``
        are those of :meth:`Program.parameters`, without the dollar sign. ``progress`` is called about 20 times a second
        while it runs, and at its end, with :meth:`counts`; what it raises cancels the run, as Ctrl-C does, and the
        session can only be closed then.

        Raises ValueError for arrays of a wrong type or shape, :class:`NotFoundError` where an input is missing,
        :class:`LimitError` after ``timeout`` seconds, :class:`InvalidError` where the program stopped.

        >>> import hoist
        >>> with hoist.open("examples/tflite/classifier.tflite").session() as session:
        ...     session.run({"input": np.zeros((1, 8, 8, 3), np.int8)})["softmax"].shape
        (1, 10)
        """
        end = _end_of(timeout)
        queues: "dict[str, np.ndarray[Any, Any]]" = {}
        for name, value in (inputs or {}).items():
            port = self._port(name)
            if port.queue:
                queues[name] = _entries(port, value)
            elif port.ram:
                for slot, item in enumerate(_entries(port, value)):
                    self.write(name, item, slot)
            else:
                self.write(name, value)
        asked = [self._port(name) for name in outputs] if outputs is not None else self.program._outputs
        taken: "dict[str, list[np.ndarray[Any, Any]]]" = {port.name: [] for port in asked if port.queue}
        if queues or taken:
            self._drive(entry, parameters, queues, taken, end, progress)
        else:
            with self._handle as session:
                self._begin(session, entry, parameters, end)
                self._wait_idle(session, end, progress)
        result: "dict[str, np.ndarray[Any, Any]]" = {}
        for port in asked:
            if port.queue:
                result[port.name] = np.stack(taken[port.name]) if taken[port.name] else _empty(port, 0)
            else:
                result[port.name] = self._slots(port) if port.ram else self.read(port.name)
        return result

    def _drive(self, entry: Optional[str], parameters: "dict[str, int]", queues: "dict[str, np.ndarray[Any, Any]]",
               taken: "dict[str, list[np.ndarray[Any, Any]]]", end: Optional[float],
               progress: "Optional[Progress]") -> None:
        """Runs an entry while threads push entries of queues and pop those of others."""
        failures: "list[BaseException]" = []
        over = threading.Event()

        def guard(call: Callable[[], Any]) -> Callable[[], None]:
            def make() -> None:
                try:
                    call()
                except BaseException as problem:  # raised again below, in the caller's thread
                    failures.append(problem)
                    with contextlib.suppress(ValueError):  # the session was closed meanwhile
                        self.cancel()
            return make

        def push(name: str) -> None:
            for item in queues[name]:
                while not over.is_set():
                    if self.push(name, item, timeout=0.05):
                        break
            self.end_input(name)

        def pop(name: str) -> None:
            while True:
                last = over.is_set()
                item = self.pop(name, timeout=0.0 if last else 0.05)
                if item is not None:
                    taken[name].append(item)
                elif last:
                    return

        for name, items in queues.items():
            if not len(items):
                self.end_input(name)
        workers = [threading.Thread(target=guard(functools.partial(push, name)), daemon=True) for name in queues]
        workers += [threading.Thread(target=guard(functools.partial(pop, name)), daemon=True) for name in taken]
        for worker in workers:
            worker.start()
        try:
            with self._handle as session:
                self._begin(session, entry, parameters, end)
                self._wait_idle(session, end, progress)
        finally:
            over.set()
            for worker in workers:
                worker.join()
        if failures:
            raise failures[0]

    def begin(self, entry: Optional[str] = None, **parameters: int) -> None:
        """Begins a run of an entry, after the end of one that is going on, and returns."""
        with self._handle as session:
            self._begin(session, entry, parameters, None)

    def _begin(self, session: Any, entry: Optional[str], parameters: "dict[str, int]", end: Optional[float]) -> None:
        name = self.program._encoded.get(entry)
        if name is None:
            if entry is None:
                raise ValueError(f"entry: expected one of {', '.join(self.program.entries)}")
            name = name_of(entry)  # the library reports that there is none
        values = None
        if parameters:
            values = (_abi.hoist_parameter * len(parameters))()
            for row, (key, value) in zip(values, parameters.items()):
                row.name, row.value = name_of(key), value
        while self._has_begun and lib.hoist_session_wait_idle(session, 0.0) == _BUSY:
            left = _left_of(end)  # the run before
            if left <= 0.0:
                self._fail("running", _LIMIT, session)
            lib.hoist_session_wait_idle(session, left)
        self._has_begun = True
        status = lib.hoist_session_run(session, name, values, len(parameters))
        if status:
            self._fail("running", status, session)

    def wait(self, timeout: Optional[float] = None, *, progress: "Optional[Progress]" = None) -> None:
        """Waits until nothing runs, at most ``timeout`` seconds; raises what the run ended with. Ctrl-C cancels it.
        ``progress`` as of :meth:`run`."""
        with self._handle as session:
            self._wait_idle(session, _end_of(timeout), progress)

    def _wait_idle(self, session: Any, end: Optional[float], progress: "Optional[Progress]") -> None:
        try:
            while True:
                left = _left_of(end)
                status = lib.hoist_session_wait_idle(session, left)
                if status == _LIMIT:  # of this call, or of the run: asked at once, it is the run's
                    status = lib.hoist_session_wait_idle(session, 0.0)
                runs = self._has_begun = status == _BUSY
                if progress:
                    progress(self.counts())
                if not runs or left < _SLICE:
                    break
        except BaseException:  # KeyboardInterrupt, mostly
            lib.hoist_session_cancel(session)
            raise
        if status:
            self._fail("running", _LIMIT if runs else status, session)

    def cancel(self) -> None:
        """Cancels the run that is going on, and all later calls. Any thread, at any time."""
        with self._handle as session:
            lib.hoist_session_cancel(session)

    def end_input(self, name: str) -> None:
        """Declares that no further entries of a queue will be pushed."""
        with self._handle as session:
            lib.hoist_session_end_input(session, name_of(name))

    def push(self, name: str, value: Any, *, timeout: Optional[float] = None) -> bool:
        """Pushes one entry to a queue; False when it was full for ``timeout`` seconds."""
        port = self._port(name)
        array = _fit(port, value)
        return self._wait("pushing to", name, lambda session, seconds: lib.hoist_session_push(
            session, name_of(name), _CODES[array.dtype], elements_of(array), seconds), timeout)

    def pop(self, name: str, *, timeout: Optional[float] = None) -> "Optional[np.ndarray[Any, Any]]":
        """The oldest entry of a queue; None when it was empty for ``timeout`` seconds."""
        port = self._port(name)
        array = np.empty(port.shape, port.numpy)
        return array if self._wait("popping from", name, lambda session, seconds: lib.hoist_session_pop(
            session, name_of(name), _CODES[array.dtype], room_of(array), seconds), timeout) else None

    def write(self, name: str, value: Any, slot: int = 0) -> None:
        """Writes a buffer, a view, or a slot of a ram."""
        array = _fit(self._port(name), value)
        self._do(f"writing {name}", lambda session: lib.hoist_session_write(
            session, name_of(name), slot, _CODES[array.dtype], elements_of(array)))

    def read(self, name: str, slot: int = 0, *, out: "Optional[np.ndarray[Any, Any]]" = None
             ) -> "np.ndarray[Any, Any]":
        """Reads a buffer, a view, or a slot of a ram or queue, into ``out`` where it is given."""
        port = self._port(name)
        array = np.empty(port.shape, port.numpy) if out is None else out
        if array.shape != port.shape or array.dtype not in (port.numpy, np.dtype("<f4")) or \
                not array.flags.c_contiguous or not array.flags.writeable:
            raise ValueError(f"out: expected a writable array of {port.numpy} {port.shape} in C order")
        self._do(f"reading {name}", lambda session: lib.hoist_session_read(
            session, name_of(name), slot, _CODES[array.dtype], room_of(array)))
        return array

    def available(self, name: str) -> int:
        """Entries that a pop could take now; of a ram slots that were ever written."""
        with self._handle as session:
            return int(lib.hoist_session_available(session, name_of(name)))

    def unknown(self, name: str, slot: int = 0) -> int:
        """Bytes of what :meth:`read` gives that come from instructions which were not executed."""
        count = ctypes.c_uint64()
        self._do(f"reading {name}", lambda session: lib.hoist_session_unknown(session, name_of(name), slot, count))
        return count.value

    def counts(self) -> "dict[str, Any]":
        """Steps, bytes and seconds since the session was opened."""
        row = options(_abi.hoist_session_counts)
        with self._handle as session:
            lib.hoist_session_count(session, row)
        return fields(row)

    def profile_begin(self) -> None:
        """Begins to measure where the time of runs goes, from zero."""
        self._do("profiling", lib.hoist_session_profile_begin)

    def profile_end(self) -> None:
        """Ends it; its rows stay."""
        with self._handle as session:
            lib.hoist_session_profile_end(session)

    def profile(self) -> "list[dict[str, Any]]":
        """The rows of the profile: kind, name, calls, seconds, bytes, flops."""
        rows = []
        with self._handle as session:
            for index in range(lib.hoist_session_profile_count(session)):
                row = options(_abi.hoist_profile_row)
                lib.hoist_session_profile_at(session, index, row)
                rows.append({**fields(row), "kind": _abi.hoist_profiled(row.kind).name.lower()})
        return rows

    def timeline_begin(self, most: int = 0) -> None:
        """Begins a profile that keeps what was done when, too, at most ``most`` events (0: a million)."""
        self._do("profiling", lambda session: lib.hoist_session_timeline_begin(session, most))

    def timeline(self) -> "list[dict[str, Any]]":
        """Its events so far, in the order of their ends; "row" and "owner" are numbers of rows of the profile."""
        events = []
        with self._handle as session:
            for index in range(lib.hoist_session_timeline_count(session, None)):
                event = options(_abi.hoist_timeline_event)
                lib.hoist_session_timeline_at(session, index, event)
                events.append(fields(event))
        return events

    def report(self) -> "list[Finding]":
        """The findings of the session so far; each is given once."""
        with self._handle as session, Diag() as diag:
            lib.hoist_session_report(session, diag.handle)
            return diag.take()

    def _port(self, name: str) -> Port:
        try:
            return self.program.port(name)
        except KeyError:
            known = ", ".join(port.name for port in self.program.ports[:10])
            raise NotFoundError(_NOT_FOUND, f"there is no port '{name}' among {known}", []) from None

    def _do(self, doing: str, call: Callable[[Any], Any]) -> None:
        """Makes a call that does not wait."""
        with self._handle as session:
            status = call(session)
            if status:
                self._fail(doing, status, session)

    def _fail(self, doing: str, status: int, session: Any) -> None:
        with Diag() as diag:
            lib.hoist_session_report(session, diag.handle)
            diag.check(status, doing)

    def _wait(self, doing: str, name: str, call: Callable[[Any, float], Any], timeout: Optional[float]) -> bool:
        """Whether a push or pop was done; False at its timeout. It is made again and again for a short time, between
        which signals arrive."""
        end = _end_of(timeout)
        with self._handle as session:
            while True:
                left = _left_of(end)
                status = call(session, left)
                if status != _LIMIT:
                    break
                if left < _SLICE:
                    return False
            if status:
                with Diag() as diag:
                    diag.check(status, f"{doing} {name}")
        return True

    def _slots(self, port: Port) -> "np.ndarray[Any, Any]":
        array = _empty(port, port.slots)
        for slot in range(port.slots):
            self.read(port.name, slot, out=array[slot])
        return array


def _end_of(timeout: Optional[float]) -> Optional[float]:
    """When a limit of seconds from now is over; None: never."""
    return None if timeout is None else time.monotonic() + timeout


def _left_of(end: Optional[float]) -> float:
    """The seconds of the next call of C that waits: below _SLICE, 0 at least, where it is the last one."""
    return _SLICE if end is None else max(min(end - time.monotonic(), _SLICE), 0.0)


def _port(row: Any) -> Port:
    return Port(
        name=text_of(row.name), input=row.input, output=row.output, queue=row.is_queue,
        ram=not row.is_queue and not row.is_buffer, slots=row.slots, dtype=dtype_name(row.dtype),
        numpy=np.dtype(NUMPY.get(row.host_dtype, "<f4")), shape=tuple(row.shape[:row.rank]), required=row.required,
        result=row.result, note=text_of(row.note), rank=row.home)


def _fit(port: Port, value: Any) -> "np.ndarray[Any, Any]":
    """The array as the port takes it: its own type or float32, dense; without a copy where it is so."""
    array = np.asarray(value)
    if array.dtype not in (port.numpy, np.dtype("<f4")):
        if not np.can_cast(array.dtype, port.numpy, "safe" if array.ndim else "same_kind"):
            raise ValueError(f"{port.name}: elements are {array.dtype}, expected {port.numpy}")
        array = array.astype(port.numpy)
    if array.shape != port.shape:
        raise ValueError(f"{port.name}: the shape is {array.shape}, expected {port.shape}")
    return np.ascontiguousarray(array).reshape(port.shape)


def _entries(port: Port, value: Any) -> "np.ndarray[Any, Any]":
    """Entries of a queue or slots of a ram: one dimension more than the port, which a single one may lack."""
    array = np.asarray(value)
    return array if array.ndim == len(port.shape) + 1 else array[np.newaxis]


def _empty(port: Port, count: int) -> "np.ndarray[Any, Any]":
    return np.empty((count, *port.shape), port.numpy)

