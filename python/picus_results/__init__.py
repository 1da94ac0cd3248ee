"""Reads result files of Picus (docs/results.md describes their layout).

    import picus_results
    with picus_results.open("woodpecker.h5") as run:
        for quantity in run.find("contacts/*/gap"):
            print(quantity.name, quantity.unit, quantity.values.min())
        table = run.to_pandas("energy/*")

Needs h5py and numpy, and pandas for to_pandas() alone.
"""

from .contact_sets import ContactSet
from .drawing import Box, Drawing
from .file import FormatError, printable
from .run import Component, ProfileEntry, Quantity, Run

__all__ = ["Box", "Component", "ContactSet", "Drawing", "FormatError", "ProfileEntry", "Quantity", "Run", "open", "printable"]


def open(path):
    """The run in a result file. OSError when there is no such file, FormatError when it is not one of Picus' or damaged.

    The file may be anybody's: sizes and types are checked before anything is read, and nothing outside it is read.
    """
    return Run(path)
