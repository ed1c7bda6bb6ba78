"""The wheel's tags: any Python 3, the architecture of its library, Debian 12's C library or a newer one."""
import os
import platform
import re

from setuptools import Distribution, setup
from wheel.bdist_wheel import bdist_wheel

with open("hoist/_abi.py", encoding="utf-8") as file:
    VERSION = re.search(r"^VERSION = \"(\d[\d.]*)\"", file.read(), re.MULTILINE)[1]


class WithLibrary(Distribution):
    """A package of files of one architecture."""

    def has_ext_modules(self):
        return True


class Wheel(bdist_wheel):
    """A wheel with a library inside, which no Python's ABI matters to."""

    def get_tag(self):
        return "py3", "none", f"manylinux_2_36_{os.environ.get('HOIST_WHEEL_ARCH', platform.machine())}"


setup(version=VERSION, distclass=WithLibrary, cmdclass={"bdist_wheel": Wheel})
