#!/usr/bin/env python3
"""symbols.py list|debian: the exported symbols (tests/golden/exports.txt), each with its version node.

cmake/hoist.map has a node for each release that added symbols. Those of older releases are listed there by name; all
others belong to the last node. `list` prints them as nm does, `debian` as a .symbols file of Debian's libhoist0.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def nodes():
    """The nodes in order, each with the names that it lists."""
    text = (ROOT / "cmake/hoist.map").read_text(encoding="utf-8")
    return [(name, set(re.findall(r"\b(hoist_\w+);", body)))
            for name, body in re.findall(r"^(HOIST_[\d.]+) \{(.*?)\}", text, re.MULTILINE | re.DOTALL)]


def main():
    found = nodes()
    node_of = {symbol: node for node, symbols in found for symbol in symbols}
    rows = [(symbol, node_of.get(symbol, found[-1][0]))
            for symbol in (ROOT / "tests/golden/exports.txt").read_text(encoding="utf-8").split()]
    if sys.argv[1:] == ["list"]:
        print(*(f"{symbol}@@{node}" for symbol, node in rows), sep="\n")
    elif sys.argv[1:] == ["debian"]:
        print("libhoist.so.0 libhoist0 #MINVER#\n* Build-Depends-Package: libhoist-dev")
        for symbol, node in [(node, node) for node, _ in found] + rows:
            print(f" {symbol}@{node} {node.removeprefix('HOIST_')}.0")
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
