"""Findings, and the exceptions that carry them."""
import ctypes
from dataclasses import dataclass, field
from typing import Any, Callable, Optional

from . import _abi
from ._library import lib, text_of


@dataclass(frozen=True)
class Finding:
    """A rule that is broken, and where.

    ``line`` and ``column`` count from 1 and are None where the place is a byte: then ``offset`` is its number from
    the start of the member, or of the file where there is none.
    """
    rule: str
    severity: str
    file: str
    message: str
    member: str = ""
    object: str = ""
    context: str = ""
    line: Optional[int] = None
    column: Optional[int] = None
    offset: Optional[int] = None

    @property
    def place(self) -> str:
        """Where it is: "net.yaml:12:9", "model.neff!sg00/def.json:3:1", "model.tflite+0x40"."""
        place = self.file + (f"!{self.member}" if self.member else "")
        if self.line is not None:
            place += f":{self.line}:{self.column}"
        elif self.offset is not None:
            place += f"+0x{self.offset:x}"
        return place

    def __str__(self) -> str:
        where = f" ({self.object})" if self.object else ""
        context = f", {self.context}" if self.context else ""
        return f"{self.place}: {self.severity}: {self.message}{where}{context} [{self.rule}]"


class HoistError(Exception):
    """A call of libhoist that failed.

    ``status`` is the name of its status ("invalid", "no memory" ...), ``findings`` what was found on the way.
    """

    def __init__(self, status: int, doing: str, findings: "list[Finding]") -> None:
        self.status = (lib.hoist_status_name(status) or b"unknown").decode()
        self.findings = findings
        reasons = [str(f) for f in findings if f.severity == "error"] or [str(f) for f in findings]
        super().__init__(f"{doing}: {self.status}" + "".join("\n" + reason for reason in reasons[:10]))


class InvalidError(HoistError, ValueError):
    """The input, or an argument, breaks a rule; or the file ends too early."""


class UnsupportedError(HoistError, NotImplementedError):
    """Valid, but nothing here can handle it."""


class LimitError(HoistError, TimeoutError):
    """A limit was reached: of time, steps, memory or size."""


class NotFoundError(HoistError, LookupError):
    """There is no such file or name, or an input is missing."""


class BusyError(HoistError):
    """Something still runs, or the name is taken."""


class CancelledError(HoistError):
    """The run was cancelled, or its session closed."""


class ReadError(HoistError, OSError):
    """The operating system failed to read or write."""


_KINDS = {
    _abi.hoist_status.INVALID: InvalidError,
    _abi.hoist_status.TRUNCATED: InvalidError,
    _abi.hoist_status.UNSUPPORTED: UnsupportedError,
    _abi.hoist_status.LIMIT: LimitError,
    _abi.hoist_status.NOT_FOUND: NotFoundError,
    _abi.hoist_status.BUSY: BusyError,
    _abi.hoist_status.CANCELLED: CancelledError,
    _abi.hoist_status.IO: ReadError,
}


def error(status: int, doing: str, findings: "Optional[list[Finding]]" = None) -> Exception:
    """The exception of a status: MemoryError, or a HoistError of its kind."""
    if status == _abi.hoist_status.NO_MEMORY:
        return MemoryError(doing)
    return _KINDS.get(_abi.hoist_status(status), HoistError)(status, doing, findings or [])


class Failures:
    """What callbacks raised: C goes on without exceptions, so they end its call by a status and are raised after it."""

    def __init__(self) -> None:
        self._first: Optional[BaseException] = None

    def guard(self, call: Callable[[], Any]) -> int:
        """Makes a callback's work; its status."""
        try:
            call()
        except BaseException as problem:  # check() raises it again
            self._first = self._first or problem
            return int(_abi.hoist_status.CANCELLED)
        return 0

    def check(self) -> None:
        """Raises the first of them."""
        if self._first:
            raise self._first


@dataclass
class Diag:
    """Collects the findings of calls, while it is entered."""
    strict: bool = False
    findings: "list[Finding]" = field(default_factory=list)
    handle: Any = None

    def __enter__(self) -> "Diag":
        options = _abi.hoist_diag_options(struct_size=ctypes.sizeof(_abi.hoist_diag_options), strict=self.strict)
        self.handle = ctypes.c_void_p()
        status = lib.hoist_diag_create(lib.hoist_allocator_system(), options, self.handle)
        if status:
            raise error(status, "collecting findings")
        return self

    def __exit__(self, *unused: Any) -> None:
        lib.hoist_diag_destroy(self.handle)
        self.handle = None

    def release(self) -> Any:
        """The pointer, which is the caller's to free then."""
        handle, self.handle = self.handle, None
        return handle

    def take(self) -> "list[Finding]":
        """The findings so far, sorted by file, member and place."""
        lib.hoist_diag_sort(self.handle)
        return [_finding(lib.hoist_diag_at(self.handle, index).contents)
                for index in range(lib.hoist_diag_kept(self.handle))]

    def check(self, status: int, doing: str) -> None:
        """Raises what `status` is, with the findings."""
        if status:
            raise error(status, doing, self.take())


def _finding(row: Any) -> Finding:
    place = row.loc
    at_text, at_byte = (place.kind == kind for kind in (_abi.hoist_loc_kind.TEXT, _abi.hoist_loc_kind.BYTE))
    return Finding(
        rule=row.rule.contents.id.decode(), severity=lib.hoist_severity_name(row.severity).decode(),
        file=text_of(row.file), message=text_of(row.message), member=text_of(row.member), object=text_of(row.object),
        context=text_of(row.context), line=place.pos.line if at_text else None,
        column=place.pos.column if at_text else None, offset=place.offset if at_byte else None)
