"""Models that end in a detection operator: boxes, classes and scores."""
from typing import Any, Callable, NamedTuple

import numpy as np

from hoist.tflite import Interpreter

from . import common


class BBox(NamedTuple):
    """A rectangle; its right and lower edges are outside of it."""
    xmin: int
    ymin: int
    xmax: int
    ymax: int

    @property
    def width(self) -> int:
        """Columns."""
        return self.xmax - self.xmin

    @property
    def height(self) -> int:
        """Rows."""
        return self.ymax - self.ymin

    @property
    def area(self) -> int:
        """Pixels."""
        return self.width * self.height

    @property
    def valid(self) -> bool:
        """Whether no edge is beyond the opposite one."""
        return self.width >= 0 and self.height >= 0

    def scale(self, sx: float, sy: float) -> "BBox":
        """With coordinates times `sx` and `sy`, which may become fractions."""
        return BBox(sx * self.xmin, sy * self.ymin, sx * self.xmax, sy * self.ymax)  # type: ignore[arg-type]

    def translate(self, dx: float, dy: float) -> "BBox":
        """Moved by `dx` and `dy`."""
        return BBox(dx + self.xmin, dy + self.ymin, dx + self.xmax, dy + self.ymax)  # type: ignore[arg-type]

    def map(self, f: Callable[[Any], Any]) -> "BBox":
        """With `f` of each coordinate."""
        return BBox(*(f(value) for value in self))

    @staticmethod
    def intersect(a: "BBox", b: "BBox") -> "BBox":
        """What both cover; not valid where that is nothing."""
        return BBox(max(a.xmin, b.xmin), max(a.ymin, b.ymin), min(a.xmax, b.xmax), min(a.ymax, b.ymax))

    @staticmethod
    def union(a: "BBox", b: "BBox") -> "BBox":
        """The smallest rectangle around both."""
        return BBox(min(a.xmin, b.xmin), min(a.ymin, b.ymin), max(a.xmax, b.xmax), max(a.ymax, b.ymax))

    @staticmethod
    def iou(a: "BBox", b: "BBox") -> float:
        """Pixels of the intersection in those of both together, 0 to 1."""
        both = BBox.intersect(a, b)
        if not both.valid:
            return 0.0
        return both.area / (a.area + b.area - both.area)


class Object(NamedTuple):
    """Something that was detected."""
    id: int
    score: float
    bbox: BBox


def get_objects(interpreter: Interpreter, score_threshold: float = -float("inf"),
                image_scale: "tuple[float, float]" = (1.0, 1.0)) -> "list[Object]":
    """The detections whose score reaches the threshold, as pixels of the image whose scale
    :func:`common.set_resized_input` gave. Outputs of four elements a row are the boxes [ymin, xmin, ymax, xmax],
    0 to 1; which output is which follows from a signature's names, output_0 to output_3, else from the place of the
    count, which has one element. Rows beyond the count are zeros, which a threshold leaves out. ValueError for a
    model of fewer outputs."""
    boxes, ids, scores = _outputs(interpreter)
    width, height = common.input_size(interpreter)
    sx, sy = width / image_scale[0], height / image_scale[1]

    def make(index: int) -> Object:
        ymin, xmin, ymax, xmax = boxes[index]
        return Object(int(ids[index]), float(scores[index]),
                      BBox(xmin, ymin, xmax, ymax).scale(sx, sy).map(int))

    return [make(index) for index in range(len(scores)) if scores[index] >= score_threshold]


def _outputs(interpreter: Interpreter) -> "tuple[Any, Any, Any]":
    signatures = interpreter.get_signature_list()
    if signatures:
        runner = interpreter.get_signature_runner(next(iter(signatures)))
        details = runner.get_output_details()
        if len(details) == 4 and set(details) == {f"output_{index}" for index in range(4)}:
            boxes, ids, scores = (interpreter.tensor(details[f"output_{index}"]["index"])()[0] for index in (3, 2, 1))
            return boxes, ids, scores
    count = len(interpreter.get_output_details())
    if count < 4:
        raise ValueError(f"the model has {count} {'output' if count == 1 else 'outputs'}, expected the 4 of a detection: "
                         "boxes, classes, scores, count")
    first = [common.output_tensor(interpreter, index) for index in range(4)]
    # Models of the second detection API have their count third, those of the first one last.
    if first[3].size == 1:
        return first[0][0], first[1][0], first[2][0]
    return first[1][0], first[3][0], first[0][0]
