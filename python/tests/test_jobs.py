"""Jobs give what the command gives."""
import html
import pathlib
import tempfile
import threading

from support import ARK, BROKEN, CLASSIFIER, EXAMPLES, LAYERS, NEFF, NETLIST, Case, command, document, main, np

import hoist

FILES = [CLASSIFIER, LAYERS, NETLIST, BROKEN, ARK]


def placeless(value):
    """A document without the places of its values."""
    if isinstance(value, dict):
        return placeless(value["value"]) if value.keys() == {"at", "value"} else {
            key: placeless(item) for key, item in value.items()}
    return [placeless(item) for item in value] if isinstance(value, list) else value


def finite(value):
    """A document with infinity as JSON has it."""
    if isinstance(value, dict):
        return {key: finite(item) for key, item in value.items()}
    if isinstance(value, list):
        return [finite(item) for item in value]
    infinities = {float("inf"): "Infinity", float("-inf"): "-Infinity"}
    return infinities.get(value, value) if isinstance(value, float) else value


class Documents(Case):
    def test_info(self):
        for path in set(FILES) - {BROKEN}:
            with hoist.open(path) as job:
                told = document("info", path)["files"][0]
                self.assertEqual({key: told[key] for key in job.info()}, job.info(), path)

    def test_dump(self):
        for path in set(FILES) - {BROKEN}:
            with hoist.open(path) as job:
                self.assertEqual(placeless(document("dump", path)["module"]), job.dump(), path)

    def test_text_and_write(self):
        for path in (NETLIST, ARK):
            with hoist.open(path) as job:
                self.assertEqual(command("dump", path).decode(), job.text(), path)
        with hoist.open(CLASSIFIER) as job:
            self.assertEqual(pathlib.Path(CLASSIFIER).read_bytes(), job.write())
        with hoist.open(ARK) as job:
            self.assertEqual(command("dump", "--dialect", "d1", ARK), job.write(dialect="d1"))
            with self.assertRaises(hoist.NotFoundError):
                job.write(dialect="d99")

    def test_check(self):
        for path in FILES:
            told = document("check", path, accept=(0, 1))["files"][0]["findings"]
            with hoist.open(path) as job:
                found = job.check()
            self.assertEqual([(f["rule"], f["severity"], f["message"]) for f in told],
                             [(f.rule, f.severity, f.message) for f in found], path)

    def test_finding_has_a_place(self):
        finding = next(f for f in hoist.open(BROKEN).check() if f.rule == "BUDA-017")
        self.assertEqual((30, 36, None), (finding.line, finding.column, finding.offset))
        self.assertIn("feed_forward_broken.yaml:30:36: error: op 'down'", str(finding))

    def test_graph_and_pictures(self):
        for path in FILES:
            with hoist.open(path) as job:
                if path != BROKEN:
                    told = document("graph", path)
                    self.assertEqual(told["graphs"], job.graph()["graphs"], path)
                    self.assertIn("layouts", job.layout())
                    self.assertEqual(command("graph", "--svg", path).decode(), job.svg(), path)
                    self.assertTrue(job.dot().startswith("digraph"))
                    self.assertIn("<svg", job._repr_html_())
                self.assertTrue(job.draw(width=60))

    def test_view(self):
        for path in FILES:
            with hoist.open(path) as job, tempfile.TemporaryDirectory() as folder:
                out = pathlib.Path(folder, "page.html")
                command("view", path, "-o", out, accept=(0, 3))
                page = job.view()
                self.assertEqual(out.read_text(encoding="utf-8"), page, path)
                self.assertEqual(page, job.view())  # the findings of opening are there again
                self.assertIn(html.escape(page), page._repr_html_())
        with hoist.open(CLASSIFIER) as job:
            with self.assertRaises(hoist.LimitError):
                job.view(timeout=0)
        with self.assertRaises(ValueError):
            job.view()

    def test_tables_of_notebooks(self):
        shown = hoist.open(BROKEN).check()._repr_html_()
        self.assertIn("<tr><th>rule</th><th>severity</th><th>place</th><th>message</th></tr><tr><td>BUDA-003d</td>", shown)
        shown = hoist.open(b"\x1c\0\0\0TFL3" + pathlib.Path(CLASSIFIER).read_bytes()[8:], name="<b>")._repr_html_()
        self.assertIn("<td>file</td><td>&lt;b&gt;</td>", shown)
        self.assertIn("<svg", shown)
        netlist = b"devices: {arch: grayskull}\nqueues: {}\ngraphs: {}\nprograms: []\n"
        self.assertIn("<table><tr><td>file</td>", hoist.open(netlist, name="empty.yaml")._repr_html_())

    def test_parts(self):
        with hoist.open(str(EXAMPLES / "buda/feed_forward.yaml")) as job:
            name = job.graph()["graphs"][0]["name"]
            self.assertEqual(document("graph", "--op", "up", NETLIST)["graphs"], job.graph(op="up")["graphs"])
            self.assertEqual(document("info", "--graph", name, NETLIST)["files"][0]["selected"], job.ops(graph=name))
            with self.assertRaises(hoist.NotFoundError):
                job.graph(graph="none")

    def test_numbers_of_ports(self):
        with hoist.open(CLASSIFIER) as job:
            self.assertEqual((True, 0.5, -128), tuple(job.port_facts("input")[key]
                                                      for key in ("is_quantized", "scale", "zero_point")))
            self.assertIsNone(job.port_facts("none"))
            self.assertEqual([], job.labels("softmax"))

    def test_instructions(self):
        with hoist.open(LAYERS) as job:
            self.assertEqual(command("disasm", LAYERS).decode(), job.disasm())
            self.assertEqual(document("disasm", LAYERS)["streams"], finite(job.instructions()))
        with self.assertRaises(hoist.UnsupportedError):
            hoist.open(NETLIST).disasm()

    def test_time(self):
        with hoist.open(LAYERS) as job, hoist.open(str(EXAMPLES / "tflite/small_edgetpu.tflite")) as other:
            alone = job.time(host="usb3")
            told = document("time", LAYERS)
            self.assertEqual({key: told[key] for key in alone}, alone)
            self.assertNotEqual(alone, job.time(compared=other))

    def test_orders(self):
        with hoist.open(NETLIST) as job:
            self.assertEqual("clean", job.check_order()[0])

    def test_plan(self):
        with hoist.open(ARK) as job:
            self.assertIn(b"ProcessorGroups", job.plan())


class Containers(Case):
    def test_unpack_and_pack(self):
        parts = {str(path.relative_to(NEFF)): path.read_bytes()
                 for path in pathlib.Path(NEFF).rglob("*") if path.is_file()}
        neff = hoist.pack(parts)
        with hoist.open(neff, name="model.neff") as job:
            self.assertEqual("neff", job.format)
            self.assertTrue(job.verify())
            self.assertEqual(neff, hoist.pack(job.unpack()))

    def test_arrays_share_the_file(self):
        """Dense ones are where the file has them; others are copies. All stay when the job is closed."""
        for path, shared in ((CLASSIFIER, {"filters", "bias", "shape", "weights"}), (LAYERS, set())):
            file = pathlib.Path(path).read_bytes()
            with hoist.open(path) as job:
                arrays, start = job.arrays(), job._buffer.ctypes.data
                inside = {name: array.ctypes.data - start for name, array in arrays.items()
                          if start <= array.ctypes.data < start + job._buffer.size}
                self.assertEqual(shared, set(inside))
                for name, offset in inside.items():
                    self.assertEqual(file[offset:offset + arrays[name].nbytes], arrays[name].tobytes())
                self.assertFalse(any(array.flags.writeable for array in arrays.values()))
                kept = {name: array.copy() for name, array in arrays.items()}
            del job
            self.assertTrue(arrays)
            for name, array in arrays.items():
                np.testing.assert_array_equal(kept[name], array)

    def test_layers(self):
        with hoist.open(LAYERS) as job:
            self.assertIn("convolution", {layer["kind"] for layer in job.layers})

    def test_arrays_are_those_of_recover(self):
        with tempfile.TemporaryDirectory() as folder, hoist.open(LAYERS) as job:
            out = pathlib.Path(folder, "arrays.npz")
            command("recover", LAYERS, "-o", out)
            with np.load(out) as told:
                arrays = job.arrays()
                for name in told.files:
                    np.testing.assert_array_equal(told[name], arrays[name], name)

    def test_recover_tflite(self):
        with tempfile.TemporaryDirectory() as folder, hoist.open(LAYERS) as job:
            out = pathlib.Path(folder, "source.tflite")
            command("recover", "--tflite", out, LAYERS)
            source = job.recover_tflite()
            self.assertEqual(out.read_bytes(), source)
            with hoist.open(source) as other:
                self.assertEqual(0, job.diff(other)["count"])
                self.assertEqual(0, other.diff(job)["count"])
        with self.assertRaises(hoist.NotFoundError):
            hoist.open(CLASSIFIER).recover_tflite()

    def test_exchange(self):
        with hoist.open(LAYERS) as job:
            weights = job.arrays()["layers/0/weights"]
            changed = weights.copy()
            changed.reshape(-1)[0] ^= 1
            with hoist.open(job.exchange({"layers/0/weights": changed})) as other:
                np.testing.assert_array_equal(changed, other.arrays()["layers/0/weights"])
                self.assertGreater(job.diff(other)["count"], 0)
            with self.assertRaises(hoist.InvalidError):
                job.exchange({"layers/0/weights": changed[:1]})


class Together(Case):
    def test_add(self):
        ranks = [hoist.open(str(EXAMPLES / f"ark/all_reduce_rank{rank}.json")) for rank in range(4)]
        with self.assertRaises(hoist.NotFoundError):
            ranks[0].lower()
        for rank in ranks[1:]:
            ranks[0].add(rank)
            with self.assertRaises(ValueError):
                rank.info()
        self.assertEqual({0, 1, 2, 3}, {port.rank for port in ranks[0].lower().ports})
        with self.assertRaises(hoist.UnsupportedError):
            hoist.open(NETLIST).add(hoist.open(BROKEN))

    def test_match_layers(self):
        with hoist.open(LAYERS) as job, hoist.open(job.recover_tflite()) as source:
            found = job.match_layers(source)
            self.assertEqual(list(range(len(job.layers))), [row["layer"] for row in found])
            self.assertEqual("CONV_2D", found[0]["operator_name"])

    def test_link_and_stream(self):
        with hoist.open(LAYERS) as job:
            linked = job.link({"parameters": 0x1000})
            self.assertEqual(len(job.write()), len(linked))
            self.assertEqual(hoist.open(linked).link(undo=True), job.link(undo=True))
            sent, steps = job.stream()
            self.assertTrue(sent)
            self.assertEqual("instructions", next(step["kind"] for step in steps if step["is_sent"]))
            self.assertIsInstance(job.tokens, list)


class Errors(Case):
    def test_no_file(self):
        with self.assertRaises(FileNotFoundError):
            hoist.open("nothing.tflite")

    def test_unknown_format(self):
        with self.assertRaises(hoist.InvalidError) as raised:
            hoist.open(b"\x00\x01\x02")
        self.assertTrue(raised.exception.findings)
        with self.assertRaises(hoist.NotFoundError):
            hoist.open(CLASSIFIER, format="none")
        with self.assertRaises(hoist.InvalidError):
            hoist.open(b"")

    def test_closed(self):
        job = hoist.open(CLASSIFIER)
        job.close()
        job.close()
        for call in (job.check, job.info, job.dump, job.arrays, job.lower, lambda: job.format, lambda: job.diff(job)):
            with self.assertRaises(ValueError):
                call()
        self.assertIn("closed", repr(job))

    def test_timeout(self):
        with hoist.open(NETLIST) as job:
            with self.assertRaises(hoist.LimitError):
                job.lower(timeout=0)
            self.assertTrue(job.lower().entries)  # the next call has a limit of its own

    def test_progress(self):
        seen = []
        with hoist.open(NETLIST, progress=seen.append) as job:
            opened = len(seen)
            job.lower()
        self.assertEqual("opening", seen[0]["stage"])
        self.assertEqual("bytes", seen[0]["unit"])
        self.assertGreater(len(seen), opened)
        for report in seen:
            self.assertLessEqual(report["done"], report["total"] or report["done"])

    def test_progress_cancels(self):
        def fail(report):
            raise KeyError(report["stage"])

        with self.assertRaises(KeyError):
            hoist.open(NETLIST, progress=fail)

    def test_names_hold_no_nul(self):
        with self.assertRaises(ValueError):
            hoist.open(CLASSIFIER, format="a\0b")
        with self.assertRaises(ValueError):
            hoist.open(NETLIST).lower(queues="neither")

    def test_two_jobs_compared_from_both_sides(self):
        one, two = hoist.open(LAYERS), hoist.open(hoist.open(LAYERS).recover_tflite())
        counts = []

        def compare(a, b):
            for _ in range(20):
                counts.append(a.diff(b)["count"])

        threads = [threading.Thread(target=compare, args=pair) for pair in ((one, two), (two, one))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual([0] * 40, counts)

    def test_rules(self):
        rules = {rule.id: rule for rule in hoist.rules()}
        told = [rule["id"] for rows in document("rules")["sets"] for rule in rows["rules"]]
        self.assertEqual([], [name for name in told if name not in rules])

    def test_refusers(self):
        refusers = {rule.id: rule.refused_by for rule in hoist.rules()}
        for rows in document("rules")["sets"]:
            for rule in rows["rules"]:
                here = refusers[rule["id"]]
                self.assertEqual(rule.get("refused_by"), here if here is None else list(here))


if __name__ == "__main__":
    main()
