#!/usr/bin/python3
"""Runs the cells of docs/python.md and compares what they print with the page.

Usage: python_page_test.py PICUS ROOT FOLDER MUST_RUN [--write]    (--write puts into the page what they print)
Without pandas it is skipped, unless MUST_RUN is ON.
"""

import ast
import contextlib
import importlib.util
import io
import os
import re
import subprocess
import sys

SKIPPED = 77
CELL = re.compile(r"```python\n(.*?)```\n(?:\n```text\n(.*?)```\n)?", re.DOTALL)


def run_cell(code, names):
    """What a notebook would show: what is printed, and the value of a last expression."""
    parsed = ast.parse(code)
    last = parsed.body.pop() if isinstance(parsed.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(parsed, "<cell>", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)
            if value is not None:
                print(repr(value))
    return printed.getvalue()


def main():
    picus, root, folder, must_run = sys.argv[1:5]
    if importlib.util.find_spec("pandas") is None:
        print("python_page_test: there is no pandas; on Debian: apt-get install python3-pandas")
        sys.exit(1 if must_run == "ON" else SKIPPED)
    page = os.path.join(root, "docs", "python.md")
    sys.path.insert(0, os.path.join(root, "python"))
    os.makedirs(folder, exist_ok=True)
    os.chdir(folder)
    subprocess.run([picus, "run", "woodpecker", "--quiet", "--force", "--out", "woodpecker.h5"], check=True)
    with open(page, encoding="utf-8") as file:
        text = file.read()
    names, wrong = {}, []

    def check(match):
        code, expected = match.groups()
        shown = run_cell(code, names)
        if shown != (expected or ""):
            wrong.append(f"{code}\nprints\n{shown}\nand not\n{expected}")
        return f"```python\n{code}```\n" + (f"\n```text\n{shown}```\n" if shown else "")

    corrected, cells = CELL.subn(check, text)
    assert cells >= 8, f"{page} has {cells} cells"
    assert os.path.getsize("phase.png") > 5000
    if sys.argv[5:] == ["--write"]:
        with open(page, "w", encoding="utf-8") as file:
            file.write(corrected)
    elif wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
