"""Documents that the library sends as events: dicts, lists and plain values."""
import ctypes
from typing import Any, Callable, Union

from . import _abi
from ._errors import Failures
from ._library import text_of

_KIND = _abi.hoist_tree_kind
_Event = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(_abi.hoist_tree_event))


class Tree:
    """A sink whose events become the members of ``root``."""

    def __init__(self) -> None:
        self.root: "dict[str, Any]" = {}
        self.failures = Failures()
        self._open: "list[Union[dict[str, Any], list[Any], None]]" = [self.root]
        self._call = _Event(self._take)
        self.sink = _abi.hoist_tree_sink(event=self._call)

    def _take(self, _self: Any, pointer: Any) -> int:
        return self.failures.guard(lambda: self._event(pointer.contents))

    def _event(self, event: Any) -> None:
        kind, inner = event.kind, self._open[-1]
        if kind == _KIND.END:
            self._open.pop()
            return
        begins = kind in (_KIND.MAP, _KIND.LIST)
        if inner is None or event.audience == _abi.hoist_tree_audience.PEOPLE:
            if begins:
                self._open.append(None)
            return
        value = _VALUES[kind](event)
        if isinstance(inner, dict):
            inner[text_of(event.key)] = value
        else:
            inner.append(value)
        if begins:
            self._open.append(value)


def _number(event: Any) -> Union[int, float]:
    digits = text_of(event.str).lstrip("-") if event.str.size else ""
    return int(text_of(event.str)) if digits.isdigit() else float(event.number)


_VALUES: "dict[int, Callable[[Any], Any]]" = {
    _KIND.MAP: lambda event: {},
    _KIND.LIST: lambda event: [],
    _KIND.STR: lambda event: text_of(event.str),
    _KIND.INT: lambda event: event.integer,
    _KIND.UINT: lambda event: event.uinteger,
    _KIND.FLOAT: _number,
    _KIND.BOOL: lambda event: event.boolean,
    _KIND.NULL: lambda event: None,
}
