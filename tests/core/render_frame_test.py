#!/usr/bin/python3
"""Records a flight, reads its XDMF file back and renders a frame. Usage: render_frame_test.py WRITE_RESULT RENDER FOLDER"""

import os
import shutil
import subprocess
import sys

import h5py
import matplotlib.image
import numpy as np

write_result, render, folder = sys.argv[1:]
sys.path.insert(0, os.path.dirname(render))
import render_frame  # noqa: E402

os.makedirs(folder, exist_ok=True)
result = os.path.join(folder, "flight.h5")
xdmf = os.path.join(folder, "flight.xdmf")
picture = os.path.join(folder, "flight.png")
subprocess.run([write_result, result], check=True)

# After 0.5 s: the spinner has made a quarter turn and 0.5 m along y, all has fallen 1.25 m.
frame = render_frame.Frame(xdmf, -1)
assert frame.time == 0.5, frame.time
np.testing.assert_allclose(frame.points, [[0, 0.5, -0.25], [1.5, 0, 0.75], [0, 1.0, -0.25], [0, 0, 3]], atol=1e-5)
np.testing.assert_allclose(frame.velocity[1], [1, 0, -5], atol=1e-5)
assert [list(members) for kind, members in frame.cells] == [[0], [1], [2], [3], [2, 3]], frame.cells

contacts = frame.parts["contacts"]
np.testing.assert_array_equal(contacts.points, frame.points[[1, 1]])  # both at the ball
np.testing.assert_allclose(contacts.fields["contact_gap"], [0.75, 0.75], rtol=1e-6)
np.testing.assert_array_equal(contacts.fields["contact_normal"], [[0, 0, 1]] * 2)

# All frames are the rows of the HDF5 file.
with h5py.File(result, "r") as file:
    time = file["time"][...]
    points, velocity = (file[name][...].reshape(51, 6, 3) for name in ("VTKHDF/Points", "VTKHDF/PointData/velocity"))
    fields = {name: file[f"visualization/{name}"][...].reshape(51, 2, -1).squeeze()
              for name in ("contact_normal", "contact_force", "contact_gap", "contact_state")}
for number in range(51):
    frame = render_frame.Frame(xdmf, number)
    assert abs(frame.time - time[number]) < 1e-12
    assert (frame.points == points[number, :4]).all() and (frame.velocity == velocity[number, :4]).all()
    contacts = frame.parts["contacts"]
    assert (contacts.points == points[number, 4:]).all() and set(contacts.fields) == set(fields)
    for name, values in fields.items():
        np.testing.assert_array_equal(contacts.fields[name], values[number], name)

# In the place of the time equilibria have load factors, and modes frequencies.
assert render_frame.Frame(xdmf, 10).time_text == "t = 0.1 s"
for unit, title in (("1", "load factor 0.1"), ("Hz", "f = 0.1 Hz")):
    other = os.path.join(folder, "other")
    os.makedirs(other, exist_ok=True)
    for name in (result, xdmf):
        shutil.copy(name, other)
    with h5py.File(os.path.join(other, "flight.h5"), "r+") as file:
        file["time"].attrs["unit"] = unit
    assert render_frame.Frame(os.path.join(other, "flight.xdmf"), 10).time_text == title, unit

if os.path.exists(picture):
    os.remove(picture)
subprocess.run([sys.executable, render, xdmf, "-1", picture], check=True)
image = matplotlib.image.imread(picture)
assert len(np.unique(image.reshape(-1, image.shape[2]), axis=0)) > 10, "the picture is empty"

for arguments in ([xdmf, "99", picture], [result, "0", picture], ["missing.xdmf", "0", picture], [xdmf, "0", "no/x.png"]):
    failed = subprocess.run([sys.executable, render, *arguments], capture_output=True, text=True)
    assert failed.returncode == 1 and failed.stderr.count("\n") == 1, failed.stderr
