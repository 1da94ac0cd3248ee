"""Panels of a figure over time: curves of one unit, or the states of contacts."""

import numpy as np
import picus_results
from matplotlib import pyplot as plt
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator
from picus_results import printable
from picus_style import COLOURS, SLIP, STICK

MOST_POINTS = 4000  # of a curve; more are thinned to the extremes of as many intervals
MOST_LABELS = 14
MOST_ROWS = 20  # of states with names
TALLEST = 5.0  # inches, of the states of many contacts
STICK_STATE, SLIP_STATE = 1, 2


def thin(time, values):
    """At most MOST_POINTS points that keep the extremes of every interval."""
    if len(time) <= MOST_POINTS:
        return time, values
    count = MOST_POINTS // 2
    edges = np.linspace(0, len(time), count + 1).astype(int)
    places = [0, len(time) - 1]
    for first, last in zip(edges[:-1], edges[1:]):
        part = values[first:last]
        if len(part) and np.isfinite(part).any():
            places += [first + int(np.nanargmin(part)), first + int(np.nanargmax(part))]
    places = np.unique(places)
    return time[places], values[places]


def without_common_parts(names):
    """The names less what they begin and end with in common, whole words between slashes only."""
    split = [name.split("/") for name in names]
    if len(split) < 2:
        return [name.split("/", 1)[-1] for name in names]
    head = 0
    while all(len(words) > head + 1 for words in split) and len({words[head] for words in split}) == 1:
        head += 1
    tail = 0
    while all(len(words) > head + tail + 1 for words in split) and len({words[-1 - tail] for words in split}) == 1:
        tail += 1
    return ["/".join(words[head:len(words) - tail]) for words in split]


def draw_bands(axes, components, names):
    """One row for each state of a contact: coloured while it sticks or slips. Of many rows only some have their names."""
    is_dense = len(components) > MOST_ROWS
    half = 0.5 if is_dense else 0.4
    for row, part in enumerate(components):
        time = part.time
        for value, colour in ((STICK_STATE, STICK), (SLIP_STATE, SLIP)):
            is_on = np.concatenate(([False], part.values == value, [False]))
            starts, ends = np.flatnonzero(is_on[1:] & ~is_on[:-1]), np.flatnonzero(~is_on[1:] & is_on[:-1])
            # A state holds over the step that ends at its instant.
            spans = [(time[max(first - 1, 0)], time[last - 1] - time[max(first - 1, 0)]) for first, last in zip(starts, ends)]
            axes.broken_barh(spans, (row - half, 2 * half), color=colour, linewidth=0 if is_dense else 0.6)
    rows = range(0, len(names), 1 + (len(names) - 1) // MOST_ROWS)
    axes.set_yticks(rows, [names[row] for row in rows])
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_axisbelow(True)
    axes.grid(False, axis="y")
    axes.legend(handles=[Patch(color=STICK, label="sticks"), Patch(color=SLIP, label="slips")], ncols=2,
                loc="lower right", bbox_to_anchor=(1, 1), borderaxespad=0.1)


def draw_curves(axes, components, names, label, has_legend):
    # Colours that can be told apart, and again with dashes; of more curves than that only the run of a scale.
    if len(components) <= 2 * len(COLOURS):
        looks = [(COLOURS[i % len(COLOURS)], "-" if i < len(COLOURS) else "--") for i in range(len(components))]
    else:
        looks = [(colour, "-") for colour in plt.get_cmap("viridis")(np.linspace(0, 0.92, len(components)))]
    for part, name, (colour, dashes) in zip(components, names, looks):
        is_count = part.values.dtype.kind in "iu"
        axes.plot(*thin(part.time, part.values.astype(float)), color=colour, linestyle=dashes, label=name,
                  drawstyle="steps-post" if is_count else "default")
    axes.set_ylabel(label)
    if all(part.values.dtype.kind in "iu" for part in components):
        axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    if not has_legend:
        return
    if len(components) <= MOST_LABELS:
        axes.legend(loc="upper left", bbox_to_anchor=(1.005, 1.02), borderaxespad=0)
    else:
        axes.legend(handles=axes.lines[:: max(1, len(components) // 6)], loc="upper left", bbox_to_anchor=(1.005, 1.02),
                    borderaxespad=0, title=f"{len(components)} curves")


class Panel:
    """Curves of one unit and kind, or the states of contacts: components, and names that tell them apart."""

    def __init__(self, kind, unit, title=""):
        self.kind, self.unit, self.title, self.components = kind, unit, title, []
        self.names = []  # printable; none: what the names of the components do not have in common
        self.has_legend = True

    @property
    def is_state(self):
        return self.kind == "state"

    def height(self):
        lines = sum(name.count("\n") + 1 for name in self.names) or len(self.components)
        height = min(max(1.1, 0.45 + 0.22 * lines), TALLEST) if self.is_state else 2.1
        return height + (0.2 if self.title else 0.0)

    def legend(self):
        own = [printable(name) for name in without_common_parts([part.name for part in self.components])]
        return self.names or (own if self.is_state else [name.replace("_", " ") for name in own])

    def draw(self, axes):
        if self.title:
            axes.set_title(printable(self.title), loc="left")
        if self.is_state:
            draw_bands(axes, self.components, self.legend())
            return
        kind = printable(self.kind).replace("_", " ")
        label = kind if self.unit in ("", "1") else f"{kind}, {printable(self.unit)}"
        draw_curves(axes, self.components, self.legend(), label, self.has_legend)
