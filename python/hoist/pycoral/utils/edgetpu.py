"""Interpreters for models that were compiled for an Edge TPU."""
from typing import Any, Callable, Optional

import numpy as np

import hoist
from hoist.tflite import Delegate, Interpreter, load_delegate

__all__ = ["get_runtime_version", "list_edge_tpus", "load_edgetpu_delegate", "make_interpreter", "run_inference",
           "set_verbosity"]


def get_runtime_version() -> str:
    """Which library runs models here."""
    return f"hoist {hoist.__version__}"


def list_edge_tpus() -> "list[dict[str, str]]":
    """The devices: none is used."""
    return []


def set_verbosity(value: int) -> bool:
    """Nothing is printed, whatever the value."""
    del value
    return True


def load_edgetpu_delegate(options: "Optional[dict[str, Any]]" = None) -> Delegate:
    """What programs give to an interpreter for the chip."""
    return load_delegate("libedgetpu.so.1", options)


def make_interpreter(model_path_or_content: Any, device: Optional[str] = None,
                     delegate: Optional[Delegate] = None) -> Interpreter:
    """An interpreter of a model by its path or its bytes; devices make no difference."""
    del device
    delegates = [delegate] if delegate else []
    if isinstance(model_path_or_content, bytes):
        return Interpreter(model_content=model_path_or_content, experimental_delegates=delegates)
    return Interpreter(model_path=model_path_or_content, experimental_delegates=delegates)


def run_inference(interpreter: Interpreter, input_data: Any) -> None:
    """Copies elements, or bytes, to the first input, in its shape and type, and runs the model."""
    details = interpreter.get_input_details()[0]
    view: Callable[[], Any] = interpreter.tensor(details["index"])
    tensor = view()
    if isinstance(input_data, (bytes, bytearray, memoryview)):
        tensor.reshape(-1).view("u1")[:] = memoryview(input_data).cast("B")
    else:
        tensor.reshape(-1)[:] = np.asarray(input_data).reshape(-1)
    interpreter.invoke()
