#!/usr/bin/python3
"""The C declarations of include/hoist as ctypes: python/hoist/_abi.py.

python_abi.py write|check    writes the file, or fails where it is not what the headers give

The version of the headers becomes VERSION, enums become IntEnum classes, structs ctypes structures with the names of their fields, functions rows of
FUNCTIONS: result and arguments. Objects of which only pointers are known are void pointers; so are the first
arguments of callbacks. Needs python3-pycparser and a C preprocessor.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from pycparser import c_ast, c_parser

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGET = ROOT / "python/hoist/_abi.py"
# Types that need no declaration; a header of the C library gives them.
SYSTEM = {"stddef.h": ["size_t"], "stdarg.h": ["va_list"], "stdbool.h": ["bool"],
          "stdint.h": [f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64)]}
SCALARS = {"size_t": "c_size_t", "bool": "c_bool", "va_list": "c_void_p", "char": "c_char", "int": "c_int",
           "unsigned int": "c_uint", "float": "c_float", "double": "c_double",
           **{name: "c_" + name[:-2] for name in SYSTEM["stdint.h"]}}
HEAD = '''"""Declarations of libhoist's C interface. Written by scripts/python_abi.py from include/hoist."""
import ctypes as c
import enum
from typing import Any

'''


def parse():
    with tempfile.TemporaryDirectory() as folder:
        for header, names in SYSTEM.items():
            pathlib.Path(folder, header).write_text("".join(f"typedef int {name};\n" for name in names))
        text = subprocess.run(
            [os.environ.get("CC", "gcc"), "-E", "-P", "-nostdinc", "-std=c11", "-D__attribute__(x)=", f"-I{folder}",
             f"-I{ROOT}/include", f"{ROOT}/include/hoist/hoist.h"], capture_output=True, text=True, check=True).stdout
    return c_parser.CParser().parse(text)


class Writer:
    def __init__(self):
        self.lines, self.enums, self.structs, self.functions, self.constants = [], {}, [], {}, {}

    def value(self, node):
        """Constant expressions of enums: numbers, names before them, and the four operations that occur."""
        if isinstance(node, c_ast.Constant):
            return int(node.value.rstrip("uUlL"), 0)
        if isinstance(node, c_ast.ID):
            return self.constants[node.name]
        if isinstance(node, c_ast.UnaryOp) and node.op == "-":
            return -self.value(node.expr)
        if isinstance(node, c_ast.BinaryOp):
            left, right = self.value(node.left), self.value(node.right)
            return {"+": left + right, "-": left - right, "*": left * right, "<<": left << right}[node.op]
        raise SystemExit(f"python_abi.py: a constant of an unknown kind: {node}")

    def enum(self, node, name):
        values, current = {}, -1
        for item in node.values.enumerators:
            current = self.value(item.value) if item.value is not None else current + 1
            values[item.name] = self.constants[item.name] = current
        if name is None:
            self.lines += [f"{key.removeprefix('HOIST_')} = {number}" for key, number in values.items()] + [""]
            return
        prefix = os.path.commonprefix(list(values))
        prefix = prefix[:prefix.rfind("_") + 1] if len(values) > 1 else "HOIST_"
        self.enums[name] = True
        self.lines += ["", f"class {name}(enum.IntEnum):"]
        self.lines += [f"    {key[len(prefix):]} = {number}" for key, number in values.items()] + [""]

    def type(self, node):
        if isinstance(node, c_ast.PtrDecl):
            return self.pointer(node.type)
        if isinstance(node, c_ast.ArrayDecl):
            return f"{self.type(node.type)} * {self.value(node.dim)}"
        name = node.type.names if isinstance(node.type, c_ast.IdentifierType) else None
        if name is None:
            raise SystemExit(f"python_abi.py: a type of an unknown kind: {node}")
        name = " ".join(name)
        if name == "void":
            return "None"
        if name in SCALARS:
            return f"c.{SCALARS[name]}"
        return "c.c_int" if name in self.enums else name

    def pointer(self, target):
        if isinstance(target, c_ast.FuncDecl):
            arguments = [self.type(a.type) for a in target.args.params]
            return f"c.CFUNCTYPE({', '.join([self.type(target.type), *arguments])})"
        if isinstance(target, c_ast.TypeDecl) and isinstance(target.type, c_ast.IdentifierType):
            name = " ".join(target.type.names)
            if name == "char":
                return "c.c_char_p"
            if name == "void" or name.startswith("hoist_") and name not in self.structs and name not in self.enums:
                return "c.c_void_p"
        return f"c.POINTER({self.type(target)})"

    def add(self, node):
        if isinstance(node, c_ast.Typedef):
            kind = getattr(node.type, "type", None)
            if isinstance(kind, c_ast.Enum):
                self.enum(kind, node.name)
            elif isinstance(kind, c_ast.Struct) and kind.decls:
                fields = [(field.name, self.type(field.type)) for field in kind.decls]
                # Text with a size has no end mark, which ctypes would look for.
                if fields[0] == ("data", "c.c_char_p"):
                    fields[0] = ("data", "c.c_void_p")
                self.lines += ["", f"class {node.name}(c.Structure):", "    _fields_ = ["]
                self.lines += [f'        ("{key}", {kind}),' for key, kind in fields] + ["    ]", ""]
                self.structs.append(node.name)
            elif isinstance(node.type, c_ast.PtrDecl):
                self.lines += [f"{node.name} = {self.pointer(node.type.type)}", ""]
        elif isinstance(node, c_ast.Decl) and isinstance(node.type, c_ast.FuncDecl):
            arguments = [a for a in node.type.args.params if not isinstance(a, c_ast.EllipsisParam)]
            types = [self.type(a.type) for a in arguments]
            self.functions[node.name] = (self.type(node.type.type), [t for t in types if t != "None"])
        elif isinstance(node, c_ast.Decl) and isinstance(node.type, c_ast.Enum):
            self.enum(node.type, None)

    def text(self):
        version = re.search(r'^#define HOIST_VERSION_TEXT ("[^"]*")', (ROOT / "include/hoist/base.h").read_text(), re.M)[1]
        rows = []
        for name, (result, arguments) in sorted(self.functions.items()):
            rows.append(f'    "{name}": ({result}, [{", ".join(arguments)}]),')
        return HEAD + "\n".join([f"VERSION = {version}", ""] + self.lines + ["", "FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {", *rows, "}", ""])


def main():
    if sys.argv[1:] not in (["write"], ["check"]):
        raise SystemExit(__doc__)
    writer = Writer()
    for node in parse().ext:
        writer.add(node)
    text = writer.text()
    if sys.argv[1] == "write":
        TARGET.write_text(text)
    elif TARGET.read_text() != text:
        print("python/hoist/_abi.py is not what include/hoist gives: run scripts/python_abi.py write")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
