#!/usr/bin/python3
"""The description and the files of an FMU of one's own, examples/own_fmu, are as FMI 3.0 has them; what it cannot do it refuses.

Usage: description_test.py FMU PROGRAM WORK
"""

import copy
import ctypes
import pathlib
import subprocess
import sys

from importer import Fmu, Instance, expect, expect_refusal, problems_of


def expect_description(fmu):
    problems = list(problems_of(fmu.root))
    expect(not problems, "; ".join(problems))
    # The check finds what it looks for.
    for spoil in (lambda root: root.find("ModelVariables").append(root.find("ModelVariables")[0]),
                  lambda root: root.remove(root.find("CoSimulation")) or root.append(fmu.root.find("CoSimulation")),
                  lambda root: root.find("ModelVariables")[1].attrib.pop("start"),
                  lambda root: root.find("ModelVariables")[1].set("unit", "furlong"),
                  lambda root: root.find("ModelStructure").remove(root.find("ModelStructure")[0]),
                  lambda root: root.set("fmiVersion", "2.0")):
        root = copy.deepcopy(fmu.root)
        spoil(root)
        expect(list(problems_of(root)), "a spoilt description passes")

    expect(fmu.root.get("modelName") == "cart" and fmu.root.find("DefaultExperiment").attrib
           == {"startTime": "0", "stopTime": "2", "stepSize": "0.001"}, fmu.root.attrib)
    expect(fmu.names("input") == ["force", "speed"], fmu.names("input"))
    expect(fmu.names("parameter") == ["mass", "stiffness", "damping", "offset", "picus.scheme", "picus.step", "picus.threads"], fmu.names("parameter"))
    expect(fmu.names("output")[:4] == ["cart.x", "cart.vx", "base.force[1]", "base.force[2]"], fmu.names("output"))
    expect(fmu.variables["force"].get("unit") == "N" and fmu.variables["force"].get("description") == "pushes the cart", "force")
    expect(fmu.variables["offset"].get("min") == "-0.2" and fmu.variables["offset"].get("max") == "0.2", "offset")
    newton = next(unit for unit in fmu.root.iter("Unit") if unit.get("name") == "N").find("BaseUnit")
    expect(newton.attrib == {"kg": "1", "m": "1", "s": "-2"}, newton.attrib)
    capabilities = fmu.root.find("CoSimulation").attrib
    expect({name for name, value in capabilities.items() if value == "true"}
           == {"canHandleVariableCommunicationStepSize", "canGetAndSetFMUState", "canSerializeFMUState"}, capabilities)


def expect_library(fmu):
    expect(sorted(fmu.files)[1:] == ["modelDescription.xml", "resources/picus.txt"] and len(fmu.files) == 3, fmu.files)
    symbols = subprocess.run(["nm", "-D", "--defined-only", fmu.binary], capture_output=True, text=True, check=True).stdout.split()[2::3]
    others = [name for name in symbols if not name.startswith("fmi3") and name != "picus_fmu_describe"]
    expect(not others, f"the library exports {others[:5]}")
    # Every function of the standard's co-simulation, model exchange and scheduled execution.
    expect(len(symbols) == 76, f"{len(symbols)} functions: {sorted(symbols)}")
    expect(fmu.library.fmi3GetVersion() == b"3.0", "version")


def expect_refusals(fmu):
    expect_refusal("the instantiation token is {0}, that of the FMU {", Instance, fmu, token="{0}")
    expect_refusal("the path of the resources is missing", Instance, fmu, resources=None)
    expect_refusal('resource "/nowhere/picus.txt" of the FMU cannot be read', Instance, fmu, resources=b"/nowhere/")
    expect_refusal("the FMU has no event mode", Instance, fmu, event_mode=True)
    expect_refusal("the FMU has no intermediate variables", Instance, fmu, intermediates=1)
    expect_refusal("the FMU is one for co-simulation", Instance, fmu, kind="ModelExchange")
    for name in ("fmi3DoStep", "fmi3Reset", "fmi3EnterEventMode"):
        expect(getattr(fmu.library, name)(None) == 3, f"{name} of no instance")

    one = Instance(fmu)
    number, size = (ctypes.c_double * 1)(), ctypes.c_size_t(1)

    def refer(reference):
        return (ctypes.c_uint32 * 1)(reference)
    expect_refusal('output "cart.x" has no value before the initialization', one.get, "cart.x")
    expect_refusal("there is no value reference 999", one.GetFloat64, refer(999), size, number, size)
    expect_refusal("2 values for 1 variables", one.GetFloat64, refer(1), size, (ctypes.c_double * 2)(), ctypes.c_size_t(2))
    expect_refusal("an array of the importer is missing", one.GetFloat64, None, size, number, size)
    expect_refusal('variable "mass" is of type Float64, not Int32', one.GetInt32, refer(one.reference("mass")), size, (ctypes.c_int32 * 1)(), size)
    expect_refusal("fmi3GetFloat32 is not among the capabilities", one.GetFloat32, refer(1), size, (ctypes.c_float * 1)(), size)
    one.GetFloat32(None, ctypes.c_size_t(0), None, ctypes.c_size_t(0))
    expect_refusal('variable "cart.x" cannot be set', one.set, **{"cart.x": 1.0})
    expect_refusal('variable "time" cannot be set', one.set, time=1.0)
    expect_refusal('variable "force" is set to nan', one.set, force=float("nan"))
    expect_refusal("fmi3ExitInitializationMode is not possible before the initialization", one.ExitInitializationMode)
    expect_refusal("fmi3DoStep is not possible before the initialization", one.step, 0.0, 1e-3)
    expect_refusal('there is no log category "all"', one.SetDebugLogging, ctypes.c_bool(True), size, (ctypes.c_char_p * 1)(b"all"))
    expect_refusal("a simulation from 2 s to 1 s cannot be started", one.start, start=2.0, stop=1.0)
    for name in ("EnterEventMode", "EnterStepMode", "GetContinuousStates", "GetDirectionalDerivative", "UpdateDiscreteStates", "ActivateModelPartition"):
        expect_refusal(f"fmi3{name} is not among the capabilities of this FMU", getattr(one, name), *[None] * 8)

    expect_refusal("parameter mass is -1, must be positive", one.start, mass=-1.0)
    expect_refusal("fmi3DoStep is not possible after a failure", one.step, 0.0, 1e-3)
    expect_refusal('output "cart.x" has no value after a failure', one.get, "cart.x")
    one.Reset()
    expect_refusal('there is no scheme "dx"', one.start, picus__scheme="dx")
    one.Reset()
    expect_refusal("picus.step is 0, must be positive", one.start, picus__step=0.0)
    one.Reset()
    one.start(stop=0.01)
    expect_refusal('parameter "mass" cannot be set in step mode', one.set, mass=1.0)
    expect_refusal("the communication point is 0.5 s, the FMU at 0 s", one.step, 0.5, 1e-3)
    expect_refusal("a communication step of 0 s cannot be made", one.step, 0.0, 0.0)
    expect_refusal("a communication step of nan s cannot be made", one.step, 0.0, float("nan"))
    expect_refusal("a step to 0.02 s goes beyond the stop time 0.01 s", one.step, 0.0, 0.02)
    expect(one.step(0.0, 0.01) == 0.01, "a step after those refused")
    one.Terminate()
    expect_refusal("fmi3DoStep is not possible after the end", one.step, 0.01, 1e-3)
    expect_refusal('input "force" cannot be set after the end', one.set, force=1.0)
    expect(one.get("time") == 0.01 and abs(one.get("cart.x") - 0.5) < 1e-12, "outputs after the end")
    expect(all(status == 3 and category == "logStatusError" for status, category, _ in one.log), "the log")
    one.free()

    # Energy without bounds: a step that fails is an error with Picus' own words, and the instance can be reset.
    other = Instance(fmu).start(stiffness=1e300, offset=0.2)
    expect_refusal("t = ", lambda: [other.step(i * 1e-3, 1e-3) for i in range(1000)])
    expect_refusal("fmi3DoStep is not possible after a failure", other.step, 0.0, 1e-3)
    other.Reset()
    other.start()
    other.step(0.0, 1e-3)
    other.free()


def expect_warnings(fmu):
    """What `picus run` would say at its end is logged at the end, by importers that log."""
    for logging in (False, True):
        one = Instance(fmu, logging=logging).start(stiffness=1e8, damping=0.0, offset=0.1)
        for i in range(200):
            one.step(i * 1e-3, 1e-3)
        one.Terminate()
        expect(bool(one.log) == logging, one.log)
        expect(all(status == 1 and category == "logStatusWarning" for status, category, _ in one.log), one.log)
        one.free()


def main():
    fmu = Fmu(sys.argv[1], pathlib.Path(sys.argv[3]) / "cart")
    expect_description(fmu)
    expect_library(fmu)
    expect_refusals(fmu)
    expect_warnings(fmu)


if __name__ == "__main__":
    main()
