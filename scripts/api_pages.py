#!/usr/bin/env python3
"""api_pages.py rst|man FOLDER: the reference of the C interface from the comments of include/hoist.

rst: a page per header for Sphinx's C domain. man: section 3, a page per function and one per header.
"""
import pathlib
import re
import sys
import textwrap

from check_headers import ROOT, Header

LEADING = re.compile(r"^(HOIST_API|HOIST_NODISCARD|static inline|typedef) +")
TRAILING = re.compile(r" *(HOIST_PRINTF\(\d+, \d+\))?[;,{]?$")
CALL = re.compile(r"\b(hoist_\w+)\(\)")


class Page:
    """A header: its purpose in one line, what it is, and its declarations."""

    def __init__(self, path):
        lines = path.read_text(encoding="utf-8").splitlines()
        head = []
        for line in lines:
            if not line.startswith("//"):
                break
            head.append(line[2:])
        self.name, self.head = path.stem, paragraphs("\n".join(head))
        self.purpose = self.head[0].split(" - ", 1)[1]
        self.head[0] = self.purpose[:1].upper() + self.purpose[1:]
        self.rows = [(kind, declared(kind, code), paragraphs(comment)) for kind, _, code, comment in Header(lines).found]


def paragraphs(comment):
    parts = [" ".join(part.split()) for part in re.split(r"\n\s*\n", comment)]
    return [part for part in parts if part]


def declared(kind, code):
    """A declaration as the reader sees it: without attributes, bodies and values."""
    if kind == "macro":
        return re.match(r"#define +(\w+(\([\w, ]*\))?)", code)[1]
    while LEADING.match(code):
        code = LEADING.sub("", code)
    if kind == "constant" and code.startswith("enum {"):
        code = re.match(r"enum \{ *(\w+)", code)[1]
    return TRAILING.sub("", code.split(" {")[0]).rstrip()


def name_of(code):
    pointer = re.search(r"\(\*(\w+)\)", code)
    return pointer[1] if pointer else re.search(r"(\w+)(\(.*\))?$", code)[1]


def rst_text(parts, indent):
    return "".join(indent + "".join(map(rst_piece, re.split(r"(`[^`]+`)", part))) + "\n\n" for part in parts)


def rst_piece(piece):
    """What comments have in backquotes is code; in all else nothing is markup but the names of functions."""
    if piece[:1] == "`":
        return f"`{piece}`"
    return CALL.sub(r":c:func:`\1`", re.sub(r"([*`|\\]|_\b)", r"\\\1", piece))


def rst_row(kind, code, comment):
    inner = kind in ("field", "constant")
    first = code.split(" ", 1)[0]
    if kind == "type" and first in ("struct", "enum") and code.count(" ") == 1:
        directive, code = first, code.split(" ")[1]
    elif kind == "type":
        directive, code = "type", code.split(" ")[-1] if first == "struct" else code
    else:
        directive = {"field": "member", "constant": "enumerator"}.get(kind, kind)
    if kind == "field" and "(" not in code:  # several names of one type are several signatures
        first, *others = code.split(", ")
        code = "\n".join([first, *(" " * 16 + first.rsplit(" ", 1)[0] + " " + other for other in others)])
    indent = "   " if inner else ""
    return f"{indent}.. c:{directive}:: {code}\n\n" + rst_text(comment, indent + "   ")


def write_rst(pages, folder):
    for page in pages:
        title = f"hoist/{page.name}.h"
        text = f"{title}\n{'=' * len(title)}\n\n{rst_text(page.head, '')}.. highlight:: c\n\n"
        inside = False
        for kind, code, comment in page.rows:
            inside = kind == "type" or inside and kind in ("field", "constant")
            # Constants of an enum without a name stand for themselves.
            if kind == "constant" and not inside:
                kind, code = "macro", code.split(" ")[0]
            text += rst_row(kind, code, comment)
        (folder / f"{page.name}.rst").write_text(text, encoding="utf-8")
    rows = "".join(f"   {page.name}\n" for page in pages)
    (folder / "index.rst").write_text(f"C interface\n===========\n\n``#include <hoist/hoist.h>`` has all of these.\n\n"
                                      f".. toctree::\n   :maxdepth: 1\n\n{rows}", encoding="utf-8")


def troff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in ".'" else text


def section(title, body):
    return f".SH {title}\n{body}\n"


def write_man(pages, folder, version):
    def save(name, what, synopsis, parts, also):
        description = "\n.PP\n".join(troff(part) for part in parts)
        (folder / f"{name}.3").write_text(
            f'.TH {name.upper()} 3 "" "hoist {version}" "Library functions"\n'
            + section("NAME", f"{name} \\- {troff(what)}")
            + section("SYNOPSIS", ".nf\n" + "\n".join(troff(line) for line in synopsis) + "\n.fi")
            + section("DESCRIPTION", description)
            + section("SEE ALSO", ",\n".join(f"\\fB{other}\\fR(3)" for other in also)), encoding="utf-8")

    for page in pages:
        functions = [(code, comment) for kind, code, comment in page.rows if kind == "function"]
        names = [name_of(code) for code, _ in functions]
        save(f"hoist_{page.name}", page.purpose.rstrip(".").split(". ")[0],
             [f"#include <hoist/{page.name}.h>"], page.head, names or ["hoist_base"])
        above = []
        for (code, comment), name in zip(functions, names):
            above = comment or above  # one comment for several declarations that follow each other
            first = re.sub(r" \([^)]*\)", "", above[0] if above else page.purpose)
            save(name, re.split(r"[.:;] ", first + " ")[0].rstrip("."),
                 [f"#include <hoist/{page.name}.h>", "", *textwrap.wrap(code + ";", 78, subsequent_indent="    ")],
                 above, [f"hoist_{page.name}"])


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in ("rst", "man"):
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    pages = [Page(path) for path in sorted((ROOT / "include/hoist").glob("*.h")) if path.stem != "hoist"]
    if sys.argv[1] == "rst":
        write_rst(pages, folder)
    else:
        base = (ROOT / "include/hoist/base.h").read_text(encoding="utf-8")
        write_man(pages, folder, re.search(r'HOIST_VERSION_TEXT "([^"]*)"', base)[1])


if __name__ == "__main__":
    main()
