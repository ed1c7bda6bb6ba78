"""Labels of classes."""
import os
import re
from typing import Union

_NUMBERED = re.compile(r"\s*(\d+)(?:\s*:\s*|\s+)(.*)")


def read_label_file(file_path: "Union[str, os.PathLike[str]]") -> "dict[int, str]":
    """The labels of a text file by their numbers: those that its lines begin with ("3  cat" or "3: cat"), else the
    numbers of the lines from 0 on."""
    with open(file_path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    labels: "dict[int, str]" = {}
    for row, line in enumerate(lines):
        match = _NUMBERED.fullmatch(line)
        if match:
            labels[int(match[1])] = match[2].strip()
        else:
            labels[row] = line.strip()
    return labels
