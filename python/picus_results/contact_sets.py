"""Contacts that were found as bodies moved: their number changes from record to record."""

import numpy as np

FOLDER = "contact_sets/"
COUNTS = ("count", "closed")  # one number for each record
END = "end"
FEATURES = "features"
COUNTED = ("vertex", "edge", "face")  # features of which a surface has several, counted from 0
#: Names of the components of a quantity, by its name.
PARTS = {"key": ("kind", "a", "b"), "impulse": ("normal", "tangential_1", "tangential_2"),
         **dict.fromkeys(("point", "normal", "force"), ("x", "y", "z"))}


def is_sound(quantity, shape, kind):
    """Whether a data set of that name may have rows of this shape and numbers of this kind; of other names everything goes."""
    known = quantity in PARTS or quantity in ("gap", "state")
    kinds = {"key": "iu", "state": "u"}.get(quantity, "f")
    return not known or (shape[1:] == ((3,) if quantity in PARTS else ()) and kind in kinds)


class ContactSet:
    """The contacts of one set. Their rows are in the order of the records, each quantity an array of all of them.

        gear = run.contact_sets["teeth"]
        gear.at(120)["force"]       # (n, 3): of the n contacts of that record
        gear["gap"], gear.times     # of all contacts of all records
        gear.pair(gear.at(120)["key"][0])   # ("wheel edge 3", "pinion edge 14"): what touches
    """

    def __init__(self, file, name, record_times):
        self._file = file
        self._path = f"{FOLDER}{name}/"
        self.name = name
        #: (N,): instants of the records
        self.record_times = record_times
        #: of what the contacts have: "key", "point", "normal", "gap", "force", "impulse", "state", as far as they were recorded
        self.quantities = [leaf for leaf in file.below(self._path.rstrip("/"))
                           if leaf not in (*COUNTS, END) and file.is_quantity(self._path + leaf)]
        self._ends = self._find_ends()
        self._first, self._surfaces, self._features = self._find_features()

    def _find_ends(self):
        """(N,): the number of rows up to each record."""
        if not self.quantities:
            return np.zeros(len(self.record_times), dtype=np.int64)
        ends = self._file.numbers(self._path + END, 0, len(self.record_times))
        for leaf in self.quantities:
            if not is_sound(leaf, self._file.shape(self._path + leaf), self._file.numbers(self._path + leaf, 0, 0).dtype.kind):
                self._file.fail(f"its data set /{self._path}{leaf} holds no such rows as contacts have")
        rows = min(self._file.shape(self._path + leaf)[0] for leaf in self.quantities)
        fits = ends.shape == self.record_times.shape and ends.dtype.kind in "iu"
        if not fits or (len(ends) and (ends[0] < 0 or ends[-1] > rows or (np.diff(ends.astype(np.int64)) < 0).any())):
            self._file.fail(f"its data set /{self._path}{END} does not fit its contacts")
        return ends.astype(np.int64)

    def _find_features(self):
        """First numbers of ranges of features, ascending, their surfaces and what they are; none in a file that does not say."""
        table = self._path + FEATURES
        first, surfaces, features = (self._file.column(table, title) for title in ("first", "surface", "feature"))
        try:
            first = np.array(first, dtype=np.int64)
        except (ValueError, OverflowError):
            self._file.fail(f"its table /{table} has a number that is none")
        if len(first) and (first[0] != 0 or (np.diff(first) <= 0).any()):
            self._file.fail(f"its table /{table} is not in order")
        return first, surfaces, features

    def __len__(self):
        """The number of rows of all records."""
        return int(self._ends[-1]) if len(self._ends) else 0

    def __repr__(self):
        return f"<{self.name}: {len(self)} contacts in {len(self._ends)} records>"

    @property
    def records(self):
        """(rows,): the record of each row."""
        return np.repeat(np.arange(len(self._ends)), np.diff(self._ends, prepend=0))

    @property
    def times(self):
        """(rows,): the instant of each row."""
        return self.record_times[self.records]

    def __getitem__(self, quantity):
        """(rows, ...): of all contacts of all records."""
        return self._rows(quantity, 0, len(self))

    def surface(self, number):
        """The name of the surface to which the feature of this number in a key belongs; "" if the file does not say."""
        place = self._range(number)
        return self._surfaces[place] if place >= 0 else ""

    def feature(self, number):
        """The name of the feature of this number: "crate vertex 3", "can bottom rim", "ball"; "" if the file does not say."""
        place = self._range(number)
        if place < 0:
            return ""
        kind = self._features[place]
        count = [str(int(number) - int(self._first[place]))] if kind in COUNTED else []
        return " ".join([self._surfaces[place], *([kind] if kind else []), *count])

    def pair(self, key):
        """The names of both features of a key (kind, a, b)."""
        return self.feature(key[1]), self.feature(key[2])

    def _range(self, number):
        return int(np.searchsorted(self._first, number, side="right")) - 1

    def unit(self, quantity):
        """Of a quantity, as text."""
        self._require(quantity)
        return self._file.text(self._path + quantity, "unit")

    def at(self, record):
        """By quantity, an array with a row for each contact of one record; -1 is the last one."""
        count = len(self._ends)
        if not -count <= record < count:
            raise IndexError(f"{self.name} has the records 0 to {count - 1}, none {record}")
        return self.between(record % count, record % count + 1)

    def between(self, first, last):
        """The same of all contacts of the records first, first + 1, ..., last - 1."""
        if not 0 <= first <= last <= len(self._ends):
            raise IndexError(f"{self.name} has {len(self._ends)} records, no range from {first} to {last}")
        begin, end = (int(self._ends[record - 1]) if record else 0 for record in (first, last))
        return {quantity: self._rows(quantity, begin, end) for quantity in self.quantities}

    def _require(self, quantity):
        if quantity not in self.quantities:
            raise KeyError(f"{self._file.path} has no quantity {quantity} of the contact set {self.name}")

    def _rows(self, quantity, first, last):
        self._require(quantity)
        return self._file.numbers(self._path + quantity, first, last)

    def to_pandas(self):
        """A DataFrame with a row for each contact of each record, the instants as its index: columns record, key.a, gap, force.x, ...;
        a and b, the names of the features, if the file has them."""
        try:
            import pandas
        except ImportError as error:
            raise ImportError("to_pandas needs the Python module pandas; on Debian: apt-get install python3-pandas") from error
        columns = {"record": self.records}
        for quantity in self.quantities:
            values = self[quantity]
            labels = PARTS.get(quantity) if values.ndim == 2 and values.shape[1] == 3 else None
            for index in np.ndindex(values.shape[1:]):
                part = labels[index[0]] if labels else ".".join(map(str, index))
                columns[f"{quantity}.{part}" if index else quantity] = values[(slice(None), *index)]
        if len(self._first) and "key" in self.quantities:
            for side, place in (("a", 1), ("b", 2)):
                numbers, which = np.unique(self["key"][:, place], return_inverse=True)
                columns[side] = np.array([self.feature(number) for number in numbers], dtype=object)[which.reshape(-1)]
        return pandas.DataFrame(columns, index=pandas.Index(self.times, name="time"))
