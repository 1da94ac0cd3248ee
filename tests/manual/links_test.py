#!/usr/bin/python3
"""Links between the pages lead to files and headings that are there, and the index of terms has what users look for.

An anchor has to hold in the site (mkdocs) and where the pages are shown by a host of repositories: both make it of the heading, in slightly
different ways.
"""

import collections
import pathlib
import re
import sys
import unicodedata

TERMS = """
adhesion, aerodynamic forces, animation, API reference, Baumgarte stabilisation, BDF, beam, belt, broad phase, bushing, cable, cam, checkpoint,
citation, CMake, co-simulation, contact detection, control, convex hull, Coulomb friction, Craig-Bampton, CSV, DAE index, damper, Debian package,
degrees of freedom, Delassus operator, drilling friction, driven joints, eigenfrequencies, elements of your own, energy balance, Euler angles,
FCLIB, feedback, floating frame of reference, FMI, friction in joints, from Chrono, from Exudyn, from MBDyn, gear, generalized-alpha, Gmsh, GPU,
gravity, Grübler count, HDF5, hinge, HHT, hydraulics, impact, initial conditions, inverse dynamics, inverse kinematics, joints, LCP, licence, limits,
linear solvers, loads, macOS, material damping, mesh contact, mobility, modal reduction, modes, momentum, mortar, motors, NCP, Newmark, OBJ,
parallel computing, parameter study, ParaView, penalty, performance, pkg-config, planar models, plasticity, plates, platforms, pulley, Python,
quaternions, Rayleigh damping, reaction forces, redundant constraints, regularisation of contact, restart, restitution, rolling resistance, rope,
rotation vectors, self-contact, sensors, shells, singular positions, solids, springs, static equilibrium, step size, STL, stops, sweep,
thermal loads, threads, tolerance, tyre models, units, user forces, Windows, work of friction
"""

FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"(`+)(?:(?!\1).)+?\1")
HEADING = re.compile(r"^#{1,6} +(.*?)\s*$", re.MULTILINE)
LINK = re.compile(r"\[[^\]]*\]\(([^()\s]*)\)")
ENTRY = re.compile(r"^\* \*\*(.+?)\*\*: (.+)$", re.MULTILINE)


def anchors(page):
    """Those of headings that both ways of making them agree on, and that are not there twice."""
    headings = []
    for heading in HEADING.findall(FENCE.sub("", page.read_text())):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").lower()
        host = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        ascii_words = unicodedata.normalize("NFKD", words).encode("ascii", "ignore").decode()
        site = re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", ascii_words).strip())
        headings.append((host, site))
    once = {name for name, count in collections.Counter(host for host, _ in headings).items() if count == 1}
    return {host for host, site in headings if host == site and host in once}


def check_links(pages):
    known = {page: anchors(page) for page in pages}
    for page in pages:
        # A link may be around code, [`Beam`](...); what is only code is no link.
        text = CODE.sub(lambda code: code[0] if "](" not in code[0] else "", FENCE.sub("", page.read_text()))
        for link in LINK.findall(text):
            if re.match(r"[a-z]+:", link):
                continue
            path, _, anchor = link.partition("#")
            target = (page.parent / path).resolve() if path else page
            if not target.exists():
                yield f"{page.name} leads to {link}, which is not there"
            elif anchor and (target not in known or anchor not in known[target]):
                yield f"{page.name} leads to {link}, and there is no such heading in {target.name}"


def sort_key(term):
    plain = unicodedata.normalize("NFKD", term.casefold()).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9 ]", "", plain).strip()


def check_index(page):
    entries = ENTRY.findall(page.read_text())
    names = [sort_key(names) for names, _ in entries]
    for first, second in zip(names, names[1:]):
        if not first < second:
            yield f"{page.name}: {second} stands behind {first}"
    for names, text in entries:
        if not LINK.search(text):
            yield f"{page.name}: {names} leads nowhere"
    terms = {sort_key(term) for names, _ in entries for term in names.split(", ")}
    for term in TERMS.replace("\n", " ").split(","):
        if sort_key(term) not in terms:
            yield f"{page.name} does not have {term.strip()}"
    lines = [line for line in page.read_text().splitlines() if line.startswith("*")]
    if len(lines) != len(entries):
        yield f"{page.name}: {len(lines) - len(entries)} lines are no entries"


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    pages = [root / "README.md", root / "CONTRIBUTING.md", root / "CHANGELOG.md", *sorted((root / "docs").rglob("*.md"))]
    mistakes = [*check_links(pages), *check_index(root / "docs" / "index-of-terms.md")]
    for mistake in mistakes:
        print(f"links_test: {mistake}")
    sys.exit(1 if mistakes else 0)


if __name__ == "__main__":
    main()
