#!/usr/bin/python3
"""Every example of the gallery is shown in the documentation, word by word.

A block of code after the line `<!-- example: NAME -->` is what stands between `// [example]` and `// [example end]` in
examples/gallery/NAME.cpp. One after `<!-- source: PATH -->` is all of that file.
"""

import pathlib
import re
import sys
import textwrap

BLOCK = re.compile(r"<!-- example: (\w+) -->\n+```cpp\n(.*?)```", re.DOTALL)
SOURCE = re.compile(r"<!-- source: (\S+) -->\n+```\w*\n(.*?)^```", re.DOTALL | re.MULTILINE)
EXAMPLE = re.compile(r"^ *// \[example\]\n(.*?)^ *// \[example end\]$", re.DOTALL | re.MULTILINE)


def main():
    root = pathlib.Path(sys.argv[1])
    examples = {path.stem: path for path in sorted((root / "examples" / "gallery").glob("*.cpp"))}
    mistakes = []
    shown = set()
    for page in sorted((root / "docs").rglob("*.md")):
        for name, code in BLOCK.findall(page.read_text()):
            shown.add(name)
            if name not in examples:
                mistakes.append(f"{page.name} shows example {name}, which does not exist")
                continue
            found = EXAMPLE.search(examples[name].read_text())
            if found is None:
                mistakes.append(f"{examples[name].name} has no lines between [example] and [example end]")
            elif textwrap.dedent(found[1]).strip() != code.strip():
                mistakes.append(f"{page.name} shows example {name} with other words than {examples[name].name}")
        for name, text in SOURCE.findall(page.read_text()):
            path = root / name
            if not path.is_file():
                mistakes.append(f"{page.name} shows {name}, which does not exist")
            elif path.read_text() != text:
                mistakes.append(f"{page.name} shows {name} with other words")
    mistakes += [f"example {name} is shown nowhere" for name in examples if name not in shown]
    if not examples:
        mistakes.append("there are no examples")
    for mistake in mistakes:
        print(f"documented_examples: {mistake}")
    sys.exit(1 if mistakes else 0)


if __name__ == "__main__":
    main()
