#!/usr/bin/python3
"""Writes the page of a benchmark report, one HTML file that needs no network.

Usage: report_page.py REPORT.json OUT.html
       report_page.py --check       only sees whether all modules are there
"""

import concurrent.futures
import importlib.util
import json
import os
import re
import sys

for module in ("jinja2", "markupsafe", "matplotlib", "numpy"):
    if importlib.util.find_spec(module) is None:
        sys.exit(f"report_page: the Python module {module} is missing; on Debian: "
                 "apt-get install python3-jinja2 python3-matplotlib python3-numpy")
if sys.argv[1:] == ["--check"]:
    sys.exit()

import jinja2  # noqa: E402
import markupsafe  # noqa: E402
import report_figures  # noqa: E402
from new_file import Refusal, end_with_parent, run, write_text  # noqa: E402

SUPERSCRIPTS = str.maketrans("0123456789+-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻")
MARKS = {"met": "✓", "missed": "✗", "shown": "·"}


# --------------------------------------------------------------------------------------------------- numbers

def power(mantissa, exponent):
    ten = "10" + str(int(exponent)).translate(SUPERSCRIPTS)
    return ten if mantissa in ("1", "1.0") else f"{mantissa}×{ten}"


def prose(text):
    """Numbers and units of a text as they are printed: 1e-05 becomes 10⁻⁵, m/s2 m/s²."""
    text = re.sub(r"(?<![\w.])(\d+(?:\.\d+)?)e([+-]?\d+)(?!\w)", lambda found: power(*found.groups()), text)
    text = re.sub(r"(?<![\w.])-(?=\d|10[⁰-⁹])", "−", text)
    return re.sub(r"\b(m/s|kg m|N/m|rad/s)([23])\b", lambda found: found.group(1) + found.group(2).translate(SUPERSCRIPTS),
                  text)


def number(value, digits=4):
    """With so many significant digits."""
    if value is None:
        return "–"
    if value == int(value) and abs(value) < 1e6:
        return str(int(value)).replace("-", "−")
    text = f"{value:.{digits}g}" if abs(value) >= 1e-3 else f"{value:.{digits - 1}e}"
    if "e" in text:
        mantissa, exponent = text.split("e")
        text = power(mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa, exponent)
    return text.replace("-", "−")


def with_unit(value, unit):
    return f"{number(value)} {unit}".strip() if value is not None else "–"


def difference(row):
    if row["difference"] is None:
        return ""
    if not row["difference_is_relative"]:
        return "±0" if row["difference"] == 0 else ("+" if row["difference"] > 0 else "") + with_unit(
            row["difference"], row["unit"])
    percent = 100 * row["difference"]
    if abs(percent) < 1e-3:
        return "< 0.001 %"
    return f"{percent:+.2g} %".replace("-", "−") if abs(percent) < 100 else f"{percent:+.0f} %".replace("-", "−")


def seconds(value):
    if value < 1e-3:
        return "< 1 ms"
    if value < 1:
        return f"{1000 * value:.3g} ms"
    if value < 120:
        return f"{value:.3g} s"
    return f"{value / 60:.3g} min"


# --------------------------------------------------------------------------------------------------- figures

class Figures:
    """Collects the figures of the page, which are drawn side by side at the end."""

    def __init__(self):
        self.jobs = []
        self.figures = []

    def add(self, kind, description, **texts):
        figure = {"uri": None, "failure": None, **texts}
        self.jobs.append((kind, description))
        self.figures.append(figure)
        return figure

    def draw(self):
        workers = min(os.cpu_count() or 1, len(self.jobs))
        if workers > 1:
            with concurrent.futures.ProcessPoolExecutor(workers, initializer=end_with_parent) as pool:
                drawn = list(pool.map(report_figures.draw, self.jobs))
        else:
            drawn = [report_figures.draw(job) for job in self.jobs]
        for figure, (uri, failure) in zip(self.figures, drawn):
            figure["uri"], figure["failure"] = uri, failure
            if failure:
                print(f"report_page: figure \"{figure['title']}\" is not drawn: {failure}", file=sys.stderr)


def curve_remarks(figure):
    """What is said below a figure of curves that are not there."""
    return sorted({f"{curve['label'] or 'a curve'}: {curve['missing']}" for panel in figure["panels"]
                   for curve in panel["curves"] if curve["missing"]})


def plan_figures(benchmark, figures):
    """Gives the benchmark and its studies lists of figures to show."""
    benchmark["shown_figures"] = []
    for figure in benchmark["figures"]:
        entry = {"title": figure["title"], "caption": figure["caption"], "remarks": curve_remarks(figure), "uri": None,
                 "failure": None}
        if report_figures.can_be_drawn(figure):
            names = ", ".join(curve["label"] for panel in figure["panels"] for curve in panel["curves"] if curve["x"])
            entry = figures.add("curves", figure, **{key: entry[key] for key in ("title", "caption", "remarks")},
                                alt=f"{figure['title']}. {figure['caption']} Curves: {names}.")
        benchmark["shown_figures"].append(entry)
    for study in benchmark["studies"]:
        study["shown_figures"] = []
        complete = report_figures.schemes_of(study)
        if not complete:
            continue
        names = ", ".join(quantity["name"] for quantity in complete[0]["quantities"])
        orders = "; ".join(f"{scheme['scheme']}, {quantity['name']}: order {quantity['order']:.2f}" for scheme in complete
                           for quantity in scheme["quantities"] if quantity["order"] is not None)
        study["shown_figures"] = [
            figures.add("errors", study, title="Errors against the step", caption="", remarks=[],
                        alt=f"{study['title']}: errors of {names} against the step. {orders}."),
            figures.add("iterations", study, title="Linear solves in a step", caption="", remarks=[],
                        alt=f"{study['title']}: mean and most linear solves in a step against the step."),
            figures.add("work", study, title="Errors against the computing time", caption="", remarks=[],
                        alt=f"{study['title']}: errors of {names} against the CPU time of all steps.")]


# ------------------------------------------------------------------------------------------------------ page

def study_remarks(study):
    """Schemes that are not in the tables of the study, and steps that failed in it."""
    remarks = [f"Scheme {scheme['scheme']}: {scheme['failure'] or 'not in this version'}." for scheme in study["schemes"]
               if scheme["ending"] != "complete"]
    phases = max((scheme.get("phases", 1) for scheme in report_figures.schemes_of(study)), default=1)
    if phases > 1:
        remarks.append(f"Errors are means over {phases} runs for each step, with shifted grids of times.")
    for scheme in report_figures.schemes_of(study):
        for row in scheme["rows"]:
            if row["failure"]:
                remarks.append(f"{scheme['scheme']}, h = {number(row['step'])} s: {row['failure']}")
    return remarks


def study_reference(study):
    complete = report_figures.schemes_of(study)
    if not complete:
        return ""
    first = complete[0]
    exact = [quantity["name"] for quantity in first["quantities"] if quantity["is_exact"]]
    if first["reference_step"] == 0:
        return "the exact solution"
    own = (f"a run of scheme {study['reference_scheme']} with h = {number(first['reference_step'])} s "
           f"({seconds(first['reference_seconds'])})")
    return f"{own}; the exact solution for {', '.join(exact)}" if exact else own


def write_page(report, path):
    figures = Figures()
    for benchmark in report["benchmarks"]:
        plan_figures(benchmark, figures)
        benchmark["claims"] = [row for row in benchmark["rows"] if row["verdict"] != "shown"]
        benchmark["numbers"] = [row for row in benchmark["rows"] if row["verdict"] == "shown"]
        for study in benchmark["studies"]:
            study["remarks"] = study_remarks(study)
            study["reference"] = study_reference(study)
            study["complete"] = report_figures.schemes_of(study)
    figures.draw()

    folder = os.path.dirname(os.path.abspath(__file__))
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(folder), autoescape=True, trim_blocks=True,
                                     lstrip_blocks=True, undefined=jinja2.StrictUndefined)
    environment.filters.update(prose=prose, number=number, difference=difference, seconds=seconds)
    environment.globals.update(with_unit=with_unit, marks=MARKS)
    with open(os.path.join(folder, "report.css"), encoding="utf-8") as file:
        style = markupsafe.Markup(file.read())
    page = environment.get_template("report.html.jinja").render(report=report, meta=report["meta"], style=style)
    write_text(path, page.strip() + "\n")


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__.strip())
    try:
        with open(sys.argv[1], encoding="utf-8") as file:
            report = json.load(file)
    except ValueError as error:
        raise Refusal(f'"{sys.argv[1]}" does not hold the numbers of a report') from error
    write_page(report, sys.argv[2])


if __name__ == "__main__":
    run("report_page", main)
