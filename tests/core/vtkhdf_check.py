"""Holds the group /VTKHDF of a file against the specification of the format for unstructured grids with steps.

VTK documentation, "VTKHDF file format", version 2.0: an UnstructuredGrid is a list of parts, here one. All parts of all
steps stand one after another; Steps tells where those of a step begin in each data set.
"""

import h5py
import numpy as np

POINTS_OF_A_CELL = {1: 1, 12: 8}  # vertex and hexahedron; a polyline (4) has two or more


def is_integer(data):
    return data.dtype.kind in "iu"


def check_vtkhdf(file):
    """The number of steps of a valid group; AssertionError for any other."""
    root = file["VTKHDF"]
    assert root.attrs["Version"].tolist() == [2, 0], root.attrs["Version"]
    kind = root.attrs.get_id("Type")
    assert root.attrs["Type"] in (b"UnstructuredGrid", "UnstructuredGrid"), root.attrs["Type"]
    assert kind.get_type().get_cset() == h5py.h5t.CSET_ASCII and not kind.get_type().is_variable_str()

    # One part: the mesh.
    counts = {}
    for name in ("NumberOfPoints", "NumberOfCells", "NumberOfConnectivityIds"):
        assert root[name].shape == (1,) and is_integer(root[name]), name
        counts[name] = int(root[name][0])
    points, cells, ids = counts.values()
    types, offsets, connectivity = (root[name][...] for name in ("Types", "Offsets", "Connectivity"))
    assert types.shape == (cells,) and types.dtype == np.uint8
    assert offsets.shape == (cells + 1,) and is_integer(offsets)
    assert connectivity.shape == (ids,) and is_integer(connectivity)
    assert offsets[0] == 0 and offsets[-1] == ids and (np.diff(offsets) > 0).all()
    assert ids == 0 or (connectivity.min() >= 0 and connectivity.max() < points)
    for cell, count in zip(types, np.diff(offsets)):
        assert count >= 2 if cell == 4 else count == POINTS_OF_A_CELL[int(cell)], (cell, count)

    steps = root["Steps"]
    count = int(steps.attrs["NSteps"])

    def of_steps(name, shape=()):
        data = steps[name]
        assert data.shape[1:] == shape and len(data) >= count, (name, data.shape, count)
        return data[:count]

    time = of_steps("Values")
    assert time.dtype.kind == "f" and (np.diff(time) > 0).all()
    assert (of_steps("PartOffsets") == 0).all()  # every step has the mesh of the first
    assert (of_steps("NumberOfParts") == 1).all()
    for name in ("CellOffsets", "ConnectivityIdOffsets"):
        assert is_integer(steps[name]) and (of_steps(name, (1,)) == 0).all(), name
    assert is_integer(steps["PointOffsets"])
    begins = of_steps("PointOffsets")
    assert (begins == points * np.arange(count)).all()
    assert root["Points"].shape[1:] == (3,) and root["Points"].dtype.kind == "f"
    assert len(root["Points"]) >= count * points

    for group, length in (("PointData", points), ("CellData", cells)):
        if group not in root:
            continue
        assert sorted(steps[f"{group}Offsets"]) == sorted(root[group]), group
        for name, data in root[group].items():
            assert isinstance(data, h5py.Dataset) and len(data.shape) in (1, 2), name
            assert is_integer(steps[f"{group}Offsets/{name}"]), name
            assert (of_steps(f"{group}Offsets/{name}") == length * np.arange(count)).all(), name
            assert len(data) >= count * length, f"{name} has {len(data)} of {count * length} rows"
    return count
