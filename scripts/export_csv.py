#!/usr/bin/python3
"""Writes quantities of a result as a table: what `picus export --csv` runs.

Usage: export_csv.py FILE OUT.csv [--frames N] [--from T] [--to T] [--plot PATTERN ...]

A row for each record, and for each sample of a sensor that lies between records; a column for each number, with its unit in
parentheses. A number that has no value at the instant of a row is left empty.
"""

import argparse
import csv
import io
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, os.pardir, "python"))

try:
    import numpy as np
    import picus_results
    from guard import Refusal, guarded
    from new_file import new_file
except ImportError as error:
    sys.exit(f"export_csv: the Python module {error.name} is missing; on Debian: apt-get install python3-h5py python3-numpy")

ROWS_AT_ONCE = 1000


def heading(name, unit):
    return f"{name} ({unit})" if unit and unit != "1" else name


def chosen_instants(columns, given):
    """Of all instants at which a column has a value, those between the limits, at most so many, evenly chosen."""
    time = np.unique(np.concatenate([column.time for column in columns]))
    time = time[(time >= (-np.inf if given.begin is None else given.begin)) & (time <= (np.inf if given.end is None else given.end))]
    if len(time) == 0:
        raise Refusal("there is no record in the interval that is asked for")
    if given.frames is not None and given.frames < len(time):
        time = time[np.unique(np.linspace(0, len(time) - 1, given.frames).round().astype(int))]
    return time


def cells(column, time):
    """The texts of a column at these instants, with all digits that its numbers have."""
    place = np.minimum(np.searchsorted(column.time, time), len(column.time) - 1)
    has_value = column.time[place] == time
    return [str(value) if known else "" for value, known in zip(column.values[place], has_value)]


def write_table(given):
    with picus_results.open(given.file) as run:
        quantities = run.find(*given.plot) if given.plot else run.find("*")
        columns = [part for quantity in quantities for part in quantity.components() if len(part.time) > 0]
        if not columns:
            raise Refusal(f"{given.file} has no record")
        time = chosen_instants(columns, given)
        time_name = {"1": "load factor", "Hz": "frequency"}.get(run.time_unit, "time")
        with new_file(given.out) as file:
            text = io.TextIOWrapper(file, "utf-8", newline="")
            table = csv.writer(text, lineterminator="\n")
            table.writerow([heading(time_name, run.time_unit), *(heading(column.name, column.unit) for column in columns)])
            for first in range(0, len(time), ROWS_AT_ONCE):
                instants = time[first:first + ROWS_AT_ONCE]
                table.writerows(zip(map(str, instants), *(cells(column, instants) for column in columns)))
            text.detach()  # after what it still held was written


def main():
    parser = argparse.ArgumentParser(prog="export_csv")
    parser.add_argument("--frames", type=int)
    parser.add_argument("--from", dest="begin", type=float)
    parser.add_argument("--to", dest="end", type=float)
    parser.add_argument("--plot", action="append", default=[])
    parser.add_argument("file")
    parser.add_argument("out")
    given = parser.parse_args()
    guarded("export_csv", given.file, lambda: write_table(given))


if __name__ == "__main__":
    main()
