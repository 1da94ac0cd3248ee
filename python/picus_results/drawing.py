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


def _cells_of_xdmf(connectivity):
    lines, solids, at = [], [], 0
    while at < len(connectivity):
        kind = connectivity[at]
        if kind == HEXAHEDRON:
            solids.append(connectivity[at + 1:at + 9].tolist())
            at += 9
            continue
        count = int(connectivity[at + 1]) if at + 1 < len(connectivity) else -1
        if count < 0 or at + 2 + count > len(connectivity):
            return None
        if kind == POLYLINE:
            lines.append(connectivity[at + 2:at + 2 + count].tolist())
        at += 2 + count
    return lines, solids


def _cells_of_vtk(points, offsets, kinds):
    if len(offsets) != len(kinds) + 1 or (np.diff(offsets) < 0).any() or offsets[0] < 0 or offsets[-1] > len(points):
        return None
    found = {VTK_POLY_LINE: [], VTK_HEXAHEDRON: []}
    for kind, first, last in zip(kinds, offsets[:-1], offsets[1:]):
        if kind in found:
            found[kind].append(points[first:last].tolist())
    return found[VTK_POLY_LINE], found[VTK_HEXAHEDRON]


class Drawing:
    """P points that move, the last C of which are those of the contacts, lines, solid cells and triangles between them.

    Functions that return numbers take the first picture and the one after the last.
    """

    def __init__(self, file, records):
        self._file = file
        if "VTKHDF" in file:
            self._instants, self._points, self._velocity = "VTKHDF/Steps/Values", "VTKHDF/Points", "VTKHDF/PointData/velocity"
            self._count = file.shape(self._instants)[0]  # others may be longer: a picture is complete with its time
            self.point_count = int(self._list("VTKHDF/NumberOfPoints", "iu")[0])
            cells = _cells_of_vtk(*(self._list(f"VTKHDF/{name}", "iu") for name in ("Connectivity", "Offsets", "Types")))
        else:  # format version 1, a picture of every record
            self._instants, self._count = "time", records
            self._points, self._velocity = "visualization/points", "visualization/velocity"
            self.point_count = (*file.shape(self._points), 0, 0)[1]
            cells = _cells_of_xdmf(self._list("visualization/connectivity", "iu"))
        self.lines, self.solids = cells or file.fail("its cells do not fit together")
        #: `node "bird"`, `element "spring"` or `contact "floor"` of each point
        self.owners = file.column("visualization/owners", "owner")
        self.contacts = file.column("visualization/contacts", "name")
        #: of the tube that each line stands for, 0 for a plain line
        self.radii = [0.0] * len(self.lines)
        if "visualization/line_radius" in file:
            self.radii = self._list("visualization/line_radius", "f").tolist()
        self.boxes = []
        if "visualization/box_point" in file:
            halves = file.numbers("visualization/box_half")
            self.boxes = [Box(int(point), tuple(half.tolist())) for point, half in
                          zip(self._list("visualization/box_point", "iu"), halves.reshape(-1, 3) if halves.shape[1:] == (3,) else ())]
        #: for each point that of its node, -1 if it is fixed in space; None in results of older versions
        self.point_nodes = None
        if "visualization/point_node" in file:
            own = self._list("visualization/point_node", "iu").tolist()
            self.point_nodes = own + list(range(len(own), self.point_count))  # contacts are on none
        #: (point, radius in m) of each sphere
        self.spheres = []
        if "visualization/sphere_point" in file:
            self.spheres = list(zip(self._list("visualization/sphere_point", "iu").tolist(),
                                    self._list("visualization/sphere_radius", "f").tolist()))
        #: three points of each triangle of a surface, counterclockwise as seen from outside
        self.triangles = []
        if "visualization/triangle" in file:
            corners = file.numbers("visualization/triangle")
            fits = corners.ndim == 2 and corners.shape[1] == 3 and corners.dtype.kind in "iu"
            self.triangles = corners.tolist() if fits else file.fail("its triangles do not fit together")
        self._check()

    def _list(self, name, kinds):
        """A whole data set of one dimension, not empty."""
        values = self._file.numbers(name)
        if values.ndim != 1 or len(values) == 0 and name.endswith("NumberOfPoints") or values.dtype.kind not in kinds:
            self._file.fail(f"its data set /{name} is no list of numbers of its kind")
        return values

    def _check(self):
        used = [point for cell in self.lines + self.solids + self.triangles for point in cell] + [box.point for box in self.boxes]
        used += [point for point, _ in self.spheres]
        numbers = [number for box in self.boxes for number in box.half] + self.radii + [radius for _, radius in self.spheres]
        nodes = self.point_nodes or []
        fits = (0 <= self.point_count and 0 <= min(used, default=0) and max(used, default=-1) < self.point_count
                and all(len(solid) == 8 for solid in self.solids) and len(self.radii) == len(self.lines)
                and len(nodes) in (0, self.point_count) and -1 <= min(nodes, default=0) and max(nodes, default=-1) < self.point_count
                and len(self.owners) in (0, self.point_count) and len(self.contacts) <= self.point_count
                and bool(np.isfinite(numbers).all()))
        if not fits:
            self._file.fail("what it holds for pictures does not fit together")
        self.owners = self.owners or [""] * self.point_count

    def _rows(self, name, length, shape, first, last):
        """Pictures of a data set, flat or not: of each `length` entries of a shape, which None leaves open."""
        last = self._count if last is None else last
        stored = self._file.shape(name)
        is_flat = len(stored) <= 2
        entry = stored[1:] if is_flat else stored[2:]
        most = stored[0] // max(length, 1) if is_flat else stored[0]
        if not 0 <= first <= last <= most or (not is_flat and stored[1] != length) or (shape is not None and entry != shape):
            self._file.fail(f"its data set /{name} has another shape than its pictures need")
        values = self._file.numbers(name, first * length, last * length) if is_flat else self._file.numbers(name, first, last)
        return values.reshape(last - first, length, *entry)

    @property
    def time(self):
        """Instants of the pictures, s."""
        return self._file.numbers(self._instants, 0, self._count)

    def points(self, first=0, last=None):
        """(n, P, 3), m."""
        return self._rows(self._points, self.point_count, (3,), first, last)

    def velocity(self, first=0, last=None):
        """(n, P, 3), m/s."""
        return self._rows(self._velocity, self.point_count, (3,), first, last)

    def box_rotation(self, first=0, last=None):
        """(n, B, 4): unit quaternions w, x, y, z that turn the edges of the boxes into the inertial frame."""
        return self._rows("visualization/box_rotation", len(self.boxes), (4,), first, last)

    def contact(self, quantity, first=0, last=None):
        """Of all contacts: "normal" (n, C, 3), "force" (n, C, 3) in N, mean since the picture before, "gap" (n, C) in m or "state" (n, C)."""
        shape = (3,) if quantity in ("normal", "force") else ()
        return self._rows(f"visualization/contact_{quantity}", len(self.contacts), shape, first, last)

    @property
    def cell_quantities(self):
        """Names and units of what elements report on their lines and solid cells."""
        return {name: self._file.text(f"visualization/cells/{name}", "unit") for name in self._file.below("visualization/cells")}

    def cells(self, quantity, first=0, last=None):
        """(n, lines and then solids, ...); NaN where it is not reported."""
        return self._rows(f"visualization/cells/{quantity}", len(self.lines) + len(self.solids), None, first, last)
