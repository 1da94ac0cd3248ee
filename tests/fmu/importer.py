"""A small importer of FMUs of FMI 3.0 for co-simulation, for the tests: reads the description, and calls the library as C
programs do. It shares nothing with the code under test."""

import ctypes
import os
import pathlib
import platform
import re
import shutil
import sys
import xml.etree.ElementTree
import zipfile

OK, WARNING, DISCARD, ERROR, FATAL = range(5)
LOG = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p)
TYPES = {"Float64": ctypes.c_double, "Int32": ctypes.c_int32, "Boolean": ctypes.c_bool, "String": ctypes.c_char_p}

# Of the schema of FMI 3.0: the elements in their order, and their attributes (those with ! are required).
CHILDREN = {
    "fmiModelDescription": ["ModelExchange", "CoSimulation", "ScheduledExecution", "UnitDefinitions", "TypeDefinitions", "LogCategories",
                            "DefaultExperiment", "ModelVariables", "ModelStructure", "Annotations"],
    "UnitDefinitions": ["Unit"], "Unit": ["BaseUnit", "DisplayUnit", "Annotations"], "LogCategories": ["Category"],
    "ModelStructure": ["Output", "ContinuousStateDerivative", "ClockedState", "InitialUnknown", "EventIndicator"],
    "ModelVariables": None, "String": ["Annotations", "Dimension", "Start", "Alias"]}
VARIABLE = "name! valueReference! description causality variability canHandleMultipleSetPerTimeInstant intermediateUpdate previous clocks declaredType initial "
ATTRIBUTES = {
    "fmiModelDescription": "fmiVersion! modelName! instantiationToken! description author version copyright license generationTool generationDateAndTime variableNamingConvention",
    "CoSimulation": "modelIdentifier! needsExecutionTool canBeInstantiatedOnlyOncePerProcess canGetAndSetFMUState canSerializeFMUState "
                    "providesDirectionalDerivatives providesAdjointDerivatives providesPerElementDependencies canHandleVariableCommunicationStepSize "
                    "fixedInternalStepSize maxOutputDerivativeOrder recommendedIntermediateInputSmoothness providesIntermediateUpdate "
                    "mightReturnEarlyFromDoStep canReturnEarlyAfterIntermediateUpdate hasEventMode providesEvaluateDiscreteStates",
    "UnitDefinitions": "", "Unit": "name!", "BaseUnit": "kg m s A K mol cd rad factor offset", "LogCategories": "",
    "Category": "name! description", "DefaultExperiment": "startTime stopTime tolerance stepSize", "ModelVariables": "", "ModelStructure": "",
    "Float64": VARIABLE + "quantity unit displayUnit relativeQuantity unbounded min max nominal start derivative reinit",
    "Int32": VARIABLE + "quantity min max start", "Boolean": VARIABLE + "start", "String": VARIABLE, "Start": "value",
    "Output": "valueReference! dependencies dependenciesKind", "InitialUnknown": "valueReference! dependencies dependenciesKind"}
# Causality, variability and initial that go together.
COMBINATIONS = {("independent", "continuous", None), ("parameter", "fixed", None), ("input", "continuous", None), ("output", "continuous", "calculated")}


def problems_of(root):
    """Whatever of a description is not as the standard has it, a sentence each."""
    def walk(element):
        known = ATTRIBUTES.get(element.tag)
        if known is None:
            yield f"unknown element {element.tag}"
            return
        required = [name[:-1] for name in known.split() if name.endswith("!")]
        yield from (f"{element.tag} lacks {name}" for name in required if name not in element.attrib)
        yield from (f"{element.tag} has {name}" for name in element.attrib if name not in known.replace("!", "").split())
        tags = [child.tag for child in element]
        order = CHILDREN.get(element.tag, [])
        if order is not None:
            yield from (f"{element.tag} has a {tag}" for tag in tags if tag not in order)
            places = [order.index(tag) for tag in tags if tag in order]
            if places != sorted(places):
                yield f"the elements of {element.tag} are out of order: {tags}"
        for child in element:
            yield from walk(child)

    yield from walk(root)
    if not re.fullmatch(r"3[.](0|[1-9][0-9]*)([.](0|[1-9][0-9]*))?(-.+)?", root.get("fmiVersion", "")):
        yield "fmiVersion"
    if not re.fullmatch(r"[A-Za-z_]\w*", root.find("CoSimulation").get("modelIdentifier")):
        yield "modelIdentifier is no identifier of C"
    variables = list(root.find("ModelVariables"))
    for key in ("name", "valueReference"):
        values = [variable.get(key) for variable in variables]
        yield from (f"{key} {value} is there twice" for value in set(values) if values.count(value) > 1)
    units = [unit.get("name") for unit in root.iter("Unit")]
    yield from (f"unit {unit} is there twice" for unit in set(units) if units.count(unit) > 1)
    for variable in variables:
        name, causality = variable.get("name"), variable.get("causality")
        if (causality, variable.get("variability"), variable.get("initial")) not in COMBINATIONS:
            yield f"{name} is an impossible {causality}"
        start = variable.get("start") if variable.tag != "String" else variable.find("Start") is not None
        if (causality in ("parameter", "input")) != (start not in (None, False)):
            yield f"start value of {name}"
        if variable.tag != "Float64" and variable.get("variability") == "continuous":
            yield f"{name} is not continuous"
        if variable.get("unit") is not None and variable.get("unit") not in units:
            yield f"the unit of {name} is not defined"
        if any(c in name for c in "\r\n\t"):
            yield f"the name {name!r}"
    if sum(variable.get("causality") == "independent" for variable in variables) != 1:
        yield "there is not one independent variable"
    outputs = [variable.get("valueReference") for variable in variables if variable.get("causality") == "output"]
    for kind in ("Output", "InitialUnknown"):
        if [unknown.get("valueReference") for unknown in root.iter(kind)] != outputs:
            yield f"ModelStructure/{kind} does not list the outputs"


class Refused(Exception):
    """A call that ended with another status than fmi3OK; the text is that of the log."""


class Fmu:
    """An FMU, unpacked in a folder."""

    def __init__(self, path, folder):
        self.folder = pathlib.Path(folder).resolve()
        shutil.rmtree(self.folder, ignore_errors=True)
        with zipfile.ZipFile(path) as archive:
            assert archive.testzip() is None, "the archive is damaged"
            self.files = archive.namelist()
            archive.extractall(self.folder)
        self.root = xml.etree.ElementTree.parse(self.folder / "modelDescription.xml").getroot()
        self.token = self.root.get("instantiationToken")
        self.variables = {variable.get("name"): variable for variable in self.root.find("ModelVariables")}
        self.identifier = self.root.find("CoSimulation").get("modelIdentifier")
        self.binary = self.folder / "binaries" / f"{platform.machine()}-linux" / f"{self.identifier}.so"
        self.library = ctypes.CDLL(os.fspath(self.binary), mode=os.RTLD_NOW | os.RTLD_LOCAL)
        self.library.fmi3GetVersion.restype = ctypes.c_char_p
        self.library.fmi3FreeInstance.restype = None

    def names(self, causality):
        return [name for name, variable in self.variables.items() if variable.get("causality") == causality]


class Instance:
    """An instance; attributes that begin with a capital letter are functions of FMI, which raise Refused."""

    def __init__(self, fmu, token=None, resources=True, logging=False, event_mode=False, intermediates=0, kind="CoSimulation"):
        self.fmu, self.log = fmu, []
        self.callback = LOG(lambda environment, status, category, text: self.log.append((status, category.decode(), text.decode())))
        create = getattr(fmu.library, f"fmi3Instantiate{kind}")
        create.restype = ctypes.c_void_p
        path = os.fsencode(fmu.folder / "resources") + b"/" if resources is True else resources
        words = [b"one", (token or fmu.token).encode(), path, ctypes.c_bool(False), ctypes.c_bool(logging)]
        if kind == "CoSimulation":
            words += [ctypes.c_bool(event_mode), ctypes.c_bool(True), None, ctypes.c_size_t(intermediates), None, self.callback, None]
        else:
            words += [None, self.callback] + [None] * 3
        self.handle = create(*words)
        if not self.handle:
            raise Refused(self.log[-1][2])
        self.handle = ctypes.c_void_p(self.handle)

    def __getattr__(self, name):
        if not name[0].isupper():
            raise AttributeError(name)
        function = getattr(self.fmu.library, "fmi3" + name)

        def call(*words):
            before = len(self.log)
            status = function(self.handle, *words)
            if status != OK:
                raise Refused(" ".join(text for _, _, text in self.log[before:]) or f"status {status}")
        return call

    def free(self):
        self.fmu.library.fmi3FreeInstance(self.handle)
        self.handle = None

    def reference(self, name):
        return int(self.fmu.variables[name].get("valueReference"))

    def set(self, **values):
        for name, value in values.items():
            name = name.replace("__", ".")
            variable = self.fmu.variables[name]
            kind = TYPES[variable.tag]
            value = value.encode() if isinstance(value, str) else value
            getattr(self, f"Set{variable.tag}")((ctypes.c_uint32 * 1)(self.reference(name)), ctypes.c_size_t(1), (kind * 1)(value), ctypes.c_size_t(1))

    def get(self, *names):
        result = []
        for name in names:
            variable = self.fmu.variables[name]
            value = (TYPES[variable.tag] * 1)()
            getattr(self, f"Get{variable.tag}")((ctypes.c_uint32 * 1)(self.reference(name)), ctypes.c_size_t(1), value, ctypes.c_size_t(1))
            result.append(value[0].decode() if isinstance(value[0], bytes) else value[0])
        return result[0] if len(result) == 1 else result

    def start(self, start=0.0, stop=None, **values):
        self.set(**values)
        self.EnterInitializationMode(ctypes.c_bool(False), ctypes.c_double(0), ctypes.c_double(start), ctypes.c_bool(stop is not None),
                                     ctypes.c_double(stop or 0.0))
        self.ExitInitializationMode()
        return self

    def step(self, point, size):
        flags = [ctypes.c_bool(True) for _ in range(3)]
        last = ctypes.c_double()
        self.DoStep(ctypes.c_double(point), ctypes.c_double(size), ctypes.c_bool(False), *map(ctypes.byref, flags), ctypes.byref(last))
        assert not any(flag.value for flag in flags), "an event, an end or an early return, of which there are none"
        return last.value

    def state(self):
        state = ctypes.c_void_p()
        self.GetFMUState(ctypes.byref(state))
        return state

    def serialized(self, state):
        size = ctypes.c_size_t()
        self.SerializedFMUStateSize(state, ctypes.byref(size))
        room = (ctypes.c_uint8 * size.value)()
        self.SerializeFMUState(state, room, size)
        return bytes(room)

    def deserialized(self, data):
        state = ctypes.c_void_p()
        self.DeserializeFMUState((ctypes.c_uint8 * len(data)).from_buffer_copy(data), ctypes.c_size_t(len(data)), ctypes.byref(state))
        return state


def expect(condition, what):
    """Ends the test where the condition does not hold."""
    if not condition:
        sys.exit(f"{pathlib.Path(sys.argv[0]).stem}: {what}")


def expect_refusal(words, call, *arguments, **named):
    """The call has to end with an error whose message has these words."""
    try:
        call(*arguments, **named)
    except Refused as refusal:
        expect(words in str(refusal), f"not \"{words}\", but: {refusal}")
        return
    sys.exit(f"{pathlib.Path(sys.argv[0]).stem}: no error that says \"{words}\"")
