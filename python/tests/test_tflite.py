"""The interpreter and Coral's adapters."""
import pathlib
import tempfile

from support import CLASSIFIER, LAYERS, Case, main, np

import hoist
from hoist.pycoral.adapters import classify, common, detect, segment
from hoist.pycoral.utils import edgetpu
from hoist.pycoral.utils.dataset import read_label_file
from hoist.tflite import Interpreter, OpResolverType, load_delegate


def made(path=CLASSIFIER, **choices):
    interpreter = Interpreter(path, **choices)
    interpreter.allocate_tensors()
    return interpreter


class Details(Case):
    def test_input(self):
        details = made().get_input_details()
        self.assertEqual(1, len(details))
        one = details[0]
        self.assertEqual(("input", 0, [1, 8, 8, 3], np.int8, (0.5, -128)),
                         (one["name"], one["index"], one["shape"].tolist(), one["dtype"], one["quantization"]))
        self.assertEqual(np.float32, one["quantization_parameters"]["scales"].dtype)

    def test_channels(self):
        weights = made().get_tensor_details()[1]
        self.assertEqual((0.0, 0), weights["quantization"])
        self.assertEqual([0.125, 0.25, 0.0625, 0.125], weights["quantization_parameters"]["scales"].tolist())

    def test_constant(self):
        interpreter = made()
        bias = interpreter.get_tensor(2)
        self.assertEqual((np.int32, [100, -200, 300, -400]), (bias.dtype, bias.tolist()))
        filters = interpreter.get_tensor(1)  # 108 bytes, of which documents have the digest alone
        with hoist.open(CLASSIFIER) as job:
            np.testing.assert_array_equal(job.arrays()["filters"], filters)
        self.assertEqual((4, 3, 3, 3), filters.shape)
        filters[...] = 0  # a copy, as TFLite's
        with self.assertRaises(ValueError):
            interpreter.get_tensor(3)


class Runs(Case):
    def test_bits_of_a_session(self):
        image = np.random.default_rng(1).integers(-128, 127, (1, 8, 8, 3), np.int8)
        with hoist.open(CLASSIFIER).session(rounding="single") as session:
            expected = session.run({"input": image})["softmax"]
        interpreter = made(experimental_delegates=[load_delegate("libedgetpu.so.1", {"device": "usb"})])
        interpreter.set_tensor(0, image)
        interpreter.invoke()
        np.testing.assert_array_equal(expected, interpreter.get_tensor(9))

    def test_tensor_is_the_tensor(self):
        interpreter = made()
        inside, out = interpreter.tensor(0), interpreter.tensor(9)
        self.assertEqual(inside().ctypes.data, inside().ctypes.data)
        inside()[...] = 17
        interpreter.invoke()
        first = out().copy()
        inside()[...] = -128
        interpreter.invoke()
        self.assertFalse(np.array_equal(first, out()))

    def test_errors(self):
        interpreter = Interpreter(CLASSIFIER)
        with self.assertRaises(RuntimeError):
            interpreter.invoke()
        interpreter.allocate_tensors()
        for value in (np.zeros((1, 8, 8, 3), np.uint8), np.zeros((8, 8, 3), np.int8)):
            with self.assertRaises(ValueError):
                interpreter.set_tensor(0, value)
        with self.assertRaises(ValueError):
            interpreter.set_tensor(9, np.zeros((1, 10), np.int8))
        with self.assertRaises(ValueError):
            Interpreter()
        with self.assertRaises(ValueError):
            interpreter.get_tensor(99)

    def test_batch(self):
        images = np.random.default_rng(2).integers(-128, 127, (3, 8, 8, 3), np.int8)
        interpreter = made()
        one = []
        for image in images:
            interpreter.set_tensor(0, image[np.newaxis])
            interpreter.invoke()
            one.append(interpreter.get_tensor(9)[0])
        interpreter.resize_tensor_input(0, [3, 8, 8, 3])
        interpreter.allocate_tensors()
        interpreter.set_tensor(0, images)
        interpreter.invoke()
        np.testing.assert_array_equal(np.stack(one), interpreter.get_tensor(9))
        with self.assertRaises(ValueError):
            interpreter.resize_tensor_input(0, [1, 9, 8, 3])

    def test_all_tensors(self):
        interpreter = made(experimental_preserve_all_tensors=True,
                           experimental_op_resolver_type=OpResolverType.BUILTIN_REF)
        interpreter.invoke()
        self.assertEqual((1, 8, 8, 4), interpreter.get_tensor(3).shape)

    def test_content_and_compiled(self):
        interpreter = Interpreter(model_content=pathlib.Path(LAYERS).read_bytes(), num_threads=2)
        interpreter.allocate_tensors()
        interpreter.invoke()
        self.assertEqual({}, interpreter.get_signature_list())
        with self.assertRaises(ValueError):
            interpreter.get_signature_runner()


class Coral(Case):
    def test_classify(self):
        interpreter = edgetpu.make_interpreter(CLASSIFIER)
        interpreter.allocate_tensors()
        self.assertEqual((8, 8), common.input_size(interpreter))
        common.set_input(interpreter, np.full((8, 8, 3), 3, np.int8))
        interpreter.invoke()
        classes = classify.get_classes(interpreter, top_k=3)
        raw = interpreter.get_tensor(9)[0].astype(int)
        self.assertEqual([(index, (raw[index] + 128) / 256) for index in np.argsort(-raw, kind="stable")[:3]],
                         [tuple(found) for found in classes])
        self.assertEqual(10, classify.num_classes(interpreter))
        self.assertEqual([], classify.get_classes(interpreter, score_threshold=2.0))
        edgetpu.run_inference(interpreter, bytes(192))
        edgetpu.run_inference(interpreter, np.zeros(192, np.int8))

    def test_resized(self):
        interpreter = made()
        small, scale = common.set_resized_input(interpreter, (16, 8),
                                                lambda size: np.ones((size[1], size[0], 3), np.int8))
        self.assertEqual(((4, 8, 3), (0.5, 0.5)), (small.shape, scale))
        self.assertEqual((1, 0), (common.input_tensor(interpreter)[3, 7, 0], common.input_tensor(interpreter)[4, 0, 0]))

    def test_segment(self):
        interpreter = made(LAYERS)
        interpreter.invoke()
        self.assertEqual(interpreter.get_tensor(1).shape[1:], segment.get_output(interpreter).shape)

    def test_boxes(self):
        a, b = detect.BBox(0, 0, 4, 4), detect.BBox(2, 2, 6, 6)
        self.assertEqual((detect.BBox(2, 2, 4, 4), detect.BBox(0, 0, 6, 6)),
                         (detect.BBox.intersect(a, b), detect.BBox.union(a, b)))
        self.assertAlmostEqual(4 / 28, detect.BBox.iou(a, b))
        self.assertEqual(0.0, detect.BBox.iou(a, detect.BBox(5, 5, 6, 6)))
        self.assertEqual(detect.BBox(0, 0, 8, 12), a.scale(2, 3).map(int))

    def test_objects(self):
        """The four outputs in the three orders in which models have them."""
        boxes = np.array([[[0.25, 0.5, 0.75, 1.0], [0, 0, 1, 1]]], np.float32)
        ids, scores, count = np.array([[7.0, 8.0]]), np.array([[0.5, 0.25]]), np.array([2.0])
        expected = detect.Object(7, 0.5, detect.BBox(50, 25, 100, 75))
        first = {0: boxes, 1: ids, 2: scores, 3: count}
        second = {0: scores, 1: boxes, 2: count, 3: ids}
        for outputs in (first, second):
            self.assertEqual([expected], detect.get_objects(Fake(outputs), 0.4))
        named = Fake({0: count, 1: scores, 2: ids, 3: boxes}, ["output_0", "output_1", "output_2", "output_3"])
        self.assertEqual([expected], detect.get_objects(named, 0.4))
        self.assertEqual(2, len(detect.get_objects(Fake(first))))

    def test_labels(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "labels.txt")
            path.write_text("0  cat\n7: a dog\n")
            self.assertEqual({0: "cat", 7: "a dog"}, read_label_file(path))
            path.write_text("cat\ndog\n")
            self.assertEqual({0: "cat", 1: "dog"}, read_label_file(str(path)))


class Fake:
    """An interpreter with four outputs and an input of 100 by 100 pixels."""

    def __init__(self, outputs, names=None):
        self.outputs, self.names = outputs, names

    def get_input_details(self):
        return [{"index": 9, "shape": [1, 100, 100, 3]}]

    def get_output_details(self):
        return [{"index": index, "dtype": np.float32} for index in range(4)]

    def tensor(self, index):
        return lambda: self.outputs[index]

    def get_signature_list(self):
        return {"serving_default": {}} if self.names else {}

    def get_signature_runner(self, _key):
        return self

    def __getattribute__(self, name):
        if name == "get_output_details" and object.__getattribute__(self, "names"):
            return lambda: Signature({n: {"index": i} for i, n in enumerate(self.names)})
        return object.__getattribute__(self, name)


class Signature(dict):
    """Output details by name, and by number as an interpreter has them."""

    def __getitem__(self, key):
        return super().__getitem__(key)


if __name__ == "__main__":
    main()
