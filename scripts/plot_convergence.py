#!/usr/bin/python3
"""Plots a convergence study of `picus converge`: errors and iterations against the step size.

Usage: plot_convergence.py STUDY.csv OUT.png
"""

import csv
import sys

try:
    import matplotlib
    import numpy as np
    from new_file import Refusal, new_file, run as run_script
except ImportError as error:
    sys.exit(f"plot_convergence: the Python module {error.name} is missing; on Debian: "
             "apt-get install python3-matplotlib python3-numpy")

matplotlib.use("Agg")
from matplotlib import pyplot as plt  # noqa: E402, the backend has to be chosen first
from matplotlib.ticker import LogFormatterSciNotation, LogLocator, NullFormatter  # noqa: E402

INK = "#2b2d33"
STYLE = {
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.linewidth": 0.7,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.grid": True,
    "grid.color": "#d9dbe0",
    "grid.linewidth": 0.5,
    "lines.linewidth": 1.2,
    "lines.markersize": 4.5,
    "xtick.color": INK,
    "ytick.color": INK,
}
COLOURS = ["#1f4e79", "#d9722b", "#3a8f6b", "#8a4f9e", "#b23a48", "#6d6f76"]
MARKERS = "os^Dv*"


class Study:
    """The columns of the file by name, with gaps (NaN) where a run failed, and what its comments say."""

    def __init__(self, path):
        with open(path, newline="", encoding="utf-8") as file:
            lines = file.read().splitlines()
        self.notes = dict(line[2:].split(": ", 1) for line in lines if line.startswith("# ") and ": " in line)
        rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
        if not rows:
            raise Refusal(f"{path} holds no study")
        self.columns = {name: np.array([float(row[name] or "nan") for row in rows]) for name in rows[0]}
        self.steps = self.columns["h"]

    def named(self, kind):
        """Pairs (name, values) of the columns "KIND:NAME"."""
        return [(name.split(":", 1)[1], values) for name, values in self.columns.items()
                if name.startswith(kind + ":")]

    def order(self, quantity):
        text = self.notes.get(f"order of {quantity}")
        return float(text) if text else None


def draw_slope(axes, steps, errors, order):
    """A line of the nearest whole order below the errors, to compare by eye."""
    known = np.isfinite(errors) & (errors > 0)
    if known.sum() < 2 or order is None:
        return
    slope = max(1, round(order))
    largest = steps[known].max()
    start = 0.4 * errors[known][steps[known] == largest][0]
    axes.plot(steps, start * (steps / largest) ** slope, "--", color="#9a9ca3", linewidth=0.9,
              label=f"order {slope}", zorder=1)


def label_steps(axes):
    """Ticks at 1, 2 and 5, as steps are chosen, that do not run into each other."""
    axes.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0), numticks=8))
    axes.xaxis.set_major_formatter(LogFormatterSciNotation(labelOnlyBase=False, minor_thresholds=(np.inf, np.inf)))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.set_xlabel("step h, s")


def draw_errors(axes, study):
    for i, (name, errors) in enumerate(study.named("error")):
        order = study.order(name)
        text = name if order is None else f"{name}: order {order:.2f}"
        axes.loglog(study.steps, errors, marker=MARKERS[i % len(MARKERS)], color=COLOURS[i % len(COLOURS)], label=text)
        if i == 0:
            draw_slope(axes, study.steps, errors, order)
    label_steps(axes)
    axes.set_ylabel("relative L1 error")
    axes.legend(frameon=False, fontsize=8)


def draw_iterations(axes, study):
    worst = dict(study.named("worst"))
    for i, (name, mean) in enumerate(study.named("mean")):
        colour = COLOURS[i % len(COLOURS)]
        axes.semilogx(study.steps, mean, marker=MARKERS[i % len(MARKERS)], color=colour, label=f"{name}, mean")
        axes.semilogx(study.steps, worst[name], ":", marker=MARKERS[i % len(MARKERS)], markerfacecolor="none", color=colour,
                      label=f"{name}, most")
    axes.set_ylim(bottom=0)
    label_steps(axes)
    axes.set_ylabel("iterations in a step")
    axes.legend(frameon=False, fontsize=8)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__.strip())
    study = Study(sys.argv[1])
    with plt.rc_context(STYLE):
        figure, (left, right) = plt.subplots(1, 2, figsize=(9.0, 3.8), layout="constrained")
        draw_errors(left, study)
        draw_iterations(right, study)
        figure.suptitle(f"{study.notes['model']}, scheme {study.notes['scheme']}, until {study.notes['until']}; "
                        f"reference: {study.notes['reference']}", fontsize=9, color=INK)
        with new_file(sys.argv[2]) as file:
            figure.savefig(file, dpi=150, format="png")


run_script("plot_convergence", main)
