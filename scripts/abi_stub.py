#!/usr/bin/env python3
"""A C source on standard output that defines every public function of include/hoist, without content."""
import sys

from api_pages import declared
from check_headers import ROOT, Header

print("#include <hoist/hoist.h>\n#include <stdlib.h>")
for path in sorted((ROOT / "include/hoist").glob("*.h")):
    for kind, _, code, _ in Header(path.read_text(encoding="utf-8").splitlines()).found:
        if kind == "function" and not code.startswith("static inline"):
            sys.stdout.write(declared(kind, code) + "\n{\n    abort();\n}\n")
