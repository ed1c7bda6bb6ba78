#!/usr/bin/env python3
"""Runs command lines and measures each: exit status, first lines of the message, seconds, peak memory.

The peak of a process counts what it was forked from, so a process that stays small runs the commands for a
caller that is large: `measured.py PATH SECONDS` reads [folder, command] and writes [status, message, seconds,
peak] as lines of JSON. PATH is where `hoist` is, SECONDS the limit of the processor for a command.
"""
import json
import os
import re
import resource
import signal
import subprocess
import sys
import time


def first_lines(text):
    """Two lines tell a message: the general finding often stands before the one with the place."""
    lines = text.decode("utf-8", "replace").split("\n")
    return " | ".join(line[:160] for line in lines[:2] if line).replace("\t", " ")


def line_of(command):
    line = re.sub(r"\bF\b", "input", command)
    return line[2:] if line.startswith("$ ") else f"hoist {line}"


def run(path, folder, command, seconds):
    started = time.monotonic()
    process = subprocess.Popen(["bash", "-c", f"ulimit -t {seconds}; {line_of(command)}"], cwd=folder, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
                               env=os.environ | {"PATH": f"{path}:/usr/bin:/bin", "COLUMNS": "80", "LC_ALL": "C.UTF-8"})
    try:
        out, err = process.communicate(timeout=6 * seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return "hang", "", 6 * seconds
    if process.returncode in (-signal.SIGXCPU, 128 + signal.SIGXCPU):
        return "hang", "", seconds
    return process.returncode, first_lines(err + out), time.monotonic() - started


def run_measured(*arguments):
    """In a child, whose children's peak is that of this command alone."""
    reader, writer = os.pipe()
    if os.fork() == 0:
        answer = run(*arguments)
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
        os.write(writer, json.dumps([*answer, peak]).encode())
        os._exit(0)
    os.close(writer)
    with open(reader, "rb") as answer:
        text = answer.read()
    os.wait()
    return text.decode()


class Runner:
    def __init__(self, hoist, seconds):
        self.process = subprocess.Popen([sys.executable, __file__, str(hoist.parent), str(seconds)],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def run(self, folder, command):
        """Exit status or "hang", the first two lines of the message, seconds, bytes at the peak."""
        print(json.dumps([str(folder), command]), file=self.process.stdin, flush=True)
        return json.loads(self.process.stdout.readline())


if __name__ == "__main__":
    for request in sys.stdin:
        print(run_measured(sys.argv[1], *json.loads(request), int(sys.argv[2])), flush=True)
