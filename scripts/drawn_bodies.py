"""How a page shows rigid bodies: by their surfaces where these are drawn, otherwise by links between what holds or touches them.

For export_html.py.
"""

import numpy as np

EDGES_OF_A_BODY = 6  # a tetrahedron has as many
THICKNESS = 0.006  # of links, in terms of the extent of the motion
SLENDERNESS = 0.06  # in terms of the size of the body, at most


class DrawnBodies:
    """`links`: tubes (from, to, radius) between points; `centres`: balls (point, radius) at centres of mass; `linked`: the nodes
    of bodies that have links; `only_boxes`: places of the boxes of bodies that nothing else shows."""

    def __init__(self, drawing, points, extent):
        """`points`: all points in each frame, (F, P, 3)."""
        start = points[0]
        self.links, self.centres, self.linked, self.only_boxes = [], [], [], set()
        nodes = drawing.point_nodes
        if nodes is None:  # a result of an older version
            self.only_boxes = set(range(len(drawing.boxes)))
            return
        held, touched, surfaces = _attachments(drawing, nodes, points, extent)
        for i, box in enumerate(drawing.boxes):
            node = nodes[box.point]
            if node in surfaces or _is_within_a_sphere(drawing, nodes, start, box.point):
                continue
            ends = _distinct(held.get(node, []) + touched.get(node, []), start, 1e-6 * extent)
            reach = max((np.linalg.norm(start[end] - start[box.point]) for end in ends), default=0.0)
            # Without joints the corners that touch others tell less of a body than its inertia.
            if reach < 1e-3 * extent or (node not in held and len(ends) > 2):
                self.only_boxes.add(i)
                continue
            radius = min(THICKNESS * extent, SLENDERNESS * reach)
            self.linked.append(int(node))
            self.centres.append((box.point, 1.4 * radius))
            if len(ends) == 2 and _distance(start[box.point], *start[ends]) < 2 * radius:
                self.links.append((*ends, radius))
            else:
                self.links += [(box.point, end, radius) for end in ends if np.linalg.norm(start[end] - start[box.point]) > radius]


def _attachments(drawing, nodes, points, extent):
    """Points of each node at which elements between nodes hold it, those that elements of its own mark (contacts), and the nodes
    whose surfaces are drawn. Nodes without mass that are tied to a body by a rigid link count as its points."""
    held, touched, edges, surfaces = {}, {}, {}, set()
    bodies = {nodes[box.point] for box in drawing.boxes}

    def is_tied(a, b):
        distance = np.linalg.norm(points[:, a] - points[:, b], axis=1)
        return nodes[a] in bodies and nodes[b] == b and b not in bodies and np.ptp(distance) < 1e-5 * extent

    for line, radius in zip(drawing.lines, drawing.radii):
        of_line = {nodes[point] for point in line}
        if len(of_line) > 1:
            for a, b in zip(line[:-1], line[1:]):
                if nodes[a] == nodes[b]:
                    continue
                held.setdefault(nodes[a], []).append(b if radius == 0 and is_tied(a, b) else a)
                held.setdefault(nodes[b], []).append(a if radius == 0 and is_tied(b, a) else b)
            continue
        (node,) = of_line
        is_circle = line[0] == line[-1] and len(line) > 4  # of a sphere
        if radius > 0:
            surfaces.add(node)
        elif len(line) == 2:
            touched.setdefault(node, []).extend(line[1:])
            owner = (node, drawing.owners[line[1]])
            edges[owner] = edges.get(owner, 0) + 1
        elif not is_circle:
            surfaces.add(node)
    surfaces |= {node for (node, _), count in edges.items() if count >= EDGES_OF_A_BODY}
    surfaces |= {nodes[triangle[0]] for triangle in drawing.triangles}
    surfaces |= {nodes[solid[0]] for solid in drawing.solids if len({nodes[point] for point in solid}) == 1}
    for point, radius in drawing.spheres:  # what touches by a sphere
        touched.setdefault(nodes[point], []).append(point)
    return held, touched, surfaces


def _is_within_a_sphere(drawing, nodes, start, centre):
    return any(nodes[point] == nodes[centre] and np.linalg.norm(start[point] - start[centre]) < radius
               for point, radius in drawing.spheres)


def _distinct(points, start, tolerance):
    found = []
    for point in points:
        if all(np.linalg.norm(start[point] - start[other]) > tolerance for other in found):
            found.append(int(point))
    return found


def _distance(x, a, b):
    """Of a point from the line between two others."""
    along = (b - a) / np.linalg.norm(b - a)
    return np.linalg.norm((x - a) - along * (along @ (x - a)))
