"""The interpreter against the real TFLite on models as people have them: its inputs, outputs, their names, shapes and
types, and elements, as the corpus keeps them (edgetpu-field/vectors; TFLite's own kernels, which round once); all
details of all tensors against what flatc reads of the files. Compiled models give what the command gives. Skipped where
there is no corpus, or no flatc."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from support import ROOT, Case, command, main, np

import hoist
from hoist.tflite import Interpreter, OpResolverType

FIELD = pathlib.Path(os.environ.get("HOIST_CORPUS", ROOT.parent / "shared/corpus"), "edgetpu-field")
# The part of TFLite's schema that details are made of; numbers of scales are bits, which JSON does not round.
SCHEMA = """
table Quantization {
    min:[uint]; max:[uint]; scale:[uint]; zero_point:[long]; details_type:ubyte; details:uint; quantized_dimension:int;
}
table Tensor {
    shape:[int]; type:byte; buffer:uint; name:string; quantization:Quantization; is_variable:bool; sparsity:uint;
    shape_signature:[int];
}
table SubGraph { tensors:[Tensor]; inputs:[int]; outputs:[int]; }
table Model { version:uint; operator_codes:uint; subgraphs:[SubGraph]; }
root_type Model;
"""
TYPES = {0: np.float32, 1: np.float16, 2: np.int32, 3: np.uint8, 4: np.int64, 6: np.bool_, 7: np.int16, 9: np.int8}
VECTORS = sorted(FIELD.glob("vectors/*.npz"))


def by_name(arrays, kind):
    return {name[len(kind):]: arrays[name] for name in arrays.files if name.startswith(kind)}


def facts(details):
    return sorted((row["name"], tuple(row["shape"].tolist()), np.dtype(row["dtype"])) for row in details)


def facts_of(arrays):
    return sorted((name, array.shape, array.dtype) for name, array in arrays.items())


def graph_by_flatc(path, folder):
    """The first subgraph as flatc reads it."""
    schema = pathlib.Path(folder, "part.fbs")
    schema.write_text(SCHEMA, encoding="ascii")
    subprocess.run(["flatc", "--json", "--strict-json", "--raw-binary", "-o", folder, str(schema), "--", str(path)],
                   check=True)
    return json.loads(pathlib.Path(folder, f"{path.stem}.json").read_text(encoding="utf-8"))["subgraphs"][0]


def details_by_flatc(index, row):
    """What an interpreter says of a tensor."""
    quantization = row.get("quantization", {})
    scales = np.array(quantization.get("scale", []), np.uint32).view(np.float32)
    zeros = quantization.get("zero_point", [])
    shape = row.get("shape", [])
    return {"name": row.get("name", ""), "index": index, "shape": shape,
            "shape_signature": row.get("shape_signature") or shape, "dtype": TYPES[row.get("type", 0)],
            "quantization": (scales[0], zeros[0]) if len(scales) == 1 else (0.0, 0), "scales": scales.tolist(),
            "zero_points": zeros, "quantized_dimension": quantization.get("quantized_dimension", 0)}


def flat(details):
    """The details of an interpreter in the same form."""
    row = {**details, **details["quantization_parameters"]}
    return {key: value.tolist() if isinstance(value, np.ndarray) else value for key, value in row.items()
            if key not in ("quantization_parameters", "sparsity_parameters")}


def is_name(stem, name):
    """Whether the command's file has the elements of an output; a name that is too long is cut."""
    begin, cut, _ = stem.partition("%~")
    name = name.replace("/", "%2F")
    return name.startswith(begin) if cut else name == stem


@unittest.skipUnless(VECTORS, "skipped: there is no corpus")
class Field(Case):
    @unittest.skipUnless(shutil.which("flatc"), "skipped: flatc is absent")
    def test_details(self):
        tensors = channels = 0
        for path in sorted([*FIELD.glob("source/*.tflite"), *FIELD.glob("compiled/*.tflite")]):
            with self.subTest(path.stem), tempfile.TemporaryDirectory() as folder:
                graph, model = graph_by_flatc(path, folder), Interpreter(str(path))
                expected = [details_by_flatc(index, row) for index, row in enumerate(graph["tensors"])]
                found = [flat(row) for row in model.get_tensor_details()]
                self.assertEqual(expected, found)
                for kind, rows in (("inputs", model.get_input_details()), ("outputs", model.get_output_details())):
                    self.assertEqual([expected[index] for index in graph[kind]], [flat(row) for row in rows])
                tensors += len(expected)
                channels += sum(len(row["scales"]) for row in expected)
        print(f"details of {tensors} tensors with {channels} scales are those that flatc reads")
        self.assertGreater(channels, tensors)

    def test_the_real_one(self):
        exact = near = 0
        for path in VECTORS:
            arrays = np.load(path)
            inputs, outputs = by_name(arrays, "in:"), by_name(arrays, "out:")
            with self.subTest(path.stem):
                model = Interpreter(str(FIELD / "source" / f"{path.name.rsplit('.', 2)[0]}.tflite"))
                self.assertEqual(facts_of(inputs), facts(model.get_input_details()))
                # The corpus lacks what the real one's JavaScript does not give out: int64.
                kept = [row for row in model.get_output_details() if row["dtype"] != np.int64]
                self.assertEqual(facts_of(outputs), facts(kept))
                model.allocate_tensors()
                for row in model.get_input_details():
                    model.set_tensor(row["index"], inputs[row["name"]])
                model.invoke()
                for row in kept:
                    expected, found = outputs[row["name"]], model.get_tensor(row["index"])
                    if expected.dtype.kind == "f":
                        np.testing.assert_allclose(found, expected, rtol=1e-3, atol=1e-4)
                        near += 1
                    else:
                        self.assertEqual(0, np.count_nonzero(found != expected), f"{row['name']} of {expected.size}")
                        exact += 1
        print(f"{exact} outputs equal, {near} within float's rounding")
        self.assertGreater(exact, 0)

    def test_compiled(self):
        """What the command gives, or refuses."""
        ran = refused = 0
        for path in sorted(FIELD.glob("compiled/*.tflite")):
            with self.subTest(path.stem), tempfile.TemporaryDirectory() as folder:
                model, out = Interpreter(str(path), experimental_op_resolver_type=OpResolverType.BUILTIN_REF), f"{folder}/out"
                arguments = ["run", "--output", out, "--rounding", "double", path]
                try:
                    model.allocate_tensors()
                except hoist.UnsupportedError:
                    command(*arguments, "--input", "*=random:1", accept=(4,))
                    refused += 1
                    continue
                for row in model.get_input_details():
                    image = np.random.default_rng(1).integers(0, 256, row["shape"]).astype(row["dtype"])
                    model.set_tensor(row["index"], image)
                    np.save(f"{folder}/{row['index']}.npy", image)
                    arguments += ["--input", f"{row['name']}=@{folder}/{row['index']}.npy"]
                model.invoke()
                command(*arguments)
                found = {row["name"]: model.get_tensor(row["index"]) for row in model.get_output_details()}
                files = list(pathlib.Path(out).glob("*.npy"))
                self.assertEqual(len(found), len(files))
                for name, array in found.items():
                    told = np.load(*(file for file in files if is_name(file.stem, name)))
                    np.testing.assert_array_equal(told.reshape(array.shape), array, name)
                ran += 1
        print(f"{ran} compiled models give what the command gives, {refused} are refused by both")
        self.assertGreater(ran, refused)


if __name__ == "__main__":
    main()
