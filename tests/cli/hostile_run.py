#!/usr/bin/env python3
"""Hostile inputs against `hoist run` and `hoist dump --program`, by the rules of hostile.py.

hostile_run.py HOIST [--memory] [--figures] [--only TEXT] [--update-golden]

What goes in (arrays, names, parameters), what comes out (folders, disks, pipes), limits, interrupts,
programs that cannot go on. What must not depend on time is cut from the messages by the row itself.
"""
import struct
import sys

import hostile
from hostile import MIB, SMALL, before_execute, replaced

GOLDEN = hostile.HERE / "hostile_run.golden"
ENTRY = 64 * 64  # elements of an entry of q0
RUN = "run -q --sequential -i '*=zeros'"
INPUT = "run -q --sequential -i q0=@x.npy F"
BOTH = ("dump --program F", f"{RUN} F")


def header(text, version=1):
    size = struct.pack("<H" if version == 1 else "<I", len(text))
    return b"\x93NUMPY" + bytes([version, 0]) + size + text.encode()


def npy(descr="<f4", shape="(1, 64, 64)", data=bytes(4 * ENTRY), fortran=False):
    text = f"{{'descr': {descr}, 'fortran_order': {fortran}, 'shape': {shape}, }}"
    text = text.replace(descr, repr(descr), 1) if not descr.startswith("[") else text
    return header(text.ljust(117) + "\n") + data


def given(array, text=replaced("input_count: 2", "input_count: 1")):
    return {"input": text, "x.npy": array}


def numbers(kind, count=ENTRY):
    return struct.pack(f"{kind}{count}f", *(i % 251 for i in range(count)))


def with_op(text):
    return SMALL.replace("type: datacopy", f"type: {text}")


def named(name):
    """SMALL with its output under another name, as YAML writes it."""
    return SMALL.replace("q1:", f'"{name}":', 1)


def sqrt(format_name="Float16_b"):
    return with_op("sqrt").replace("math_fidelity", "attributes: {vector: rc}, math_fidelity").replace("Float16_b", format_name)


def entries(count):
    return SMALL.replace("entries: 4", f"entries: {count}")


def unread_queue():
    """A queue that only another program's op fills: the run waits for it."""
    return SMALL.replace("input_count: 2", "input_count: 4").replace("entries: 4", "entries: 2")


LONG = replaced("    - execute", "    - loop: 2147483647\n    - execute") + "    - endloop\n"
CUT = "sed 's/ was reached .*/ was reached/'"  # where and when depends on the machine
# Interrupts a command when a test holds that says it is at work.
INTERRUPT = "env --default-signal=INT {} & until {}; do sleep 0.1; done; kill -INT $!; wait $!"
RUNS = "[ $(cut -d' ' -f14 /proc/$!/stat) -gt 200 ]"  # seconds beyond all that comes before, in any build

ROWS = [
    # Arrays.
    ("no array", SMALL, INPUT, "run -q -i q0=@ F", "run -q -i q0=@. F", "run -q -i q0=@F/x.npy F"),
    ("an empty array", given(b""), INPUT),
    ("a file of no elements", {"input": SMALL, "x.bin": b""}, "run -q --sequential -i q0=@x.bin F"),
    ("a .npy of one byte", given(b"\x93"), INPUT),
    ("a .npy cut in its magic", given(b"\x93NUM"), INPUT),
    ("a .npy cut in its header", given(npy()[:60]), INPUT),
    ("a .npy cut in its data", given(npy()[:-1]), INPUT),
    ("a .npy without data", given(npy(data=b"")), INPUT),
    ("a .npy and more", given(npy() + b"x"), INPUT),
    ("another file that is called .npy", given(b"PK\3\4" + bytes(16380)), INPUT),
    ("a .npy with another name", {"input": replaced("input_count: 2", "input_count: 1"), "x.bin": npy(data=numbers("<"))}, "run -q --sequential -i q0=@x.bin F"),
    ("a .npy of version 9", given(npy().replace(b"Y\1", b"Y\x09", 1)), INPUT),
    ("a header of 60,000 blanks", given(header("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 64, 64)}".ljust(60_000) + "\n") + numbers("<")), INPUT),
    ("a header of 4 GB", given(b"\x93NUMPY\2\0\xff\xff\xff\xff{'descr': '<f4'"), INPUT),
    ("a header of 100 MB", lambda: given(header(" " * (100 * MIB), 2)), INPUT),
    ("a header of 10,000 brackets", given(header("(" * 10_000)), INPUT),
    ("a header without a shape", given(header("{'descr': '<f4', 'fortran_order': False}")), INPUT),
    ("a header that is no map", given(header("[1, 2]")), INPUT),
    ("elements of 64 bits", given(npy("<f8", data=bytes(8 * ENTRY))), INPUT),
    ("whole numbers", given(npy("<i8", data=bytes(8 * ENTRY))), INPUT),
    ("whole numbers that no float32 has", given(npy("<i8", data=b"\xff\xff\xff\x7f\0\0\0\0" * ENTRY)), INPUT),
    ("complex numbers", given(npy("<c8", data=bytes(8 * ENTRY))), INPUT),
    ("Python objects", given(npy("|O", data=bytes(8 * ENTRY))), INPUT),
    ("texts", given(npy("<U4", data=bytes(16 * ENTRY))), INPUT),
    ("structures", given(npy("[('a', '<f4')]")), INPUT),
    ("truth values", given(npy("|b1", data=bytes(ENTRY))), INPUT),
    ("bits of unknown kind", given(npy("<u2", data=bytes(2 * ENTRY))), INPUT, "run -q --sequential -i q0:bf16=@x.npy F", "run -q -i q0:f32=@x.npy F"),
    ("not a number", given(npy(data=b"\xff\xff\xff\x7f" * ENTRY)), INPUT),
    ("bytes in the other order", given(npy(">f4", data=numbers(">"))), INPUT),
    ("bytes in this order", given(npy("<f4", data=numbers("<"))), INPUT),
    ("columns first", given(npy(data=numbers("<"), fortran=True)), INPUT),
    ("another shape", given(npy(shape="(1, 32, 128)")), INPUT),
    ("too many dimensions", given(npy(shape="(1, 1, 1, 64, 64)")), INPUT),
    ("40 dimensions", given(npy(shape="(" + "1, " * 40 + ")")), INPUT),
    ("one number", given(npy(shape="()", data=bytes(4))), INPUT),
    ("no entries", given(npy(shape="(0, 1, 64, 64)", data=b"")), INPUT),
    ("fewer entries than the program reads", given(npy(), SMALL), INPUT, "run -q -i q0=@x.npy F"),
    ("10^12 elements", given(npy(shape="(244140625, 1, 64, 64)")), INPUT),
    ("2^64 elements", given(npy(shape="(4503599627370496, 1, 64, 64)")), INPUT),
    ("extents beyond 64 bits", given(npy(shape="(99999999999999999999, 1, 64, 64)")), INPUT),
    ("a negative extent", given(npy(shape="(-1, 64, 64)")), INPUT),
    ("elements of no whole entry", {"input": SMALL, "x.bin": bytes(8191)}, "run -q -i q0=@x.bin F"),
    ("an endless array", SMALL, "run -q --max-memory 32M -i q0=@/dev/zero F"),
    ("an array for all", given(npy()), "run -q -i '*=@x.npy' F"),
    ("an expectation that is not there", SMALL, f"{RUN} --expect q1=@x.npy F", f"{RUN} --expect q1 F", f"{RUN} --expect q1=zeros F"),
    ("an expectation of another shape", given(npy(shape="(1, 32, 128)")), f"{RUN} --expect q1=@x.npy F"),
    ("an expectation of no output", given(npy()), f"{RUN} --expect q9=@x.npy F", f"{RUN} --expect q0=@x.npy F"),
    # Names and numbers.
    ("unknown names", SMALL, "run -i q9=zeros F", "run -i q1=zeros F", f"{RUN} --fetch q9 F", f"{RUN} --program other F", f"{RUN} --param p=1 F"),
    ("the same input twice", SMALL, "run -i q0=zeros -i q0=zeros F", "run -i '*=zeros' -i '*=1' F"),
    ("sources that are none", SMALL, "run -i q0 F", "run -i =1 F", "run -i q0= F", "run -i q0=one F", "run -i q0=random:-1 F",
     "run -i q0=random:99999999999999999999 F", "run -i q0=1e F", "run -i '*=random' F"),
    ("numbers beyond all bounds", SMALL, f"{RUN} --threads 99999 F", f"{RUN} --iterations 99999999999 F", f"{RUN} --timeout nan F", f"{RUN} --timeout -1 F",
     f"{RUN} --max-steps 99999999999999999999 F", "run -q --sequential -i q0=1e999 F"),
    ("parameters that are no numbers", before_execute("").replace("  - run:\n", "  - run:\n    - param: [$n]\n"), f"{RUN} F", f"{RUN} --param n F", f"{RUN} --param n=x F",
     f"{RUN} --param n=99999999999999999999 F", f"{RUN} --param n=1 F"),
    ("standard input twice", SMALL, "run -i q0=@- - < F", f"{RUN} - < F", f"{RUN} - <&-"),
    # What comes out.
    ("an output folder that is a file", SMALL, f"{RUN} -o F F", f"{RUN} -o F/x F", f"{RUN} -o /dev/null F"),
    ("an output folder below nothing", SMALL, f"{RUN} -o a/b F"),
    ("an output without a name", SMALL, f"{RUN} -o '' F"),
    ("a link beside an output", SMALL,
     f"$ mkdir out && ln -s /dev/full out/q1.npy.part && hoist {RUN} -o out F; echo $? $(ls -A)"),
    ("a full disk", SMALL,
     f"{RUN} F > /dev/full", f"{RUN} --json F > /dev/full", "dump --program F > /dev/full"),
    ("files that may not grow", SMALL, f"$ ulimit -f 1; hoist {RUN} -o out F; echo $? $(ls -A)", "$ ulimit -f 0; hoist dump --program -o x F"),
    ("an output that is there, and a run that fails", SMALL, f"$ mkdir out; echo old > out/q1.npy; hoist run -q --sequential --max-steps 3 -i q0=1 -o out F 2>&1; cat out/*"),
    ("a program that is there, and a file that is wrong", "x", "$ echo old > x; hoist dump --program -o x F 2>&1 | head -1; cat x"),
    ("closed pipe", SMALL, "dump --program F | true", f"{RUN} --json F | true"),
    ("closed standard output", SMALL, "dump --program F >&-", f"{RUN} F >&-"),
    ("a program onto a folder", SMALL, "dump --program -o . F"),
    ("a name that leads elsewhere", named("../../q"), f"$ hoist {RUN} -o out F; ls -A out"),
    ("names that differ in a slash only", replaced("graphs:", hostile.queue("a/b") + hostile.queue("a%2Fb", address=0x41000000) + "graphs:"),
     f"$ hoist {RUN} -o out --fetch a/b --fetch a%2Fb F 2>&1 | head -1; echo $(ls -A out)"),
    ("a name of dots", named(".."), f"$ hoist {RUN} -o out F; ls -A out"),
    ("no name", named(""), f"$ hoist {RUN} -o out F; ls -A out"),
    ("a name of 300 characters", named("q" * 300), f"{RUN} -o out F", f"{RUN} F"),
    ("terminal escapes in a name", named("q\\e[31m\\n"), f"{RUN} -o out F", "run F", f"{RUN} F", f"{RUN} --fetch x F"),
    ("terminal escapes in the name of an input", SMALL.replace("q0", '"q\\e[31m\\n"'), "run F"),
    ("NUL byte in a name", named("q\\0"), f"{RUN} F", "dump --program F"),
    # Limits and interrupts.
    ("a limit of time", LONG, f"$ set -o pipefail; hoist run -q -i q0=1 --timeout 0.05 F 2>&1 | head -1 | {CUT}",
     f"$ set -o pipefail; hoist {RUN} --timeout 0.05 F 2>&1 | head -1 | {CUT}",
     f"$ set -o pipefail; hoist run -q -i q0=1 --timeout 0 F 2>&1 | head -1 | {CUT}"),
    ("a limit of steps", LONG, f"{RUN} --max-steps 1 F", f"{RUN} --max-steps 1000 F"),
    ("a limit of memory", SMALL, *(f"{RUN} --max-memory {size} F" for size in ("1", "10K", "30K", "100K", "200K", "8M")),
     *(f"dump --program --max-memory {size} F" for size in ("1", "10K", "30K", "8M"))),
    ("outputs without end", LONG, f"{RUN} --max-memory 4M F"),
    ("an interrupt while it runs", LONG, *("$ " + INTERRUPT.format(f"hoist {run} --fetch q0 -o out F", RUNS) + "; echo $? $(ls -A)"
     for run in ("run -q -i q0=1", RUN))),
    ("an interrupt while it waits", SMALL, "$ mkfifo x; " + INTERRUPT.format("hoist run -q -i q0=@x F", "exec 3>x") + "; echo $?"),
    # Programs.
    ("entries beyond every memory", entries(1_000_000_000), *BOTH),
    ("entries 2^31 - 1", entries(2_147_483_647), *BOTH),
    ("100,000 entries", entries(100_000), f"{RUN} F", f"{RUN} --max-memory 64M F"),
    ("t of 10^9", replaced("t: 1", "t: 1000000000"), *BOTH),
    ("a loop of 2^31 around nothing", before_execute("    - loop: 2147483647\n    - endloop\n"), f"{RUN} --max-steps 1000 F"),
    ("64 nested loops", hostile.nested_loops(64, 1000), *BOTH),
    ("20 nested loops", hostile.nested_loops(20, 1000), f"{RUN} --max-steps 1000 F"),
    ("loops without ends", before_execute("    - loop: 2\n" * 100), *BOTH),
    ("500 programs", SMALL + "".join(f"  - p{i}:\n    - execute: {{graph_name: g, queue_settings: {{q0: {{prologue: false, epilogue: false, zero: false, rd_ptr_local: 0, rd_ptr_global: 0}}}}}}\n" for i in range(500)), *BOTH),
    ("a queue that nobody empties", unread_queue(), *BOTH, "run -q --timeout 1 -i q0=1 F"),
    ("two ops that read each other", hostile.with_ops([hostile.op("o1", "o2"), hostile.op("o2", "o1", "[0, 2]")]), *BOTH),
    ("ops in a long chain", hostile.chain(1_000), *BOTH),
    ("the root of a negative number", sqrt(), "run -q --on-undefined stop --sequential -i q0=-1 F",
     "run -q --on-undefined stop -i q0=-1 F"),
    ("an op that cannot be run", with_op("drainer"), *BOTH),
    ("an op that is unknown", with_op("frobnicate"), *BOTH),
    ("an error that check finds", replaced("entries: 4", "entries: 0"), *BOTH),
    ("no programs", SMALL[:SMALL.index("programs:")], *BOTH),
    ("an empty file", "", *BOTH),
    ("no such file", None, "run F", "dump --program F"),
]


if __name__ == "__main__":
    sys.exit(hostile.main(ROWS, GOLDEN, __doc__))
