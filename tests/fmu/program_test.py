#!/usr/bin/python3
"""`picus fmu`: FMUs of ready-made models and of libraries of one's own, with contacts that are found as bodies move, and what it refuses.

Usage: program_test.py PICUS LIBRARY WORK
"""

import pathlib
import sys

import h5py
import numpy

from importer import Fmu, Instance, expect, problems_of

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "package"))
from own_program import OwnProgram  # noqa: E402


class Program(OwnProgram):
    def fmu(self, name, *words):
        self(*["fmu", name, "--quiet", *words])
        fmu = Fmu(self.work / f"{name.replace('-', '_')}.fmu", self.work / name)
        problems = list(problems_of(fmu.root))
        expect(not problems, f"{name}: {problems}")
        return fmu


def expect_pushed_mechanism(picus):
    """A load on a node as an input: without it the digits of `picus run`, with it work on the mechanism."""
    printed = picus("fmu", "four-bar-chain", "--input", "push=coupler[0].fx", "--output", "coupler[0].x", "--output", "coupler[0].vx", "--output", "energy",
                    "--set", "windows=1", "--out", "printed.fmu").stdout
    expect(printed == "inputs: push\noutputs: coupler[0].x coupler[0].vx energy\nwritten: printed.fmu\n", printed)
    fmu = picus.fmu("four-bar-chain", "--input", "push=coupler[0].fx", "--output", "coupler[0].x", "--output", "coupler[0].vx", "--output", "energy", "--set", "windows=1")
    expect((picus.work / "printed.fmu").read_bytes() == (picus.work / "four_bar_chain.fmu").read_bytes(), "the same words make other bytes")
    expect(fmu.variables["windows"].get("start") == "1" and fmu.variables["push"].get("unit") == "N", "start value of --set, unit of a load")
    picus("run", "four-bar-chain", "--set", "windows=1", "--until", "0.1", "--quiet", "--out", "chain.h5")
    with h5py.File(picus.work / "chain.h5") as file:
        exact, times = file["nodes/coupler/position"][:, 0, 0], file["time"][:]
    h = times[1]
    one = Instance(fmu).start()
    found = [one.get("coupler[0].x")]
    for i in range(len(exact) - 1):
        one.step(i * h, h)
        found.append(one.get("coupler[0].x"))
    expect(numpy.array_equal(found, exact), "other digits than picus run")

    # The work of a constant force is what the energy gains.
    other = Instance(fmu).start(push=20.0)
    before, x = other.get("energy", "coupler[0].x")
    for i in range(len(exact) - 1):
        other.step(i * h, h)
    after, end = other.get("energy", "coupler[0].x")
    work = 20.0 * (end - x)
    print(f"work {work} J, energy {after - before} J")
    expect(abs(work) > 0.1 and abs(after - before - work) < 1e-4 * abs(work), f"work {work} J, energy {after - before} J")
    one.free()
    other.free()


def expect_found_contacts(picus):
    """Boxes that fall: states hold contacts that were found, and go on with the same digits."""
    outputs = [word for name in ("box[2].z", "floor", "contacts") for word in ("--output", name)]
    fmu = picus.fmu("box-tower", "--set", "count=3", *outputs, "--input", "box[2].fx", "--step", "0.005")
    one = Instance(fmu).start()

    def go_on(instance, begin, count):
        rows = []
        for i in range(begin, begin + count):
            instance.set(**{"box[2].fx": 2000.0 * (i % 5)})
            instance.step(i * 0.01, 0.01)
            rows.append(instance.get("box[2].z", "floor", "contacts"))
        return rows
    go_on(one, 0, 5)
    state = one.state()
    expected = go_on(one, 5, 20)
    expect(max(row[2] for row in expected) >= 8, f"contacts: {[row[2] for row in expected]}")
    one.SetFMUState(state)
    expect(go_on(one, 5, 20) == expected, "other digits after a state was set back")
    other = Instance(fmu)
    other.SetFMUState(other.deserialized(one.serialized(state)))
    expect(go_on(other, 5, 20) == expected, "other digits in another instance")
    one.free()
    other.free()


def expect_impacts(picus):
    """A ball bounces within steps of any size: no event reaches the importer, and its flight is that of theory."""
    fmu = picus.fmu("bouncing-ball", "--output", "ball.y", "--output", "ball.vy")
    height, restitution = (float(fmu.variables[name].get("start")) for name in ("height", "restitution"))
    one = Instance(fmu).start()
    gravity = one.get("gravity")
    first = (2 * height / gravity) ** 0.5
    t, speeds = 0.0, []
    while t < 1.9 * first:
        one.step(t, 7.3e-3)
        t = one.get("time")
        speeds.append(one.get("ball.vy"))
    bounced = max(speeds)
    print(f"rebound {bounced} m/s, in theory {restitution * gravity * first} m/s")
    # It is read up to a communication step after the impact.
    expect(0 <= restitution * gravity * first - bounced <= gravity * 7.3e-3, f"rebound {bounced}")
    one.free()


def expect_several_fmus(picus):
    """Two FMUs of one library in one process do not know each other."""
    ball, chain = (Fmu(picus.work / name, picus.work / f"again-{name}") for name in ("bouncing_ball.fmu", "four_bar_chain.fmu"))
    one, other = Instance(ball).start(), Instance(chain).start()
    one.step(0.0, 0.01)
    other.step(0.0, 0.01)
    expect(one.get("ball.y") < float(ball.variables["height"].get("start")) and other.get("energy") != 0, "two FMUs")
    one.free()
    other.free()


def expect_own_library(picus, library):
    picus("fmu", "--library", library, "--set", "mass=3", "--output", "cart.*", "--input", "more=cart.fx", "--scheme", "moreau-jean", "--quiet")
    fmu = Fmu(picus.work / "cart.fmu", picus.work / "cart")
    expect(fmu.names("input") == ["force", "speed", "more"] and fmu.names("output") == ["cart.x", "cart.vx"], "inputs and outputs of a library of one's own")
    one, other = (Instance(fmu).start(force=2.0 * i, more=2.0 - 2.0 * i) for i in (0, 1))
    for instance in (one, other):
        instance.step(0.0, 0.1)
    expect(one.get("mass", "picus.scheme") == [3.0, "moreau-jean"] and one.get("cart.x") == other.get("cart.x"), "both inputs push alike")
    one.free()
    other.free()


def main():
    picus = Program(sys.argv[1], sys.argv[3])
    library = pathlib.Path(sys.argv[2]).resolve()
    expect_pushed_mechanism(picus)
    expect_found_contacts(picus)
    expect_impacts(picus)
    expect_several_fmus(picus)
    expect_own_library(picus, library)

    expect("fmu" in picus("--help").stdout and "NAME=NODE.COMPONENT" in picus("fmu", "--help").stdout, "help")
    for words, status, message in (
        (["fmu"], 2, "picus fmu needs the name of a model; `picus list` names them"),
        (["fmu", "woodpeker"], 2, 'there is no model "woodpeker" (did you mean "woodpecker"?)'),
        (["fmu", "bouncing-ball", "--set", "hight=1"], 2, 'model "bouncing-ball": there is no parameter "hight" (did you mean "height"?)'),
        (["fmu", "bouncing-ball", "--output", "bal.y"], 2, 'no output is called "bal.y" (did you mean "ball.y"?)'),
        (["fmu", "bouncing-ball", "--input", "push"], 2, 'input "push" must be NAME=NODE.COMPONENT, such as push=cart.fx'),
        (["fmu", "bouncing-ball", "--input", "ball.mx"], 2, 'node "ball" has no load component mx: frames have fx to mz, points fx to fz, scalar nodes f'),
        (["fmu", "bouncing-ball", "--input", "height=ball.fy"], 2, 'two variables of the FMU are called "height"'),
        (["fmu", "bouncing-ball", "--step", "0"], 2, "picus.step is 0, must be positive"),
        (["fmu", "bouncing-ball", "--scheme", "dx"], 2, 'there is no scheme "dx"'),
        (["fmu", "bouncing-ball"], 1, 'file "bouncing_ball.fmu" exists; --force replaces it'),
        (["fmu", "--library", "nowhere.so"], 1, 'cannot read "nowhere.so"'),
        (["fmu", "--library", picus.work / "bouncing_ball.fmu"], 1, "cannot load"),
        (["fmu", "bouncing-ball", "--out", "no/ball.fmu"], 1, "cannot write"),
    ):
        errors = picus(*words, status=status).stderr
        expect(errors.startswith(f"picus: {message}") and errors.count("\n") == 1, f"{words}: {errors}")
    expect(not list(picus.work.glob("*.part*")), "left-over files")


if __name__ == "__main__":
    main()
