"""Sessions give the bits that the command gives."""
import gc
import pathlib
import signal
import tempfile
import threading
import time

from support import ARK, CLASSIFIER, LAYERS, NEFF, NETLIST, ROOT, Case, command, main, np

import hoist
from hoist._calls import Handle


def outputs(path, *arguments):
    """The outputs of a run of the command, by file name."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder, "out")
        command("run", path, "--output", out, *arguments)
        return {str(file.relative_to(out).with_suffix("")): np.load(file) for file in out.rglob("*.npy")}


def inputs(program, entries=2, seed=1):
    rng = np.random.default_rng(seed)

    def made(port):
        shape = port.shape if not port.queue and not port.ram else (entries if port.queue else port.slots, *port.shape)
        if port.numpy.kind == "f":
            return rng.standard_normal(shape).astype(port.numpy)
        low, high = np.iinfo(port.numpy).min, np.iinfo(port.numpy).max
        return rng.integers(low, high, shape, port.numpy, endpoint=True)

    return {port.name: made(port) for port in program.inputs}


class Bits(Case):
    def same(self, path, *arguments, **parameters):
        with hoist.open(path) as job:
            program = job.lower()
        given = inputs(program)
        with tempfile.TemporaryDirectory() as folder, program.session() as session:
            made = session.run(given, **parameters)
            files = []
            for index, (name, array) in enumerate(given.items()):
                file = pathlib.Path(folder, f"{index}.npy")
                np.save(file, array)
                files += ["--input", f"{name}=@{file}"]
            told = outputs(path, *files, *arguments)
        self.assertEqual(len(told), len(made))
        for name, array in made.items():
            np.testing.assert_array_equal(told[name.replace("/", "%2F")].reshape(array.shape), array, name)

    def test_tflite(self):
        self.same(CLASSIFIER)

    def test_edgetpu(self):
        self.same(LAYERS)

    def test_buda(self):
        self.same(NETLIST, "--param", "p_loop_count=1", p_loop_count=1)

    def test_ark(self):
        self.same(ARK)

    def test_fast_products(self):
        with hoist.open(ROOT / "tests/cli/data/product.json") as job, job.session(numerics="fast") as session:
            out = session.run({"0": np.ones((2, 6), np.float32), "1": np.full((4, 6), 2, np.float32)})
            self.assertEqual([12] * 8, out["3"].ravel().tolist())
            self.assertEqual(hoist.fast_products() or "none", session.counts()["fast"])

    def test_schedules_and_threads_do_not_matter(self):
        program = hoist.open(NETLIST).lower()
        given = inputs(program)
        results = []
        for choices in ({}, {"threads": 1}, {"sequential": True}, {"seed": 7}, {"fusion": False}):
            with program.session(**choices) as session:
                results.append(session.run(given, p_loop_count=1)["y"])
        for result in results[1:]:
            np.testing.assert_array_equal(results[0], result)


class Programs(Case):
    def test_ports_and_text(self):
        program = hoist.open(NETLIST).lower()
        self.assertEqual(["$p_loop_count"], program.parameters("run_feed_forward"))
        self.assertTrue(program.port("x").queue)
        self.assertTrue(program.port("w1").ram)
        self.assertEqual(["x"], program.missing([p.name for p in program.inputs if p.name != "x"]))
        again = hoist.read_program(program.text())
        self.assertEqual(program.text(), again.text())
        self.assertIn("memory", program.plan())

    def test_text_with_an_error(self):
        text = (ROOT / "examples/programs/ark_layer.hoist").read_text()
        with self.assertRaises(hoist.InvalidError) as raised:
            hoist.read_program(text.replace("program", "porgram", 1), name="layer.hoist")
        self.assertIn("layer.hoist:", str(raised.exception))

    def test_neff_ranks(self):
        parts = {str(path.relative_to(NEFF)): path.read_bytes()
                 for path in pathlib.Path(NEFF).rglob("*") if path.is_file()}
        program = hoist.open(hoist.pack(parts), name="a.neff").lower(ranks=2)
        with program.session() as session:
            made = session.run(inputs(program))
        self.assertEqual({"rank0", "rank1"}, {name.partition("/")[0] for name in made})


class Sessions(Case):
    def test_arrays_are_filled_in_place(self):
        with hoist.open(CLASSIFIER).session() as session:
            session.run({"input": np.zeros((1, 8, 8, 3), np.int8)})
            out = np.empty((1, 10), np.int8)
            self.assertIs(out, session.read("softmax", out=out))
            self.assertEqual(out.ctypes.data, session.read("softmax", out=out).ctypes.data)
            for wrong in (np.empty((10,), np.int8), np.empty((1, 10), np.int16), np.empty((1, 20), np.int8)[:, ::2]):
                with self.assertRaises(ValueError):
                    session.read("softmax", out=wrong)

    def test_wrong_inputs(self):
        with hoist.open(CLASSIFIER).session() as session:
            for wrong in (np.zeros((8, 8, 3), np.int8), np.zeros((1, 8, 8, 3), np.int32)):
                with self.assertRaises(ValueError):
                    session.run({"input": wrong})
            with self.assertRaises(hoist.NotFoundError):
                session.run({"none": np.zeros(1)})
            with self.assertRaises(hoist.NotFoundError):
                session.run()
            with self.assertRaises(hoist.NotFoundError):
                session.begin("nothing")

    def test_queues_from_threads(self):
        program = hoist.open(NETLIST).lower()
        given = inputs(program, entries=2)
        with program.session() as session:
            for port in program.inputs:
                if port.ram:
                    session.write(port.name, given[port.name][0])
            session.begin(p_loop_count=1)
            self.assertIsNone(session.pop("y", timeout=0))
            pusher = threading.Thread(target=lambda: [session.push("x", item) for item in given["x"]])
            pusher.start()
            made = [session.pop("y", timeout=60) for _ in range(2)]
            pusher.join()
            session.wait(60)
            self.assertEqual(0, session.available("y"))
        with program.session() as session:
            np.testing.assert_array_equal(np.stack(made), session.run(given, p_loop_count=1)["y"])

    def test_starved_run_says_who_waits(self):
        program = hoist.open(NETLIST).lower()
        with program.session() as session:
            with self.assertRaises(hoist.InvalidError) as raised:
                session.run(inputs(program, entries=1), p_loop_count=1)
            self.assertIn("PRG-102", [finding.rule for finding in raised.exception.findings])

    def test_undefined_arithmetic(self):
        text = pathlib.Path(NETLIST).read_text().replace("type: gelu", "type: sqrt").encode()
        program = hoist.open(text, name="root.yaml").lower()
        given = inputs(program)
        with program.session() as session, self.assertRaises(hoist.InvalidError) as raised:
            session.run(given, p_loop_count=1)
        self.assertIn("RUN-101", [finding.rule for finding in raised.exception.findings])
        with program.session(on_undefined="nan") as session:
            made = session.run(given, p_loop_count=1)
        self.assertTrue(np.isnan(made["y"]).any())
        with self.assertRaisesRegex(ValueError, "expected one of stop, nan"):
            program.session(on_undefined="zero")

    def test_timeout(self):
        program = hoist.open(NETLIST).lower()
        given = {name: value for name, value in inputs(program).items() if name != "x"}
        with program.session() as session:
            begun = time.monotonic()
            for some in (given, {}):  # the second run waits for the first, which has not ended
                with self.assertRaises(hoist.LimitError):
                    session.run(some, p_loop_count=1, timeout=0.2)
            self.assertLess(time.monotonic() - begun, 10)

    def test_ctrl_c_ends_a_run(self):
        program = hoist.open(NETLIST).lower()
        given = {name: value for name, value in inputs(program).items() if name != "x"}
        with program.session() as session:
            main_thread = threading.main_thread().ident
            threading.Timer(0.3, lambda: signal.pthread_kill(main_thread, signal.SIGINT)).start()
            with self.assertRaises(KeyboardInterrupt):
                session.run(given, p_loop_count=1)

    def test_progress(self):
        program = hoist.open(NETLIST).lower()
        given = inputs(program)
        told = []
        with program.session() as session:
            made = session.run(given, p_loop_count=1, progress=told.append)
            self.assertEqual(session.counts()["computes"], told[-1]["computes"])
        given.pop("x")
        with program.session() as session:  # nothing is pushed, so the run waits

            def stop(counts):
                told.append(counts)
                if len(told) > 3:
                    raise RuntimeError("enough")

            told.clear()
            with self.assertRaisesRegex(RuntimeError, "enough"):
                session.run(given, p_loop_count=1, progress=stop)
            self.assertEqual(4, len(told))
            with self.assertRaises(hoist.CancelledError):
                session.wait()
        self.assertTrue(made)

    def test_the_collector_frees_a_session_before_its_program(self):
        freed = []
        program = Handle(1, freed.append, "program", exclusive=False)
        cycle = [program, Handle(2, freed.append, "session", exclusive=False, keep=program)]
        cycle.append(cycle)
        del program, cycle
        gc.collect()
        self.assertEqual([2, 1], freed)

    def test_close_ends_a_wait(self):
        program = hoist.open(NETLIST).lower()
        session = program.session()
        ended = []

        def pop():
            try:
                session.pop("y")
            except (hoist.CancelledError, ValueError) as problem:
                ended.append(problem)

        thread = threading.Thread(target=pop)
        thread.start()
        time.sleep(0.1)
        session.close()
        thread.join(30)
        self.assertEqual(1, len(ended))
        for call in (session.counts, session.report, session.profile, lambda: session.available("y")):
            with self.assertRaises(ValueError):
                call()

    def test_profile_and_timeline(self):
        with hoist.open(CLASSIFIER).session() as session:
            session.timeline_begin()
            session.run({"input": np.zeros((1, 8, 8, 3), np.int8)})
            session.profile_end()
            kinds = {row["kind"] for row in session.profile()}
            self.assertTrue({"runs", "compute", "worker"} <= kinds)
            self.assertTrue(all(event["seconds"] >= 0 for event in session.timeline()))
            self.assertEqual(4, session.counts()["computes"])
            self.assertEqual(0, session.unknown("softmax"))


if __name__ == "__main__":
    main()
