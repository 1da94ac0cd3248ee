#!/usr/bin/python3
"""Writes the motion of a result as one page that needs no network: what `picus export --html` runs.

Usage: export_html.py FILE OUT.html [--frames N] [--from T] [--to T] [--plot QUANTITY ...] [--colour QUANTITY]
"""

import argparse
import base64
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, os.pardir, "python"))

try:
    import jinja2
    import numpy as np
    import picus_results
    from drawn_bodies import DrawnBodies
    from guard import Refusal, guarded
    from new_file import write_text
    from picus_results import printable
    from picus_results.names import matches
except ImportError as error:
    sys.exit(f"export_html: the Python module {error.name} is missing; on Debian: "
             "apt-get install python3-h5py python3-jinja2 python3-numpy")

THREE = ("/usr/share/javascript/three/three.min.js", "/usr/share/nodejs/three/build/three.min.js")
THREE_LICENCE = """three.js, https://threejs.org

The MIT License

Copyright \u00a9 2010-2019 three.js authors

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy,
modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software
is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES
OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE
LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR
IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
"""
DEFAULT_PLOTS = ("nodes/*/position", "nodes/*/value", "contacts/*/gap", "energy/*")
MOST_SERIES = 40
MOST_OF_A_PLOT = 12  # of one pattern that nobody asked for
MOST_FOUND = 300  # contacts of a frame, of those that come and go
NO_COLOUR = 255
COSINE_OF_SMOOTH = 0.94  # 20 degrees between neighbouring triangles
#: of the program in the page, in their order
PARTS = ("data", "scene", "lines", "bodies", "contacts", "colours", "camera", "hover", "player", "plot", "capture", "controls")
FACES = np.array([[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]])


def pack(array, dtype):
    return base64.b64encode(np.ascontiguousarray(array, dtype).tobytes()).decode()


def quantised(values, low, high):
    """Values as fractions of [low, high] in 16 bits, and what gives them back."""
    span = np.where(high > low, high - low, 1.0)
    return {"low": low.tolist(), "span": span.tolist(), "data": pack(np.rint((values - low) / span * 65535), np.uint16)}


def outer_faces(solids):
    """Quadrangles that belong to one hexahedron only, with its number."""
    found = {}
    for number, solid in enumerate(np.asarray(solids, int).reshape(-1, 8)):
        for face in solid[FACES]:
            key = tuple(sorted(face))
            found[key] = None if key in found else (face.tolist(), number)
    return [entry for entry in found.values() if entry is not None]


NO_EDGE, SMOOTH_EDGE, SHARP_EDGE = 0, 1, 2


def kinds_of_lines(drawing, start):
    """Which lines are edges of triangles: sharp ones, which are drawn, and those where a curved surface is divided."""
    normals = {}
    for triangle in drawing.triangles:
        a, b, c = start[triangle]
        normal = np.cross(b - a, c - a)
        for pair in zip(triangle, triangle[1:] + triangle[:1]):
            normals.setdefault(frozenset(pair), []).append(normal / max(np.linalg.norm(normal), 1e-300))

    def kind(line):
        beside = normals.get(frozenset(line)) if len(line) == 2 else None
        if beside is None:
            return NO_EDGE
        return SMOOTH_EDGE if len(beside) == 2 and beside[0] @ beside[1] > COSINE_OF_SMOOTH else SHARP_EDGE

    return [kind(line) for line in drawing.lines]


class Frames:
    """Which of the instants `time` are shown: those at `places`."""

    def __init__(self, time, places):
        self.places, self.time = places, time[places]
        self.span = (int(places[0]), int(places[-1]) + 1)
        self.starts = np.concatenate(([0], places[:-1] + 1 - places[0]))  # of the instants since the frame before

    @classmethod
    def choose(cls, time, time_name, most, begin, end):
        chosen = np.ones(len(time), bool)
        if begin is not None:
            chosen &= time >= begin
        if end is not None:
            chosen &= time <= end
        places = np.flatnonzero(chosen)
        if len(places) < 2:
            raise Refusal(f"there are fewer than two pictures in the {time_name} that is asked for; "
                             "picus run --frames records more of them")
        return cls(time, places[np.unique(np.linspace(0, len(places) - 1, min(most, len(places))).round().astype(int))])

    def at(self, values):
        """Of values at all instants in the span, those of the frames."""
        return values[self.places - self.span[0]]

    def since_last(self, values, reduce):
        """`reduce` (np.add, np.maximum) over the instants since the frame before, so that a short event is not lost."""
        return reduce.reduceat(values, np.minimum(self.starts, len(values) - 1), axis=0)

    def mean(self, values):
        count = np.diff(self.starts, append=len(values))
        return self.since_last(values, np.add) / count.reshape(-1, *([1] * (values.ndim - 1)))


def read_contacts(drawing, frames, points):
    """Force, state, normal and foot (on the other body) of every contact in each frame."""
    count = len(drawing.contacts)
    if count == 0:
        return None
    force = frames.mean(drawing.contact("force", *frames.span).astype(float))
    state = frames.since_last(drawing.contact("state", *frames.span), np.maximum)
    normal, gap = (frames.at(drawing.contact(name, *frames.span)) for name in ("normal", "gap"))
    return force, state, normal, points[:, drawing.point_count - count:] - gap[:, :, None] * normal


def read_found(run, records):
    """Contacts that come and go, frame by frame those that have been closed since the frame before, the strongest of them: where
    they last were, their mean force and largest state. None if there are none."""
    sets = [found for found in run.contact_sets.values() if {"key", "point", "force", "state"} <= set(found.quantities)]
    if not sets:
        return None
    frames = []
    before = records.places[0] - 1
    for last in records.places:
        first, before = min(before + 1, last), last
        of_frame = [closed_contacts(found.between(first, last + 1), last + 1 - first) for found in sets]
        place, force, state = (np.concatenate(part) for part in zip(*of_frame))
        strongest = np.argsort(-np.linalg.norm(force, axis=1), kind="stable")[:MOST_FOUND]
        frames.append((place[strongest], force[strongest], state[strongest]))
    counts = [len(state) for _, _, state in frames]
    place, force, state = (np.concatenate(part) for part in zip(*frames))
    sizes = np.linalg.norm(force, axis=1)
    return {"starts": [0, *np.cumsum(counts).tolist()], "place": pack(place, np.float32), "force": pack(force, np.float32),
            "state": pack(state, np.uint8), "typical": typical_of(sizes)}


def closed_contacts(rows, records):
    """One row for each contact that is closed in some of the records, of which there are so many."""
    with np.errstate(over="ignore"):
        shown = np.hstack((rows["point"], rows["force"])).astype(np.float32)
    seen = (rows["state"] > 0) & np.isfinite(shown).all(axis=1)
    keys, which = np.unique(rows["key"][seen], axis=0, return_inverse=True)
    which = which.reshape(-1)
    place, force, state = np.zeros((len(keys), 3)), np.zeros((len(keys), 3)), np.zeros(len(keys), np.uint8)
    place[which] = shown[seen, :3]  # the last one stays
    np.add.at(force, which, shown[seen, 3:] / records)
    np.maximum.at(state, which, rows["state"][seen])
    return place, force, state


def typical_of(sizes):
    """The size of force whose arrow has the usual length."""
    return float(np.percentile(sizes[sizes > 0], 90)) if (sizes > 0).any() else 1.0


def planes_at_rest(normal, foot, extent):
    """Rectangles of the planes that rest while contacts touch them, and the contacts whose other side moves."""
    planes, moving = [], []
    for contact in range(normal.shape[1]):
        n = normal[0, contact]
        height = foot[:, contact] @ n
        if np.abs(normal[:, contact] - n).max() > 1e-3 or np.ptp(height) > 1e-3 * extent:
            moving.append(contact)
            continue
        known = [plane for plane in planes if np.abs(plane["normal"] - n).max() < 1e-3
                 and abs(plane["height"] - height[0]) < 1e-3 * extent]
        if known:
            known[0]["contacts"].append(contact)
        else:
            planes.append({"normal": n, "height": height[0], "contacts": [contact]})
    return [rectangle(plane["normal"], foot[:, plane["contacts"]].reshape(-1, 3), extent) for plane in planes], moving


def is_between_spheres(spheres, points, place, foot, tolerance):
    """Whether a contact is on one sphere and its foot on another one, where there is no face, in a few of the frames."""
    some = slice(None, None, max(len(points) // 20, 1))

    def those_at(x):
        return {point for point, radius in spheres
                if np.abs(np.linalg.norm(x[some] - points[some, point], axis=1) - radius).max() < tolerance}

    on_one = those_at(place)
    return bool(on_one) and len(on_one | those_at(foot)) > 1


def rectangle(n, feet, extent):
    """Corners of the part of a plane around places on it."""
    across = np.cross(n, np.eye(3)[np.argmin(np.abs(n))])
    across /= np.linalg.norm(across)
    axes = np.array([across, np.cross(n, across)])
    places = feet @ axes.T
    margin = 0.12 * extent
    (a, b), (c, d) = places.min(axis=0) - margin, places.max(axis=0) + margin
    middle = n * np.mean(feet @ n)
    return [(middle + axes.T @ corner).tolist() for corner in np.array([[a, b], [c, b], [c, d], [a, d]])]


def up_axis(rectangles, points):
    """The axis that is shown upwards: normal to what bodies rest on, y for a motion in the plane x-y, z otherwise."""
    spans = np.ptp(points, axis=(0, 1))
    if spans[2] < 1e-3 * np.linalg.norm(spans):
        return "y"
    corners = [np.asarray(corners) for corners in rectangles]
    normals = [np.abs(np.cross(c[1] - c[0], c[3] - c[0])) for c in corners]
    return "xyz"[int(np.argmax(np.sum(normals, axis=0)))] if normals else "z"


class Field:
    """One number on points or cells that colours stand for."""

    def __init__(self, name, unit, on, values):
        self.name, self.unit, self.on, self.values = name, unit, on, values

    def packed(self, keep):
        """Of the points or cells `keep`, in steps of 1/254 of the range; NO_COLOUR where there is no value.

        Rare peaks far beyond all else, as in the instant of an impact, are left out of the range, so that it serves all others.
        """
        values = self.values[:, keep]
        finite = np.isfinite(values)
        known = values[finite] if finite.any() else np.zeros(1)
        least, low, high, most = (float(value) for value in np.percentile(known, (0, 0.5, 99.5, 100)))
        span = high - low
        low, high = least if low - least <= span / 2 else low, most if most - high <= span / 2 else high
        shares = np.clip((np.where(finite, values, low) - low) / (high - low if high > low else 1.0), 0, 1)
        data = np.where(finite, np.rint(shares * 254), NO_COLOUR)
        return {"name": self.name, "unit": self.unit, "on": self.on, "low": low, "high": high, "least": least, "most": most,
                "data": pack(data, np.uint8)}


def read_fields(drawing, frames, wanted):
    """Speed of the points and all single numbers of the cells, or those that are wanted, also of more numbers."""
    fields = [Field("speed", "m/s", "points", np.linalg.norm(frames.at(drawing.velocity(*frames.span)), axis=2))]
    for name, unit in drawing.cell_quantities.items():
        values = frames.at(drawing.cells(name, *frames.span))
        if values.ndim == 2:
            fields.append(Field(name, unit, "cells", values))
        elif wanted:
            units = [part.strip() for part in unit.split(",")]
            fields += [Field(f"{name}.{i}", units[i] if len(units) == values.shape[2] else unit, "cells", values[:, :, i])
                       for i in range(values.shape[2])]
    if not wanted:
        return fields
    chosen = [field for field in fields if matches(wanted, field.name)]
    if not chosen:
        raise Refusal(f"--colour: nothing that can be shown as a colour is called {wanted}; there is "
                         + ", ".join(printable(field.name) for field in fields))
    return chosen


def read_series(run, frames, patterns):
    """Curves of the time plot: values in the frames (of sensors the last sample), and the least and largest since the
    frame before."""
    series = []
    energies = max((float(np.ptp(one.values)) for one in run.find("energy/*")), default=0.0) if run.names("energy/*") else 0.0
    for pattern in patterns or [pattern for pattern in DEFAULT_PLOTS if run.names(pattern)]:
        of_pattern = 0
        for quantity in run.find(pattern):
            own = frames
            if quantity.name.startswith("sensors/"):
                last = np.searchsorted(quantity.time, frames.time * (1 + 1e-12), side="right") - 1
                own = Frames(quantity.time, np.maximum(last, 0))
            parts = [(part, part.values[own.span[0]:own.span[1]].astype(float)) for part in quantity.components()]
            rounding = 1e-9 * max((np.ptp(values) for _, values in parts), default=0.0)
            if quantity.name.startswith("energy/"):
                rounding = 1e-9 * energies
            for part, values in parts:
                is_dull = not patterns and (of_pattern == MOST_OF_A_PLOT or np.ptp(values) <= rounding)
                if len(series) == MOST_SERIES or is_dull or not np.isfinite(values).all():
                    continue
                of_pattern += 1
                series.append({"name": part.name, "unit": part.unit, "data": pack(own.at(values), np.float32),
                               "low": pack(own.since_last(values, np.minimum), np.float32),
                               "high": pack(own.since_last(values, np.maximum), np.float32)})
    return series


def read_three():
    """three.js with its licence, which asks to stand in every copy; Debian's file has none."""
    for path in THREE:
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                return f"/*\n{THREE_LICENCE}*/\n{file.read()}"
    raise Refusal("three.min.js is missing; on Debian: apt-get install libjs-three")


def collect(path, given):
    """All that the page shows, as plain values."""
    with picus_results.open(path) as run:
        drawing = run.drawing
        if drawing is None or drawing.point_count == 0:
            raise Refusal(f"{path} holds nothing that can be drawn")
        frames = Frames.choose(drawing.time, run.time_name, given.frames, given.begin, given.end)
        # Pictures are taken at records.
        records = Frames(run.time, np.minimum(np.searchsorted(run.time, frames.time), len(run.time) - 1))
        points = frames.at(drawing.points(*frames.span)).astype(float)
        if not np.isfinite(points).all():
            raise Refusal(f"{path}: positions that it holds are no numbers")
        faces = outer_faces(drawing.solids)

        # Points within solids are never seen.
        within = set(np.ravel(drawing.solids).astype(int)) if drawing.solids else set()
        within -= {point for face, _ in faces for point in face} | {point for line in drawing.lines for point in line}
        within -= {point for triangle in drawing.triangles for point in triangle}
        within -= {box.point for box in drawing.boxes}
        keep = np.array([i for i in range(drawing.point_count) if i not in within])
        place = {int(point): i for i, point in enumerate(keep)}
        seen_solids = sorted({number for _, number in faces})
        solid_place = {number: i for i, number in enumerate(seen_solids)}
        cells = np.array([*range(len(drawing.lines)), *(len(drawing.lines) + number for number in seen_solids)], int)

        low, high = points.min(axis=(0, 1)), points.max(axis=(0, 1))
        extent = float(np.linalg.norm(high - low))
        bodies = DrawnBodies(drawing, points, extent)
        reach = max([2 * radius for _, radius in drawing.spheres]
                    + [2 * np.linalg.norm(drawing.boxes[i].half) for i in bodies.only_boxes], default=0.0)
        extent = max(extent, float(reach), 1e-9)
        data = {
            "title": printable(run.title.removeprefix("Picus: ")),
            "integrator": printable(run.attributes.get("integrator", "")),
            "step": run.attributes.get("step") if run.time_unit == "s" else None,
            "outcome": run.outcome,
            "time": pack(frames.time, np.float64),
            "time_name": {"1": "load factor", "Hz": "f"}.get(run.time_unit, "t"),
            "time_unit": "" if run.time_unit == "1" else printable(run.time_unit),
            "frames": len(frames.time),
            "extent": extent,
            "points": {"count": len(keep), "own": sum(int(point) < drawing.point_count - len(drawing.contacts) for point in keep),
                       **quantised(points[:, keep], low, high)},
            "owners": [drawing.owners[point] for point in keep],
            "lines": [[place[point] for point in line] for line in drawing.lines],
            "line_kinds": kinds_of_lines(drawing, points[0]),
            "radii": drawing.radii,
            "faces": [[place[point] for point in face] for face, _ in faces],
            "face_solid": [solid_place[number] for _, number in faces],
            "triangles": [[place[point] for point in triangle] for triangle in drawing.triangles],
            "boxes": [{"point": place[box.point], "half": box.half, "is_only": i in bodies.only_boxes}
                      for i, box in enumerate(drawing.boxes)],
            "nodes": drawing.point_nodes and [place.get(drawing.point_nodes[point], -1) for point in keep],
            "linked": [place[node] for node in bodies.linked if node in place],
            "links": [{"from": place[a], "to": place[b], "radius": radius} for a, b, radius in bodies.links],
            "centres": [{"point": place[point], "radius": radius} for point, radius in bodies.centres],
            "spheres": [{"point": place[point], "radius": radius} for point, radius in drawing.spheres],
            "fields": [field.packed(keep if field.on == "points" else cells)
                       for field in read_fields(drawing, frames, given.colour)],
            "has_chosen_colour": given.colour is not None,
            "series": read_series(run, records, given.plot),
        }
        if run.time_unit == "Hz":
            data["mode_shapes"] = pack(mode_shapes(run, drawing, frames)[:, keep], np.float32)
        if drawing.boxes:
            data["turns"] = pack(np.rint(frames.at(drawing.box_rotation(*frames.span)) * 32767), np.int16)
        rectangles = []
        contacts = read_contacts(drawing, frames, points)
        if contacts:
            force, state, normal, foot = contacts
            rectangles, moving = planes_at_rest(normal, foot, extent)
            own = points[:, drawing.point_count - len(drawing.contacts):]
            moving = [contact for contact in moving
                      if not is_between_spheres(drawing.spheres, points, own[:, contact], foot[:, contact], 1e-3 * extent)]
            sizes = np.linalg.norm(force, axis=2)
            force[sizes < 1e-9 * sizes.max(initial=0.0)] = 0.0  # rounding is no force
            sizes = np.linalg.norm(force, axis=2)
            data["contacts"] = {"names": drawing.contacts, "state": pack(state, np.uint8), "force": pack(force, np.float32),
                                "typical": typical_of(sizes),
                                "moving": moving, "normal": pack(normal[:, moving], np.float32),
                                "foot": pack(foot[:, moving], np.float32)}
        found = read_found(run, records)
        if found:
            data["found"] = found
        data["planes"] = rectangles
        data["up"] = up_axis(rectangles, points)
        return data


def mode_shapes(run, drawing, frames):
    """By how much the points of each mode are displaced from the equilibrium."""
    entries = run.integrator
    factors = [float(entries.get(f"factor_{mode + 1}", "nan")) for mode in frames.places]
    if not np.isfinite(factors).all():
        raise Refusal("the modes are of an older version of Picus, which did not say by how much they are displaced; "
                      "run picus modes again")
    return frames.at(drawing.velocity(*frames.span)) * np.reshape(factors, (-1, 1, 1))


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
    guarded("export_html", given.file, lambda: export(given))


def export(given):
    data = collect(given.file, given)
    folder = os.path.join(HERE, "animation")

    def source(name):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            return file.read()

    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(folder), undefined=jinja2.StrictUndefined, autoescape=True)
    # "<" could end the script that holds the data, or begin a comment in it.
    text = json.dumps(data, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    page = environment.get_template("page.html.jinja").render(
        title=data["title"], three=read_three(), data=text, css=source("page.css"), js="".join(source(f"{part}.js") for part in PARTS))
    write_text(given.out, page)


if __name__ == "__main__":
    main()
