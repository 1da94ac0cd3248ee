#!/usr/bin/python3
"""Draws what a sweep found: each finding against each parameter that varies, and its distribution. Of several sweeps the
distributions, beside each other.

Usage: plot_sweep.py SWEEP.h5 OUT.png
"""

import contextlib
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "python"))

try:
    import matplotlib
    import numpy as np
    from new_file import Refusal, new_file, run as run_script
    from picus_results import printable
    from picus_results.file import ResultFile
    from picus_results.names import matches
    from picus_style import COLOURS, INK, STYLE
except ImportError as error:
    sys.exit(f"plot_sweep: the Python module {error.name} is missing; on Debian: "
             "apt-get install python3-matplotlib python3-numpy python3-h5py")

matplotlib.use("Agg")
from matplotlib import pyplot as plt  # noqa: E402, the backend has to be chosen first

MOST_ROWS, MOST_COLUMNS = 8, 4
MOST_CURVES = 8  # told apart by colours
FEWEST_FOR_DISTRIBUTION = 10
FEWEST_IN_BIN, MOST_BINS = 20, 12  # of a cloud, for its quantiles along a parameter
SHARES = (0.1, 0.5, 0.9)  # the median, and what four fifths of the points lie between


class Sweep:
    """Parameters, findings and failures, each a column with an entry for each point."""

    def __init__(self, path):
        self.path = path
        with contextlib.closing(ResultFile(path)) as file:
            if "points" not in file or "findings" not in file:
                raise Refusal(f"{path} holds no sweep")
            self.title = file.text("", "title")
            self.scheme = file.text("", "integrator")
            self.points = {name: np.array(file.column("points", name)) for name in file.titles("points")}
            self.numbers = self.columns(file, "parameters")
            self.findings = self.columns(file, "findings")
            self.failed = np.array(file.column("failures", "failure")) != ""
        lengths = [len(column) for column in self.points.values()] + [column[0].shape for column in (self.numbers | self.findings).values()]
        if not self.failed.size or set(lengths) - {self.failed.size, self.failed.shape}:
            raise Refusal(f"{path} is damaged: its columns have different lengths, or none")
        self.findings = {name: column for name, column in self.findings.items() if np.isfinite(column[0]).any()}
        self.axes = [name for name, (values, unit) in self.numbers.items() if np.unique(values).size > 1]
        if not self.axes:
            self.axes = ["point"]
            self.numbers["point"] = (np.arange(self.failed.size, dtype=float), "")

    @staticmethod
    def columns(file, group):
        return {name: (file.numbers(f"{group}/{name}").astype(float), file.text(f"{group}/{name}", "unit")) for name in file.below(group)}

    def choose(self, patterns):
        """Names of the findings that fit any of the patterns, or of all. Refusal for a pattern that fits none."""
        if not self.findings:
            raise Refusal(f"no point of {self.path} found anything")
        for pattern in patterns:
            if not any(matches(pattern, name) for name in self.findings):
                raise Refusal(f"{self.path} has no finding {pattern}; it has " + ", ".join(self.findings))
        return [name for name in self.findings if not patterns or any(matches(pattern, name) for pattern in patterns)]

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
    return printable(f"{name}, {unit}" if unit and unit != "-" else name)


def is_logarithmic(values):
    return values.min() > 0 and values.max() > 30 * values.min() and np.ptp(np.diff(np.log(np.unique(values)))) < 1e-6


def bins_of(x):
    """Sets of points along a parameter: one for each of its values where these repeat, else of equal size. None where all are small."""
    order = np.argsort(x, kind="stable")
    values, first = np.unique(x[order], return_index=True)
    if values.size * FEWEST_IN_BIN <= x.size:
        return np.split(order, first[1:])
    count = min(MOST_BINS, x.size // FEWEST_IN_BIN)
    return np.array_split(order, count) if count > 1 else []


def draw_quantiles(axes, x, values):
    """The median of a cloud and what four fifths of it lie between, along a parameter."""
    known = np.isfinite(values)
    x, values = x[known], values[known]
    bins = bins_of(x)
    if len(bins) < 2:
        return
    low, middle, high = np.array([np.quantile(values[points], SHARES) for points in bins]).T
    place = [np.median(x[points]) for points in bins]
    axes.fill_between(place, low, high, color=COLOURS[1], alpha=0.25, linewidth=0, label="80 % of the points")
    axes.plot(place, middle, color=COLOURS[1], label="median")


def draw_against(axes, sweep, parameter, values):
    x = sweep.numbers[parameter][0]
    curves = sweep.curves(parameter)
    for i, (text, points) in enumerate(curves):
        axes.plot(x[points], values[points], "o-", markersize=3, color=COLOURS[i % len(COLOURS)], label=printable(text) or None)
    if not curves:
        axes.plot(x, values, "o", markersize=3, color=COLOURS[0], alpha=0.7 if x.size < 100 else 0.35, markeredgewidth=0)
        draw_quantiles(axes, x, values)
    if sweep.failed.any():
        axes.plot(x[sweep.failed], np.full(sweep.failed.sum(), 0.02), "x", markersize=5, color="#b23a48",
                  transform=axes.get_xaxis_transform(), label="failed", clip_on=False)
    if is_logarithmic(x):
        axes.set_xscale("log")


def draw_distribution(axes, values):
    known = values[np.isfinite(values)]
    if not known.size:
        return
    has_spread = np.ptp(known) > 1e-9 * np.abs(known).max()
    axes.hist(known, bins=min(20, 4 + known.size // 8) if has_spread else 1, orientation="horizontal", color=COLOURS[0], alpha=0.8)
    low, middle, high = np.quantile(known, SHARES)
    for level, style in ((low, ":"), (middle, "-"), (high, ":")):
        axes.axhline(level, color=COLOURS[1], linestyle=style, linewidth=0.9)
    axes.set_axisbelow(True)
    axes.set_title(f"median {middle:.4g}, 80 % in {low:.4g} to {high:.4g}", loc="left", fontsize=8)


def save(figure, out):
    with new_file(out) as file:
        figure.savefig(file, dpi=150, format=os.path.splitext(out)[1][1:])
    plt.close(figure)


def draw(sweep, names, out):
    """A row for each finding."""
    findings = names[:MOST_ROWS]
    parameters = sweep.axes[:MOST_COLUMNS]
    has_distribution = sweep.failed.size >= FEWEST_FOR_DISTRIBUTION
    columns = len(parameters) + has_distribution
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
        explained = set()
        for axes in grid[0][:len(parameters)]:
            texts = set(axes.get_legend_handles_labels()[1])
            if texts - explained:
                axes.legend(loc="best")
            explained |= texts
        left_out = [f"{len(all_of) - len(drawn)} more {what}" for all_of, drawn, what in
                    ((names, findings, "findings"), (sweep.axes, parameters, "parameters")) if len(all_of) > len(drawn)]
        note = f" ({' and '.join(left_out)} not drawn)" if left_out else ""
        figure.suptitle(printable(f"{sweep.title.removeprefix('Picus: ')}, scheme {sweep.scheme}{note}"), fontsize=9, color=INK)
        save(figure, out)


def draw_shares(axes, values, colour, text):
    """The share of the points that found at most so much: a stair that rises from 0 to 1."""
    known = np.sort(values[np.isfinite(values)])
    shares = np.arange(1, known.size + 1) / known.size
    axes.step(np.concatenate((known[:1], known)), np.concatenate(([0.0], shares)), where="post", color=colour,
              label=printable(f"{text}, {known.size} points, median {np.median(known):.4g}"))


def draw_beside(sweeps, names, labels, out):
    """The distributions that several sweeps found, a panel for each finding."""
    if len(names) > MOST_ROWS:
        raise Refusal(f"these are {len(names)} findings, more than the {MOST_ROWS} panels of one figure; name fewer")
    with plt.rc_context(STYLE):
        figure, grid = plt.subplots(len(names), 1, squeeze=False, figsize=(7, 0.5 + 2.4 * len(names)), layout="constrained")
        for axes, name in zip(grid[:, 0], names):
            units = {sweep.findings[name][1]: sweep.path for sweep in sweeps}
            if len(units) > 1:
                raise Refusal(f"{name} is in " + " and in ".join(f"{unit or '1'} in {path}" for unit, path in units.items()))
            for i, (sweep, text) in enumerate(zip(sweeps, labels)):
                draw_shares(axes, sweep.findings[name][0], COLOURS[i % len(COLOURS)], text)
            axes.set_xlabel(label(name, next(iter(units))))
            axes.set_ylabel("share of the points")
            axes.set_ylim(0, 1)
            axes.legend(loc="best")
        titles = dict.fromkeys(f"{sweep.title.removeprefix('Picus: ')}, scheme {sweep.scheme}" for sweep in sweeps)
        figure.suptitle(printable("; ".join(titles)), fontsize=9, color=INK)
        save(figure, out)


def plot(paths, patterns, labels, out):
    """The findings that fit the patterns, or all: of one sweep over its parameters, of several their distributions."""
    sweeps = [Sweep(path) for path in paths]
    chosen = [sweep.choose(patterns) for sweep in sweeps]
    if len(sweeps) == 1:
        draw(sweeps[0], chosen[0], out)
        return
    in_all = [name for name in chosen[0] if all(name in names for names in chosen[1:])]
    if not in_all:
        raise Refusal(f"{paths[0]} and {paths[1]} found nothing that is called the same")
    draw_beside(sweeps, in_all, labels, out)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__.strip())
    plot(sys.argv[1:2], [], [], sys.argv[2])


if __name__ == "__main__":
    run_script("plot_sweep", main)
