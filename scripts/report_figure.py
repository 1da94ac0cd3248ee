#!/usr/bin/python3
"""Writes one figure of a benchmark report as a PNG.

Usage: report_figure.py REPORT.json BENCHMARK FIGURE OUT.png

FIGURE is the id of a figure, or STUDY/errors, STUDY/iterations or STUDY/work of a convergence study.
"""

import json
import sys

import report_figures


def find(items, key, value, what):
    for item in items:
        if item[key] == value:
            return item
    sys.exit(f"report_figure: there is no {what} \"{value}\", but {', '.join(item[key] for item in items) or 'none'}")


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__.strip())
    path, name, figure, out = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    benchmark = find(report["benchmarks"], "name", name, "benchmark")
    study, _, kind = figure.partition("/")
    if kind:
        if kind not in ("errors", "iterations", "work"):
            sys.exit(f"report_figure: a study has errors, iterations and work, no \"{kind}\"")
        report_figures.save(kind, find(benchmark["studies"], "id", study, "study"), out)
    else:
        report_figures.save("curves", find(benchmark["figures"], "id", figure, "figure"), out)


if __name__ == "__main__":
    try:
        main()
    except (OSError, ValueError, KeyError) as problem:
        sys.exit(f"report_figure: {type(problem).__name__}: {problem}")
