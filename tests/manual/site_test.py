#!/usr/bin/python3
"""The manual builds without a warning, all its links lead somewhere, and a browser shows it from disk without a network.

Usage: site_test.py ROOT WORK REQUIRED. Ends with 77 (skipped) where the tools are missing, unless REQUIRED is on.
"""

import html.parser
import pathlib
import re
import shutil
import subprocess
import sys
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "program"))

import chromium  # noqa: E402

LOADS = {("img", "src"), ("script", "src"), ("link", "href"), ("iframe", "src"), ("source", "src"), ("embed", "src"),
         ("object", "data"), ("video", "src"), ("audio", "src")}
# Pages with formulas, every one of which has to be drawn.
MATH_PAGES = ("first-model.html", "theory.html")


class Links(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.loaded, self.followed, self.anchors = [], [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("id", "name") and value:
                self.anchors.add(value)
            elif (tag, name) in LOADS and value:
                self.loaded.append(value)
            elif (tag, name) == ("a", "href") and value:
                self.followed.append(value)


def is_outside(url):
    return bool(re.match(r"(?:[a-z][a-z0-9+.-]*:)?//|https?:", url))


def check_links(site):
    pages = {path: Links(path.read_text()) for path in sorted(site.rglob("*.html"))}
    for path, links in pages.items():
        name = path.relative_to(site)
        for url in links.loaded:
            if is_outside(url):
                yield f"{name} loads {url}"
        for url in links.followed + links.loaded:
            parts = urllib.parse.urlsplit(url)
            if is_outside(url) or parts.scheme:
                continue
            target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            if not target.is_file():
                yield f"{name} leads to {url}, which is not there"
            elif parts.fragment and target in pages and urllib.parse.unquote(parts.fragment) not in pages[target].anchors:
                yield f"{name} leads to {url}, which has no such place"
    for path in site.rglob("*.css"):
        for url in re.findall(r"url\(([^)]*)\)", path.read_text()):
            if is_outside(url.strip("'\"")):
                yield f"{path.relative_to(site)} loads {url}"


def check_navigation(root, site):
    """Every page of docs/ is in the site, and the front page leads to it."""
    front = Links((site / "index.html").read_text()).followed
    for path in sorted((root / "docs").rglob("*.md")):
        page = "index.html" if path.name == "README.md" else path.relative_to(root / "docs").with_suffix(".html").as_posix()
        if not (site / page).is_file() or (page != "index.html" and page not in front):
            yield f"docs/{path.relative_to(root / 'docs')} is not in the navigation"


SEARCH = """(async () => {
  document.querySelector("#__search").checked = true;
  const query = document.querySelector("[data-md-component=search-query]");
  query.focus();
  query.value = "restitution";
  for (let i = 0; i < 100; ++i) {
    query.dispatchEvent(new KeyboardEvent("keyup", {bubbles: true}));
    await new Promise(resolve => setTimeout(resolve, 100));
    const found = [...document.querySelectorAll(".md-search-result__link")].map(link => link.href);
    if (found.length) return found;
  }
  return [];
})()"""

MATH = """(async () => {
  const formulas = document.querySelectorAll(".arithmatex");
  for (let i = 0; i < 100; ++i) {
    const shown = [...formulas].filter(f => f.querySelector("svg") && f.querySelector("svg").getBoundingClientRect().width > 4);
    if (formulas.length && shown.length == formulas.length) break;
    await new Promise(resolve => setTimeout(resolve, 100));
  }
  return {formulas: formulas.length, errors: document.querySelectorAll(".MathJax_Error, [data-mml-node=merror], .merror").length,
          shown: [...formulas].filter(f => f.querySelector("svg") && f.querySelector("svg").getBoundingClientRect().width > 4).length};
})()"""


MISSING = """(async () => {
  const settled = image => image.complete || new Promise(resolve => { image.onload = image.onerror = resolve; });
  await Promise.all([...document.images].map(settled));
  return [...document.images].filter(image => !image.naturalWidth).map(image => image.src);
})()"""


def check_browser(site):
    with chromium.Chromium(chromium.find()) as browser:
        for page in ("index.html", "elements.html", "api/index.html", "api/classpicus_1_1Model.html", *MATH_PAGES):
            browser.open(site / page, 1400, 900)
            if page in MATH_PAGES:
                seen = browser.evaluate(MATH)
                if not seen["formulas"] or seen["shown"] != seen["formulas"] or seen["errors"]:
                    yield f"{page}: formulas are not shown: {seen}"
            if page == "index.html":
                found = browser.evaluate(SEARCH)
                if not any("contacts.html" in link for link in found):
                    yield f"a search for restitution finds {found}"
            missing = browser.evaluate(MISSING)
            yield from (f"{page} does not show {picture}" for picture in missing)
            yield from (f"{page}: {complaint}" for complaint in browser.complaints)
            yield from (f"{page} asks the network for {url}" for url in browser.requested
                        if not url.startswith(("file:", "data:", "blob:")))


def main():
    root, work, required = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve(), sys.argv[3]
    tools = shutil.which("doxygen"), shutil.which("mkdocs"), chromium.find()
    if not all(tools) and required not in ("ON", "TRUE", "1"):
        print("site_test: skipped, doxygen, mkdocs or chromium is missing")
        sys.exit(77)

    shutil.rmtree(work, ignore_errors=True)
    site = work / "manual"
    built = subprocess.run([root / "scripts" / "build_manual.sh", site], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if built.returncode != 0:
        sys.exit(f"site_test: the manual does not build:\n{built.stdout}")
    mistakes = [*check_links(site), *check_navigation(root, site), *check_browser(site)]
    for mistake in mistakes:
        print(f"site_test: {mistake}")
    sys.exit(1 if mistakes else 0)


if __name__ == "__main__":
    main()
