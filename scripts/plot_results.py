#!/usr/bin/python3
"""Draws quantities of results over time, an overview of a run, or what sweeps have found: what `picus plot` runs.

Usage: plot_results.py FILE [QUANTITY ...] [--with FILE ...] [--overview] [--out FIGURE.png|.svg|.pdf] [--from T] [--to T]
"""

import argparse
import contextlib
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "python"))

try:
    import matplotlib
    import numpy as np
    import picus_results
    from guard import Refusal, guarded
    from picus_results import printable
    from picus_results.file import ResultFile
except ImportError as error:
    sys.exit(f"plot_results: the Python module {error.name} is missing; on Debian: "
             "apt-get install python3-h5py python3-matplotlib python3-numpy")

matplotlib.use("Agg")
from matplotlib import pyplot as plt  # noqa: E402, the backend has to be chosen first
import compare_results  # noqa: E402
import plot_sweep  # noqa: E402
from new_file import new_file  # noqa: E402
from picus_style import STYLE  # noqa: E402
from result_panels import Panel  # noqa: E402

MOST_PANELS = 12


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
    if run.names("contact_sets/*/closed"):  # of contacts that come and go
        closed = Panel("closed contacts", "")
        closed.components = [part for quantity in run.find("contact_sets/*/closed") for part in quantity.components()]
        panels.append(closed)
    panels += arrange([quantity for quantity in run.find("energy/*") if is_part(quantity)])
    iterations = Panel("iterations of the worst step", "")
    iterations.components = [part for quantity in run.find("solver/iterations_*") for part in quantity.components()
                             if part.values.any()]
    panels.append(iterations)
    return [panel for panel in panels if panel.components]


def cut(run, part, begin, end):
    """A component between two instants."""
    chosen = np.ones(len(part.time), bool)
    if begin is not None:
        chosen &= part.time >= begin
    if end is not None:
        chosen &= part.time <= end
    if chosen.sum() < 2:
        what = f"samples of {part.name}" if part.name.startswith("sensors/") else "records"
        raise Refusal(f"{run.path} has fewer than two {what} in the {run.time_name} that is asked for")
    return picus_results.Component(part.name, part.unit, part.description, part.values[chosen], part.time[chosen])


def title_of(run):
    integrator, step = run.attributes.get("integrator", ""), run.attributes.get("step")
    return (f"{run.title.removeprefix('Picus: ')}, {integrator}" + (f", h = {step:g} s" if step and run.time_unit == "s" else "") +
            ("" if run.outcome == "complete" else f" ({run.outcome[:90]})"))


def draw(run, panels, title, out):
    """Panels below each other; the time is named as in the run."""
    if len(panels) > MOST_PANELS:
        raise Refusal(f"these are {len(panels)} different kinds of quantities, more than the {MOST_PANELS} panels of "
                      "one figure; name fewer")
    parts = [part for panel in panels for part in panel.components]
    with plt.rc_context(STYLE):
        heights = [panel.height() for panel in panels]
        figure, axes = plt.subplots(len(panels), 1, sharex=True, squeeze=False, figsize=(9, sum(heights) + 0.7),
                                    height_ratios=heights, layout="constrained")
        for one, panel in zip(axes[:, 0], panels):
            panel.draw(one)
        axes[-1, 0].set_xlabel(run.time_name if run.time_unit == "1" else f"{run.time_name}, {printable(run.time_unit)}")
        axes[-1, 0].set_xlim(min(part.time[0] for part in parts), max(part.time[-1] for part in parts))
        figure.suptitle(printable(title), x=0.01, ha="left", fontsize=10)
        with new_file(out) as file:
            figure.savefig(file, dpi=150, format=os.path.splitext(out)[1][1:])
        plt.close(figure)


def main():
    parser = argparse.ArgumentParser(prog="plot_results", description="Draws quantities of results over time.")
    parser.add_argument("file")
    parser.add_argument("quantities", nargs="*")
    parser.add_argument("--with", dest="others", action="append", default=[])
    parser.add_argument("--overview", action="store_true")
    parser.add_argument("--out")
    parser.add_argument("--from", dest="begin", type=float)
    parser.add_argument("--to", dest="end", type=float)
    given = parser.parse_args()
    guarded("plot_results", [given.file, *given.others], lambda: plot(given))


def is_sweep(path):
    with contextlib.closing(ResultFile(path)) as file:
        return "findings" in file and "points" in file and "time" not in file


def plot(given):
    files = [given.file, *given.others]
    out = given.out or os.path.splitext(given.file)[0] + ".png"
    sweeps = [path for path in files if is_sweep(path)]
    if sweeps and len(sweeps) < len(files):
        raise Refusal(f"{sweeps[0]} holds a sweep, {next(path for path in files if path not in sweeps)} a run: they have no axis in common")
    if sweeps:
        if given.begin is not None or given.end is not None:
            raise Refusal(f"{sweeps[0]} holds a sweep, which has no time to begin or end at")
        plot_sweep.plot(files, given.quantities, compare_results.names_of_files(files), out)
        return
    with contextlib.ExitStack() as stack:
        plot_runs([stack.enter_context(picus_results.open(path)) for path in files], given, out)


def plot_runs(runs, given, out):
    for run in runs:
        if len(run.time) < 2:
            raise Refusal(f"{run.path} has fewer than two records: there is nothing to draw")
    if given.overview == bool(given.quantities):
        raise Refusal("name quantities, such as 'contacts/*/gap', or ask for --overview; "
                      f"{given.file} has " + ", ".join(printable(name) for name in runs[0].names()[:4]) + ", ... (picus show lists all)")
    if given.overview and len(runs) > 1:
        raise Refusal("an overview is of one run; name the quantities of several that are to be compared")

    def quantities_of(run):
        model = run.title.removeprefix("Picus: ") + "/"  # may stand before the names of the model's quantities
        return run.find(*[word.removeprefix(model) for word in given.quantities])

    def cut_as_asked(run, part):
        return cut(run, part, given.begin, given.end)
    if len(runs) > 1:
        draw(runs[0], compare_results.panels_of(runs, quantities_of, cut_as_asked), compare_results.title_of(runs), out)
        return
    (run,) = runs
    panels = overview(run) if given.overview else arrange(quantities_of(run))
    for panel in panels:
        panel.components = [cut_as_asked(run, part) for part in panel.components]
    draw(run, panels, title_of(run), out)


if __name__ == "__main__":
    main()
