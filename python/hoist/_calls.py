"""Calls that Ctrl-C ends, objects that are closed once, and arrays as C takes them."""
import contextlib
import ctypes
import threading
import weakref
from typing import Any, Callable, Iterator, Optional

from . import _abi
from ._errors import Failures, error
from ._library import lib, name_of, text_of

_D = _abi.hoist_dtype
NUMPY = {_D.F64: "<f8", _D.F32: "<f4", _D.F16: "<f2", _D.I8: "i1", _D.I16: "<i2", _D.I32: "<i4", _D.I64: "<i8",
         _D.U8: "u1", _D.U16: "<u2", _D.U32: "<u4", _D.U64: "<u8", _D.BOOL: "?"}


def options(kind: Any, **values: Any) -> Any:
    """An options struct with its size set."""
    return kind(struct_size=ctypes.sizeof(kind), **values)


Progress = Callable[["dict[str, Any]"], Any]


def _report_of(progress: Any) -> "dict[str, Any]":
    return {"stage": progress.name.decode(), "unit": progress.unit.decode(), "done": progress.done,
            "total": progress.total or None}


class Deadline:
    """A limit of time that can also be cancelled from another thread. `seconds` None: no limit. Calls that have it
    report to `progress` how far they are; what that raises cancels them, and is in `failures`."""

    def __init__(self, seconds: Optional[float] = None, progress: "Optional[Progress]" = None) -> None:
        self.failures = Failures()
        self.handle = ctypes.c_void_p()
        status = lib.hoist_deadline_create(lib.hoist_allocator_system(), -1.0 if seconds is None else max(seconds, 0.0),
                                           self.handle)
        if status:
            raise error(status, "setting a time limit")
        _freed_with(self, lib.hoist_deadline_destroy, self.handle)
        if progress:
            failures, handle, watcher = self.failures, self.handle, progress

            def report(_self: Any, pointer: Any) -> None:
                if failures.guard(lambda: watcher(_report_of(pointer.contents))):
                    lib.hoist_deadline_cancel(handle)

            self._report = _abi.hoist_progress_call(report)
            lib.hoist_deadline_watch(self.handle, self._report, None)

    def cancel(self) -> None:
        """Ends every call that has it."""
        lib.hoist_deadline_cancel(self.handle)


def interruptible(cancel: Callable[[], Any], call: Callable[[], Any]) -> Any:
    """Runs `call`, which does not hold the interpreter. In the main thread, where signals arrive, another thread
    makes it: an exception such as KeyboardInterrupt cancels it, waits for its end, and goes on."""
    if threading.current_thread() is not threading.main_thread():
        return call()
    result: "list[Any]" = []
    failure: "list[BaseException]" = []

    def make() -> None:
        try:
            result.append(call())
        except BaseException as problem:  # it is raised again below, in the caller's thread
            failure.append(problem)

    worker = threading.Thread(target=make, name="hoist", daemon=True)
    worker.start()
    try:
        worker.join()
    except BaseException:
        cancel()
        worker.join()
        raise
    if failure:
        raise failure[0]
    return result[0]


class Handle:
    """A pointer that is freed once, when nobody is inside of a call with it.

    Calls are made in ``with handle as pointer``; ``exclusive`` lets one thread in at a time. What `keep` refers to is
    freed later than the pointer; it must not refer back, or all of it stays.
    """

    def __init__(self, pointer: Any, free: Callable[[Any], Any], what: str, exclusive: bool, keep: Any = None) -> None:
        self._pointer, self._what, self._keep = pointer, what, [keep]
        self._free = _freed_with(self, free, pointer, self._keep)
        self._turn = threading.RLock() if exclusive else None
        self._state = threading.Lock()
        self._inside = 0
        self._left: Optional[threading.Event] = None  # for a close that waits until nobody is inside
        self.closed = False

    def __enter__(self) -> Any:
        if self._turn:
            self._turn.acquire()
        with self._state:
            if not self.closed:
                self._inside += 1
                return self._pointer
        if self._turn:
            self._turn.release()
        raise ValueError(f"the {self._what} is closed")

    def __exit__(self, *unused: Any) -> None:
        with self._state:
            self._inside -= 1
            if self._left and not self._inside:
                self._left.set()
        if self._turn:
            self._turn.release()

    def give(self, taker: "Handle") -> None:
        """Leaves the pointer to another one, which frees it; from inside of a call with it."""
        with self._state:
            self.closed = True
        self._free.detach()
        taker._keep.append(self._keep)

    def close(self, cancel: Optional[Callable[[Any], Any]] = None) -> None:
        """Frees the pointer, after the calls that are going on, which `cancel` ends earlier. Later calls raise."""
        with self._state:
            if self.closed:
                return
            self.closed = True
            if self._inside:
                self._left = threading.Event()
                if cancel:
                    cancel(self._pointer)
        if self._left:
            self._left.wait()
        self._free()


def _freed_with(owner: Any, free: Callable[[Any], Any], pointer: Any, keep: Any = None) -> Any:
    """Frees a pointer when its owner is gone, and only then lets go of `keep`, also where the garbage collector finds
    all of them at once, which calls ``__del__`` in any order."""
    finalizer = weakref.finalize(owner, lambda _keep: free(pointer), keep)
    finalizer.atexit = False
    return finalizer


def elements_of(array: Any) -> Any:
    """The bytes of a contiguous array as hoist_bytes, without a copy; the array must stay."""
    return _abi.hoist_bytes(ctypes.cast(array.ctypes.data, ctypes.POINTER(ctypes.c_uint8)), array.nbytes)


def room_of(array: Any) -> Any:
    """The same for C to write to."""
    return _abi.hoist_mut_bytes(ctypes.cast(array.ctypes.data, ctypes.POINTER(ctypes.c_uint8)), array.nbytes)


def dtype_name(dtype: int) -> str:
    """hoist's own name of an element type, "bf16"."""
    name: bytes = lib.hoist_dtype_get(dtype).contents.name
    return name.decode()


def callback(kind: Any, field: str, call: Callable[..., int]) -> Any:
    """`call` as the member `field` of the structure `kind`."""
    return dict(kind._fields_)[field](call)


def fields(row: Any) -> "dict[str, Any]":
    """A struct of plain values as a dict."""
    result: "dict[str, Any]" = {}
    for name, *_ in row._fields_:
        if name == "struct_size":
            continue
        value = getattr(row, name)
        if isinstance(value, _abi.hoist_str):
            value = text_of(value)
        elif isinstance(value, bytes):
            value = value.decode()
        elif isinstance(value, _abi.hoist_loc):
            value = {"line": value.pos.line, "column": value.pos.column, "offset": value.offset}
        result[name] = value
    return result


@contextlib.contextmanager
def borrowed(value: str) -> "Iterator[Any]":
    """A text as hoist_str."""
    data = ctypes.create_string_buffer(name_of(value) or b"")
    yield _abi.hoist_str(ctypes.addressof(data), len(data) - 1)


def choice(what: str, value: str, values: "dict[str, int]") -> int:
    """The number of a word."""
    if value not in values:
        raise ValueError(f"{what}={value!r}: expected one of {', '.join(values)}")
    return values[value]
