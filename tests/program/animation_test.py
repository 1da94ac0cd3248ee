#!/usr/bin/python3
"""Looks at pages of `picus export --html` in headless Chromium.

Usage: animation_test.py PICUS FOLDER MUST_HAVE_CHROMIUM

Exit status 77 means that there is no Chromium; with MUST_HAVE_CHROMIUM ON that is a failure.
"""

import os
import shutil
import subprocess
import sys

import chromium
import h5py
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, os.pardir, "core"), os.path.join(HERE, os.pardir, os.pardir, "scripts")]
import render_frame  # noqa: E402
from vtkhdf_check import check_vtkhdf  # noqa: E402

SKIPPED = 77
MEGABYTE = 1e6
THREE = 0.7 * MEGABYTE  # of three.js and the page itself, in every page

#: Words after `picus run`; what a page of it may take with 600 frames, of which the run has some.
MODELS = {
    "woodpecker": (["woodpecker", "--set", "case=II", "--until", "0.15"], 10 * MEGABYTE, 501),
    "cube": (["flexible-cube", "--set", "divisions=10", "--set", "height=1e-4", "--set", "downward=2", "--set", "mu=0.3",
              "--step", "1e-4", "--until", "4e-3"], 30 * MEGABYTE, 41),
    "beam": (["oblique-beam", "--until", "0.02"], 10 * MEGABYTE, 201),
}

DRAWN = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"

# How much of the picture is not background, and how many colours it has.
PICTURE = """
(() => {
  const canvas = document.createElement("canvas");
  canvas.width = renderer.domElement.width;
  canvas.height = renderer.domElement.height;
  const pen = canvas.getContext("2d", {willReadFrequently: true});
  pen.drawImage(renderer.domElement, 0, 0);
  const bytes = pen.getImageData(0, 0, canvas.width, canvas.height).data;
  const counts = new Map();
  for (let i = 0; i < bytes.length; i += 4) {
    const colour = (bytes[i] << 16) | (bytes[i + 1] << 8) | bytes[i + 2];
    counts.set(colour, (counts.get(colour) || 0) + 1);
  }
  return {share: 1 - (counts.get(0xf6f7f9) || 0) * 4 / bytes.length, colours: counts.size, sum: bytes.reduce((a, b, i) => (a + b * (i % 997)) % 1e9, 0)};
})()
"""

# Plays a part of the run until three frames have been shown, or a loaded machine has had twenty seconds for that.
A_PART_PLAYED = """
new Promise(done => {
  element("speed").value = "0.001";
  player.speed = (time[run.frames - 1] - time[0]) / 40;
  show(0);
  element("play").click();
  const seen = [], start = performance.now();
  const look = setInterval(() => {
    seen.push(player.frame);
    if (new Set(seen).size < 4 && performance.now() - start < 2e4) return;
    clearInterval(look);
    element("play").click();
    done({seen, frame: player.frame, isPlaying: player.isPlaying});
  }, 50);
})
"""


def until(browser, act, expression):
    """Acts until an expression is true: a page that has just been drawn may lose an event, and a loaded machine delivers it
    some frames later."""
    for _ in range(20):
        act()
        browser.evaluate(DRAWN)
        if browser.evaluate(expression):
            return
    raise AssertionError(f"does not become true: {expression}")


def mouse(browser, kind, x, y, **given):
    browser.ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, **given)


def check_looks(browser):
    """The picture shows something, and something else at another time."""
    browser.evaluate("show(0)")
    browser.evaluate(DRAWN)
    start = browser.evaluate(PICTURE)
    assert start["share"] > 0.002 and start["colours"] > 10, f"the picture is empty: {start}"
    browser.evaluate("show(run.frames - 1)")
    browser.evaluate(DRAWN)
    assert browser.evaluate(PICTURE)["sum"] != start["sum"], "nothing moves"


def check_play_and_scrub(browser):
    played = browser.evaluate(A_PART_PLAYED)
    assert played["frame"] > 0 and not played["isPlaying"], played
    assert played["seen"] == sorted(played["seen"]), played
    middle = browser.evaluate("run.frames >> 1")
    browser.evaluate(f"""(() => {{ const s = element("scrub"); s.value = {middle}; s.dispatchEvent(new Event("input")); }})()""")
    assert browser.evaluate("player.frame") == middle
    shown = browser.evaluate("parseFloat(element('now').textContent.split('=')[1])")
    assert abs(shown - browser.evaluate(f"time[{middle}]")) <= 1e-4 * abs(shown), shown
    # A click in the middle of the time plot goes to the middle of the time.
    box = browser.evaluate("(({left, top, width, height}) => ({left, top, width, height}))(curve.getBoundingClientRect())")
    x = box["left"] + browser.evaluate("(plotX(time[0]) + plotX(time[run.frames - 1])) / 2")
    y = box["top"] + box["height"] / 2

    def click():
        for kind in ("mousePressed", "mouseReleased"):
            mouse(browser, kind, x, y, button="left", clickCount=1)

    until(browser, click, "Math.abs((now() - time[0]) / (time[run.frames - 1] - time[0]) - 0.5) < 0.02")
    # Dragging turns, the wheel zooms, and `fit` goes back.
    before = browser.evaluate("[view.azimuth, view.distance]")

    def drag():
        for kind, x in (("mousePressed", 400), ("mouseMoved", 460), ("mouseReleased", 460)):
            mouse(browser, kind, x, 300, button="left", buttons=1, clickCount=1)

    until(browser, drag, f"view.azimuth !== {before[0]}")
    until(browser, lambda: mouse(browser, "mouseWheel", 400, 300, deltaX=0, deltaY=-200), f"view.distance < {before[1]}")
    browser.evaluate("element('home').click()")
    assert browser.evaluate("[view.azimuth, view.distance]") == before


def check_colours(browser):
    names = browser.evaluate("run.fields.map(field => field.name)")
    assert "speed" in names, names
    for i in range(len(names)):
        browser.evaluate(f"chooseColour({i})")
        legend = browser.evaluate("element('legend').textContent")
        assert names[i] in legend, legend
    return names


def add_found(path):
    """Gives a result contacts that come and go: in record i there are i % 3, the first of which slips and pushes upwards."""
    with h5py.File(path, "r+") as file:
        counts = np.arange(len(file["time"])) % 3
        place = np.concatenate([np.arange(count) for count in counts])
        rows = {"end": np.cumsum(counts), "key": np.stack([0 * place, place, place], axis=1).astype(np.int64),
                "point": np.stack([0.01 * place, 0.0 * place, 0.1 + 0.0 * place], axis=1),
                "force": np.where(place[:, None] == 0, [[0.0, 2.0, 0.0]], 0.0), "state": np.where(place == 0, 2, 0).astype(np.uint8)}
        for name, values in rows.items():
            file[f"contact_sets/forged/{name}"] = values
            file[f"contact_sets/forged/{name}"].attrs.update({"unit": "1", "description": "forged"})


def check_found(browser):
    """Frame by frame there are 15 records, in 10 of which the contact is closed; the open one is not shown."""
    assert browser.evaluate("foundMarks.length") == 1
    for frame in (1, 50, 100):
        browser.evaluate(f"show({frame})")
        seen = browser.evaluate("(({mark, arrow}) => [mark.visible, mark.position.z, mark.material.color.getHex(), arrow.visible])(foundMarks[0])")
        assert seen == [True, seen[1], browser.evaluate("STATE_COLOURS[2]"), True] and abs(seen[1] - 0.1) < 1e-6, seen
        force = browser.evaluate(f"unpack(run.found.force, Float32Array).slice(3 * run.found.starts[{frame}], 3 * run.found.starts[{frame}] + 3).join()")
        assert [float(part) for part in force.split(",")] == [0, np.float32(2.0 * 10 / 15), 0], force
    browser.evaluate("show(0)")  # the first record has none
    assert browser.evaluate("[foundMarks[0].mark.visible, foundMarks[0].arrow.visible]") == [False, False]


def check_layout(browser, page):
    for width, height, is_phone in ((1280, 800, False), (390, 844, True)):
        browser.open(page, width, height, is_phone)
        browser.evaluate(DRAWN)
        seen = browser.evaluate("({page: document.documentElement.scrollWidth, width: document.documentElement.clientWidth, "
                                "scene: [surface.clientWidth, surface.clientHeight]})")
        assert seen["page"] <= seen["width"], f"the page is {seen['page']} px wide on {seen['width']} px"
        assert min(seen["scene"]) > 200, f"little is left for the picture: {seen['scene']}"
        # Nothing reaches beyond the window, and the controls fold away on a phone.
        beyond = browser.evaluate("[...document.querySelectorAll('footer *, #side, #plot *, header *')].filter(one => "
                                  "{ const box = one.getBoundingClientRect(); return box.right > innerWidth + 0.5 || box.bottom > innerHeight + 0.5; })"
                                  ".map(one => one.id || one.tagName)")
        assert not beyond, beyond
        assert browser.evaluate("element('side').open") == (not is_phone)


def check_bodies(browser):
    """The sleeve and the bird of the woodpecker have no surfaces: links between their joint, contacts and centres of mass."""
    seen = browser.evaluate("({links: run.links.length, centres: run.centres.length, only: run.boxes.map(box => box.is_only), "
                            "linked: run.linked.map(node => run.owners[node])})")
    # Five of the sleeve, its contacts and the joint; two of the bird.
    assert seen == {"links": 7, "centres": 2, "only": [False, False], "linked": ['node "sleeve"', 'node "bird"']}, seen
    assert not browser.evaluate("inertias.visible")
    # They end at the nodes that rigid links tie to their body: where contacts and the hinge are.
    ends = browser.evaluate("run.links.map(link => run.owners[link.to]).sort()")
    assert 'node "beak"' in ends and len(set(ends)) == 7, ends


def hover(browser, point):
    """The name that is shown where a point of the picture is."""
    browser.evaluate("label.textContent = ''")
    browser.evaluate(DRAWN)  # the camera follows with the next frame
    place = browser.evaluate(f"onScreen(at(player, {point}, new THREE.Vector3()))")
    until(browser, lambda: mouse(browser, "mouseMoved", place["x"], place["y"]), "!label.hidden && label.textContent !== ''")
    return browser.evaluate("label.textContent")


def check_names(browser):
    browser.evaluate("element('side').open = false; show(0); fit()")  # nothing lies above the picture
    for i, name in enumerate(("sleeve", "bird")):
        assert hover(browser, browser.evaluate(f"run.centres[{i}].point")) == f"{name}: centre of mass"
    first = browser.evaluate("run.points.own")
    assert hover(browser, first) == browser.evaluate(f"run.owners[{first}]")
    until(browser, lambda: mouse(browser, "mouseMoved", 30, 400), "label.hidden")  # nothing is there
    browser.evaluate("element('side').open = true; fit()")


def check_axes(browser):
    """Seen from the front x points to the right and y upwards; turned by a quarter about y, z does to the left."""
    ends = "Object.fromEntries(['x', 'y', 'z'].map(axis => [axis, [...'xy'].map(c => Number(element(`axis-${axis}`).children[0].getAttribute(`${c}2`)))]))"
    browser.evaluate("fit()")
    seen = browser.evaluate(ends)
    assert np.allclose([seen["x"], seen["y"], seen["z"]], [[30, 0], [0, -30], [0, 0]], atol=0.1), seen
    browser.evaluate("view.azimuth = Math.PI / 2; placeCamera()")
    seen = browser.evaluate(ends)
    assert np.allclose([seen["x"], seen["z"]], [[0, 0], [-30, 0]], atol=0.1), seen
    browser.evaluate("fit()")


SAVED = """
new Promise((done) => {
  const saved = [];
  window.download = download = (blob, ending) => { saved.push([ending, blob.size]); done(saved[0]); };
  ACTION;
})
"""


def check_saving(browser):
    for action, ending in (("savePicture()", "png"), ("player.speed = (time[run.frames - 1] - time[0]) / 4; saveVideo()", ("webm", "mp4"))):
        saved = browser.evaluate(SAVED.replace("ACTION", action))
        assert saved[0] in ending and saved[1] > 1000, saved
    assert not browser.evaluate("player.isPlaying") and browser.evaluate("element('video').textContent") == "video"


def check_dark(browser, page):
    browser.open(page, 1280, 800, scheme="dark")
    browser.evaluate(DRAWN)
    brightness = browser.evaluate("(() => { const c = renderer.getClearColor(); return c.r + c.g + c.b; })()")
    ink = browser.evaluate("getComputedStyle(document.body).color").strip("rgb()").split(",")
    assert brightness < 0.6 and min(int(part) for part in ink) > 180, (brightness, ink)


def check_modes(browser, picus, folder):
    """A mode swings by its frequency's choice about the equilibrium, the middle of both ends of the swing."""
    result, page = (os.path.join(folder, f"modes.{ending}") for ending in ("h5", "html"))
    subprocess.run([picus, "modes", "flexible-pendulum", "--open-contacts", "--out", result], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([picus, "export", result, "--html"], check=True, stdout=subprocess.DEVNULL)
    browser.open(page, 1280, 800)
    with h5py.File(result, "r") as file:
        frequencies, tips = file["time"][...], file["VTKHDF/Points"][...].reshape(len(file["time"]), -1, 3)
    seen = browser.evaluate("({modes: [...element('mode').options].map(one => one.textContent), plot: element('plot').hidden, "
                            "isPlaying: player.isPlaying, extent: run.extent})")
    assert seen["modes"] == [f"mode {i + 1}: {number_text(f)} Hz" for i, f in enumerate(frequencies)], seen["modes"]
    assert seen["plot"] and seen["isPlaying"], seen
    browser.evaluate("setPlaying(false)")
    for mode in (0, 1):
        browser.evaluate(f"element('mode').value = {mode}; element('mode').dispatchEvent(new Event('change'))")
        places = [browser.evaluate(f"exaggeration.swing = {swing}; show(player.frame); "
                                   "Array.from({length: run.points.own}, (_, i) => at(player, i, new THREE.Vector3()).toArray())")
                  for swing in (1, 0, -1)]
        end, middle, other = (np.array(place) for place in places)
        assert np.allclose(end, tips[mode, :len(end)], atol=1e-4 * seen["extent"]), "one end of the swing is what is recorded"
        assert np.allclose(end + other, 2 * middle, atol=1e-6 * seen["extent"])
        # The equilibrium is that of the other mode up to the square of the amplitude of a tenth.
        equilibrium = middle if mode == 0 else equilibrium
        assert np.abs(middle - equilibrium).max() < 0.02 * seen["extent"], np.abs(middle - equilibrium).max()


def number_text(value):
    """As toPrecision(5) of JavaScript."""
    digits = 5 - 1 - int(np.floor(np.log10(abs(value))))
    return f"{value:.{max(digits, 0)}f}"


def check_statics(browser, picus, folder):
    result, page = (os.path.join(folder, f"static.{ending}") for ending in ("h5", "html"))
    subprocess.run([picus, "static", "flexible-pendulum", "--out", result], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([picus, "export", result, "--html"], check=True, stdout=subprocess.DEVNULL)
    browser.open(page, 1280, 800)
    assert browser.evaluate("element('now').textContent") == "load factor = 0.0000"
    browser.evaluate("show(run.frames - 1)")
    places = [np.array(browser.evaluate(f"element('scale').value = {exponent}; element('scale').dispatchEvent(new Event('input')); "
                                        "Array.from({length: run.points.own}, (_, i) => at(player, i, new THREE.Vector3()).toArray())"))
              for exponent in (0, 1)]
    start = np.array(browser.evaluate("Array.from({length: run.points.own}, (_, i) => Array.from(positions.slice(3 * i, 3 * i + 3)))"))
    moved = np.abs(places[0] - start).max()
    assert moved > 0 and np.allclose(places[1] - start, 10 * (places[0] - start), atol=1e-5 * moved), "ten times as far"


def check_spheres(browser, picus, folder):
    """Balls are balls: as large on the screen as they are; no squares move along with them."""
    result, page = (os.path.join(folder, f"chain.{ending}") for ending in ("h5", "html"))
    subprocess.run([picus, "run", "sphere-chain", "--quiet", "--until", "0.05", "--out", result], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([picus, "export", result, "--html"], check=True, stdout=subprocess.DEVNULL)
    browser.open(page, 1280, 800)
    browser.evaluate(DRAWN)
    seen = browser.evaluate("({spheres: run.spheres.length, links: run.links.length, moving: run.contacts.moving.length, only: run.boxes.some(box => box.is_only)})")
    assert seen["spheres"] > 1 and seen["links"] == 0 and seen["moving"] == 0 and not seen["only"], seen
    point = browser.evaluate("run.spheres[0].point")
    assert browser.evaluate(f"nameOf({point})") and hover(browser, point) == browser.evaluate(f"nameOf({point})")


def check_surfaces(browser, picus, folder):
    """Bodies of triangles are filled, with their sharp edges, and are named where one points at a face."""
    result, page = (os.path.join(folder, f"geneva.{ending}") for ending in ("h5", "html"))
    subprocess.run([picus, "run", "geneva-drive", "--quiet", "--until", "0.02", "--step", "2e-3", "--out", result], check=True,
                   stdout=subprocess.DEVNULL)
    subprocess.run([picus, "export", result, "--html"], check=True, stdout=subprocess.DEVNULL)
    for scheme in ("light", "dark"):
        browser.open(page, 1280, 800, scheme=scheme)
        browser.evaluate(DRAWN)
        seen = browser.evaluate("({triangles: run.triangles, kinds: run.line_kinds, links: run.links.length, "
                                "only: run.boxes.some(box => box.is_only)})")
        edges = [frozenset(pair) for a, b, c in seen["triangles"] for pair in ((a, b), (b, c), (c, a))]
        assert all(edges.count(edge) == 2 for edge in edges[:100]), "closed bodies"
        assert {1, 2} <= set(seen["kinds"]) and seen["links"] == 0 and not seen["only"], seen
        # In the middle of the largest face that is seen from the front; the background has another colour there.
        middle = browser.evaluate("""(() => {
          const middle = (triangle) => triangle.map(point => at(player, point, new THREE.Vector3()))
            .reduce((sum, x) => sum.addScaledVector(x, 1 / 3), new THREE.Vector3());
          const places = run.triangles.map(triangle => ({ triangle, ...onScreen(middle(triangle)) }));
          const front = places.reduce((a, b) => (b.depth < a.depth ? b : a));
          draw();
          const gl = renderer.getContext(), pixel = new Uint8Array(4), ratio = window.devicePixelRatio;
          gl.readPixels(front.x * ratio, (surface.clientHeight - front.y) * ratio, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
          return { pixel: [...pixel.slice(0, 3)], paper: renderer.getClearColor().toArray().map(part => 255 * part),
                   named: nameAt(front), own: nameOf(front.triangle[0]) };
        })()""")
        assert max(abs(a - b) for a, b in zip(middle["pixel"], middle["paper"])) > 30, middle
        assert middle["own"] and middle["named"] == middle["own"], middle


def check_xdmf(file, path):
    """The last frame of the XDMF file has what the last step of /VTKHDF has."""
    frame = render_frame.Frame(path, -1)
    root = file["VTKHDF"]
    points, cells = int(root["NumberOfPoints"][0]), int(root["NumberOfCells"][0])
    for group, count, part in (("PointData", points, "contacts"), ("CellData", cells, "cells")):
        for name, data in root[group].items() if group in root else ():
            values = data[-count:]
            shown = frame.parts["nodes" if name == "velocity" else part].fields[name]
            np.testing.assert_array_equal(shown, values[:len(shown)] if name == "velocity" else values[-len(shown):], name)


def write_pages(picus, folder):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    pages = {}
    for name, (words, most_bytes, frames) in MODELS.items():
        result, page = (os.path.join(folder, f"{name}.{ending}") for ending in ("h5", "html"))
        subprocess.run([picus, "run", *words, "--quiet", "--out", result], check=True, stdout=subprocess.DEVNULL)
        with h5py.File(result, "r") as file:
            assert check_vtkhdf(file) == len(file["VTKHDF/Steps/Values"]) <= 602
            fields = set(file["VTKHDF/CellData"]) if "CellData" in file["VTKHDF"] else set()
            check_xdmf(file, os.path.join(folder, f"{name}.xdmf"))
            assert fields >= {"cube": {"von_mises_stress", "stress"}, "beam": {"section_force", "strain"}}.get(name, set()), fields
        subprocess.run([picus, "export", result, "--html"], check=True, stdout=subprocess.DEVNULL)
        size = THREE + (os.path.getsize(page) - THREE) * 600 / frames
        assert size < most_bytes, f"a page of the {name} with 600 frames takes {size / MEGABYTE:.1f} MB"
        pages[name] = page
    return pages


def main():
    picus, folder, must_have = sys.argv[1:]
    program = chromium.find()
    if program is None:
        print("animation_test: there is no Chromium; on Debian: apt-get install chromium")
        sys.exit(1 if must_have == "ON" else SKIPPED)
    pages = write_pages(picus, os.path.abspath(folder))
    with chromium.Chromium(program, has_webgl=True) as browser:
        for name, page in pages.items():
            browser.open(page, 1280, 800)
            assert browser.evaluate("run.frames") == MODELS[name][2]
            check_looks(browser)
            assert ("von_mises_stress" in check_colours(browser)) == (name == "cube")
            assert not browser.complaints, browser.complaints
            outside = [url for url in browser.requested if not url.startswith(("data:", "file://"))]
            assert not outside and len(browser.requested) == 1, f"the page asks for {browser.requested}"
        browser.open(pages["woodpecker"], 1280, 800)
        check_play_and_scrub(browser)
        assert browser.evaluate("run.boxes.length") == 2, "sleeve and bird"
        assert browser.evaluate("run.contacts.names.length") == 5
        check_bodies(browser)
        check_names(browser)
        check_axes(browser)
        check_saving(browser)
        check_dark(browser, pages["woodpecker"])
        check_layout(browser, pages["woodpecker"])
        assert not browser.complaints, browser.complaints
        folder = os.path.abspath(folder)
        check_modes(browser, picus, folder)
        check_statics(browser, picus, folder)
        check_spheres(browser, picus, folder)
        check_surfaces(browser, picus, folder)
        assert not browser.complaints, browser.complaints
        browser.open(pages["beam"], 1280, 800)
        assert browser.evaluate("Math.min(...run.radii)") > 0, "a beam is a tube"
        result = pages["woodpecker"].replace(".html", ".h5")
        add_found(result)
        subprocess.run([picus, "export", result, "--html", "--force", "--frames", "101"], check=True, stdout=subprocess.DEVNULL)
        browser.open(pages["woodpecker"], 1280, 800)
        check_found(browser)
        assert not browser.complaints, browser.complaints


if __name__ == "__main__":
    main()
