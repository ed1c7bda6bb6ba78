"""The declarations are those of the headers, and the types are complete."""
import pathlib
import shutil
import subprocess
import sys
import unittest

from support import ROOT, Case, main

import hoist
from hoist._abi import VERSION

try:
    import pycparser
except ImportError:
    pycparser = None


class Types(Case):
    def test_version(self):
        self.assertEqual(hoist.__version__, VERSION)

    @unittest.skipUnless(pycparser, "skipped: pycparser is absent")
    def test_declarations(self):
        done = subprocess.run([sys.executable, str(ROOT / "scripts/python_abi.py"), "check"], capture_output=True,
                              text=True, check=False)
        self.assertEqual(0, done.returncode, done.stdout + done.stderr)

    @unittest.skipUnless(shutil.which("mypy"), "skipped: mypy is absent")
    def test_mypy(self):
        done = subprocess.run(["mypy", "--strict", "--cache-dir=/dev/null", "hoist"], cwd=pathlib.Path(ROOT, "python"),
                              capture_output=True, text=True, check=False)
        self.assertEqual(0, done.returncode, done.stdout + done.stderr)


if __name__ == "__main__":
    main()
