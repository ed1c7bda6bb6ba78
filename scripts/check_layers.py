#!/usr/bin/env python3
"""Checks every #include of src/, tools/ and include/ against scripts/layers.txt.

Prints `file:line: layer a may not include b` for each that is forbidden; exit status 1 then.
"""

import fnmatch
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
TEST = re.compile(r"_(test|testing|fuzz|bench|docgen)\.[ch]$")

# The C library: any file may include these.
LIBC = set(
    """assert.h ctype.h errno.h fenv.h float.h inttypes.h iso646.h limits.h locale.h math.h
    setjmp.h signal.h stdalign.h stdarg.h stdatomic.h stdbool.h stddef.h stdint.h stdio.h stdlib.h
    stdnoreturn.h string.h tgmath.h threads.h time.h uchar.h wchar.h wctype.h""".split()
)
# POSIX: the platform is the business of os, of the command and of the test harness.
POSIX = ["dirent.h", "dlfcn.h", "fcntl.h", "poll.h", "sched.h", "spawn.h", "sys/*.h", "unistd.h"]
POSIX_LAYERS = ["os", "tools", "testing"]


class Layers:
    """The rows of layers.txt: layer -> what it may include, header pattern -> its layers."""

    def __init__(self, path):
        self.rows = {}
        self.headers = []
        with open(path, encoding="utf-8") as text:
            for line in text:
                line = line.split("#")[0].strip()
                if not line:
                    continue
                name, _, allowed = line.partition(":")
                name = name.strip()
                if name.startswith("<"):
                    self.headers.append((name.strip("<>"), allowed.split()))
                else:
                    self.rows[name] = allowed.split()

    def row_of(self, layer):
        """The row for `layer`: its own, that of its parent's children, or its parent's."""
        while layer:
            parent = os.path.dirname(layer)
            for name in (layer, parent + "/*" if parent else layer):
                if name in self.rows:
                    return self.rows[name]
            layer = parent
        return None

    def may_include(self, layer, file_stem, other):
        own = [allowed for name, row in self.rows.items()
               if name.endswith(".c") and fnmatch.fnmatch(f"{layer}/{file_stem}.c", name) for allowed in row]
        return other == layer or any(
            fnmatch.fnmatch(other, allowed.replace("=", os.path.basename(layer)))
            for allowed in (self.row_of(layer) or []) + own
        )


def layer_of(path):
    """Layer of a source file, given by its path from the root."""
    parts = path.split("/")
    if parts[0] == "tools":
        return "tools"
    if parts[0] == "include":
        return "include/hoist"
    return "/".join(parts[1:-1])


def check_quoted(layers, path, name):
    """Complaint about `#include "name"`, or None."""
    layer = layer_of(path)
    is_public = name.startswith("hoist/")
    if layer == "include/hoist":
        return None if is_public else "a public header may only include public headers"
    if "/" not in name:
        # tools/hoist is one folder without layers.
        beside = os.path.join(ROOT, os.path.dirname(path), name)
        return None if layer == "tools" and os.path.exists(beside) else 'expected "layer/file.h"'
    if layer == "tools" and is_public:
        return None
    other = os.path.splitext(name[len("hoist/"):])[0] if is_public else os.path.dirname(name)
    if layer == "tools" and name.startswith("tools/"):
        return None
    if other == "testing" and layer != "testing":
        if TEST.search(path):
            return None
        return "testing is for *_test.c, *_fuzz.c, *_bench.c and *_docgen.c only"
    stem = os.path.splitext(os.path.basename(path))[0]
    return None if layers.may_include(layer, stem, other) else f"layer {layer} may not include {other}"


def check_angled(layers, path, name):
    """Complaint about `#include <name>`, or None."""
    layer = layer_of(path)
    if name in LIBC:
        return None
    if layer == "include/hoist":
        return f"a public header may only include the C library, not <{name}>"
    if layer == "testing" or TEST.search(path):
        return None
    for pattern, allowed in layers.headers:
        if fnmatch.fnmatch(name, pattern):
            return None if layer in allowed else f"layer {layer} may not include <{name}>"
    if any(fnmatch.fnmatch(name, pattern) for pattern in POSIX):
        return None if layer in POSIX_LAYERS else f"layer {layer} may not include <{name}>"
    return f"<{name}> has no row in scripts/layers.txt"


def check_file(layers, path):
    complaints = []
    if path.startswith("src/") and layers.row_of(layer_of(path)) is None:
        complaints.append(f"{path}:1: layer {layer_of(path)} has no row in scripts/layers.txt")
    with open(os.path.join(ROOT, path), encoding="utf-8") as text:
        for number, line in enumerate(text, 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            check = check_angled if match.group(1) == "<" else check_quoted
            complaint = check(layers, path, match.group(2))
            if complaint:
                complaints.append(f"{path}:{number}: {complaint}")
    return complaints


def sources():
    for top in ("include", "src", "tools"):
        for folder, _, names in os.walk(os.path.join(ROOT, top)):
            for name in names:
                if name.endswith((".c", ".h", ".inc")):
                    yield os.path.relpath(os.path.join(folder, name), ROOT)


def main():
    layers = Layers(os.path.join(ROOT, "scripts", "layers.txt"))
    files = sorted(sources())
    complaints = [complaint for path in files for complaint in check_file(layers, path)]
    complaints += [f"scripts/layers.txt: there is no folder src/{layer}" for layer in layers.rows
                   if layer != "tools" and "*" not in layer and not layer.endswith(".c")
                   and not os.path.isdir(os.path.join(ROOT, "src", layer))]
    for complaint in complaints:
        print(complaint)
    print(f"layers: {len(files)} files, {len(complaints)} violations")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
