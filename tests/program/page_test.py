#!/usr/bin/python3
"""Looks at the page of a benchmark report in headless Chromium, on a desktop and on a phone.

Usage: page_test.py PICUS SCRIPTS FOLDER MUST_HAVE_CHROMIUM

Two pages: one that `picus report` writes, and one of a report with everything in it that can happen. Exit status
77 means that there is no Chromium; with MUST_HAVE_CHROMIUM ON that is a failure.
"""

import copy
import json
import os
import shutil
import subprocess
import sys

import chromium

SKIPPED = 77
DESKTOP, PHONE = (1280, 900, False), (390, 844, True)

LOOK = """
({
  width: document.documentElement.clientWidth,
  page: document.documentElement.scrollWidth,
  beyond: [...document.querySelectorAll("body *")].filter(e => {
    const box = e.getBoundingClientRect();
    return box.width && box.right > document.documentElement.clientWidth + 1 && !e.closest(".scroll") && !e.closest("thead");
  }).map(e => e.outerHTML.slice(0, 80)),
  figures: document.querySelectorAll("figure").length,
  images: [...document.images].map(i => ({whole: i.complete && i.naturalWidth > 0, alt: i.alt, width: i.width,
                                          height: i.height, natural: i.naturalWidth / i.naturalHeight})),
  dangling: [...document.querySelectorAll("a[href^='#']")].filter(a => !document.getElementById(a.hash.slice(1)))
    .map(a => a.hash),
  twice: [...document.querySelectorAll("[id]")].map(e => e.id).filter((id, i, all) => all.indexOf(id) !== i),
  verdicts: [...document.querySelectorAll(".rows .verdict")].map(v => v.textContent.trim()),
  smallest: Math.min(...[...document.querySelectorAll("main p, main td, main th, main small, main a")]
    .map(e => parseFloat(getComputedStyle(e).fontSize))),
})
"""


def figure_counts(report):
    """Figures, and those of them with something to draw, that the page must show."""
    figures, images = 0, 0
    for benchmark in report["benchmarks"]:
        figures += len(benchmark["figures"])
        images += sum(any(curve["x"] for panel in figure["panels"] for curve in panel["curves"])
                      for figure in benchmark["figures"])
        studies = sum(any(scheme["ending"] == "complete" for scheme in study["schemes"])
                      for study in benchmark["studies"])
        figures += 3 * studies  # errors, iterations and work
        images += 3 * studies
    return figures, images


def check(browser, page, report, window, scheme="light"):
    width, height, is_phone = window
    browser.open(page, width, height, is_phone, scheme)
    for is_open in (False, True):  # the tables that are folded away too
        browser.evaluate(f"document.querySelectorAll('details').forEach(d => d.open = {str(is_open).lower()})")
        seen = browser.evaluate(LOOK)
        assert width - 20 <= seen["width"] <= width, seen["width"]  # a scroll bar takes some
        assert seen["page"] <= seen["width"], f"the page is {seen['page']} px wide on {width} px"
        assert not seen["beyond"], f"beyond {width} px: {seen['beyond']}"
    figures, images = figure_counts(report)
    assert seen["figures"] == figures, f"{seen['figures']} of {figures} figures"
    assert len(seen["images"]) == images, f"{len(seen['images'])} of {images} images"
    for image in seen["images"]:
        assert image["whole"], f"not drawn: {image['alt']}"
        assert len(image["alt"]) > 20, f"without a description: {image}"
        assert image["width"] > 250, f"too small to read: {image}"
        assert abs(image["width"] / image["height"] / image["natural"] - 1) < 0.02, f"distorted: {image}"
    assert not seen["dangling"] and not seen["twice"], (seen["dangling"], seen["twice"])
    assert seen["smallest"] >= 11, f"text of {seen['smallest']} px"
    rows = [row for benchmark in report["benchmarks"] for row in benchmark["rows"]]
    words = [text.split()[-1] for text in seen["verdicts"]]
    assert sorted(words) == sorted(row["verdict"] for row in rows), words
    assert all(text.split()[0] != text.split()[-1] for text in seen["verdicts"]), "a verdict without its mark"
    assert not browser.complaints, browser.complaints
    outside = [url for url in browser.requested if not url.startswith(("data:", "file://"))]
    assert not outside, f"the page asks for {outside}"


def with_everything(report):
    """A report in which all that can happen does."""
    report = copy.deepcopy(report)
    ball = report["benchmarks"][0]

    rich = copy.deepcopy(ball)
    rich["name"] = "rich"
    rich["title"] = "A title with <b>angles</b> & \"quotes\", long enough that it needs several lines on a small screen"
    rich["setting"] = "First paragraph, g = 9.81 m/s2, h = 1e-05 s.\n\nSecond paragraph with " + "averylongword" * 12 + "."
    row = rich["rows"][0]
    rich["rows"] = [
        {**row, "id": "met", "verdict": "met", "value": 7.965, "unit": "Hz", "reference": 7.96, "difference": 6.3e-4,
         "difference_is_relative": True, "expected": "7.96 Hz ± 1.5 %"},
        {**row, "id": "missed", "verdict": "missed", "value": None, "claim": "a claim without a number " * 8},
        {**row, "id": "shown", "verdict": "shown", "value": 1.5e-13, "unit": "m or rad", "expected": ""},
        {**row, "id": "zero", "verdict": "missed", "value": 3e-9, "reference": 0, "difference": 3e-9,
         "difference_is_relative": False, "expected": "exactly zero, or what rounding makes of it in so many steps"}]
    study = rich["studies"][0]
    other = copy.deepcopy(study["schemes"][0])
    other["scheme"] = "cs"
    for number, step in enumerate(other["rows"]):
        step["mean_total"], step["worst_total"] = 12.5, 300
        if number < 3:
            step.update(failure="t = 0.4 s: no fallback solves it", errors=[])
    for quantity in other["quantities"]:
        quantity["order"] = None
    study["schemes"] += [other, {**other, "scheme": "ns", "ending": "not run", "rows": [], "quantities": [],
                                 "subproblems": [], "failure": "there is no scheme \"ns\""}]
    figure = rich["figures"][0]
    curve = figure["panels"][0]["curves"][0]
    figure["panels"][0]["curves"] += [{**curve, "label": "a second run with a label that is rather long", "missing": "t = 1 s: no"},
                                      {**curve, "label": "third", "x": [], "y": [], "missing": "there is no scheme"}]
    rich["figures"] += [
        {"id": "phase", "title": "Phase portrait", "caption": "", "panels": [
            {"x_label": "height, m", "y_label": "velocity, m/s", "x_range": None, "y_range": [-4, 4],
             "has_log_x": False, "has_log_y": False, "curves": [{**curve, "x": curve["y"], "y": [None, *curve["y"][1:]]}]}]},
        {"id": "empty", "title": "Nothing to draw", "caption": "As its run is not there.", "panels": [
            {"x_label": "time, s", "y_label": "y, m", "x_range": None, "y_range": None,
             "has_log_x": True, "has_log_y": True, "curves": [{**curve, "x": [], "y": [], "missing": "there is no run \"x\""}]}]}]
    rich["summary"]["failed_steps"]["cs"] = 3

    broken = {**copy.deepcopy(ball), "name": "broken", "ending": "not run", "failures": ["plan: out of memory"], "rows": [],
              "runs": [], "studies": [], "figures": [], "counts": {"met": 0, "missed": 0, "shown": 0},
              "summary": {**ball["summary"], "error": None, "order": None, "mean_iterations": None,
                          "worst_iterations": None, "failed_steps": {}}}
    stopped = {**copy.deepcopy(broken), "name": "stopped", "ending": "interrupted", "failures": [],
               "studies": copy.deepcopy(ball["studies"]), "runs": copy.deepcopy(ball["runs"])}
    stopped["studies"][0]["schemes"][0].update(ending="interrupted", failure="interrupted", rows=[], quantities=[])
    stopped["runs"][0].update(ending="interrupted", failure="interrupted")
    report["benchmarks"] += [rich, broken, stopped]
    for benchmark in report["benchmarks"]:
        verdicts = [row["verdict"] for row in benchmark["rows"]]
        benchmark["counts"] = {name: verdicts.count(name) for name in ("met", "missed", "shown")}
    report["counts"] = {name: sum(benchmark["counts"][name] for benchmark in report["benchmarks"])
                        for name in ("met", "missed", "shown")}
    return report


def write_pages(picus, scripts, folder):
    """Pairs of page and report."""
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([picus, "report", "bouncing-ball", "--quick", "--out", folder], check=True)
    with open(os.path.join(folder, "report.json"), encoding="utf-8") as file:
        report = json.load(file)
    rich = with_everything(report)
    numbers, page = os.path.join(folder, "rich.json"), os.path.join(folder, "rich.html")
    with open(numbers, "w", encoding="utf-8") as file:
        json.dump(rich, file)
    drawn = subprocess.run([sys.executable, os.path.join(scripts, "report_page.py"), numbers, page], check=True,
                           capture_output=True, text=True)
    assert drawn.stderr == "", drawn.stderr
    return [(os.path.join(folder, "report.html"), report), (page, rich)]


def check_that_it_sees(browser, folder):
    """The checks themselves find what they look for."""
    page = os.path.join(folder, "bad.html")
    with open(page, "w", encoding="utf-8") as file:
        file.write('<!DOCTYPE html><meta name="viewport" content="width=device-width"><main><p>x</p></main>'
                   '<div style="width:900px">wide</div><img src="data:image/png;base64,AAAA" alt="">'
                   '<script>console.error("seen"); undefined_function()</script>')
    browser.open(page, *PHONE)
    seen = browser.evaluate(LOOK)
    assert seen["width"] == 390 < seen["page"] and seen["beyond"], seen
    assert not seen["images"][0]["whole"], seen
    assert any("seen" in complaint for complaint in browser.complaints), browser.complaints
    assert len(browser.complaints) >= 2, browser.complaints


def main():
    picus, scripts, folder, must_have = sys.argv[1:]
    program = chromium.find()
    if program is None:
        print("page_test: there is no Chromium; on Debian: apt-get install chromium")
        sys.exit(1 if must_have == "ON" else SKIPPED)
    pages = write_pages(picus, scripts, os.path.abspath(folder))
    with chromium.Chromium(program) as browser:
        check_that_it_sees(browser, folder)
        for page, report in pages:
            for window in (DESKTOP, PHONE):
                check(browser, page, report, window)
        check(browser, *pages[1], PHONE, scheme="dark")


if __name__ == "__main__":
    main()
