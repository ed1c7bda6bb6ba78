#!/usr/bin/env python3
"""Circles among source files: files of which each uses, by way of others, what the others define.

check_circles.py [--build FOLDER] [--all]

Reads the symbols of a build's object files (nm), so it sees calls and tables, and no comments. Tests,
fuzz targets and src/testing are left out. The circles that may stay stand in scripts/circles.txt, each
with its reason; any other one, and one that has gone but still stands there, is an error.
"""
import argparse
import collections
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
KNOWN = ROOT / "scripts/circles.txt"
LEFT_OUT = re.compile(r"(_test|_fuzz|_testing)\.c$|^(src/testing|tests|bench)/")


def objects(build):
    """(source, object file) of each source file, once."""
    for path in sorted(build.rglob("*.c.o")):
        owner, _, inside = path.relative_to(build).as_posix().partition("/CMakeFiles/")
        name = f"{owner}/{inside.partition('/')[2].removesuffix('.o')}"
        if (ROOT / name).is_file() and not LEFT_OUT.search(name):
            yield name, path


def symbols(build):
    """Who defines each symbol, and what each file uses."""
    owners, users = {}, collections.defaultdict(set)
    names = dict((str(path), name) for name, path in objects(build))
    printed = subprocess.run(["nm", "-A", "-P", *names], check=True, text=True, capture_output=True).stdout
    for line in printed.splitlines():
        path, _, rest = line.partition(": ")
        symbol, kind = rest.split()[:2]
        if kind == "U":
            users[names[path]].add(symbol)
        elif kind.isupper():
            owners[symbol] = names[path]
    return owners, users


def circles(edges):
    """Strongly connected components of more than one file (Tarjan, without recursion)."""
    index, low, stack, on_stack, found = {}, {}, [], set(), []
    for root in sorted(edges):
        if root in index:
            continue
        work = [(root, iter(sorted(edges[root])))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while work:
            node, targets = work[-1]
            for target in targets:
                if target not in index:
                    index[target] = low[target] = len(index)
                    stack.append(target)
                    on_stack.add(target)
                    work.append((target, iter(sorted(edges[target]))))
                    break
                if target in on_stack:
                    low[node] = min(low[node], index[target])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    member, circle = None, []
                    while member != node:
                        member = stack.pop()
                        on_stack.discard(member)
                        circle.append(member)
                    if len(circle) > 1:
                        found.append(sorted(circle))
    return sorted(found)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/dev")
    parser.add_argument("--all", action="store_true", help="print each circle with what ties it")
    options = parser.parse_args()
    owners, users = symbols(options.build.resolve())
    edges = collections.defaultdict(set)
    ties = collections.defaultdict(set)
    for user, used in users.items():
        for symbol in used:
            owner = owners.get(symbol)
            if owner and owner != user:
                edges[user].add(owner)
                ties[user, owner].add(symbol)
    found = circles({user: edges[user] for user in list(edges)} | {o: edges[o] for o in set(owners.values())})
    known = [line.split() for line in KNOWN.read_text().splitlines() if line and not line.startswith("#")] if KNOWN.exists() else []
    wrong = 0
    for circle in found:
        if circle not in known or options.all:
            wrong += circle not in known
            print(f"circle of {len(circle)} files: {' '.join(circle)}")
            for user in circle:
                for owner in circle:
                    if ties[user, owner]:
                        print(f"  {user} -> {owner}: {', '.join(sorted(ties[user, owner]))}")
    for circle in known:
        if circle not in found:
            wrong += 1
            print(f"scripts/circles.txt: no circle any more: {' '.join(circle)}")
    print(f"{len(found)} circles among files, {len(known)} known")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
