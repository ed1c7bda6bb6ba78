#!/usr/bin/env python3
"""No character of a file's names reaches a terminal but those that are shown as they are.

hidden.py HOIST

Netlist, NEFF, TFLite and Edge TPU files get names that hold every control character, format character and
separator of Unicode (general categories Cc, Cf, Zl, Zp), and bytes that are no UTF-8. Every command that
shows text runs on them, on a pseudo terminal and into pipes, and what comes out is searched for such
characters. JSON and texts that are read again must still say the same names.
"""
import json
import os
import pathlib
import pty
import re
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import unicodedata

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
HIDDEN = "".join(chr(c) for c in range(1, 0x110000) if unicodedata.category(chr(c)) in ("Cc", "Cf", "Zl", "Zp"))
NAME = "a" + HIDDEN + "z"
NAMES = [f"a{i}{HIDDEN[i * 50 % len(HIDDEN):][:50]}z" for i in range(5)]  # as keys of YAML are
STRAY = b"s\x9b\xff\xc2"  # no UTF-8
SECONDS = 60

problems = []
commands = 0


# Files -------------------------------------------------------------------------------------------


def quoted(name):
    return '"' + "".join(f"\\u{ord(c):04x}" if ord(c) < 0x10000 else f"\\U{ord(c):08x}" for c in name) + '"'


def netlist():
    """SMALL with hidden characters in the names of queues, of an op, a graph and a program."""
    text = (HERE / "data/small.yaml").read_text(encoding="utf-8")
    for old, name in zip((r"\bq0\b", r"\bq1\b", r"\bcopy\b", r"\bg\b(?!:.*0,)", r"\brun\b"), NAMES):
        text = re.sub(old, lambda _, name=name: quoted(name), text)
    return text.replace("$" + quoted(NAMES[3]), "$g")


def wrong_netlist():
    """Names where findings quote them: an unknown key, an unknown word, an input that is nowhere."""
    text = (HERE / "data/small.yaml").read_text(encoding="utf-8")
    text = text.replace("type: queue", f"{quoted(NAMES[0])}: 1, type: {quoted(NAMES[1])}", 1)
    return text.replace("inputs: [q0]", f"inputs: [{quoted(NAMES[2])}]", 1)


def neff_folder(folder):
    """The example with hidden characters in its variables and its graph's name, and a member of such a name."""
    shutil.copytree(ROOT / "examples/neff/all_reduce", folder)
    for path in sorted(folder.rglob("*.json")):
        text = path.read_text(encoding="utf-8")
        text = text.replace('"x"', json.dumps(NAME)).replace('"y"', json.dumps(NAME + "y"))
        path.write_text(text, encoding="utf-8")
    (folder / "\u202e\x9bmember.json").write_text(json.dumps({NAME: NAME}, ensure_ascii=False), encoding="utf-8")


def renamed(data, names):
    """A FlatBuffer in which the strings `names` are others: new strings at its end, and every offset moved to them."""
    data = bytearray(data)
    for name, new in names.items():
        at = data.find(struct.pack("<I", len(name)) + name + b"\0")
        assert at >= 0, name
        data += bytes(-len(data) % 4)
        users = [p for p in range(0, at, 4) if p + struct.unpack_from("<I", data, p)[0] == at]
        assert users, name
        for user in users:
            struct.pack_into("<I", data, user, len(data) - user)
        data += struct.pack("<I", len(new)) + new + b"\0"
    return bytes(data + bytes(-len(data) % 4))


def overwritten(data, name, new):
    """Every further string `name`, those of nested packages, as one that is as long."""
    assert len(name) == len(new) and name in data
    return data.replace(struct.pack("<I", len(name)) + name, struct.pack("<I", len(new)) + new)


def write_files(hoist, folder):
    (folder / "net.yaml").write_text(netlist(), encoding="utf-8")
    (folder / "wrong.yaml").write_text(wrong_netlist(), encoding="utf-8")
    neff_folder(folder / "neff")
    subprocess.run([hoist, "pack", "neff", "-o", "net.neff"], cwd=folder, check=True, capture_output=True)
    name = NAME.encode()
    small = (ROOT / "examples/tflite/classifier.tflite").read_bytes()
    (folder / "net.tflite").write_bytes(renamed(small, {b"input": name, b"softmax": name + b"2", b"conv": STRAY}))
    edge = overwritten((ROOT / "examples/tflite/layers_edgetpu.tflite").read_bytes(), b"scores", b"\xe2\x80\xae\xc2\x9b\x1b")
    (folder / "edge.tflite").write_bytes(edge)
    small = (ROOT / "examples/tflite/small_edgetpu.tflite").read_bytes()
    (folder / "edge2.tflite").write_bytes(renamed(small, {b"image": name, b"scores": STRAY}))
    for path in ("net.yaml", "net.neff", "net.tflite", "edge.tflite"):
        shutil.copy(folder / path, folder / f"f\u202e\x9b{path}")


SHOW = ("info", "check", "check --explain", "check --json", "dump", "dump --json", "graph", "graph --json")
RUN = ("dump --program", "check --races", "run -i *=random:1", "run --json -i *=random:1", "run -i *=1 -o out\u202e",
       "run -i *=1 --expect nowhere=1", "run -i nowhere=1", "run --program nowhere -i *=1", "run --fetch nowhere -i *=1", "run -i *=@nowhere\u202e",
       "bench --iterations 1 -i *=1", "bench --json --iterations 1 -i *=1")
PARTS = ("recover", "recover --json", "recover -f -o made", "recover -f --json -o made", "recover -f -o made.npz")
PACKED = ("unpack -l", "unpack -l --json", "unpack -l --verify", "unpack -f -o folder", "dump --member nowhere", "disasm", "disasm --json",
          "disasm --offsets", "disasm --subgraph nowhere", "disasm --engine nowhere")

LINES = (
    [f"{command} {file}" for file in ("net.yaml", "f\u202e\x9bnet.yaml") for command in SHOW + RUN + ("info --resources", "disasm")]
    + [f"{command} wrong.yaml" for command in SHOW + ("run -i *=1",)]
    + [f"{command} {file}" for file in ("net.neff", "f\u202e\x9bnet.neff") for command in SHOW + RUN + PARTS + PACKED]
    + [f"{command} net.tflite" for command in SHOW + RUN + PARTS + PACKED]
    + [f"{command} {file}" for file in ("edge.tflite", "edge2.tflite", "f\u202e\x9bedge.tflite")
       for command in SHOW + RUN + PARTS + PACKED + ("recover -f --tflite made.tflite", "link --undo -o linked", "run --driver usb -i *=1")]
    + [f"{command} {pair}" for pair in ("net.yaml small.yaml", "net.neff plain.neff", "net.tflite plain.tflite", "edge.tflite plain_edge.tflite",
                                        "made.tflite edge.tflite", "net.tflite f\u202e\x9bnet.tflite") for command in ("diff", "diff --json")]
    + ["pack f\u202e\x9bnowhere -o x", "info f\u202e\x9bnowhere", "f\u202e\x9b", "info --f\u202e\x9b=1 net.yaml", "rules f\u202e\x9b", "help \x9b"]
)

# What they print ---------------------------------------------------------------------------------


def environment():
    kept = {name: value for name, value in os.environ.items() if name.endswith("SAN_OPTIONS")}
    return kept | {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "NO_COLOR": "1", "TERM": "xterm", "HOIST_PAGER": ""}


def on_terminal(arguments, folder):
    """What the command writes to a terminal, both of its streams."""
    master, slave = pty.openpty()
    with subprocess.Popen(arguments, cwd=folder, env=environment(), stdin=subprocess.DEVNULL, stdout=slave, stderr=slave) as process:
        os.close(slave)
        out = b""
        while select.select([master], [], [], SECONDS)[0]:
            try:
                piece = os.read(master, 65536)
            except OSError:  # nobody has the other end any more
                break
            out += piece
            if not piece:
                break
        process.wait(SECONDS)
    os.close(master)
    return process.returncode, out.replace(b"\r\n", b"\n").replace(b"\r\x1b[K", b"")


def into_pipes(arguments, folder):
    done = subprocess.run(arguments, cwd=folder, env=environment(), stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS, check=False)
    return done.returncode, done.stdout + done.stderr


def check_output(line, where, code, out):
    global commands  # pylint: disable=global-statement
    commands += 1
    if code not in range(6):
        problems.append(f"{line!r} {where}: exit status {code}")
    text = out.decode("utf-8", "surrogateescape")
    wrong = sorted({c for c in text if (c in HIDDEN + "\0" and c != "\n") or "\ud800" <= c <= "\udfff"})
    if wrong:
        problems.append(f"{line!r} {where}: " + " ".join(f"U+{ord(c):04X}" for c in wrong))
    if not text and line.split()[0] not in ("run", "link", "recover", "unpack", "diff"):
        problems.append(f"{line!r} {where}: nothing is written")


def check_lines(hoist, folder):
    for line in LINES:
        arguments = [hoist, *line.split(" ")]
        check_output(line, "on a terminal", *on_terminal(arguments, folder))
        check_output(line, "into pipes", *into_pipes(arguments, folder))


# What they say -----------------------------------------------------------------------------------


def expect(what, condition):
    if not condition:
        problems.append(what)


def check_meaning(hoist, folder):
    def text(*arguments):
        return subprocess.run([hoist, *arguments], cwd=folder, env=environment(), check=True, capture_output=True, timeout=SECONDS).stdout

    for file in ("net.yaml", "net.neff", "net.tflite"):
        names = NAMES if file == "net.yaml" else [NAME]
        expect(f"dump --json {file} has not the names", strings_of(json.loads(text("dump", "--json", file))).issuperset(names))
    (folder / "again.yaml").write_bytes(text("dump", "net.yaml"))
    expect("a dumped netlist differs", b"none" in text("diff", "net.yaml", "again.yaml") or not text("diff", "net.yaml", "again.yaml"))
    expect("a dumped netlist dumps otherwise", text("dump", "again.yaml") == text("dump", "net.yaml"))


def strings_of(value):
    """All keys and strings of a JSON value."""
    if isinstance(value, dict):
        return set(value).union(*(strings_of(item) for item in value.values()))
    if isinstance(value, list):
        return set().union(*(strings_of(item) for item in value))
    return {value} if isinstance(value, str) else set()


# Bytes -------------------------------------------------------------------------------------------


def check_bytes(hoist, folder):
    """Bytes that are asked for go into pipes as they are, and not to a terminal when it would obey them."""
    member = [hoist, "dump", "--member", "\u202e\x9bmember.json", "net.neff"]
    raw = (folder / "neff/\u202e\x9bmember.json").read_bytes()
    expect("a member is not written as it is", into_pipes(member, folder) == (0, raw))
    for arguments in (member[1:], ["pack", "neff", "-o", "-"], ["recover", "--tflite", "-", "edge.tflite"], ["link", "--undo", "-o", "-", "edge.tflite"]):
        line = " ".join(arguments)
        code, out = on_terminal([hoist, *arguments], folder)
        check_output(line, "on a terminal", code, out)
        expect(f"{line!r} on a terminal: exit status {code}, expected 3", code == 3)


def main():
    hoist = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        write_files(hoist, folder)
        shutil.copy(HERE / "data/small.yaml", folder / "small.yaml")
        subprocess.run([hoist, "pack", ROOT / "examples/neff/all_reduce", "-o", folder / "plain.neff"], check=True, capture_output=True)
        shutil.copy(ROOT / "examples/tflite/classifier.tflite", folder / "plain.tflite")
        shutil.copy(ROOT / "examples/tflite/layers_edgetpu.tflite", folder / "plain_edge.tflite")
        check_lines(hoist, folder)
        check_meaning(hoist, folder)
        check_bytes(hoist, folder)
    for problem in problems:
        print(problem)
    print(f"{commands} outputs, {len(HIDDEN)} characters, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
