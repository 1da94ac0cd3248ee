#!/usr/bin/python3
"""The page of the first model, done word by word: its files in an empty folder, built against an installed Picus, run and looked at.

Usage: first_model_test.py ROOT BUILD WORK CONFIG CXX_COMPILER GENERATOR
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

BLOCK = re.compile(r"^(?:<!-- file: (\S+) -->\n)?```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INSTALLED_BY_TEST = "install.sh"  # sets up the whole machine


def run(*command, **where):
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **where)
    if done.returncode != 0:
        sys.exit(f"first_model_test: {' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout}")
    return done.stdout


def compare(page, files):
    mistakes = []
    blocks = BLOCK.findall(page.read_text())
    for name, text in blocks:
        if not name:
            mistakes.append(f"a block of code comes from no file: {text.splitlines()[0]}")
        elif name not in files:
            mistakes.append(f"there is no file {name}")
        elif files[name].read_text() != text:
            mistakes.append(f"{name} reads otherwise on the page")
    mistakes += [f"{name} is not on the page" for name in files if name not in [name for name, _ in blocks]]
    if mistakes:
        sys.exit("\n".join(f"first_model_test: {mistake}" for mistake in mistakes))


def main():
    root, build, work = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
    config, compiler, generator = sys.argv[4:7]
    files = {path.name: path for path in sorted((root / "examples" / "first_model").iterdir())}
    compare(root / "docs" / "first-model.md", files)

    shutil.rmtree(work, ignore_errors=True)
    folder, prefix = work / "croquet", work / "picus"
    folder.mkdir(parents=True)
    for name in ("CMakeLists.txt", "main.cpp"):
        shutil.copy(files[name], folder)
    run("cmake", "--install", build, "--prefix", prefix, "--config", config)

    surroundings = dict(os.environ, CMAKE_PREFIX_PATH=str(prefix), CXX=compiler, CMAKE_GENERATOR=generator,
                        PATH=f"{prefix / 'bin'}:{os.environ['PATH']}")
    output = run("bash", "-e", files["build.sh"], cwd=folder, env=surroundings)
    expected = files["output.txt"].read_text()
    if not output.endswith(expected):
        sys.exit(f"first_model_test: the program does not print {expected!r} at the end, but:\n{output}")
    run("bash", "-e", files["look.sh"], cwd=folder, env=surroundings)
    for name in ("croquet.h5", "croquet.xdmf", "croquet.png", "ball.png", "croquet.html"):
        if not (folder / name).stat().st_size:
            sys.exit(f"first_model_test: {name} is empty")


if __name__ == "__main__":
    main()
