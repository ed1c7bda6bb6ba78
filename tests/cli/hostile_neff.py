#!/usr/bin/env python3
"""Hostile NEFFs against the command, by the rules of hostile.py.

hostile_neff.py HOIST [--memory] [--figures] [--only TEXT] [--update-golden]

Archives that expand, lie, end early or never, JSON that is deep or large, numbers at the ends of 64
bits, instruction streams that call themselves, and folders that are packed. Files are made by hand,
since they are to be wrong.
"""
import functools
import gzip
import hashlib
import io
import json
import struct
import sys
import zlib

import hostile
from hostile import MIB, random_bytes

GOLDEN = hostile.HERE / "hostile_neff.golden"
ENGINES = ("pe", "act", "pool", "dve", "sp")
BIG = 2**63 - 1

# Archives ----------------------------------------------------------------------------------------


def octal(number, width):
    return f"{number:0{width - 1}o}".encode() + b"\0"


def base256(number, width=12):
    return bytes([0x80 | number >> 8 * (width - 1) & 0x7F]) + (number & (1 << 8 * (width - 1)) - 1).to_bytes(width - 1, "big")


@functools.lru_cache
def header_around(size, flag, link):
    """What stands in a ustar header before the checksum, but for the name, and after it; and the sum of all."""
    before = octal(0o644, 8) + octal(0, 8) * 2 + size.ljust(12, b"\0") + octal(0, 12)
    after = flag + link.ljust(100, b"\0") + b"ustar\x0000" + bytes(64) + octal(0, 8) * 2 + bytes(167)
    return before, after, sum(before) + sum(b" " * 8) + sum(after)


def header(name, size=b"", flag=b"0", link=b"", checksum=0):
    """A ustar header block; `size` is the field as it is stored."""
    before, after, total = header_around(size, flag, link)
    return name.ljust(100, b"\0") + before + b"%06o\0 " % (sum(name) + total + checksum) + after


def padded(data):
    return data + bytes(-len(data) % 512)


def member(name, data=b"", flag=b"0", link=""):
    name, data = name.encode() if isinstance(name, str) else name, data.encode() if isinstance(data, str) else data
    return header(name, octal(len(data), 12), flag, link.encode()) + padded(data)


def tar(members, more=b"", end=bytes(1024)):
    return b"".join(member(name, data) for name, data in members.items()) + more + end


def packed(archive):
    """As stored blocks, which are the same whatever zlib there is."""
    chunks = [archive[i:i + 65535] for i in range(0, len(archive), 65535)] or [b""]
    blocks = b"".join(bytes([i == len(chunks) - 1]) + struct.pack("<HH", len(chunk), 65535 - len(chunk)) + chunk for i, chunk in enumerate(chunks))
    return b"\x1f\x8b\x08\0\0\0\0\0\0\3" + blocks + struct.pack("<II", zlib.crc32(archive), len(archive) & 0xFFFFFFFF)


def neff(payload, pkg=2, patches=(), **fields):
    """A file around a payload; `patches` are places in the header and what is put there."""
    value = {"header_size": 1024, "data_size": len(payload), "major": 1, "minor": 0, "num_tpb": 1, "name": b"x", "requested": 1, "features": 0,
             "lnc": 1} | fields
    digest = hashlib.md5(payload).digest() if pkg == 2 else hashlib.sha256(payload).digest()
    uuid = bytes(6) + b"\x40\0\x80" + bytes(7)
    head = bytearray(struct.pack("<5Q", pkg, value["header_size"], value["data_size"], value["major"], value["minor"]) + b"0".ljust(128, b"\0")
                     + struct.pack("<I", value["num_tpb"]) + digest.ljust(32, b"\0") + uuid + value["name"].ljust(256, b"\0")
                     + struct.pack("<I", value["requested"]) + bytes(64) + struct.pack("<QI", value["features"], value["lnc"]) + bytes(468))
    for at, put in patches:
        head[at:at + len(put)] = put
    return bytes(head) + payload


def raw(members, more=b"", **options):
    return neff(tar(members, more), 1, **options)


# Programs ----------------------------------------------------------------------------------------


def desc(size=64, **keys):
    return {"from": "input", "from_off": 0, "from_sizes": [size], "from_steps": [1], "to": "output", "to_off": 0, "to_sizes": [size],
            "to_steps": [1]} | keys


def both(sizes, steps, **keys):
    return desc(from_sizes=sizes, to_sizes=sizes, from_steps=steps, to_steps=steps, **keys)


def block(*descs, **keys):
    return {"id": 0, "queue": "q0", "desc": list(descs) or [desc()]} | keys


def record(opcode, body=b"", events=bytes(8)):
    return bytes([opcode, 0x10, 0, 0]) + events + body.ljust(52, b"\0")


def trigger(queue=b"q0", number=0):
    return record(0xC1, queue.ljust(32, b"\0") + struct.pack("<II", 0, number))


def wait(semaphore, above):
    return record(0xA0, events=struct.pack("<BBBBI", 4, semaphore, 0, 0, above))


def begin(name):
    return record(0xD1, name.encode())


def call(name):
    return record(0xD3, name.encode())


END = record(0xDF, b"\1")
VARS = {"input": {"type": "input", "var_id": 0, "size": 64}, "output": {"type": "output", "var_id": 1, "size": 64}}
QUEUES = {"q0": {"type": "data", "owner": "sp", "semaphore": 1}}


def members(more_vars=None, variables=None, queues=None, blocks=None, code=None, **keys):
    """A copy of 64 bytes, or another program of sp. Keys with a slash are members: text, or bytes."""
    definition = {"name": "sg00", "version": "0.6", "replica_groups": [[]], "dma_queue": QUEUES if queues is None else queues,
                  "var": (variables or VARS) | (more_vars or {})} | {engine: f"{engine}.json" for engine in ENGINES} | keys
    made = {"neff.json": json.dumps({
        "nodes": [{"op": "null", "name": "input", "attrs": {}, "inputs": []},
                  {"op": "tvm_op", "name": "sg", "attrs": {"func_name": "__kelf", "kelf": "kelf-0.json"}, "inputs": [[0, 0, 0]]}],
        "arg_nodes": [0], "heads": [[1, 0, 0]], "node_row_ptr": [0, 1, 2],
        "attrs": {"shape": ["list_shape", [[64], [64]]], "dltype": ["list_str", ["uint8", "uint8"]]}})}
    made["kelf-0.json"] = json.dumps({"version": "0.5", "target": "*", "graphs": [{"name": "sg00", "definition": "sg00/def.json"}]})
    made["sg00/def.json"] = json.dumps(definition)
    for engine in ENGINES:
        mine = engine == "sp"
        made[f"sg00/{engine}.json"] = json.dumps({"dma": ([block()] if blocks is None else blocks) if mine else [], "instr": f"{engine}.bin", "name": engine})
        made[f"sg00/{engine}.bin"] = (trigger() + wait(1, 0) + END if code is None else code) if mine else b""
    return made


def program(**keys):
    return raw(members(**keys))


def replaced(name, old, new, **keys):
    """The copy with other text in a member."""
    made = members(**keys)
    assert old in made[name], made[name]
    return raw(made | {name: made[name].replace(old, new, 1)})


def text_of(name, text):
    return raw(members() | {name: text})


COPY = raw(members())
PACKED = neff(packed(tar(members())))
CONSTANT = {"w": {"type": "file", "var_id": 2, "size": 64, "file_name": "w.npy"}}


def npy(text, version=1):
    return b"\x93NUMPY" + bytes([version, 0]) + struct.pack("<H", len(text)) + text.encode()


@functools.lru_cache
def deflated(piece, times):
    """So many times the same bytes as deflate blocks: each begins anew, so they are all alike."""
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
    return (squeeze.compress(piece) + squeeze.flush(zlib.Z_FULL_FLUSH)) * times


def gzip_of(*pieces):
    """A gzip member of pieces, each so many times."""
    check, size = 0, 0
    for piece, times in pieces:
        size += len(piece) * times
        for _ in range(times):
            check = zlib.crc32(piece, check)
    return (b"\x1f\x8b\x08\0\0\0\0\0\2\xff" + b"".join(deflated(*piece) for piece in pieces) + b"\3\0"
            + struct.pack("<II", check, size & 0xFFFFFFFF))


@functools.lru_cache
def zeros(size):
    return gzip_of((bytes(MIB), size // MIB))


def repeated_packing(data, times):
    for _ in range(times):
        data = gzip.compress(data, 1, mtime=0)
    return data


@functools.lru_cache
def bomb(size):
    """A good file with a constant of `size` zeros, packed."""
    return neff(gzip_of((tar(members(), header(b"sg00/w.bin", octal(size, 12)), b""), 1), (bytes(MIB), size // MIB), (bytes(1024), 1)))


def pax(records, name="pax"):
    body = b"".join(f"{size} {key}=".encode() + value + b"\n" for size, key, value in records)
    return member(name, body, b"x")


def long_name(name):
    return member("././@LongLink", name, b"L")


def doubling(depth):
    """Functions that each call the next one twice."""
    code = call("f0") + END
    for i in range(depth):
        code += begin(f"f{i}") + 2 * call(f"f{i + 1}") + record(0xD2)
    return code + begin(f"f{depth}") + record(0xA4) + record(0xD2)


def collective(count=16, source=0, target=1, group=0, offset=0):
    return record(0xC8, struct.pack("<BBHIIQB15xQQ", 4, 10, group, source, target, count, 1, offset, offset), struct.pack("<BBBBI", 0, 0, 0x13, 2, 0))


def many_vars(count, **keys):
    return {f"v{i}": {"type": "tmp-buf", "var_id": i + 2, "size": 64} | keys for i in range(count)}


def constants(names, file_name="w.bin", **keys):
    return {name: {"type": "file", "var_id": i + 2, "size": 64, "file_name": file_name} | keys for i, name in enumerate(names)}


RUN = "run -q --sequential -i '*=zeros' F"
SHOW = ("check -q F", "disasm F", "unpack --list F", RUN)
JUDGE = ("check -q F", RUN)
OPEN = ("check -q F", "unpack --list F")
# The limit is that of a file whose size is zlib's.
BOMB = tuple(f"$ set -o pipefail; hoist {command} 2>&1 | sed 's/than [0-9]*/than N/'" for command in OPEN)
NAMED = ("check -q --format neff F", "unpack --list --format neff F")
RECOVER = ("recover -o out F", "recover --json F > /dev/null", "$ ls -A | grep -v -e input -e out; ls -A out | cut -c 1-40 | head -12")
LINKS = ("check -q F", "unpack --list --lenient F", "$ hoist unpack -o out F; echo $? $(ls -A out)")

ROWS = [
    ("a good file", COPY, *SHOW),
    ("a good file, packed", PACKED, *SHOW, "unpack --verify --list F"),
    # Cut off.
    *((f"cut at {at}", PACKED[:at], *NAMED) for at in (0, 1, 1023, 1024, 1025, 1033, 1034, 1035, 1500, len(PACKED) - 9, len(PACKED) - 8, len(PACKED) - 4, len(PACKED) - 1)),
    *((f"raw, cut at {at}", COPY[:at], *NAMED) for at in (1025, 1535, 1536, 1537, 2048, len(COPY) - 1536, len(COPY) - 1024, len(COPY) - 512, len(COPY) - 1)),
    *((f"a payload of {size} bytes of the packed one", neff(packed(tar(members()))[:size]), *OPEN) for size in (2, 9, 10, 11, 500)),
    # Headers.
    ("every number of the header 2^64 - 1", neff(packed(tar(members())), patches=[(0, b"\xff" * 40), (168, b"\xff" * 4), (476, b"\xff" * 80)]), *NAMED),
    ("pkg_version 0", neff(packed(tar(members())), patches=[(0, bytes(8))]), *OPEN),
    ("pkg_version 2^64 - 1", neff(packed(tar(members())), patches=[(0, b"\xff" * 8)]), *NAMED),
    *((f"{field} {text}", neff(packed(tar(members())), **{field: value}), *NAMED) for field in ("header_size", "data_size", "major", "minor", "features")
      for text, value in (("0", 0), ("2^63", 2**63), ("2^64 - 1", 2**64 - 1))),
    *((f"{field} {text}", neff(packed(tar(members())), **{field: value}), "check -q F", RUN) for field in ("lnc", "num_tpb", "requested")
      for text, value in (("0", 0), ("2^32 - 1", 2**32 - 1))),
    ("a header of 0xff alone", b"\xff" * 4096, *NAMED),
    ("a name without an end", neff(packed(tar(members())), name=b"n" * 256), *OPEN),
    ("terminal escapes in the header's name", neff(packed(tar(members())), name=b"\x1b[31m\r\n"), *OPEN),
    ("a wrong hash", neff(packed(tar(members())), patches=[(172, bytes(32))]), "check -q F", "check -q --strict F", "unpack --list --verify F"),
    ("bytes behind the data", PACKED + b"x" * 1000, *OPEN),
    ("100 MB of bytes behind the data", lambda: PACKED + bytes(100 * MIB), *OPEN),
    # Packed data.
    ("100 MB of random bytes as an archive", lambda: neff(random_bytes(100 * MIB)), *NAMED),
    ("100 MB of zeros as an archive", lambda: neff(bytes(100 * MIB), 1), *NAMED),
    ("1 GB of zeros in 1 MB", lambda: neff(zeros(1024 * MIB)), *BOMB),
    ("1 GB of a constant in 1 MB", lambda: bomb(1024 * MIB), *BOMB),
    ("1 GB of a constant in 1 MB and no memory", lambda: bomb(1024 * MIB), "check -q --max-memory 64M F", "unpack --list --max-memory 64M F"),
    ("4 GB of zeros in four gzip members", lambda: neff(zeros(1024 * MIB) * 4), *BOMB),
    ("packed twice", neff(packed(packed(tar(members())))), *OPEN),
    ("packed ten times, 1 GB of zeros inside", lambda: neff(repeated_packing(zeros(1024 * MIB), 10)), *OPEN),
    ("100,000 gzip members of one byte", lambda: neff(packed(b"x") * 100_000), *OPEN),
    ("a wrong checksum of the gzip", neff(packed(tar(members()))[:-8] + b"\0\0\0\0" + packed(tar(members()))[-4:]), *OPEN),
    ("a gzip flag that is reserved", neff(b"\x1f\x8b\x08\xe0" + packed(tar(members()))[4:]), *OPEN),
    ("a gzip name without an end", lambda: neff(b"\x1f\x8b\x08\x08\0\0\0\0\0\3" + b"n" * (10 * MIB)), *OPEN),
    ("a gzip field of 64 KiB in 2 bytes", neff(b"\x1f\x8b\x08\x04\0\0\0\0\0\3\xff\xff"), *OPEN),
    ("gzip of another method", neff(b"\x1f\x8b\x09" + packed(tar(members()))[3:]), *OPEN),
    # Archives.
    ("an empty archive", neff(bytes(10240), 1), *NAMED),
    ("500,000 members", lambda: neff(gzip.compress(b"".join(member(f"m{i}") for i in range(500_000)) + bytes(1024), 1)), *BOMB),
    ("1,000,001 members of one name", lambda: neff(gzip_of((member("m") * 20, 50_000), (member("m") + bytes(1024), 1))), *OPEN),
    ("100,000 members beside a good file", lambda: raw(members() | {f"x/{i}": "" for i in range(100_000)}), *OPEN, RUN),
    ("400 folders in each other", lambda: raw(members(), long_name("d/" * 400 + "x\0") + member("x")), *LINKS),
    ("a size of 8 GiB", raw(members(), header(b"x", octal(2**33 - 1, 12))), *OPEN),
    *((f"a size of {text}", raw(members(), header(b"x", base256(value))), *OPEN) for text, value in
      (("2^63 - 1", BIG), ("2^63", 2**63), ("2^64 - 1", 2**64 - 1), ("2^95 - 1", 2**95 - 1))),
    ("a negative size", raw(members(), header(b"x", b"\xff" * 12)), *OPEN),
    ("a size that is no number", raw(members(), header(b"x", b"12x45678901\0")), *OPEN),
    ("a wrong checksum", raw(members(), header(b"x", octal(0, 12), checksum=1)), *OPEN),
    ("a PAX size of 2^63", raw(members(), pax([(28, "size", b"9223372036854775808")]) + member("x")), *OPEN),
    ("a PAX size of -1", raw(members(), pax([(11, "size", b"-1")]) + member("x")), *OPEN),
    ("a PAX record longer than its file", raw(members(), pax([(999999999, "path", b"x")]) + member("x")), *OPEN),
    ("a PAX record of no length", raw(members(), pax([(0, "path", b"x")]) + member("x")), *OPEN),
    ("a PAX path of 1 MB", raw(members(), pax([(MIB + 14, "path", b"n" * MIB)]) + member("x")), *LINKS),
    ("100,000 PAX records for nothing", lambda: raw(members(), pax([(10, "path", b"x")]) * 100_000), *OPEN),
    ("a GNU name that nothing follows", raw(members(), long_name("n")), *OPEN),
    ("100,000 GNU names in a row", lambda: raw(members(), long_name("n\0") * 100_000 + member("x")), *OPEN),
    ("a GNU name of 2^40 bytes", raw(members(), header(b"././@LongLink", base256(2**40), b"L")), *OPEN),
    ("a link to itself", raw(members(), member("l", flag=b"2", link="l")), *LINKS),
    ("links in a circle", raw(members(), member("a", flag=b"2", link="b") + member("b", flag=b"2", link="a")), *LINKS),
    ("a link to the folder above and a file in it", raw(members(), member("l", flag=b"2", link="..") + member("l/x", "x")), *LINKS),
    ("a hard link to a file outside", raw(members(), member("l", flag=b"1", link="/etc/passwd")), *LINKS),
    ("a device", raw(members(), member("d", flag=b"3")), *LINKS),
    ("a name that leads elsewhere", raw(members(), member("../../x", "x")), *LINKS),
    ("an absolute name", raw(members(), member("/tmp/x", "x")), *LINKS),
    ("a name with a NUL byte by PAX", raw(members(), pax([(12, "path", b"a\0b")]) + member("x")), *LINKS),
    ("backslashes in a name", raw(members(), member("..\\x", "x")), *LINKS),
    ("terminal escapes in a member's name", raw(members(), member("\x1b[31m\n", "x")), *LINKS),
    ("a name that is not UTF-8", raw(members(), member(b"\xff\xfe", "x")), *OPEN),
    ("no name", raw(members(), member("", "x")), *LINKS),
    ("a file and a folder of one name", raw(members(), member("a", "x") + member("a/b", "x")), *LINKS),
    ("the same name twice", raw(members(), member("neff.json", "{}")), *LINKS),
    ("the same name twice, spelled otherwise", raw(members(), member("./sg00//def.json", "{}")), *LINKS),
    ("a member with the name of the manifest", raw(members(), member("hoist-neff.json", "{}")), *LINKS),
    # JSON.
    *((f"an empty {name}", text_of(name, ""), "check -q F", "disasm F", RUN) for name in ("neff.json", "kelf-0.json", "sg00/def.json", "sg00/sp.json")),
    *((f"100,000 nested brackets as {name}", text_of(name, "[" * 100_000), *JUDGE) for name in ("neff.json", "kelf-0.json", "sg00/def.json", "sg00/sp.json")),
    *((f"a list as {name}", text_of(name, "[]"), *JUDGE) for name in ("neff.json", "kelf-0.json", "sg00/def.json", "sg00/sp.json")),
    ("nested maps in a key that nobody reads", replaced("sg00/def.json", '"name"', '"k": ' + '{"k": ' * 100_000 + "1" + "}" * 100_000 + ', "name"'), *JUDGE),
    ("10 MB of numbers in def.json", lambda: replaced("sg00/def.json", '"name"', '"k": [' + "1," * (5 * MIB) + '1], "name"'), *JUDGE),
    ("10 MB of numbers as sizes", lambda: replaced("sg00/sp.json", '"from_sizes": [64]', '"from_sizes": [' + "1," * (5 * MIB) + "1]"), *JUDGE),
    ("200,000 times the same key", replaced("sg00/def.json", '"name"', '"k": 1, ' * 200_000 + '"name"'), *JUDGE),
    ("200,000 times the same variable", replaced("sg00/def.json", '"input"', '"input": {"type": "input", "var_id": 0, "size": 64}, ' * 200_000 + '"input"'), *JUDGE),
    ("200,000 unknown keys", replaced("sg00/def.json", '"name"', "".join(f'"k{i}": 1, ' for i in range(200_000)) + '"name"'), *JUDGE),
    ("a key of 1 MB", replaced("sg00/def.json", '"name"', '"' + "k" * MIB + '": 1, "name"'), *JUDGE),
    ("a variable's name of 1 MB", replaced("sg00/def.json", '"input": {', '"' + "n" * MIB + '": {'), *JUDGE),
    ("terminal escapes in a variable's name", replaced("sg00/def.json", '"output": {', '"\\u001b[31m\\n": {'), *JUDGE),
    ("NUL in a variable's name", replaced("sg00/def.json", '"output": {', '"o\\u0000": {'), *JUDGE),
    ("half of a pair of code units", replaced("sg00/def.json", '"output": {', '"o\\ud800": {'), *JUDGE),
    ("invalid UTF-8", raw(members() | {"sg00/def.json": members()["sg00/def.json"].encode().replace(b'"output"', b'"o\xff"')}), *JUDGE),
    ("a byte order mark", raw(members() | {"sg00/def.json": b"\xef\xbb\xbf" + members()["sg00/def.json"].encode()}), *JUDGE),
    ("UTF-16", raw(members() | {"sg00/def.json": members()["sg00/def.json"].encode("utf-16")}), *JUDGE),
    *((f"a variable's size of {text[:20]}", replaced("sg00/def.json", '"size": 64', f'"size": {text}'), *JUDGE) for text in
      ("NaN", "Infinity", "-1", "0", "1e400", "64.5", "9223372036854775807", "9223372036854775808", "1" * 100_000, "true", '"64"', "null")),
    *((f"a scale of {text}", program(blocks=[block(desc(op="fma", scale_dtype="float32", from_arr=[{"from": "input", "from_off": 0, "from_sizes": [64], "from_steps": [1],
      "from_dtype": "float32", "scale": value}], to_dtype="float32"))]), *JUDGE) for text, value in (("NaN", float("nan")), ("Infinity", float("inf")), ("10^300", 1e300))),
    # Variables and queues.
    *((f"a var_id of {value}", program(more_vars={"v": {"type": "tmp-buf", "var_id": value, "size": 64}}), *JUDGE) for value in (-1, 2, 2**31, 2**32 - 1, 2**32, BIG)),
    *((f"an alignment of {value}", program(more_vars={"v": {"type": "tmp-buf", "var_id": 2, "size": 64, "alignment": value}}), *JUDGE) for value in (-1, 3, 2**62, BIG)),
    ("sizes whose sum has no 64 bits", program(more_vars=many_vars(4, size=BIG)), *JUDGE),
    ("a scratchpad at 2^63 - 1", program(more_vars={"v": {"type": "virtual", "var_id": 2, "size": 64, "backing_variable_off": BIG}}), *JUDGE),
    ("a scratchpad before 0", program(more_vars={"v": {"type": "virtual", "var_id": 2, "size": 64, "backing_variable_off": -BIG - 1}}), *JUDGE),
    ("a scratchpad of 2^62", program(more_vars={"v": {"type": "virtual", "var_id": 2, "size": 2**62, "backing_variable_off": 0}}), *JUDGE),
    ("an output of 1 TB", program(variables={"input": VARS["input"], "output": {"type": "output", "var_id": 1, "size": 2**40}}), *JUDGE),
    ("a pointer to itself", program(more_vars={"p": {"type": "pointer", "var_id": 2, "size": 8, "referenced_var_id": 2}}), *JUDGE),
    ("a table of 1,000,000 entries", lambda: program(more_vars={"t": {"type": "dge-table", "var_id": 2, "size": 8_000_000, "list": [0] * 1_000_000}}), *JUDGE),
    ("100,000 variables", lambda: program(more_vars=many_vars(100_000)), *JUDGE),
    ("100,000 variables of one id", lambda: program(more_vars=many_vars(100_000, var_id=1)), *JUDGE),
    ("100,000 scratchpads over each other", lambda: program(more_vars=many_vars(100_000, type="virtual", backing_variable_off=0)), *JUDGE),
    ("100,000 scratchpads that are one staircase", lambda: program(more_vars={f"v{i}": {"type": "virtual", "var_id": i + 2, "size": 1 << 20, "backing_variable_off": i}
     for i in range(100_000)}), *JUDGE),
    ("100,000 pointers in a chain", lambda: program(more_vars={f"p{i}": {"type": "pointer", "var_id": i + 2, "size": 8, "referenced_var_id": i + 3} for i in range(100_000)}), *JUDGE),
    *((f"num_queues {value}", program(queues={"q0": QUEUES["q0"] | {"num_queues": value}}), *JUDGE) for value in (-1, 0, 2**31, BIG)),
    *((f"a semaphore of {value}", program(queues={"q0": QUEUES["q0"] | {"semaphore": value}}), *JUDGE) for value in (-1, 256, 2**32 + 1, BIG)),
    ("a set of 1,000,000 semaphores", lambda: program(queues={"q0": {"type": "data", "owner": "sp", "semaphore_set": [1] * 1_000_000}}), *JUDGE),
    ("100,000 queue sets", lambda: program(queues=QUEUES | {f"x{i}": {"type": "data", "owner": "sp"} for i in range(100_000)}), *JUDGE),
    ("100,000 instances", lambda: program(queues={"q0": QUEUES["q0"] | {"queue_instances": [f"i{i}" for i in range(100_000)]}}), *JUDGE),
    ("a queue set that is its own instance", program(queues={"q0": QUEUES["q0"] | {"queue_instances": ["q0", "q0"]}}), *JUDGE),
    ("a reservation of 2^63", program(runtime_statebuffer_reservation=[{"type": "evtaccel", "offset": BIG, "size": BIG, "base_partition": BIG, "partitions": BIG}]), *JUDGE),
    ("100,000 reservations of all partitions", lambda: program(runtime_statebuffer_reservation=[
        {"type": "evtaccel", "offset": 0, "size": 196608, "base_partition": 0, "partitions": 128}] * 100_000), "check -q F"),
    ("groups in 20 brackets", program(replica_groups=json.loads("[" * 20 + "]" * 20), code=collective() + END), *JUDGE),
    ("a rank 2^63 - 1", program(replica_groups=[[BIG]], code=collective() + END), *JUDGE),
    ("a group of 1,000,000 ranks", lambda: program(replica_groups=[list(range(1_000_000))], code=collective() + END), *JUDGE),
    ("a world of 10^9 ranks", program(**{"#rank_world_size": 10**9}), *JUDGE),
    *((f"{text} ranks", COPY, f"run -q --sequential --ranks {text} -i '*=zeros' F") for text in ("0", "-1", "1025", "4294967295", "99999999999999999999")),
    ("1024 ranks", program(variables={"input": {"type": "input", "var_id": 0, "size": 64}, "output": {"type": "output", "var_id": 1, "size": 64}}, code=collective() + END),
     "$ hoist run -q --ranks 1024 -i '*=zeros' F | tail -1"),
    # Descriptors.
    ("10^36 bytes in a copy", program(blocks=[block(both([10**9] * 4, [1, 1, 1, 1]))]), *JUDGE),
    ("2^64 bytes in a copy", program(blocks=[block(both([2**16] * 4, [0] * 4))]), *JUDGE),
    ("10^18 bytes over one byte", program(blocks=[block(both([1, 10**9, 10**9], [1, 0, 0]))]), "check -q F", "run -q --timeout 1 -i '*=zeros' F",
     "run -q --sequential --timeout 1 -i '*=zeros' F"),
    ("2^62 bytes over one byte", program(blocks=[block(both([1, 2**31, 2**31], [1, 0, 0]))]), "check -q F"),
    ("a cast of 10^18 bytes over one", program(blocks=[block(both([1, 10**9, 10**9], [1, 0, 0], op="cast", from_dtype="uint8", to_dtype="int8"))]), "check -q F",
     "run -q --timeout 1 -i '*=zeros' F"),
    ("a sum of 10^18 bytes over one", program(blocks=[block(desc(op="add", from_arr=[both([1, 10**9, 10**9], [1, 0, 0])] * 16, to_sizes=[1, 10**9, 10**9], to_steps=[1, 0, 0]))]),
     "check -q F", "run -q --timeout 1 -i '*=zeros' F"),
    ("a transpose of 2^62 bytes", program(blocks=[block(both([1, 2**31, 2**31], [1, 0, 0], op="transpose", transpose_shape=[2**31, 1, 1, 2**31], transpose_element_size=1))]), *JUDGE),
    *((f"steps of {value}", program(blocks=[block(both([1, 64], [1, value]))]), *JUDGE) for value in (BIG, -BIG - 1, 2**62, -1)),
    *((f"an offset of {value}", program(blocks=[block(desc(from_off=value))]), *JUDGE) for value in (BIG, -BIG - 1, -1, 1)),
    *((f"a size of {value} in a copy", program(blocks=[block(both([value], [1]))]), *JUDGE) for value in (BIG, -BIG - 1, -1, 0, 65)),
    ("no sizes", program(blocks=[block(both([], []))]), *JUDGE),
    ("1,000,000 dimensions", lambda: program(blocks=[block(both([1] * 1_000_000, [1] * 1_000_000))]), *JUDGE),
    ("100,000 sources", lambda: program(blocks=[block(desc(op="add", from_arr=[desc(from_dtype="float32")] * 100_000, to_dtype="float32"))]), *JUDGE),
    ("100,000 transfers in a block", lambda: program(blocks=[block(*[desc()] * 100_000)]), *JUDGE),
    ("100,000 blocks", lambda: program(blocks=[block()] * 100_000), *JUDGE),
    ("100,000 blocks and triggers", lambda: program(blocks=[block()] * 100_000, code=trigger() * 100_000 + END), *JUDGE),
    ("100,000 transfers, each over a byte of its own", lambda: program(blocks=[block(*[both([1, 8], [1, 8]) | {"to_off": i % 8} for i in range(100_000)])]), *JUDGE),
    *((f"a block's {key} of {value}", program(blocks=[block(**{key: value})]), *JUDGE) for key in ("id", "semaphore", "event") for value in (-1, BIG)),
    # Streams.
    *((f"a stream of {size} bytes", program(code=bytes(size)), "check -q F", "disasm F", RUN) for size in (1, 63, 64, 65)),
    ("1 MB of random instructions", lambda: program(code=random_bytes(MIB)), "check -q F", "$ hoist disasm F | tail -1", RUN),
    ("10 MB of 0xff as instructions", lambda: program(code=b"\xff" * (10 * MIB)), "check -q F", "$ hoist disasm F | tail -1", RUN),
    ("1,000,000 NOPs", lambda: program(code=record(0xA4) * 1_000_000), "check -q F", "$ hoist disasm F | tail -1", RUN),
    ("1,000,000 triggers of one block", lambda: program(code=trigger() * 1_000_000), *JUDGE),
    ("a trigger of 2^32 - 1 ring entries", program(code=record(0xC1, b"q0".ljust(32, b"\0") + b"\xff" * 8) + END), *JUDGE),
    ("a trigger of block 2^32 - 1", program(code=trigger(number=2**32 - 1) + END), *JUDGE),
    ("a trigger of no queue", program(code=trigger(b"") + END), *JUDGE),
    ("a trigger of a queue with terminal escapes", program(code=trigger(b"\x1b[31m\n") + END), "check -q F", "disasm F", RUN),
    ("a queue's name without an end", program(code=trigger(b"q" * 32) + END), *JUDGE),
    ("every code of waits and updates wrong", program(code=b"".join(record(0xA0, events=bytes([code, 1, code, 1, 0, 0, 0, 0])) for code in range(256))), *JUDGE),
    ("a wait for nobody", program(code=wait(7, 0) + END), *JUDGE),
    ("a wait for 2^32 - 1", program(code=trigger() + wait(1, 2**32 - 1) + END), *JUDGE),
    ("engines that wait for each other", raw(members(code=wait(3, 0) + trigger() + END) | {"sg00/pe.bin": record(0xA0, events=bytes([4, 1, 0x13, 3, 0, 0, 0, 0])) + END}), *JUDGE),
    ("a semaphore beyond 32 bits", program(code=record(0xA0, events=b"\0\0\x15\5\xff\xff\xff\xff") * 1000 + END), *JUDGE),
    ("a semaphore below 0", program(code=record(0xA0, events=b"\0\0\x17\5\xff\xff\xff\xff") + END), *JUDGE),
    ("a function that calls itself", program(code=call("f") + END + begin("f") + call("f") + record(0xD2)), *SHOW),
    ("a function that calls itself before it ends", program(code=begin("f") + call("f")), *JUDGE),
    ("functions that call each other", program(code=call("f") + END + begin("f") + call("g") + begin("g") + call("f")), *JUDGE),
    ("functions 100,000 deep", lambda: program(code=call("f0") + END + b"".join(begin(f"f{i}") + call(f"f{i + 1}") for i in range(100_000)) + begin("f100000")), *JUDGE),
    ("2^60 calls", program(code=doubling(60)), *SHOW),
    ("2^18 calls", program(code=doubling(18)), *JUDGE),
    ("100,000 functions of one name", lambda: program(code=begin("f") * 100_000), *JUDGE),
    ("a call of nothing", program(code=call("nowhere") + END), *JUDGE),
    *((f"a collective of {text}", program(code=collective(**keys) + END), *JUDGE) for text, keys in (
        ("2^64 - 1 elements", {"count": 2**64 - 1}), ("2^62 elements", {"count": 2**62}), ("0 elements", {"count": 0}), ("variables 2^32 - 1", {"source": 2**32 - 1, "target": 2**32 - 1}),
        ("offsets 2^64 - 1", {"offset": 2**64 - 1}), ("group 65535", {"group": 65535}))),
    ("100,000 collectives", lambda: program(code=collective() * 100_000 + END), *JUDGE),
    ("moves of 2^32 - 1 registers", program(code=record(0xA7, b"\xff" * 52) + END), *JUDGE),
    # Constants.
    *((f"a constant of {text}", raw(members(more_vars=CONSTANT) | {"sg00/w.npy": data}), *JUDGE) for text, data in (
        ("no bytes", b""), ("six bytes", b"\x93NUMPY"), ("a header of 64 KiB in no bytes", b"\x93NUMPY\1\0\xff\xff"), ("another kind", b"x" * 64),
        ("10,000 brackets", npy("(" * 10_000)), ("2^64 elements", npy("{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296), }\n") + bytes(64)),
        ("10^12 elements", npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1000000000000,), }\n") + bytes(64)),
        ("objects", npy("{'descr': '|O', 'fortran_order': False, 'shape': (8,), }\n") + bytes(64)), ("a negative shape", npy("{'descr': '<f4', 'fortran_order': False, 'shape': (-16,), }\n") + bytes(64)))),
    # Arrays that are recovered.
    *((f"to recover: a constant of {text}", raw(members(more_vars=CONSTANT) | {"sg00/w.npy": data}), *RECOVER) for text, data in (
        ("no bytes", b""), ("2^64 elements", npy("{'descr': '>f2', 'fortran_order': True, 'shape': (4294967296, 4294967296), }\n") + bytes(64)),
        ("10^12 elements", npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1000000000000,), }\n") + bytes(64)),
        ("0 by 2^62 elements", npy("{'descr': '<f2', 'fortran_order': True, 'shape': (0, 4611686018427387904), }\n")),
        ("rank 33", npy("{'descr': '|u1', 'fortran_order': False, 'shape': (" + "1, " * 33 + "), }\n") + b"x"),
        ("text", npy("{'descr': '<U4', 'fortran_order': False, 'shape': (1,), }\n") + bytes(16)))),
    ("to recover: names that lead elsewhere", raw(members(more_vars=constants(["../x", "/tmp/hoist-x", "", ".", "..", "a\0b", "\x1b[31m", "n" * 300, "n" * 301, "a\nb", "\u202e"])) | {"sg00/w.bin": "x" * 64}), *RECOVER),
    ("to recover: one array for each such name", raw(members(more_vars=functools.reduce(dict.__or__, (constants([name], f"{i}.bin") for i, name in enumerate(["../x", "/tmp/hoist-x", "", "..", "a\0b", "n" * 300, "n" * 301, "%2F", "/"])))) | {f"sg00/{i}.bin": "x" * 64 for i in range(9)}), *RECOVER),
    ("to recover: shapes beyond 64 bits", raw(members(more_vars=constants("abc", shape=[2**62, 2**62, 4], element_size=BIG, internal_shape=[-BIG - 1, -1])) | {"sg00/w.bin": "x" * 64}), *RECOVER),
    ("to recover: 100,000 extents", lambda: raw(members(more_vars=constants("a", shape=[1] * 100_000)) | {"sg00/w.bin": "x" * 64}), *RECOVER),
    ("to recover: 100,000 names of one array", lambda: raw(members(more_vars=constants(map(str, range(100_000)))) | {"sg00/w.bin": "x" * 64}), *RECOVER),
    ("to recover: 100,000 names of none", lambda: raw(members(more_vars=constants(map(str, range(100_000))))), "recover F", "recover --json F > /dev/null"),
    ("to recover: 100,000 names of a bad one", lambda: raw(members(more_vars=constants(map(str, range(100_000)), "w.npy")) | {"sg00/w.npy": "x" * 64}), "recover --json F > /dev/null"),
    ("to recover: 100,000 arrays", lambda: neff(gzip.compress(tar(members() | {f"sg00/{i}.npy": npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }\n") + bytes(4) for i in range(100_000)}), 1)), "recover F", "recover --json F > /dev/null"),
    ("to recover: 100,000 parameters", lambda: replaced("neff.json", '"nodes": [', '"nodes": [' + '{"op": "null", "name": "n", "attrs": {"is_param": "1"}, "inputs": []}, ' * 100_000), "recover --json F > /dev/null"),
    ("to recover: 64 MB in Fortran order", lambda: raw(members(more_vars=CONSTANT) | {"sg00/w.npy": npy("{'descr': '>f4', 'fortran_order': True, 'shape': (4096, 4096), }\n") + bytes(64 * MIB)}), "recover -o out F"),
    # Graphs and kelfs.
    ("a kelf that is its own graph", replaced("kelf-0.json", "sg00/def.json", "kelf-0.json"), *JUDGE),
    ("a graph that is its own kelf", replaced("neff.json", "kelf-0.json", "neff.json"), *JUDGE),
    ("an engine whose file is def.json", replaced("sg00/def.json", '"sp.json"', '"def.json"'), *JUDGE),
    ("an engine whose file leads elsewhere", replaced("sg00/def.json", '"sp.json"', '"../../../etc/passwd"'), *JUDGE),
    ("100,000 subgraphs", lambda: replaced("kelf-0.json", '"graphs": [', '"graphs": [' + '{"name": "sg00", "definition": "sg00/def.json"}, ' * 100_000), *JUDGE),
    ("nodes that are their own inputs", replaced("neff.json", '"inputs": [[0, 0, 0]]', '"inputs": [[1, 0, 0]]'), *JUDGE),
    ("nodes beyond 64 bits", replaced("neff.json", '"arg_nodes": [0]', '"arg_nodes": [9223372036854775807, -1, 99999999999999999999]'), *JUDGE),
    ("100,000 nodes", lambda: replaced("neff.json", '"nodes": [', '"nodes": [' + '{"op": "null", "name": "n", "attrs": {}, "inputs": []}, ' * 100_000), *JUDGE),
    ("a shape of 2^63 elements", replaced("neff.json", "[[64], [64]]", "[[4294967296, 4294967296, 9223372036854775807], [64]]"), *JUDGE),
    # Ways in and out.
    ("standard input", PACKED, "check -q - < F", "unpack --list - < F", "run -q -i '*=zeros' - < F"),
    ("an endless file", None, "check -q --format neff --max-memory 32M /dev/zero", "check -q --format neff --max-memory 32M <(yes)"),
    ("full disk", COPY, "unpack --list F > /dev/full", "disasm F > /dev/full", "pack . -o /dev/full"),
    ("closed pipe", COPY, "disasm F | true"),
    ("closed standard output", COPY, "unpack --list F >&-", "disasm F >&-"),
    ("memory limits", PACKED, *(command.replace(" F", f" --max-memory {size} F") for size in ("1", "10K", "30K", "100K", "64M") for command in ("check -q F", "unpack --list F", "run -q --sequential -i '*=zeros' F"))),
    ("an output folder that is a file", COPY, "unpack -o F F", "unpack -o F/x F"),
    # Folders that are packed.
    ("a folder of nothing", None, "$ mkdir d; hoist pack d -o x"),
    ("a folder with a link", COPY, "$ hoist unpack -o d F >/dev/null; ln -s /etc/passwd d/x; hoist pack d -o x"),
    ("a folder with a link to itself", COPY, "$ hoist unpack -o d F >/dev/null; ln -s . d/x; hoist pack d -o x"),
    ("a folder with a FIFO", COPY, "$ hoist unpack -o d F >/dev/null; mkfifo d/x; hoist pack d -o x"),
    *((f"a manifest with {text}", COPY, f"$ hoist unpack -o d F >/dev/null; {change}; hoist pack d -o x") for text, change in (
        ("nothing", "> d/hoist-neff.json"), ("100,000 brackets", "yes [ | head -100000 > d/hoist-neff.json"),
        ("records of 2^62 bytes", r"""sed -i 's/"record": *[0-9]*/"record": 4611686018427387904/' d/hoist-neff.json"""),
        ("records of 1 TB", r"""sed -i 's/"record": *[0-9]*/"record": 1099511627776/' d/hoist-neff.json"""),
        ("records of no bytes", r"""sed -i 's/"record": *[0-9]*/"record": 0/' d/hoist-neff.json"""),
        ("a name that leads elsewhere", r"""sed -i 's/"sg00\/sp.json"/"..\/x"/' d/hoist-neff.json"""),
        ("a size beyond 64 bits", r"""sed -i 's/"header_size": *[0-9]*/"header_size": 99999999999999999999/' d/hoist-neff.json"""))),
]


def memory_limit(folder, size):
    """Of packed files the command's own, which lets in what honest ones expand to; and a value of JSON
    in two bytes of text takes sixteen of tape and then a row."""
    file = folder / "input"
    is_packed = file.exists() and file.open("rb").read(1026)[1024:] == b"\x1f\x8b"
    return 320 * MIB + 100 * size if is_packed else 64 * MIB + 2 * size + 32 * min(size, 4 * MIB)


if __name__ == "__main__":
    sys.exit(hostile.main(ROWS, GOLDEN, __doc__, memory_limit))
