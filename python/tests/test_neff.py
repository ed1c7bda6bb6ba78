"""NEFF files from their parts."""
import ctypes
import json

from support import Case, main

import hoist
from hoist import _abi
from hoist.neff import Builder

SIDE = {"sizes": [64], "steps": [1]}
COPY = "PSEUDO_DMA_TRIGGER q0 block_id=0;\nEVENT_SEMAPHORE $S[1]>0;\nPSEUDO_INST EXIT;\n"
PATTERN = _abi.hoist_neff_pattern
# Fields that another one has to come with, and values of those that take words.
WITH = {"from_arr": {"from": [{"variable": "x"}]}, "desc_is_object": {"desc": [{"op": "copy"}]},
        "instance_name": {"queue": "q"}}
WORDS = {"order": "reversed", "from": [{"variable": "x", "off": 5}], "desc": [{"op": "copy"}], "keys": {"#note": [1, None]},
         "to": {"variable": "x", "off": 5}, "pkg_version": 1, "cpu_op": "cpu_softmax", "uuid": bytes(range(16)),
         "tpb_per_node": bytes(range(64)), "type": "virtual"}
BY_TYPE = {_abi.hoist_neff_ints: [3, 4], _abi.hoist_neff_names: ["a", "b"], ctypes.c_char_p: "word", ctypes.c_bool: True,
           ctypes.c_double: 0.5}
# What a field changes only together with others: that of a type of variable, or the number of subgraphs.
ELSEWHERE = {"backing_variable_off": {"type": "virtual"}, "referenced_var_id": {"type": "pointer"},
             "list": {"type": "dge-table"}, "output_key": {}, "output_list": {}, "wrapped": {}}


def value_of(name, kind):
    """A value of a field, which is not its default."""
    return WORDS.get(name, BY_TYPE.get(kind, 3))


def fields_of(kind):
    return [(name, type_) for name, type_ in kind._fields_
            if name not in ("struct_size", "alloc") and not name.startswith("has_") and not name.endswith("_count")]


def built(options=None, entry=None, variable=None, queue=None, block=None):
    """A file of one subgraph with one of each, which have these fields besides their own."""
    with Builder(**(options or {})) as builder:
        core = builder.add_subgraph()
        builder.add_entry(name="x", **(entry or {}))
        builder.add_entry(**{"name": "y", "is_output": True})
        builder.add_variable(core, **{"name": "x", "type": "input", **(variable or {})})
        builder.add_queue_set(core, **{"name": "q", "type": "data", **(queue or {})})
        builder.add_block(core, "act", **(block or {}))
        return builder.finish()


class Builders(Case):
    def test_a_copy_runs(self):
        with Builder(target="sunda") as builder:
            core = builder.add_subgraph("main", absent=("pe",), engine_files={"act": "scalar"})
            for name in ("input", "output"):
                builder.add_variable(core, name=name, type=name, size=64)
            builder.add_queue_set(core, name="q0", type="data", owner="sp", semaphore=1)
            builder.add_block(core, "sp", queue="q0", desc=[
                {"from": [{"variable": "input", **SIDE}], "to": {"variable": "output", **SIDE}}])
            builder.add_code(core, "sp", COPY)
            engines = json.loads(builder.member("main/def.json"))
            self.assertEqual(("scalar.json", False), (engines["act"], "pe" in engines))
            neff = builder.finish()
            self.assertEqual(neff, builder.finish())
        with hoist.open(neff) as job:
            self.assertEqual([], [str(finding) for finding in job.check() if finding.severity == "error"])
            with job.session() as session:
                out = session.run({"input": bytearray(range(64))})["output"]
        self.assertEqual(bytes(range(64)), out.tobytes())

    def changes(self, kind, field, fields):
        """The file is another one with each of the fields of a struct."""
        for name, type_ in fields:
            with self.subTest(name, kind=kind.__name__):
                other = WITH.get(name, ELSEWHERE.get(name, {}))
                self.assertTrue(built(**{field: other}) != built(**{field: {**other, name: value_of(name, type_)}}))

    def test_every_field_arrives(self):
        for kind, field in ((_abi.hoist_neff_options, "options"), (_abi.hoist_neff_entry, "entry"),
                            (_abi.hoist_neff_variable, "variable"), (_abi.hoist_neff_queue_set, "queue"),
                            (_abi.hoist_neff_block, "block")):
            self.changes(kind, field, [row for row in fields_of(kind) if (field, row[0]) not in (
                ("entry", "name"), ("options", "level"))])
        self.assertTrue(built({"level": 9}) != built({"level": 0}))

    def test_every_field_of_a_descriptor_arrives(self):
        def with_desc(desc):
            return built(block={"desc": [desc]})

        for name, type_ in fields_of(_abi.hoist_neff_desc):
            with self.subTest(name):
                other = WITH.get(name, {})
                self.assertTrue(with_desc(other) != with_desc({**other, name: value_of(name, type_)}))
        for name, type_ in fields_of(PATTERN):
            with self.subTest(name):
                pairs = [with_desc({"from_arr": True, "from": [row]}) for row in ({}, {name: value_of(name, type_)})]
                self.assertTrue(pairs[0] != pairs[1])

    def test_members(self):
        with Builder() as builder:
            builder.add_subgraph()
            builder.add_member("sg00/table.bin", b"\1\2")
            self.assertEqual(b"\1\2", builder.member("sg00/table.bin"))
            with self.assertRaises(hoist.BusyError):
                builder.add_member("sg00/table.bin", b"")
            builder.set_member("sg00/table.bin", b"\3")
            builder.drop_member("sg00/table.bin")
            with self.assertRaises(hoist.NotFoundError):
                builder.member("sg00/table.bin")
            builder.add_keys("sg00/def.json", {"#name": "word", "dma_queue": ...})
            told = json.loads(builder.member("sg00/def.json"))
            self.assertEqual(("word", False), (told["#name"], "dma_queue" in told))
            builder.add_record(0, "pool", bytes(64))
            self.assertEqual(bytes(64), builder.member("sg00/pool.bin"))

    def test_what_is_wrong(self):
        builder = Builder()
        core = builder.add_subgraph()
        for call, kind in (
                (lambda: builder.add_variable(core, name="x", type="input", size=1 << 70), ValueError),
                (lambda: builder.add_variable(core, name="x", type="input", shape=[1 << 70]), ValueError),
                (lambda: builder.add_variable(core, name="x", type="input", shape=[0.5]), ValueError),
                (lambda: builder.add_variable(core, name=3, type="input"), ValueError),
                (lambda: builder.add_variable(core, name="x", type="input", extent=1), TypeError),
                (lambda: builder.add_variable(core, name="x", type="input", has_var_id=True), TypeError),
                (lambda: builder.add_variable(core, name="x"), hoist.InvalidError),
                (lambda: builder.add_variable(1, name="x", type="input"), hoist.InvalidError),
                (lambda: builder.add_variable(-1, name="x", type="input"), ValueError),
                (lambda: builder.add_block(core, "none"), ValueError),
                (lambda: builder.add_keys("sg00/def.json", {"x": float("nan")}), ValueError),
                (lambda: builder.add_keys("none.json", {}), hoist.NotFoundError),
                (lambda: Builder(uuid=b"short"), ValueError),
                (lambda: Builder(order="random"), ValueError),
                (lambda: Builder(level=10), hoist.InvalidError)):
            with self.assertRaises(kind):
                call()
        with self.assertRaises(hoist.InvalidError) as raised:
            builder.add_code(core, "sp", "PSEUDO_INST EXIT;\nNO_SUCH;\n")
        self.assertEqual([(2, 1)], [(found.line, found.column) for found in raised.exception.findings])
        builder.close()
        builder.close()
        for call in (builder.finish, builder.add_subgraph, lambda: builder.add_code(core, "sp", "")):
            with self.assertRaises(ValueError):
                call()


if __name__ == "__main__":
    main()
