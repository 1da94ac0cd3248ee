#!/usr/bin/python3
"""Plots a result of the woodpecker: the bird's rotation, the sleeve's fall and the gaps of its contacts.

Usage: plot_woodpecker.py RESULT.h5 OUT.png
"""

import argparse
import sys

try:
    import h5py
    import matplotlib
    import numpy as np
except ImportError as error:
    sys.exit(f"plot_woodpecker: the Python module {error.name} is missing; on Debian: "
             "apt-get install python3-h5py python3-matplotlib python3-numpy")

matplotlib.use("Agg")
from matplotlib import pyplot as plt  # noqa: E402, the backend has to be chosen first
from matplotlib.patches import Patch  # noqa: E402

CONTACTS = ["beak", "upper_left", "upper_right", "lower_left", "lower_right"]
STICK, SLIP = 1, 2
INK, LINE = "#2b2d33", "#1f4e79"
BANDS = {STICK: ("#f2a65a", "stick"), SLIP: ("#9cc5e3", "slip")}

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
    "lines.linewidth": 1.0,
    "xtick.color": INK,
    "ytick.color": INK,
}

NEWEST_FORMAT = 1  # of result files


class Result:
    """What the figure needs of a result file; lengths in millimetres, angles in radians."""

    def __init__(self, path):
        with h5py.File(path, "r") as file:
            if file.attrs.get("format_version", 0) > NEWEST_FORMAT:
                raise ValueError(f"it has format {file.attrs['format_version']} of Picus {file.attrs['picus_version']}; "
                                 f"this script knows formats up to {NEWEST_FORMAT}")
            self.time = self.read(file, "time")
            # A rotation about z has the quaternion (cos(a/2), 0, 0, sin(a/2)).
            quaternion = self.read(file, "nodes/bird/rotation")
            self.bird = np.unwrap(2.0 * np.arctan2(quaternion[:, 3], quaternion[:, 0]))
            height = self.read(file, "nodes/sleeve/position")[:, 1]
            self.fall = 1e3 * (height[0] - height)
            self.gaps, self.states = {}, {}
            for name in CONTACTS:
                if f"contacts/{name}" in file:  # case I has three of the five
                    self.gaps[name] = 1e3 * self.read(file, f"contacts/{name}/gap").reshape(len(self.time))
                    self.states[name] = self.read(file, f"contacts/{name}/state").reshape(len(self.time))
            self.title = self.describe(file)

    @staticmethod
    def read(file, name):
        if name not in file:
            raise ValueError(f"it has no data set /{name}; is it a result of the woodpecker?")
        data = file[name][...]
        if len(data) < 2:
            raise ValueError(f"its data set /{name} holds fewer than two instants")
        return data

    @staticmethod
    def describe(file):
        """Title from the parameters of the model, as far as they are in the file."""
        found = {}

        def collect(_, item):
            for key, value in item.attrs.items():
                found.setdefault(key.rsplit("/", 1)[-1], value.decode() if isinstance(value, bytes) else value)

        collect("", file)
        file.visititems(collect)
        words = ["Woodpecker toy"]
        if "case" in found:
            words.append(f"case {found['case']}")
        if "mu" in found:
            words.append(f"friction {found['mu']}")
        return ", ".join(words)


def plot_bands(axes, time, state):
    """Colours the times in which a contact sticks or slips."""
    for value, (colour, _) in BANDS.items():
        axes.fill_between(time, 0, 1, where=state == value, step="pre", color=colour, linewidth=0,
                          transform=axes.get_xaxis_transform(), zorder=0)


def plot(result, path):
    count = len(result.gaps)
    plt.rcParams.update(STYLE)
    figure, axes = plt.subplots(2 + count, 1, sharex=True, figsize=(8.5, 4.6 + 1.05 * count), constrained_layout=True,
                                gridspec_kw={"height_ratios": [2.0, 2.0] + [1.0] * count})
    figure.suptitle(result.title, x=0.02, ha="left", fontsize=12, fontweight="bold", color=INK)

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
        axes[2].legend(handles=[Patch(color=colour, label=label) for colour, label in BANDS.values()], ncol=2,
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
        sys.exit(f"plot_woodpecker: cannot plot {arguments.result}: {error}")
    try:
        plot(result, arguments.picture)
    except (OSError, ValueError) as error:
        sys.exit(f"plot_woodpecker: cannot write {arguments.picture}: {error}")


if __name__ == "__main__":
    main()
