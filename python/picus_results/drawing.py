"""What a result holds for pictures of the motion."""

from dataclasses import dataclass

import numpy as np

POLYVERTEX, POLYLINE, HEXAHEDRON = 1, 2, 9  # of XDMF
VTK_POLY_LINE, VTK_HEXAHEDRON = 4, 12


@dataclass(frozen=True)
class Box:
    """The cuboid of uniform density that has the mass and inertia of a rigid body."""

    point: int  #: at its centre
    half: tuple  #: half edges, m


def _text(value):
    return value.decode() if isinstance(value, bytes) else value


def _column(file, name, column):
    return [_text(row[column]) for row in file[name]] if name in file else []


def _cells_of_xdmf(connectivity):
    lines, solids, at = [], [], 0
    while at < len(connectivity):
        kind = connectivity[at]
        if kind == HEXAHEDRON:
            solids.append(connectivity[at + 1:at + 9].tolist())
            at += 9
            continue
        count = connectivity[at + 1]
        if kind == POLYLINE:
            lines.append(connectivity[at + 2:at + 2 + count].tolist())
        at += 2 + count
    return lines, solids


def _cells_of_vtk(group):
    points, offsets, kinds = (group[name][...] for name in ("Connectivity", "Offsets", "Types"))
    found = {VTK_POLY_LINE: [], VTK_HEXAHEDRON: []}
    for kind, first, last in zip(kinds, offsets[:-1], offsets[1:]):
        if kind in found:
            found[kind].append(points[first:last].tolist())
    return found[VTK_POLY_LINE], found[VTK_HEXAHEDRON]


class Drawing:
    """P points that move, the last C of which are those of the contacts, and lines and solid cells between them.

    Functions that return numbers take the first picture and the one after the last.
    """

    def __init__(self, file, records):
        self._file = file
        if "VTKHDF" in file:
            self._instants = file["VTKHDF/Steps/Values"]
            self._count = len(self._instants)  # others may be longer: a picture is complete with its time
            self._points, self._velocity = file["VTKHDF/Points"], file["VTKHDF/PointData/velocity"]
            self.point_count = int(file["VTKHDF/NumberOfPoints"][0])
            self.lines, self.solids = _cells_of_vtk(file["VTKHDF"])
        else:  # format version 1, a picture of every record
            self._instants, self._count = file["time"], records
            self._points, self._velocity = file["visualization/points"], file["visualization/velocity"]
            self.point_count = self._points.shape[1]
            self.lines, self.solids = _cells_of_xdmf(file["visualization/connectivity"][...])
        #: `node "bird"`, `element "spring"` or `contact "floor"` of each point
        self.owners = _column(file, "visualization/owners", "owner")
        self.contacts = _column(file, "visualization/contacts", "name")
        #: of the tube that each line stands for, 0 for a plain line
        self.radii = file["visualization/line_radius"][...].tolist() if "visualization/line_radius" in file else [0.0] * len(self.lines)
        self.boxes = []
        if "visualization/box_point" in file:
            self.boxes = [Box(int(point), tuple(half.tolist())) for point, half in
                          zip(file["visualization/box_point"], file["visualization/box_half"])]

    def _rows(self, data, length, first, last):
        """Pictures of a data set, flat or not."""
        last = self._count if last is None else last
        values = data[first:last] if len(data.shape) > 2 else data[first * length:last * length]
        return values.reshape(last - first, length, *values.shape[1 if len(data.shape) <= 2 else 2:])

    @property
    def time(self):
        """Instants of the pictures, s."""
        return self._instants[: self._count]

    def points(self, first=0, last=None):
        """(n, P, 3), m."""
        return self._rows(self._points, self.point_count, first, last)

    def velocity(self, first=0, last=None):
        """(n, P, 3), m/s."""
        return self._rows(self._velocity, self.point_count, first, last)

    def box_rotation(self, first=0, last=None):
        """(n, B, 4): unit quaternions w, x, y, z that turn the edges of the boxes into the inertial frame."""
        return self._file["visualization/box_rotation"][first:self._count if last is None else last]

    def contact(self, quantity, first=0, last=None):
        """Of all contacts: "normal" (n, C, 3), "force" (n, C, 3) in N, mean since the picture before, "gap" (n, C) in m or "state" (n, C)."""
        return self._rows(self._file[f"visualization/contact_{quantity}"], len(self.contacts), first, last)

    @property
    def cell_quantities(self):
        """Names and units of what elements report on their lines and solid cells."""
        if "visualization/cells" not in self._file:
            return {}
        return {name: _text(data.attrs.get("unit", "")) for name, data in self._file["visualization/cells"].items()}

    def cells(self, quantity, first=0, last=None):
        """(n, lines and then solids, ...); NaN where it is not reported."""
        return self._rows(self._file[f"visualization/cells/{quantity}"], len(self.lines) + len(self.solids), first, last)
