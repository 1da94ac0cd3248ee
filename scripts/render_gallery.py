#!/usr/bin/python3
"""Draws the pictures of docs/elements.md: several instants of each result, the last one in full colour.

Usage: render_gallery.py RESULTS OUT      (folders; RESULTS has the .xdmf files that the examples left)
Beside the folder OUT it leaves OUT.png with some of them in a row.
"""

import argparse
import pathlib
import sys

from render_frame import HEXAHEDRON, INK, LINE, POINT, POLYLINE, POLYVERTEX, SOLID, Frame, outer_faces

import numpy as np
from matplotlib import pyplot as plt
from mpl_toolkits.mplot3d.art3d import Line3DCollection, Poly3DCollection

INSTANTS = 7
OVERVIEW = ["curved_beam", "face_pressure", "hexahedron", "sphere_to_sphere", "gravity"]


def draw_instant(axes, frame, strength):
    solids = [members for kind, members in frame.cells if kind == HEXAHEDRON]
    lines = [frame.points[members] for kind, members in frame.cells if kind == POLYLINE]
    alone = np.array([members[0] for kind, members in frame.cells if kind == POLYVERTEX], dtype=int)
    if solids:
        alone = np.setdiff1d(alone, np.concatenate(solids))
        axes.add_collection3d(Poly3DCollection(frame.points[outer_faces(solids)], facecolor=SOLID, edgecolor=LINE,
                                               linewidth=0.5, alpha=strength))
    axes.add_collection3d(Line3DCollection(lines, color=LINE, linewidth=1.8, alpha=strength))
    axes.scatter(*frame.points[alone].T, s=16 if strength == 1 else 6, color=POINT, alpha=strength, depthshade=False)


def draw(xdmf, picture):
    last = Frame(xdmf, -1)
    count = last.frame_count
    numbers = sorted({round(i * (count - 1) / (INSTANTS - 1)) for i in range(INSTANTS)})
    frames = [Frame(xdmf, number) for number in numbers]
    figure = plt.figure(figsize=(4.2, 3.6))
    axes = figure.add_subplot(projection="3d")
    for i, frame in enumerate(frames):
        is_last = i == len(frames) - 1
        draw_instant(axes, frame, 1.0 if is_last else 0.12 + 0.25 * i / len(frames))
    points = np.concatenate([frame.points for frame in frames])
    middle = 0.5 * (points.min(axis=0) + points.max(axis=0))
    reach = max(0.52 * np.ptp(points, axis=0).max(), 1e-6)
    for centre, limit in zip(middle, (axes.set_xlim, axes.set_ylim, axes.set_zlim)):
        limit(centre - reach, centre + reach)
    axes.set_box_aspect((1, 1, 1), zoom=1.15)
    if np.ptp(points[:, 2]) < 1e-9:
        axes.view_init(elev=90, azim=-90)
        axes.set_zticks([])
    else:
        axes.view_init(elev=22, azim=-55)
    axes.tick_params(labelsize=6, colors=INK, pad=-2)
    figure.tight_layout(pad=0.3)
    figure.savefig(picture, dpi=90)
    plt.close(figure)


def draw_overview(pictures, overview):
    """Some of the pictures side by side, for the README."""
    chosen = [pictures[name] for name in OVERVIEW if name in pictures]
    if not chosen:
        return
    figure, panels = plt.subplots(1, len(chosen), figsize=(3.2 * len(chosen), 2.8))
    for axes, picture in zip(np.atleast_1d(panels), chosen):
        axes.imshow(plt.imread(picture))
        axes.axis("off")
    figure.tight_layout(pad=0.1)
    figure.savefig(overview, dpi=80)
    plt.close(figure)


def main():
    parser = argparse.ArgumentParser(prog="render_gallery", description=__doc__.splitlines()[0])
    parser.add_argument("results", type=pathlib.Path, help="folder with .xdmf files")
    parser.add_argument("out", type=pathlib.Path, help="folder for the pictures")
    arguments = parser.parse_args()
    files = sorted(arguments.results.glob("*.xdmf"))
    if not files:
        sys.exit(f"render_gallery: there is no .xdmf file in {arguments.results}")
    arguments.out.mkdir(parents=True, exist_ok=True)
    pictures = {}
    for xdmf in files:
        name = xdmf.stem.replace(" ", "_")
        pictures[name] = arguments.out / f"{name}.png"
        try:
            draw(str(xdmf), pictures[name])
        except (OSError, ValueError, KeyError, AttributeError) as error:
            sys.exit(f"render_gallery: cannot draw {xdmf}: {error}")
    draw_overview(pictures, arguments.out.with_suffix(".png"))
    print(f"render_gallery: {len(files)} pictures in {arguments.out}")


if __name__ == "__main__":
    main()
