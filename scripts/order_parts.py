#!/usr/bin/python3
"""What the errors of convergence studies consist of, for orders that differ from what is claimed.

Usage: order_parts.py REPORT.JSON [BENCHMARK...]

Prints for each study, scheme and quantity of a report (`picus report`) the fitted order, the orders from each step to
the next, and the least-squares fit |e| = a h + b h^2 of relative errors: its coefficients, the step a/b below which the
first part is the larger one, and the largest relative error of the fit. Impacts within steps contribute to a, smooth
motion between them to b; where a/b is below the steps of a study, the study shows the order of smooth motion.
"""

import json
import math
import sys


def fit(points):
    """a, b and the largest deviation of (a h + b h^2)/e from 1."""
    hh = sum((h / e) ** 2 for h, e in points)
    h3 = sum(h**3 / e**2 for h, e in points)
    h4 = sum(h**4 / e**2 for h, e in points)
    r1, r2 = sum(h / e for h, e in points), sum(h * h / e for h, e in points)
    det = hh * h4 - h3 * h3
    a, b = (r1 * h4 - r2 * h3) / det, (hh * r2 - h3 * r1) / det
    return a, b, max(abs((a * h + b * h * h) / e - 1) for h, e in points)


def main():
    path, *names = sys.argv[1:]
    with open(path) as file:
        report = json.load(file)
    for benchmark in report["benchmarks"]:
        if names and benchmark["name"] not in names:
            continue
        for study in benchmark["studies"]:
            for scheme in study["schemes"]:
                for k, quantity in enumerate(scheme["quantities"]):
                    points = [(row["step"], row["errors"][k]) for row in scheme["rows"]
                              if row["errors"] and row["errors"][k] and row["errors"][k] > 0]
                    if len(points) < 3 or quantity["order"] is None:
                        continue
                    steps = " ".join(f"{math.log(e / f) / math.log(h / g):.2f}"
                                     for (h, e), (g, f) in zip(points, points[1:]))
                    a, b, miss = fit(points)
                    equal = f"{a / b:.2g} s" if a > 0 and b > 0 else "none"
                    print(f"{benchmark['name']} {study['id']} {scheme['scheme']} {quantity['name']}: order "
                          f"{quantity['order']:.3f} +- {quantity['order_error']:.3f} for h = {points[0][0]:.2g} to "
                          f"{points[-1][0]:.2g} s; from step to step {steps}; a = {a:.3g}, b = {b:.3g}, equal at {equal}, "
                          f"fit within {100 * miss:.0f} %")


if __name__ == "__main__":
    main()
