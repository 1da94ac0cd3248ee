#!/usr/bin/python3
"""A constraint, a contact and a force out of tree, examples/own_equations, against the installed package.

Usage: own_equations_test.py PROGRAM WORK
"""

import math
import sys

import h5py
import numpy

from own_program import OwnProgram, expect

RADIUS, LIFT, RATIO, SPEED, MASS, STIFFNESS = 0.05, 0.02, 2.0, 30.0, 0.4, 2e5  # of the default parameters
GRAVITY = 9.81
AT_REST = math.cos(SPEED / RATIO)  # what statics have of the lift: prescribed motions end where they are at 1 s
# Gaps and equations are solved to 1e-8 of the motion in a step, 0.3 mm and 15 mrad at most.
TOLERANCE = 1e-9


def check_statics(cam):
    """With its whole motion as a load, SPEED s of the wheel, the cam carries the spring and the weight of the follower."""
    for words, radius, stiffness in (((), RADIUS, STIFFNESS), (("--set", "radius=0.06", "--set", "stiffness=1e5"), 0.06, 1e5)):
        cam("static", "cam", "--quiet", "--force", "--out", "static.h5", *words)
        with h5py.File(cam.work / "static.h5") as file:
            height = file["nodes/follower/position"][-1, 2]
            force = file["contacts/profile/impulse"][-1, 0]  # at rest impulses are forces
        expect(abs(height - (radius + LIFT * AT_REST)) < TOLERANCE, f"height at rest, {words}: {height}")
        exact = stiffness * height**3 + MASS * GRAVITY
        expect(abs(force - exact) < 1e-7 * exact, f"contact at rest, {words}: {force}, not {exact}")  # balanced to 1e-8


def check_modes(cam):
    """Held by the cam nothing moves; without the cam the follower is on the tangent of its spring, 3 k z^2."""
    expect("no vibration modes" in cam("modes", "cam", "--out", "held-modes.h5").stdout, "modes of what is held")
    for words, radius, stiffness in (((), RADIUS, STIFFNESS), (("--set", "radius=0.06", "--set", "stiffness=1e5"), 0.06, 1e5)):
        said = cam("modes", "cam", "--open-contacts", "--force", "--out", "modes.h5", *words).stdout
        with h5py.File(cam.work / "modes.h5") as file:
            found = file["time"][...]
        exact = math.sqrt(3 * stiffness * (radius + LIFT * AT_REST) ** 2 / MASS) / (2 * math.pi)
        expect(len(found) == 1, f"modes: {said}")
        # Differences of the force: about 1e-10 of its change over the radius, which is of the size of the tangent itself.
        expect(abs(found[0] - exact) < 1e-8 * exact, f"frequency, {words}: {found[0]} Hz, not {exact} Hz")


def check_resuming(cam):
    """A run that goes on from a checkpoint has the same bits as one that was never stopped, differences of functions included."""
    every = ("--quiet", "--step", "2e-3")
    cam("run", "cam", "--until", "0.4", "--out", "whole.h5", *every)
    cam("run", "cam", "--until", "0.2", "--out", "parts.h5", "--checkpoint", "50", *every)
    cam("run", "--resume", "parts.h5", "--until", "0.4", "--quiet")
    with h5py.File(cam.work / "whole.h5") as whole, h5py.File(cam.work / "parts.h5") as parts:
        expect(len(whole["time"]) == 201, "records of the whole run")
        for name in ("time", "nodes/follower/position", "nodes/follower/velocity", "nodes/cam/value", "contacts/profile/impulse",
                     "constraints/gears/impulse", "energy/kinetic"):
            expect((whole[name][...] == parts[name][...]).all(), f"{name} differs after a checkpoint")


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

    check_statics(cam)
    check_modes(cam)
    check_resuming(cam)

    # Without its spring it is too slow for the cam, lift w^2 > g, and falls freely from the first step on.
    time, height, angle = motion("flies.h5", "--set", "speed=80", "--set", "stiffness=0", "--until", "0.04")
    expect(abs(height - (RADIUS + LIFT - GRAVITY * time**2 / 2)).max() < TOLERANCE, "free fall")
    expect((height[1:] > (RADIUS + LIFT * numpy.cos(angle))[1:]).all(), "the gap is open")


if __name__ == "__main__":
    main()
