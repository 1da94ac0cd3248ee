#!/usr/bin/python3
"""A scheme out of tree, examples/own_scheme, against the installed package.

Usage: own_scheme_test.py PROGRAM WORK
"""

import re
import sys

import h5py
import numpy

from own_program import OwnProgram, expect


def main():
    sweeping = OwnProgram(sys.argv[1], sys.argv[2])
    work = sweeping.work

    def orders_of(model, *words):
        sweeping("converge", model, "--scheme", "sweeping", "--quiet", "--out", model, *words)
        table = (work / f"{model}.csv").read_text()
        return {name: float(order) for name, order in re.findall(r"# order of (\S+): (\S+)", table)}

    listed = sweeping("list", "--schemes").stdout
    expect(re.search(r"^  sweeping +Moreau's midpoint rule, contacts by projected Gauss-Seidel sweeps\. +Moreau 1999", listed, re.MULTILINE), listed)
    expect(re.search(r"^  sweeping +sweeps +10000 +1 to 1000000 +Sweeps over the contacts", listed, re.MULTILINE), listed)

    # The same equations as mixed:base=moreau-midpoint has, which Newton's iteration solves there: an impact, friction that
    # sticks, joints, and bodies that turn. 1e-6 of the largest value: both solve to 1e-8 or better, and errors grow over the steps.
    for model, node, until in (("bouncing-ball", "ball", "2"), ("inclined-plane", "block", "1"), ("simple-pendulum", "P", "1"),
                               ("spinning-top", "top", "0.2")):
        common = ["run", model, "--until", until, "--quiet"]
        sweeping(*common, "--scheme", "sweeping", "--out", "own.h5", "--force")
        sweeping(*common, "--scheme", "mixed:base=moreau-midpoint", "--out", "midpoint.h5", "--force")
        with h5py.File(work / "own.h5") as own, h5py.File(work / "midpoint.h5") as midpoint:
            name = f"nodes/{node}/position"
            a, b = own[name][...], midpoint[name][...]
            expect(a.shape == b.shape and abs(a - b).max() < 1e-6 * abs(b).max(),
                   f"{model}: {abs(a - b).max()} beside mixed:base=moreau-midpoint")
            expect(own.attrs["integrator"] == "sweeping" and own["integrator"].attrs["sweeps"] == "10000", f"{model}: options in the file")
            expect("iterations_sweeps" in own["solver"], "iterations under the name of the sub-problem")

    # The same difference formulas as a ready-made scheme, in the same iteration.
    for model, node in (("inclined-plane", "block"), ("spinning-top", "top"), ("woodpecker", "bird")):
        for scheme, out in (("euler", "own.h5"), ("moreau-jean:theta=1,gamma=1", "same.h5")):
            sweeping("run", model, "--until", "0.1", "--quiet", "--scheme", scheme, "--out", out, "--force")
        with h5py.File(work / "own.h5") as own, h5py.File(work / "same.h5") as same:
            name = f"nodes/{node}/position"
            expect(numpy.array_equal(own[name][...], same[name][...]), f"{model}: euler beside moreau-jean")

    # Impacts are found within a step: first order.
    orders = orders_of("bouncing-ball", "--steps", "1e-2,4e-3,2e-3,1e-3")
    expect(set(orders) == {"ball.y", "ball.vy"} and all(0.8 < order < 1.2 for order in orders.values()), f"orders {orders}")

    sweeping("run", "woodpecker", "--scheme", "sweeping", "--until", "0.02", "--checkpoint", "50", "--out", "a.h5", "--quiet")
    sweeping("run", "--resume", "a.h5", "--until", "0.04", "--quiet")
    sweeping("run", "woodpecker", "--scheme", "sweeping", "--until", "0.04", "--out", "b.h5", "--quiet")
    with h5py.File(work / "a.h5") as a, h5py.File(work / "b.h5") as b:
        expect(all(numpy.array_equal(a["nodes"][name]["position"][...], b["nodes"][name]["position"][...])
                   for name in b["nodes"] if "position" in b["nodes"][name]), "the run that went on has other bits")

    for scheme, message in (
        ("sweepin", '--scheme: there is no scheme "sweepin" (did you mean "sweeping"?)'),
        ("sweeping:swps=3", '--scheme: scheme "sweeping": there is no option "swps"; there are sweeps, change'),
        ("sweeping:sweeps=0", '--scheme: scheme "sweeping": option sweeps is 0, must lie in [1, 1000000]'),
    ):
        refused = sweeping("run", "bouncing-ball", "--scheme", scheme, status=2)
        expect(refused.stderr == f"sweeping: {message}\n", refused.stderr)


if __name__ == "__main__":
    main()
