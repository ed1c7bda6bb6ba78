"""Whether two TensorFlow Lite models compute the same, operator by operator: for models that were recovered.

What differs without meaning anything is taken out of the way first: channels that are only cut and joined are those of the
values that they come from; PADs before windows become padding of the window (all four sides; at the bottom and the right without what the last window does not read, which is
counted), RESHAPEs and QUANTIZEs that keep every byte are seen through, dense layers are convolutions of 1 x 1, numbers are in
their unsigned form. Then each operator of the one has to be one of the other that reads the same values.
"""
import math
import struct

import tflite_read

COMPUTES = ("CONV_2D", "DEPTHWISE_CONV_2D", "FULLY_CONNECTED")
FACTOR_STEPS = 2 ** -22  # of multipliers, which the compiler has in float32
ADD_STEPS = 4e-4         # of factors of additions, which it has in 15 bits
UNREAD = "padding_unread"  # at the bottom and the right, which no window reads: the compiler leaves it out
LIMITS = {0: (-math.inf, math.inf), 1: (0, math.inf), 2: (-1, 1), 3: (0, 6)}  # of activations


def near(a, b, steps):
    return abs(a - b) <= steps * max(abs(a), abs(b))


def number(model, index):
    """Scale and zero point of a tensor; none where it has no numbers of its own."""
    tensor = model.tensors[index]
    return (tensor.scales[0], tensor.zeros[0]) if tensor.scales and tensor.zeros else (None, None)


def is_same_numbers(model, a, b):
    (scale, zero), (other, other_zero) = number(model, a), number(model, b)
    return scale == other and zero == other_zero


def seen_through(op):
    """The input of an operator that may keep every byte; None: it is no such."""
    if op.name in ("RESHAPE", "QUANTIZE"):
        return op.inputs[0]
    return op.inputs[1] if op.name == "SPLIT" and len(op.outputs) == 1 else None


def is_clear(model, op):
    """Whether an operator keeps every byte, in its order."""
    source = seen_through(op)
    if source is None:
        return False
    return (model.tensors[source].elements == model.tensors[op.outputs[0]].elements and
            is_same_numbers(model, source, op.outputs[0]))


def constants_of(model):
    """The first tensor of each constant, by all that it is."""
    found = {}
    for index, tensor in enumerate(model.tensors):
        if tensor.is_constant:
            key = (tensor.type, tuple(tensor.shape), tuple(tensor.scales), tuple(tensor.zeros if tensor.quantization else ()),
                   bytes(model.data[slice(*tensor.span)]))
            found.setdefault(key, []).append(index)
    return found


def value_of(model, index):
    """The tensor that a tensor is a view of; of equal constants the first."""
    if model.tensors[index].is_constant:
        return next(equal[0] for equal in constants_of(model).values() if index in equal)
    while index in model.makers and is_clear(model, model.makers[index]):
        index = seen_through(model.makers[index])
    return index


# Channels ------------------------------------------------------------------------------------------------------


def is_last_axis(model, index, axis):
    return axis in (-1, len(model.tensors[index].shape) - 1)


def cut_of(model, op, place):
    """The tensor and the channel with which an output of SPLIT, SPLIT_V, SLICE or STRIDED_SLICE begins; None: it is cut
    along another axis, or of another operator."""
    source, first = op.inputs[0], 0
    if op.name in ("SPLIT", "SPLIT_V"):
        axis = model.tensors[op.inputs[0 if op.name == "SPLIT" else 2]].ints()[0]
        source = op.inputs[1] if op.name == "SPLIT" else op.inputs[0]
        first = sum(model.tensors[index].shape[-1] for index in op.outputs[:place])
        if not is_last_axis(model, source, axis):
            return None
    elif op.name in ("SLICE", "STRIDED_SLICE"):
        first = model.tensors[op.inputs[1]].ints()[-1]
        if op.name == "STRIDED_SLICE":
            rank = len(model.tensors[source].shape)
            if set(model.tensors[op.inputs[3]].ints()) != {1} or op.option("shrink_axis_mask") or op.option("new_axis_mask"):
                return None
            first = 0 if op.option("begin_mask") >> (rank - 1) & 1 else first
        first += model.tensors[source].shape[-1] if first < 0 else 0
    else:
        return None
    made = op.outputs[place]
    is_so = model.tensors[source].shape[:-1] == model.tensors[made].shape[:-1] and is_same_numbers(model, source, made)
    return (source, first) if is_so else None


def is_cut(model, op):
    return len(op.outputs) > 0 and all(cut_of(model, op, place) for place in range(len(op.outputs)))


def is_join(model, op):
    """Whether a CONCATENATION moves channels and changes none of them."""
    return (op.name == "CONCATENATION" and not op.option("activation") and
            is_last_axis(model, op.outputs[0], op.option("axis")) and
            all(is_same_numbers(model, index, op.outputs[0]) and
                not (index in model.makers and is_scaling_of_join(model, model.makers[index])) for index in op.inputs))


def moves_channels(model, op):
    return model.has_cuts and (is_cut(model, op) or is_join(model, op))


def merged(parts):
    """Runs of channels, those that go on where the one before ended as one."""
    route = []
    for source, first, count in parts:
        if route and route[-1][0] == source and route[-1][1] + route[-1][2] == first:
            route[-1] = (source, route[-1][1], route[-1][2] + count)
        else:
            route.append((source, first, count))
    return tuple(route)


def some_of(route, first, count):
    parts = []
    for source, begin, size in route:
        low, high = max(first, 0), min(first + count, size)
        if low < high:
            parts.append((source, begin + low, high - low))
        first -= size
    return parts


def route_of(model, index):
    """What a value consists of: runs of channels of values that something computes."""
    index = value_of(model, index)
    op = model.makers.get(index)
    channels = model.tensors[index].shape[-1] if model.tensors[index].shape else 1
    if op is None or not moves_channels(model, op):
        return ((index, 0, channels),)
    if op.name == "CONCATENATION":
        return merged(part for source in op.inputs for part in route_of(model, source))
    source, first = cut_of(model, op, op.outputs.index(index))
    return merged(some_of(route_of(model, source), first, channels))


def pads_around(model, index):
    """Rows and columns that a PAD puts before and after a value, and the value without them."""
    op = model.makers.get(index)
    if not op or op.name != "PAD":
        return (0, 0), (0, 0), index
    pads = model.tensors[op.inputs[1]].ints()
    return (pads[2], pads[4]), (pads[3], pads[5]), value_of(model, op.inputs[0])


def limits(model, op):
    """Least and largest number of the output."""
    scale, zero = number(model, op.outputs[0])
    low, high = LIMITS[op.option("activation")]
    least = 0 if low == -math.inf else max(0, zero + round(low / scale))
    return least, 255 if high == math.inf else min(255, zero + round(high / scale))


def window(model, op, filters, index):
    """Kernel, strides, dilations, padding, extents and what is read."""
    source = value_of(model, index)
    pads, ends, inner = pads_around(model, source)
    extent = model.tensors[source].shape[1:3]
    image = model.tensors[inner].shape[1:3]
    made = model.tensors[op.outputs[0]].shape[1:3]
    strides = [op.option("stride_h"), op.option("stride_w")]
    dilations = [1, 1] if "dilation_h" not in tflite_read.OPTIONS[op.name] else [op.option("dilation_h"),
                                                                                 op.option("dilation_w")]
    padding, after, unread = [], [], []
    for axis in (0, 1):
        covered = (made[axis] - 1) * strides[axis] + (filters[axis] - 1) * dilations[axis] + 1
        total = max(covered - extent[axis], 0) if op.option("padding") == 0 else 0
        padding.append(pads[axis] + total // 2)
        end = ends[axis] + total - total // 2
        read = max(covered - image[axis] - padding[axis], 0)  # by the last window
        after.append(min(end, read))
        unread.append(max(end - read, 0))
    if filters == [1, 1]:
        dilations = [1, 1]
    if made == [1, 1]:
        strides = [1, 1]
    return {"kernel": list(filters), "strides": strides, "dilations": dilations, "padding": padding,
            "padding_after": after, "output": made, UNREAD: unread}, inner


def weights_of(model, op):
    """Rows of weights in the order of their channels, whatever the operator."""
    tensor = model.tensors[op.inputs[1]]
    data = tensor.bytes()
    if op.name != "DEPTHWISE_CONV_2D":
        return data
    channels = tensor.shape[3]
    return b"".join(data[c::channels] for c in range(channels))


def bias_of(model, op, rows):
    if len(op.inputs) < 3:
        return [0] * rows
    return model.tensors[op.inputs[2]].ints()


def factors(model, op, rows):
    scale, _ = number(model, op.inputs[0])
    made, _ = number(model, op.outputs[0])
    scales = model.tensors[op.inputs[1]].scales
    return [scale * scales[row if len(scales) > 1 else 0] / made for row in range(rows)]


def product_of(model, op):
    """What a layer with weights is, and the value that it reads."""
    weights = model.tensors[op.inputs[1]]
    rows = model.tensors[op.outputs[0]].shape[-1]
    source = value_of(model, op.inputs[0])
    facts = {"kind": "depthwise" if op.name == "DEPTHWISE_CONV_2D" else "convolution"}
    if op.name == "FULLY_CONNECTED":
        facts.update(kernel=[1, 1], strides=[1, 1], dilations=[1, 1], padding=[0, 0], padding_after=[0, 0], output=[1, 1])
    else:
        geometry, source = window(model, op, weights.shape[1:3], op.inputs[0])
        facts.update(geometry)
    if op.name == "DEPTHWISE_CONV_2D" and model.tensors[op.inputs[0]].shape[3] == 1:
        facts["kind"] = "convolution"
    zeros = weights.zeros
    facts.update(rows=rows, weights=weights_of(model, op), bias=bias_of(model, op, rows),
                 weight_zeros=[zeros[row if len(zeros) > 1 else 0] for row in range(rows)],
                 factors=(factors(model, op, rows), FACTOR_STEPS), limits=limits(model, op))
    return facts, [source]


def pool_of(model, op):
    filters = [op.option("filter_h"), op.option("filter_w")]
    facts, source = window(model, op, filters, op.inputs[0])
    facts.update(kind="max pool" if op.name == "MAX_POOL_2D" else "average pool", limits=limits(model, op))
    return facts, [source]


def mean_of(model, op):
    """A mean over rows and columns is a pool of all of them."""
    source = value_of(model, op.inputs[0])
    extent = model.tensors[source].shape[1:3]
    return {"kind": "average pool", "kernel": extent, "strides": [1, 1], "dilations": [1, 1], "padding": [0, 0],
            "padding_after": [0, 0], "output": [1, 1], "limits": (0, 255)}, [source]


def sum_of(model, op):
    made, _ = number(model, op.outputs[0])
    parts = sorted((value_of(model, index), number(model, index)[0] / made) for index in op.inputs)
    return {"kind": "add", "factors": ([factor for _, factor in parts], ADD_STEPS), "limits": limits(model, op)}, \
        [value for value, _ in parts]


def product_of_two(model, op):
    made, _ = number(model, op.outputs[0])
    scale = math.prod(number(model, index)[0] for index in op.inputs)
    return {"kind": "multiply", "factors": ([scale / made], FACTOR_STEPS), "limits": limits(model, op)}, \
        sorted(value_of(model, index) for index in op.inputs)


def softmax_of(model, op):
    scale, _ = number(model, op.inputs[0])
    return {"kind": "softmax", "factors": ([scale * op.option("beta")], FACTOR_STEPS)}, [value_of(model, op.inputs[0])]


def ratio(scale, made):
    """One scale over another; float32 has none."""
    return scale / made if scale and made else 1


def scaled_alone(model, op):
    """Numbers of one value each alone: another scale, or a function of the number itself."""
    scale, _ = number(model, op.inputs[0])
    made = number(model, op.outputs[0])[0] if op.name == "QUANTIZE" else 1
    return {"kind": op.name, "factors": ([ratio(scale, made)], FACTOR_STEPS)}, [value_of(model, op.inputs[0])]


def is_scaling_of_join(model, op):
    """Whether a QUANTIZE brings an input of a CONCATENATION to its scale, as those of uint8 do themselves."""
    readers = [reader for reader in model.operators if op.outputs[0] in reader.inputs]
    return (op.name == "QUANTIZE" and not is_clear(model, op) and len(readers) > 0 and
            all(reader.name == "CONCATENATION" for reader in readers))


def join_of(model, op):
    """What is joined, before it is scaled, and the factors of that."""
    made, _ = number(model, op.outputs[0])
    values = []
    for index in op.inputs:
        value = value_of(model, index)
        maker = model.makers.get(value)
        values.append(value_of(model, maker.inputs[0]) if maker and is_scaling_of_join(model, maker) else value)
    return {"kind": "CONCATENATION", "activation": op.option("activation"),
            "factors": ([ratio(number(model, value)[0], made) for value in values], FACTOR_STEPS)}, values


def other_of(model, op):
    inputs = [index for index in op.inputs if not model.tensors[index].is_constant]
    options = {name: op.option(name) for name in tflite_read.OPTIONS.get(op.name, {}) if name != "axis"}
    constants = [bytes(model.data[slice(*model.tensors[index].span)]) for index in op.inputs
                 if model.tensors[index].is_constant]
    return {"kind": op.name + op.custom, "options": options, "constants": constants}, \
        [value_of(model, index) for index in inputs]


MAKERS = {"AVERAGE_POOL_2D": pool_of, "MAX_POOL_2D": pool_of, "MEAN": mean_of, "ADD": sum_of, "MUL": product_of_two, "SOFTMAX": softmax_of,
          "QUANTIZE": scaled_alone, "LOGISTIC": scaled_alone, "CONCATENATION": join_of}


def facts_of(model, op):
    """Facts by name, and the values that are read, in an order that is the same for both models."""
    facts, inputs = (product_of if op.name in COMPUTES else MAKERS.get(op.name, other_of))(model, op)
    facts["numbers"] = [number(model, index)[1] for index in (*inputs, op.outputs[0])]
    return facts, [route_of(model, index) for index in inputs]


def is_pad_of_window(model, op):
    readers = [reader for reader in model.operators if op.outputs[0] in reader.inputs]
    return op.name == "PAD" and readers and all(reader.name in ("CONV_2D", "DEPTHWISE_CONV_2D") for reader in readers)


def layers(model):
    return [op for op in model.operators if not is_clear(model, op) and not is_pad_of_window(model, op) and
            not is_scaling_of_join(model, op) and not moves_channels(model, op)]


def is_same(wanted, found):
    if isinstance(wanted, tuple) and wanted and isinstance(wanted[0], list):
        return len(wanted[0]) == len(found[0]) and all(near(a, b, wanted[1]) for a, b in zip(wanted[0], found[0]))
    return wanted == found


def differences(wanted, found):
    return sorted(name for name in {*wanted, *found} - {UNREAD}
                  if name not in wanted or name not in found or not is_same(wanted[name], found[name]))


class Matching:
    """Values of the one model by those of the other."""

    def __init__(self, made, source):
        self.made = made
        self.source = source
        made.has_cuts = source.has_cuts = any(is_cut(model, op) for model in (made, source) for op in model.operators)
        self.values = {value_of(made, a): value_of(source, b) for a, b in zip(made.inputs, source.inputs)}
        there = constants_of(source)
        self.values.update((equal[0], there[key][0]) for key, equal in constants_of(made).items() if key in there)
        self.left = [(op, *facts_of(source, op)) for op in layers(source)]
        self.unread = []

    def note_unread(self, index, found, wanted):
        """Padding after all windows that the two do not have alike: no output can show it."""
        if found.get(UNREAD, [0, 0]) != wanted.get(UNREAD, [0, 0]):
            self.unread.append(f"operator {index}: {found[UNREAD]} for {wanted[UNREAD]} rows and columns")

    def twin(self, route):
        """The same channels of the other model's values; None: one has no twin."""
        if any(source not in self.values for source, _, _ in route):
            return None
        return tuple((self.values[source], first, count) for source, first, count in route)

    def candidates(self, kind, inputs):
        is_free = kind in ("add", "multiply")
        return [row for row in self.left if row[1]["kind"] == kind and
                (sorted(row[2]) == sorted(inputs) if is_free else row[2] == inputs)]

    def in_order(self, facts, inputs, row):
        """The facts of an addition with its factors in the order of the other's values."""
        if facts["kind"] != "add":
            return facts
        order = sorted(range(len(inputs)), key=lambda i: inputs[i])
        zeros = facts["numbers"]
        return {**facts, "factors": ([facts["factors"][0][i] for i in order], facts["factors"][1]),
                "numbers": [zeros[i] for i in order] + zeros[-1:]}

    def take(self, index, op):
        """What is wrong with an operator, in words; empty: it has its twin."""
        facts, inputs = facts_of(self.made, op)
        inputs = [self.twin(route) for route in inputs]
        if None in inputs:
            return f"operator {index} ({op.name}) reads what has no twin"
        rows = self.candidates(facts["kind"], inputs)
        least = None
        for row in rows:
            wrong = differences(row[1], self.in_order(facts, inputs, row))
            if not wrong:
                self.note_unread(index, facts, row[1])
                self.left.remove(row)
                self.values.update(zip(map(lambda i: value_of(self.made, i), op.outputs),
                                       map(lambda i: value_of(self.source, i), row[0].outputs)))
                return ""
            least = wrong if least is None or len(wrong) < len(least) else least
        return f"operator {index} ({op.name}): {', '.join(least) if least else 'no operator of the source reads that'}"


def compare(made, source, unread=None):
    """What of a model is not as in another, in words; empty: they compute the same. To `unread` goes the padding that
    differs and that no window of either reads."""
    matching = Matching(made, source)
    if unread is not None:
        matching.unread = unread
    if len(made.inputs) != len(source.inputs) or len(made.outputs) != len(source.outputs):
        return ["another number of inputs or outputs"]
    for index, op in enumerate(layers(made)):
        wrong = matching.take(index, op)
        if wrong:
            return [wrong]
    problems = [f"{op.name} of the source is missing" for op, _, _ in matching.left]
    for a, b in zip(made.outputs, source.outputs):
        if matching.twin(route_of(made, a)) != route_of(source, b):
            problems.append(f"output '{source.tensors[b].name}' is another value")
    return problems


# Changes ---------------------------------------------------------------------------------------------


def put(model, kind, at, value):
    struct.pack_into("<" + kind, model.data, at, value)


def change_weight(model, op, random):
    """Two weights that are not equal change places."""
    begin, end = model.tensors[op.inputs[1]].span
    for _ in range(64):
        a, b = (random.randrange(begin, end) for _ in range(2))
        if model.data[a] != model.data[b]:
            model.data[a], model.data[b] = model.data[b], model.data[a]
            return True
    return False


def change_bias(model, op, random):
    if len(op.inputs) < 3:
        return False
    begin, end = model.tensors[op.inputs[2]].span
    at = begin + 4 * random.randrange((end - begin) // 4)
    put(model, "i", at, struct.unpack_from("<i", model.data, at)[0] + 1)
    return True


def change_padding(model, op, _):
    """VALID for SAME, or SAME for VALID, where that moves the window."""
    if op.name == "FULLY_CONNECTED" or not op.options:
        return False
    before = window(model, op, model.tensors[op.inputs[1]].shape[1:3], op.inputs[0])[0]
    at = op.option_place("padding")
    if not at:
        return False
    model.data[at] ^= 1
    after = window(model, op, model.tensors[op.inputs[1]].shape[1:3], op.inputs[0])[0]
    return before["padding"] != after["padding"]


def change_stride(model, op, _):
    at = 0 if op.name == "FULLY_CONNECTED" else op.option_place("stride_h")
    if not at or model.tensors[op.outputs[0]].shape[1] == 1:
        return False
    put(model, "i", at, op.option("stride_h") + 1)
    return True


def change_zero(model, op, random):
    place = model.tensors[op.inputs[1]].quantization.target(3)
    at = place + 4 + 8 * random.randrange(len(model.tensors[op.inputs[1]].zeros)) if place else 0
    if not at:
        return False
    zero = struct.unpack_from("<q", model.data, at)[0]
    put(model, "q", at, zero - 1 if zero > 0 else zero + 1)
    return True


def change_order(model, op, _):
    """The weights of two layers of one shape change places."""
    span = model.tensors[op.inputs[1]].span
    for other in model.operators:
        if other.name != op.name or other is op:
            continue
        twin = model.tensors[other.inputs[1]]
        mine = model.tensors[op.inputs[1]]
        if twin.shape == mine.shape and twin.bytes() != mine.bytes():
            a, b = bytes(model.data[slice(*span)]), bytes(model.data[slice(*twin.span)])
            model.data[span[0]:span[1]] = b
            model.data[twin.span[0]:twin.span[1]] = a
            return True
    return False


CHANGES = (change_weight, change_bias, change_padding, change_stride, change_zero, change_order)


def changed(data, change, random):
    """A copy of a model with one such change, or None where it has nothing to change."""
    count = sum(op.name in COMPUTES for op in tflite_read.Model(bytearray(data)).operators)
    for index in random.sample(range(count), count):
        model = tflite_read.Model(bytearray(data))
        op = [op for op in model.operators if op.name in COMPUTES][index]
        if change(model, op, random):
            return bytes(model.data)
    return None
