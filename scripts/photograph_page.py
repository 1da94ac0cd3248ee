#!/usr/bin/python3
"""Takes a picture of a page of `picus export --html` in headless Chromium.

Usage: photograph_page.py PAGE.html TIME OUT.png [WIDTH HEIGHT]
"""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, os.pardir, "tests", "program"))

import chromium  # noqa: E402, of the tests


def main():
    if len(sys.argv) not in (4, 6):
        sys.exit(__doc__.strip())
    page, time, picture = sys.argv[1:4]
    width, height = (int(word) for word in sys.argv[4:]) if len(sys.argv) == 6 else (1200, 750)
    program = chromium.find()
    if program is None:
        sys.exit("photograph_page: there is no Chromium; on Debian: apt-get install chromium")
    with chromium.Chromium(program, has_webgl=True) as browser:
        browser.open(page, width, height)
        browser.evaluate(f"showTime({float(time)})")
        browser.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        browser.screenshot(picture)


if __name__ == "__main__":
    main()
