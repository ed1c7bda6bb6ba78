#!/usr/bin/env python3
"""Memory images of the golden vectors' queues, against the bytes that the vendor's code packs.

memory.py HOIST [CASE...]

Each case is run with its inputs and --dump-memory: slot 0 of each queue's images holds what the vendor
packed of its first entry (in_NAME.e0.packed, out_NAME.e0.packed), buffer by buffer. Then it is run with
--load-memory: outputs have to be the vendor's again, bit for bit. The vectors' tiles are padded to 32
bytes, of untilized outputs, too: those of Blackhole are padded anew, and rows made of the others. Queues
without an image are counted. Ends with 77 (skipped) without the vectors (HOIST_CORPUS, else ../shared/corpus).
"""
import json
import pathlib
import subprocess
import sys
import tempfile

import golden

FACE = 16
UNIT = 16  # bytes of a tile header's size


def run(words):
    done = subprocess.run(words, check=False, capture_output=True, text=True, timeout=600)
    return done.returncode, done.stderr + done.stdout


def tiles_of(packed):
    """The tiles of packed bytes, which say their sizes themselves."""
    at = 0
    while at < len(packed):
        size = int.from_bytes(packed[at:at + 4], "little") * UNIT
        yield packed[at:at + size]
        at += size


def realign(packed, alignment):
    """The same tiles with sizes that are a multiple of `alignment` bytes; the vectors have 32."""
    tiles = []
    for tile in tiles_of(packed):
        size = -(-len(tile) // alignment) * alignment
        tiles.append((size // UNIT).to_bytes(4, "little") + tile[4:] + bytes(size - len(tile)))
    return b"".join(tiles)


def untilize(packed, fields):
    """Rows of a queue of one buffer from its tiles, whose micro blocks are in order r or c."""
    m, n = (int(x) for x in fields["mblock"][1:-1].split(","))
    rt, ct = (int(x) for x in fields["ublock"][1:-1].split(","))
    height, width = (int(x) for x in fields["tile"].split("x"))
    rows, cols, order = height * m * rt, width * n * ct, fields.get("order", "r")
    high = min(height, FACE)
    slices = []
    tiles = list(tiles_of(packed))
    for z in range(int(fields["t"])):
        size = (len(tiles[0]) - UNIT) // (height * width)
        out = bytearray(rows * cols * size)
        for index, tile in enumerate(tiles[z * m * n * rt * ct:(z + 1) * m * n * rt * ct]):
            block, inner = divmod(index, rt * ct)
            down, across = divmod(block, n) if order == "r" else divmod(block, m)[::-1]
            top, left = height * (down * rt + inner // ct), width * (across * ct + inner % ct)
            for face in range(height // high * width // FACE):
                for row in range(high):
                    source = UNIT + (face * high + row) * FACE * size
                    y, x = divmod(face, width // FACE)
                    place = ((top + y * FACE + row) * cols + left + x * FACE) * size
                    out[place:place + FACE * size] = tile[source:source + FACE * size]
        slices.append(bytes(out))
    return b"".join(slices)


def untilized_ops(hoist, path):
    module = json.loads(subprocess.run([hoist, "dump", "--json", path], check=True, capture_output=True).stdout)["module"]
    ops = [op for graph in module["graphs"]["value"].values() for op in graph["value"].items()]
    return {name for name, op in ops
            if isinstance(op["value"], dict) and op["value"].get("untilize_output", {}).get("value") is True}


def compare(folder, images, header, port, untilized):
    """Whether slot 0 is as it was packed; None: there are no images or no packed bytes."""
    way, name, fields = port
    files = list((images / name).glob("*.bin")) if (images / name).is_dir() else []
    packed = folder / f"{way.lower()}_{name}.e0.packed"
    if not files or not packed.exists():
        return None
    expected = packed.read_bytes()
    size = len(expected) // len(files)
    parts = [expected[at:at + size] for at in range(0, len(expected), size)]
    rows = fields.get("from") in untilized
    parts = [untilize(part, fields) if rows else realign(part, header) for part in parts]
    # Names have addresses, not the place in the grid: each buffer has to be one of the parts, all are there.
    found = [path.read_bytes()[header:header + len(parts[0])] for path in files]
    return sorted(found) == sorted(parts)


def without_images(words, images):
    """The command line without the inputs that have images."""
    rest = list(words)
    for at in range(len(rest) - 2, -1, -1):
        if rest[at] == "--input" and (images / rest[at + 1].split("=")[0].split(":")[0]).is_dir():
            del rest[at:at + 2]
    return rest


def check(hoist, folder, arch, counts):
    """What is wrong with a case, as lines."""
    words = [*golden.command(hoist, folder, arch), "--sequential"]
    untilized = untilized_ops(hoist, folder / "netlist.yaml")
    with tempfile.TemporaryDirectory() as scratch:
        images = pathlib.Path(scratch) / "memory"
        code, said = run([*words, "--dump-memory", images])
        if code:
            return [f"exit {code}: {said}"]
        wrong = []
        for port in golden.ports(folder):
            same = compare(folder, images, 64 if arch == "blackhole" else 32, port, untilized)
            counts["no image" if same is None else "equal" if same else "differs"] += 1
            counts["untilized"] += same is True and port[2].get("from") in untilized
            if same is False:
                wrong.append(f"{port[0]} {port[1]} differs")
        code, said = run([*without_images(words, images), "--load-memory", images])
        counts["loaded"] += code == 0
        return wrong + ([f"loaded: exit {code}: {said}"] if code else [])


def main():
    hoist = str(pathlib.Path(sys.argv[1]).resolve())
    vectors = golden.corpus()
    if not vectors:
        print("skipped: the corpus is absent")
        return golden.SKIPPED
    failed = 0
    counts = dict.fromkeys(("equal", "untilized", "differs", "no image", "loaded"), 0)
    cases = json.loads((vectors / "index.json").read_text(encoding="utf-8"))["cases"]
    cases = [case for case in cases if not sys.argv[2:] or case["dir"] in sys.argv[2:]]
    for case in cases:
        wrong = check(hoist, vectors / case["dir"], case["arch"], counts)
        failed += bool(wrong)
        for line in wrong:
            print(f"{case['dir']}: {line}")
    print(f"{len(cases)} cases: " + ", ".join(f"{count} {what}" for what, count in counts.items()))
    return 1 if failed or not counts["equal"] else 0


if __name__ == "__main__":
    sys.exit(main())
