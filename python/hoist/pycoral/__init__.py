"""The functions of Coral's Python library for programs that run compiled models without the chip: change
``from pycoral.`` to ``from hoist.pycoral.`` in their import lines."""
