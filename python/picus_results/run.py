"""A result file as a run with quantities."""

import difflib
from dataclasses import dataclass, field

import numpy as np

from .contact_sets import COUNTS, FOLDER, ContactSet
from .drawing import Drawing
from .file import FormatError, ResultFile, printable
from .names import count_members, matches, split_member

NEWEST_FORMAT = 4

#: Names of the components of the last axis, by the last part of the quantity's name and the number of components.
COMPONENTS = {
    ("position", 3): ("x", "y", "z"),
    ("rotation", 4): ("w", "x", "y", "z"),
    ("velocity", 3): ("x", "y", "z"),
    ("velocity", 6): ("x", "y", "z", "rx", "ry", "rz"),
    ("acceleration", 3): ("x", "y", "z"),
    ("acceleration", 6): ("x", "y", "z", "rx", "ry", "rz"),
    ("impulse", 1): ("normal",),
    ("impulse", 2): ("normal", "tangential"),
    ("impulse", 3): ("normal", "tangential_1", "tangential_2"),
    ("slip", 1): ("tangential",),
    ("slip", 2): ("tangential_1", "tangential_2"),
    ("angular_velocity", 3): ("x", "y", "z"),
    ("force", 3): ("x", "y", "z"),
    ("moment", 3): ("x", "y", "z"),
}


@dataclass(frozen=True)
class ProfileEntry:
    """A part of the time of a run. Parts exclude each other: their sum is the whole."""

    subproblem: str  #: as the scheme calls it; "" outside of sub-problems
    part: str  #: "evaluation", "factorisation", ..., "rest"
    count: int  #: how often it began; of the rest of a sub-problem its solves
    seconds: float


@dataclass(frozen=True)
class Component:
    """One number over time."""

    name: str  #: "nodes/sleeve/position.x", "nodes/beam[3]/position.x", "contacts/beak/gap"
    unit: str
    description: str
    values: np.ndarray  #: (N,)
    time: np.ndarray = field(repr=False)  #: (N,), s: instants of the records, or of the samples of a sensor


@dataclass(frozen=True)
class Quantity:
    """What the file records under one name."""

    name: str  #: "nodes/sleeve/position"; "nodes/beam/position" for all members of a mesh
    unit: str  #: of all components, or one for each of the last axis, separated by commas
    description: str
    values: np.ndarray = field(repr=False)  #: (N, ...); members of a mesh on the second axis
    time: np.ndarray = field(repr=False)  #: (N,), s: instants of the records, or of the samples of a sensor
    members: int = 0  #: of the mesh; 0: not of a mesh

    def components(self):
        """Every single number over time."""
        parts = [part.strip() for part in self.unit.split(",")]
        result = []
        for index in np.ndindex(self.values.shape[1:]):
            rest = index[1:] if self.members else index
            shape = self.values.shape[2:] if self.members else self.values.shape[1:]
            unit = parts[rest[-1]] if rest and len(parts) == shape[-1] and len(parts) > 1 else self.unit
            result.append(Component(self._component_name(index, rest, shape), unit, self.description,
                                    self.values[(slice(None), *index)], self.time))
        return result

    def _component_name(self, index, rest, shape):
        group, _, leaf = self.name.rpartition("/")
        owner = f"{group}[{index[0]}]" if self.members else group
        name = f"{owner}/{leaf}" if owner else leaf
        if not rest:
            return name
        labels = COMPONENTS.get((leaf, shape[0])) if len(shape) == 1 else None
        if group.startswith("constraints/") and leaf == "impulse":
            labels = None  # equations, not directions
        if self.name in ("solver/residuals", "solver/line_searches", "solver/fallbacks"):
            own = self.description.partition(":")[0].replace(", ", ",").replace(" ", "_").split(",")  # each scheme has its own
            labels = own if len(own) == shape[0] else None
        return f"{name}.{labels[rest[0]]}" if labels else f"{name}.{'.'.join(str(i) for i in rest)}"


class Run:
    """A result file that is open for reading; also while the run that writes it goes on."""

    def __init__(self, path):
        self._file = ResultFile(path)
        self.path = self._file.path
        try:
            self._check()
            self._records = self._length("time")  # others may be longer: a record is complete with its time
            self._members = {group: count_members(names) for group, names in
                             (("nodes", [name for name, _ in self.nodes]), ("contacts", self._elements()),
                              ("constraints", self._elements()), ("elements", self._elements()))}
            self._names = self._list()
        except Exception:
            self._file.close()
            raise
        self._sensor_times = {}

    def _check(self):
        version = self._file.attribute("", "format_version")
        if version is None or "time" not in self._file:
            raise FormatError(f"{self.path} is no result of Picus: it has no format_version or no /time")
        if not isinstance(version, int):
            raise FormatError(f"{self.path} has the format version {printable(version)}, which is no number")
        if version > NEWEST_FORMAT:
            raise FormatError(f"{self.path} has the format version {version}, written by Picus "
                              f"{printable(self._file.text('', 'picus_version', 'unknown'))}; this module reads up to "
                              f"version {NEWEST_FORMAT}: use the module of that version")

    def _length(self, name):
        shape = self._file.shape(name)
        if len(shape) != 1:
            self._file.fail(f"its data set /{name} is no list of instants")
        return shape[0]

    def _elements(self):
        return self._file.column("model/elements", "name")

    def _list(self):
        def has_a_row_for_each_time(name):
            leaf = name.rpartition("/")[2]
            return leaf != "time" and (not name.startswith(FOLDER) or leaf in COUNTS)
        return [name for name in self._file.data_sets()
                if not name.startswith(("model/", "visualization/", "VTKHDF/")) and has_a_row_for_each_time(name)
                and self._file.is_quantity(name)]

    def close(self):
        self._file.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __repr__(self):
        last = self.time[-1] if self._records else 0
        return f"<{printable(self.title)}: {self._records} records to {self.time_text(last)}, {printable(self.outcome)}>"

    def time_text(self, instant):
        """"t = 0.25 s", "load factor 0.25" or "f = 0.25 Hz"."""
        letter = {"1": "load factor", "Hz": "f ="}.get(self.time_unit, "t =")
        unit = "" if self.time_unit == "1" else f" {printable(self.time_unit)}"
        return f"{letter} {instant:g}{unit}"

    @property
    def title(self):
        return self._file.text("", "title")

    @property
    def outcome(self):
        """"complete", what stopped the run, or "unknown" for one that was killed or still runs."""
        return self._file.text("", "outcome", "unknown")

    @property
    def attributes(self):
        """What was run and how: command line, step, versions and so on; numbers, texts and arrays of them."""
        return self._file.attributes("")

    @property
    def parameters(self):
        """Parameters of the model, as texts."""
        return self._texts("model/parameters")

    @property
    def findings(self):
        """What the model has measured of a complete run: numbers by name; `findings_units` has their units, as texts."""
        return {name: value for name, value in self._file.attributes("findings").items() if not isinstance(value, str)}

    @property
    def findings_units(self):
        return self._texts("findings/unit")

    @property
    def integrator(self):
        """Options of the integrator, as texts."""
        return self._texts("integrator")

    def _texts(self, group):
        return {name: str(value) for name, value in self._file.attributes(group).items()}

    @property
    def nodes(self):
        """Pairs (name, kind), kind "frame", "point" or "scalar"."""
        return list(zip(*(self._file.column("model/nodes", title) for title in ("name", "kind"))))

    @property
    def elements(self):
        """Triples (name, roles, nodes) of texts."""
        return list(zip(*(self._file.column("model/elements", title) for title in ("name", "roles", "nodes"))))

    @property
    def time(self):
        """Instants of the records, s. Sensors have their own: those of a quantity are its `time`."""
        return self._file.numbers("time", 0, self._records)

    @property
    def time_unit(self):
        """"s"; "1" of equilibria, where load factors stand in place of the time; "Hz" of modes of vibration, where frequencies do."""
        is_old_static = self.attributes["format_version"] < 3 and self.attributes.get("integrator") == "static"
        return "1" if is_old_static else self._file.text("time", "unit", "s")

    @property
    def time_name(self):
        """"time", "load factor" or "frequency": what is in the place of the time."""
        return {"1": "load factor", "Hz": "frequency"}.get(self.time_unit, "time")

    @property
    def sensors(self):
        """Names of the sensors; their quantities are "sensors/NAME/QUANTITY"."""
        return self._file.below("sensors")

    @property
    def profile(self):
        """Where the time of a run with --profile went (ProfileEntry); else empty."""
        if "profile/seconds" not in self._file:
            return []
        texts = [self._file.column("profile/parts", title) for title in ("subproblem", "part")]
        numbers = [self._file.numbers(f"profile/{name}") for name in ("count", "seconds")]
        if len({len(column) for column in texts + numbers}) != 1:
            self._file.fail("the columns of its /profile have different lengths")
        return [ProfileEntry(subproblem, part, int(count), float(seconds))
                for subproblem, part, count, seconds in zip(*texts, *numbers)]

    @property
    def contact_sets(self):
        """By name, the contacts that were found as bodies moved (ContactSet)."""
        return {name: ContactSet(self._file, name, self.time) for name in self._file.below(FOLDER.rstrip("/"))}

    @property
    def drawing(self):
        """What pictures of the motion are made of (Drawing), or None in a file without it."""
        has_points = "VTKHDF/Points" in self._file or "visualization/points" in self._file
        return Drawing(self._file, self._records) if has_points else None

    def names(self, pattern="*"):
        """Names of the quantities that fit."""
        return [name for name in self._names if matches(pattern, name)]

    def find(self, *patterns):
        """Quantities that fit any of the patterns, in the order of the file, then members of meshes that are named.

        KeyError for a pattern that fits none.
        """
        wanted, members = set(), []
        for pattern in patterns or ("*",):
            found = self.names(pattern)
            if not found and pattern not in self:
                raise KeyError(self._unknown(pattern))
            if not found:
                members.append(pattern)
            wanted.update(found)
        return [self[name] for name in self._names if name in wanted] + [self[name] for name in members]

    def __contains__(self, name):
        return self._locate(name) is not None

    def __getitem__(self, name):
        """The quantity "nodes/sleeve/position", or "nodes/beam[3]/position" of one member of a mesh."""
        place = self._locate(name)
        if place is None:
            raise KeyError(self._unknown(name))
        stored, member = place
        unit, description = (self._file.text(stored, key) for key in ("unit", "description"))
        time = self._time_of(stored)
        members = self._member_count(stored)
        shape = self._file.shape(stored)
        if shape[0] < len(time):
            self._file.fail(f"its data set /{stored} has fewer rows than there are times")
        if members and (len(shape) < 2 or shape[1] != members):
            self._file.fail(f"its data set /{stored} has not the {members} members of its mesh")
        values = self._file.numbers(stored, 0, len(time), member)
        return Quantity(name, unit, description, values, time, 0 if member is not None else members)

    def _time_of(self, name):
        """Of a sensor its own; it is complete with it, as records are with theirs."""
        if not name.startswith("sensors/"):
            return self.time
        axis = name.rpartition("/")[0] + "/time"
        if axis not in self._sensor_times:
            self._sensor_times[axis] = self._file.numbers(axis, 0, self._length(axis))
        return self._sensor_times[axis]

    def _member_count(self, name):
        group, _, rest = name.partition("/")
        owner = rest.rpartition("/")[0]
        return self._members.get(group, {}).get(owner, 0)

    def _locate(self, name):
        """(data set, member or None), or None for a name that is not there."""
        if name in self._names:
            return name, None
        group, _, rest = name.partition("/")
        owner, _, leaf = rest.rpartition("/")
        base, number = split_member(owner)
        stored = f"{group}/{base}/{leaf}"
        if number is not None and stored in self._names and number < self._member_count(stored):
            return stored, number
        return None

    def _unknown(self, name):
        near = difflib.get_close_matches(name, self._names, n=1, cutoff=0.5)
        return f"{self.path} has no quantity {name}" + (f"; did you mean {printable(near[0])}?" if near else "")

    def to_pandas(self, *patterns):
        """A DataFrame over time with a column for every component of the quantities that fit.

        Where they have several time axes (records, sensors) there is a row for each instant of any, with NaN in the columns
        that have no value then.
        """
        try:
            import pandas
        except ImportError as error:
            raise ImportError("to_pandas needs the Python module pandas; on Debian: apt-get install python3-pandas") from error
        tables = []
        for quantity in self.find(*patterns):
            index = pandas.Index(quantity.time, name="time")
            tables.append(pandas.DataFrame({part.name: part.values for part in quantity.components()}, index=index))
        return pandas.concat(tables, axis=1).sort_index().rename_axis("time")
