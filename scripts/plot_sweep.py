#!/usr/bin/python3
"""Draws what a sweep found: each finding against each parameter that varies, and its distribution.

Usage: plot_sweep.py SWEEP.h5 OUT.png
"""

import sys

try:
    import h5py
    import matplotlib
    import numpy as np
    from new_file import Refusal, new_file, run as run_script
    from picus_style import COLOURS, INK, STYLE
except ImportError as error:
    sys.exit(f"plot_sweep: the Python module {error.name} is missing; on Debian: "
             "apt-get install python3-matplotlib python3-numpy python3-h5py")

matplotlib.use("Agg")
from matplotlib import pyplot as plt  # noqa: E402, the backend has to be chosen first

MOST_ROWS, MOST_COLUMNS = 8, 4
MOST_CURVES = 8  # told apart by colours
FEWEST_FOR_DISTRIBUTION = 10


class Sweep:
    """Parameters, findings and failures, each a column with an entry for each point."""

    def __init__(self, path):
        with h5py.File(path, "r") as file:
            if "points" not in file or "findings" not in file:
                raise Refusal(f"{path} holds no sweep")
            self.title = file.attrs["title"]
            self.scheme = file.attrs["integrator"]
            self.points = self.texts(file["points"])
            self.numbers = self.columns(file["parameters"])
            self.findings = self.columns(file["findings"])
            self.failed = self.texts(file["failures"])["failure"] != ""
        self.findings = {name: column for name, column in self.findings.items() if np.isfinite(column[0]).any()}
        self.axes = [name for name, (values, unit) in self.numbers.items() if np.unique(values).size > 1]
        if not self.axes:
            self.axes = ["point"]
            self.numbers["point"] = (np.arange(self.failed.size, dtype=float), "")

    @staticmethod
    def texts(table):
        return {name: np.array([text.decode() if isinstance(text, bytes) else text for text in table[name]])
                for name in table.dtype.names}

    @staticmethod
    def columns(group):
        return {name: (data[()], data.attrs["unit"]) for name, data in group.items()}

    def curves(self, parameter):
        """Points that differ in nothing else: (label, indices by the parameter). None where these are many, or points."""
        others = [name for name in self.points if name != parameter]
        sets = {}
        for point, key in enumerate(zip(*(self.points[name] for name in others)) if others else [()] * self.failed.size):
            sets.setdefault(key, []).append(point)
        if len(sets) > MOST_CURVES or max(map(len, sets.values())) < 2:
            return []
        order = self.numbers[parameter][0]
        varied = [i for i, name in enumerate(others) if np.unique(self.points[name]).size > 1]
        return [(", ".join(f"{others[i]} = {key[i]}" for i in varied), sorted(points, key=lambda point: order[point]))
                for key, points in sets.items()]


def label(name, unit):
    return f"{name}, {unit}" if unit and unit != "-" else name


def is_logarithmic(values):
    return values.min() > 0 and values.max() > 30 * values.min() and np.ptp(np.diff(np.log(np.unique(values)))) < 1e-6


def draw_against(axes, sweep, parameter, values):
    x = sweep.numbers[parameter][0]
    curves = sweep.curves(parameter)
    for i, (text, points) in enumerate(curves):
        axes.plot(x[points], values[points], "o-", markersize=3, color=COLOURS[i % len(COLOURS)], label=text or None)
    if not curves:
        axes.plot(x, values, "o", markersize=3, color=COLOURS[0], alpha=0.7, markeredgewidth=0)
    if sweep.failed.any():
        axes.plot(x[sweep.failed], np.full(sweep.failed.sum(), 0.02), "x", markersize=5, color="#b23a48",
                  transform=axes.get_xaxis_transform(), label="failed", clip_on=False)
    if is_logarithmic(x):
        axes.set_xscale("log")


def draw_distribution(axes, values):
    known = values[np.isfinite(values)]
    if known.size:
        has_spread = np.ptp(known) > 1e-9 * np.abs(known).max()
        axes.hist(known, bins=min(20, 4 + known.size // 8) if has_spread else 1, orientation="horizontal", color=COLOURS[0], alpha=0.8)


def draw(sweep, out):
    findings = list(sweep.findings)[:MOST_ROWS]
    parameters = sweep.axes[:MOST_COLUMNS]
    has_distribution = sweep.failed.size >= FEWEST_FOR_DISTRIBUTION
    columns = len(parameters) + has_distribution
    if not findings:
        raise Refusal("no point of the sweep found anything")
    with plt.rc_context(STYLE):
        figure, grid = plt.subplots(len(findings), columns, squeeze=False, sharey="row",
                                    figsize=(1.2 + 3.4 * columns, 0.9 + 2.3 * len(findings)), layout="constrained")
        for i, (row, name) in enumerate(zip(grid, findings)):
            is_last = i == len(findings) - 1
            values, unit = sweep.findings[name]
            for axes, parameter in zip(row, parameters):
                draw_against(axes, sweep, parameter, values)
                if is_last:
                    axes.set_xlabel(label(parameter, sweep.numbers[parameter][1]))
            if has_distribution:
                draw_distribution(row[-1], values)
                if is_last:
                    row[-1].set_xlabel("points")
            row[0].set_ylabel("\n".join(label(name, unit).rsplit(", ", 1)))
        if grid[0][0].get_legend_handles_labels()[1]:
            grid[0][0].legend(loc="best")
        left_out = [f"{len(all_of) - len(drawn)} more {what}" for all_of, drawn, what in
                    ((sweep.findings, findings, "findings"), (sweep.axes, parameters, "parameters")) if len(all_of) > len(drawn)]
        note = f" ({' and '.join(left_out)} not drawn)" if left_out else ""
        figure.suptitle(f"{sweep.title.removeprefix('Picus: ')}, scheme {sweep.scheme}{note}", fontsize=9, color=INK)
        with new_file(out) as file:
            figure.savefig(file, dpi=150, format="png")


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__.strip())
    draw(Sweep(sys.argv[1]), sys.argv[2])


run_script("plot_sweep", main)
