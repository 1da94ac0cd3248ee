#!/usr/bin/python3
"""Reads a recorded flight as a reader of VTKHDF files does. Usage: vtkhdf_test.py WRITE_RESULT FOLDER"""

import os
import subprocess
import sys

import h5py
import numpy as np
from vtkhdf_check import check_vtkhdf

write_result, folder = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
path = os.path.join(folder, "flight.h5")
subprocess.run([write_result, path], check=True)


class Reader:
    """What belongs to a step, found by the offsets alone."""

    def __init__(self, root):
        self.root = root

    def part(self, name, step):
        return int(self.root[name][self.root["Steps/PartOffsets"][step]])

    def points(self, step):
        first = self.root["Steps/PointOffsets"][step]
        return self.root["Points"][first:first + self.part("NumberOfPoints", step)]

    def point_data(self, name, step):
        first = self.root[f"Steps/PointDataOffsets/{name}"][step]
        return self.root[f"PointData/{name}"][first:first + self.part("NumberOfPoints", step)]

    def cells(self, step):
        first = self.root["Steps/CellOffsets"][step, 0]
        ids = self.root["Steps/ConnectivityIdOffsets"][step, 0]
        count = self.part("NumberOfCells", step)
        offsets = self.root["Offsets"][first:first + count + 1]
        connectivity = self.root["Connectivity"][ids:ids + self.part("NumberOfConnectivityIds", step)]
        return [connectivity[a:b].tolist() for a, b in zip(offsets[:-1], offsets[1:])]


with h5py.File(path, "r") as file:
    assert check_vtkhdf(file) == 51
    reader = Reader(file["VTKHDF"])
    assert file["VTKHDF/Steps/Values"][-1] == 0.5
    # After 0.5 s: the spinner has made a quarter turn and 0.5 m along y, all has fallen 1.25 m. Two contacts are at the ball.
    ball = [1.5, 0, 0.75]
    np.testing.assert_allclose(reader.points(50), [[0, 0.5, -0.25], ball, [0, 1.0, -0.25], [0, 0, 3], ball, ball], atol=1e-5)
    np.testing.assert_allclose(reader.point_data("velocity", 50)[[1, 4]], [[1, 0, -5]] * 2, atol=1e-5)
    assert reader.cells(50) == [[0], [1], [2], [3], [4], [5], [2, 3]]
    gap = reader.point_data("contact_gap", 50)
    assert np.isnan(gap[:4]).all()
    np.testing.assert_allclose(gap[4:], [0.75, 0.75], rtol=1e-6)
    np.testing.assert_array_equal(reader.point_data("contact_state", 50)[4:], [0, 0])
    np.testing.assert_array_equal(reader.point_data("contact_normal", 0)[4:], [[0, 0, 1]] * 2)
    np.testing.assert_array_equal(reader.point_data("contact_force", 0)[4:], np.zeros((2, 3)))

# The check sees what is wrong.
for spoil in (lambda root: root["Steps"].attrs.modify("NSteps", 52),
              lambda root: root["Offsets"].__setitem__(1, 3),
              lambda root: root["Steps/PointOffsets"].__setitem__(7, 0),
              lambda root: root.attrs.__setitem__("Type", "UnstructuredGrid"),
              lambda root: root["Steps/PointDataOffsets"].__delitem__("velocity")):
    spoilt = os.path.join(folder, "spoilt.h5")
    with open(path, "rb") as whole, open(spoilt, "wb") as copy:
        copy.write(whole.read())
    with h5py.File(spoilt, "r+") as file:
        spoil(file["VTKHDF"])
        try:
            check_vtkhdf(file)
        except AssertionError:
            continue
        raise SystemExit("the check has missed what is wrong")
