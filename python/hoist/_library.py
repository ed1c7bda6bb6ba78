"""The C library, loaded once: that of HOIST_LIBRARY, else the one in this package, else the system's."""
import ctypes
import os
import pathlib
from typing import Any, Optional

from . import _abi

# Whose numbers of the C interface this package has; an older library lacks functions, a newer one adds some.
_NAME = "libhoist.so.0"


def _candidates() -> "list[str]":
    chosen = os.environ.get("HOIST_LIBRARY")
    if chosen:
        return [chosen]
    inside = pathlib.Path(__file__).with_name("lib") / _NAME
    return [str(inside)] if inside.exists() else [_NAME]


def _load() -> Any:
    names, reason = _candidates(), ""
    for name in names:
        try:
            library = ctypes.CDLL(name)
            break
        except OSError as error:
            reason = str(error)
    else:
        raise ImportError(f"libhoist is not found: {reason}; install it, or name its file in HOIST_LIBRARY")
    for name, (result, arguments) in _abi.FUNCTIONS.items():
        function: Optional[Any] = getattr(library, name, None)
        if function is None:
            raise ImportError(f"{names[0]} has no {name}: it is older than this package")
        function.restype, function.argtypes = result, arguments
    return library


lib = _load()


def text_of(value: Any) -> str:
    """A hoist_str; bytes that are no UTF-8 stay, as surrogates."""
    return ctypes.string_at(value.data, value.size).decode("utf-8", "surrogateescape") if value.size else ""


def bytes_of(value: Any) -> bytes:
    """A copy of hoist_bytes or hoist_mut_bytes."""
    return ctypes.string_at(value.data, value.size) if value.size else b""


def name_of(text: Optional[str]) -> Optional[bytes]:
    """A name as C takes it; None stays. ValueError where it holds a NUL, which would end it early."""
    if text is None:
        return None
    data = text.encode("utf-8", "surrogateescape")
    if b"\0" in data:
        raise ValueError("a name holds a NUL character")
    return data
