#!/usr/bin/python3
"""A sweep on the workers of a scheduler of Dask distributed, all of them on this machine. Usage: dask_test.py PICUS FOLDER REQUIRED"""

import csv
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

PICUS, WORK, REQUIRED = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve(), sys.argv[3]
SKIPPED = 77
PATIENCE = 120  # s, for processes to begin and points to end
COUNT = 12
MODEL = ("sweep", "inclined-plane", "--set", f"mu=0.1:0.9:{COUNT}", "--until", "0.2", "--no-figure")

try:
    import distributed  # noqa: F401, only asked for
except ImportError:
    print("dask_test: the Python module distributed is missing; on Debian: apt-get install python3-distributed")
    sys.exit(1 if REQUIRED.upper() in ("ON", "1", "TRUE", "YES") else SKIPPED)


def wait_for(what, condition):
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"in {PATIENCE} s: no {what}")
        time.sleep(0.05)


def rows_of(name):
    """Of a table, without the wall times."""
    with open(WORK / f"{name}.csv", newline="", encoding="utf-8") as file:
        return [{key: value for key, value in row.items() if key != "seconds"} for row in csv.DictReader(file)]


def write_program(name, lines):
    """A program in the place of Picus on the workers: a shell script that has the number of the point as $point."""
    path = WORK / name
    path.write_text("#!/bin/bash\n" 'for point in "$@"; do :; done\n' + lines + f'\nexec "{PICUS}" "$@"\n')
    path.chmod(0o755)
    return path


class Cluster:
    """A scheduler, which hands a point to another worker at most once, and two workers that are begun anew when they are lost."""

    def __init__(self):
        self.file = WORK / "scheduler.json"
        self.processes = []
        environment = dict(os.environ, DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES="1",
                           DASK_DISTRIBUTED__ADMIN__TICK__LIMIT="1h")
        self.begin(environment, "dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", self.file)
        wait_for("scheduler", lambda: self.file.exists() and self.file.stat().st_size > 0)
        self.address = json.loads(self.file.read_text())["address"]
        for i in range(2):
            self.begin(environment, "dask_worker", self.address, "--host", "127.0.0.1", "--nthreads", "1",
                       "--local-directory", WORK / f"worker{i}")

    def begin(self, environment, program, *words):
        with open(WORK / f"{program}.log", "a", encoding="utf-8") as log:
            self.processes.append(subprocess.Popen(
                [sys.executable, "-m", f"distributed.cli.{program}", "--no-dashboard", *map(str, words)], cwd=WORK, env=environment,
                stdout=log, stderr=log))

    def end(self):
        for process in reversed(self.processes):
            process.terminate()
        for process in self.processes:
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()


class SweepByScheduler(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cluster = Cluster()
        cls.addClassCleanup(cls.cluster.end)
        cls.call(cls, "local")

    def command(self, name, *words):
        return [str(word) for word in (PICUS, *MODEL, "--out", name, *words)]

    def call(self, name, *words, status=0):
        outcome = subprocess.run(SweepByScheduler.command(self, name, *words), cwd=WORK, capture_output=True, text=True, check=False,
                                 timeout=2 * PATIENCE)
        if outcome.returncode != status:
            raise AssertionError(f"{name} ended with {outcome.returncode}: {outcome.stdout}{outcome.stderr}")
        return outcome

    def run_remotely(self, name, *words, status=0):
        return self.call(name, "--scheduler", self.cluster.address, *words, status=status)

    def begin_remotely(self, name, *words):
        return subprocess.Popen(self.command(name, "--scheduler", self.cluster.address, *words), cwd=WORK, stdout=subprocess.DEVNULL,
                                stderr=subprocess.PIPE, text=True)

    def lines_of_journal(self, name):
        path = WORK / f"{name}.sweep"
        return path.read_text().count("\n") if path.exists() else 0

    def test_finds_what_it_finds_here(self):
        outcome = self.run_remotely("remote")
        self.assertIn(f"{COUNT} of {COUNT} points, 0 failed", outcome.stdout)
        self.assertEqual(rows_of("remote"), rows_of("local"))
        self.assertFalse((WORK / "remote.sweep").exists())
        drawn = ("--samples", "5", "--seed", "4", "--set", "mu=0.2:0.6", "--step", "2e-3", "--scheme", "moreau-jean")
        for name, words in (("drawn-here", ()), ("drawn-there", ("--scheduler", self.cluster.address))):
            subprocess.run([PICUS, "sweep", "inclined-plane", "--no-figure", "--quiet", "--out", name, *drawn, *words], cwd=WORK, check=True)
        self.assertEqual(rows_of("drawn-there"), rows_of("drawn-here"))
        self.assertEqual(len(rows_of("drawn-here")), 5)

    def test_goes_on_past_points_that_crash(self):
        program = write_program("crashes", "[[ $point == 3 ]] && kill -ABRT $$")
        self.assertIn(f"{COUNT} of {COUNT} points, 1 failed", self.run_remotely("crashed", "--program", program).stdout)
        rows = rows_of("crashed")
        self.assertEqual(rows.pop(3)["failure"], "its process was ended by Aborted")
        others = rows_of("local")
        del others[3]
        self.assertEqual(rows, others)

    def test_repeats_the_point_of_a_worker_that_is_lost(self):
        mark = WORK / "lost-worker"
        program = write_program("loses", f'[[ $point == 2 ]] && mkdir "{mark}" && kill -KILL $PPID && sleep 5')
        self.run_remotely("repeated", "--program", program)
        self.assertTrue(mark.exists())
        self.assertEqual(rows_of("repeated"), rows_of("local"))

    def test_gives_a_point_up_that_each_worker_is_lost_over(self):
        program = write_program("takes_all", "[[ $point == 2 ]] && kill -KILL $PPID && sleep 5")
        self.run_remotely("given-up", "--program", program)
        rows = rows_of("given-up")
        self.assertIn("each worker that tried it was lost", rows.pop(2)["failure"])
        self.assertTrue(all(row["failure"] == "" for row in rows))

    def test_goes_on_after_a_kill(self):
        program = write_program("slow", "sleep 0.5")
        process = self.begin_remotely("killed", "--program", program)
        wait_for("four points", lambda: self.lines_of_journal("killed") > 4)
        process.kill()
        process.communicate()
        done = self.lines_of_journal("killed") - 1
        self.assertLess(done, COUNT)
        # Here, there, or with another program: where a point is run does not make it another sweep.
        self.assertIn(f"goes on: {done} of {COUNT} points are done", self.run_remotely("killed").stdout)
        self.assertEqual(rows_of("killed"), rows_of("local"))

    def test_ends_its_runs_when_it_is_interrupted(self):
        mark = WORK / "begun"
        program = write_program("endless", f'[[ $point -ge 2 ]] && echo $$ >>"{mark}" && sleep 600')
        process = self.begin_remotely("interrupted", "--program", program)
        wait_for("two endless runs", lambda: mark.exists() and mark.read_text().count("\n") >= 2
                 and self.lines_of_journal("interrupted") == 3)
        process.send_signal(signal.SIGINT)
        errors = process.communicate(timeout=PATIENCE)[1]
        self.assertEqual(process.returncode, 1)
        self.assertIn(f"interrupted: 2 of {COUNT} points are done, and kept in interrupted.sweep; the same command goes on", errors)
        runs = [int(line) for line in mark.read_text().split()]
        wait_for("end of the runs on the workers", lambda: not any(Path(f"/proc/{run}").exists() for run in runs))

    def test_refuses_workers_with_another_program(self):
        other = WORK / "other"
        other.write_text("#!/bin/sh\nprintf 'another sweep\\nanother outcome\\n'\n")
        other.chmod(0o755)
        for program, reason in ((other, "has another version of the program, or of its models: install the same on all machines"),
                                (WORK / "nowhere", f"cannot run the program: {WORK / 'nowhere'}: No such file or directory"),
                                (write_program("fails", "echo no such library >&2; exit 4"), "ended with status 4: no such library")):
            outcome = self.run_remotely("refused", "--quiet", "--program", program, status=1)
            self.assertIn(reason, outcome.stderr)
            self.assertEqual(outcome.stderr.count("\n"), 1)
            self.assertEqual(list(WORK.glob("refused*")), [])

    def test_says_where_no_scheduler_is(self):
        for address, reason in (("tcp://127.0.0.1:1", "no scheduler of Dask answers at tcp://127.0.0.1:1"),
                                ("nonsense", "no scheduler of Dask answers at nonsense: missing port number")):
            outcome = self.call("nowhere-run", "--quiet", "--scheduler", address, status=1)
            self.assertTrue(outcome.stderr.startswith(f"picus: {reason}"), outcome.stderr)
            self.assertEqual(list(WORK.glob("nowhere-run*")), [])

    def test_refuses_options_that_contradict_each_other(self):
        address = ("--scheduler", "tcp://127.0.0.1:1")
        for words, reason in (((*address, "--workers", "2"), "--workers is for runs on this machine"),
                              (("--program", "picus"), "--program is for --scheduler alone"),
                              (("--scheduler", ""), "--scheduler is \"\""),
                              (("--point", str(COUNT)), "--point")):
            self.assertIn(reason, self.call("refused", *words, status=2).stderr)
            self.assertEqual(list(WORK.glob("refused*")), [])


if __name__ == "__main__":
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    unittest.main(argv=sys.argv[:1])
