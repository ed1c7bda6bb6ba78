#!/usr/bin/env python3
"""What scripts/mutations.py changes, and what it leaves alone. Each row is the inside of a function."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "scripts"))
import mutations  # pylint: disable=wrong-import-position

ROWS = [
    # Name, source, what each change makes of it (blanks at the ends do not count).
    ("a comparison", "return a < b;", ["return a <= b;"]),
    ("every comparison", "return a == b || c >= d;", ["return a != b || c >= d;", "return a == b || c > d;"]),
    ("a pointer and a shift are none", "return p->a;", []),
    ("a number", "return a(7);", ["return a(6);"]),
    ("a number with a suffix", "return 2U;", ["return 3U;"]),
    ("masks and floats are no counts", "return a & 0xff, 1.5f;", []),
    ("one more, one less", "return n + 1;", ["return n - 1;", "return n + 0;"]),
    ("a sign is no sum", "return -1;", ["return -0;"]),
    ("an index", "return a[i];", ["return a[i + 1];"]),
    ("zeroed structs stay", "const x y = {0};", []),
    ("labels stay", "switch (a) { case 1: return b; }", []),
    ("a check", "if (bad) {\n        return x;\n    }", [""]),
    ("a check that reports", "for (;;) { if (bad) { report(a); continue; } }",
     ["for (;;) {  }", "for (;;) { if (bad) {  continue; } }"]),
    ("a choice is no check", "if (a) { return x; } else { return y; }", []),
    ("a status", "HOIST_TRY(read(a));", ["if (read(a)) {}"]),
    ("operands", "return a.b - c;", ["return c - a.b;"]),
    ("operands of equal rank only", "return a - b - c;", []),
    ("operands that are products", "return x * a - b;", []),
    ("arguments", "return f(a, &b->c);", ["return f(&b->c, a);"]),
    ("arguments that are the same", "return f(a, a);", []),
    ("arguments in any order", "return hoist_ckd_mul(&a, b, c) || x_equal(b, c);", []),
    ("values of a struct are no arguments", "const x y = {a, b};", []),
    ("conditions are no calls", "if (a) { b(c); }", ["if (a) {  }"]),
    ("a statement", "*out = a;", [""]),
    ("a statement of two lines", "f(a,\n      b);", ["", "f(b, a\n);"]),
    ("declarations stay", "const int a = b;\n    x *y = z;\n    foo bar;", []),
    ("parts of a for stay", "for (i = a; b; i++) {}", []),
    ("members of a struct stay", "const x y = {.a = b, .c = d};", []),
    ("a label's statement", "switch (a) { case B: c(); }", ["switch (a) { case B: ; }"]),
    ("comments and texts", "// a < b\n    /* c == d; */\n    return \"e < 1\"['<'];", []),
    ("preprocessor lines", "\n#if A > 1\n#endif\n", []),
    ("asserts", "HOIST_ASSERT(a < 1);", []),
    ("what a message shows", "report(a, \"%d of %d\", b + 1, c);", [""]),
    ("tables", "// clang-format off\n    a(1, 2);\n    // clang-format on\n    b();", None),
]


def lines(text):
    return [line.strip() for line in text.strip().split("\n") if line.strip()]


def check(name, inside, wanted):
    source = f"#define N 1\nstatic int outside = 1 < 2;\n\nint f(int a)\n{{\n    {inside}\n}}\n\nint last = 3;\n"
    found = mutations.mutations(source)
    problems = []
    for m in found:
        changed = m.apply(source)
        if changed.count("\n") != source.count("\n"):
            problems.append(f"{name}: {m} changes the number of lines")
        if changed == source:
            problems.append(f"{name}: {m} changes nothing")
    if found != mutations.mutations(source):
        problems.append(f"{name}: other changes the second time")
    begin, end = source.index("{\n") + 2, len("\n}\n\nint last = 3;\n")
    got = sorted("\n".join(lines(m.apply(source)[begin:-end])) for m in found)
    want = sorted("\n".join(lines(text)) for text in wanted)
    if got != want:
        problems.append(f"{name}: expected {want}, got {got}")
    return problems


def main():
    problems = []
    for name, inside, wanted in ROWS:
        if wanted is None:
            wanted = [inside.replace("b();", "")]
        problems += check(name, inside, wanted)
    source = "a\nb\nc\n"
    if [mutations.line_of(source, at) for at in (0, 1, 2, 4, 5)] != [1, 1, 2, 3, 3]:
        problems.append("line_of counts other lines")
    print("\n".join(problems) or f"{len(ROWS)} rows agree")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
