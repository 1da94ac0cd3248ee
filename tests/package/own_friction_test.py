#!/usr/bin/python3
"""A law of friction out of tree, examples/own_friction, against the installed package.

Usage: own_friction_test.py PROGRAM WORK
"""

import sys

import h5py
import numpy

from own_program import OwnProgram, expect

MASS, STIFFNESS, FORCE, SPEED = 2e-3, 800.0, 1.0, 0.2  # of the default parameters


def reference(until, dt, speed, at_rest, sliding=0.3, softening=0.1):
    """Position of the string: it sticks until its tension exceeds the friction at rest, then slips by Runge-Kutta steps."""

    def acceleration(x, v):
        mu = sliding + (at_rest - sliding) * softening / (softening + speed - v)
        return (mu * FORCE - STIFFNESS * x) / MASS

    x, v, path, sticks = 0.0, 0.0, [0.0], False
    for _ in range(round(until / dt)):
        if sticks and STIFFNESS * x > at_rest * FORCE:
            sticks = False
        if sticks:
            x += dt * speed
        else:
            k1 = acceleration(x, v)
            k2 = acceleration(x + dt / 2 * v, v + dt / 2 * k1)
            k3 = acceleration(x + dt / 2 * (v + dt / 2 * k1), v + dt / 2 * k2)
            k4 = acceleration(x + dt * (v + dt / 2 * k2), v + dt * k3)
            x += dt * (v + dt / 6 * (k1 + k2 + k3))
            v += dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
            if v >= speed:
                v, sticks = speed, True
        path.append(x)
    return numpy.array(path)


def main():
    bow = OwnProgram(sys.argv[1], sys.argv[2])

    def error(step, *words, at_rest=0.8, speed=SPEED):
        until, dt = 0.06, 1e-6
        bow("run", "bow", "--quiet", "--force", "--out", "bow.h5", "--until", str(until), "--step", str(step), *words)
        with h5py.File(bow.work / "bow.h5") as file:
            time, x = file["time"][...], file["nodes/string/position"][..., 0]
            states = set(file["contacts/rosin/state"][...].ravel())
        exact = reference(until, dt, speed, at_rest)
        expect({1, 2} <= states, f"it sticks and slips, states {states}")
        return abs(x - exact[numpy.rint(time / dt).astype(int)]).max() / exact.max()

    # When in a step it lets go is left to chance, which costs a period of 10 ms up to a step each time: 2e-5 of 1e-2.
    for words, setting in (
        ((), {}),
        (("--set", "mu_at_rest=1.2"), {"at_rest": 1.2}),
        (("--set", "speed=0.3"), {"speed": 0.3}),
        (("--scheme", "cs"), {}),
    ):
        coarse, fine = error(2e-5, *words, **setting), error(5e-6, *words, **setting)
        expect(fine < 0.01, f"{words}: {fine}")
        expect(fine < 0.5 * coarse, f"{words}: {fine} with a quarter of the step, {coarse} before")


if __name__ == "__main__":
    main()
