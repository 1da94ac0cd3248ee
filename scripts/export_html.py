#!/usr/bin/python3
"""Writes the motion of a result as one page that needs no network: what `picus export --html` runs.

Usage: export_html.py FILE OUT.html [--frames N] [--from T] [--to T] [--plot QUANTITY ...] [--colour QUANTITY]
"""

import argparse
import base64
import glob
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, os.pardir, "python"))

try:
    import h5py
    import jinja2
    import numpy as np
    import picus_results
except ImportError as error:
    sys.exit(f"export_html: the Python module {error.name} is missing; on Debian: "
             "apt-get install python3-h5py python3-jinja2 python3-numpy")

POLYVERTEX, POLYLINE, HEXAHEDRON = 1, 2, 9
THREE = ("/usr/share/javascript/three/three.min.js", "/usr/share/nodejs/three/build/three.min.js")
DEFAULT_PLOTS = ("contacts/*/gap", "energy/*")
MOST_SERIES = 24
FACES = np.array([[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]])


def text(value):
    return value.decode() if isinstance(value, bytes) else value


def pack(array, dtype):
    return base64.b64encode(np.ascontiguousarray(array, dtype).tobytes()).decode()


def quantised(values, low, high, dtype=np.uint16):
    """Values as fractions of [low, high] in whole numbers, and what gives them back."""
    most = np.iinfo(dtype).max
    span = np.where(high > low, high - low, 1.0)
    return {"low": np.atleast_1d(low).tolist(), "span": np.atleast_1d(span).tolist(),
            "data": pack(np.rint((values - low) / span * most), dtype)}


def cells(connectivity):
    """Lines and hexahedra of a topology in XDMF's encoding."""
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


def outer_faces(solids):
    """Quadrangles that belong to one hexahedron only, with its number."""
    found = {}
    for number, solid in enumerate(np.asarray(solids, int).reshape(-1, 8)):
        for face in solid[FACES]:
            key = tuple(sorted(face))
            found[key] = None if key in found else (face.tolist(), number)
    return [entry for entry in found.values() if entry is not None]


class Frames:
    """Which records are shown."""

    def __init__(self, time, most, begin, end):
        chosen = np.ones(len(time), bool)
        if begin is not None:
            chosen &= time >= begin
        if end is not None:
            chosen &= time <= end
        records = np.flatnonzero(chosen)
        if len(records) < 2:
            raise ValueError("there are fewer than two records in the time that is asked for")
        self.records = records[np.unique(np.linspace(0, len(records) - 1, min(most, len(records))).round().astype(int))]
        self.time = time[self.records]

    def at(self, data):
        """Rows of a data set or array; one contiguous read, since h5py is slow with lists."""
        first, last = self.records[0], self.records[-1] + 1
        return np.asarray(data[first:last])[self.records - first]

    def since_last(self, data, reduce):
        """`reduce` (np.add, np.maximum) over the records since the frame before, so that a short event is not lost."""
        first, last = self.records[0], self.records[-1] + 1
        starts = np.concatenate(([0], self.records[:-1] + 1 - first))
        return reduce.reduceat(np.asarray(data[first:last]), starts, axis=0)


def read_contacts(file, run, frames):
    """Point, force and state of every contact in each frame."""
    if "visualization/contact_points" not in file:
        return None
    names = [text(name) for name in file["visualization/contact_names"]["name"]]
    points = frames.at(file["visualization/contact_points"])
    impulse = frames.since_last(file["visualization/contact_impulses"], np.add)
    # The impulse since the frame before, over the time since then.
    step = np.diff(frames.time, prepend=2 * frames.time[0] - frames.time[1])
    force = impulse / step[:, None, None]
    state = np.stack([frames.since_last(run[f"contacts/{name}/state"].values, np.maximum) for name in names], axis=1)
    return names, points, force, state


def scalar_fields(file, run, frames, solids, colour):
    """Colours: speed of the points, and a quantity of the solids."""
    fields = []
    speed = np.linalg.norm(frames.at(file["visualization/velocity"]), axis=2)
    if speed.max() > 0:
        fields.append({"name": "speed", "unit": "m/s", "on": "points",
                       **quantised(speed, 0.0, float(speed.max()), np.uint8)})
    for quantity in solid_quantities(run, solids, colour):
        values = frames.at(quantity.values).reshape(len(frames.time), -1)
        low, high = float(values.min()), float(values.max())
        fields.append({"name": quantity.name.split("/", 1)[1], "unit": quantity.unit, "on": "solids",
                       **quantised(values, low, high, np.uint8)})
    return fields


def solid_quantities(run, solids, colour):
    """One number for each solid cell."""
    if not solids:
        return []
    if colour:
        wanted = run.find(colour)
    else:
        wanted = [run[name] for name in run.names("elements/*/von_mises")]
    fitting = [quantity for quantity in wanted if quantity.values[0].size == len(solids)]
    if colour and not fitting:
        raise ValueError(f"--colour: {colour} is not one number for each of the {len(solids)} solid cells")
    return fitting


def read_series(run, frames, patterns):
    """Curves for the time plot; those of all records between frames are thinned to their extremes."""
    patterns = patterns or [pattern for pattern in DEFAULT_PLOTS if run.names(pattern)]
    series = []
    for quantity in run.find(*patterns) if patterns else []:
        for part in quantity.components():
            if len(series) == MOST_SERIES:
                return series
            values = frames.at(part.values.astype(float))
            if np.isfinite(values).all():
                series.append({"name": part.name, "unit": part.unit, "data": pack(values, np.float32)})
    return series


def find_three():
    for path in THREE + tuple(sorted(glob.glob(os.path.join(HERE, "three*.min.js")))):
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                return file.read()
    raise FileNotFoundError("three.min.js is missing; on Debian: apt-get install libjs-three")


def collect(path, given):
    """All that the page shows, as plain values."""
    with picus_results.open(path) as run, h5py.File(path, "r") as file:
        if "visualization/points" not in file:
            raise ValueError(f"{path} has no /visualization: it was recorded without it")
        frames = Frames(run.time, given.frames, given.begin, given.end)
        group = file["visualization"]
        points = frames.at(group["points"])
        if points.shape[1] == 0:
            raise ValueError(f"{path} has nothing that can be drawn")
        lines, solids = cells(group["connectivity"][...])
        faces = outer_faces(solids)
        low, high = points.min(axis=(0, 1)), points.max(axis=(0, 1))
        data = {
            "title": run.title.removeprefix("Picus: "),
            "integrator": str(run.attributes.get("integrator", "")),
            "step": run.attributes.get("step"),
            "outcome": run.outcome,
            "time": pack(frames.time, np.float64),
            "frames": len(frames.time),
            "points": {"count": points.shape[1], **quantised(points, low, high)},
            "owners": [text(row["owner"]) for row in group["owners"]],
            "lines": lines,
            "radii": group["line_radius"][...].tolist() if "line_radius" in group else [0.0] * len(lines),
            "faces": [face for face, _ in faces],
            "face_solid": [number for _, number in faces],
            "solids": len(solids),
            "fields": scalar_fields(file, run, frames, solids, given.colour),
            "series": read_series(run, frames, given.plot),
        }
        if "boxes" in group:
            boxes = group["boxes"]
            data["boxes"] = [{"point": int(row["point"]), "half": [float(x) for x in row["half"]],
                              "turn": [float(x) for x in row["turn"]]} for row in boxes]
            data["turns"] = pack(np.rint(frames.at(group["box_rotation"]) * 32767), np.int16)
        contacts = read_contacts(file, run, frames)
        if contacts:
            names, where, force, state = contacts
            data["contacts"] = {"names": names, "state": pack(state, np.uint8), "points": quantised(where, low, high),
                                "force": pack(force, np.float32), "most": float(np.linalg.norm(force, axis=2).max())}
        return data


def main():
    parser = argparse.ArgumentParser(prog="export_html")
    parser.add_argument("--frames", type=int, default=600)
    parser.add_argument("--from", dest="begin", type=float)
    parser.add_argument("--to", dest="end", type=float)
    parser.add_argument("--plot", action="append", default=[])
    parser.add_argument("--colour")
    parser.add_argument("file")
    parser.add_argument("out")
    given = parser.parse_args()
    data = collect(given.file, given)
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(HERE), undefined=jinja2.StrictUndefined,
                                     autoescape=True)
    sources = {}
    for name in ("animation.css", "animation.js"):
        with open(os.path.join(HERE, name), encoding="utf-8") as file:
            sources[name.replace(".", "_")] = file.read()
    # "</" would end the script that holds the data.
    page = environment.get_template("animation.html.jinja").render(
        title=data["title"], three=find_three(), data=json.dumps(data, separators=(",", ":")).replace("</", "<\\/"), **sources)
    with open(given.out, "w", encoding="utf-8") as file:
        file.write(page)


if __name__ == "__main__":
    try:
        main()
    except KeyError as error:
        sys.exit(f"export_html: {error.args[0]}")
    except (OSError, ValueError) as error:
        sys.exit(f"export_html: {error}")
