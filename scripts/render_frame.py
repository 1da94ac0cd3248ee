#!/usr/bin/python3
"""Draws one instant of a result, read the way ParaView reads it: through the XDMF file.

Usage: render_frame.py FILE.xdmf FRAME OUT.png      (FRAME counts from 0; -1 is the last)
"""

import argparse
import os
import sys
from xml.etree import ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "python"))

try:
    import matplotlib
    import numpy as np
    import picus_results
    from picus_results.file import ResultFile
except ImportError as error:
    sys.exit(f"render_frame: the Python module {error.name} is missing; on Debian: "
             "apt-get install python3-h5py python3-matplotlib python3-numpy")

matplotlib.use("Agg")
from matplotlib import pyplot as plt  # noqa: E402, the backend has to be chosen first
from mpl_toolkits.mplot3d.art3d import Line3DCollection, Poly3DCollection  # noqa: E402

POLYVERTEX, POLYLINE, HEXAHEDRON = 1, 2, 9
INK, LINE, POINT, SOLID = "#2b2d33", "#1f4e79", "#c8553d", "#9db4c8"

FACES_OF_A_HEXAHEDRON = np.array([[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]])


def dimensions(item):
    return tuple(int(n) for n in item.get("Dimensions").split())


def refuse_elsewhere(path):
    if os.path.basename(path) != path:
        raise ValueError(f"it refers to {path!r}, which is not beside it")


def read_item(item, folder):
    """The array of a DataItem: a data set of an HDF5 file, or raw numbers at a place in a file."""
    text = "".join(item.itertext()).strip()
    if item.get("Format") == "HDF":
        path, name = text.rsplit(":", 1)
        refuse_elsewhere(path)
        file = ResultFile(os.path.join(folder, path))
        try:
            if file.shape(name) != dimensions(item):
                raise ValueError(f"{name} is {file.shape(name)}, not {dimensions(item)} as the XDMF file says")
            return file.numbers(name)
        finally:
            file.close()
    kind = {("Float", "4"): "f4", ("UChar", "1"): "u1"}.get((item.get("NumberType"), item.get("Precision")))
    if item.get("Format") != "Binary" or kind is None:
        raise ValueError("it holds a DataItem of a kind that is not read here")
    refuse_elsewhere(text)
    order = {"Little": "<", "Big": ">"}[item.get("Endian")]
    count = int(np.prod(dimensions(item)))
    data = np.fromfile(os.path.join(folder, text), order + kind, count, offset=int(item.get("Seek")))
    return data.reshape(dimensions(item))


def cells(connectivity):
    """The kinds of cell and their points, of a topology of mixed cells."""
    at = 0
    while at < len(connectivity):
        kind = connectivity[at]
        begin, count = (at + 1, 8) if kind == HEXAHEDRON else (at + 2, connectivity[at + 1])
        yield kind, connectivity[begin:begin + count]
        at = begin + count


class Part:
    """One grid of a frame: `points` (P, 3), `cells`, and `fields` on either by name."""

    def __init__(self, grid, folder):
        self.points = read_item(grid.find("Geometry/DataItem"), folder).reshape(-1, 3)
        topology = grid.find("Topology")
        self.cells = list(cells(read_item(topology.find("DataItem"), folder)))
        if len(self.cells) != int(topology.get("NumberOfElements")):
            raise ValueError(f"it has {len(self.cells)} cells, not {topology.get('NumberOfElements')}")
        self.fields = {}
        for attribute in grid.findall("Attribute"):
            values = read_item(attribute.find("DataItem"), folder)
            count = len(self.points) if attribute.get("Center") == "Node" else len(self.cells)
            if len(values) != count:
                raise ValueError(f"{attribute.get('Name')} has {len(values)} values for {count}")
            self.fields[attribute.get("Name")] = values


def result_of(frame, folder):
    """The file from which the numbers of a frame are."""
    file = next("".join(item.itertext()).strip().rsplit(":", 1)[0] for item in frame.iter("DataItem") if item.get("Format") == "HDF")
    refuse_elsewhere(file)
    return os.path.join(folder, file)


class Frame:
    """One instant of the temporal collection: `time` and `parts`, "nodes", "cells" and "contacts" as far as there are.

    `points` (P, 3), `velocity` (P, 3) and `cells` are those of nodes and cells together.
    """

    def __init__(self, path, number):
        frames = ElementTree.parse(path).findall("./Domain/Grid[@CollectionType='Temporal']/Grid")
        if not -len(frames) <= number < len(frames):
            raise ValueError(f"it has {len(frames)} frames, and no frame {number}")
        frame = frames[number]
        self.frame_count = len(frames)
        folder = os.path.dirname(path)
        self.time = float(frame.find("Time").get("Value"))
        self.result = result_of(frame, folder)
        self.parts = {grid.get("Name"): Part(grid, folder) for grid in frame.findall("Grid")}
        nodes = self.parts["nodes"]
        self.points, self.velocity = nodes.points, nodes.fields["velocity"]
        self.cells = nodes.cells + (self.parts["cells"].cells if "cells" in self.parts else [])

    @property
    def time_text(self):
        """The instant as the result calls it: a time, a load factor or a frequency."""
        with picus_results.open(self.result) as run:
            return run.time_text(self.time)


def outer_faces(solids):
    """The faces that belong to one cell only, as arrays of four points."""
    faces = np.concatenate([cell[FACES_OF_A_HEXAHEDRON] for cell in solids])
    _, first, count = np.unique(np.sort(faces, axis=1), axis=0, return_index=True, return_counts=True)
    return faces[first[count == 1]]


def draw(frame, path):
    figure = plt.figure(figsize=(7, 7))
    axes = figure.add_subplot(projection="3d")
    unknown = {int(kind) for kind, _ in frame.cells} - {POLYVERTEX, POLYLINE, HEXAHEDRON}
    if unknown:
        raise ValueError(f"cells of kind {min(unknown)} are not drawn here")
    solids = [members for kind, members in frame.cells if kind == HEXAHEDRON]
    alone = np.array([members[0] for kind, members in frame.cells if kind == POLYVERTEX], dtype=int)
    if solids:
        alone = np.setdiff1d(alone, np.concatenate(solids))
        axes.add_collection3d(Poly3DCollection(frame.points[outer_faces(solids)], facecolor=SOLID, edgecolor=LINE,
                                               linewidth=0.5))
    axes.scatter(*frame.points[alone].T, s=14, color=POINT, depthshade=False)
    axes.add_collection3d(Line3DCollection([frame.points[members] for kind, members in frame.cells if kind == POLYLINE],
                                           color=LINE, linewidth=1.6))
    middle = 0.5 * (frame.points.min(axis=0) + frame.points.max(axis=0))
    reach = max(0.55 * np.ptp(frame.points, axis=0).max(), 1e-6)
    for centre, limit in zip(middle, (axes.set_xlim, axes.set_ylim, axes.set_zlim)):
        limit(centre - reach, centre + reach)
    axes.set_box_aspect((1, 1, 1))
    if np.ptp(frame.points[:, 2]) < 1e-9:
        axes.view_init(elev=90, azim=-90)  # a motion in the plane x-y, seen from above
    axes.set_xlabel("x, m")
    axes.set_ylabel("y, m")
    axes.set_zlabel("z, m")
    axes.set_title(frame.time_text, loc="left", color=INK)
    figure.savefig(path, dpi=120)
    plt.close(figure)


def main():
    parser = argparse.ArgumentParser(prog="render_frame", description=__doc__.splitlines()[0])
    parser.add_argument("xdmf", metavar="FILE.xdmf", help="the file beside a result")
    parser.add_argument("frame", metavar="FRAME", type=int, help="its number, from 0; -1 is the last")
    parser.add_argument("picture", metavar="OUT.png", help="the picture, in the format of its extension")
    arguments = parser.parse_args()
    try:
        frame = Frame(arguments.xdmf, arguments.frame)
    except (OSError, ValueError, KeyError, AttributeError, ElementTree.ParseError) as error:
        sys.exit(f"render_frame: cannot read {arguments.xdmf}: {error}")
    try:
        draw(frame, arguments.picture)
    except (OSError, ValueError) as error:
        sys.exit(f"render_frame: cannot write {arguments.picture}: {error}")


if __name__ == "__main__":
    main()
