#!/usr/bin/python3
"""Plots a result of the woodpecker: the bird's rotation, the sleeve's fall and the gaps of its contacts.

Usage: plot_woodpecker.py RESULT.h5 OUT.png
"""

import argparse
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "python"))

try:
    import matplotlib
    import numpy as np
    import picus_results
except ImportError as error:
    sys.exit(f"plot_woodpecker: the Python module {error.name} is missing; on Debian: "
             "apt-get install python3-h5py python3-matplotlib python3-numpy")

matplotlib.use("Agg")
from matplotlib import pyplot as plt  # noqa: E402, the backend has to be chosen first
from matplotlib.patches import Patch  # noqa: E402
from picus_style import COLOURS, INK, SLIP, STICK, STYLE  # noqa: E402

CONTACTS = ["beak", "upper_left", "upper_right", "lower_left", "lower_right"]
BANDS = {1: (STICK, "stick"), 2: (SLIP, "slip")}  # by the state of a contact
LINE = COLOURS[0]


class Result:
    """What the figure needs of a result file; lengths in millimetres, angles in radians."""

    def __init__(self, path):
        with picus_results.open(path) as run:
            self.time = run.time
            # A rotation about z has the quaternion (cos(a/2), 0, 0, sin(a/2)).
            quaternion = self.read(run, "nodes/bird/rotation")
            self.bird = np.unwrap(2.0 * np.arctan2(quaternion[:, 3], quaternion[:, 0]))
            height = self.read(run, "nodes/sleeve/position")[:, 1]
            self.fall = 1e3 * (height[0] - height)
            self.gaps, self.states = {}, {}
            for name in CONTACTS:
                if f"contacts/{name}/gap" in run:  # case I has three of the five
                    self.gaps[name] = 1e3 * self.read(run, f"contacts/{name}/gap").reshape(len(self.time))
                    self.states[name] = self.read(run, f"contacts/{name}/state").reshape(len(self.time))
            self.title = ", ".join(["Woodpecker toy"] + [f"{word} {run.parameters[key]}" for key, word in
                                                         (("case", "case"), ("mu", "friction")) if key in run.parameters])

    @staticmethod
    def read(run, name):
        if name not in run:
            raise ValueError(f"it has no data set /{name}; is it a result of the woodpecker?")
        values = run[name].values
        if len(values) < 2:
            raise ValueError(f"its data set /{name} holds fewer than two instants")
        return values


def plot_bands(axes, time, state):
    """Colours the times in which a contact sticks or slips."""
    for value, (colour, _) in BANDS.items():
        axes.fill_between(time, 0, 1, where=state == value, step="pre", color=colour, linewidth=0, alpha=0.35,
                          transform=axes.get_xaxis_transform(), zorder=0)


def plot(result, path):
    count = len(result.gaps)
    plt.rcParams.update(STYLE)
    figure, axes = plt.subplots(2 + count, 1, sharex=True, figsize=(8.5, 4.6 + 1.05 * count), constrained_layout=True,
                                gridspec_kw={"height_ratios": [2.0, 2.0] + [1.0] * count})
    figure.suptitle(picus_results.printable(result.title), x=0.02, ha="left", fontsize=12, fontweight="bold", color=INK)

    axes[0].plot(result.time, result.bird, color=LINE)
    axes[0].set_ylabel("rotation of\nthe bird, rad")
    axes[1].plot(result.time, result.fall, color=LINE)
    axes[1].invert_yaxis()
    axes[1].set_ylabel("fall of the\nsleeve, mm")
    for gap_axes, (name, gap) in zip(axes[2:], result.gaps.items()):
        plot_bands(gap_axes, result.time, result.states[name])
        gap_axes.plot(result.time, gap, color=LINE, linewidth=0.8)
        gap_axes.set_ylim(bottom=min(0.0, gap.min()) - 0.05 * np.ptp(gap))
        gap_axes.set_ylabel(name.replace("_", "\n"))
        gap_axes.grid(axis="x", visible=False)
    if count:
        axes[2].set_title("gaps of the contacts, mm", loc="left", fontsize=9, color=INK)
        axes[2].legend(handles=[Patch(color=colour, alpha=0.35, label=label) for colour, label in BANDS.values()], ncol=2,
                       loc="lower right", bbox_to_anchor=(1.0, 0.98), frameon=False, borderaxespad=0.1)
    figure.align_ylabels(axes)
    axes[-1].set_xlabel("time, s")
    axes[-1].set_xlim(result.time[0], result.time[-1])
    figure.savefig(path, dpi=150)
    plt.close(figure)


def main():
    parser = argparse.ArgumentParser(prog="plot_woodpecker", description=__doc__.splitlines()[0])
    parser.add_argument("result", metavar="RESULT.h5", help="a result of `picus run woodpecker`")
    parser.add_argument("picture", metavar="OUT.png", help="the figure, in the format of its extension")
    arguments = parser.parse_args()
    try:
        result = Result(arguments.result)
    except (OSError, ValueError) as error:
        sys.exit(f"plot_woodpecker: cannot plot {arguments.result}: {picus_results.printable(error)}")
    try:
        plot(result, arguments.picture)
    except (OSError, ValueError) as error:
        sys.exit(f"plot_woodpecker: cannot write {arguments.picture}: {error}")


if __name__ == "__main__":
    main()
