"""The first input of an image model, and outputs by number."""
from typing import Any, Callable, Optional

import numpy as np

from hoist.tflite import Interpreter


def input_details(interpreter: Interpreter, key: Optional[str] = None) -> Any:
    """The details of the first input, or one of them."""
    details = interpreter.get_input_details()[0]
    return details[key] if key else details


def input_size(interpreter: Interpreter) -> "tuple[int, int]":
    """Width and height of the first input, which is [batch, height, width, channels]."""
    _, height, width, _ = input_details(interpreter, "shape")
    return int(width), int(height)


def input_tensor(interpreter: Interpreter) -> "np.ndarray[Any, Any]":
    """The first image of the first input, to be written to."""
    view: Callable[[], "np.ndarray[Any, Any]"] = interpreter.tensor(input_details(interpreter, "index"))
    image: "np.ndarray[Any, Any]" = view()[0]
    return image


def set_input(interpreter: Interpreter, data: Any) -> None:
    """Copies an image of the input's size to it."""
    input_tensor(interpreter)[...] = data


def set_resized_input(interpreter: Interpreter, size: "tuple[int, int]",
                      resize: "Callable[[tuple[int, int]], Any]") -> "tuple[Any, tuple[float, float]]":
    """Copies an image of ``size`` (width, height) to the input, made smaller or larger by ``resize`` so that it fits
    and keeps its proportions; the rest, to the right and below, is 0. Returns what ``resize`` gave, and the scale of
    both dimensions."""
    width, height = input_size(interpreter)
    scale = min(width / size[0], height / size[1])
    small = int(size[0] * scale), int(size[1] * scale)
    tensor = input_tensor(interpreter)
    tensor[...] = 0
    image = resize(small)
    tensor[:small[1], :small[0]] = np.asarray(image).reshape(small[1], small[0], tensor.shape[2])
    return image, (scale, scale)


def output_tensor(interpreter: Interpreter, i: int) -> "np.ndarray[Any, Any]":
    """Output number ``i``; integers of a quantised model become the real numbers that they stand for."""
    details = interpreter.get_output_details()[i]
    data: "np.ndarray[Any, Any]" = interpreter.tensor(details["index"])()
    if "quantization" not in details or np.issubdtype(details["dtype"], np.floating):
        return data
    if not np.issubdtype(details["dtype"], np.integer):
        return data
    scale, zero_point = details["quantization"]
    real: "np.ndarray[Any, Any]" = scale * (data.astype(np.int64) - zero_point)
    return real if scale else data
