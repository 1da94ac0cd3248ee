#!/usr/bin/python3
"""Writes the contacts that a run found for ParaView, as points that come and go: what `picus export --contacts` runs.

Usage: export_contacts.py FILE OUT.vtkhdf [--frames N] [--from T] [--to T]

OUT.vtkhdf has a step for each record, by the VTKHDF file format 2.0 (documentation of VTK); OUT.xdmf shows the same numbers to
programs that do not know that format.
"""

import argparse
import io
import os
import sys
from xml.sax.saxutils import escape, quoteattr

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, os.pardir, "python"))

try:
    import h5py
    import numpy as np
    import picus_results
    from guard import Refusal, guarded
    from new_file import new_file, write_text
    from picus_results import printable
except ImportError as error:
    sys.exit(f"export_contacts: the Python module {error.name} is missing; on Debian: apt-get install python3-h5py python3-numpy")

VERTEX = 1  # vtkCellType.h
POLYVERTEX = 1  # XDMF, followed by the number of points
FIELDS = {"normal": "f4", "force": "f4", "impulse": "f4", "gap": "f4", "state": "u1", "key": "i4"}
XDMF_TYPES = {"f4": ("Float", 4), "u1": ("UChar", 1), "i4": ("Int", 4)}


def choose_records(run, most, begin, end):
    """Which records become steps: at most so many of those between the instants, evenly chosen."""
    time = run.time
    chosen = np.ones(len(time), bool)
    if begin is not None:
        chosen &= time >= begin
    if end is not None:
        chosen &= time <= end
    places = np.flatnonzero(chosen)
    if len(places) == 0:
        raise Refusal(f"there are no records in the {run.time_name} that is asked for")
    if most is not None and most < len(places):
        places = places[np.unique(np.linspace(0, len(places) - 1, most).round().astype(int))]
    return places


def rows_of(sets, record):
    """Of the contacts of all sets in a record those that have a place: by quantity, with the place of their set."""
    parts = []
    for number, found in enumerate(sets):
        rows = {name: values for name, values in found.at(record).items() if name == "point" or name in FIELDS}
        rows["set"] = np.full(len(rows["point"]), number, "i4")
        has_place = np.isfinite(rows["point"]).all(axis=1)
        parts.append({name: values[has_place] for name, values in rows.items()})
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


class Contacts:
    """The contacts of some records, one after another; those of step i are first[i] to first[i + 1]."""

    def __init__(self, run, given):
        sets = [found for found in run.contact_sets.values() if "point" in found.quantities]
        if not sets:
            raise Refusal(f"{given.file} has no contacts that were found as bodies moved")
        self.names = [printable(found.name) for found in sets]
        self.title = printable(run.title)
        places = choose_records(run, given.frames, given.begin, given.end)
        self.time = run.time[places]
        common = set.intersection(*(set(found.quantities) for found in sets))
        self.types = {name: kind for name, kind in FIELDS.items() if name in common} | {"set": "i4"}
        steps = [rows_of(sets, int(record)) for record in places]
        self.first = np.concatenate(([0], np.cumsum([len(step["point"]) for step in steps]))).astype(np.int64)
        # What is too large for float32 becomes infinite.
        with np.errstate(over="ignore"):
            self.points = np.concatenate([step["point"] for step in steps]).astype("f4")
            self.fields = {name: np.concatenate([step[name] for step in steps]).astype(kind)
                           for name, kind in self.types.items()}

    @property
    def counts(self):
        return np.diff(self.first)


def write_grid(file, contacts):
    """A part for each step, whose cells are vertices."""
    counts, steps = contacts.counts, len(contacts.time)
    root = file.create_group("VTKHDF")
    root.attrs["Version"] = np.array([2, 0], np.int64)
    kind = np.array("UnstructuredGrid", "S")
    root.attrs.create("Type", kind, dtype=h5py.string_dtype("ascii", len("UnstructuredGrid")))
    for name in ("NumberOfPoints", "NumberOfCells", "NumberOfConnectivityIds"):
        root[name] = counts
    within = np.arange(contacts.first[-1]) - np.repeat(contacts.first[:-1], counts)
    root["Connectivity"] = within
    root["Offsets"] = np.concatenate([np.arange(count + 1) for count in counts]).astype(np.int64)
    root["Types"] = np.full(contacts.first[-1], VERTEX, np.uint8)
    root["Points"] = contacts.points
    time = root.create_group("Steps")
    time.attrs["NSteps"] = np.int64(steps)
    time["Values"] = contacts.time
    time["PartOffsets"] = np.arange(steps)
    time["NumberOfParts"] = np.ones(steps, np.int64)
    time["PointOffsets"] = contacts.first[:-1]
    for name in ("CellOffsets", "ConnectivityIdOffsets"):
        time[name] = contacts.first[:-1, None]
    for name, values in contacts.fields.items():
        root[f"PointData/contact_{name}"] = values
        time[f"PointDataOffsets/contact_{name}"] = contacts.first[:-1]
    # For XDMF: a vertex for each point of the largest step, the same in all.
    most = int(counts.max())
    topology = np.stack([np.full(most, POLYVERTEX), np.ones(most), np.arange(most)], axis=1)
    file["xdmf/topology"] = topology.astype("i4")
    file.attrs["title"] = contacts.title
    file.attrs["contact_sets"] = contacts.names


def xdmf_text(contacts, name, places):
    """`places`: where the numbers of a data set begin in the file `name`, bytes."""
    endian = "Little" if sys.byteorder == "little" else "Big"

    def item(data, kind, first, count, size):
        words, precision = XDMF_TYPES[kind]
        dimensions = f"{count} {size}" if size > 1 else f"{count}"
        seek = places[data] + first * size * precision
        return (f'<DataItem Dimensions="{dimensions}" NumberType="{words}" Precision="{precision}" Format="Binary" '
                f'Endian="{endian}" Seek="{seek}">{escape(name)}</DataItem>')

    text = ['<?xml version="1.0"?>\n<Xdmf Version="3.0">\n<Domain>\n'
            f'<Grid Name={quoteattr(contacts.title)} GridType="Collection" CollectionType="Temporal">\n']
    for time, first, count in zip(contacts.time, contacts.first, contacts.counts):
        text.append(f'<Grid Name="contacts" GridType="Collection" CollectionType="Spatial"><Time Value="{time:.12g}"/>\n')
        if count:
            text.append(f'<Grid Name="found" GridType="Uniform">\n<Topology TopologyType="Mixed" NumberOfElements="{count}">'
                        f'{item("xdmf/topology", "i4", 0, 3 * count, 1)}</Topology>\n'
                        f'<Geometry GeometryType="XYZ">{item("VTKHDF/Points", "f4", first, count, 3)}</Geometry>\n')
            for field, kind in contacts.types.items():
                size = 3 if contacts.fields[field].ndim == 2 else 1
                text.append(f'<Attribute Name="contact_{field}" AttributeType="{"Vector" if size == 3 else "Scalar"}" Center="Node">'
                            f'{item(f"VTKHDF/PointData/contact_{field}", kind, first, count, size)}</Attribute>\n')
            text.append("</Grid>\n")
        text.append("</Grid>\n")
    return "".join([*text, "</Grid>\n</Domain>\n</Xdmf>\n"])


def export(given):
    with picus_results.open(given.file) as run:
        contacts = Contacts(run, given)
    raw = io.BytesIO()
    with h5py.File(raw, "w") as file:
        write_grid(file, contacts)
        names = ["xdmf/topology", "VTKHDF/Points", *(f"VTKHDF/PointData/contact_{name}" for name in contacts.types)]
        places = {name: file[name].id.get_offset() or 0 for name in names}  # of no numbers there is no place
    with new_file(given.out) as file:
        file.write(raw.getbuffer())
    write_text(os.path.splitext(given.out)[0] + ".xdmf", xdmf_text(contacts, os.path.basename(given.out), places))


def main():
    parser = argparse.ArgumentParser(prog="export_contacts")
    parser.add_argument("--frames", type=int)
    parser.add_argument("--from", dest="begin", type=float)
    parser.add_argument("--to", dest="end", type=float)
    parser.add_argument("file")
    parser.add_argument("out")
    given = parser.parse_args()
    guarded("export_contacts", given.file, lambda: export(given))


if __name__ == "__main__":
    main()
