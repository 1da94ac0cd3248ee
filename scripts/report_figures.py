"""The figures of a benchmark report in one style.

They are drawn at the width of a phone and shown at up to twice that, so that their text stays readable on both.
"""

import base64
import io
import math
import re
import textwrap

import matplotlib

matplotlib.use("Agg")
import numpy as np  # noqa: E402, the backend has to be chosen first
from matplotlib import pyplot as plt  # noqa: E402
from matplotlib.lines import Line2D  # noqa: E402
from matplotlib.ticker import LogFormatterSciNotation, LogLocator, MaxNLocator, NullFormatter, StrMethodFormatter  # noqa: E402

WIDTH = 4.7  # inches
INK, PALE = "#2b2d33", "#8d9098"
COLOURS = ["#1f5fa8", "#d1601f", "#2a8a64", "#8a4f9e", "#b5304a", "#9a7b12", "#3d8fa8", "#6d6f76"]
EXACT = "#f3bd85"
MARKERS = "os^Dv*Ph"
ROUNDING = 1e-12  # errors below it say nothing of an order
DIVERGED = 10.0  # the relative error of a run that went astray to its end

STYLE = {
    "font.family": "DejaVu Sans",
    "font.size": 8.5,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.linewidth": 0.7,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.formatter.useoffset": False,
    "axes.formatter.limits": (-3, 4),
    "axes.formatter.use_mathtext": True,
    "grid.color": "#d9dbe0",
    "grid.linewidth": 0.5,
    "lines.linewidth": 1.2,
    "lines.markersize": 4.5,
    "lines.solid_joinstyle": "round",
    "xtick.color": INK,
    "ytick.color": INK,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
    "legend.frameon": False,
    "legend.fontsize": 8,
    "legend.handlelength": 1.8,
    "legend.columnspacing": 1.4,
    "legend.labelspacing": 0.3,
    "text.color": INK,
    "svg.fonttype": "path",
    "svg.hashsalt": "picus",
}


def new_figure(heights, share_x=False):
    """Axes one below another."""
    figure, axes = plt.subplots(len(heights), 1, squeeze=False, sharex=share_x, figsize=(WIDTH, sum(heights)),
                                gridspec_kw={"height_ratios": heights}, layout="constrained")
    return figure, list(axes[:, 0])


def svg_text(figure):
    """The same text each time, with coordinates to a hundredth of a point."""
    stream = io.StringIO()
    figure.savefig(stream, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    plt.close(figure)
    text = stream.getvalue()
    text = re.sub(r' d="[^"]*"', lambda path: re.sub(r"(\.\d\d)\d+", r"\1", path.group(0)), text)
    return text[text.index("<svg"):]


def data_uri(svg):
    return "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode()


def add_legend(axes, handles=None):
    """Above the axes, where it covers nothing, in as many columns as fit; a long one makes the figure higher."""
    if handles is None:
        handles = axes.get_legend_handles_labels()[0]
    if not handles:
        return
    for handle in handles:
        handle.set_label(textwrap.fill(handle.get_label(), 44))
    longest = max(len(line) for handle in handles for line in handle.get_label().split("\n"))
    size = 8 if len(handles) <= 8 else 7
    columns = max(1, min(len(handles), int((WIDTH - 0.5) / (0.009 * size * longest + 0.38))))
    axes.legend(handles=handles, loc="lower left", bbox_to_anchor=(-0.01, 1.0), ncol=columns, borderaxespad=0.2,
                fontsize=size)
    rows = math.ceil(len(handles) / columns)
    axes.figure.set_figheight(axes.figure.get_figheight() + 0.02 * size * max(0, rows - 3))


def set_labels(axes, x_label, y_label, height):
    axes.set_xlabel(x_label)
    axes.set_ylabel(textwrap.fill(y_label, max(12, int(height * 13))))


def marker_of(number):
    """Another one when colours come round again."""
    return MARKERS[(number + number // len(COLOURS)) % len(MARKERS)]


# ---------------------------------------------------------------------------------------------------- curves

def as_array(values):
    return np.array([math.nan if value is None else value for value in values], dtype=float)


def draw_curve(axes, curve, number):
    if not curve["x"]:
        return
    x, y = as_array(curve["x"]), as_array(curve["y"])
    label = curve["label"] + (" (until a step failed)" if curve["missing"] else "")
    if label in axes.get_legend_handles_labels()[1]:
        label = None  # exact curves may share one
    if curve["is_exact"]:  # a wide pale band, on which the computed curve should lie
        axes.plot(x, y, color=EXACT, linewidth=3.6, label=label, zorder=1.5, solid_capstyle="round")
    else:
        axes.plot(x, y, color=COLOURS[number % len(COLOURS)], label=label, zorder=2)


def is_over_time(panel):
    return panel["x_label"].startswith("time")


def names_of(panel):
    """What its legend shows; a single curve needs none, the axis has its name."""
    names = [curve["label"] for curve in panel["curves"] if curve["x"]]
    return list(dict.fromkeys(names)) if len(names) > 1 else []


def draw_panel(axes, panel, height, has_legend):
    number = 0
    for curve in panel["curves"]:
        draw_curve(axes, curve, number)
        number += not curve["is_exact"]
    if panel["x_range"]:
        axes.set_xlim(panel["x_range"])
    elif is_over_time(panel):
        axes.margins(x=0.01)
    if panel["y_range"]:
        axes.set_ylim(panel["y_range"])
    if panel["has_log_x"]:
        axes.set_xscale("log")
    if panel["has_log_y"]:
        axes.set_yscale("log")
    set_labels(axes, panel["x_label"], panel["y_label"], height)
    if has_legend:
        add_legend(axes)


def can_be_drawn(figure):
    return any(curve["x"] for panel in figure["panels"] for curve in panel["curves"])


def draw_curves(description):
    """A figure of the plan."""
    panels = [panel for panel in description["panels"] if any(curve["x"] for curve in panel["curves"])]
    share_x = len({(panel["x_label"], str(panel["x_range"])) for panel in panels}) == 1
    heights = [(2.0 if len(panels) > 1 else 2.8) if is_over_time(panel) else 3.2 for panel in panels]
    figure, axes = new_figure(heights, share_x)
    shown = []
    for each, panel, height in zip(axes, panels, heights):
        names = names_of(panel)
        draw_panel(each, panel, height, bool(names) and names != shown)  # not the same one below another
        shown = names or shown
    if share_x:
        for each in axes[:-1]:
            each.set_xlabel("")
    figure.align_ylabels(axes)
    return figure


# --------------------------------------------------------------------------------------------------- studies

def schemes_of(study):
    return [scheme for scheme in study["schemes"] if scheme["ending"] == "complete"]


def label_steps(axes, steps):
    """Ticks that do not run into each other."""
    is_wide = max(steps) / min(steps) > 200
    axes.xaxis.set_major_locator(LogLocator(subs=(1.0,) if is_wide else (1.0, 2.0, 5.0), numticks=9))
    axes.xaxis.set_major_formatter(LogFormatterSciNotation(labelOnlyBase=False, minor_thresholds=(np.inf, np.inf)))
    axes.xaxis.set_minor_formatter(NullFormatter())


def has_failed(row):
    return row["failure"] or not all(error is not None and error <= DIVERGED for error in row["errors"])


def mark_failures(axes, steps, scheme, colour):
    """Crosses along the top edge; true if there are any."""
    failed = [h for h, row in zip(steps, scheme["rows"]) if has_failed(row)]
    if failed:
        marks = axes.plot(failed, [0.97] * len(failed), "x", color=colour, transform=axes.get_xaxis_transform(),
                          markersize=5.5, markeredgewidth=1.4, clip_on=False)
        marks[0].set_in_layout(False)
    return bool(failed)


FAILURE = Line2D([], [], linestyle="", marker="x", color=PALE, markersize=5.5, markeredgewidth=1.4,
                 label="failed or diverged")


def draw_orders(axes, lines):
    """Dashed lines of order 1 and, where a curve is near it, 2, below all curves; `lines` are (h, error, order)."""
    known = [(h, error) for steps, errors, _ in lines for h, error in zip(steps, errors) if error > ROUNDING]
    if len(known) < 2:
        return
    small, large = min(h for h, _ in known), max(h for h, _ in known)
    if small == large:
        return
    orders = [1] + [2] * any(order is not None and order > 1.5 for _, _, order in lines)
    for order in orders:
        # Through the point that leaves all errors above it.
        factor = 0.5 * min(error / h**order for h, error in known)
        steps = np.array([small, large])
        axes.plot(steps, factor * steps**order, "--", color=PALE, linewidth=0.8, zorder=1)
        middle = math.sqrt(small * large)
        axes.annotate(f"order {order}", (middle, factor * middle**order), xytext=(5, -3), textcoords="offset points",
                      color=PALE, fontsize=7.5, ha="left", va="top")


def draw_error_panel(axes, lines, has_failures):
    """`lines` are (label, steps, errors, order, colour, marker)."""
    handles = []
    for label, steps, errors, order, colour, marker in lines:
        text = label if order is None else f"{label}: order {order:.2f}"
        shown = np.where(np.array(errors) > 0, errors, math.nan)
        handles += axes.loglog(steps, shown, marker=marker, color=colour, label=text)
    draw_orders(axes, [(steps, np.nan_to_num(errors), order) for _, steps, errors, order, _, _ in lines])
    add_legend(axes, handles + [FAILURE] * has_failures)


def errors_of(scheme, place):
    errors = [as_array(row["errors"])[place] if row["errors"] else math.nan for row in scheme["rows"]]
    return [error if error <= DIVERGED else math.nan for error in errors]


def draw_errors(study):
    """Errors against the step: a panel for each quantity where there are several schemes, else one for all."""
    schemes = schemes_of(study)
    quantities = schemes[0]["quantities"]
    steps = [row["step"] for row in schemes[0]["rows"]]
    several = len(schemes) > 1
    groups = [[place] for place in range(len(quantities))] if several else [list(range(len(quantities)))]
    heights = [2.6 if len(groups) > 1 else 3.2] * len(groups)
    figure, all_axes = new_figure(heights, share_x=True)
    for axes, places in zip(all_axes, groups):
        lines, has_failures = [], False
        for number, (place, scheme) in enumerate((place, scheme) for place in places for scheme in schemes):
            colour, marker = COLOURS[number % len(COLOURS)], marker_of(number)
            label = scheme["scheme"] if several else quantities[place]["name"]
            lines.append((label, steps, errors_of(scheme, place), scheme["quantities"][place]["order"], colour, marker))
            has_failures |= mark_failures(axes, steps, scheme, colour)
        draw_error_panel(axes, lines, has_failures)
        name = f"relative L1 error of {quantities[places[0]]['name']}" if len(places) == 1 else "relative L1 error"
        set_labels(axes, "", name, heights[0])
        label_steps(axes, steps)
    all_axes[-1].set_xlabel("step h, s")
    figure.align_ylabels(all_axes)
    return figure


def draw_work(study):
    """Errors against the CPU time of all steps: a panel for each quantity."""
    schemes = schemes_of(study)
    quantities = schemes[0]["quantities"]
    figure, all_axes = new_figure([2.6 if len(quantities) > 1 else 3.2] * len(quantities), share_x=True)
    for place, (axes, quantity) in enumerate(zip(all_axes, quantities)):
        for number, scheme in enumerate(schemes):
            seconds = np.array([row["step_seconds"] for row in scheme["rows"]])
            errors = np.array(errors_of(scheme, place))
            shown = np.where((errors > 0) & (seconds > 0), errors, math.nan)
            axes.loglog(seconds, shown, marker=marker_of(number), color=COLOURS[number % len(COLOURS)],
                        label=scheme["scheme"])
        set_labels(axes, "", f"relative L1 error of {quantity['name']}", 2.6)
    if len(schemes) > 1:
        add_legend(all_axes[0])
    all_axes[-1].set_xlabel("CPU time of all steps, s")
    figure.align_ylabels(all_axes)
    return figure


def draw_iterations(study):
    """Linear solves in a step against the step: of each sub-problem, or of each of several schemes."""
    schemes = schemes_of(study)
    steps = [row["step"] for row in schemes[0]["rows"]]
    if len(schemes) > 1:
        series = [(scheme["scheme"], scheme, lambda row: (row["mean_total"], row["worst_total"])) for scheme in schemes]
    else:
        series = [(name, schemes[0], lambda row, i=i: (row["mean_iterations"][i], row["worst_iterations"][i]))
                  for i, name in enumerate(schemes[0]["subproblems"])]
    figure, (axes,) = new_figure([3.2])
    handles, has_failures, highest = [], False, 1.0
    for number, (label, scheme, numbers) in enumerate(series):
        colour, marker = COLOURS[number % len(COLOURS)], marker_of(number)
        pairs = np.array([(math.nan, math.nan) if row["failure"] else numbers(row) for row in scheme["rows"]])
        handles += axes.semilogx(steps, pairs[:, 0], marker=marker, color=colour, label=label)
        axes.semilogx(steps, pairs[:, 1], linestyle=":", marker=marker, markerfacecolor="none", color=colour)
        highest = np.nanmax([highest, *pairs.ravel()])
        if number == 0 or len(schemes) > 1:
            has_failures |= mark_failures(axes, steps, scheme, colour if len(schemes) > 1 else PALE)
    styles = [Line2D([], [], color=PALE, marker="o", label="mean"),
              Line2D([], [], color=PALE, marker="o", markerfacecolor="none", linestyle=":", label="most")]
    add_legend(axes, handles + styles + [FAILURE] * has_failures)
    if highest > 40:  # a few hard steps must not hide all others
        axes.set_yscale("symlog", linthresh=1)
        axes.set_ylim(0, 2 * highest)
        axes.yaxis.set_major_formatter(StrMethodFormatter("{x:.0f}"))
    else:
        axes.set_ylim(0, 1.12 * highest)
        axes.yaxis.set_major_locator(MaxNLocator(6, integer=True))
    set_labels(axes, "step h, s", "linear solves in a step", 3.2)
    label_steps(axes, steps)
    return figure


DRAWERS = {"curves": draw_curves, "errors": draw_errors, "iterations": draw_iterations, "work": draw_work}


def draw(job):
    """The data URI of job (kind, description) and None, or None and what went wrong: one figure must not cost the page."""
    kind, description = job
    try:
        with plt.rc_context(STYLE):
            return data_uri(svg_text(DRAWERS[kind](description))), None
    except Exception as error:  # pylint: disable=broad-except
        plt.close("all")
        return None, f"{type(error).__name__}: {error}"


def save(kind, description, path):
    """A picture for the documentation."""
    with plt.rc_context(STYLE):
        figure = DRAWERS[kind](description)
        figure.savefig(path, dpi=130, metadata={"Software": None})
        plt.close(figure)
