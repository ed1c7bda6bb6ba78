"""Makes NEFF files (AWS Neuron executables) from their parts; :func:`hoist.open` reads, checks and runs them.

>>> import hoist
>>> from hoist.neff import Builder
>>> side = {"sizes": [64], "steps": [1]}
>>> with Builder() as builder:
...     core = builder.add_subgraph()
...     for name in ("input", "output"):
...         builder.add_variable(core, name=name, type=name, size=64)
...     builder.add_queue_set(core, name="q0", type="data", owner="sp", semaphore=1)
...     builder.add_block(core, "sp", queue="q0", desc=[
...         {"from": [{"variable": "input", **side}], "to": {"variable": "output", **side}}])
...     builder.add_code(core, "sp", "PSEUDO_DMA_TRIGGER q0 block_id=0;\\nEVENT_SEMAPHORE $S[1]>0;\\nPSEUDO_INST EXIT;\\n")
...     neff = builder.finish()
>>> with hoist.open(neff).session() as session:
...     bytes(session.run({"input": bytearray(range(64))})["output"]) == bytes(range(64))
True

Fields are arguments by the names that they have in the structs of `hoist/neff.h`, which states their units and
defaults. What is left out, or None, is not given; a flag ``has_...`` follows from its field. Lists of numbers and of
names are sequences; ``keys`` is a dict from keys to values that JSON can have, of which ``...`` leaves the key out; a
pattern or a descriptor is a dict of its own fields. The builder checks no rule of files: :meth:`hoist.Job.check` does.
"""
import ctypes
import json
import operator
from typing import Any, Callable, Mapping, Optional

import numpy as np

from . import _abi
from ._calls import Handle, choice, elements_of
from ._errors import Diag, error
from ._library import bytes_of, lib, name_of

_ENGINES = {kind.name.lower(): int(kind) for kind in _abi.hoist_neff_engine if kind.name != "ENGINE_COUNT"}
_ORDERS = {kind.name.lower(): int(kind) for kind in _abi.hoist_neff_order}
_SIZES = {"uuid": 16, "tpb_per_node": 64}  # of fields that are bytes


class Builder:
    """A NEFF that is being built. ``options`` are the fields of `hoist_neff_options`, such as ``target="sunda"`` or
    ``pkg_version=1``; ``order`` is "own", "sorted" or "reversed". Any thread may use it; calls wait for each other.
    ``with`` or :meth:`close` ends it, after which every call raises ValueError.

    Every method raises :class:`hoist.InvalidError` for an index out of range, a missing name or a value that the file
    cannot have, TypeError for a field that does not exist, and ValueError for one of another type or size.
    """

    def __init__(self, **options: Any) -> None:
        pointer = ctypes.c_void_p()
        row, keep = _row(_abi.hoist_neff_options, options)
        status = lib.hoist_neff_create(row, pointer)
        if status:
            raise error(status, "creating a NEFF")
        self._handle = Handle(pointer, lib.hoist_neff_destroy, "builder", exclusive=True)
        self._subgraphs = 0
        del keep

    def close(self) -> None:
        """Frees the builder. Twice is once."""
        self._handle.close()

    def __enter__(self) -> "Builder":
        return self

    def __exit__(self, *unused: Any) -> None:
        self.close()

    def _call(self, doing: str, call: Callable[[Any, Any], Any]) -> None:
        with self._handle as neff, Diag() as diag:
            diag.check(call(neff, diag.handle), doing)

    def finish(self) -> bytes:
        """The file as it is now; more may be added afterwards. The same calls give the same bytes."""
        out = _abi.hoist_bytes()
        with self._handle as neff, Diag() as diag:
            diag.check(lib.hoist_neff_finish(neff, diag.handle, out), "making a NEFF")
            return bytes_of(out)

    def member(self, path: str) -> bytes:
        """The bytes of a member, "sg00/def.json", as it is now. :class:`hoist.NotFoundError`: there is none."""
        out = _abi.hoist_bytes()
        with self._handle as neff:
            status = lib.hoist_neff_member(neff, name_of(path), out)
            if status:
                raise error(status, f"reading the member {path}")
            return bytes_of(out)

    def add_member(self, path: str, data: bytes) -> None:
        """Adds a member. :class:`hoist.BusyError`: there is one of that path."""
        content = np.frombuffer(data, np.uint8)
        self._call(f"adding the member {path}", lambda neff, _diag: lib.hoist_neff_add_member(
            neff, name_of(path), elements_of(content)))

    def set_member(self, path: str, data: bytes) -> None:
        """Adds a member, or replaces the one of that path, which does not change with later calls any more."""
        content = np.frombuffer(data, np.uint8)
        self._call(f"setting the member {path}", lambda neff, _diag: lib.hoist_neff_set_member(
            neff, name_of(path), elements_of(content)))

    def drop_member(self, path: str) -> None:
        """Leaves out a member. :class:`hoist.NotFoundError`: there is none."""
        self._call(f"dropping the member {path}", lambda neff, _diag: lib.hoist_neff_drop_member(neff, name_of(path)))

    def add_keys(self, path: str, keys: "Mapping[str, Any]") -> None:
        """Adds keys at the top level of a JSON member that is made."""
        keep: "list[Any]" = []
        given = _keys(keys, keep)
        self._call(f"adding keys to {path}", lambda neff, _diag: lib.hoist_neff_add_keys(neff, name_of(path), given))

    def add_entry(self, **fields: Any) -> None:
        """Adds an input, output or node to the graph: fields of `hoist_neff_entry`."""
        row, _keep = _row(_abi.hoist_neff_entry, fields)
        self._call("adding an entry", lambda neff, _diag: lib.hoist_neff_add_entry(neff, row))

    def add_subgraph(self, name: Optional[str] = None, *, engine_files: "Optional[Mapping[str, str]]" = None,
                     absent: "tuple[str, ...]" = ()) -> int:
        """Adds the work of one core; its number, by which other calls name it. ``engine_files`` has names of the
        members of engines ("pe", "act", "pool", "dve", "sp"), ``absent`` the engines that have none."""
        row = _abi.hoist_neff_subgraph(struct_size=ctypes.sizeof(_abi.hoist_neff_subgraph), name=name_of(name))
        for engine, file in (engine_files or {}).items():
            row.engine_files[_engine(engine)] = name_of(file)
        for engine in absent:
            row.absent[_engine(engine)] = True
        with self._handle as neff:
            status = lib.hoist_neff_add_subgraph(neff, row)
            if status:
                raise error(status, "adding a subgraph")
            self._subgraphs += 1
            return self._subgraphs - 1

    def add_variable(self, subgraph: int, **fields: Any) -> None:
        """Adds memory with a name: fields of `hoist_neff_variable`."""
        self._add("a variable", lib.hoist_neff_add_variable, subgraph, _abi.hoist_neff_variable, fields)

    def add_queue_set(self, subgraph: int, **fields: Any) -> None:
        """Adds a set of DMA queues: fields of `hoist_neff_queue_set`."""
        self._add("a queue set", lib.hoist_neff_add_queue_set, subgraph, _abi.hoist_neff_queue_set, fields)

    def add_block(self, subgraph: int, engine: str, **fields: Any) -> None:
        """Adds a block of DMA descriptors to an engine: fields of `hoist_neff_block`."""
        number = _engine(engine)
        self._add("a block", lambda neff, core, row: lib.hoist_neff_add_block(neff, core, number, row), subgraph,
                  _abi.hoist_neff_block, fields)

    def add_code(self, subgraph: int, engine: str, text: str) -> None:
        """Adds instructions as text, one per line in the form of :meth:`hoist.Job.disasm`. InvalidError has a finding
        for each wrong line; none of the text is added then."""
        core, number = _number(subgraph), _engine(engine)
        self._call("adding code", lambda neff, diag: lib.hoist_neff_add_code(neff, core, number, name_of(text), diag))

    def add_record(self, subgraph: int, engine: str, data: bytes) -> None:
        """Adds instructions as they are stored, 64 bytes each."""
        core, number, content = _number(subgraph), _engine(engine), np.frombuffer(data, np.uint8)
        self._call("adding records", lambda neff, _diag: lib.hoist_neff_add_record(
            neff, core, number, elements_of(content)))

    def _add(self, what: str, add: Callable[[Any, int, Any], Any], subgraph: int, kind: Any,
             fields: "dict[str, Any]") -> None:
        core, (row, _keep) = _number(subgraph), _row(kind, fields)
        self._call(f"adding {what}", lambda neff, _diag: add(neff, core, row))


def _engine(name: str) -> int:
    return choice("engine", name, _ENGINES)


def _number(subgraph: int) -> int:
    if not 0 <= subgraph < 1 << 32:
        raise ValueError(f"subgraph: {subgraph}, expected the number of one")
    return subgraph


def _row(kind: Any, values: "Mapping[str, Any]") -> "tuple[Any, list[Any]]":
    """A struct of fields, and what its pointers need, which has to stay as long."""
    row, types = kind(), dict(kind._fields_)
    keep: "list[Any]" = []
    own = {name: True for name in types if name.startswith("has_") or name.endswith("_count")}
    if "struct_size" in types:
        row.struct_size = ctypes.sizeof(kind)
    for name, value in values.items():
        if name not in types or name in own or name in ("struct_size", "alloc"):
            known = ", ".join(key for key in types if key not in own and key not in ("struct_size", "alloc"))
            raise TypeError(f"unexpected field '{name}'; there are: {known}")
        if value is None:
            continue
        try:
            _set(row, name, types[name], value, keep)
        except (TypeError, AttributeError, OverflowError) as problem:
            raise ValueError(f"{name}: {problem}") from problem
        if f"has_{name}" in own:
            setattr(row, f"has_{name}", True)
    return row, keep


def _set(row: Any, name: str, kind: Any, value: Any, keep: "list[Any]") -> None:
    if name in _SIZES:
        if len(bytes(value)) != _SIZES[name]:
            raise ValueError(f"{name}: {len(value)} bytes, expected {_SIZES[name]}")
        setattr(row, name, _array(ctypes.c_uint8, list(value), keep))
    elif name == "order":
        row.order = choice(name, value, _ORDERS)
    elif kind is ctypes.c_char_p:
        setattr(row, name, name_of(value))
    elif kind is _abi.hoist_neff_ints:
        setattr(row, name, kind(_array(ctypes.c_int64, [operator.index(item) for item in value], keep), len(value)))
    elif kind is _abi.hoist_neff_names:
        setattr(row, name, kind(_array(ctypes.c_char_p, [name_of(item) for item in value], keep), len(value)))
    elif kind is _abi.hoist_neff_keys:
        setattr(row, name, _keys(value, keep))
    elif kind is _abi.hoist_neff_pattern:
        setattr(row, name, _inner(kind, value, keep))
    elif name in ("from", "desc"):
        rows = [_inner(kind._type_, item, keep) for item in value]
        setattr(row, name, _array(kind._type_, rows, keep))
        setattr(row, f"{name}_count", len(rows))
    else:
        setattr(row, name, value)
        if getattr(row, name) != value and value == value:  # C would take the low bits
            raise ValueError(f"{name}: {value} is out of range")


def _inner(kind: Any, value: "Mapping[str, Any]", keep: "list[Any]") -> Any:
    row, more = _row(kind, value)
    keep += more
    return row


def _array(kind: Any, items: "list[Any]", keep: "list[Any]") -> Any:
    array = (kind * len(items))(*items)
    if kind is ctypes.c_int64 and list(array) != items:
        raise ValueError(f"{items}: a number is out of range")
    keep.append((array, items))
    return array


def _keys(keys: "Mapping[str, Any]", keep: "list[Any]") -> Any:
    rows = [_abi.hoist_neff_key(name_of(key), None if value is ... else json.dumps(value, allow_nan=False).encode())
            for key, value in keys.items()]
    return _abi.hoist_neff_keys(_array(_abi.hoist_neff_key, rows, keep), len(rows))
