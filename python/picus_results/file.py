"""The HDF5 file of a result, which anybody may have written.

Whatever it says is looked at before it is believed, and nothing outside the file is ever read: links to other files, soft
links, external storage and virtual data sets of other files are not followed, pipes and devices not opened.
"""

import errno
import os
import stat
import unicodedata

import h5py
import numpy as np
from h5py import h5a, h5d, h5l, h5t, h5z

MOST_OBJECTS = 200_000
DEEPEST = 64
MOST_ATTRIBUTE_BYTES = 1 << 20
MOST_LONG_TEXTS = 16  # of variable length in an attribute that are read whatever the size of the file
MOST_TEXT_BYTES = 1 << 30
MOST_SOURCES = 4096
LARGEST_CHUNK = 1 << 30
LARGEST_READ = 1 << 30  # bytes of numbers at once; more only in proportion to the file
MOST_OF_FILE = 16  # times its size, beyond what recorded motions are packed
BEST_PACKING = 1100  # deflate packs a thousand zeros into a byte
KNOWN_FILTERS = {h5z.FILTER_DEFLATE, h5z.FILTER_SHUFFLE, h5z.FILTER_FLETCHER32}
OTHER_TYPES = {h5t.TIME: "time", h5t.BITFIELD: "bits", h5t.OPAQUE: "opaque", h5t.COMPOUND: "compound",
               h5t.REFERENCE: "reference", h5t.VLEN: "lists", h5t.ARRAY: "arrays"}
NAMED_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


class FormatError(ValueError):
    """The file is no result of Picus, one of a newer format, or damaged."""


def printable(text):
    """The text in one line that commands no terminal: control characters and marks that turn the direction of writing become
    escapes."""
    def shown(c):
        # Cc: control, Cs: half a character, Zl and Zp: ends of lines.
        is_mark = c in "\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
        if unicodedata.category(c) not in ("Cc", "Cs", "Zl", "Zp") and not is_mark:
            return c
        return NAMED_ESCAPES.get(c) or (f"\\x{ord(c):02x}" if ord(c) < 0x100 else f"\\u{ord(c):04x}")
    return "".join(map(shown, str(text)))


def as_text(value):
    return value.decode("utf-8", "backslashreplace") if isinstance(value, bytes) else str(value)


class ResultFile:
    """Open for reading. Names are paths from the root; FormatError for whatever is damaged or made to harm."""

    def __init__(self, path):
        self.path = os.fspath(path)
        if not os.path.exists(self.path):
            raise FileNotFoundError(f"{self.path}: there is no such file")
        mode = os.stat(self.path).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(f"{self.path}: {os.strerror(errno.EISDIR)}")
        if not stat.S_ISREG(mode):
            raise FormatError(f"{self.path} is a pipe or a device, not a file")
        try:
            self._file = h5py.File(self.path, "r")
        except PermissionError as error:
            raise PermissionError(f"{self.path}: {os.strerror(errno.EACCES)}") from error
        except Exception as error:
            raise FormatError(f"{self.path} is not an HDF5 file, or damaged") from error
        self._bytes = os.path.getsize(self.path)
        self._checked = {}

    def close(self):
        self._file.close()

    def fail(self, reason):
        raise FormatError(f"{self.path}: {printable(reason)}")

    def _reading(self, what, read):
        """What `read` returns; whatever h5py makes of a damaged file becomes a FormatError that names the part."""
        try:
            return read()
        except (FormatError, MemoryError):
            raise
        except Exception as error:
            raise FormatError(f"{self.path}: {printable(what)} is damaged") from error

    # ---- Objects

    @staticmethod
    def _open_hard(group, name):
        if "/" in name:  # no name of one link: the way could go through others
            return None
        key = name.encode("utf-8", "surrogateescape")
        if not isinstance(group, h5py.Group) or not group.id.links.exists(key):
            return None
        return group[name] if group.id.links.get_info(key).type == h5l.TYPE_HARD else None

    def _open(self, name):
        """The object, or None if there is none or a link other than a hard one is on the way to it."""
        def walk():
            found = self._file["/"]
            for part in name.split("/"):
                if part and found is not None:
                    found = self._open_hard(found, part)
            return found
        return self._reading(f"/{name.lstrip('/')}", walk)

    def __contains__(self, name):
        return self._open(name) is not None

    def below(self, name):
        """Names of what is in a group, in order; none if there is no such group."""
        group = self._open(name)
        return self._members(group, name) if isinstance(group, h5py.Group) else []

    def _members(self, group, name):
        return self._reading(f"group /{name}", lambda: sorted(group))

    def _located(self, group, name):
        """The object of a name in a group and its address; None if a link other than a hard one leads there."""
        item = self._open_hard(group, name)
        return item, None if item is None else h5py.h5o.get_info(item.id).addr

    def data_sets(self):
        """Names of all data sets, each once, by name."""
        names, known = [], set()
        levels = [(self._file["/"], "", iter(self.below("")))]
        known.add(self._reading("group /", lambda: h5py.h5o.get_info(self._file["/"].id).addr))
        while levels:
            group, path, rest = levels[-1]
            part = next(rest, None)
            if part is None:
                levels.pop()
                continue
            item, address = self._reading(f"/{path}{part}", lambda: self._located(group, part))
            if item is None or address in known:
                continue
            known.add(address)
            if len(known) > MOST_OBJECTS or len(levels) > DEEPEST:
                self.fail("it holds more objects, or nests them deeper, than are read")
            if isinstance(item, h5py.Dataset):
                names.append(path + part)
            elif isinstance(item, h5py.Group):
                levels.append((item, f"{path}{part}/", iter(self._members(item, path + part))))
        return names

    # ---- Attributes

    def attribute(self, name, key, otherwise=None):
        """Of an object: a text, a number, or an array of either; for other types a text that says what it is."""
        found = self._open(name)
        if found is None or not self._reading(f"/{name}", lambda: h5a.exists(found.id, key.encode("utf-8", "surrogateescape"))):
            return otherwise
        return self._reading(f"attribute {key} of /{name}", lambda: self._value(found, key))

    def _value(self, owner, key):
        attribute = h5a.open(owner.id, key.encode("utf-8", "surrogateescape"))
        kind = attribute.get_type().get_class()
        if kind in OTHER_TYPES or kind not in (h5t.INTEGER, h5t.FLOAT, h5t.STRING, h5t.ENUM):
            return f"({OTHER_TYPES.get(kind, 'unknown type')})"
        count = float(np.prod([float(length) for length in attribute.shape])) if attribute.shape else 1.0
        if count * attribute.get_type().get_size() > MOST_ATTRIBUTE_BYTES:
            return "(too large to be shown)"
        # All of these texts may be one and the same of the size of the file, each read into memory of its own.
        is_long = kind == h5t.STRING and attribute.get_type().is_variable_str()
        if is_long and count > MOST_LONG_TEXTS and count * self._bytes > MOST_TEXT_BYTES:
            return f"({count:.0f} texts, not read)"
        value = owner.attrs[key]
        if isinstance(value, (bytes, str)):
            return as_text(value)
        if isinstance(value, h5py.Empty):
            return ""
        if isinstance(value, np.ndarray) and value.dtype.kind in "SO":
            return np.array([as_text(text) for text in value.flat]).reshape(value.shape)
        return value.item() if isinstance(value, np.generic) else value

    def attributes(self, name):
        """All of an object, by name; none if there is no such object."""
        found = self._open(name)
        keys = self._reading(f"/{name}", lambda: list(found.attrs.keys())) if found is not None else []
        return {key: self.attribute(name, key) for key in keys}

    def text(self, name, key, otherwise=""):
        """An attribute as text."""
        return as_text(self.attribute(name, key, otherwise))

    # ---- Data sets

    def _data_set(self, name):
        """A data set that may be read."""
        found = self._open(name)
        if not isinstance(found, h5py.Dataset):
            self.fail(f"it has no data set /{name}")
        if name not in self._checked:
            self._checked[name] = self._reading(f"/{name}", lambda: self._why_not(found, is_source=False))
        if self._checked[name]:
            self.fail(f"of its data set /{name}: {self._checked[name]}")
        return found

    def _why_not(self, found, is_source):
        """Why the numbers of a data set must not be read; empty: they may."""
        creation = found.id.get_create_plist()
        if creation.get_external_count() != 0:
            return "its numbers are in another file"
        layout = creation.get_layout()
        if layout == h5d.VIRTUAL:
            reason = "it shows what shows others" if is_source else self._why_not_virtual(creation)
            return reason or self._why_too_large(self._claimed(found, found.shape), BEST_PACKING * float(self._bytes))
        if any(creation.get_filter(i)[0] not in KNOWN_FILTERS for i in range(creation.get_nfilters())):
            return "it is packed by a filter that is not read here"
        stored = float(min(found.id.get_storage_size(), self._bytes))
        reason = self._why_too_large(self._claimed(found, found.shape), BEST_PACKING * stored if layout == h5d.CHUNKED else stored)
        if not reason and layout == h5d.CHUNKED and self._claimed(found, creation.get_chunk()) > LARGEST_CHUNK:
            reason = "its chunks are too large"
        return reason

    @staticmethod
    def _claimed(found, shape):
        """Bytes of so many numbers of a data set."""
        return float(found.id.get_type().get_size()) * float(np.prod([float(length) for length in shape or ()]))

    @staticmethod
    def _why_too_large(claimed, most):
        return f"it claims {claimed:.3g} bytes, of which the file holds no more than {most:.3g}" if claimed > most else ""

    def _why_not_virtual(self, creation):
        count = creation.get_virtual_count()
        if count > MOST_SOURCES:
            return "it is damaged"
        for i in range(count):
            if creation.get_virtual_filename(i) != ".":
                return "it shows numbers of another file"
            # HDF5 reads a number for "%b" and "%" for "%%": other data sets than that of this name, the only one checked here.
            if any(mark in creation.get_virtual_dsetname(i) for mark in ("%b", "%%")):
                return "it shows data sets of a pattern of names"
            source = self._open(creation.get_virtual_dsetname(i))
            reason = self._why_not(source, is_source=True) if isinstance(source, h5py.Dataset) else "it shows what is not in the file"
            if reason:
                return reason
        return ""

    def _check_read(self, name, claimed):
        """Little may be packed that takes gigabytes of memory."""
        if claimed > max(LARGEST_READ, MOST_OF_FILE * self._bytes):
            self.fail(f"of its data set /{name}: {claimed:.3g} bytes are too many to be read at once from a file of {self._bytes:.3g}")

    def shape(self, name):
        return self._data_set(name).shape

    def is_quantity(self, name):
        """Whether a data set holds rows of numbers with a unit. Of virtual ones that show other files not even the shape is asked."""
        found = self._open(name)
        if found is None:
            self.fail(f"its /{name} is a link that is not followed")

        def look():
            creation = found.id.get_create_plist()
            if creation.get_layout() == h5d.VIRTUAL and self._why_not_virtual(creation):
                return False
            return found.id.get_type().get_class() in (h5t.INTEGER, h5t.FLOAT) and bool(found.shape) and "unit" in found.attrs
        return self._reading(f"/{name}", look)

    def numbers(self, name, first=0, last=None, member=None):
        """Rows of numbers; with `member` only of that entry of the second axis."""
        data = self._data_set(name)
        if not data.shape or self._reading(f"/{name}", lambda: data.dtype.kind) not in "iuf":
            self.fail(f"its data set /{name} holds no rows of numbers")
        rows = len(range(*slice(first, last).indices(data.shape[0])))
        self._check_read(name, self._claimed(data, (rows, *data.shape[1 if member is None else 2:])))
        if member is None:
            return self._reading(f"/{name}", lambda: data[first:last])
        return self._reading(f"/{name}", lambda: data[first:last, member])

    def titles(self, name):
        """Of the columns of a table, in order; none if there is no such table."""
        return list(self._reading(f"/{name}", lambda: self._data_set(name).dtype.names) or ()) if name in self else []

    def column(self, name, title):
        """Texts of a column of a table; none if there is no such table."""
        if name not in self:
            return []
        data = self._data_set(name)
        fields = self._reading(f"/{name}", lambda: data.dtype.fields) or {}
        if title not in fields or len(data.shape) != 1 or any(kind[0].kind != "S" for kind in fields.values()):
            self.fail(f"its data set /{name} is no table with a column \"{title}\" of texts")
        self._check_read(name, self._claimed(data, data.shape))
        return [as_text(text) for text in self._reading(f"/{name}", lambda: data[title])]
