#!/usr/bin/python3
"""Spoilt result files, checkpoints and problems in FCLIB's format, read by all that reads them.

Usage: fuzz_test.py PICUS READER PLAIN|SANITIZED SOURCE_FOLDER FOLDER COUNT [FIRST]      (cases FIRST, FIRST + 1, ...; each is the same in every run)

Whatever a file holds, nothing may be ended by a signal, take longer than its limit, write control characters, or say anything but
one line that names the file; the exit status is 0, 1 or 2. Links, external storage and virtual data sets lead to a pipe, which
whoever opens it waits on for ever. READER reads the problems in its own process, and all files where it is sanitized: the sanitizer may
report nothing but the library for HDF5.
PICUS_FUZZ_LIMIT: seconds for each program, 120. PICUS_FUZZ_JOBS: cases at a time, 1.
"""

import collections
import concurrent.futures
import os
import random
import shutil
import signal
import subprocess
import sys
import time
import unicodedata

import h5py
import mutations
import numpy as np
import sanitizer_reports
from sanitizer_reports import is_own_fault, read_in_process

picus, reader, source, folder = (os.path.abspath(word) for word in (*sys.argv[1:3], *sys.argv[4:6]))
is_sanitized = sys.argv[3] == "SANITIZED"
count, first = int(sys.argv[6]), int(sys.argv[7]) if len(sys.argv) > 7 else 0
LIMIT = float(os.environ.get("PICUS_FUZZ_LIMIT", "120"))
SEEDS = os.path.join(folder, "seeds")
SCRIPTED = 0.4  # of the result files that are drawn as well
ENVIRONMENT = dict(sanitizer_reports.ENVIRONMENT, MPLBACKEND="Agg")

RESULTS = ("ball", "toy", "cube", "tower", "heap")  # with checkpoints; of the last two with contacts that were found
PROBLEMS = ("local", "global")  # in the two forms of FCLIB


def make_seeds():
    """Small results with their checkpoints, one of the first format, and problems."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(SEEDS)
    runs = {"ball": ("bouncing-ball", "--until", "0.03"),
            "toy": ("woodpecker", "--set", "variant=body-points", "--until", "0.003", "--rho-inf", "0.7", "--energy-details"),
            "cube": ("flexible-cube", "--set", "divisions=2", "--step", "1e-3", "--until", "0.02"),
            "tower": ("box-tower", "--set", "count=2", "--until", "0.02", "--contact-problems", "problems"),
            # Its contacts change; one has just closed where it is stored.
            "heap": ("mixed-heap", "--set", "balls=4", "--set", "boxes=2", "--set", "width=0.2", "--until", "0.15", "--every", "10")}
    for name, words in runs.items():
        subprocess.run([picus, "run", *words, "--checkpoint", "10", "--quiet", "--out", f"{name}.h5"], cwd=SEEDS, check=True,
                       env=ENVIRONMENT)
    shutil.copy(os.path.join(source, "tests", "core", "format_1.h5"), os.path.join(SEEDS, "first.h5"))
    shutil.copy(os.path.join(SEEDS, "problems", "step_000020.hdf5"), os.path.join(SEEDS, "local.hdf5"))
    make_global_problem(os.path.join(SEEDS, "global.hdf5"))


def until_of(seed):
    return {"ball": "0.05", "toy": "0.005", "cube": "0.03", "tower": "0.03", "heap": "0.17"}[seed]


def make_global_problem(path):
    """M v = H r + f, u = H' v + w: two balls on a floor that touch each other, by columns and as triplets."""
    M = np.diag([2.0, 2.0, 2.0, 3.0, 3.0, 3.0])
    H = np.zeros((6, 9))
    H[0:3, 0:3], H[3:6, 3:6] = np.eye(3), np.eye(3)
    H[0:3, 6:9], H[3:6, 6:9] = -np.eye(3), np.eye(3)
    with h5py.File(path, "w") as file:
        problem = file.create_group("fclib_global")
        problem["spacedim"] = np.array([3], "i4")
        vectors = problem.create_group("vectors")
        vectors["f"], vectors["w"], vectors["mu"] = -9.81 * np.ones(6), np.zeros(9), 0.3 * np.ones(3)
        for name, dense, by_columns in (("M", M, True), ("H", H, False)):
            write_matrix(problem.create_group(name), dense, by_columns)
        problem.create_group("info")["title"] = np.bytes_(b"two balls")


def write_matrix(group, dense, by_columns):
    rows, columns = np.nonzero(dense.T)[::-1]
    group["nz"] = np.array([-1 if by_columns else len(rows)], "i4")
    group["nzmax"], group["m"], group["n"] = (np.array([n], "i4") for n in (len(rows), *dense.shape))
    starts = np.concatenate([[0], np.cumsum(np.count_nonzero(dense, axis=0))])
    group["p"], group["i"] = (starts if by_columns else columns).astype("i4"), rows.astype("i4")
    group["x"] = dense[rows, columns]


class Case:
    """One spoilt file and the programs that read it."""

    def __init__(self, number):
        self.number = number
        self.random = random.Random(number)
        self.folder = os.path.join(folder, f"case{number}")
        os.makedirs(self.folder)
        self.trap = os.path.join(self.folder, "trap")
        os.mkfifo(self.trap)
        self.faults, self.outcomes = [], []
        kind = self.random.choices((".h5", ".checkpoint", ".hdf5"), (6, 3, 1))[0]
        self.has_checkpoint, self.is_problem = kind == ".checkpoint", kind == ".hdf5"
        self.seed = self.random.choice(PROBLEMS if self.is_problem else RESULTS if self.has_checkpoint else (*RESULTS, "first"))
        for extension in (".h5", ".checkpoint", ".hdf5"):
            if os.path.exists(os.path.join(SEEDS, self.seed + extension)):
                shutil.copy(os.path.join(SEEDS, self.seed + extension), os.path.join(self.folder, "x" + extension))
        self.file = os.path.join(self.folder, "x" + kind)
        self.change = mutations.spoil(self.random, self.file, self.trap)

    def run(self):
        if self.is_problem:
            self.read_problem()
        elif self.has_checkpoint:
            self.read("run", "--resume", "x.h5", "--until", until_of(self.seed), "--quiet")
        else:
            self.read("show", "x.h5")
            if self.random.random() < SCRIPTED:
                word = self.random.choice((("plot", "x.h5", "--overview", "--out", "x.svg"), ("plot", "x.h5", "*/position", "*/gap", "--out", "x.svg"),
                                           ("export", "x.h5", "--html"), ("export", "x.h5", "--contacts")))
                self.read(*word)
            if self.seed in RESULTS and self.random.random() < 0.4:
                self.read("run", "--resume", "x.h5", "--until", until_of(self.seed), "--quiet")
        self.look_at_page()
        if is_sanitized and not self.is_problem:
            self.read_within()
        if not self.faults:
            shutil.rmtree(self.folder)
        return self

    def read(self, *words):
        begun = time.monotonic()
        process = subprocess.Popen([picus, *words], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   start_new_session=True, env=ENVIRONMENT)
        try:
            out, err = process.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            self.faults.append(f"{words}: not done after {LIMIT:g} s")
            return
        self.outcomes.append((words[0], process.returncode, time.monotonic() - begun))
        self.judge(words, process.returncode, out, err)

    def read_within(self):
        outcome = read_in_process(reader, self.file, 30)
        # Without an outcome, the library goes round in circles; the program limits its time.
        if outcome and is_own_fault(outcome.stderr):
            self.faults.append(f"{reader}: exit status {outcome.returncode}, {outcome.stderr[:3000]}")

    def read_problem(self):
        """In its own process, as programs with the library do, which the library for HDF5 may take with it where bytes are damaged."""
        begun = time.monotonic()
        outcome = read_in_process(reader, self.file, LIMIT)
        if not outcome:
            self.faults.append(f"{reader}: not done after {LIMIT:g} s")
            return
        self.outcomes.append(("problem", outcome.returncode, time.monotonic() - begun))
        self.faults += sanitizer_reports.faults_of_problem(outcome, self.file)

    def judge(self, words, status, out, err):
        if is_sanitized:  # reports of the sanitizer come from the reader's own process
            if is_own_fault(err.decode("utf-8", "replace")):
                self.faults.append(f"picus {' '.join(words)}: {err[:3000]}")
            err = b"".join(line for line in err.splitlines(keepends=True)[-2:] if line.startswith((b"picus: ", b"       what")))

        def fault(text):
            self.faults.append(f"picus {' '.join(words)}: {text}")

        if status not in (0, 1, 2):
            fault(f"exit status {status}")
        for name, data in (("standard output", out), ("standard error", err)):
            try:
                text = data.decode("utf-8")
            except UnicodeDecodeError as error:
                fault(f"{name} is not UTF-8: {error}")
                continue
            odd = {c for c in text if c != "\n" and (unicodedata.category(c) in ("Cc", "Zl", "Zp") or c in "\u202e\u202d\u2066\u200f")}
            if odd:
                fault(f"{name} has the characters {sorted(map(hex, map(ord, odd)))}")
        lines = err.decode("utf-8", "replace").splitlines()
        # Another number in a state is another state, from which a run may be doubtful.
        is_warned = words[0] == "run" and all(line.startswith("picus: warning: ") for line in lines)
        if status == 0 and lines and not is_warned:
            fault(f"succeeds with a message: {lines}")
        if status == 0:
            return
        # A run that fails on its way says in a second line where its results are.
        if len(lines) == 2 and "what was computed is in" in lines[1]:
            lines = [" ".join(lines)]
        if len(lines) != 1 or not lines[0].startswith("picus: "):
            fault(f"not one line: {lines}")
        elif "x.h5" not in lines[0] and "x.checkpoint" not in lines[0]:
            fault(f"names no file: {lines}")
        elif "Traceback" in lines[0] or out and words[0] != "run":
            fault(f"partial output or trace: {lines}")

    def look_at_page(self):
        page = os.path.join(self.folder, "x.html")
        if os.path.exists(page):
            with open(page, encoding="utf-8") as file:
                text = file.read()
            if "<script>alert" in text:
                self.faults.append("the page has a script of the file")


def main():
    make_seeds()
    outcomes, slowest, faulty = collections.Counter(), (0.0, None), []

    def one(number):
        try:
            return Case(number).run()
        except Exception as error:  # of the test itself
            raise RuntimeError(f"case {number}") from error

    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("PICUS_FUZZ_JOBS", "1"))) as pool:
        for case in pool.map(one, range(first, first + count)):
            for command, status, seconds in case.outcomes:
                outcomes[(command, status)] += 1
                slowest = max(slowest, (seconds, case.number), key=lambda pair: pair[0])
            if case.faults:
                faulty.append(case.number)
                for text in case.faults:
                    print(f"fuzz_test: case {case.number} ({case.seed}, {case.change}), file {case.file}: {text}", flush=True)
    print(f"fuzz_test: {count} cases, {len(faulty)} with faults; " +
          ", ".join(f"{command} {status}: {number}" for (command, status), number in sorted(outcomes.items())) +
          f"; slowest {slowest[0]:.1f} s (case {slowest[1]})")
    sys.exit(1 if faulty else 0)


if __name__ == "__main__":
    main()
