"""The examples in docstrings run."""
import doctest
import importlib
import os
import pkgutil
import re
import tempfile

import support

import hoist


def load_tests(_loader, tests, _pattern):
    for module in pkgutil.walk_packages(hoist.__path__, "hoist."):
        if not module.name.endswith("_abi"):
            tests.addTests(doctest.DocTestSuite(importlib.import_module(module.name)))
    tests.addTests(doctest.DocTestSuite(hoist))
    return tests


class Readme(support.Case):
    def test_examples(self):
        """The example of README.md runs as it stands."""
        text = (support.ROOT / "README.md").read_text(encoding="utf-8")
        found = re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
        self.assertEqual(1, len(found))
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(support.EXAMPLES, os.path.join(folder, "examples"))
            os.chdir(folder)
            try:
                exec(compile(found[0], "README.md", "exec"), {})
                self.assertTrue(os.path.getsize("source.tflite"))
            finally:
                os.chdir(support.ROOT)


if __name__ == "__main__":
    support.main()
