#!/usr/bin/python3
"""Draws quantities of a result file over time, or an overview of the run: what `picus plot` runs.

Usage: plot_results.py FILE [QUANTITY ...] [--overview] [--out FIGURE.png|.svg|.pdf] [--from T] [--to T]
"""

import argparse
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "python"))

try:
    import matplotlib
    import numpy as np
    import picus_results
    from guard import Refusal, guarded
    from picus_results import printable
except ImportError as error:
    sys.exit(f"plot_results: the Python module {error.name} is missing; on Debian: "
             "apt-get install python3-h5py python3-matplotlib python3-numpy")

matplotlib.use("Agg")
from matplotlib import pyplot as plt  # noqa: E402, the backend has to be chosen first
from matplotlib.patches import Patch  # noqa: E402
from matplotlib.ticker import MaxNLocator  # noqa: E402
from new_file import new_file  # noqa: E402
from picus_style import COLOURS, SLIP, STICK, STYLE  # noqa: E402

MOST_POINTS = 4000  # of a curve; more are thinned to the extremes of as many intervals
MOST_LABELS = 14
MOST_PANELS = 12
GAP_STATE, STICK_STATE, SLIP_STATE = 0, 1, 2


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


def draw_bands(axes, time, states, names):
    """One row for each contact: coloured while it sticks or slips."""
    for row, state in enumerate(states):
        for value, colour in ((STICK_STATE, STICK), (SLIP_STATE, SLIP)):
            is_on = np.concatenate(([False], state == value, [False]))
            starts, ends = np.flatnonzero(is_on[1:] & ~is_on[:-1]), np.flatnonzero(~is_on[1:] & is_on[:-1])
            # A state holds over the step that ends at its instant.
            spans = [(time[max(first - 1, 0)], time[last - 1] - time[max(first - 1, 0)]) for first, last in zip(starts, ends)]
            axes.broken_barh(spans, (row - 0.4, 0.8), color=colour, linewidth=0.6)
    axes.set_yticks(range(len(names)), [printable(name) for name in names])
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_axisbelow(True)
    axes.grid(False, axis="y")
    axes.legend(handles=[Patch(color=STICK, label="sticks"), Patch(color=SLIP, label="slips")], ncols=2,
                loc="lower right", bbox_to_anchor=(1, 1), borderaxespad=0.1)


def draw_curves(axes, components, label):
    names = without_common_parts([part.name for part in components])
    colours = COLOURS if len(components) <= len(COLOURS) else plt.get_cmap("viridis")(np.linspace(0, 0.92, len(components)))
    for part, name, colour in zip(components, names, colours):
        is_count = part.values.dtype.kind in "iu"
        axes.plot(*thin(part.time, part.values.astype(float)), color=colour, label=printable(name).replace("_", " "),
                  drawstyle="steps-post" if is_count else "default")
    axes.set_ylabel(label)
    if all(part.values.dtype.kind in "iu" for part in components):
        axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    if len(components) <= MOST_LABELS:
        axes.legend(loc="upper left", bbox_to_anchor=(1.005, 1.02), borderaxespad=0)
    else:
        axes.legend(handles=axes.lines[:: max(1, len(components) // 6)], loc="upper left", bbox_to_anchor=(1.005, 1.02),
                    borderaxespad=0, title=f"{len(components)} curves")


class Panel:
    """Curves of one unit and kind, or the states of contacts."""

    def __init__(self, kind, unit):
        self.kind, self.unit, self.components = kind, unit, []

    @property
    def is_state(self):
        return self.kind == "state"

    def height(self):
        return max(1.1, 0.45 + 0.22 * len(self.components)) if self.is_state else 2.1

    def draw(self, axes):
        if self.is_state:
            draw_bands(axes, self.components[0].time, [part.values for part in self.components],
                       without_common_parts([part.name for part in self.components]))
            return
        kind = printable(self.kind).replace("_", " ")
        draw_curves(axes, self.components, kind if self.unit in ("", "1") else f"{kind}, {printable(self.unit)}")


def arrange(quantities):
    """Panels for the components of the quantities, in their order."""
    panels = {}
    for quantity in quantities:
        kind = quantity.name.rpartition("/")[2]
        if quantity.name.startswith("energy/"):
            kind = "energy"
        for part in quantity.components():
            panels.setdefault((kind, part.unit), Panel(kind, part.unit)).components.append(part)
    return list(panels.values())


def moving_positions(run, most=6):
    """The coordinates that move most."""
    parts = [part for name in run.names("nodes/*/position") for part in run[name].components()]
    spans = [np.ptp(part.values) for part in parts]
    order = sorted(range(len(parts)), key=lambda i: -spans[i])[:most]
    return [parts[i] for i in sorted(order) if spans[i] > 0]


def is_part(energy):
    """Whether an energy of the whole system is no sum of others and not zero throughout."""
    sums = ("energy/potential", "energy/work_of_contacts", "energy/work_of_loads")
    return energy.name.count("/") == 1 and energy.name not in sums and energy.values.any()


def overview(run):
    """Panels of one sheet: motion, contacts, energies, iterations."""
    panels = []
    moving = moving_positions(run)
    axes_of_them = sorted({part.name[-1] for part in moving})
    motion = Panel(" and ".join(axes_of_them) + " of what moves most", "m")
    motion.components = moving
    panels.append(motion)
    for pattern in ("contacts/*/gap", "contacts/*/state"):
        if run.names(pattern):
            panels += arrange(run.find(pattern))[:1]
    panels += arrange([quantity for quantity in run.find("energy/*") if is_part(quantity)])
    iterations = Panel("iterations of the worst step", "")
    iterations.components = [part for quantity in run.find("solver/iterations_*") for part in quantity.components()
                             if part.values.any()]
    panels.append(iterations)
    return [panel for panel in panels if panel.components]


def cut(part, begin, end):
    """A component between two instants."""
    chosen = np.ones(len(part.time), bool)
    if begin is not None:
        chosen &= part.time >= begin
    if end is not None:
        chosen &= part.time <= end
    return picus_results.Component(part.name, part.unit, part.description, part.values[chosen], part.time[chosen])


def draw(run, panels, out, begin, end):
    for panel in panels:
        panel.components = [cut(part, begin, end) for part in panel.components]
    parts = [part for panel in panels for part in panel.components]
    for part in parts:
        if len(part.time) < 2:
            what = f"samples of {part.name}" if part.name.startswith("sensors/") else "records"
            raise Refusal(f"{run.path} has fewer than two {what} in the {run.time_name} that is asked for")
    with plt.rc_context(STYLE):
        heights = [panel.height() for panel in panels]
        figure, axes = plt.subplots(len(panels), 1, sharex=True, squeeze=False, figsize=(9, sum(heights) + 0.7),
                                    height_ratios=heights, layout="constrained")
        for one, panel in zip(axes[:, 0], panels):
            panel.draw(one)
        axes[-1, 0].set_xlabel(run.time_name if run.time_unit == "1" else f"{run.time_name}, {printable(run.time_unit)}")
        axes[-1, 0].set_xlim(min(part.time[0] for part in parts), max(part.time[-1] for part in parts))
        title = run.title.removeprefix("Picus: ")
        integrator, step = run.attributes.get("integrator", ""), run.attributes.get("step")
        figure.suptitle(f"{printable(title)}, {printable(integrator)}" + (f", h = {step:g} s" if step and run.time_unit == "s" else "") +
                        ("" if run.outcome == "complete" else f" ({printable(run.outcome[:90])})"),
                        x=0.01, ha="left", fontsize=10)
        with new_file(out) as file:
            figure.savefig(file, dpi=150, format=os.path.splitext(out)[1][1:])
        plt.close(figure)


def main():
    parser = argparse.ArgumentParser(prog="plot_results", description="Draws quantities of a result over time.")
    parser.add_argument("file")
    parser.add_argument("quantities", nargs="*")
    parser.add_argument("--overview", action="store_true")
    parser.add_argument("--out")
    parser.add_argument("--from", dest="begin", type=float)
    parser.add_argument("--to", dest="end", type=float)
    given = parser.parse_args()
    guarded("plot_results", given.file, lambda: plot(given))


def plot(given):
    out = given.out or os.path.splitext(given.file)[0] + ".png"
    with picus_results.open(given.file) as run:
        if len(run.time) < 2:
            raise Refusal(f"{given.file} has fewer than two records: there is nothing to draw")
        if given.overview == bool(given.quantities):
            raise Refusal("name quantities, such as 'contacts/*/gap', or ask for --overview; "
                             f"{given.file} has " + ", ".join(printable(name) for name in run.names()[:4]) + ", ... (picus show lists all)")
        model = run.title.removeprefix("Picus: ") + "/"  # may stand before the names of the model's quantities
        panels = overview(run) if given.overview else arrange(run.find(*[word.removeprefix(model) for word in given.quantities]))
        if len(panels) > MOST_PANELS:
            raise Refusal(f"these are {len(panels)} different kinds of quantities, more than the {MOST_PANELS} panels of "
                             "one figure; name fewer")
        draw(run, panels, out, given.begin, given.end)


if __name__ == "__main__":
    main()
