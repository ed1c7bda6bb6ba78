"""The interpreter of TFLite's Python packages, on libhoist: ordinary models, and those that were compiled for an Edge
TPU, without the chip.

Only the import changes:

>>> from hoist.tflite import Interpreter, load_delegate
>>> interpreter = Interpreter("examples/tflite/classifier.tflite",
...                           experimental_delegates=[load_delegate("libedgetpu.so.1")])
>>> interpreter.allocate_tensors()
>>> interpreter.get_input_details()[0]["shape"].tolist()
[1, 8, 8, 3]

Where it differs from TFLite's: a resized input may only have another number of inferences, its first dimension, the
same for all inputs; tensors between operators can be read with ``experimental_preserve_all_tensors`` as far as
programs keep them; operators that cannot be run are refused by :meth:`Interpreter.allocate_tensors`, by name.
"""
import enum
import hashlib
from typing import Any, Callable, NamedTuple, Optional, Sequence

import numpy as np

from . import _job
from ._program import Session

_TYPES: "dict[str, Any]" = {
    "FLOAT32": np.float32, "FLOAT16": np.float16, "FLOAT64": np.float64, "INT8": np.int8, "INT16": np.int16,
    "INT32": np.int32, "INT64": np.int64, "UINT8": np.uint8, "UINT16": np.uint16, "UINT32": np.uint32,
    "UINT64": np.uint64, "BOOL": np.bool_, "COMPLEX64": np.complex64, "COMPLEX128": np.complex128,
    "STRING": np.bytes_}


class OpResolverType(enum.Enum):
    """Whose arithmetic is wanted. BUILTIN_REF is that of TFLite's reference kernels, the others of its optimised
    ones, which round sums of int8 layers once; no XNNPACK, which differs from both, is imitated."""
    AUTO = 0
    BUILTIN = 1
    BUILTIN_REF = 2
    BUILTIN_WITHOUT_DEFAULT_DELEGATES = 3


class Delegate:
    """Stands for a delegate. None is loaded: libhoist runs what it would have run."""

    def __init__(self, library: str, options: "Optional[dict[str, Any]]" = None) -> None:
        self.library, self.options = library, dict(options or {})


def load_delegate(library: str, options: "Optional[dict[str, Any]]" = None) -> Delegate:
    """A delegate by the name of its library, which need not exist."""
    return Delegate(library, options)


class _Allocated(NamedTuple):
    """What :meth:`Interpreter.allocate_tensors` makes, which threads see together or not at all: a session, and by
    their indices the names of tensors in it, and the elements of inputs and outputs."""
    session: Session
    ports: "dict[int, str]"
    values: "dict[int, np.ndarray[Any, Any]]"


class Interpreter:
    """A model and its tensors; methods, dicts and errors are those of ``tf.lite.Interpreter``."""

    def __init__(self, model_path: Optional[str] = None, model_content: Optional[bytes] = None,
                 experimental_delegates: Optional[Sequence[Any]] = None, num_threads: Optional[int] = None,
                 experimental_op_resolver_type: OpResolverType = OpResolverType.AUTO,
                 experimental_preserve_all_tensors: bool = False,
                 experimental_disable_delegate_clustering: bool = False) -> None:
        del experimental_delegates, experimental_disable_delegate_clustering  # there is nothing to give layers to
        source = model_content if model_path is None else model_path
        if source is None or (model_path is not None and model_content is not None):
            raise ValueError("expected either `model_path` or `model_content`")
        if num_threads is not None and num_threads < -1:
            raise ValueError("num_threads should >= 1")
        self._job = _job.open(source, format="tflite")
        self._threads = max(num_threads or 1, 0)
        self._rounding = "double" if experimental_op_resolver_type == OpResolverType.BUILTIN_REF else "single"
        self._keep = experimental_preserve_all_tensors
        self._model = self._job.dump()
        graph = self._model["subgraphs"][0]
        self._tensors: "list[dict[str, Any]]" = graph["tensors"]
        self._inputs: "list[int]" = graph.get("inputs", [])
        self._outputs: "list[int]" = graph.get("outputs", [])
        self._batch = 1
        self._allocated: Optional[_Allocated] = None
        self._constants: "Optional[dict[str, np.ndarray[Any, Any]]]" = None

    def allocate_tensors(self) -> None:
        """Lowers the model and opens a session of it; needed once, and after an input was resized."""
        if self._allocated is not None:
            return
        program = self._job.lower(batch=self._batch, rounding=self._rounding, layers=self._keep)
        found = [port for port in program.ports if port.input], [port for port in program.ports if port.output]
        ports = {index: port.name for indices, some in zip((self._inputs, self._outputs), found)
                 for index, port in zip(indices, some)}
        values = {index: np.zeros(program.port(name).shape, program.port(name).numpy) for index, name in ports.items()}
        if self._keep:
            names = {port.name for port in program.ports}
            for index, tensor in enumerate(self._tensors):
                if tensor.get("name") in names:
                    ports.setdefault(index, tensor["name"])
        self._allocated = _Allocated(program.session(threads=self._threads), ports, values)

    def invoke(self) -> None:
        """Runs the model on what its inputs hold."""
        session, ports, values = self._ready()
        for index in self._inputs:
            session.write(ports[index], values[index])
        session.begin()
        session.wait()
        for index in self._outputs:
            if index not in self._inputs:
                session.read(ports[index], out=values[index])

    def get_input_details(self) -> "list[dict[str, Any]]":
        """A dict for each input: name, index, shape, type, quantization."""
        return [self._details(index) for index in self._inputs]

    def get_output_details(self) -> "list[dict[str, Any]]":
        """A dict for each output: name, index, shape, type, quantization."""
        return [self._details(index) for index in self._outputs]

    def get_tensor_details(self) -> "list[dict[str, Any]]":
        """A dict for each tensor of the first subgraph."""
        return [self._details(index) for index in range(len(self._tensors))]

    def set_tensor(self, tensor_index: int, value: Any) -> None:
        """Copies an array of the same type and shape to an input."""
        values, array, details = self._ready().values, np.asarray(value), self._details(tensor_index)
        if tensor_index not in self._inputs:
            raise ValueError(f"Cannot set tensor: tensor {tensor_index} is not an input")
        if array.dtype != np.dtype(details["dtype"]):
            raise ValueError(f"Cannot set tensor: Got value of type {array.dtype} but expected type "
                             f"{np.dtype(details['dtype'])} for input {tensor_index}, name: {details['name']} ")
        if array.shape != tuple(details["shape"]):
            raise ValueError(f"Cannot set tensor: Dimension mismatch. Got {array.shape} but expected "
                             f"{tuple(details['shape'].tolist())} for input {tensor_index}.")
        values[tensor_index][...] = array

    def get_tensor(self, tensor_index: int, subgraph_index: int = 0) -> "np.ndarray[Any, Any]":
        """A copy of a tensor: an input, an output, a constant; another with experimental_preserve_all_tensors."""
        if subgraph_index:
            raise ValueError("only tensors of the first subgraph can be read")
        session, ports, values = self._ready()
        if tensor_index in values:
            return values[tensor_index].copy()
        if tensor_index in ports:
            return session.read(ports[tensor_index])
        constant = self._constant(tensor_index)
        if constant is None:
            raise ValueError(f"Tensor data is null: tensor {tensor_index} is between operators, which "
                             "experimental_preserve_all_tensors=True keeps where a program has it")
        return constant

    def tensor(self, tensor_index: int) -> Callable[[], "np.ndarray[Any, Any]"]:
        """A function that gives an input or output itself: what is written to it is read by :meth:`invoke`."""
        if tensor_index not in self._ready().values:
            return lambda: self.get_tensor(tensor_index)
        return lambda: self._ready().values[tensor_index]

    def resize_tensor_input(self, input_index: int, tensor_size: Sequence[int], strict: bool = False) -> None:
        """Chooses how many inferences a run makes; all inputs follow. Call :meth:`allocate_tensors` afterwards."""
        del strict  # no other dimension can change
        if input_index not in self._inputs:
            raise ValueError(f"tensor {input_index} is not an input")
        old, new = list(self._tensors[input_index].get("shape", [])), [int(size) for size in tensor_size]
        if len(old) != len(new) or old[1:] != new[1:] or not new or new[0] < 1 or new[0] % old[0]:
            raise ValueError(f"Cannot resize input {input_index} from {old} to {new}: only the first dimension can "
                             "change, to a multiple")
        if new[0] // old[0] != self._batch:
            self._batch, self._allocated = new[0] // old[0], None

    def reset_all_variables(self) -> None:
        """Forgets the state of a model that has one."""
        old = self._allocated
        if old is not None:
            self._allocated = old._replace(session=old.session.program.session(threads=self._threads))

    def get_signature_list(self) -> "dict[str, dict[str, list[str]]]":
        """Names of inputs and outputs of each signature."""
        return {row["signature_key"]: {kind: sorted(item["name"] for item in row.get(kind, []))
                                       for kind in ("inputs", "outputs")}
                for row in self._model.get("signature_defs", [])}

    def get_signature_runner(self, signature_key: Optional[str] = None) -> "SignatureRunner":
        """A function with named inputs; the key may be left out where there is one signature."""
        rows = {row["signature_key"]: row for row in self._model.get("signature_defs", [])}
        if signature_key is None:
            if len(rows) != 1:
                raise ValueError(f"SignatureDef signature_key is None and model has {len(rows)} Signatures. None is "
                                 "only allowed when the model has 1 SignatureDef")
            signature_key = next(iter(rows))
        if signature_key not in rows:
            raise ValueError(f"Invalid signature_key provided: '{signature_key}'.")
        return SignatureRunner(self, rows[signature_key])

    def _ready(self) -> _Allocated:
        allocated = self._allocated
        if allocated is None:
            raise RuntimeError("Invoke called on model that is not ready: call allocate_tensors() first")
        return allocated

    def _details(self, index: int) -> "dict[str, Any]":
        if not 0 <= index < len(self._tensors):
            raise ValueError(f"Tensor with index {index} does not exist")
        tensor = self._tensors[index]
        # Inputs and outputs have the shape of a run: that of a batch, or one that the file leaves to its operator.
        allocated = self._allocated
        held = allocated.values.get(index) if allocated else None
        shape = np.array(tensor.get("shape", []) if held is None else held.shape, np.int32)
        if held is None and self._batch > 1 and index in self._inputs + self._outputs:
            shape[0] *= self._batch
        quantization = tensor.get("quantization", {})
        scales = np.array(quantization.get("scale", []), np.float32)
        zeros = np.array(quantization.get("zero_point", []), np.int32)
        single = (float(scales[0]), int(zeros[0])) if len(scales) == 1 and len(zeros) == 1 else (0.0, 0)
        return {
            "name": tensor.get("name", ""), "index": index, "shape": shape,
            "shape_signature": np.array(tensor.get("shape_signature") or shape, np.int32),
            "dtype": _TYPES.get(tensor.get("type", "FLOAT32"), np.void), "quantization": single,
            "quantization_parameters": {"scales": scales, "zero_points": zeros,
                                        "quantized_dimension": quantization.get("quantized_dimension", 0)},
            "sparsity_parameters": {}}

    def _constant(self, index: int) -> "Optional[np.ndarray[Any, Any]]":
        details = self._details(index)
        data = self._model["buffers"][self._tensors[index].get("buffer", 0)].get("data")
        if isinstance(data, dict):  # a long one, of which the document has the digest
            found = self._long_constant(details["name"], data)
        else:
            found = bytes.fromhex(data) if data else None
        return None if found is None else np.frombuffer(found, details["dtype"]).reshape(details["shape"]).copy()

    def _long_constant(self, name: str, described: "dict[str, Any]") -> Optional[bytes]:
        """The bytes of a constant by its digest, since several tensors may have a name."""
        if self._constants is None:
            self._constants = self._job.arrays()
        named = self._constants.get(name)
        for array in [*([] if named is None else [named]), *self._constants.values()]:
            if array.nbytes == described["bytes"]:
                found = array.tobytes()
                if hashlib.sha256(found).hexdigest() == described["sha256"]:
                    return found
        return None


class SignatureRunner:
    """Calls a model by the names of a signature: arrays in, a dict of arrays out."""

    def __init__(self, interpreter: Interpreter, row: "dict[str, Any]") -> None:
        self._interpreter = interpreter
        self._inputs, self._outputs = ({item["name"]: item.get("tensor_index", 0) for item in row.get(kind, [])}
                                       for kind in ("inputs", "outputs"))

    def __call__(self, **inputs: Any) -> "dict[str, np.ndarray[Any, Any]]":
        if inputs.keys() != self._inputs.keys():
            raise ValueError(f"Invalid number of inputs provided for running a SignatureDef, expected "
                             f"{sorted(self._inputs)} vs provided {sorted(inputs)}")
        self._interpreter.allocate_tensors()
        for name, value in inputs.items():
            self._interpreter.set_tensor(self._inputs[name], value)
        self._interpreter.invoke()
        return {name: self._interpreter.get_tensor(index) for name, index in self._outputs.items()}

    def get_input_details(self) -> "dict[str, dict[str, Any]]":
        """Details of the inputs, by their names in the signature."""
        return {name: self._interpreter._details(index) for name, index in self._inputs.items()}

    def get_output_details(self) -> "dict[str, dict[str, Any]]":
        """Details of the outputs, by their names in the signature."""
        return {name: self._interpreter._details(index) for name, index in self._outputs.items()}
