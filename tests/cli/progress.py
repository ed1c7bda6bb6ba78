#!/usr/bin/env python3
"""How far a command is: a line on a terminal, which goes again, lines of JSON on demand, and nothing else.

progress.py HOIST
"""
import json
import os
import pathlib
import pty
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time

import terminal

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SMALL = HERE / "data/small.yaml"
EXAMPLE = str(ROOT / "examples/buda/feed_forward.yaml")
WIPE = "\r\x1b[K"
LIMIT = "1.5"
UNITS = {"opening": "bytes", "inflating": "bytes", "checking": "files", "checking orders": "steps", "lowering": "parts",
         "running": "steps", "packing": "bytes", "unpacking": "bytes", "scanning": "files"}
LINE = re.compile(r"[a-z ]+(: [0-9,.]+( [KMGT]?i?B| [a-z]+)?( of [0-9,.]+( [KMGT]?i?B| [a-z]+), [0-9]+ %)?)?"
                  r"(, [0-9]+ (s|min|h)( [0-9]+ (s|min))? left)?")


def loop(folder, count):
    """The small netlist, whose program goes round `count` times."""
    text = SMALL.read_text(encoding="ascii")
    text = text.replace("    - execute", f"    - loop: {count}\n    - execute") + "    - endloop\n"
    path = folder / f"loop{count}.yaml"
    path.write_text(text, encoding="ascii")
    return str(path)


def big_text(folder):
    """A netlist that takes some seconds to read, and none that makes sense."""
    path = folder / "big.yaml"
    with open(path, "w", encoding="ascii") as file:
        file.write("devices: {arch: grayskull}\nqueues:\n")
        for i in range(800_000):
            file.write(f"  q{i}: {{type: queue, input: HOST, entries: 4, grid_size: [1, 1], t: 1, loc: dram}}\n")
    return str(path)


def processor_seconds(words):
    """What the command takes at the least here, whatever else runs."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run(words).communicate()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def run(words, stderr=subprocess.PIPE, **more):
    environment = {name: value for name, value in os.environ.items() if name.endswith("SAN_OPTIONS")}
    environment |= {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TERM": "xterm"} | more.pop("variables", {})
    return subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=stderr, env=environment, **more)


def on_terminal(words, both=False, interrupt=False, **more):
    """What a terminal of 60 columns gets, standard output where that is none, and the exit status."""
    master, slave = pty.openpty()
    os.set_inheritable(slave, True)
    import fcntl  # pylint: disable=import-outside-toplevel
    import struct  # pylint: disable=import-outside-toplevel
    import termios  # pylint: disable=import-outside-toplevel
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 60, 0, 0))
    if both:
        done = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=slave, stderr=slave,
                                env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TERM": "xterm"} | more.get("variables", {}))
    else:
        done = run(words, stderr=slave, **more)
    os.close(slave)
    if interrupt:
        time.sleep(1)
        done.send_signal(signal.SIGINT)
    text = terminal.read_all(master)
    out = done.stdout.read().decode() if done.stdout else ""
    return text.decode().replace("\r\n", "\n"), out, done.wait(timeout=60)


def screen(text):
    """What is left on the screen, and every line that was shown and went again."""
    rows, shown = [""], []
    for part in re.split("(\n|" + re.escape(WIPE) + ")", text):
        if part == "\n":
            rows.append("")
        elif part == WIPE:
            shown += [rows[-1]] if rows[-1] else []
            rows[-1] = ""
        else:
            rows[-1] += part
    return "\n".join(rows), shown


def json_lines(text):
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


def main():
    hoist = os.path.abspath(sys.argv[1])
    wrong = []

    def check(name, is_right, *what):
        if not is_right:
            wrong.append(f"{name}: {what}")

    def check_lines(name, lines, stages):
        last = {}
        for line in lines:
            check(name, line["unit"] == UNITS[line["stage"]], line)
            check(name, line["total"] is None or line["done"] <= line["total"], line)
            check(name, line["elapsed_seconds"] >= 0.5, line)
            before = last.get(line["stage"])
            check(name, not before or before["done"] <= line["done"], before, line)
            last[line["stage"]] = line
        check(name, stages <= set(last), "stages", list(last))
        if validate:
            for line in lines:
                validate(line)

    try:
        import jsonschema  # pylint: disable=import-outside-toplevel
        validate = jsonschema.Draft202012Validator(
            json.loads((ROOT / "schemas/hoist.progress-1.schema.json").read_text(encoding="utf-8"))).validate
    except ImportError:
        validate = None
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made)
        runs = [hoist, "run", "-i", "q0=random:1", "--timeout", LIMIT, loop(folder, 2_000_000_000)]
        # Ends by itself after a second or two, sooner on fast machines.
        orders = [hoist, "check", "--no-pager", "--races", "--max-steps", "4000000000", runs[-1]]
        is_long = processor_seconds(orders) > 1.2
        big = big_text(folder)
        limit = processor_seconds([hoist, "info", "-q", big]) / 2  # must be reached
        opens = [hoist, "info", "--no-pager", "--timeout", f"{limit:.2f}", big]

        # On a terminal.
        for name, words, stage in (("running", runs, "running"), ("checking orders", orders, "checking orders"),
                                   ("opening", opens, "opening")):
            text, out, code = on_terminal(words)
            left, shown = screen(text)
            ends = 0 if stage == "checking orders" else 5
            check(name, code == ends, code, left)
            check(f"{name}: shown", any(line.startswith(stage) for line in shown) or not (ends or is_long), shown)
            check(f"{name}: as it is to be", all(LINE.fullmatch(line) and len(line) < 60 for line in shown), shown)
            check(f"{name}: gone", left == "" or left.endswith("\n"), left)
            check(f"{name}: messages stay", ("time limit" if ends else "orders: unknown") in left + out, left, out)
            check(f"{name}: after the line is gone", "\x1b" not in left and not any(line in left for line in shown), left)
            if stage == "opening":
                check("a total and the time that is left", any(" of " in line and line.endswith(" left") for line in shown), shown)
        text, out, code = on_terminal([hoist, "info", EXAMPLE])
        check("a short command shows nothing", code == 0 and text == "" and "matmul" in out, text)
        for option in (["--progress", "none"], ["-q"]):
            text, out, code = on_terminal(runs[:2] + option + runs[2:])
            check(f"{option}", code == 5 and WIPE not in text and "running:" not in text, text)
        text, out, code = on_terminal(runs, variables={"TERM": "dumb"})
        check("a dumb terminal", code == 5 and "\x1b" not in text, text)
        text, out, code = on_terminal(opens[:1] + ["info"] + opens[5:], interrupt=True)
        left, shown = screen(text)
        check("an interrupt takes it away", code == -signal.SIGINT and shown and not left, code, left, shown)
        # Output on the same terminal: nothing of the line is in it.
        alone = subprocess.run([hoist, "info", EXAMPLE, big], check=False, capture_output=True,
                               env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "COLUMNS": "60"})
        text, out, code = on_terminal([hoist, "info", "--no-pager", "--color", "never", EXAMPLE, big], both=True,
                                      variables={"COLUMNS": "60"})
        left, shown = screen(text)
        expected = alone.stdout.decode()
        check("output on the terminal is as it is elsewhere", all(line in left for line in expected.splitlines()), left[:2000])
        check("and has nothing else in it", not any(line.startswith("opening") for line in left.splitlines()), left[:2000])

        # Elsewhere.
        for name, words in (("running", runs), ("checking orders", orders), ("opening", opens)):
            done = run(words)
            out, err = done.communicate(timeout=60)
            check(f"{name}: piped", done.returncode == (0 if words is orders else 5) and not any(name in line for line in err.decode().splitlines()
                                                                     if line.startswith(name)), err)
            check(f"{name}: piped", b"\x1b" not in err and b"\r" not in err, err)
        for name, words in (("running", runs), ("checking orders", orders), ("opening", opens)):
            done = run(words[:2] + ["--progress", "json"] + words[2:])
            out, err = done.communicate(timeout=60)
            lines = json_lines(err.decode())
            said = (out + err).decode()
            if words is orders:
                check(f"{name}: messages stay", done.returncode == 0 and "orders: unknown" in said, err)
            else:
                check(f"{name}: messages stay", done.returncode == 5 and "time limit" in said, err)
            if words is not orders or is_long:
                # At most one each 0.1 s.
                check(f"{name}: JSON", 2 <= len(lines) <= 11 * lines[-1]["elapsed_seconds"], len(lines))
                check_lines(f"{name}: JSON", lines, {name})
        done = run([hoist, "info", "--progress=json", EXAMPLE])
        out, err = done.communicate(timeout=60)
        check("JSON of a short command", done.returncode == 0 and err == b"", err)
    for name in wrong:
        print(f"wrong: {name}"[:3000])
    print(f"{len(wrong)} problems")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
