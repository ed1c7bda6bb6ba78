#!/usr/bin/env python3
"""Public headers are documented: what a caller has to know stands next to each declaration.

A declaration is documented by a comment directly above it or behind it on its lines. These need one:
functions, types and macros (but for guards); constants of enums (but for a last one named ..._COUNT); fields of
structs, but for those whose type and name say all: a bool named is_, has_ or can_, and an enum or struct of hoist's
named as its type ends ("hoist_loc loc"). Spans, pointers, sizes, counts and numbers always need one, for their unit,
range and owner. Beyond that the comment of a function that returns a hoist_status names statuses or says
whose they are, and one that gives memory or an object says who frees it or that it is borrowed.
Whether a comment is true no script can check.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BEGINS = re.compile(r"^(HOIST_API|typedef|#define (?!HOIST_\w+_H$)|static inline)")
BODY = re.compile(r"^(typedef (struct|enum) \w+|enum) \{")
ONE_LINE_ENUM = re.compile(r"^enum \{(.*)\};")
STATUS = re.compile(r"HOIST_(OK|INVALID|TRUNCATED|UNSUPPORTED|LIMIT|NO_MEMORY|NOT_FOUND|BUSY|CANCELLED|IO)\b|[Ss]tatus")
GIVES = re.compile(r"hoist_mut_bytes \*out_|hoist_bytes \*out_|hoist_\w+ \*\*out_")
OWNER = re.compile(r"free|destroy|close|[Bb]orrow|owned")
SPANS = {"hoist_str", "hoist_bytes", "hoist_mut_bytes"}


def code_of(text):
    return text.split("//")[0].rstrip()


class Header:
    """The declarations of a header, each with its kind, line, code and comment."""

    def __init__(self, lines):
        self.lines = lines
        self.found = []
        i = 0
        while i < len(lines):
            line = lines[i]
            if ONE_LINE_ENUM.match(line):
                self.add("constant", i, i, "")
            elif BODY.match(line):
                if line.startswith("typedef"):
                    self.add("type", i, i, "")
                i = self.body(i)
            elif BEGINS.match(line):
                end = self.end(i)
                kind = "macro" if line.startswith("#") else "type" if line.startswith("typedef") else "function"
                self.add(kind, i, end, "")
                i = end
            i += 1

    def add(self, kind, first, last, indent):
        lines = self.lines[first:last + 1]
        behind = " ".join(line.split("//", 1)[1] for line in lines if "//" in line)
        k = last + 1  # a comment behind a declaration may go on below, further to the right
        while behind and k < len(self.lines) and re.match(indent + r"\s+//", self.lines[k]):
            behind += self.lines[k].split("//", 1)[1]
            k += 1
        above, k = [], first - 1
        while k >= 0 and self.lines[k].startswith(indent + "//"):
            above.insert(0, self.lines[k].split("//", 1)[1])
            k -= 1
        code = " ".join(code_of(line).strip() for line in lines)
        self.found.append((kind, first + 1, code, "\n".join(above) + behind))

    def end(self, i):
        """The last line of a declaration that begins at line `i`."""
        if self.lines[i].startswith("#"):
            while self.lines[i].endswith("\\"):
                i += 1
            return i
        while not code_of(self.lines[i]).endswith((";", "{")):
            i += 1
        return i

    def body(self, i):
        """Adds fields or constants of a body that begins at line `i`; returns its last line."""
        kind, ends = ("field", ";") if "struct" in self.lines[i] else ("constant", ",")
        first = None
        for k in range(i + 1, len(self.lines)):
            code = code_of(self.lines[k]).strip()
            if code.startswith("}"):
                return k
            if not code:
                continue
            first = k if first is None else first
            if code.endswith(ends):
                self.add(kind, first, k, "    ")
                first = None
        raise ValueError("a body without an end")


def says_all(kind, code):
    """Whether the names in a declaration are all there is to say."""
    if kind == "constant":
        return re.fullmatch(r"\w+_COUNT,", code) is not None
    field = re.fullmatch(r"(\w+) (\w+);", code)
    if kind != "field" or not field:
        return False
    of, name = field.groups()
    if of == "bool":
        return name.startswith(("is_", "has_", "can_"))
    return of.startswith("hoist_") and of not in SPANS and of.endswith("_" + name)


def faults(kind, code, comment):
    if not comment.strip():
        if not says_all(kind, code):
            yield "no comment"
    elif kind == "function":
        if "hoist_status hoist_" in code and not STATUS.search(comment):
            yield "no statuses"
        if GIVES.search(code) and not OWNER.search(comment):
            yield "no owner"


def main():
    counts, bad = {}, 0
    for path in sorted((ROOT / "include/hoist").glob("*.h")):
        for kind, line, code, comment in Header(path.read_text(encoding="utf-8").splitlines()).found:
            row = counts.setdefault(kind, [0, 0])
            row[0] += 1
            wrong = list(faults(kind, code, comment))
            row[1] += not wrong
            bad += len(wrong)
            for fault in wrong:
                print(f"{path.relative_to(ROOT)}:{line}: {fault}: {code}")
    for kind, (total, documented) in sorted(counts.items()):
        print(f"{kind}s: {documented} of {total} documented")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
