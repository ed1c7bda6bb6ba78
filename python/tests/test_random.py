"""Random sequences of calls from four threads: every public function and method gives its result or one of our
exceptions, whatever was closed meanwhile, arrays stay what they were, and nothing grows.

HOIST_TEST_CALLS   how many calls; 4,000 by default
HOIST_TEST_SEED    another sequence; 0 by default
"""
import collections
import inspect
import os
import pathlib
import random
import threading
import time

from support import ARK, BROKEN, CLASSIFIER, EXAMPLES, HOIST, LAYERS, NEFF, NETLIST, Case, main, np

import hoist
from hoist import neff, tflite
from hoist.pycoral.adapters import classify, common, detect, segment
from hoist.pycoral.utils import dataset, edgetpu

CALLS = int(os.environ.get("HOIST_TEST_CALLS", "4000"))
SEED = int(os.environ.get("HOIST_TEST_SEED", "0"))
# RuntimeError is what TFLite's interpreter raises before allocate_tensors().
EXPECTED = (hoist.HoistError, ValueError, RuntimeError)
IMAGE = np.zeros((1, 8, 8, 3), np.int8)
RANKS = [str(EXAMPLES / f"ark/all_reduce_rank{rank}.json") for rank in range(2)]
MODULE = str(pathlib.Path(HOIST).with_name("hoist-mpi.so"))
PARTS = {str(path.relative_to(NEFF)): path.read_bytes() for path in pathlib.Path(NEFF).rglob("*") if path.is_file()}
LABELS = pathlib.Path(__file__)  # its lines are names like any other
SIDE = {"sizes": [64], "steps": [1]}
PROGRAM = (EXAMPLES / "programs/tflite_edges.hoist").read_text(encoding="utf-8")


def container():
    return hoist.pack(PARTS)


FILES = [CLASSIFIER, LAYERS, NETLIST, BROKEN, ARK, *RANKS, container()]


class World:
    """Objects that all threads use, close and make anew: some of each kind, which new ones replace."""

    def __init__(self):
        self.jobs = [hoist.open(file) for file in FILES]
        self.programs = [hoist.open(file).lower() for file in (CLASSIFIER, LAYERS, NETLIST, FILES[-1])]
        self.sessions = [program.session(sequential=True) for program in self.programs]
        self.builders = [neff.Builder()]
        self.models = [tflite.Interpreter(path) for path in (CLASSIFIER, LAYERS)]
        for model in self.models:
            model.allocate_tensors()
        self.runners = []
        self.pages = []
        self.findings = hoist.open(BROKEN).check()
        self.comms = []
        self.arrays = []  # of jobs and sessions, with what they held


class Turn:
    """What a call has: the world, a thread's dice, and names by which it takes from the world and gives to it."""

    def __init__(self, world, dice):
        self.world, self.dice = world, dice

    def __getattr__(self, kind):
        """One of the world's: `job` of its jobs."""
        some = getattr(self.world, f"{kind}s")
        if not some:
            raise ValueError(f"there is no {kind} yet")
        return self.dice.choice(some)

    def put(self, kind, made):
        """Replaces one of the world's; the last one to let go of the old one frees it."""
        some = getattr(self.world, kind)
        if len(some) < 8:
            some.append(made)
        else:
            some[self.dice.randrange(len(some))] = made

    def keep(self, arrays):
        """Looks at them again when their job or session may be closed."""
        for array in arrays:
            self.put("arrays", (array, array.tobytes()))

    def name(self, session):
        """A port's name, or one that there is not."""
        return self.dice.choice([port.name for port in session.program.ports[:9]] + ["none"])

    def model_of_image(self):
        return self.world.models[0] if self.dice.randrange(4) else self.model


def value_of(port):
    return np.zeros(port.shape, port.numpy)


def look_again(turn):
    array, expected = turn.array
    assert array.tobytes() == expected, "an array changed"


def run(turn, **choices):
    session = turn.session
    given = {port.name: value_of(port) for port in session.program.inputs if not port.ram}
    entry = turn.dice.choice(session.program.entries)
    loops = {name.lstrip("$"): 1 for name in session.program.parameters(entry)}
    turn.keep(session.run(given, entry=entry, timeout=0.2, **choices, **loops).values())


def read(turn):
    session = turn.session
    name = turn.name(session)
    port = session.program.port(name) if name != "none" else None
    out = None if port is None or turn.dice.randrange(2) else value_of(port)
    turn.keep([session.read(name, out=out)])


def exchange(turn):
    job = turn.job
    arrays = {name: array for name, array in job.arrays().items() if array.flags.c_contiguous}
    turn.put("jobs", hoist.open(job.exchange(dict(list(arrays.items())[:2]))))


def diff(turn):
    """Two threads may have two jobs from both sides."""
    return turn.job.diff(turn.job)


def build(turn):
    builder = neff.Builder()
    core = builder.add_subgraph()
    for name in ("input", "output"):
        builder.add_variable(core, name=name, type=name, size=64)
    turn.put("builders", builder)


def image_to(turn):
    model = turn.model_of_image()
    common.set_input(model, np.zeros(model.get_input_details()[0]["shape"][1:], np.int8))


def called(turn):
    runner = turn.runner
    runner(**{name: np.zeros(row["shape"], row["dtype"]) for name, row in runner.get_input_details().items()})


def allocated(path, **choices):
    model = tflite.Interpreter(path, **choices)
    model.allocate_tensors()
    return model


def of_job(name, **choices):
    """A call of a method that needs nothing; its limit of time may end it."""
    return lambda turn: getattr(turn.job, name)(timeout=turn.dice.choice((None, None, 0)), **choices)


def error_row(kind):
    return lambda turn: str(kind(turn.dice.randrange(9), "trying", list(turn.world.findings)))


def box(turn):
    return detect.BBox(*(turn.dice.randrange(9) for _ in range(4)))


# A call for each name; those that make something are made more often (MORE), since others end it.
TABLE = {
    "open": lambda t: t.put("jobs", hoist.open(t.dice.choice(FILES), progress=t.dice.choice((None, len)))),
    "formats": lambda t: hoist.formats(),
    "format_of": lambda t: hoist.format_of(t.dice.choice((FILES[-1], b"", b"\x1c\0\0\0TFL3"))),
    "mpi_version": lambda t: hoist.mpi_version(),
    "fast_products": lambda t: hoist.fast_products(),
    "pack": lambda t: t.put("jobs", hoist.open(hoist.pack(PARTS), name="model.neff")),
    "read_program": lambda t: t.put("programs", hoist.read_program(PROGRAM)),
    "rules": lambda t: hoist.rules(),
    "Rule": lambda t: hash(t.dice.choice(hoist.rules()[:9])),
    "Finding": lambda t: str(t.finding),
    "Finding.place": lambda t: t.finding.place,
    "Findings._repr_html_": lambda t: t.world.findings._repr_html_(),
    "Page._repr_html_": lambda t: t.page._repr_html_(),
    "HoistError": error_row(hoist.HoistError),
    "InvalidError": error_row(hoist.InvalidError),
    "UnsupportedError": error_row(hoist.UnsupportedError),
    "LimitError": error_row(hoist.LimitError),
    "NotFoundError": error_row(hoist.NotFoundError),
    "BusyError": error_row(hoist.BusyError),
    "CancelledError": error_row(hoist.CancelledError),
    "ReadError": error_row(hoist.ReadError),
    "Comm": lambda t: t.put("comms", hoist.Comm(MODULE)),
    "Comm.rank": lambda t: t.comm.rank,
    "Comm.count": lambda t: t.comm.count,
    "Comm.agree": lambda t: t.comm.agree(1, timeout=0.01),
    "Comm.is_alive": lambda t: t.comm.is_alive(t.dice.randrange(2)),
    # A process has only one, of which other calls want something first.
    "Comm.close": lambda t: t.dice.randrange(200) or t.comm.close(),
    "Job.close": lambda t: t.job.close(),
    "Job.add": lambda t: t.job.add(t.job),
    "Job.tokens": lambda t: t.job.tokens,
    "Job.format": lambda t: t.job.format,
    "Job.container": lambda t: t.job.container,
    "Job.title": lambda t: t.job.title,
    "Job.target": lambda t: t.job.target,
    "Job.verdicts": lambda t: t.job.verdicts,
    "Job.check": of_job("check"),
    "Job.check_order": of_job("check_order", max_steps=2000),
    "Job.verify": lambda t: t.job.verify(),
    "Job.info": of_job("info", resources=True),
    "Job.dump": of_job("dump"),
    "Job.text": of_job("text"),
    "Job.write": of_job("write"),
    "Job.plan": of_job("plan"),
    "Job.graph": of_job("graph"),
    "Job.ops": of_job("ops"),
    "Job.port_facts": lambda t: t.job.port_facts("input"),
    "Job.labels": lambda t: t.job.labels("softmax"),
    "Job.layout": of_job("layout"),
    "Job.draw": of_job("draw"),
    "Job.svg": of_job("svg"),
    "Job.dot": of_job("dot"),
    "Job.view": lambda t: t.put("pages", t.job.view()),
    "Job.disasm": of_job("disasm"),
    "Job.instructions": of_job("instructions"),
    "Job.time": lambda t: t.job.time(compared=t.dice.choice((None, t.job))),
    "Job.layers": lambda t: t.job.layers,
    "Job.recovery": of_job("recovery"),
    "Job.arrays": lambda t: t.keep(t.job.arrays().values()),
    "Job.recover_tflite": lambda t: t.put("jobs", hoist.open(t.job.recover_tflite())),
    "Job.exchange": exchange,
    "Job.link": lambda t: t.job.link({"parameters": 0x1000}, undo=bool(t.dice.randrange(2))),
    "Job.match_layers": lambda t: t.job.match_layers(t.job),
    "Job.stream": of_job("stream"),
    "Job.unpack": of_job("unpack"),
    "Job.diff": diff,
    "Job.lower": lambda t: t.put("programs", t.job.lower()),
    "Job.session": lambda t: t.put("sessions", t.job.session(sequential=True)),
    "Job._repr_html_": lambda t: t.job._repr_html_(),
    "Port": lambda t: hash(t.program.ports[0].name),
    "Program.entries": lambda t: t.program.entries,
    "Program.parameters": lambda t: t.program.parameters(t.program.entries[0]),
    "Program.inputs": lambda t: t.program.inputs,
    "Program.outputs": lambda t: t.program.outputs,
    "Program.port": lambda t: [t.session.program.port("input") for _ in range(t.dice.randrange(1))],
    "Program.missing": lambda t: t.program.missing(["x"]),
    "Program.text": lambda t: t.program.text(),
    "Program.plan": lambda t: t.program.plan(fusion=bool(t.dice.randrange(2))),
    "Program.session": lambda t: t.put("sessions", t.program.session(
        threads=t.dice.choice((1, 2)), comm=t.dice.choice((None, None, *t.world.comms[:1])))),
    "Session.close": lambda t: t.session.close(),
    "Session.run": run,
    "Session.begin": lambda t: t.world.sessions[0].begin(),
    "Session.wait": lambda t: t.session.wait(0.01),
    "Session.cancel": lambda t: t.session.cancel(),
    "Session.end_input": lambda t: t.session.end_input(t.name(t.session)),
    "Session.push": lambda t: t.session.push("x", np.zeros((1, 128, 128), np.float32), timeout=0),
    "Session.pop": lambda t: t.session.pop(t.name(t.session), timeout=0),
    "Session.write": lambda t: t.session.write(t.dice.choice(("input", "none")), IMAGE),
    "Session.read": read,
    "Session.available": lambda t: t.session.available(t.name(t.session)),
    "Session.unknown": lambda t: t.session.unknown(t.name(t.session)),
    "Session.counts": lambda t: t.session.counts(),
    "Session.profile_begin": lambda t: t.session.profile_begin(),
    "Session.profile_end": lambda t: t.session.profile_end(),
    "Session.profile": lambda t: t.session.profile(),
    "Session.timeline_begin": lambda t: t.session.timeline_begin(t.dice.choice((0, 9))),
    "Session.timeline": lambda t: t.session.timeline(),
    "Session.report": lambda t: t.session.report(),
    "neff.Builder": build,
    "neff.Builder.close": lambda t: t.builder.close(),
    "neff.Builder.finish": lambda t: t.put("jobs", hoist.open(t.builder.finish(), name="built.neff")),
    "neff.Builder.member": lambda t: t.builder.member("sg00/def.json"),
    "neff.Builder.add_member": lambda t: t.builder.add_member(f"sg00/{t.dice.randrange(9)}.bin", b"\1\2"),
    "neff.Builder.set_member": lambda t: t.builder.set_member(f"sg00/{t.dice.randrange(9)}.bin", b"\3"),
    "neff.Builder.drop_member": lambda t: t.builder.drop_member(f"sg00/{t.dice.randrange(9)}.bin"),
    "neff.Builder.add_keys": lambda t: t.builder.add_keys("sg00/def.json", {f"#{t.dice.randrange(9)}": [1, None]}),
    "neff.Builder.add_entry": lambda t: t.builder.add_entry(name=f"e{t.dice.randrange(9)}"),
    "neff.Builder.add_subgraph": lambda t: t.builder.add_subgraph(absent=("pe",)),
    "neff.Builder.add_variable": lambda t: t.builder.add_variable(
        t.dice.randrange(2), name="x", type="input", shape=[t.dice.randrange(9)]),
    "neff.Builder.add_queue_set": lambda t: t.builder.add_queue_set(0, name="q0", type="data", owner="sp", semaphore=1),
    "neff.Builder.add_block": lambda t: t.builder.add_block(0, "sp", queue="q0", desc=[
        {"from": [{"variable": "input", **SIDE}], "to": {"variable": "output", **SIDE}}]),
    "neff.Builder.add_code": lambda t: t.builder.add_code(0, "sp", t.dice.choice(("PSEUDO_INST EXIT;\n", "NO_SUCH;\n"))),
    "neff.Builder.add_record": lambda t: t.builder.add_record(0, "pool", bytes(64)),
    "tflite.OpResolverType": lambda t: t.dice.choice(list(tflite.OpResolverType)),
    "tflite.Delegate": lambda t: tflite.Delegate("libedgetpu.so.1", {"device": "usb"}),
    "tflite.load_delegate": lambda t: tflite.load_delegate("libedgetpu.so.1"),
    "tflite.Interpreter": lambda t: t.put("models", allocated(
        t.dice.choice((CLASSIFIER, LAYERS)), experimental_preserve_all_tensors=bool(t.dice.randrange(2)))),
    "tflite.Interpreter.allocate_tensors": lambda t: t.model.allocate_tensors(),
    "tflite.Interpreter.invoke": lambda t: t.model.invoke(),
    "tflite.Interpreter.get_input_details": lambda t: t.model.get_input_details(),
    "tflite.Interpreter.get_output_details": lambda t: t.model.get_output_details(),
    "tflite.Interpreter.get_tensor_details": lambda t: t.model.get_tensor_details(),
    "tflite.Interpreter.set_tensor": lambda t: t.model.set_tensor(t.dice.randrange(3), IMAGE),
    "tflite.Interpreter.get_tensor": lambda t: t.keep([t.model.get_tensor(t.dice.randrange(12))]),
    "tflite.Interpreter.tensor": lambda t: t.model.tensor(t.dice.randrange(12))().copy(),
    "tflite.Interpreter.resize_tensor_input": lambda t: t.model.resize_tensor_input(
        0, [t.dice.randrange(1, 4), *t.model.get_input_details()[0]["shape"][1:]]),
    "tflite.Interpreter.reset_all_variables": lambda t: t.model.reset_all_variables(),
    "tflite.Interpreter.get_signature_list": lambda t: t.model.get_signature_list(),
    "tflite.Interpreter.get_signature_runner": lambda t: t.put("runners", t.model.get_signature_runner()),
    "tflite.SignatureRunner.__call__": called,
    "tflite.SignatureRunner.get_input_details": lambda t: t.runner.get_input_details(),
    "tflite.SignatureRunner.get_output_details": lambda t: t.runner.get_output_details(),
    "pycoral.adapters.classify.Class": lambda t: classify.Class(1, 0.5),
    "pycoral.adapters.classify.num_classes": lambda t: classify.num_classes(t.model),
    "pycoral.adapters.classify.get_scores": lambda t: classify.get_scores(t.model),
    "pycoral.adapters.classify.get_classes_from_scores": lambda t: classify.get_classes_from_scores(
        np.arange(t.dice.randrange(9)), top_k=3),
    "pycoral.adapters.classify.get_classes": lambda t: classify.get_classes(t.model, top_k=3),
    "pycoral.adapters.common.input_details": lambda t: common.input_details(t.model, "shape"),
    "pycoral.adapters.common.input_size": lambda t: common.input_size(t.model_of_image()),
    "pycoral.adapters.common.input_tensor": lambda t: common.input_tensor(t.model).copy(),
    "pycoral.adapters.common.set_input": image_to,
    "pycoral.adapters.common.set_resized_input": lambda t: common.set_resized_input(
        t.model_of_image(), (16, 12), lambda size: np.zeros((size[1], size[0], 3), np.int8)),
    "pycoral.adapters.common.output_tensor": lambda t: common.output_tensor(t.model, 0),
    "pycoral.adapters.detect.BBox.width": lambda t: box(t).width,
    "pycoral.adapters.detect.BBox.height": lambda t: box(t).height,
    "pycoral.adapters.detect.BBox.area": lambda t: box(t).area,
    "pycoral.adapters.detect.BBox.valid": lambda t: box(t).valid,
    "pycoral.adapters.detect.BBox.scale": lambda t: box(t).scale(2, 3),
    "pycoral.adapters.detect.BBox.translate": lambda t: box(t).translate(2, 3),
    "pycoral.adapters.detect.BBox.map": lambda t: box(t).map(float),
    "pycoral.adapters.detect.BBox.intersect": lambda t: detect.BBox.intersect(box(t), box(t)),
    "pycoral.adapters.detect.BBox.union": lambda t: detect.BBox.union(box(t), box(t)),
    "pycoral.adapters.detect.BBox.iou": lambda t: detect.BBox.iou(detect.BBox(0, 0, 2, 2), box(t)),
    "pycoral.adapters.detect.Object": lambda t: detect.Object(1, 0.5, box(t)),
    "pycoral.adapters.detect.get_objects": lambda t: detect.get_objects(t.model),
    "pycoral.adapters.segment.get_output": lambda t: segment.get_output(t.model).copy(),
    "pycoral.utils.dataset.read_label_file": lambda t: dataset.read_label_file(LABELS),
    "pycoral.utils.edgetpu.get_runtime_version": lambda t: edgetpu.get_runtime_version(),
    "pycoral.utils.edgetpu.list_edge_tpus": lambda t: edgetpu.list_edge_tpus(),
    "pycoral.utils.edgetpu.set_verbosity": lambda t: edgetpu.set_verbosity(10),
    "pycoral.utils.edgetpu.load_edgetpu_delegate": lambda t: edgetpu.load_edgetpu_delegate(),
    "pycoral.utils.edgetpu.make_interpreter": lambda t: t.put("models", edgetpu.make_interpreter(CLASSIFIER)),
    "pycoral.utils.edgetpu.run_inference": lambda t: edgetpu.run_inference(t.model, IMAGE),
}
MORE = {"open": 6, "Job.lower": 2, "Job.session": 3, "Program.session": 3, "Session.run": 4, "neff.Builder": 2,
        "tflite.Interpreter.allocate_tensors": 3}
NAMES = [name for name in TABLE for _ in range(MORE.get(name, 1))] + ["an array kept"] * 3
# What is not called, and why.
WITHOUT = {"Comm.abort": "ends the process"}
# No example is a model of detections.
REFUSED = {"pycoral.adapters.detect.get_objects"}


def public_of(module):
    """Public names of a module: functions, methods, and classes that have no methods of their own."""
    begin = module.__name__.partition(".")[2]
    names = getattr(module, "__all__", None) if module is hoist else None
    for name, value in vars(module).items():
        if name.startswith("_") or not (inspect.isclass(value) or inspect.isfunction(value)):
            continue
        if name not in names if names else value.__module__ != module.__name__:
            continue
        full = f"{begin}.{name}" if begin else name
        methods = [key for key, item in vars(value).items() if (not key.startswith("_") or key in ("__call__", "_repr_html_"))
                   and (inspect.isfunction(item) or isinstance(item, (property, staticmethod, classmethod)))
                   ] if inspect.isclass(value) else []
        yield from (f"{full}.{key}" for key in methods) if methods else [full]


class Table(Case):
    def test_every_public_name(self):
        public = {name for module in (hoist, neff, tflite, classify, common, detect, segment, dataset, edgetpu)
                  for name in public_of(module)}
        self.assertEqual(set(), public - set(TABLE) - set(WITHOUT))
        classes = {name.rpartition(".")[0] for name in public}  # whose constructors are called, too
        self.assertEqual(set(), (set(TABLE) | set(WITHOUT)) - public - classes)


class Random(Case):
    def test_calls(self):
        world, failures, given = World(), [], collections.Counter()
        asked = collections.Counter()

        def work(seed):
            turn = Turn(world, random.Random(seed))
            for number in range(CALLS // 4):
                name = turn.dice.choice(NAMES)
                asked[name] += 1
                try:
                    TABLE.get(name, look_again)(turn)
                    given[name] += 1
                except EXPECTED:
                    pass
                except BaseException as problem:
                    failures.append((seed, number, name, repr(problem)))
                    return

        threads = [threading.Thread(target=work, args=(4 * SEED + seed,)) for seed in range(4)]
        for thread in threads:
            thread.start()
        dice = random.Random(SEED)
        while any(thread.is_alive() for thread in threads):  # a run that waits for inputs would hold those after it
            time.sleep(0.5)
            try:
                dice.choice(world.sessions).cancel()
            except ValueError:
                pass
        self.assertEqual([], failures)
        if CALLS >= 40000:  # as many as make a call without any result a fault of the table
            none = {name for name in asked if not given[name] and not name.startswith("Comm")} - REFUSED
            self.assertEqual(set(), none)
        print(f"{sum(asked.values())} calls of {len(asked)} names, {sum(given.values())} with a result")

    def test_nothing_grows(self):
        program = hoist.open(CLASSIFIER).lower()

        def many(count):
            for _ in range(count):
                with program.session(sequential=True) as session:
                    session.run({"input": IMAGE})
            with open("/proc/self/statm", encoding="ascii") as file:
                return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

        before = many(CALLS // 8)
        self.assertLess(many(CALLS // 4) - before, 8 << 20)


if __name__ == "__main__":
    main()
