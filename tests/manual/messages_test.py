#!/usr/bin/python3
"""docs/troubleshooting.md and the sources name the same messages.

On the page a message is a line **`message`**, with ... for each value. In the sources a message is the text of an Error that
solvers/ or src/ throw (but not src/program, which talks of its command line), any longer text in solvers/ (but not what schemes.cpp and scheme_options.cpp
say of schemes and their options), which becomes a part of one, and the name of a fallback.
"""

import pathlib
import re
import sys

LITERAL = re.compile(r'"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*')
SHOWN = re.compile(r"^\*\*`([^`]*)`\*\*$", re.MULTILINE)
THROWN = re.compile(r"throw \w*(?:Error|Interrupted)\(")
DESCRIPTIONS = {"solvers/integrators/schemes.cpp", "solvers/integrators/scheme_options.cpp"}
LONG = 5  # words of a text that is a message wherever it stands
SHORT = 3  # words of one that is thrown


def without_comments(text):
    return re.sub(r"^\s*#.*$|//[^\n]*", "", text, flags=re.MULTILINE)


def literals(text):
    """String literals, adjacent ones as one, with ... for what is filled in."""
    for match in LITERAL.finditer(text):
        words = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', match[0])).replace('\\"', '"')
        yield re.sub(r"(?:\{[^{}]*\})+", "...", words).strip()


def end_of_call(text, start):
    """Behind the parenthesis that closes the one before `start`."""
    depth = 1
    for match in re.finditer(r'"(?:[^"\\]|\\.)*"|[()]', text[start:]):
        depth += {"(": 1, ")": -1}.get(match[0], 0)
        if depth == 0:
            return start + match.end()
    raise ValueError("a parenthesis stays open")


def is_message(text, least):
    return len(re.findall(r"[A-Za-z]{2,}", text)) >= least


def messages_of(path, name):
    text = without_comments(path.read_text())
    for match in THROWN.finditer(text):
        call = text[match.end():end_of_call(text, match.end())]
        yield from (found for found in literals(call) if is_message(found, SHORT))
    if name.startswith("solvers/") and name not in DESCRIPTIONS:
        yield from (found for found in literals(text) if is_message(found, LONG))


def main():
    root = pathlib.Path(sys.argv[1])
    sources = [path for folder in ("solvers", "src") for path in sorted((root / folder).rglob("*.cpp"))]
    known = {}
    for path in sources:
        name = path.relative_to(root).as_posix()
        if name.startswith("src/program/") or name.startswith("src/testing/"):
            continue
        for message in messages_of(path, name):
            known.setdefault(message, name)
    fallbacks = without_comments((root / "solvers/integrators/fallbacks.hpp").read_text())
    for message in filter(None, literals(fallbacks[fallbacks.index("remedy_names"):])):
        known.setdefault(message, "solvers/integrators/fallbacks.hpp")
    # Of what elements say the page has the most frequent.
    possible = {found for path in [*sources, *sorted((root / "elements").rglob("*.cpp"))]
                for found in literals(without_comments(path.read_text()))}

    page = (root / "docs" / "troubleshooting.md").read_text()
    shown = SHOWN.findall(page)
    mistakes = [f"{known[message]}: not on the page: {message}" for message in known if message not in shown]
    mistakes += [f"on the page, but in no source: {message}" for message in shown if message not in known and message not in possible]
    mistakes += [f"twice on the page: {message}" for message in set(shown) if shown.count(message) > 1]
    if len(known) < 50:
        mistakes.append(f"only {len(known)} messages were found in the sources")
    for mistake in mistakes:
        print(f"messages_test: {mistake}")
    print(f"messages_test: {len(known)} messages in the sources, {len(shown)} on the page")
    sys.exit(1 if mistakes else 0)


if __name__ == "__main__":
    main()
