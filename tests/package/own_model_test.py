#!/usr/bin/python3
"""A repository of one's own, examples/own_model, against the installed package: what its program does and what it refuses.

Usage: own_model_test.py PROGRAM WORK PAGE
"""

import math
import pathlib
import re
import sys

import h5py
import numpy

from own_program import OwnProgram, expect

FREQUENCY = math.sqrt(2.0 / (0.5 * 0.4**2 / 3))  # rad/s, of the default parameters


def main():
    flap = OwnProgram(sys.argv[1], sys.argv[2])
    work = flap.work

    listed = flap("list").stdout
    expect("A flap on a spring hits its stop again and again" in listed and "bouncing-ball" not in listed, listed)
    page = pathlib.Path(sys.argv[3]).read_text()
    expect(flap("info", "flap").stdout in page, "docs/own-models.md does not show what `flap info flap` prints")
    expect(re.search(r"^  stiffness +real +2 +> 0 +N m/rad +of the spring$", flap("info", "flap").stdout, re.MULTILINE), "info")

    run = flap("run", "flap", "--set", "e_n=0.9", "--scheme", "moreau-jean", "--until", "0.4", "--out", "other.h5", "--profile")
    expect("first impact at" in run.stdout and "factorisation" in run.stdout, run.stdout)
    with h5py.File(work / "other.h5") as file:
        expect(file["model/parameters"].attrs["e_n"] == "0.9" and file.attrs["integrator"] == "moreau-jean", "other.h5")
        exact = math.pi / 2 / FREQUENCY
        expect(abs(file["findings"].attrs["first impact at"] - exact) < 1.5e-3, "the first impact is found within its step")
        expect(abs(file["findings/reference"].attrs["first impact at"] - exact) < 1e-12, "reference of the finding")
        expect(file["findings/unit"].attrs["first impact at"] == "s", "unit of the finding")

    # Time stepping finds impacts within a step: first order.
    flap("converge", "flap", "--quiet")
    table = (work / "flap-convergence.csv").read_text()
    expect("# reference: the exact solution" in table, table)
    order = float(re.search(r"# order of angle.value: (\S+)", table)[1])
    expect(0.8 < order < 2.2, f"order {order}")
    expect((work / "flap-convergence.png").stat().st_size > 0, "the figure is drawn by the installed script")

    modes = flap("modes", "flap", "--open-contacts").stdout
    found = float(re.search(r"^ +1 +(\S+) ", modes, re.MULTILINE)[1])
    expect(abs(found / (FREQUENCY / 2 / math.pi) - 1) < 1e-5, f"frequency {found} Hz")  # six digits are printed
    expect("load factor 1" in flap("static", "flap").stdout, "static")

    # Half a run and the rest from its checkpoint are the same bits as the whole.
    flap("run", "flap", "--until", "0.3", "--checkpoint", "100", "--out", "half.h5", "--quiet")
    flap("run", "--resume", "half.h5", "--until", "0.6", "--quiet")
    flap("run", "flap", "--until", "0.6", "--out", "whole.h5", "--quiet")
    with h5py.File(work / "half.h5") as half, h5py.File(work / "whole.h5") as whole:
        for name in ("time", "nodes/flap/position", "nodes/angle/value"):
            expect(numpy.array_equal(half[name][...], whole[name][...]), f"{name} of the run that went on")
        expect(dict(half["findings"].attrs) == dict(whole["findings"].attrs), "findings of the run that went on")
        expect([half[f"nodes/angle/{name}"].attrs["unit"] for name in ("value", "velocity")] == ["rad", "rad/s"], "units of the angle")
    expect("first impact at" in flap("show", "half.h5").stdout, "show")

    for words, message in (
        (["run", "flap", "--set", "lenght=1"], 'model "flap": there is no parameter "lenght" (did you mean "length"?)'),
        (["run", "flip"], 'there is no model "flip" (did you mean "flap"?)'),
        (["run"], "flap run needs the name of a model; `flap list` names them"),
        (["report"], 'there is no command "report" (did you mean "export"?)'),
    ):
        refused = flap(*words, status=2)
        expect(refused.stderr == f"flap: {message}\n", f"{words}: {refused.stderr}")


if __name__ == "__main__":
    main()
