#!/usr/bin/python3
"""Co-simulations with an FMU of one's own, examples/own_fmu: the same digits as the program of the same model, closed forms, two
FMUs coupled by their importer, states set back.

Usage: simulation_test.py FMU PROGRAM WORK
"""

import cmath
import ctypes
import math
import pathlib
import random
import struct
import subprocess
import sys
import threading
import zlib

import h5py
import numpy

from importer import Fmu, Instance, Refused, expect, expect_refusal

LENGTH = 0.5  # of the spring, m


class Oscillator:
    """m x'' + c x' + k x = f, the solution for constant f from x and x' on."""

    def __init__(self, m=2.0, c=1.0, k=50.0):
        self.m, self.c, self.k = m, c, k
        root = cmath.sqrt(c * c / 4 - m * k)
        self.roots = (-c / 2 + root) / m, (-c / 2 - root) / m

    def after(self, t, x, v, f):
        a, b = self.roots
        rest = x - f / self.k
        first = (v - b * rest) / (a - b)
        second = rest - first
        return ((first * cmath.exp(a * t) + second * cmath.exp(b * t)).real + f / self.k,
                (a * first * cmath.exp(a * t) + b * second * cmath.exp(b * t)).real)


def simulated(instance, size, count, inputs=lambda i: {}, names=("cart.x", "cart.vx")):
    """The outputs at the communication points, the start first."""
    rows = [instance.get(*names)]
    for i in range(count):
        instance.set(**inputs(i))
        instance.step(i * size, size)
        rows.append(instance.get(*names))
    return numpy.array(rows)


def expect_same_digits(fmu, program, work):
    """A communication step of one step, and of five, is what the program computes, bit for bit."""
    for scheme in ("ds", "moreau-jean", "cs:rho_inf=0.5"):
        out = work / f"{scheme[:2]}.h5"
        subprocess.run([program, "run", "cart", "--set", "offset=0.1", "--set", "mass=3", "--until", "0.5", "--scheme", scheme, "--quiet", "--force", "--out", out], check=True)
        with h5py.File(out) as file:
            exact = file["nodes/cart/position"][:, 0]
        for steps in (1, 5):
            one = Instance(fmu).start(offset=0.1, mass=3.0, picus__scheme=scheme)
            found = simulated(one, steps * 1e-3, 500 // steps)[:, 0]
            expect(numpy.array_equal(found, exact[::steps]), f"{scheme}, {steps} steps: other digits, by {abs(found - exact[::steps]).max():.3g}")
            one.free()


def expect_closed_form(fmu):
    """Forces that jump from point to point: the error is of first order in the step at the jumps, and vanishes with it."""
    size, count = 0.02, 50

    def force(i):
        return 10.0 * math.sin(0.7 * i) - 3.0
    errors = []
    for step in (2e-3, 1e-3, 5e-4):
        one = Instance(fmu).start(picus__step=step, force=force(0))
        found = simulated(one, size, count, lambda i: {"force": force(i)})
        x, v, error = 0.0, 0.0, 0.0
        oscillator = Oscillator()
        for i in range(count):
            x, v = oscillator.after(size, x, v, force(i))
            error = max(error, abs(found[i + 1, 0] - LENGTH - x))
        errors.append(error)
        one.free()
    orders = [math.log2(errors[i] / errors[i + 1]) for i in range(2)]
    print(f"jumping force: errors {errors}, orders {orders}")
    expect(errors[-1] < 1e-4, f"errors {errors}")  # measured: 6.7e-5 m
    expect(min(orders) > 0.8, f"orders {orders} of {errors}")

    # A constant force from the start on has no jump: second order.
    errors = []
    for step in (2e-3, 1e-3, 5e-4):
        one = Instance(fmu).start(picus__step=step, force=7.0)
        found = simulated(one, size, count)
        errors.append(max(abs(row[0] - LENGTH - Oscillator().after(i * size, 0.0, 0.0, 7.0)[0]) for i, row in enumerate(found)))
        one.free()
    orders = [math.log2(errors[i] / errors[i + 1]) for i in range(2)]
    print(f"constant force: errors {errors}, orders {orders}")
    expect(min(orders) > 1.9, f"orders {orders} of {errors}")


def expect_moving_base(fmu):
    """The base at constant speed, then at rest: relative to it the cart is an oscillator that was hit."""
    one = Instance(fmu).start(speed=0.2)
    found = simulated(one, 0.01, 100, lambda i: {"speed": 0.2 if i < 50 else 0.0})
    oscillator = Oscillator()
    x, v, base, error = 0.0, -0.2, 0.0, 0.0
    for i in range(100):
        if i == 50:
            v += 0.2
        x, v = oscillator.after(0.01, x, v, 0.0)
        base += 0.002 if i < 50 else 0.0
        error = max(error, abs(found[i + 1, 0] - LENGTH - base - x))
    print(f"moving base: error {error}")
    expect(error < 2e-3 * 0.2, f"error {error} m")  # a jump of the speed by 0.2 m/s is late by at most a step of 1 ms
    one.free()


def coupled_error(fmu, size):
    """Two carts, each in an instance of its own, with a spring between them that the importer evaluates at communication points."""
    stiffness, offset = 20.0, 0.1
    left, right = Instance(fmu).start(damping=0.0, offset=offset, force=-stiffness * offset), Instance(fmu).start(damping=0.0, force=stiffness * offset)
    error = 0.0
    for i in range(round(1.0 / size)):
        tension = stiffness * (left.get("cart.x") - right.get("cart.x"))
        left.set(force=-tension)
        right.set(force=tension)
        for one in (left, right):
            one.step(i * size, size)
        t = (i + 1) * size
        # Both together with the frequency of one, and against each other.
        together, against = math.cos(5.0 * t), math.cos(math.sqrt((50.0 + 2 * stiffness) / 2.0) * t)
        error = max(error, abs(left.get("cart.x") - LENGTH - offset / 2 * (together + against)),
                    abs(right.get("cart.x") - LENGTH - offset / 2 * (together - against)))
    left.free()
    right.free()
    return error


def expect_coupling(fmu):
    sizes = (0.02, 0.01, 0.005)
    errors = [coupled_error(fmu, size) for size in sizes]
    orders = [math.log2(errors[i] / errors[i + 1]) for i in range(2)]
    print(f"coupled: errors {errors}, orders {orders}")
    # Forces that are held are of first order; measured: 1.4e-3 m at the end.
    expect(min(orders) > 0.8 and errors[-1] < 2e-3, f"orders {orders} of {errors}")


def expect_reset(fmu):
    one = Instance(fmu)
    first = simulated(one.start(mass=3.0, force=4.0), 1e-3, 100)
    one.Reset()
    expect(one.get("mass", "force", "time") == [2.0, 0.0, 0.0], "start values after a reset")
    second = simulated(one.start(mass=3.0, force=4.0), 1e-3, 100)
    expect(numpy.array_equal(first, second), "a reset run has other digits")
    # Another start time moves the clock of the importer alone.
    one.Reset()
    one.start(start=5.0, mass=3.0, force=4.0)
    expect(one.step(5.0, 1e-3) == 5.001 and one.get("cart.x") == first[1, 0] and one.get("time") == 5.001, "a start at 5 s")
    one.free()


def expect_states(fmu):
    """A state that is set back goes on with the same digits, in its instance and, serialised, in another one."""
    def go_on(instance):
        rows = []
        t = instance.get("time")
        for size, force in ((1e-3, 5.0), (2.5e-3, -5.0), (1e-2, 1.0)):
            instance.set(force=force, speed=0.1 * force)
            instance.step(t, size)
            t += size
            rows.append(instance.get("cart.x", "cart.vx", "base.force[1]", "time"))
        return rows

    one = Instance(fmu).start(force=3.0, speed=0.1, offset=0.05)
    simulated(one, 2e-3, 10)
    state = one.state()
    before = one.get("time", "force", "speed", "cart.x", "base.force[1]")
    expected = go_on(one)
    one.SetFMUState(state)
    expect(one.get("time", "force", "speed", "cart.x", "base.force[1]") == before, "all variables are set back")
    expect(go_on(one) == expected, "other digits after a state was set back")
    data = one.serialized(state)

    other = Instance(fmu)
    foreign = other.deserialized(data)
    other.SetFMUState(foreign)
    expect(other.get("offset") == 0.05, "parameters are part of the state")
    expect(go_on(other) == expected, "other digits in another instance")
    other.FreeFMUState(ctypes.byref(foreign))
    expect(foreign.value is None, "a freed state is gone")

    expect_refusal("there is no such FMU state", other.SetFMUState, state)
    expect_refusal("its checksum is wrong", other.deserialized, data[:-5] + bytes([data[-5] ^ 1]) + data[-4:])
    expect_refusal("its checksum is wrong", other.deserialized, data[:3])
    one.set(force=1.0)
    reused = one.state()
    address = reused.value
    one.GetFMUState(ctypes.byref(reused))
    expect(reused.value == address, "a state that is reused stays where it is")

    # States before the initialization, and after the end.
    fresh = Instance(fmu)
    fresh.set(mass=5.0)
    at_first = fresh.state()
    fresh.start()
    fresh.step(0.0, 1e-3)
    fresh.Terminate()
    fresh.SetFMUState(at_first)
    expect(fresh.get("mass", "time") == [5.0, 0.0], "the state before the start")
    fresh.start()
    fresh.step(0.0, 1e-3)
    for instance in (one, other, fresh):
        instance.free()


def expect_spoilt_states(fmu):
    """States with a right checksum that somebody has changed are refused or do something, but spoil nothing else."""
    one = Instance(fmu).start(force=3.0, offset=0.05)
    simulated(one, 5e-3, 5)
    state = one.state()
    before = one.get("cart.x", "cart.vx", "base.force[1]", "force", "time")
    data = one.serialized(state)[:-4]
    chance = random.Random(1)
    refused = 0
    for _ in range(150):
        spoilt = bytearray(data)
        place = chance.randrange(len(data))
        spoilt[place] = chance.choice((0, 1, 0x7f, 0xff, spoilt[place] ^ 1 << chance.randrange(8)))
        if chance.random() < 0.1:
            del spoilt[place:]
        foreign = one.deserialized(bytes(spoilt) + struct.pack("<I", zlib.crc32(spoilt)))
        try:
            one.SetFMUState(foreign)
            one.step(one.get("time"), 5e-3)
        except Refused:
            refused += 1
        one.FreeFMUState(ctypes.byref(foreign))
        one.SetFMUState(state)
        expect(one.get("cart.x", "cart.vx", "base.force[1]", "force", "time") == before, "the state before a spoilt one")
    expect(refused > 30, f"{refused} of 150 spoilt states were refused")
    one.free()


def expect_initialization(fmu):
    """In initialization mode outputs follow the values that are set."""
    one = Instance(fmu)
    one.EnterInitializationMode(ctypes.c_bool(False), ctypes.c_double(0), ctypes.c_double(0), ctypes.c_bool(False), ctypes.c_double(0))
    expect(one.get("cart.x") == LENGTH, "outputs before anything is set")
    one.set(offset=0.1)
    expect(abs(one.get("cart.x") - LENGTH - 0.1) < 1e-15, "outputs follow parameters")
    expect(one.get("picus.scheme", "picus.threads") == ["ds", 1], "own parameters")
    one.set(picus__threads=2)
    one.ExitInitializationMode()
    one.step(0.0, 0.1)
    two = Instance(fmu).start(offset=0.1)
    two.step(0.0, 0.1)
    expect(one.get("cart.x") == two.get("cart.x"), "threads change digits")
    one.free()
    two.free()


def expect_instances_side_by_side(fmu):
    """Several instances, in turns and from several threads, do what each does alone."""
    def alone(force):
        one = Instance(fmu).start(force=force)
        rows = simulated(one, 1e-3, 200)
        one.free()
        return rows
    forces = (1.0, -2.0, 3.0, 5.0)
    expected = [alone(force) for force in forces]
    found = [None] * len(forces)

    def work(i):
        found[i] = alone(forces[i])
    threads = [threading.Thread(target=work, args=(i,)) for i in range(len(forces))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expect(all(numpy.array_equal(one, other) for one, other in zip(expected, found)), "instances disturb each other")


def main():
    work = pathlib.Path(sys.argv[3])
    fmu = Fmu(sys.argv[1], work / "cart")
    expect_same_digits(fmu, sys.argv[2], work)
    expect_closed_form(fmu)
    expect_moving_base(fmu)
    expect_coupling(fmu)
    expect_reset(fmu)
    expect_states(fmu)
    expect_spoilt_states(fmu)
    expect_initialization(fmu)
    expect_instances_side_by_side(fmu)


if __name__ == "__main__":
    main()
