"""Jobs: files opened, checked, described and taken apart."""
import contextlib
import ctypes
import html
import mmap
import os
import pathlib
from typing import Any, Callable, Iterator, List, Optional, Union

import numpy as np

from . import _abi
from ._calls import (Deadline, Handle, NUMPY, Progress, borrowed, callback, choice, elements_of, fields, interruptible,
                     options)
from ._errors import Diag, Failures, Finding, HoistError, error
from ._library import bytes_of, lib, name_of, text_of
from ._program import Program, Session
from ._tree import Tree

Path = Union[str, "os.PathLike[str]"]


def open(source: Union[Path, bytes, bytearray, memoryview], *, name: Optional[str] = None,
         format: Optional[str] = None, arch: Optional[str] = None, soc: Optional[Path] = None,
         cluster: Optional[Path] = None, lenient: bool = False, timeout: Optional[float] = None,
         progress: Optional[Progress] = None) -> "Job":
    """Opens a file by its path, or one that is in memory as bytes.

    ``name`` is the file's name in findings; ``format`` one of :func:`formats`, else it is recognised; ``arch``,
    ``soc`` and ``cluster`` are the device that it is checked for, as of ``hoist check``. ``timeout``, in seconds,
    bounds opening only. ``progress`` is called about 20 times a second, from another thread, while this or a call of
    the job takes longer, with a dict: ``stage`` ("opening", "lowering", "" at the end of one), ``unit``, ``done`` and
    ``total`` (None: not known). What it raises cancels the call.

    Raises :class:`InvalidError` for a file of no known format or one too broken to describe, and others of
    :class:`HoistError`; OSError where the file cannot be read. What is wrong with a file that could be opened is in
    ``job.findings``.

    >>> job = open("examples/tflite/classifier.tflite")
    >>> job.format, len(job.findings)
    ('tflite', 0)
    """
    buffer: Any
    if isinstance(source, (bytes, bytearray, memoryview)):
        buffer = bytes(source)
    else:
        path = os.fspath(source)
        name = name or path
        with pathlib.Path(path).open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            # A mapping of a writable kind gives ctypes an address; it is private, so nothing is ever written.
            buffer = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY) if size else file.read()
    choices = options(_abi.hoist_open_options, format=name_of(format), arch=name_of(arch),
                      soc_path=name_of(os.fspath(soc) if soc else None),
                      cluster_path=name_of(os.fspath(cluster) if cluster else None), bytes_stay=True, lenient=lenient)
    return Job(buffer, name or "-", choices, timeout, progress)


def formats() -> "list[str]":
    """Names of the formats that are known.

    >>> "tflite" in formats()
    True
    """
    return [lib.hoist_format_name(index).decode() for index in range(lib.hoist_format_count())]


def format_of(data: bytes, name: str = "-") -> Optional[str]:
    """The format that bytes of a file of that name are taken for; None: of none.

    >>> format_of(pathlib.Path("examples/tflite/classifier.tflite").read_bytes())
    'tflite'
    """
    found: Optional[bytes] = lib.hoist_format_of(elements_of(np.frombuffer(data, np.uint8)), name_of(name))
    return found.decode() if found else None


def pack(parts: "dict[str, bytes]", *, format: Optional[str] = None, executable: "frozenset[str]" = frozenset(),
         redact: bool = False, timeout: Optional[float] = None) -> bytes:
    """A container of the files that :meth:`Job.unpack` gives, by their paths; the same parts give the same bytes."""
    rows = (_abi.hoist_part * len(parts))()
    keep = []
    for row, (path, data) in zip(rows, parts.items()):
        encoded = name_of(path) or b""
        text, content = ctypes.create_string_buffer(encoded), np.frombuffer(data, np.uint8)
        keep += [text, content]
        row.path = _abi.hoist_str(ctypes.addressof(text), len(encoded))
        row.bytes = elements_of(content)
        row.executable = path in executable
    deadline = Deadline(timeout)
    choices = options(_abi.hoist_pack_options, format=name_of(format), redact=redact, deadline=deadline.handle)
    out = _abi.hoist_mut_bytes()
    with Diag() as diag:
        diag.check(interruptible(deadline.cancel, lambda: lib.hoist_pack(rows, len(parts), choices, diag.handle, out)),
                   "packing")
        result = bytes_of(out)
        lib.hoist_pack_free(choices.alloc, out)
    return result


class Job:
    """A file with all that is nested in it; :func:`open` makes one, ``with`` or :meth:`close` ends it.

    Any thread may use it; calls wait for each other. After :meth:`close` every call raises ValueError; sessions and
    arrays that it gave stay good.
    """

    def __init__(self, buffer: Any, name: str, choices: Any, timeout: Optional[float],
                 progress: Optional[Progress] = None) -> None:
        self._buffer = np.frombuffer(buffer, dtype=np.uint8)
        self._progress = progress
        self._deadline = Deadline(timeout, progress)
        choices.deadline = self._deadline.handle
        data = elements_of(self._buffer)
        pointer = ctypes.c_void_p()
        with Diag() as diag:
            status = interruptible(self._deadline.cancel, lambda: lib.hoist_job_open_bytes(
                data, name_of(name), choices, diag.handle, pointer))
            self._deadline.failures.check()
            diag.check(status, f"opening {name}")
            self.findings: "list[Finding]" = diag.take()
            self._opened = Handle(diag.release(), lib.hoist_diag_destroy, "job", exclusive=False)
        self.name = name
        self._active = self._deadline = Deadline()
        lib.hoist_job_limit(pointer, self._deadline.handle)
        self._handle = Handle(pointer, lib.hoist_job_close, "job", exclusive=True, keep=(self._buffer, choices))

    def close(self) -> None:
        """Frees the job, after the calls that are going on, which are cancelled. Twice is once."""
        self._handle.close(lambda pointer: self._active.cancel())

    def __enter__(self) -> "Job":
        return self

    def __exit__(self, *unused: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<hoist.Job {self.name!r}{', closed' if self._handle.closed else ''}>"

    def _call(self, doing: str, call: Callable[[Any, Any], Any], timeout: Optional[float] = None,
              strict: bool = False, failures: Optional[Failures] = None) -> "list[Finding]":
        """Makes a call with the job and a diag, within `timeout`, so that Ctrl-C ends it: what it found. `failures`
        are those of its callbacks."""
        with self._handle as job, Diag(strict) as diag:
            # What was cancelled stays so: each call has a deadline of its own.
            deadline = self._active = Deadline(timeout, self._progress)
            lib.hoist_job_limit(job, deadline.handle)
            try:
                status = interruptible(deadline.cancel, lambda: call(job, diag.handle))
            finally:
                lib.hoist_job_limit(job, self._deadline.handle)
            deadline.failures.check()
            if failures:
                failures.check()
            diag.check(status, f"{doing} {self.name}")
            return diag.take()

    def _tree(self, doing: str, call: Callable[[Any, Any, Any], Any], timeout: Optional[float] = None) -> Any:
        tree = Tree()
        self._call(doing, lambda job, diag: call(job, diag, tree.sink), timeout, failures=tree.failures)
        return tree.root

    def _bytes(self, doing: str, call: Callable[[Any, Any, Any], Any], timeout: Optional[float] = None) -> bytes:
        out = _abi.hoist_mut_bytes()
        with self._handle as job:
            self._call(doing, lambda job, diag: call(job, diag, out), timeout)
            result = bytes_of(out)
            lib.hoist_job_free_text(job, out)
        return result

    def add(self, other: "Job") -> None:
        """Makes another job's file the next one of this: its next rank, or a model that is loaded together with it.
        The other job is closed then."""
        with _both(self, other) as (_, added):
            self._call("adding to", lambda job, diag: lib.hoist_job_add(job, added, diag))
            other._handle.give(self._handle)
        self.findings = [*self.findings, *other.findings]

    @property
    def tokens(self) -> "list[int]":
        """The tokens of compiled Edge TPU programs that keep parameters on the chip; files with equal tokens may be
        there together."""
        with self._handle as job:
            found: "list[int]" = []
            while token := lib.hoist_job_token(job, len(found)):
                found.append(int(token))
            return found

    @property
    def format(self) -> str:
        """Name of the job's format, "tflite"."""
        with self._handle as job:
            name: bytes = lib.hoist_job_format(job)
            return name.decode()

    @property
    def title(self) -> str:
        """Name of the format for people."""
        with self._handle as job:
            name: bytes = lib.hoist_job_format_title(job)
            return name.decode()

    @property
    def container(self) -> "Optional[str]":
        """Name of the format of the container that the file is in: ``"tti"`` of a netlist in a PyBuda device image."""
        with self._handle as job:
            name: "Optional[bytes]" = lib.hoist_job_container(job)
            return name.decode() if name else None

    @property
    def target(self) -> "dict[str, Optional[str]]":
        """The device that the job is checked for, and who chose it: ``{"arch": ..., "source": ...}``."""
        with self._handle as job:
            target = lib.hoist_job_target(job)
            return {"arch": (target.arch or b"").decode() or None, "source": (target.source or b"").decode() or None}

    @property
    def verdicts(self) -> "dict[str, dict[str, int]]":
        """Counts of findings of the last check() for each architecture that the file lists; empty when it was checked for
        one.

        >>> job = open("examples/buda/feed_forward.yaml")
        >>> _ = job.check()
        >>> job.verdicts["grayskull"]
        {'errors': 0, 'warnings': 0, 'notes': 0}
        """
        with self._handle as job:
            rows = ctypes.POINTER(_abi.hoist_arch_verdict)()
            count = lib.hoist_job_verdicts(job, ctypes.byref(rows))
            return {rows[i].arch.decode(): {key: getattr(rows[i], key) for key in ("errors", "warnings", "notes")}
                    for i in range(count)}

    def check(self, *, strict: bool = False, timeout: Optional[float] = None) -> "Findings":
        """Checks every rule of the format: all findings, those of opening, too, by file, member and place.

        >>> [f.rule for f in open("examples/buda/feed_forward_broken.yaml").check()][:2]
        ['BUDA-003d', 'BUDA-009']
        """
        found = self._call("checking", lib.hoist_job_check, timeout, strict)
        every = dict.fromkeys([*self.findings, *found])
        return Findings(sorted(every, key=lambda f: (f.file, f.member, f.line or 0, f.column or 0, f.offset or 0)))

    def check_order(self, *, ranks: int = 0, max_steps: int = 0, max_schedules: int = 0,
                    timeout: Optional[float] = None) -> "tuple[str, list[Finding]]":
        """Looks for races, deadlocks and uninitialized reads in every order of the job's threads: "clean", "bad",
        "unknown" or "none", and the findings."""
        verdict = ctypes.c_int()
        choices = options(_abi.hoist_order_check, ranks=ranks, max_steps=max_steps, max_schedules=max_schedules)
        found = self._call("checking orders of",
                           lambda job, diag: lib.hoist_job_check_order(job, choices, diag, verdict), timeout)
        return _abi.hoist_verdict(verdict.value).name.lower(), found

    def verify(self) -> bool:
        """Whether the digest that the container stores is that of its content."""
        right = ctypes.c_bool()
        self._call("verifying", lambda job, diag: lib.hoist_job_verify(job, diag, right))
        return right.value

    def info(self, *, resources: bool = False, timeout: Optional[float] = None) -> "dict[str, Any]":
        """The summary that ``hoist info --json`` gives of the file.

        >>> open("examples/tflite/classifier.tflite").info()["model"]["operator_count"]
        5
        """
        result: "dict[str, Any]" = self._tree(
            "describing", lambda job, diag, sink: lib.hoist_job_info(job, resources, diag, sink), timeout)
        return result

    def dump(self, *, positions: bool = False, timeout: Optional[float] = None) -> Any:
        """Every field and unknown key of the file's module, as ``hoist dump --json`` has them."""
        result = self._tree(
            "dumping", lambda job, diag, sink: lib.hoist_job_dump(job, b"module", positions, sink), timeout)
        return result["module"]

    def text(self, *, timeout: Optional[float] = None) -> str:
        """The module as text for people, as ``hoist dump`` prints it."""
        pieces: "list[str]" = []
        failures = Failures()
        sink = _abi.hoist_piece_sink(piece=callback(
            _abi.hoist_piece_sink, "piece", lambda _self, piece: failures.guard(lambda: pieces.append(text_of(piece)))))
        self._call("printing", lambda job, diag: lib.hoist_job_text(job, sink), timeout, failures=failures)
        return "".join(pieces)

    def write(self, *, dialect: Optional[str] = None, timeout: Optional[float] = None) -> bytes:
        """The file in its own format, or in another dialect of it (ARK: "d1", "d2", "d3")."""
        if dialect is None:
            return self._bytes("writing", lambda job, diag, out: lib.hoist_job_write(job, out), timeout)
        return self._bytes("converting", lambda job, diag, out: lib.hoist_job_convert(
            job, name_of(dialect), diag, out), timeout)

    def plan(self, *, arch: Optional[str] = None, processors: int = 0, timeout: Optional[float] = None) -> bytes:
        """A default plan for a model of ARK, as ``hoist plan`` writes it."""
        choices = options(_abi.hoist_plan_options, arch=name_of(arch), processors=processors)
        return self._bytes("planning", lambda job, diag, out: lib.hoist_job_plan(job, choices, diag, out), timeout)

    def graph(self, *, graph: Optional[str] = None, op: Optional[str] = None, depth: Optional[int] = None,
              timeout: Optional[float] = None) -> "dict[str, Any]":
        """Nodes and edges of the file's graphs, as ``hoist graph --json`` has them: of one graph, of the nodes of one
        name with what they are connected to, or joined by the first ``depth`` parts of their names."""
        choices = _drawn(0, graph, op, depth)
        result: "dict[str, Any]" = self._tree("drawing", lambda job, diag, sink: lib.hoist_job_graph_part(
            job, choices, diag, sink), timeout)
        return result

    def ops(self, *, graph: Optional[str] = None, op: Optional[str] = None,
            timeout: Optional[float] = None) -> "list[dict[str, Any]]":
        """Graphs with their steps, as ``hoist info --graph`` has them; of an op of a name what it reads and writes."""
        choices = _drawn(0, graph, op, None)
        tree = self._tree("describing", lambda job, diag, sink: lib.hoist_job_ops(job, choices, diag, sink), timeout)
        selected: "list[dict[str, Any]]" = tree["selected"]
        return selected

    def port_facts(self, port: str) -> "Optional[dict[str, Any]]":
        """What the files say of the numbers of a port: scale and zero point, mean and deviation of images; None where
        nothing is said."""
        facts = options(_abi.hoist_port_facts)
        with self._handle as job:
            with borrowed(port) as name:
                status = lib.hoist_job_port_facts(job, name, facts)
        if status == _abi.hoist_status.NOT_FOUND:
            return None
        if status:
            raise error(status, f"describing {port}")
        row = fields(facts)
        row["mean"], row["deviation"] = list(facts.mean)[:facts.channels], list(facts.deviation)[:facts.channels]
        return row

    def labels(self, port: str) -> "list[str]":
        """The labels that the file holds for the last index of an output; empty where it has none."""
        out = _abi.hoist_mut_bytes()
        with self._handle as job, borrowed(port) as name:
            status = lib.hoist_job_port_labels(job, name, out)
            if status == _abi.hoist_status.NOT_FOUND:
                return []
            if status:
                raise error(status, f"reading labels of {port}")
            lines = bytes_of(out).decode("utf-8", "replace").splitlines()
            lib.hoist_job_free_text(job, out)
        return lines

    def layout(self, *, timeout: Optional[float] = None) -> "dict[str, Any]":
        """Where nodes and edges of :meth:`graph` are in a layered drawing."""
        result: "dict[str, Any]" = self._tree("drawing", lib.hoist_job_layout, timeout)
        return result

    def draw(self, *, width: int = 80, timeout: Optional[float] = None) -> str:
        """The file drawn as text, at most ``width`` columns wide."""
        return self._bytes("drawing", lambda job, diag, out: lib.hoist_job_draw(job, width, diag, out),
                           timeout).decode("utf-8", "replace")

    def svg(self, *, graph: Optional[str] = None, op: Optional[str] = None, depth: Optional[int] = None,
            timeout: Optional[float] = None) -> str:
        """The file drawn as an SVG document; choices as of :meth:`graph`."""
        return self._markup(_drawn(_abi.hoist_draw_form.SVG, graph, op, depth), timeout)

    def dot(self, *, graph: Optional[str] = None, op: Optional[str] = None, depth: Optional[int] = None,
            timeout: Optional[float] = None) -> str:
        """The flow of data in the language of Graphviz; choices as of :meth:`graph`."""
        return self._markup(_drawn(_abi.hoist_draw_form.DOT, graph, op, depth), timeout)

    def _markup(self, choices: Any, timeout: Optional[float]) -> str:
        return self._bytes("drawing", lambda job, diag, out: lib.hoist_job_draw_markup(job, choices, diag, out),
                           timeout).decode("utf-8", "replace")

    def view(self, *, timeout: Optional[float] = None) -> "Page":
        """The page of ``hoist view``: an HTML document that a browser opens without a server and that asks for
        nothing. A notebook shows it in a frame; elsewhere it is a text to be written to a file."""
        out = _abi.hoist_mut_bytes()
        with self._handle, self._opened as found:
            choices = options(_abi.hoist_page_options, name=name_of(self.name), size_bytes=self._buffer.size,
                              found=found)
            self._call("drawing", lambda job, diag: lib.hoist_job_page(job, choices, diag, out), timeout)
            page = Page(bytes_of(out).decode())
            lib.hoist_easy_free(out, lib.hoist_allocator_system())
        return page

    def disasm(self, *, engine: Optional[str] = None, subgraph: Optional[str] = None, offsets: bool = False,
               timeout: Optional[float] = None) -> str:
        """The file's instructions as text."""
        choices = options(_abi.hoist_disasm_options, offsets=offsets, engine=name_of(engine),
                          subgraph=name_of(subgraph))
        return self._bytes("disassembling", lambda job, diag, out: lib.hoist_job_disasm(job, choices, diag, out),
                           timeout).decode("utf-8", "replace")

    def instructions(self, *, engine: Optional[str] = None, subgraph: Optional[str] = None,
                     timeout: Optional[float] = None) -> "list[dict[str, Any]]":
        """The file's instructions as data: a dict for each stream, with its "records"."""
        choices = options(_abi.hoist_disasm_options, engine=name_of(engine), subgraph=name_of(subgraph))
        tree = self._tree("disassembling", lambda job, diag, sink: lib.hoist_job_disasm_tree(
            job, choices, diag, sink), timeout)
        streams: "list[dict[str, Any]]" = tree["streams"]
        return streams

    def time(self, *, host: Optional[str] = None, ranks: int = 0, batch: int = 0,
             compared: "Optional[Job]" = None, timeout: Optional[float] = None) -> "dict[str, Any]":
        """How long the job's programs take on their device, as ``hoist time --json`` estimates it."""
        choices = options(_abi.hoist_time_options, host=name_of(host), ranks=ranks, batch=batch)
        with _both(self, compared or self) as (_, other):
            choices.compared = other if compared else None
            result: "dict[str, Any]" = self._tree("estimating", lambda job, diag, sink: lib.hoist_job_time(
                job, choices, diag, sink), timeout)
        return result

    @property
    def layers(self) -> "list[dict[str, Any]]":
        """The layers that were found in the compiled programs of an Edge TPU model, in order.

        >>> [layer["kind"] for layer in open("examples/tflite/layers_edgetpu.tflite").layers][:2]
        ['convolution', 'dense']
        """
        return [layer for package in _packages(self.recovery()) for layer in package["layers"]]

    def recovery(self, *, timeout: Optional[float] = None) -> "dict[str, Any]":
        """All that ``hoist recover --json`` says of compiled programs: packages, layers, gaps."""
        gaps = ctypes.c_uint64()
        result: "dict[str, Any]" = self._tree("recovering", lambda job, diag, sink: lib.hoist_job_layers(
            job, diag, sink, gaps), timeout)
        result["gaps"] = gaps.value
        return result

    def arrays(self, *, timeout: Optional[float] = None) -> "dict[str, np.ndarray[Any, Any]]":
        """The constants that the file holds, by name, read-only. Those that are in the file as they are share its
        bytes, which stay as long as an array does; others are copies. Elements of types that NumPy lacks are
        unsigned integers of the same size.

        >>> open("examples/tflite/layers_edgetpu.tflite").arrays()["layers/0/weights"].dtype
        dtype('uint8')
        """
        found: "dict[str, np.ndarray[Any, Any]]" = {}
        failures = Failures()

        def take(row: Any) -> None:
            array = self._array(row)
            for index in range(row.name_count):
                found[text_of(row.names[index])] = array

        kind = _abi.hoist_recovery_sink
        sink = kind(
            array=callback(kind, "array", lambda _self, pointer: failures.guard(lambda: take(pointer.contents))),
            missing=callback(kind, "missing", lambda _self, _missing: 0))
        self._call("recovering", lambda job, diag: lib.hoist_job_recover(job, diag, sink), timeout, failures=failures)
        return found

    def _array(self, row: Any) -> "np.ndarray[Any, Any]":
        shape = [row.shape[axis] for axis in range(row.rank)]
        kind = np.dtype(NUMPY.get(row.dtype, f"u{row.element_size}"))
        if row.is_big_endian:
            kind = kind.newbyteorder(">")
        size = row.bytes.size
        start = (ctypes.cast(row.bytes.data, ctypes.c_void_p).value or 0) - self._buffer.ctypes.data if size else 0
        if 0 <= start and start + size <= self._buffer.size:
            flat = self._buffer[start:start + size]
        else:
            flat = np.frombuffer(bytes_of(row.bytes), dtype=np.uint8)
        array: "np.ndarray[Any, Any]" = np.ndarray(shape, kind, flat, order="F" if row.is_fortran else "C")
        array.flags.writeable = False
        return array

    def recover_tflite(self, *, timeout: Optional[float] = None) -> bytes:
        """A TFLite model with the layers of a compiled Edge TPU model in their places. Raises
        :class:`NotFoundError` where a part is not understood; its findings name each."""
        return self._bytes("recovering", lib.hoist_job_recover_model, timeout)

    def exchange(self, arrays: "dict[str, Any]", *, timeout: Optional[float] = None) -> bytes:
        """A copy of the file with other parameters: arrays by the names of :meth:`arrays`, of the same type and
        shape, or bytes for "cached" and "streamed"."""
        rows = (_abi.hoist_new_parameters * len(arrays))()
        keep: "list[Any]" = []
        codes = {np.dtype(kind): code for code, kind in NUMPY.items()}
        for row, (name, value) in zip(rows, arrays.items()):
            data = np.frombuffer(value, np.uint8) if isinstance(value, bytes) else np.ascontiguousarray(value)
            shape = (ctypes.c_int64 * data.ndim)(*data.shape)
            keep += [data, shape]
            row.name, row.dtype = name_of(name), codes[data.dtype]
            row.rank, row.shape = data.ndim, shape
            row.bytes = elements_of(data)
        return self._bytes("exchanging parameters of", lambda job, diag, out: lib.hoist_job_exchange(
            job, rows, len(arrays), diag, out), timeout)

    def link(self, addresses: "Optional[dict[str, Union[int, list[int]]]]" = None, *, undo: bool = False,
             timeout: Optional[float] = None) -> bytes:
        """A copy of a compiled Edge TPU model with the addresses of buffers in its instructions: "parameters",
        "scratch", or a layer's name, of which every element of a batch has one. ``undo`` empties all such fields."""
        given = [(name, batch, address) for name, values in (addresses or {}).items()
                 for batch, address in enumerate(values if isinstance(values, list) else [values])]
        rows = (_abi.hoist_link_address * len(given))()
        for row, (name, batch, address) in zip(rows, given):
            row.buffer, row.batch, row.address = name_of(name), batch, address
        choices = options(_abi.hoist_link_options, undo=undo, addresses=rows, address_count=len(given))
        result = _abi.hoist_link_result()
        return self._bytes("linking", lambda job, diag, out: lib.hoist_job_link(job, choices, diag, out, result),
                           timeout)

    def match_layers(self, other: "Job", *, timeout: Optional[float] = None) -> "list[dict[str, Any]]":
        """Which operator of its source each layer of a compiled model was; one of the jobs is compiled, the other its
        source."""
        found: "list[dict[str, Any]]" = []
        failures = Failures()
        take = _abi.hoist_layer_match_call(
            lambda _self, pointer: failures.guard(lambda: found.append(fields(pointer.contents))))
        with _both(self, other) as (_, now):
            self._call("comparing", lambda job, diag: lib.hoist_job_match_layers(job, now, take, None), timeout,
                       failures=failures)
        return found

    def stream(self, inputs: "Optional[dict[str, bytes]]" = None, *, timeout: Optional[float] = None
               ) -> "tuple[bytes, list[dict[str, Any]]]":
        """What a run of a compiled model sends to an Edge TPU over USB, and its steps in order. ``inputs`` are elements
        of input layers by their names; others are zeros."""
        rows = (_abi.hoist_stream_input * len(inputs or {}))()
        keep = []
        for row, (name, value) in zip(rows, (inputs or {}).items()):
            data = np.frombuffer(value, np.uint8)
            keep.append(data)
            row.layer, row.bytes = name_of(name), elements_of(data)
        choices = options(_abi.hoist_stream_options, inputs=rows, input_count=len(rows))
        out = ctypes.POINTER(_abi.hoist_stream)()
        with self._handle:
            self._call("streaming", lambda job, diag: lib.hoist_job_stream(job, choices, diag, out), timeout)
            try:
                stream = out.contents
                steps = [fields(stream.steps[index]) for index in range(stream.step_count)]
                for step in steps:
                    step["kind"] = _abi.hoist_stream_kind(step["kind"]).name.lower()
                return bytes_of(stream.bytes), steps
            finally:
                lib.hoist_stream_destroy(out)

    def unpack(self, *, members_only: bool = False, timeout: Optional[float] = None) -> "dict[str, bytes]":
        """The members of a container by their paths, and the manifest, by which :func:`pack` makes the same bytes."""
        parts: "dict[str, bytes]" = {}
        failures = Failures()

        def take(part: Any) -> None:
            parts[text_of(part.path)] = bytes_of(part.bytes)

        sink = _abi.hoist_part_sink(part=callback(
            _abi.hoist_part_sink, "part", lambda _self, pointer: failures.guard(lambda: take(pointer.contents))))
        choices = options(_abi.hoist_unpack_options, members_only=members_only)
        self._call("unpacking", lambda job, diag: lib.hoist_job_unpack(job, choices, diag, sink), timeout,
                   failures=failures)
        return parts

    def diff(self, other: "Job", *, timeout: Optional[float] = None) -> "dict[str, Any]":
        """What differs in ``other``, as members of ``hoist diff --json`` for compiled models and their sources, with
        the number of differences as "count". Raises :class:`UnsupportedError` for jobs that are compared by fields:
        compare what :meth:`dump` gives."""
        count = ctypes.c_size_t()
        with _both(self, other) as (_, now):
            result: "dict[str, Any]" = self._tree("comparing", lambda job, diag, sink: lib.hoist_job_compare(
                job, now, sink, count), timeout)
        result["count"] = count.value
        return result

    def lower(self, *, ranks: int = 0, batch: int = 0, layers: bool = False, rounding: str = "double",
              queues: str = "strict", on_unknown: str = "stop", driver: str = "pcie", max_steps: int = 0,
              numerics: str = "reference", timeout: Optional[float] = None) -> Program:
        """The program that the job is, as ``hoist run`` lowers it; names of choices are those of its options.

        >>> open("examples/tflite/classifier.tflite").lower().entries
        ['run']
        """
        choices = options(
            _abi.hoist_lower_options, ranks=ranks, batch=batch, layers=layers, max_steps=max_steps,
            numerics=choice("numerics", numerics, {"reference": 0, "declared": 1, "device": 2, "fast": 3}),
            queue_mode=choice("queues", queues, {"strict": 0, "golden": 1}),
            on_unknown=choice("on_unknown", on_unknown, {"stop": 0, "skip": 1, "poison": 2}),
            requantization=choice("rounding", rounding, {"double": 0, "single": 1, "float": 2}),
            driver=choice("driver", driver, {"pcie": 0, "usb": 1, "usb-no-hints": 2, "none": 3}))
        pointer = ctypes.c_void_p()
        self._call("lowering", lambda job, diag: lib.hoist_job_lower(job, choices, diag, pointer), timeout)
        return Program(pointer)

    def session(self, *, threads: int = 0, sequential: bool = False, max_memory: int = 0, max_steps: int = 0,
                **lowering: Any) -> Session:
        """Lowers the job (arguments of :meth:`lower`) and opens a session of it (:meth:`Program.session`)."""
        return self.lower(**lowering).session(threads=threads, sequential=sequential, max_memory=max_memory,
                                              max_steps=max_steps)

    def _repr_html_(self) -> str:
        """A table of what the file is, and its picture where it has one."""
        with self._handle:
            rows: "dict[str, Any]" = {"file": self.name, "format": self.title, "size": f"{self._buffer.size:,} bytes",
                                      **self._counts()}
            try:
                picture = self.svg()
            except HoistError:  # not every format is drawn
                picture = ""
        return _table([], [[name, value] for name, value in rows.items()]) + picture

    def _counts(self) -> "dict[str, int]":
        kinds = [finding.severity for finding in self.findings]
        return {f"{kind}s": kinds.count(kind) for kind in ("error", "warning", "note") if kind in kinds}


class Findings(List[Finding]):
    """Findings; a notebook shows them as a table."""

    def _repr_html_(self) -> str:
        return _table(["rule", "severity", "place", "message"], [
            [finding.rule, finding.severity, finding.place, finding.message] for finding in self])


class Page(str):
    """An HTML document; a notebook shows it in a frame of its own."""

    def _repr_html_(self) -> str:
        return ('<iframe sandbox="allow-scripts allow-downloads" style="width: 100%; height: 40em; border: 0" '
                f'srcdoc="{html.escape(self)}"></iframe>')


def _table(head: "list[str]", rows: "list[list[Any]]") -> str:
    def line(cells: "list[Any]", tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{html.escape(str(cell))}</{tag}>" for cell in cells) + "</tr>"

    return "<table>" + (line(head, "th") if head else "") + "".join(line(row, "td") for row in rows) + "</table>"


@contextlib.contextmanager
def _both(one: Job, other: Job) -> "Iterator[tuple[Any, Any]]":
    """The pointers of two jobs, which are entered in the same order by every thread."""
    first, second = sorted((one, other), key=id)
    with first._handle as a, second._handle as b:
        yield (a, b) if first is one else (b, a)


def _drawn(form: int, graph: Optional[str], op: Optional[str], depth: Optional[int]) -> Any:
    return options(_abi.hoist_draw_options, form=form, graph=name_of(graph), op=name_of(op),
                   by_depth=depth is not None, depth=depth or 0)


def _packages(tree: "dict[str, Any]") -> "list[dict[str, Any]]":
    found = list(tree.get("packages", []))
    for payload in tree.get("payloads", []):
        found += _packages(payload)
    return found
