"""TensorFlow Lite models read with nothing but the standard library, for tests that judge what hoist made of them.

Fields are those of the public schema; where a value lies in the file is kept, so that it can be changed in place.
"""
import math
import struct

UINT8, INT8, INT32 = 3, 9, 2
SIZES = {0: 4, 1: 2, 2: 4, 3: 1, 4: 8, 6: 1, 7: 2, 9: 1}
NAMES = {0: "ADD", 1: "AVERAGE_POOL_2D", 2: "CONCATENATION", 3: "CONV_2D", 4: "DEPTHWISE_CONV_2D", 9: "FULLY_CONNECTED",
         14: "LOGISTIC", 17: "MAX_POOL_2D",
         18: "MUL", 22: "RESHAPE", 23: "RESIZE_BILINEAR", 25: "SOFTMAX", 32: "CUSTOM", 34: "PAD", 39: "TRANSPOSE", 40: "MEAN", 45: "STRIDED_SLICE",
         49: "SPLIT", 60: "PADV2", 65: "SLICE", 102: "SPLIT_V",
         114: "QUANTIZE"}
# Of the options of an operator: slot and kind of those that are read, in order: padding, strides, and so on.
OPTIONS = {
    "CONV_2D": {"padding": (0, "b", 0), "stride_w": (1, "i", 0), "stride_h": (2, "i", 0), "activation": (3, "b", 0),
                "dilation_w": (4, "i", 1), "dilation_h": (5, "i", 1)},
    "DEPTHWISE_CONV_2D": {"padding": (0, "b", 0), "stride_w": (1, "i", 0), "stride_h": (2, "i", 0),
                          "activation": (4, "b", 0), "dilation_w": (5, "i", 1), "dilation_h": (6, "i", 1)},
    "AVERAGE_POOL_2D": {"padding": (0, "b", 0), "stride_w": (1, "i", 0), "stride_h": (2, "i", 0),
                        "filter_w": (3, "i", 0), "filter_h": (4, "i", 0), "activation": (5, "b", 0)},
    "MAX_POOL_2D": {"padding": (0, "b", 0), "stride_w": (1, "i", 0), "stride_h": (2, "i", 0),
                    "filter_w": (3, "i", 0), "filter_h": (4, "i", 0), "activation": (5, "b", 0)},
    "FULLY_CONNECTED": {"activation": (0, "b", 0)},
    "SOFTMAX": {"beta": (0, "f", 0.0)},
    "ADD": {"activation": (0, "b", 0)},
    "MUL": {"activation": (0, "b", 0)},
    "CONCATENATION": {"axis": (0, "i", 0), "activation": (1, "b", 0)},
    "STRIDED_SLICE": {"begin_mask": (0, "i", 0), "end_mask": (1, "i", 0), "ellipsis_mask": (2, "i", 0),
                      "new_axis_mask": (3, "i", 0), "shrink_axis_mask": (4, "i", 0)},
    "RESIZE_BILINEAR": {"align_corners": (2, "b", 0), "half_pixel_centers": (3, "b", 0)},
}


class Table:
    """A table of a FlatBuffer: fields by slot."""

    def __init__(self, data, at):
        self.data = data
        self.at = at
        self.vtable = at - struct.unpack_from("<i", data, at)[0]
        self.slots = (struct.unpack_from("<H", data, self.vtable)[0] - 4) // 2

    def place(self, slot):
        """Where a field is stored; 0: it is not."""
        offset = struct.unpack_from("<H", self.data, self.vtable + 4 + 2 * slot)[0] if slot < self.slots else 0
        return self.at + offset if offset else 0

    def number(self, slot, kind, default):
        at = self.place(slot)
        return struct.unpack_from("<" + kind, self.data, at)[0] if at else default

    def target(self, slot):
        at = self.place(slot)
        return at + struct.unpack_from("<I", self.data, at)[0] if at else 0

    def table(self, slot):
        at = self.target(slot)
        return Table(self.data, at) if at else None

    def tables(self, slot):
        at = self.target(slot)
        count = struct.unpack_from("<I", self.data, at)[0] if at else 0
        places = [at + 4 + 4 * i for i in range(count)]
        return [Table(self.data, place + struct.unpack_from("<I", self.data, place)[0]) for place in places]

    def numbers(self, slot, kind):
        at = self.target(slot)
        count = struct.unpack_from("<I", self.data, at)[0] if at else 0
        return list(struct.unpack_from(f"<{count}{kind}", self.data, at + 4)) if at else []

    def span(self, slot):
        """Begin and end of a vector of bytes."""
        at = self.target(slot)
        return (at + 4, at + 4 + struct.unpack_from("<I", self.data, at)[0]) if at else (0, 0)

    def text(self, slot):
        begin, end = self.span(slot)
        return bytes(self.data[begin:end]).decode("utf-8", "replace")


class Tensor:
    """Shape, type, numbers and constant of a tensor. Zero points are those of the unsigned form."""

    def __init__(self, table, buffers):
        self.shape = table.numbers(0, "i")
        self.type = table.number(1, "b", 0)
        self.name = table.text(3)
        self.span = buffers[table.number(2, "I", 0)].span(0)
        self.data = table.data
        quantization = table.table(4)
        self.quantization = quantization
        self.scales = quantization.numbers(2, "f") if quantization else []
        zeros = quantization.numbers(3, "q") if quantization else []
        self.zeros = [zero + (128 if self.type == INT8 else 0) for zero in zeros]

    @property
    def is_constant(self):
        return self.span[1] > self.span[0]

    @property
    def elements(self):
        return math.prod(self.shape)

    def bytes(self):
        """The unsigned form of 8-bit numbers."""
        data = bytes(self.data[self.span[0]:self.span[1]])
        return bytes(value ^ 0x80 for value in data) if self.type == INT8 else data

    def ints(self):
        return list(struct.unpack(f"<{(self.span[1] - self.span[0]) // 4}i", self.data[self.span[0]:self.span[1]]))


class Operator:
    def __init__(self, table, codes):
        code = codes[table.number(0, "I", 0)]
        number = max(code.number(0, "b", 0), code.number(3, "i", 0))
        self.name = NAMES.get(number, f"BUILTIN_{number}")
        self.custom = code.text(1)
        self.inputs = [index for index in table.numbers(1, "i") if index >= 0]
        self.outputs = table.numbers(2, "i")
        self.options = table.table(4)

    def option(self, name):
        slot, kind, default = OPTIONS[self.name][name]
        return self.options.number(slot, kind, default) if self.options else default

    def option_place(self, name):
        """Where an option is stored; 0: it is not."""
        return self.options.place(OPTIONS[self.name][name][0]) if self.options else 0


class Model:
    """The first graph of a model."""

    def __init__(self, data):
        self.data = data
        root = Table(data, struct.unpack_from("<I", data, 0)[0])
        graph = root.tables(2)[0]
        buffers = root.tables(4)
        self.tensors = [Tensor(table, buffers) for table in graph.tables(0)]
        self.inputs = graph.numbers(1, "i")
        self.outputs = graph.numbers(2, "i")
        codes = root.tables(1)
        self.operators = [Operator(table, codes) for table in graph.tables(3)]
        self.makers = {output: op for op in self.operators for output in op.outputs}
