"""Pseudo terminals of tests."""
import os


def read_all(master):
    """The bytes of a pseudo terminal until its last writer has ended; closes it."""
    text = b""
    while True:
        try:
            part = os.read(master, 65536)
        except OSError:  # how Linux reports that end
            break
        if not part:
            break
        text += part
    os.close(master)
    return text
