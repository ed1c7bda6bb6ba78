"""Models that give a score for each class."""
import operator
from typing import Any, NamedTuple, Optional

import numpy as np

from hoist.tflite import Interpreter


class Class(NamedTuple):
    """A class and its score."""
    id: int
    score: float


def num_classes(interpreter: Interpreter) -> int:
    """Number of classes, the elements of the first output."""
    return int(np.prod(interpreter.get_output_details()[0]["shape"]))


def get_scores(interpreter: Interpreter) -> "np.ndarray[Any, Any]":
    """The scores of the first output as real numbers."""
    details = interpreter.get_output_details()[0]
    scores = interpreter.tensor(details["index"])().flatten()
    if not np.issubdtype(details["dtype"], np.integer):
        return scores
    scale, zero_point = details["quantization"]
    real: "np.ndarray[Any, Any]" = scale * (scores.astype(np.int64) - zero_point)
    return real


def get_classes_from_scores(scores: "np.ndarray[Any, Any]", top_k: Optional[float] = float("inf"),
                            score_threshold: Optional[float] = -float("inf")) -> "list[Class]":
    """The ``top_k`` best classes that reach the threshold, best first; of equal scores the lower number first."""
    most = min(len(scores) if top_k is None else top_k, len(scores))
    least = -float("inf") if score_threshold is None else score_threshold
    found = [Class(index, float(scores[index])) for index in range(len(scores)) if scores[index] >= least]
    return sorted(found, key=operator.itemgetter(1), reverse=True)[:int(most)]


def get_classes(interpreter: Interpreter, top_k: Optional[float] = float("inf"),
                score_threshold: Optional[float] = -float("inf")) -> "list[Class]":
    """The best classes of the model's output."""
    return get_classes_from_scores(get_scores(interpreter), top_k, score_threshold)
