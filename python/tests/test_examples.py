"""The examples in docstrings run."""
import doctest
import importlib
import pkgutil
import unittest

import support

import hoist


def load_tests(_loader, tests, _pattern):
    for module in pkgutil.walk_packages(hoist.__path__, "hoist."):
        if not module.name.endswith("_abi"):
            tests.addTests(doctest.DocTestSuite(importlib.import_module(module.name)))
    tests.addTests(doctest.DocTestSuite(hoist))
    return tests


if __name__ == "__main__":
    support.main()
