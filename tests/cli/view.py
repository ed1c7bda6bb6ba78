#!/usr/bin/env python3
"""Pages of `hoist view`: one file, that asks for nothing, with the same data as the other commands.

view.py HOIST

- The page's policy allows its own script and style by their hashes, and nothing else; there is no address in it, no
  attribute that is a handler, and no element but those of viewer/page.html.
- Documents decode to what info, graph, check, dump and dump --plan give with --json; layouts fit their graphs, boxes of nodes are
  apart, edges begin and end at their nodes.
- Names that markup would obey are text only in the compressed data. What fails leaves the old file.
"""
import base64
import gzip
import hashlib
import html.parser
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# What `info` adds to a summary: facts of the bytes.
OF_BYTES = ("file", "size_bytes", "sha256", "content_sha256")
POLICY = re.compile(r"default-src 'none'; script-src '(sha256-[A-Za-z0-9+/=]+)'; style-src '(sha256-[A-Za-z0-9+/=]+)'; "
                    r"img-src data: blob:; base-uri 'none'; form-action 'none'")
ELEMENTS = set("html head meta title style body header h1 label select div button input ul main canvas p aside output dialog noscript script".split())
HOSTILE = 'a"\\</script><!--\u202e\x01<img src=x onerror=alert(1)>'

problems = []


def expect(holds, *what):
    if not holds:
        problems.append(" ".join(str(part) for part in what))
    return holds


def refuse(constant):
    """JSON has no NaN, and a browser reads none."""
    expect(False, "a document has", constant)


class Page(html.parser.HTMLParser):
    """Elements, the policy, and texts of scripts and styles."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.policy, self.open, self.documents, self.texts = None, None, {}, {"script": "", "style": ""}
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        expect(tag in ELEMENTS, "an element", tag)
        for key in given:
            expect(not key.startswith("on") and key not in ("src", "href", "action", "srcset", "style"), "an attribute", key)
        if given.get("http-equiv") == "Content-Security-Policy":
            self.policy = given["content"]
        self.open = given.get("id", tag) if tag in ("script", "style") else None
        if self.open and self.open not in self.texts:
            expect(given["type"] == "application/gzip", "a script of type", given.get("type"))

    def handle_endtag(self, tag):
        self.open = None

    def handle_data(self, data):
        if self.open in self.texts:
            self.texts[self.open] += data
        elif self.open:
            self.documents[self.open] = json.loads(gzip.decompress(base64.b64decode(data, validate=True)), parse_constant=refuse)


def run(hoist, *arguments, code=0):
    done = subprocess.run([hoist, *map(str, arguments)], cwd=ROOT, check=False, capture_output=True, stdin=subprocess.DEVNULL, timeout=120)
    expect(done.returncode == code, arguments, "gives", done.returncode, done.stderr[:200])
    return done.stdout


def hash_of(text):
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def check_page(text):
    page = Page(text)
    policy = POLICY.fullmatch(page.policy or "")
    if expect(policy, "the policy is", page.policy):
        expect(policy.groups() == (hash_of(page.texts["script"]), hash_of(page.texts["style"])), "hashes of the policy")
    shell = re.sub(r"(?s)<script type=.*?</script>", "", text)
    shell = shell.replace('"http://www.w3.org/2000/svg"', "").replace('"url(#arrow)"', "")  # a name, and a part of a drawing
    expect(not re.search(r"(?i)(https?:|\burl\(|@import|import\(|fetch\(|XMLHttpRequest|WebSocket|sendBeacon|innerHTML|outerHTML|"
                         r"insertAdjacentHTML|document\.write|eval\(|new Function)", shell), "the page may ask for something, or make markup")
    return page


def check_layout(name, graph, layout):
    count = len(graph["nodes"])
    routes, at = [], 0
    while at < len(layout["edges"]):
        size = 3 + 2 * layout["edges"][at + 2]
        routes.append(layout["edges"][at:at + 2] + layout["edges"][at + 3:at + size])
        at += size
    expect(len(layout["nodes"]) == 4 * count and len(routes) == len(graph["edges"]), name, "another number of nodes or edges")
    boxes = [layout["nodes"][4 * i:4 * i + 4] for i in range(count)]
    for x, y, width, height in boxes:
        expect(0 <= x and 0 <= y and x + width <= layout["width"] and y + height <= layout["height"], name, "a node outside")
    for i, (x, y, width, height) in enumerate(boxes):
        for a, b, w, h in boxes[:i] if count < 400 else ():
            expect(x >= a + w or a >= x + width or y >= b + h or b >= y + height, name, "nodes overlap")
    for edge, points in zip(graph["edges"], routes):
        for k in range(4, len(points)):
            points[k] += points[k - 2]
        expect(points[0] in (0, 1, 2) and points[1] in (0, 1) and len(points) >= 6 and len(points) % 2 == 0, name, "an edge of", points[:4])
        for node, (px, py) in ((edge["from"], points[2:4]), (edge["to"], points[-2:])):
            x, y, width, height = boxes[node]
            expect(x <= px <= x + width and y <= py <= y + height, name, "an edge ends beside its node")


def check_data(hoist, path, index, documents):
    data = documents[f"file-{index}"]
    expect(list(data)[:2] == ["schema", "generator"] and data["schema"] == "hoist.view/1", path, "another schema")
    info = json.loads(run(hoist, "info", "--json", path))["files"][0]
    expect(all(documents[f"info-{index}"].get(key) == value for key, value in info.items() if key not in OF_BYTES), path, "another summary")
    expect(data["size_bytes"] == info["size_bytes"], path, "another size")
    graph = json.loads(run(hoist, "graph", "--json", path))
    expect(data["graphs"] == graph["graphs"] and data["memory"] == graph["memory"], path, "other graphs or memory")
    expect(len(data["layouts"]) == len(data["graphs"]), path, "not a layout for each graph")
    for one, layout in zip(data["graphs"], data["layouts"]):
        check_layout(path, one, layout)
        expect(len(layout["objects"]) in (0, len(one["nodes"])), path, "not a place for each node")
        for node, place in zip(one["nodes"], layout["objects"]):
            found = documents[f"content-{index}"]
            for part in place.split("/") if place else ():
                found = found["value"] if isinstance(found, dict) and set(found) == {"at", "value"} else found
                found = found[int(part) if isinstance(found, list) else part]
            found = found["value"] if isinstance(found, dict) and set(found) == {"at", "value"} else found
            expect(not place or isinstance(found, dict), path, "no object of the file:", place, node["name"])
    checked = json.loads(run(hoist, "check", "--json", path))["files"][0]
    expect(data["findings"] == checked["findings"], path, "other findings")
    check_run(hoist, path, documents[f"run-{index}"])
    plan = json.loads(run(hoist, "dump", "--plan", "--json", path))["plan"]
    expect(documents[f"run-{index}"]["plan"] == plan and plan["buffers"], path, "another plan")
    content = json.loads(run(hoist, "dump", "--json", path))["module"]
    expect(data["has_content"] and documents[f"content-{index}"] == content, path, "another content")


def check_run(hoist, path, data):
    """Events are the rows of `hoist time` that `hoist trace` has."""
    rows = [row for row in json.loads(run(hoist, "time", "--json", path))["rows"] if (row["low_seconds"] or 0) > 0 or row["untimed_steps"]]
    ticks, at, kinds = data["ticks_per_second"], 0, data["kinds"]
    if not expect(3 * len(rows) == len(data["events"]) > 0, path, "has", len(data["events"]) / 3, "events, not", len(rows)):
        return
    for i, row in enumerate(rows):
        kind, since, length = data["events"][3 * i:3 * i + 3]
        at += since
        expect(abs(at - row["begin_seconds"] * ticks) <= 1 and abs(at + length - row["end_seconds"] * ticks) <= 1, path, "another time of", row)
        for key, values in kinds.items():
            value = values[kind]
            if key in ("name", "process", "function", "device", "bound"):
                expect((data["words"][value - 1] if value else None) == row[key], path, "another", key, row)
            elif key.endswith("_seconds"):
                expect(value == -1 if row[key] is None else abs(value - row[key] * ticks) <= 1, path, "another", key, row)
            else:
                expect(value == row[key], path, "another", key, row)


def check_files(hoist, folder):
    packed = folder / "a.neff"
    run(hoist, "pack", "-o", packed, "examples/neff/all_reduce")
    files = ["examples/buda/feed_forward.yaml", "examples/buda/transformer_encoder.yaml", "examples/tflite/classifier.tflite",
             "examples/tflite/layers_edgetpu.tflite", "examples/ark/swiglu.json", str(packed)]
    run(hoist, "view", *files, "-o", folder / "all.html")
    page = check_page((folder / "all.html").read_text(encoding="utf-8"))
    expect(len(page.documents) == 4 * len(files), "documents", sorted(page.documents))
    single = run(hoist, "view", files[0])
    expect(check_page(single.decode()).documents["file-0"] == page.documents["file-0"], "standard output has another page")
    for index, path in enumerate(files):
        check_data(hoist, path, index, page.documents)


def check_changes(hoist, folder):
    """Two files of one format have what `hoist diff` finds; others are only together in a page."""
    old = ROOT / "examples/buda/feed_forward.yaml"
    new = folder / "new.yaml"
    new.write_text(old.read_text(encoding="utf-8").replace("gelu", "tanh"), encoding="utf-8")
    pairs = [(old, new, 1), (old, old, 0), (old, ROOT / "examples/buda/transformer_encoder.yaml", 1),
             (ROOT / "examples/tflite/classifier.tflite", ROOT / "examples/tflite/layers_edgetpu.tflite", 1)]
    for one, other, code in pairs:
        run(hoist, "view", one, other, "-o", folder / "pair.html")
        page = check_page((folder / "pair.html").read_text(encoding="utf-8"))
        found = json.loads(run(hoist, "diff", "--json", one, other, code=code))
        expect({key: found[key] for key in found if key not in ("schema", "generator")} == page.documents["changes"], one, other, "differ otherwise")
    run(hoist, "view", old, "examples/ark/swiglu.json", "-o", folder / "pair.html")
    expect("changes" not in check_page((folder / "pair.html").read_text(encoding="utf-8")).documents, "files of two formats are compared")
    expect(run(hoist, "view", old, "examples/none.yaml", code=3), "one file of two is not shown")


def check_races(hoist, folder):
    """Races are findings, step by step; what a step comes after is before it."""
    for name in ("edgetpu_missing_fence", "neff_missing_wait"):
        run(hoist, "view", f"examples/programs/broken/{name}.hoist", "-o", folder / "r.html", code=0)
        data = check_page((folder / "r.html").read_text(encoding="utf-8")).documents["file-0"]
        found = [finding["message"] for finding in data["findings"] if finding["rule"] == "PRG-101"]
        expect(found and sorted(found) == sorted(race["message"] for race in data["races"]), name, "other races than findings")
        for race in data["races"]:
            steps = race["schedule"]
            expect(len(race["accesses"]) == 2 and "writes" in race["accesses"] and len(steps) >= 2, name, "accesses of", race["message"])
            expect(all(before < i for i, step in enumerate(steps) for before in step["after"]), name, "a step comes after a later one")
            expect(len(steps) - 2 not in steps[-1]["after"] and steps[-1]["process"] != steps[-2]["process"], name, "both accesses have an order")
            expect(all(step["step"].split(" ")[0] in race["message"] for step in steps[-2:]), name, "other accesses", steps[-2:])
    run(hoist, "view", "examples/programs/ark_ranks.hoist", "-o", folder / "r.html")
    expect(check_page((folder / "r.html").read_text(encoding="utf-8")).documents["file-0"]["races"] == [], "a race in a program without one")


def check_hostile(hoist, folder):
    text = (ROOT / "examples/buda/feed_forward.yaml").read_text(encoding="utf-8")
    quoted = json.dumps(HOSTILE)
    path = folder / "hostile.yaml"
    path.write_text(text.replace("act: {", f"{quoted}: {{").replace("[act", f"[{quoted}"), encoding="utf-8")
    run(hoist, "view", path, "-o", folder / "h.html")
    written = (folder / "h.html").read_text(encoding="utf-8")
    page = check_page(written)
    names = [node["name"] for node in page.documents["file-0"]["graphs"][0]["nodes"]]
    expect(HOSTILE in names, "the name is another one:", names)
    expect("onerror" not in written and "\u202e" not in written, "the name is in the page")
    for number in (".nan", "NaN", "-.inf", "1e999"):
        odd = folder / "odd.yaml"
        odd.write_text(text.replace("approximate_mode: false", f"approximate_mode: {number}").replace("buf_size_mb: 2", f"buf_size_mb: {number}", 1), encoding="utf-8")
        code = subprocess.run([hoist, "info", odd], check=False, capture_output=True).returncode
        run(hoist, "view", odd, "-o", folder / "o.html", code=code)
        check_page((folder / "o.html").read_text(encoding="utf-8"))
    long = folder / "long.yaml"
    long.write_text(text.replace("act: {", f"a{'x' * 1000000}: {{").replace("[act", f"[a{'x' * 1000000}"), encoding="utf-8")
    run(hoist, "view", long, "-o", folder / "l.html", code=subprocess.run([hoist, "info", long], check=False, capture_output=True).returncode)


def check_failures(hoist, folder):
    unknown = folder / "unknown.hoist"
    unknown.write_bytes((ROOT / "examples/programs/broken/ark_missing_send.hoist").read_bytes())
    run(hoist, "view", unknown, "-o", folder / "u.html")
    why = check_page((folder / "u.html").read_text(encoding="utf-8")).documents["run-0"]
    expect(list(why) == ["why_not"] and why["why_not"], "a run that does not end is", why)
    broken = "examples/buda/feed_forward_broken.yaml"
    run(hoist, "view", broken, "-o", folder / "b.html", code=3)
    data = check_page((folder / "b.html").read_text(encoding="utf-8")).documents["file-0"]
    checked = json.loads(run(hoist, "check", "--json", broken, code=1))["files"][0]
    expect(data["findings"] == checked["findings"] and "graphs" not in data, "a broken file has other findings")
    old = folder / "old.html"
    old.write_text("old", encoding="utf-8")
    run(hoist, "view", "examples/none.yaml", "-o", old, code=3)
    expect(old.read_text(encoding="utf-8") == "old", "a page without a file was written")
    expect(run(hoist, "view", "examples/none.yaml", code=3) == b"", "a page without a file was printed")
    copy = folder / "copy.yaml"
    copy.write_bytes((ROOT / "examples/buda/feed_forward.yaml").read_bytes())
    run(hoist, "view", copy, "-o", copy, code=2)
    run(hoist, "view", copy, "-o", folder / "none" / "p.html", code=3)
    run(hoist, "view", "--max-memory", "100K", copy, "-o", old, code=5)
    expect(old.read_text(encoding="utf-8") == "old", "a page beyond the limit was written")
    expect(not list(folder.glob(".*.tmp")), "temporary files are left")


def main(hoist):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_files(hoist, folder)
        check_changes(hoist, folder)
        check_races(hoist, folder)
        check_hostile(hoist, folder)
        check_failures(hoist, folder)
    for problem in problems[:20]:
        print(problem)
    return len(problems) > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
