#!/usr/bin/env python3
"""Pages of `hoist view` in headless Chromium (make deps-viewer): errors, requests, first paint, frames.

view_bench.py HOIST [--nodes N] [--events N] [--axe axe.min.js] [--shots FOLDER] [--only TEXT]

Makes pages of examples, of a TFLite model of N operators (100,000) that read others at random, and of a netlist whose run has N
events (1,000,000; opened at its timeline), and opens each at
1280 and 400 pixels width, light and dark. Every view is shown by keys alone, names are searched, and nodes walked. A
line has what writing took, the size of the page, when it was ready and the processor time until then (busy), and the time of frames while the drawing is moved
and zoomed. The exit status is 1 where a page has an error of JavaScript or asks for anything; where it is written in more
than 2 s, has more than 25 MB, is ready after 1.5 s, or where 5 % of frames take longer than two of 60 in a second (33.4 ms);
and, with axe-core, where that finds a serious fault.
"""
import argparse
import base64
import itertools
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

import growth_files

ROOT = pathlib.Path(__file__).resolve().parent.parent
LINE = "{:<34} {:>9} {:>9} {:>9} {:>9} {:>11} {:>11} {:>7} {:>8}"
MOST = {"write": 2.0, "size": 25e6, "ready": 1500, "frame": 34}


class Browser:
    """Chromium by its debugging pipe: messages of JSON, each ended by a zero byte."""

    def __init__(self, folder):
        to_read, self.out = os.pipe()
        self.into, to_write = os.pipe()
        name = shutil.which("chromium") or shutil.which("chromium-browser")
        words = [name, "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", f"--user-data-dir={folder}/profile",
                 "--no-first-run", "--disable-extensions", "--disable-background-networking"]
        line = " ".join(words) + f" 3<&{to_read} 4>&{to_write} 2>/dev/null"
        self.process = subprocess.Popen(["bash", "-c", f"exec {line}"], pass_fds=(to_read, to_write), stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.numbers, self.rest, self.events, self.session = itertools.count(1), b"", [], None
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(f"{domain}.enable")
        self.ask("Performance.enable", timeDomain="threadTicks")

    def message(self):
        while b"\0" not in self.rest:
            piece = os.read(self.into, 1 << 20)
            if not piece:
                raise RuntimeError("Chromium has ended")
            self.rest += piece
        text, self.rest = self.rest.split(b"\0", 1)
        return json.loads(text)

    def ask(self, method, **parameters):
        number = next(self.numbers)
        message = {"id": number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def evaluate(self, text):
        done = self.ask("Runtime.evaluate", expression=text, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in done:
            raise RuntimeError(f"{text[:60]}: {done['exceptionDetails'].get('exception', {}).get('description')}")
        return done["result"].get("value")

    def press(self, key):
        text = {"text": key} if len(key) == 1 else {}
        self.ask("Input.dispatchKeyEvent", type="keyDown", key=key, **text)
        self.ask("Input.dispatchKeyEvent", type="keyUp", key=key)

    def busy(self):
        """Seconds of processor time of the page's main thread."""
        return next(m["value"] for m in self.ask("Performance.getMetrics")["metrics"] if m["name"] == "TaskDuration")

    def open(self, path, width, height, dark, view=""):
        """Milliseconds until the page was ready, and of processor time for that."""
        self.events.clear()
        before = self.busy()
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.ask("Page.navigate", url=f"file://{path}?{next(self.numbers)}" + (f"#view={view}" if view else ""))
        until = time.monotonic() + 60
        while time.monotonic() < until:
            ready = self.evaluate("document.documentElement ? Number(document.documentElement.dataset.ready || 0) : 0")
            if ready:
                busy = self.busy()
                return ready, 1000 * (busy - before if busy >= before else busy)
            time.sleep(0.02)
        raise RuntimeError("the page is not ready after 60 s")

    def faults(self, path):
        """What went wrong, and what was asked for, since the page was opened."""
        found = []
        for event in self.events:
            parameters = event.get("params", {})
            if event.get("method") == "Runtime.exceptionThrown":
                found.append(f"exception {parameters['exceptionDetails'].get('exception', {}).get('description', '')[:200]}")
            elif event.get("method") == "Log.entryAdded" and parameters["entry"]["level"] == "error":
                found.append(f"log {parameters['entry']['text'][:200]}")
            elif event.get("method") == "Network.requestWillBeSent" and not parameters["request"]["url"].startswith((f"file://{path}", "blob:", "data:")):
                found.append(f"request {parameters['request']['url'][:100]}")
        return found

    def picture(self, path):
        path.write_bytes(base64.b64decode(self.ask("Page.captureScreenshot")["data"]))

    def close(self):
        self.process.terminate()
        self.process.wait()


def wide_model(folder, n):
    """Operators that each add two of the 200 results before."""
    chance = random.Random(7)
    tensors = [growth_files.tensor(f"layer_{i // 40}/add_{i}") for i in range(n + 1)]
    operators = [growth_files.add(max(0, i - chance.randrange(200)), max(0, i - chance.randrange(20)), i + 1) for i in range(n)]
    return growth_files.adds(folder, [growth_files.subgraph(tensors, [0], [n], operators)])


def long_run(folder, n):
    """A netlist whose run has n events: a loop around a graph of 8."""
    text = (ROOT / "examples/buda/feed_forward.yaml").read_text(encoding="utf-8")
    path = folder / "long_run.yaml"
    path.write_text(text.replace("loop: $p_loop_count", f"loop: {n // 8}"), encoding="utf-8")
    return path


def hostile_files(folder):
    """A name that markup and terminals would obey, and one of a million characters."""
    text = (ROOT / "examples/buda/feed_forward.yaml").read_text(encoding="utf-8")
    quoted = json.dumps('a"\\</script><!--\u202e\x01<img src=x onerror=alert(1)>')
    netlist = folder / "hostile.yaml"
    netlist.write_text(text.replace("act: {", f"{quoted}: {{").replace("[act", f"[{quoted}"), encoding="utf-8")
    tensors = [growth_files.tensor("long" * 250000), growth_files.tensor("")]
    return [netlist, growth_files.adds(folder, [growth_files.subgraph(tensors, [0], [1], [growth_files.add(0, 0, 1)])])]


# Milliseconds of the frames while the drawing moves, zooms out and moves again: p95 and the greatest.
FRAMES = """
(async () => {
  const canvas = document.getElementById("canvas");
  const at = canvas.getBoundingClientRect();
  const send = (type, x, y) => canvas.dispatchEvent(new PointerEvent(type, {pointerId: 1, clientX: at.left + x, clientY: at.top + y, bubbles: true}));
  canvas.setPointerCapture = () => {};
  const frame = () => new Promise((go) => requestAnimationFrame(go));
  const times = [];
  const move = async (count) => {
    send("pointerdown", 200, 200);
    let before = await frame();
    for (let i = 0; i < count; i++) {
      send("pointermove", 200 + 90 * Math.sin(i / 9), 200 - 4 * i);
      const now = await frame();
      times.push(now - before);
      before = now;
    }
    send("pointerup", 200, 200);
  };
  await move(60);
  for (let i = 0; i < 40; i++) {
    const before = await frame();
    canvas.dispatchEvent(new WheelEvent("wheel", {deltaY: 120, clientX: at.left + 300, clientY: at.top + 300, bubbles: true, cancelable: true}));
    times.push(await frame() - before);
  }
  await move(60);
  times.sort((a, b) => a - b);
  return [times[Math.floor(0.95 * (times.length - 1))], times[times.length - 1]];
})()
"""


# The SVG file that the page saves reads back with as many nodes as the graph has; its number, or why not.
SAVES = """
(async () => {
  const saved = [];
  const before = URL.createObjectURL;
  URL.createObjectURL = (blob) => { saved.push(blob); return before.call(URL, blob); };
  HTMLAnchorElement.prototype.click = () => {};
  document.getElementById("svg").click();
  URL.createObjectURL = before;
  if (!saved.length) {
    return 0;
  }
  const read = new DOMParser().parseFromString(await saved[0].text(), "image/svg+xml");
  return read.querySelector("parsererror") ? -1 : read.querySelectorAll("svg > g > title").length;
})()
"""


# Bytes of the image that the page saves.
SAVES_PNG = """
new Promise((go) => {
  const before = URL.createObjectURL;
  URL.createObjectURL = (blob) => { URL.createObjectURL = before; go(blob.type === "image/png" ? blob.size : 0); return before.call(URL, blob); };
  HTMLAnchorElement.prototype.click = () => {};
  document.getElementById("png").click();
})
"""


def check_link(browser, page):
    """The image is saved, and the address that the page has by now leads to the same view."""
    size = browser.evaluate(SAVES_PNG)
    seen = "[document.querySelector('#tabs [aria-selected=true]').dataset.view, location.hash]"
    browser.press("3")
    time.sleep(0.5)
    before = browser.evaluate(seen)
    browser.ask("Page.navigate", url=f"file://{page}?{next(browser.numbers)}{before[1]}")
    until = time.monotonic() + 60
    while not browser.evaluate("document.documentElement ? Number(document.documentElement.dataset.ready || 0) : 0") and time.monotonic() < until:
        time.sleep(0.05)
    after = browser.evaluate(seen)
    return ([] if size > 500 else [f"a PNG file of {size} bytes"]) + ([] if before == after else [f"the link {before} leads to {after}"])


def check_svg(browser):
    nodes = browser.evaluate(SAVES)
    said = browser.evaluate('document.getElementById("status").textContent')
    browser.press("1")
    shown = browser.evaluate('document.getElementById("status").textContent')
    return [] if f" {nodes} nodes" in shown or nodes == 0 and ("too many" in said or "drawn" in said) else [f"SVG of {nodes} nodes: {shown}"]


def by_keys(browser, wanted):
    """Every view, the help, a search, and a walk. Gives what does not work."""
    wrong = []
    for number, view in enumerate(("layers", "floorplan", "timeline", "memory", "findings", "content"), 1):
        browser.press(str(number))
        if browser.evaluate('document.querySelector("#tabs [aria-selected=true]").dataset.view') != view:
            wrong.append(f"key {number} does not show {view}")
    browser.press("1")
    browser.press("?")
    if not browser.evaluate('document.getElementById("keys").open'):
        wrong.append("? does not show keys")
    browser.evaluate('document.getElementById("keys").close()')
    if not wanted:
        return wrong
    browser.press("/")
    for letter in wanted:
        browser.press(letter)
    browser.press("Enter")
    shown = 'document.getElementById("panel").hidden ? "" : document.querySelector("#panel h2").textContent'
    first = browser.evaluate(shown)
    if wanted.lower() not in first.lower():
        wrong.append(f"search of {wanted} shows {first!r}")
    browser.press("ArrowDown")
    browser.press("ArrowUp")
    browser.press("+")
    browser.press("f")
    browser.press("Escape")
    if browser.evaluate(shown):
        wrong.append("Escape selects something still")
    return wrong


def write(hoist, files, path):
    before = time.monotonic()
    subprocess.run([hoist, "view", *map(str, files), "-o", path], cwd=ROOT, check=False, stderr=subprocess.DEVNULL)
    return time.monotonic() - before


def axe_faults(browser, script):
    browser.ask("Page.setBypassCSP", enabled=True)
    browser.ask("Page.reload")
    time.sleep(1)
    browser.evaluate(script + "; 0")
    text = browser.evaluate("axe.run().then((r) => JSON.stringify(r.violations.map((v) => [v.impact, v.id, v.nodes.length, v.nodes[0].html.slice(0, 80)])))")
    browser.ask("Page.setBypassCSP", enabled=False)
    return [fault for fault in json.loads(text) if fault[0] in ("serious", "critical")]


def look(browser, name, page, written, options, wanted, view=""):
    """Prints a line for each width. True: something is missed."""
    missed = False
    for width, dark in ((1280, False), (400, True)):
        ready, busy = browser.open(page, width, 800, dark, view)
        frame, longest = browser.evaluate(FRAMES)
        wrong = by_keys(browser, wanted) + check_svg(browser) + check_link(browser, page) + browser.faults(page)
        if options.shots:
            browser.press("1")
            time.sleep(0.3)
            browser.picture(pathlib.Path(options.shots) / f"{name.replace(' ', '_')}_{width}.png")
        if options.axe:
            wrong += [f"axe: {fault}" for fault in axe_faults(browser, options.axe)]
        size = page.stat().st_size
        missed = missed or bool(wrong) or written > MOST["write"] or size > MOST["size"] or ready > MOST["ready"] or frame > MOST["frame"]
        print(LINE.format(f"{name}, {width} {'dark' if dark else 'light'}", f"{written:.2f} s", f"{size / 1e6:.2f} MB", f"{ready:.0f} ms",
                          f"{busy:.0f} ms", f"{frame:.1f} ms", f"{longest:.0f} ms", len(wrong), "missed" if missed else "ok"), flush=True)
        for fault in wrong[:5]:
            print(f"    {fault}")
    return missed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("hoist")
    parser.add_argument("--nodes", type=int, default=100000)
    parser.add_argument("--events", type=int, default=1000000)
    parser.add_argument("--axe")
    parser.add_argument("--shots")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    options.axe = pathlib.Path(options.axe).read_text(encoding="utf-8") if options.axe else None
    hoist = str(pathlib.Path(options.hoist).resolve())
    missed = False
    print(f"load of the machine: {', '.join(f'{load:.1f}' for load in os.getloadavg())} on {os.cpu_count()} cores")
    print(LINE.format("", "written", "size", "ready", "busy", "frame p95", "longest", "faults", ""))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run([hoist, "pack", "-o", folder / "a.neff", "examples/neff/all_reduce"], cwd=ROOT, check=True)
        cases = {"netlist": (["examples/buda/transformer_encoder.yaml"], "w1"), "broken": (["examples/buda/feed_forward_broken.yaml"], ""),
                 "neff": ([folder / "a.neff"], "q_load"), "two models": (["examples/tflite/classifier.tflite", "examples/tflite/layers_edgetpu.tflite"], "conv"),
                 "ark": (["examples/ark/swiglu.json"], ""), "hostile": (hostile_files(folder), "onerror"), "races": (["examples/programs/broken/edgetpu_missing_fence.hoist"], ""),
                 "differences": (["examples/buda/feed_forward.yaml", "examples/buda/transformer_encoder.yaml"], ""),
                 f"{options.events} events": ([long_run(folder, options.events)], ""), f"{options.nodes} operators": (None, "add")}
        browser = Browser(folder)
        try:
            for title, (files, wanted) in cases.items():
                if options.only in title:
                    view = "timeline" if files and "long_run" in str(files[0]) else ""
                    page = folder / f"{title.replace(' ', '_')}.html"
                    written = write(hoist, files or [wide_model(folder, options.nodes)], page)
                    missed = look(browser, title, page, written, options, wanted, view) or missed
        finally:
            browser.close()
    return missed


if __name__ == "__main__":
    sys.exit(main())
