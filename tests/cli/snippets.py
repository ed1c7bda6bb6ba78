#!/usr/bin/env python3
"""The C in headers and documents compiles as it stands, without a warning.

snippets.py COMPILER INCLUDE FILE...

In a header a snippet is lines of a comment that are indented by four spaces or more, in a document a
block fenced as ```c. A line of `...` stands for what the reader adds. Names that a snippet does not
declare are those of `given`.
"""
import pathlib
import re
import subprocess
import sys

from tally import tally

GIVEN = """#include <hoist/hoist.h>
hoist_status given_snippet(hoist_diag *diag, hoist_job *job, hoist_program *program, hoist_session *session,
                           hoist_bytes bytes, hoist_bytes elements, hoist_mut_bytes result,
                           const hoist_parameter *parameters);
hoist_status given_snippet(hoist_diag *diag, hoist_job *job, hoist_program *program, hoist_session *session,
                           hoist_bytes bytes, hoist_bytes elements, hoist_mut_bytes result,
                           const hoist_parameter *parameters)
{
    (void)diag, (void)job, (void)program, (void)session;
    (void)bytes, (void)elements, (void)result, (void)parameters;
    {
"""
END = """
    }
    return HOIST_OK;
}
"""


def of_header(lines):
    """Line number and text of each snippet."""
    found, last = [], None
    for number, line in enumerate(lines, 1):
        match = re.match(r"// {5,}(\S.*)|//()$", line)
        if match and match.group(1) and last == number - 1:
            found[-1][1].append(match.group(1))
        elif match and match.group(1):
            found.append((number, [match.group(1)]))
        last = number if match and (match.group(1) or last == number - 1) else None
    # A single line that names a file or a command is none.
    return [(number, text) for number, text in found if any(line.endswith(";") for line in text)]


def of_document(lines):
    found, inside = [], False
    for number, line in enumerate(lines, 1):
        if line.startswith("```"):
            inside = line == "```c"
            if inside:
                found.append((number + 1, []))
        elif inside:
            found[-1][1].append(line)
    return found


def complaint(compiler, include, text):
    """What the compiler says of the snippet, or nothing."""
    body = "\n".join("" if line.strip() == "..." else line for line in text)
    body = re.sub(r"#include.*\n", "", body)
    done = subprocess.run([compiler, "-std=c17", "-Wall", "-Wextra", "-Werror", "-pedantic", "-Wno-unused-variable",
                           f"-I{include}", "-c", "-o", "/dev/null", "-x", "c", "-"],
                          input=GIVEN + "#line 1 \"snippet\"\n" + body + END, text=True, capture_output=True, check=False)
    return done.stderr if done.returncode else ""


def complaints(compiler, include, paths):
    for path in paths:
        lines = path.read_text(encoding="utf-8").splitlines()
        for number, text in of_header(lines) if path.suffix == ".h" else of_document(lines):
            said = complaint(compiler, include, text)
            yield f"{path}:{number}: does not compile:\n{said}" if said else ""


def main():
    compiler, include = sys.argv[1:3]
    return tally(complaints(compiler, include, map(pathlib.Path, sys.argv[3:])))


if __name__ == "__main__":
    sys.exit(main())
