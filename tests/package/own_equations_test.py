#!/usr/bin/python3
"""A constraint, a contact and a force out of tree, examples/own_equations, against the installed package.

Usage: own_equations_test.py PROGRAM WORK
"""

import sys

import h5py
import numpy

from own_program import OwnProgram, expect

RADIUS, LIFT, RATIO, SPEED = 0.05, 0.02, 2.0, 30.0  # of the default parameters
# Gaps and equations are solved to 1e-8 of the motion in a step, 0.3 mm and 15 mrad at most.
TOLERANCE = 1e-9


def main():
    cam = OwnProgram(sys.argv[1], sys.argv[2])

    def motion(name, *words):
        cam("run", "cam", "--quiet", "--out", name, *words)
        with h5py.File(cam.work / name) as file:
            return file["time"][...], file["nodes/follower/position"][..., 2], file["nodes/cam/value"][...].ravel()

    # The follower is held down: it and the gears do what their equations say, whatever the step and the scheme are.
    for words in ((), ("--step", "4e-3"), ("--scheme", "cs", "--step", "2e-3")):
        time, height, angle = motion("held.h5", "--force", *words)
        expect(abs(angle + SPEED * time / RATIO).max() < TOLERANCE, f"gears, {words}: {abs(angle + SPEED * time / RATIO).max()}")
        exact = RADIUS + LIFT * numpy.cos(SPEED * time / RATIO)
        expect(abs(height - exact).max() < TOLERANCE, f"profile, {words}: {abs(height - exact).max()}")

    # Without its spring it is too slow for the cam, lift w^2 > g, and falls freely from the first step on.
    time, height, angle = motion("flies.h5", "--set", "speed=80", "--set", "stiffness=0", "--until", "0.04")
    expect(abs(height - (RADIUS + LIFT - 9.81 * time**2 / 2)).max() < TOLERANCE, "free fall")
    expect((height[1:] > (RADIUS + LIFT * numpy.cos(angle))[1:]).all(), "the gap is open")


if __name__ == "__main__":
    main()
