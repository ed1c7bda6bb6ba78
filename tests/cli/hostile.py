#!/usr/bin/env python3
"""Hostile inputs against the command: exit status, first message, time and memory.

hostile.py HOIST [--memory] [--figures] [--only TEXT] [--update-golden]

Each row of ROWS makes an input (or several files) and runs command lines on it: F stands for the file,
`$ ` begins a line of bash. The exit status and the first two lines of the message must be those of
hostile.golden. Nothing may crash, or take longer than 20 seconds: of the processor, so that a busy machine
changes nothing (60 in builds with sanitizers); who sleeps is waited for six times as long.
With --memory (a build without sanitizers) the peak may not exceed what netlists of the file's size may take:
48 times that plus 64 MB.
"""
import argparse
import os
import pathlib
import random
import re
import sys
import tempfile

import measured

HERE = pathlib.Path(__file__).resolve().parent
GOLDEN = HERE / "hostile.golden"
SMALL = (HERE / "data/small.yaml").read_text(encoding="utf-8")
SECONDS = 20
MIB = 1 << 20


def random_bytes(size):
    return random.Random(7).randbytes(size)


def laughs():
    lines = ["a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]"]
    for i in range(1, 30):
        lines.append(f"a{i}: &a{i} [" + ", ".join([f"*a{i - 1}"] * 9) + "]")
    return "\n".join(lines) + "\n" + SMALL


def replaced(old, new):
    assert old in SMALL, old
    return SMALL.replace(old, new, 1)


def with_queue(members):
    """SMALL with one more queue whose members are `members`, a text behind `{`."""
    return replaced("graphs:", "  q2: {" + members + "}\ngraphs:")


def with_ops(lines):
    return replaced("    copy: {", "".join(f"    {line}\n" for line in lines) + "    copy: {")


def op(name, inputs, grid_loc="[0, 1]"):
    return (f"{name}: {{type: datacopy, grid_loc: {grid_loc}, grid_size: [1, 1], inputs: [{inputs}], in_df: [Float16_b], "
            "acc_df: Float16_b, out_df: Float16_b, intermed_df: Float16_b, ublock_order: r, buf_size_mb: 2, "
            "math_fidelity: HiFi3, untilize_output: false, t: 1, mblock: [1, 1], ublock: [2, 2]}")


def queue(name, source="HOST", address=0x40000000):
    return (f"  {name}: {{type: queue, input: {source}, entries: 4, grid_size: [1, 1], t: 1, mblock: [1, 1], ublock: [2, 2], "
            f"df: Float16_b, target_device: 0, loc: dram, dram: [[1, {address:#x}]]}}\n")


def before_execute(instructions):
    return replaced("    - execute", instructions + "    - execute")


def scattered_keys():
    """Collecting keys that come again at the far end of a long map."""
    keys = [f"input_{i}_tms: []" for i in range(256)]
    return with_ops(["far: {" + ", ".join(keys + ["k: 1"] * 400_000 + keys) + "}"])


def nested_loops(depth, count):
    return before_execute(f"    - loop: {count}\n" * depth + "    - endloop\n" * depth)


def aliases(anchored, count):
    """A long text that many aliases stand for."""
    text = with_ops([op("many", ", ".join(["*n"] * count))])
    return text.replace("graphs:", f"x: &n {anchored}\ngraphs:", 1)


def chain(count):
    return with_ops([op(f"c{i}", f"c{i - 1}" if i else "q0") for i in range(count)])


def star(count):
    return with_ops([op(f"s{i}", "q0") for i in range(count)])


BIG_GRID = "grid_size: [1000000000, 1000000000]"
OP_GRID = "grid_loc: [0, 0], grid_size: [1, 1]"
SHOW = ("check F", "info F", "info --resources F", "graph F", "dump F", "dump --json F")
FEW = ("check F", "info F")  # where reading refuses the file, all but check say the same

# name, content (text, bytes or a callable that makes bytes), commands after `hoist`
ROWS = [
    ("empty file", "", "check F", "info F"),
    ("one byte", "x", "check F"),
    ("only a comment", "# nothing\n", "check F"),
    ("truncated in a flow map", SMALL[:400], "check F"),
    ("truncated between sections", SMALL[:SMALL.index("graphs:")], *FEW),
    ("100 MB of random bytes", lambda: random_bytes(100 * MIB), "check F"),
    ("100 MB of zeros", lambda: bytes(100 * MIB), "check F"),
    ("100 MB on one line", lambda: b"a" * (100 * MIB), "check F"),
    ("10 MB of random bytes behind a netlist", lambda: SMALL.encode() + b"# comment\n" * 10_000 + random_bytes(10 * MIB), "check F"),
    ("10 MB of zeros behind a netlist", lambda: SMALL.encode() + b"# comment\n" * 10_000 + bytes(10 * MIB), "check F"),
    ("100 MB comment behind a netlist", lambda: SMALL.encode() + b"#" * (100 * MIB), "check F"),
    ("100 MB of empty lines in a netlist", lambda: b"queues:" + b"\n" * (100 * MIB), "check F"),
    ("10 MB in quotes without an end", lambda: b'queues: "' + b"a" * (10 * MIB), "check F"),
    ("10 MB folded", lambda: b"queues: >\n" + b" a\n" * (3 * MIB), "check F"),
    ("10 MB of escapes", lambda: b'queues: "' + b"\\x41" * (10 * MIB // 4) + b'"', "check F"),
    ("10 MB of two-byte characters", lambda: b"queues: {" + b"\xc3\xa9, " * (10 * MIB // 4) + b"}", "check F"),
    ("300 MB", lambda: b"queues:\n" * (300 * MIB // 8), "check F"),
    ("run with what does not fit", SMALL,
     "run -q --sequential -i q0=zeros --expect q1=@none.npy F", "run -q -i q0=@F F", "run -q --max-memory 100K -i q0=1 F"),
    ("100,000 nested brackets", "queues: " + "[" * 100_000, "check F"),
    ("100,000 nested maps", "queues: " + "{a: " * 100_000, "check F"),
    ("100,000 nested block lists", "queues:\n" + "- " * 100_000 + "x", "check F"),
    ("200 nested lists, closed", replaced("entries: 4", "entries: " + "[" * 200 + "]" * 200), *FEW),
    ("10 MB of numbers in a list", lambda: b"queues: [" + b"1," * (5 * MIB) + b"1]", "check F", "info F"),
    ("10 MB of empty maps", lambda: b"queues: [" + b"{}," * (10 * MIB // 3) + b"1]", "check F"),
    ("10 MB of keys without values", lambda: b"queues: {" + b"?," * (5 * MIB) + b"1}", "check F"),
    ("1 MB of numbers in a list", lambda: with_queue("dram: [" + "1," * (MIB // 2) + "1]").encode(), *FEW),
    ("1 MB of anchors", SMALL + "x: [" + ", ".join(f"&a{i} 1" for i in range(100_000)) + "]\n", "check F"),
    ("billion laughs", laughs(), *FEW),
    ("a text of 1 MB and 100,000 aliases of it", lambda: aliases("n" * MIB, 100_000).encode(), *FEW),
    ("a text of 10 kB and 1,000 aliases of it", lambda: aliases("n" * 10_000, 1000).encode(), *SHOW),
    ("alias to itself", "a: &a [*a]\n" + SMALL, "check F"),
    ("alias to nothing", "a: *nowhere\n" + SMALL, "check F", "info F"),
    ("NUL byte in a name", SMALL.replace("copy", "co\0py"), "check F"),
    ("NUL byte escaped", SMALL.replace("q1:", '"q\\0":', 1), *SHOW),
    ("terminal escapes in a name", SMALL.replace("q1:", '"q\\e[31m":', 1).replace("type: queue, input: copy", "type: kueue"), *FEW),
    ("invalid UTF-8", SMALL.encode().replace(b"q1:", b"q\xff\xfe:", 1), "check F"),
    ("UTF-16", SMALL.encode("utf-16"), "check F"),
    ("byte order mark", b"\xef\xbb\xbf" + SMALL.encode(), "check F"),
    ("CR line ends", SMALL.replace("\n", "\r"), "check F"),
    ("two documents", SMALL + "---\n" + SMALL, "check F"),
    ("a tag", "!!python/object:os.system " + SMALL, "check F"),
    ("grid of 10^9 by 10^9", replaced("grid_size: [1, 1]", BIG_GRID), *SHOW),
    ("op grid of 10^9 by 10^9", replaced(OP_GRID, "grid_loc: [0, 0], " + BIG_GRID), *SHOW),
    ("list of 10^6 numbers as grid", replaced("grid_size: [1, 1]", "grid_size: [" + "1, " * 1_000_000 + "1]"), "check F"),
    ("entries beyond 64 bits", replaced("entries: 4", "entries: 99999999999999999999"), "check F"),
    ("entries 2^63 - 1", replaced("entries: 4", "entries: 9223372036854775807"), *FEW),
    ("entries 2^31 - 1", replaced("entries: 4", "entries: 2147483647"), *SHOW),
    ("t times mblock overflows", replaced("t: 1, mblock: [1, 1]", "t: 4611686018427387904, mblock: [4, 4]"), *FEW),
    ("every size 2^31 - 1", re.sub(r"(t: 1), mblock: \[1, 1\], ublock: \[2, 2\]",
                                  "t: 2147483647, mblock: [2147483647, 2147483647], ublock: [2147483647, 2147483647]",
                                  SMALL.replace("grid_size: [1, 1]", "grid_size: [2147483647, 2147483647]")), *SHOW),
    ("negative grid", replaced("grid_size: [1, 1]", "grid_size: [-1, 1]"), *FEW),
    ("negative core", replaced("grid_loc: [0, 0]", "grid_loc: [-9223372036854775808, 2147483647]"), *FEW),
    ("a million bits in a number", replaced("entries: 4", "entries: 0x" + "f" * 250_000), "check F"),
    ("a queue on 100,000 devices", replaced("target_device: 0, loc", "target_device: [" + ",".join(map(str, range(100_000))) + "], loc"), *SHOW),
    ("a graph on 100,000 devices", replaced("target_device: 0\n", "target_device: [" + ",".join(map(str, range(100_000))) + "]\n"), *SHOW),
    ("a graph 100,000 times on one device", replaced("target_device: 0\n", "target_device: [" + "0," * 99_999 + "0]\n"), *SHOW),
    ("device 2^31 - 1", SMALL.replace("target_device: 0", "target_device: 2147483647"), *SHOW),
    ("loop of 2^31", before_execute("    - loop: 2147483647\n    - endloop\n"), "check F"),
    ("loop of 2^31 around everything", replaced("    - execute", "    - loop: 2147483647\n    - execute") + "    - endloop\n", "check F"),
    ("64 nested loops of 1000", nested_loops(64, 1000), "check F"),
    ("100,000 nested loops", nested_loops(100_000, 2), *FEW),
    ("loops without ends", before_execute("    - loop: 2\n" * 100_000), "check F"),
    ("ends without loops", before_execute("    - endloop\n" * 100_000), "check F"),
    ("100,000 executes", before_execute("    - execute: {graph_name: g, queue_settings: {q0: {}}}\n" * 100_000), "check F"),
    ("100,000 variables", before_execute("".join(f"    - var: [$v{i}]\n" for i in range(100_000))), "check F"),
    ("30,000 programs", SMALL + "".join(f"  - p{i}:\n    - execute: {{graph_name: g, queue_settings: {{q0: {{}}}}}}\n" for i in range(30_000)), *SHOW),
    ("200,000 queues of one name", replaced("graphs:", "  q: {}\n" * 200_000 + "graphs:"), *FEW),
    ("200,000 empty queues", replaced("graphs:", "".join(f"  e{i}: {{}}\n" for i in range(200_000)) + "graphs:"), *FEW),
    ("30,000 queues at one address", replaced("graphs:", "".join(queue(f"e{i}") for i in range(30_000)) + "graphs:"), *FEW),
    ("30,000 queues fed by one op", replaced("graphs:", "".join(queue(f"e{i}", "copy", 0x40000000 + 0x10000 * i) for i in range(30_000)) + "graphs:"), *FEW),
    ("100,000 ops of one name", with_ops(["o: {}"] * 100_000), *FEW),
    ("100,000 empty graphs", replaced("programs:", "".join(f"  e{i}: {{}}\n" for i in range(100_000)) + "programs:"), *FEW),
    ("5,000 ops in a chain", lambda: chain(5_000).encode(), *SHOW),
    ("5,000 ops on one core", lambda: star(5_000).encode(), *SHOW),
    ("10,000 queues at one address", replaced("graphs:", "".join(queue(f"e{i}") for i in range(10_000)) + "graphs:"), *SHOW),
    ("20,000 ops in a chain", lambda: chain(20_000).encode(), *FEW),
    ("20,000 ops on one core", lambda: star(20_000).encode(), *FEW),
    ("an op with 200,000 inputs", with_ops([op("many", "q0, " * 200_000 + "q0")]), *SHOW),
    ("two ops that read each other", with_ops([op("o1", "o2"), op("o2", "o1", "[0, 2]")]), *SHOW),
    ("an op that reads itself", with_ops([op("o1", "o1")]), *SHOW),
    ("200,000 unknown keys", replaced("type: queue", ", ".join(f"k{i}: 1" for i in range(200_000)) + ", type: queue"), *FEW),
    ("200,000 times the same key", replaced("type: queue", "t: 1, " * 200_000 + "type: queue"), *SHOW),
    ("256 collecting keys scattered over a long map", lambda: scattered_keys().encode(), *FEW),
    ("a name of 10 MB", lambda: replaced("q1: {", "? " + "n" * (10 * MIB) + "\n  : {").encode(), *SHOW),
    ("a wrong name of 10 MB", lambda: replaced("inputs: [q0]", "inputs: [" + "n" * (10 * MIB) + "]").encode(), *SHOW),
    ("10,000 findings in a queue with a name of 1 MB",
     lambda: replaced("q1: {", "? " + "n" * MIB + "\n  : {" + ", ".join(f"k{i}: 1" for i in range(10_000)) + ", ").encode(), *FEW),
    ("10,000 unknown keys of 4 kB", lambda: with_queue(", ".join(f"? {'k' * 4090}{i}\n : 1" for i in range(10_000))).encode(), *FEW),
    ("an unfilled template", replaced("entries: 4", "entries: $TEMPLATE_entries"), "check F", "info F"),
    ("a directory", None, "check .", "info ."),
    ("a FIFO that nobody writes is closed at once", None, "check <(exit 0)"),
    ("a FIFO with a netlist", SMALL, "check <(cat F)"),
    ("an endless FIFO", None, "check <(yes queues:)"),
    ("an endless device", None, "check /dev/zero"),
    ("no such file", None, "check nowhere.yaml", "info nowhere.yaml"),
    ("no such file and one that is", SMALL, "check nowhere.yaml F"),
    ("a name that is a folder below a file", SMALL, "check F/x"),
    ("standard input, empty", "", "check - < F"),
    ("standard input, netlist", SMALL, "check - < F"),
    ("standard input, closed", SMALL, "check - <&-"),
    ("full disk", SMALL, *(f"{command} > /dev/full" for command in SHOW)),
    ("closed pipe", SMALL, "dump --json F | true"),
    ("closed standard output", SMALL, "info F >&-"),
    ("memory limit of 10 KB", SMALL, *(f"{command.replace(' F', ' --max-memory 10K F')}" for command in SHOW)),
    ("memory limit of 30 KB", SMALL, *(f"{command.replace(' F', ' --max-memory 30K F')}" for command in SHOW)),
    ("memory limit of 1 byte", SMALL, *(f"{command.replace(' F', ' --max-memory 1 F')}" for command in FEW)),
    ("memory limit that is enough", SMALL, *(f"{command.replace(' F', ' --max-memory 64M F')}" for command in SHOW)),
    ("output into a folder that is not there", SMALL, "dump -o nowhere/x F"),
    ("output onto a folder", SMALL, "dump -o . F"),
    ("JSON instead of YAML", '{"devices": {"arch": "grayskull"}}', "check F"),
    ("a tar file", b"x" * 257 + b"ustar\0" + bytes(300), "check F"),
    ("devices from a cluster file that is not there", SMALL, "check --cluster nowhere F"),
    ("a SoC file that is none", SMALL, "check --soc F F"),
    ("a SoC file with a grid of 10^9 by 10^9", SMALL,
     "check --soc <(printf 'arch_name: wormhole_b0\\ngrid:\\n  x_size: 1000000000\\n  y_size: 1000000000\\n') F"),
    ("an empty SoC file", SMALL, "check --soc /dev/null F"),
]


def unreadable_row(folder):
    """Root reads everything, so the row runs only for other users."""
    path = pathlib.Path(folder) / "unreadable"
    path.write_text(SMALL, encoding="utf-8")
    path.chmod(0)
    return path


def memory_limit(_folder, size):
    return 48 * size + 64 * MIB


def judge_row(options, name, command, limit, folder):
    """Runs one command line; gives its golden fields and what is wrong whatever they are."""
    code, message, seconds, peak = options.runner.run(folder, command)
    message = re.sub(r"/dev/fd/\d+", "/dev/fd/N", message)
    message = re.sub(r"was reached [0-9.e-]+ s after", "was reached N s after", message)
    wrong = []
    if code == "hang" or code in (70, 134, 139) or (isinstance(code, int) and code < 0):
        wrong.append(f"{code} after {seconds:.1f} s: {message}")
    if options.memory and limit is not None and peak > limit:
        wrong.append(f"peak {peak / MIB:.0f} MiB, limit {limit / MIB:.0f} MiB")
    if options.figures:
        print(f"{seconds:6.2f} s {peak / MIB:6.0f} MiB  {name}: {command}", flush=True)
    return (name, command, str(code), message), wrong


def write_files(folder, content):
    """The bytes of the files of a row: one called `input`, or several by name. None: no file."""
    data = content() if callable(content) else content
    if data is None:
        return None
    size = 0
    for name, text in (data if isinstance(data, dict) else {"input": data}).items():
        text = text.encode() if isinstance(text, str) else text
        (pathlib.Path(folder) / name).write_bytes(text)
        size += len(text)
    return size


def run_rows(rows, options, golden, limit_of):
    made, failed = [], 0
    for name, content, *commands in rows:
        if options.only not in name:
            continue
        with tempfile.TemporaryDirectory() as folder:
            size = write_files(folder, content)
            limit = None if size is None else limit_of(pathlib.Path(folder), size)
            for command in commands:
                row, wrong = judge_row(options, name, command, limit, folder)
                made.append(row)
                if not options.update_golden and golden.get(row[:2]) != row[2:]:
                    wrong.append(f"exit {row[2]}, {row[3]}\n    expected {golden.get(row[:2])}")
                failed += bool(wrong)
                for sentence in wrong:
                    print(f"{name}: {command}: {sentence}", flush=True)
    return made, failed


def judge_unreadable(options):
    """1 when a file that may not be read is not refused."""
    if os.getuid() == 0:
        return 0
    with tempfile.TemporaryDirectory() as folder:
        unreadable_row(folder)
        return options.runner.run(folder, "check unreadable")[0] != 3


def write_golden(path, rows, golden):
    """In the order of `rows`; those that did not run keep what the file says."""
    keys = [(name, command) for name, _, *commands in rows for command in commands]
    path.write_text("".join("\t".join(key + golden[key]) + "\n" for key in keys if key in golden), encoding="utf-8")


def main(rows, path, description, limit_of=memory_limit):
    """`limit_of` gives the bytes of memory that files in a folder may take, of their sum."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("hoist", type=lambda p: pathlib.Path(p).resolve())
    parser.add_argument("--memory", action="store_true")
    parser.add_argument("--update-golden", action="store_true")
    parser.add_argument("--figures", action="store_true", help="print seconds and peak memory of each row")
    parser.add_argument("--only", default="", metavar="TEXT", help="only rows whose name contains TEXT")
    options = parser.parse_args()
    options.runner = measured.Runner(options.hoist, SECONDS if options.memory else 3 * SECONDS)
    golden = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        name, command, code, message = line.split("\t")
        golden[name, command] = (code, message)
    made, failed = run_rows(rows, options, golden, limit_of)
    failed += judge_unreadable(options)
    if options.update_golden:
        write_golden(path, rows, golden | {row[:2]: row[2:] for row in made})
    print(f"{len(made) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(ROWS, GOLDEN, __doc__))
