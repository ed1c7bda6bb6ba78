"""Small wrong changes of C sources: what scripts/mutate.py makes and the tests have to notice.

mutations(text) lists them in order of place. It works on tokens, not on types: what the compiler
refuses is the caller's to skip. Nothing is changed outside function bodies, in comments, in what
clang-format leaves alone (tables), in asserts, and among the arguments of a message. The 2 of a
search by halves, `low + (high - low) / 2`, stays: any other place between them finds the same.
"""
import bisect
import re
import typing

TOKEN = re.compile(
    r"(?P<table>// clang-format off\n.*?// clang-format on\b)"
    r"|(?P<blank>//[^\n]*|/\*.*?\*/|^[ \t]*#(?:\\\n|[^\n])*|\s+)"
    r"|(?P<text>\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*')"
    r"|(?P<number>\.?\d(?:[eEpP][+-]|[\w.])*)"
    r"|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<sign><<=|>>=|\.\.\.|->|\+\+|--|<<|>>|&&|\|\||[<>=!+\-*/%&|^]=|.)", re.S | re.M)
COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
ORDERED = {"-", "/", "%", "<<", ">>"}
# What may stand before and after an operation whose operands change places.
LOOSE = {"(", ")", "[", "]", "{", "}", ",", ";", "=", "+=", "-=", "return", "?", ":", "&&", "||", "==", "!=", "<",
         "<=", ">", ">=", "|", "&"}
PAIRS = {"(": ")", "[": "]", "{": "}"}
LEAVES = {"return", "continue", "break", "goto"}
NOT_STATEMENTS = LEAVES | {
    "if", "else", "for", "while", "do", "switch", "case", "default", "const", "static", "struct", "enum", "union",
    "unsigned", "char", "int", "long", "float", "double", "void", "bool", "HOIST_ASSERT", "_Static_assert",
    "static_assert", "va_start", "va_end", "HOIST_TRY"}
# Of these, arguments may change places.
COMMUTES = re.compile(r"_(equal|same|min|max)$|^hoist_ckd_(add|mul)$")
ASSERTS = {"HOIST_ASSERT", "_Static_assert", "static_assert", "sizeof"}


class Token(typing.NamedTuple):
    kind: str
    text: str
    start: int
    end: int


class Mutation(typing.NamedTuple):
    kind: str
    start: int
    end: int
    text: str  # takes the place of [start, end) and has as many lines

    def apply(self, source):
        return source[:self.start] + self.text + source[self.end:]


def bodies(source):
    """The tokens of each function body: what lies between a brace in column 1 and the next that closes there."""
    body = None
    for match in TOKEN.finditer(source):
        at_margin = match.start() == 0 or source[match.start() - 1] == "\n"
        if at_margin and match.group() == "{":
            body = []
        elif at_margin and match.group() == "}" and body is not None:
            yield body
            body = None
        elif body is not None and match.lastgroup not in ("table", "blank"):
            body.append(Token(match.lastgroup, match.group(), match.start(), match.end()))


def partners(tokens):
    """The index of the bracket that closes, for each that opens."""
    found, open_at = {}, []
    for i, token in enumerate(tokens):
        if token.text in PAIRS:
            open_at.append(i)
        elif open_at and token.text == PAIRS[tokens[open_at[-1]].text]:
            found[open_at.pop()] = i
    return found


def muted(tokens, closes):
    """Indices of tokens that are left alone: of asserts, and behind the format of a message."""
    silent, inside = set(), []
    for i, token in enumerate(tokens):
        while inside and closes[inside[-1]] < i:
            inside.pop()
        if token.text == "(" and i in closes:
            inside.append(i)
            if i > 0 and tokens[i - 1].text in ASSERTS:
                silent.update(range(i, closes[i]))
        elif token.kind == "text" and "%" in token.text and inside:
            silent.update(range(i, closes[inside[-1]]))
    return silent


def operand_from(tokens, i):
    """The index behind the name (with members) or number that begins at i, or None."""
    if i >= len(tokens) or tokens[i].kind not in ("name", "number") or tokens[i].text in NOT_STATEMENTS:
        return None
    i += 1
    while i + 1 < len(tokens) and tokens[i].text in (".", "->") and tokens[i + 1].kind == "name":
        i += 2
    return i


def operand_until(tokens, end):
    """The index where the operand that ends before `end` begins, or None."""
    start = end - 1
    while start >= 2 and tokens[start - 1].text in (".", "->"):
        start -= 2
    return start if start >= 0 and operand_from(tokens, start) == end else None


class Body:
    """The mutations of one function body."""

    def __init__(self, source, tokens):
        self.source, self.tokens = source, tokens
        self.closes = partners(tokens)
        self.silent = muted(tokens, self.closes)
        self.found = []

    def text_of(self, first, end):
        return self.source[self.tokens[first].start:self.tokens[end - 1].end]

    def add(self, kind, first, end, text):
        lines = self.text_of(first, end).count("\n") - text.count("\n")
        self.found.append(Mutation(kind, self.tokens[first].start, self.tokens[end - 1].end, text + "\n" * lines))

    def at(self, i):
        return self.tokens[i].text if 0 <= i < len(self.tokens) else ""

    def is_binary(self, i):
        return i > 0 and (self.tokens[i - 1].kind in ("name", "number") or self.at(i - 1) in (")", "]")) and \
            self.at(i - 1) not in NOT_STATEMENTS

    def comparison(self, i):
        if self.at(i) in COMPARISONS:
            self.add("comparison", i, i + 1, COMPARISONS[self.at(i)])

    def is_half_of_search(self, i):
        before = [self.at(k) for k in range(i - 8, i)]
        return self.at(i) == "2" and before[1:3] == ["+", "("] and before[4] == "-" and \
            before[6:] == [")", "/"] and before[0] == before[5]

    def off_by_one(self, i):
        number = re.fullmatch(r"(\d+)([uUlL]*)", self.at(i))
        if number and not self.is_half_of_search(i) and self.at(i - 1) != "case" and not (self.at(i - 1) == "{" and self.at(i + 1) == "}"):
            value = int(number.group(1))
            self.add("off by one", i, i + 1, f"{value - 1 if value % 2 else value + 1}{number.group(2)}")
        if self.at(i) in ("+", "-") and self.is_binary(i) and self.at(i + 1) == "1":
            self.add("off by one", i, i + 1, "-" if self.at(i) == "+" else "+")
        if self.at(i) == "[" and operand_from(self.tokens, i + 1) == self.closes.get(i) and \
                self.tokens[i + 1].kind == "name":
            self.add("off by one", i + 1, self.closes[i], self.text_of(i + 1, self.closes[i]) + " + 1")

    def dropped_check(self, i):
        close = self.closes.get(i + 1)
        if self.at(i) == "HOIST_TRY" and close:
            self.add("dropped check", i, close + 2, f"if ({self.text_of(i + 2, close)}) {{}}")
        if self.at(i) != "if" or self.at(i - 1) == "else" or not close or self.at(close + 1) != "{":
            return
        end = self.closes.get(close + 1)
        ends = [k for k in range(close + 2, end) if self.at(k) in LEAVES]
        if ends and self.at(end + 1) != "else" and ";" not in [self.at(k) for k in range(ends[-1], end - 1)]:
            self.add("dropped check", i, end + 1, "")

    def swapped_operands(self, i):
        start, end = operand_until(self.tokens, i), operand_from(self.tokens, i + 1)
        if self.at(i) not in ORDERED or start is None or not end or \
                self.at(start - 1) not in LOOSE or self.at(end) not in LOOSE:
            return
        left, right = self.text_of(start, i), self.text_of(i + 1, end)
        if left != right:
            self.add("swapped operands", start, end, f"{right} {self.at(i)} {left}")

    def argument_from(self, i):
        return operand_from(self.tokens, i + 1 if self.at(i) == "&" else i)

    def callee(self, i):
        """What is called with the arguments that the bracket or comma at i precedes; empty: nothing is."""
        if self.at(i) == ",":
            i = next((k for k in range(i - 1, -1, -1) if self.closes.get(k, -1) > i), -1)
        return self.at(i - 1) if i > 0 and self.at(i) == "(" and self.tokens[i - 1].kind == "name" else ""

    def swapped_arguments(self, i):
        """Two that follow each other in a call, behind the bracket or comma at i."""
        call = self.callee(i)
        if not call or COMMUTES.search(call):
            return
        middle = self.argument_from(i + 1)
        end = self.argument_from(middle + 1) if middle and self.at(middle) == "," else None
        if not end or self.at(end) not in (",", ")") or call in NOT_STATEMENTS:
            return
        first, second = self.text_of(i + 1, middle), self.text_of(middle + 1, end)
        if first != second:
            self.add("swapped operands", i + 1, end, f"{second}, {first}")

    def dropped_statement(self, i):
        begins = self.at(i - 1) in ("", ";", "{", "}") or self.at(i - 1) == ":" and self.at(i - 3) == "case"
        token = self.tokens[i]
        if not begins or token.text in NOT_STATEMENTS or not (token.kind == "name" or token.text == "*"):
            return
        declares = token.kind == "name" and (
            self.tokens[i + 1].kind == "name" or self.at(i + 1) == "*" or self.at(i + 1) == ":")
        end = i
        while end < len(self.tokens) and self.at(end) not in (";", "}"):
            end = self.closes.get(end, end) + 1
        if not declares and self.at(end) == ";" and end > i + 1:
            self.add("dropped statement", i, end + 1, ";" if self.at(i - 1) == ":" else "")

    def mutations(self):
        headers = {k for i in range(len(self.tokens)) if self.at(i) in ("for", "{") and self.at(i - 1) != ")"
                   for k in self.inside_header(i)}
        for i in range(len(self.tokens)):
            if i in self.silent:
                continue
            self.comparison(i)
            self.off_by_one(i)
            self.dropped_check(i)
            self.swapped_operands(i)
            self.swapped_arguments(i)
            if i not in headers:
                self.dropped_statement(i)
        return self.found

    def inside_header(self, i):
        """Tokens between the brackets of a `for`, and of braces that hold values: no statements begin there."""
        if self.at(i) == "for" and i + 1 in self.closes:
            return range(i + 1, self.closes[i + 1])
        if self.at(i) == "{" and self.at(i - 1) in ("=", ",", "{", "("):
            return range(i, self.closes.get(i, i))
        return ()


def mutations(source):
    """All mutations of a source, in order of place; the same source gives the same list."""
    found = [m for tokens in bodies(source) for m in Body(source, tokens).mutations()]
    return sorted(found, key=lambda m: (m.start, m.end, m.kind, m.text))


def line_of(source, offset):
    starts = [0] + [m.end() for m in re.finditer("\n", source)]
    return bisect.bisect_right(starts, offset)
