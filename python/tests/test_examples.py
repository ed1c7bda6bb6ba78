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
        """The example of README.md runs as it stands, and gives the bits that the command gives."""
        text = (support.ROOT / "README.md").read_text(encoding="utf-8")
        found = re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
        self.assertEqual(1, len(found))
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(support.EXAMPLES, os.path.join(folder, "examples"))
            os.chdir(folder)
            try:
                names = {}
                exec(compile(found[0], "README.md", "exec"), names)
                self.assertTrue(os.path.getsize("source.tflite"))
                self.assert_bits(names["outputs"])
            finally:
                os.chdir(support.ROOT)

    def assert_bits(self, outputs):
        support.np.save("image.npy", support.np.zeros((1, 4, 5, 3), support.np.uint8))
        support.command("run", support.LAYERS, "--input", f"image=@{os.path.abspath('image.npy')}", "--output",
                        os.path.abspath("out"))
        self.assertEqual({f"{name}.npy" for name in outputs}, set(os.listdir("out")))
        for name, array in outputs.items():
            support.np.testing.assert_array_equal(support.np.load(f"out/{name}.npy").reshape(array.shape), array)


if __name__ == "__main__":
    support.main()
