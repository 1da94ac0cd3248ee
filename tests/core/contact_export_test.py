#!/usr/bin/python3
"""Reads contacts that were exported for ParaView, as readers of VTKHDF and of XDMF do, and holds them against the result.

Usage: contact_export_test.py WRITE_RESULT ROOT FOLDER
"""

import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import h5py
import numpy as np

write_result, root_folder, folder = sys.argv[1:]
sys.path.insert(0, os.path.join(root_folder, "python"))
import picus_results  # noqa: E402

os.makedirs(folder, exist_ok=True)
path, out = (os.path.join(folder, name) for name in ("balls.h5", "balls_contacts.vtkhdf"))
subprocess.run([write_result, path, "--balls"], check=True)
SCRIPT = [sys.executable, os.path.join(root_folder, "scripts", "export_contacts.py")]


def check_grid(file):
    """Holds a grid with a part for each step against the specification; yields of each step its instant, points and fields."""
    root, steps = file["VTKHDF"], file["VTKHDF/Steps"]
    kind = root.attrs.get_id("Type")
    assert root.attrs["Version"].tolist() == [2, 0] and root.attrs["Type"] in (b"UnstructuredGrid", "UnstructuredGrid")
    assert kind.get_type().get_cset() == h5py.h5t.CSET_ASCII and not kind.get_type().is_variable_str()
    for i in range(int(steps.attrs["NSteps"])):
        assert steps["NumberOfParts"][i] == 1
        part = int(steps["PartOffsets"][i])
        points, cells, ids = (int(root[f"NumberOf{name}"][part]) for name in ("Points", "Cells", "ConnectivityIds"))
        assert points == cells == ids
        first, first_cell = int(steps["PointOffsets"][i]), int(steps["CellOffsets"][i, 0])
        # Readers find the offsets of the cells of a part behind those of all parts before it, one more than cells in each.
        offsets = root["Offsets"][first_cell + part:first_cell + part + cells + 1]
        np.testing.assert_array_equal(offsets, np.arange(cells + 1))
        first_id = int(steps["ConnectivityIdOffsets"][i, 0])
        np.testing.assert_array_equal(root["Connectivity"][first_id:first_id + ids], np.arange(points))
        assert (root["Types"][first_cell:first_cell + cells] == 1).all()
        assert sorted(steps["PointDataOffsets"]) == sorted(root["PointData"])
        fields = {}
        for name, data in root["PointData"].items():
            begin = int(steps[f"PointDataOffsets/{name}"][i])
            fields[name] = data[begin:begin + points]
            assert len(fields[name]) == points
        yield float(steps["Values"][i]), root["Points"][first:first + points], fields
    assert len(root["Offsets"]) == len(root["Types"]) + len(root["NumberOfCells"])


def check_against_result(run, records):
    with h5py.File(out, "r") as file:
        seen = list(check_grid(file))
        assert file.attrs["contact_sets"].tolist() == ["ground", "wall"]
    assert len(seen) == len(records)
    for record, (time, points, fields) in zip(records, seen):
        assert time == run.time[record]
        sets = [found.at(record) for found in run.contact_sets.values()]
        np.testing.assert_array_equal(points, np.concatenate([rows["point"] for rows in sets]).astype("f4"))
        for name in ("force", "normal", "gap", "state", "key", "impulse"):
            expected = np.concatenate([rows[name] for rows in sets])
            np.testing.assert_array_equal(fields[f"contact_{name}"], expected.astype(fields[f"contact_{name}"].dtype))
        np.testing.assert_array_equal(fields["contact_set"], np.repeat([0, 1], [len(rows["gap"]) for rows in sets]))
    return seen


def check_xdmf(seen):
    """That the raw numbers to which it refers are those of the grid."""
    types = {"Float": "f4", "Int": "i4", "UChar": "u1"}
    tree = ElementTree.parse(os.path.splitext(out)[0] + ".xdmf")
    frames = tree.findall("./Domain/Grid/Grid")
    assert len(frames) == len(seen)

    def numbers(item):
        assert item.text == os.path.basename(out) and item.get("Endian") == sys.byteorder.capitalize()
        shape = [int(n) for n in item.get("Dimensions").split()]
        with open(out, "rb") as file:
            file.seek(int(item.get("Seek")))
            return np.fromfile(file, types[item.get("NumberType")], int(np.prod(shape))).reshape(shape)

    for frame, (time, points, fields) in zip(frames, seen):
        assert abs(float(frame.find("Time").get("Value")) - time) < 1e-12
        grids = frame.findall("Grid")
        assert len(grids) == (1 if len(points) else 0)
        for grid in grids:
            np.testing.assert_array_equal(numbers(grid.find("Geometry/DataItem")), points)
            topology = numbers(grid.find("Topology/DataItem")).reshape(-1, 3)
            np.testing.assert_array_equal(topology, [[1, 1, i] for i in range(len(points))])
            assert int(grid.find("Topology").get("NumberOfElements")) == len(points)
            assert {attribute.get("Name") for attribute in grid.findall("Attribute")} == set(fields)
            for attribute in grid.findall("Attribute"):
                np.testing.assert_array_equal(numbers(attribute.find("DataItem")), fields[attribute.get("Name")])


with picus_results.open(path) as run:
    subprocess.run([*SCRIPT, path, out], check=True)
    seen = check_against_result(run, range(len(run.time)))
    counts = [len(points) for _, points, _ in seen]
    assert min(counts) == 0 and max(counts) > 1, "contacts come and go"
    check_xdmf(seen)
    subprocess.run([*SCRIPT, "--frames", "7", "--from=0.1", "--to=0.4", path, out], check=True)
    chosen = np.flatnonzero((run.time >= 0.1) & (run.time <= 0.4))
    check_xdmf(check_against_result(run, chosen[np.linspace(0, len(chosen) - 1, 7).round().astype(int)]))
    # Before anything is near: steps without a contact.
    subprocess.run([*SCRIPT, "--to=0.1", path, out], check=True)
    seen = check_against_result(run, range(int((run.time <= 0.1).sum())))
    assert not any(len(points) for _, points, _ in seen)
    check_xdmf(seen)

# Texts of a foreign file break neither format, and forces beyond float32 are infinite.
forged = os.path.join(folder, "forged.h5")
with open(path, "rb") as whole, open(forged, "wb") as copy:
    copy.write(whole.read())
with h5py.File(forged, "r+") as file:
    file.attrs["title"] = "a\x1b]0;<b>&\"\n"
    file.move("contact_sets/wall", "contact_sets/w\x01<&")
    force = file["contact_sets/ground/force"][...]
    file["contact_sets/ground/force"][...] = np.full_like(force, 1e300)
subprocess.run([*SCRIPT, forged, out], check=True)
frames = ElementTree.parse(os.path.splitext(out)[0] + ".xdmf").getroot()[0][0]
assert frames.get("Name") == 'a\\x1b]0;<b>&"\\n', frames.get("Name")
with h5py.File(out, "r") as file:
    assert file.attrs["contact_sets"].tolist() == ["ground", "w\\x01<&"]
    data = file["VTKHDF/PointData/contact_force"][...]
    assert np.isinf(data[file["VTKHDF/PointData/contact_set"][...] == 0]).all()
