"""hoist lifts compiled accelerator programs off their hardware.

Opens, checks, describes, takes apart and runs Tenstorrent BUDA netlists, AWS NEFF, microsoft/ark models, TFLite and
compiled Edge TPU models with libhoist, on any Linux machine, with no accelerator in it.

>>> import hoist, numpy as np
>>> job = hoist.open("examples/tflite/classifier.tflite")
>>> [str(finding) for finding in job.check()]
[]
>>> with job.session() as session:
...     out = session.run({"input": np.zeros((1, 8, 8, 3), np.int8)})
>>> out["softmax"].dtype
dtype('int8')
"""
from ._comm import Comm, mpi_version
from ._errors import (BusyError, CancelledError, Finding, HoistError, InvalidError, LimitError, NotFoundError,
                      ReadError, UnsupportedError)
from ._job import Findings, Job, Page, format_of, formats, open, pack
from ._library import lib as _lib
from ._program import Port, Program, Session, fast_products, read_program
from ._rules import Rule, rules

__version__: str = _lib.hoist_version().decode()

__all__ = ["BusyError", "CancelledError", "Comm", "Finding", "Findings", "HoistError", "InvalidError", "Job",
           "LimitError", "NotFoundError", "Page", "Port", "Program", "ReadError", "Rule", "Session", "UnsupportedError",
           "fast_products", "format_of", "formats", "mpi_version", "open", "pack", "read_program", "rules"]
