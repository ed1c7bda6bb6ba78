#!/usr/bin/env python3
"""Reports on a terminal go through a pager, and nowhere else.

pager.py HOIST
"""
import os
import pathlib
import pty
import signal
import subprocess
import sys
import tempfile
import time

import terminal

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
FILE = str(ROOT / "examples/buda/feed_forward.yaml")


def on_terminal(hoist, arguments, variables, folder, interrupt=False):
    """Output on a pseudo terminal and the exit status."""
    master, slave = pty.openpty()
    environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TERM": "xterm", "COLUMNS": "80"} | variables
    done = subprocess.Popen([hoist, *arguments], stdin=slave, stdout=slave, stderr=slave, cwd=folder, env=environment)
    os.close(slave)
    if interrupt:
        time.sleep(1)
        done.send_signal(signal.SIGINT)
    text = terminal.read_all(master)
    return text.decode().replace("\r\n", "\n"), done.wait(timeout=60)


def main():
    hoist = os.path.abspath(sys.argv[1])
    wrong = []

    def check(name, is_right):
        if not is_right:
            wrong.append(name)

    with tempfile.TemporaryDirectory() as folder:
        paged = pathlib.Path(folder) / "paged"
        pager = {"HOIST_PAGER": f"cat >{paged}; echo LESS=$LESS"}

        def run(arguments, variables, **more):
            paged.unlink(missing_ok=True)
            text, code = on_terminal(hoist, arguments, variables, folder, **more)
            return text, code, paged.read_text(encoding="utf-8") if paged.exists() else None

        text, code, content = run(["info", FILE], pager)
        check("a report is paged", code == 0 and text == "LESS=FRX\n" and "matmul" in (content or ""))
        check("colors are passed on", "\x1b[1m" in (content or ""))
        text, code, content = run(["info", FILE], {"PAGER": pager["HOIST_PAGER"]})
        check("PAGER is the second one", code == 0 and "matmul" in (content or ""))
        text, code, content = run(["info", "--no-pager", FILE], pager)
        check("--no-pager", code == 0 and content is None and "matmul" in text)
        for empty in ("", "cat"):
            text, code, content = run(["info", FILE], pager | {"HOIST_PAGER": empty})
            check(f"HOIST_PAGER={empty}", code == 0 and "matmul" in text)
        text, code, content = run(["info", FILE], {"HOIST_PAGER": "no-such-pager -R"})
        check("no such pager", code == 0 and "HOIST_PAGER: there is no program 'no-such-pager -R'" in text and "matmul" in text)
        text, code, content = run(["info", "none"], pager)
        check("errors are paged, too", code == 3 and text == "LESS=FRX\n" and "No such file" in (content or ""))
        text, code, content = run(["check", str(ROOT / "examples/buda/feed_forward_broken.yaml")], pager)
        check("the exit status is the command's", code == 1 and "BUDA-017" in (content or ""))
        text, code, content = run(["info", FILE], {"HOIST_PAGER": "exit 0"})
        check("a pager that does not read", code == 0)
        text, code, content = run(["info", FILE], {"HOIST_PAGER": f"trap '' INT; sleep 2; cat >{paged}"}, interrupt=True)
        check("an interrupt waits for the pager", code == -signal.SIGINT and content is not None)
        text, code, content = run(["version"], pager)
        check("what is no report is not paged", code == 0 and content is None)
        plain = subprocess.run([hoist, "info", FILE], capture_output=True, check=False, cwd=folder,
                               env={"PATH": "/usr/bin:/bin"} | pager)
        check("a pipe is not paged", not paged.exists() and b"matmul" in plain.stdout)
    for name in wrong:
        print(f"wrong: {name}")
    print(f"{len(wrong)} problems")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
