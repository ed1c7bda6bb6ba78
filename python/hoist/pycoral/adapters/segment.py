"""Models that give a class for each pixel."""
from typing import Any

import numpy as np

from hoist.tflite import Interpreter


def get_output(interpreter: Interpreter) -> "np.ndarray[Any, Any]":
    """The first output without its batch: numbers of classes [height, width], or scores [height, width, classes]."""
    details = interpreter.get_output_details()[0]
    mask: "np.ndarray[Any, Any]" = interpreter.tensor(details["index"])()[0]
    return mask
