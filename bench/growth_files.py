"""Files that grow: for each format a few ways in which a file can get bigger, one number long.

FAMILIES has a row for each: a function that writes the file for a number n below a folder and gives its
path, and the commands that are measured on it.
"""
import json
import pathlib
import shutil
import struct
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLES = HERE.parent / "examples"

# Netlists ------------------------------------------------------------------------------------------------

CORES = 60  # ops of a graph, each with a core of its own
CHANNELS = 6
QUEUE_BYTES = 0x1000

OP = ("    {name}: {{type: {type}, grid_loc: [{row}, {column}], grid_size: [1, 1], inputs: [{inputs}], "
      "in_df: [{formats}], acc_df: Float16_b, out_df: Float16_b, intermed_df: Float16_b, ublock_order: r, "
      "buf_size_mb: 2, math_fidelity: HiFi3, untilize_output: false, t: 1, mblock: [1, 1], ublock: [1, 1]}}\n")
SETTINGS = "{{prologue: false, epilogue: false, zero: false, rd_ptr_local: {local}, rd_ptr_global: {read}}}"


def op(name, source, core=0, kind="datacopy"):
    return OP.format(name=name, type=kind, row=core // 8, column=core % 8, inputs=source, formats="Float16_b")


def queue(number, name, source, entries=1):
    size = entries * QUEUE_BYTES
    address = 0x30000000 + number // CHANNELS * size
    return (f"  {name}: {{type: queue, input: {source}, entries: {entries}, grid_size: [1, 1], t: 1, mblock: [1, 1], "
            f"ublock: [1, 1], df: Float16_b, target_device: 0, loc: dram, dram: [[{number % CHANNELS}, {address:#x}]]}}\n")


def graph(name, ops):
    return f"  {name}:\n    target_device: 0\n    input_count: 1\n" + "".join(ops)


def execute(name, queues, local=0, read=0):
    settings = ", ".join(f"{q}: " + SETTINGS.format(local=local, read=read) for q in queues)
    return f"    - execute: {{graph_name: {name}, queue_settings: {{{settings}}}}}\n"


def netlist(folder, queues, graphs, programs):
    path = folder / "model.yaml"
    path.write_text("devices:\n  arch: wormhole_b0\nqueues:\n" + "".join(queues) + "graphs:\n" + "".join(graphs) +
                    "programs:\n" + "".join(programs), encoding="ascii")
    return path


def netlist_graphs(folder, n):
    """Graphs of one op, each with a queue before and behind it."""
    queues = [queue(2 * i, f"x{i}", "HOST") + queue(2 * i + 1, f"y{i}", f"c{i}") for i in range(n)]
    return netlist(folder, queues, [graph(f"g{i}", [op(f"c{i}", f"x{i}")]) for i in range(n)],
                   ["  - run:\n"] + [execute(f"g{i}", [f"x{i}"]) for i in range(n)])


def netlist_ops(folder, n):
    """Chains of ops that fill the cores of a graph."""
    queues, graphs, steps = [], [], ["  - run:\n"]
    for g, first in enumerate(range(0, n, CORES)):
        last = min(n, first + CORES) - 1
        queues += [queue(2 * g, f"x{g}", "HOST"), queue(2 * g + 1, f"y{g}", f"c{last}")]
        graphs.append(graph(f"g{g}", [op(f"c{i}", f"c{i - 1}" if i > first else f"x{g}", i - first)
                                      for i in range(first, last + 1)]))
        steps.append(execute(f"g{g}", [f"x{g}"]))
    return netlist(folder, queues, graphs, steps)


def netlist_programs(folder, n):
    """Programs that execute one graph."""
    queues = [queue(0, "x", "HOST", n), queue(1, "y", "c", n)]
    return netlist(folder, queues, [graph("g", [op("c", "x")])],
                   [f"  - p{i}:\n" + execute("g", ["x"], i, i) for i in range(n)])


def netlist_executes(folder, n):
    """One program that executes one graph again and again."""
    queues = [queue(0, "x", "HOST", n), queue(1, "y", "c", n)]
    return netlist(folder, queues, [graph("g", [op("c", "x")])],
                   ["  - run:\n"] + [execute("g", ["x"], i, i) for i in range(n)])


def netlist_entries(folder, n):
    """A loop over all entries of a queue."""
    queues = [queue(0, "x", "HOST", n), queue(1, "y", "c", n)]
    return netlist(folder, queues, [graph("g", [op("c", "x")])],
                   [f"  - run:\n    - staticvar: {{$p: 0}}\n    - loop: {n}\n" + execute("g", ["x"], "$p", "$p") +
                    f"    - varinst: [$p, incwrap, 1, {2 * n}]\n    - endloop\n"])


def netlist_fan_out(folder, n):
    """An op whose result goes to many queues."""
    queues = [queue(0, "x", "HOST")] + [queue(i + 1, f"y{i}", "c") for i in range(n)]
    return netlist(folder, queues, [graph("g", [op("c", "x")])], ["  - run:\n", execute("g", ["x"])])


def netlist_readers(folder, n):
    """A queue that many ops read, in many graphs."""
    queues, graphs, steps = [queue(0, "x", "HOST")], [], ["  - run:\n"]
    for g, first in enumerate(range(0, n, CORES)):
        last = min(n, first + CORES)
        queues += [queue(i + 1, f"y{i}", f"c{i}") for i in range(first, last)]
        graphs.append(graph(f"g{g}", [op(f"c{i}", "x", i - first) for i in range(first, last)]))
        steps.append(execute(f"g{g}", ["x"]))
    return netlist(folder, queues, graphs, steps)


# Programs ------------------------------------------------------------------------------------------------


def program(folder, lines):
    path = folder / "model.hoist"
    path.write_text("program grows\nspace m\n" + "".join(line + "\n" for line in lines), encoding="ascii")
    return path


ENDS = ["buffer x in m size 64 of f32[16] lifetime session contents zero",
        "buffer y in m size 64 of f32[16] lifetime session output"]


def relu(source, to):
    return f"    compute ieee.relu from [{source} f32[16]] to [{to} f32[16]]"


def program_steps(folder, n):
    """Steps of one thread, from buffer to buffer."""
    steps = [relu("x" if i == 0 else f"b{(i - 1) % 2}", f"b{i % 2}") for i in range(n)]
    return program(folder, ENDS + [f"buffer b{i} in m size 64 lifetime run" for i in range(2)] + ["thread main {"] +
                   steps + [relu(f"b{(n - 1) % 2}", "y"), "}", "entry run {", "    start main", "}"])


def program_buffers(folder, n):
    """Buffers of one call, each read by the next step: the planner's chain."""
    buffers = [f"buffer b{i} in m size {64 * (1 + i % 7)}" for i in range(n)]
    steps = [relu("x" if i == 0 else f"b{i - 1}", f"b{i}") for i in range(n)]
    return program(folder, ENDS + buffers + ["function f {"] + steps + [relu(f"b{n - 1}", "y"), "}", "thread main {",
                   "    call f", "}", "entry run {", "    start main", "}"])


def program_lives(folder, n):
    """Buffers of one call that all live at once."""
    buffers = [f"buffer b{i} in m size {64 * (1 + i % 7)}" for i in range(n)]
    there = [relu("x", f"b{i}") for i in range(n)]
    back = [relu(f"b{i}", "y") for i in range(n)]
    return program(folder, ENDS + buffers + ["function f {"] + there + back + ["}", "thread main {", "    call f", "}",
                   "entry run {", "    start main", "}"])


def program_threads(folder, n):
    """Threads that hand a buffer on, from one to the next."""
    lines = ENDS + [f"semaphore s{i}" for i in range(n)]
    for i in range(n):
        lines += [f"buffer b{i} in m size 64 lifetime run", f"thread t{i} {{"]
        lines += [f"    wait s{i} >= 1"] if i else []
        lines += [relu(f"b{i - 1}" if i else "x", f"b{i}")]
        lines += [f"    signal s{i + 1} add 1" if i < n - 1 else relu(f"b{i}", "y"), "}"]
    return program(folder, lines + ["entry run {"] + [f"    start t{i}" for i in range(n)] + ["}"])


def program_entries(folder, n):
    """Entries that start a thread each."""
    lines = list(ENDS)
    for i in range(n):
        lines += [f"thread t{i} {{", relu("x", "y"), "}", f"entry e{i} {{", f"    start t{i}", "}"]
    return program(folder, lines)


def program_units(folder, n):
    """Units that are posted to, then waited for."""
    lines = ENDS + [f"buffer b{i} in m size 64 lifetime run" for i in range(n)] + [f"unit u{i} depth 1" for i in range(n)]
    lines += ["semaphore s", "function f {", "    parameter to view f32[16] written", relu("x", "param(to)"), "}", "thread main {"]
    lines += [f"    post u{i} f with [b{i} f32[16]] then [s add 1]" for i in range(n)]
    return program(folder, lines + [f"    wait s >= {n}", relu("b0", "y"), "}", "entry run {", "    start main", "}"])


def program_functions(folder, n):
    """Functions that call one another, as deep as a chain of ten, and many of these."""
    lines = list(ENDS)
    for i in range(n):
        lines += [f"function f{i} {{", relu("x", "y")] + ([f"    call f{i - 1}"] if i % 10 else []) + ["}"]
    return program(folder, lines + ["thread main {"] + [f"    call f{i}" for i in range(9, n, 10)] +
                   ["}", "entry run {", "    start main", "}"])


# NEFFs ---------------------------------------------------------------------------------------------------


def desc(source, to, at=0, size=64):
    return (f'{{"from": "{source}", "from_off": {at}, "from_sizes": [{size}], "from_steps": [1], "to": "{to}", "to_off": {at}, '
            f'"to_sizes": [{size}], "to_steps": [1]}}')


def neff(folder, subgraphs, inputs, outputs, hoist):
    """Packs a file of subgraphs, each (def.json, sp.json, sp.asm)."""
    parts = folder / "parts"
    shutil.rmtree(parts, ignore_errors=True)
    names = inputs + outputs
    nodes = [{"op": "null", "name": name, "attrs": {}, "inputs": []} for name in inputs]
    nodes.append({"op": "tvm_op", "name": "k", "attrs": {"func_name": "__kelf", "kelf": "kelf-0.json"},
                  "inputs": [[i, 0, 0] for i in range(len(inputs))]})
    count = len(inputs)
    graph_json = {"nodes": nodes, "arg_nodes": list(range(count)), "heads": [[count, i, 0] for i in range(len(outputs))],
                  "node_row_ptr": list(range(count + 1)) + [len(names)],
                  "attrs": {"shape": ["list_shape", [[64]] * len(names)], "dltype": ["list_str", ["uint8"] * len(names)]}}
    kelf = {"version": "2.0", "target": "sunda",
            "graphs": [{"name": f"sg{i:02}", "definition": f"sg{i:02}/def.json"} for i in range(len(subgraphs))]}
    for i, (definition, engine, assembly) in enumerate(subgraphs):
        place = parts / f"sg{i:02}"
        place.mkdir(parents=True)
        (place / "def.json").write_text(definition, encoding="ascii")
        (place / "sp.json").write_text(engine, encoding="ascii")
        (place / "sp.asm").write_text(assembly, encoding="ascii")
    (parts / "neff.json").write_text(json.dumps(graph_json), encoding="ascii")
    (parts / "kelf-0.json").write_text(json.dumps(kelf), encoding="ascii")
    path = folder / "model.neff"
    path.unlink(missing_ok=True)
    subprocess.run([hoist, "pack", "-o", path, parts], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return path


def definition(variables, queues):
    return json.dumps({"name": "sg", "version": "0.6", "sp": "sp.json", "dma_queue": queues, "var": variables})


def variables_of(names, kinds):
    return {name: {"type": kinds.get(name, "tmp-buf"), "var_id": i, "size": 64} for i, name in enumerate(names)}


def engine_of(blocks):
    """An engine's JSON of blocks: (id, queue, text of descriptors)."""
    texts = ",\n".join(f'{{"id": {i}, "queue": "{q}", "semaphore": 1, "desc": [{d}]}}' for i, q, d in blocks)
    return '{"instr": "sp.bin", "name": "sp", "dma": [' + texts + "]}"


ENDS_OF = {"x": "input", "y": "output"}
ONE_QUEUE = {"q0": {"type": "data", "owner": "sp", "semaphore": 1}}
TRIGGER = "PSEUDO_DMA_TRIGGER {0} block_id={1};\nEVENT_SEMAPHORE $S[{2}]>=1 value=0;\n"
EXIT = "PSEUDO_INST EXIT;\n"


def neff_descriptors(folder, n, hoist):
    """Descriptors of one block, of slices: alike ones in a small file take more than the default memory."""
    places = ((i * 2654435761 >> 16) % 64 for i in range(n))
    descs = (desc("x", "y", at, 1 + (i * 40503 >> 8) % (64 - at)) for i, at in enumerate(places))
    engine = engine_of([(0, "q0", ",\n".join(descs))])
    assembly = "PSEUDO_DMA_TRIGGER q0 block_id=0;\nEVENT_SEMAPHORE $S[1]>=1;\n" + EXIT
    return neff(folder, [(definition(variables_of(["x", "y"], ENDS_OF), ONE_QUEUE), engine, assembly)], ["x"], ["y"], hoist)


def neff_blocks(folder, n, hoist):
    """Blocks of one descriptor, each triggered and waited for."""
    engine = engine_of([(i, "q0", desc("x", "y")) for i in range(n)])
    assembly = "".join(f"PSEUDO_DMA_TRIGGER q0 block_id={i};\nEVENT_SEMAPHORE $S[1]>={i + 1};\n" for i in range(n)) + EXIT
    return neff(folder, [(definition(variables_of(["x", "y"], ENDS_OF), ONE_QUEUE), engine, assembly)], ["x"], ["y"], hoist)


def neff_queues(folder, n, hoist):
    """Queue sets of one block each, which share a semaphore."""
    queues = {f"q{i}": {"type": "data", "owner": "sp", "semaphore": 1} for i in range(n)}
    engine = engine_of([(i, f"q{i}", desc("x", "y")) for i in range(n)])
    assembly = "".join(f"PSEUDO_DMA_TRIGGER q{i} block_id={i};\nEVENT_SEMAPHORE $S[1]>={i + 1};\n" for i in range(n)) + EXIT
    return neff(folder, [(definition(variables_of(["x", "y"], ENDS_OF), queues), engine, assembly)], ["x"], ["y"], hoist)


def neff_variables(folder, n, hoist):
    """Variables, through all of which the input goes."""
    names = ["x"] + [f"v{i}" for i in range(n)] + ["y"]
    engine = engine_of([(i, "q0", desc(names[i], names[i + 1])) for i in range(n + 1)])
    assembly = "".join(f"PSEUDO_DMA_TRIGGER q0 block_id={i};\nEVENT_SEMAPHORE $S[1]>={i + 1};\n" for i in range(n + 1)) + EXIT
    return neff(folder, [(definition(variables_of(names, ENDS_OF), ONE_QUEUE), engine, assembly)], ["x"], ["y"], hoist)


def neff_inputs(folder, n, hoist):
    """Inputs and outputs."""
    inputs, outputs = [f"x{i}" for i in range(n)], [f"y{i}" for i in range(n)]
    kinds = dict.fromkeys(inputs, "input") | dict.fromkeys(outputs, "output")
    engine = engine_of([(0, "q0", ",\n".join(desc(f"x{i}", f"y{i}") for i in range(n)))])
    assembly = "PSEUDO_DMA_TRIGGER q0 block_id=0;\nEVENT_SEMAPHORE $S[1]>=1;\n" + EXIT
    return neff(folder, [(definition(variables_of(inputs + outputs, kinds), ONE_QUEUE), engine, assembly)], inputs, outputs, hoist)


def neff_instructions(folder, n, hoist):
    """Instructions of one engine."""
    engine = engine_of([(0, "q0", desc("x", "y"))])
    assembly = "NOP;\n" * n + "PSEUDO_DMA_TRIGGER q0 block_id=0;\nEVENT_SEMAPHORE $S[1]>=1;\n" + EXIT
    return neff(folder, [(definition(variables_of(["x", "y"], ENDS_OF), ONE_QUEUE), engine, assembly)], ["x"], ["y"], hoist)


def neff_subgraphs(folder, n, hoist):
    """Subgraphs that do the same."""
    engine = engine_of([(0, "q0", desc("x", "y"))])
    assembly = "PSEUDO_DMA_TRIGGER q0 block_id=0;\nEVENT_SEMAPHORE $S[1]>=1;\n" + EXIT
    one = (definition(variables_of(["x", "y"], ENDS_OF), ONE_QUEUE), engine, assembly)
    return neff(folder, [one] * n, ["x"], ["y"], hoist)


# FlatBuffers ---------------------------------------------------------------------------------------------


class Flat:
    """Writes a FlatBuffer front to back: what is pointed at lies behind what points."""

    def __init__(self):
        self.out = bytearray(8)
        self.tables = {}

    def align(self, to, extra=0):
        self.out += bytes(-(len(self.out) + extra) % to)

    def point(self, at, value):
        """Writes `value` behind, and its offset at `at`."""
        place = value(self)
        struct.pack_into("<I", self.out, at, place - at)

    def table(self, fields):
        """Of (slot, form, value): a form of struct, or "o" for a callable that writes something else."""
        forms = [("I" if form == "o" else form) for _, form, _ in fields]
        places, size = [], 4
        for form in forms:
            width = struct.calcsize(form)
            size += -size % width
            places.append(size)
            size += width
        key = (tuple(slot for slot, _, _ in fields), tuple(forms))
        vtable = self.tables.get(key)
        if vtable is None:
            self.align(2)
            slots = [0] * (1 + max((slot for slot, _, _ in fields), default=-1))
            for (slot, _, _), place in zip(fields, places):
                slots[slot] = place
            vtable = self.tables[key] = len(self.out)
            self.out += struct.pack(f"<{2 + len(slots)}H", 4 + 2 * len(slots), size, *slots)
        self.align(8)
        at = len(self.out)
        self.out += bytes(size)
        struct.pack_into("<i", self.out, at, at - vtable)
        for (_, form, value), place in zip(fields, places):
            if form != "o":
                struct.pack_into("<" + form, self.out, at + place, value)
        for (_, form, value), place in zip(fields, places):
            if form == "o":
                self.point(at + place, value)
        return at


def table(*fields):
    return lambda flat: flat.table(fields)


def numbers(form, values):
    def write(flat):
        flat.align(max(4, struct.calcsize(form)), 4)
        at = len(flat.out)
        flat.out += struct.pack(f"<I{len(values)}{form}", len(values), *values)
        return at
    return write


def raw(data, align=4):
    def write(flat):
        flat.align(align, 4)
        at = len(flat.out)
        flat.out += struct.pack("<I", len(data)) + data
        return at
    return write


def string(text):
    def write(flat):
        flat.align(4)
        at = len(flat.out)
        flat.out += struct.pack("<I", len(text)) + text.encode() + b"\0"
        return at
    return write


def items(values):
    def write(flat):
        flat.align(4)
        at = len(flat.out)
        flat.out += struct.pack("<I", len(values)) + bytes(4 * len(values))
        for i, value in enumerate(values):
            flat.point(at + 4 + 4 * i, value)
        return at
    return write


UINT8 = 3
INT8 = 9
ADD = 0
ADD_OPTIONS = 11
CUSTOM = 32


def tensor(name):
    quantization = table((2, "o", numbers("f", [0.5])), (3, "o", numbers("q", [0])))
    return table((0, "o", numbers("i", [1, 16])), (1, "b", INT8), (3, "o", string(name)), (4, "o", quantization))


def add(a, b, to):
    return table((0, "I", 0), (1, "o", numbers("i", [a, b])), (2, "o", numbers("i", [to])), (3, "B", ADD_OPTIONS), (4, "o", table()))


def subgraph(tensors, inputs, outputs, operators):
    return table((0, "o", items(tensors)), (1, "o", numbers("i", inputs)), (2, "o", numbers("i", outputs)),
                 (3, "o", items(operators)), (4, "o", string("main")))


def model(folder, codes, subgraphs):
    flat = Flat()
    root = flat.table([(0, "I", 3), (1, "o", items(codes)), (2, "o", items(subgraphs)), (3, "o", string("grows")),
                       (4, "o", items([table()]))])
    struct.pack_into("<I4s", flat.out, 0, root, b"TFL3")
    path = folder / "model.tflite"
    path.write_bytes(flat.out)
    return path


def adds(folder, subgraphs):
    return model(folder, [table((0, "b", ADD), (2, "i", 1), (3, "i", ADD))], subgraphs)


def tflite_operators(folder, n):
    """A chain of ADDs."""
    tensors = [tensor(f"t{i}") for i in range(n + 1)]
    return adds(folder, [subgraph(tensors, [0], [n], [add(i, i, i + 1) for i in range(n)])])


def tflite_inputs(folder, n):
    """Inputs and as many outputs, an ADD between them."""
    tensors = [tensor(f"t{i}") for i in range(2 * n)]
    return adds(folder, [subgraph(tensors, list(range(n)), list(range(n, 2 * n)), [add(i, i, n + i) for i in range(n)])])


def tflite_lives(folder, n):
    """Tensors that are all needed until the end: sums of the first one, added up from the last to the first."""
    tensors = [tensor(f"t{i}") for i in range(2 * n + 1)]
    there = [add(0, i, i + 1) for i in range(n)]
    back = [add(n - i, n + i, n + i + 1) for i in range(n)]
    return adds(folder, [subgraph(tensors, [0], [2 * n], there + back)])


def tflite_subgraphs(folder, n):
    """Subgraphs of one ADD."""
    return adds(folder, [subgraph([tensor("x"), tensor("y")], [0], [1], [add(0, 0, 1)]) for _ in range(n)])


# Edge TPU ------------------------------------------------------------------------------------------------

WORD = 16


def unpacked(folder, name, hoist):
    parts = folder / "parts"
    shutil.rmtree(parts, ignore_errors=True)
    subprocess.run([hoist, "unpack", "-o", parts, EXAMPLES / "tflite" / name], check=True, stdout=subprocess.DEVNULL)
    return parts


def edgetpu_instructions(folder, n, hoist):
    """Instructions of one chunk, that of the executable which fills the cache."""
    parts = unpacked(folder, "layers_edgetpu.tflite", hoist)
    place = parts / "payloads/0/packages/0/executables/1/chunks/0.bin"
    chunk = place.read_bytes()
    last = chunk[-6 * WORD:]  # halt, empty bundles, end
    start = struct.unpack_from("<Q", chunk)[0] + (8 * WORD * n << 19)  # counts bits
    place.write_bytes(struct.pack("<Q", start) + chunk[8:-6 * WORD] + last[WORD:2 * WORD] * n + last)
    path = folder / "model.tflite"
    path.unlink(missing_ok=True)
    subprocess.run([hoist, "pack", "-o", path, parts], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return path


def edgetpu_operators(folder, n, hoist):
    """Compiled operators, each a package of its own, which read the same image."""
    source = EXAMPLES / "tflite" / "layers_edgetpu.tflite"
    told = json.loads(subprocess.run([hoist, "info", "--json", source], check=True, stdout=subprocess.PIPE).stdout)
    payload = told["files"][0]["payloads"][0]
    options = source.read_bytes()[payload["offset"]:payload["offset"] + payload["size_bytes"]]

    def border(name, form, shape, zero):
        quantization = table((2, "o", numbers("f", [0.5])), (3, "o", numbers("q", [zero])))
        return table((0, "o", numbers("i", shape)), (1, "b", form), (3, "o", string(name)), (4, "o", quantization))

    tensors = [border("image", UINT8, [1, 4, 5, 3], 127)]
    operators = []
    for i in range(n):
        tensors += [border(f"grid{i}", UINT8, [1, 4, 5, 32], 0), border(f"scores{i}", INT8, [1, 1, 1, 10], 2)]
        operators.append(table((0, "I", 0), (1, "o", numbers("i", [0])), (2, "o", numbers("i", [2 * i + 1, 2 * i + 2])),
                               (5, "o", raw(options, WORD))))
    code = table((0, "b", CUSTOM), (1, "o", string("edgetpu-custom-op")), (2, "i", 1), (3, "i", CUSTOM))
    return model(folder, [code], [subgraph(tensors, [0], list(range(1, 2 * n + 1)), operators)])


# Families ------------------------------------------------------------------------------------------------

SHOWS = ["info", "check", "check --races", "dump", "dump --json", "dump --program", "graph", "diff", "run"]
NETLIST = SHOWS + ["time"]
PROGRAM = ["program print", "program order", "program run"]  # by the library, without the command
NEFF = SHOWS + ["time", "disasm", "recover", "unpack", "pack"]
TFLITE = [command for command in SHOWS if command != "graph"] + ["time"]
EDGETPU = TFLITE + ["disasm", "recover", "recover --tflite", "unpack", "pack", "link"]

# format/what grows -> function, whether it needs the command, what is measured, the largest n
FAMILIES = {
    "buda/graphs": (netlist_graphs, False, NETLIST, 100_000),
    "buda/ops": (netlist_ops, False, NETLIST, 100_000),
    "buda/programs": (netlist_programs, False, NETLIST, 100_000),
    "buda/executes": (netlist_executes, False, NETLIST, 100_000),
    "buda/entries": (netlist_entries, False, NETLIST, 65_535),
    "buda/fan-out": (netlist_fan_out, False, NETLIST, 100_000),
    "buda/readers": (netlist_readers, False, NETLIST, 100_000),
    "hoist/steps": (program_steps, False, PROGRAM, 100_000),
    "hoist/buffers": (program_buffers, False, PROGRAM, 100_000),
    "hoist/lives": (program_lives, False, PROGRAM, 100_000),
    "hoist/threads": (program_threads, False, PROGRAM, 100_000),
    "hoist/entries": (program_entries, False, PROGRAM, 100_000),
    "hoist/units": (program_units, False, PROGRAM, 100_000),
    "hoist/functions": (program_functions, False, PROGRAM, 100_000),
    "neff/descriptors": (neff_descriptors, True, NEFF, 10_000_000),
    "neff/blocks": (neff_blocks, True, NEFF, 100_000),
    "neff/queues": (neff_queues, True, NEFF, 100_000),
    "neff/variables": (neff_variables, True, NEFF, 100_000),
    "neff/inputs": (neff_inputs, True, NEFF, 100_000),
    "neff/instructions": (neff_instructions, True, NEFF, 100_000),
    "neff/subgraphs": (neff_subgraphs, True, [command for command in NEFF if command not in ("run", "dump --program", "time")], 10_000),
    "tflite/operators": (tflite_operators, False, TFLITE, 100_000),
    "tflite/inputs": (tflite_inputs, False, TFLITE, 100_000),
    "tflite/lives": (tflite_lives, False, TFLITE, 100_000),
    "tflite/subgraphs": (tflite_subgraphs, False, TFLITE, 100_000),
    "edgetpu/instructions": (edgetpu_instructions, True, EDGETPU, 100_000),
    "edgetpu/operators": (edgetpu_operators, True, EDGETPU, 10_000),
}


def make(family, folder, n, hoist):
    """Writes the file of that family for `n`, and gives its path."""
    function, needs_hoist = FAMILIES[family][:2]
    return function(folder, n, hoist) if needs_hoist else function(folder, n)


def command_line(hoist, command, path, folder):
    """The words of a command on that file; what it writes goes to a new place below `folder`."""
    out = folder / "out"
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    words = [hoist] + command.split()
    match words[1]:
        case "program":
            return [hoist.parents[2] / "tests/cli/hoist_growth_program", words[2], path]
        case "diff":
            return words + [path, path]
        case "run":
            return words + ["-q", "--sequential", "-i", "*=zeros", path]
        case "link":
            return words + ["--undo", "-o", out / "linked", path]
        case "recover" if "--tflite" in words:
            return words + [out / "model.tflite", path]
        case "recover" | "unpack":
            return words + ["-o", out / "parts", path]
        case "pack":
            subprocess.run([hoist, "unpack", "-o", out / "parts", path], check=False, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
            return words + ["-o", out / "packed", out / "parts"]
    return words + [path]
