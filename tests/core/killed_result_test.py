#!/usr/bin/python3
"""Kills a program that records and reads with h5py what is left. Usage: killed_result_test.py WRITE_RESULT FOLDER"""

import os
import subprocess
import sys
import time

import h5py
import numpy as np

from vtkhdf_check import check_vtkhdf

write_result, folder = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
path = os.path.join(folder, "killed.h5")


def is_constant(name):
    if name.startswith("VTKHDF/"):
        return not name.startswith(("VTKHDF/Steps", "VTKHDF/Point", "VTKHDF/CellData"))
    return name.startswith(("model/", "visualization/topology/")) or name in (
        "visualization/owners", "visualization/line_radius", "visualization/box_point", "visualization/box_half",
        "visualization/point_node", "visualization/sphere_point", "visualization/sphere_radius", "visualization/contacts",
        "visualization/triangle")


def check_balls(file):
    """Contacts that were found: rows of complete records are those of balls that were near."""
    count = len(file["time"])
    ground = file["contact_sets/ground"]
    end = ground["end"][:count]
    assert len(ground["end"]) >= count and (np.diff(end, prepend=0) == ground["count"][:count]).all()
    heights = np.stack([file[f"nodes/ball {i}/position"][:count, 2] for i in range(3)])
    record = np.repeat(np.arange(count), np.diff(end, prepend=0))
    rows = end[-1] if count else 0
    for name in ("key", "point", "normal", "gap", "force", "impulse", "state"):
        assert len(ground[name]) >= rows, f"{name} has {len(ground[name])} of {rows} rows"
    np.testing.assert_array_equal(ground["gap"][:rows], heights[ground["key"][:rows, 1], record])
    np.testing.assert_array_equal(ground["normal"][:rows], np.tile([0.0, 0.0, 1.0], (rows, 1)))
    return count


def check_flight(file):
    count = len(file["time"])
    t = file["time"][...]
    np.testing.assert_allclose(t, 1e-3 * np.arange(count), atol=1e-12)

    for name in ("rim", "mean", "steps"):
        sensor = file[f"sensors/{name}"]
        samples = len(sensor["time"])
        interval = sensor.attrs["interval"]
        multiples = interval * np.arange(samples) if interval > 0 else 1e-3 * np.arange(samples)
        np.testing.assert_allclose(sensor["time"], 1e-3 * np.ceil(multiples / 1e-3 - 1e-6), atol=1e-12)
        assert all(len(data) >= samples for data in sensor.values()), name
    sampled = len(file["sensors/steps/time"])
    np.testing.assert_array_equal(file["sensors/steps/count"][:sampled], np.arange(sampled))

    def read(name, item):
        if isinstance(item, h5py.Dataset):
            data = item[...]
            if not is_constant(name) and not name.startswith("sensors/"):
                assert len(data) >= count, f"{name} has {len(data)} of {count} rows"

    file.visititems(read)
    np.testing.assert_allclose(file["nodes/ball/position"][:count, 2], 2 - 5 * t**2, rtol=1e-9, atol=1e-12)
    check_vtkhdf(file)
    assert file.attrs["title"] == "Picus: flight"
    assert file["nodes/ball/velocity"].attrs["unit"] == "m/s"
    assert list(file["model/nodes"]["kind"]) == [b"frame", b"point", b"scalar"]
    return count


for options, check in (([], check_flight), (["--balls"], check_balls)):
    counts = []
    for delay in (0.15, 0.3, 0.45):
        writer = subprocess.Popen([write_result, path, *options, "--forever"])
        time.sleep(delay)
        while not os.path.exists(path):
            time.sleep(0.01)
        writer.kill()
        writer.wait()
        with h5py.File(path, "r") as result:
            counts.append(check(result))
            assert "outcome" not in result.attrs
        os.remove(path)
    assert max(counts) > 0, counts
