#!/usr/bin/python3
"""Result files that earlier versions wrote, as this one reads them. Usage: stored_result_test.py PICUS PYTHON_FOLDER FIRST SECOND STATIC FOLDER

FIRST and SECOND are of the formats 1 and 2, STATIC is of equilibria and of format 2."""

import hashlib
import os
import shutil
import subprocess
import sys
import unittest
import zlib

import h5py
import numpy as np

picus, python_folder, stored, second, static, folder = sys.argv[1:]
sys.path.insert(0, python_folder)
import picus_results  # noqa: E402

shutil.rmtree(folder, ignore_errors=True)
os.makedirs(folder)


def call(*words):
    return subprocess.run([picus, *words], cwd=folder, capture_output=True, text=True, check=False)


def copy_as(name, change=None):
    path = os.path.join(folder, name)
    shutil.copy(stored, path)
    if change:
        with h5py.File(path, "r+") as file:
            change(file)
    return path


def checksum(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def give_version(path, version):
    """Lets another version have written the checkpoint: its name after the mark, the format and a length; the checksum at the end."""
    place = 8 + 4 + 8
    with open(path, "rb") as file:
        content = bytearray(file.read())[:-4]
    length = int.from_bytes(content[place - 8:place], sys.byteorder)
    assert length == len(version)
    content[place:place + length] = version
    with open(path, "wb") as file:
        file.write(content + zlib.crc32(content).to_bytes(4, sys.byteorder))


class StoredResult(unittest.TestCase):
    def test_is_shown(self):
        outcome = call("show", stored)
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        for text in ("flight", "complete", "0.1.0", "/nodes/ball/position", "51 x 3", "/contacts/floor/gap",
                     "/energy/balance"):
            self.assertIn(text, outcome.stdout)
        self.assertNotIn("residual accepted", outcome.stdout)  # it does not tell

    def test_what_was_accepted_above_tolerance_is_shown(self):
        outcome = call("run", "bouncing-ball", "--until", "0.02", "--out", "accepted.h5")
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        self.assertNotIn("residual accepted", call("show", "accepted.h5").stdout)  # there was nothing
        with h5py.File(os.path.join(folder, "accepted.h5"), "r+") as file:
            file["solver/accepted_residual"][3] = 12.5
            file["solver/accepted_residual"][7] = 4.0
        self.assertRegex(call("show", "accepted.h5").stdout, r"largest residual accepted +12\.5 times the tolerance\n")

    def test_is_read_by_python(self):
        with picus_results.open(stored) as run:
            self.assertEqual(run.attributes["format_version"], 1)
            self.assertEqual(run.outcome, "complete")
            self.assertEqual(run["energy/kinetic"].unit, "J")
            np.testing.assert_allclose(run.time, 0.01 * np.arange(51), atol=1e-15)

    def test_goes_on_from_no_checkpoint(self):
        path = copy_as("alone.h5")
        before = checksum(path)
        outcome = call("run", "--resume", "alone.h5", "--until", "1")
        self.assertEqual(outcome.returncode, 1)
        self.assertEqual(outcome.stderr, 'picus: cannot go on from checkpoint "alone.checkpoint": No such file or directory\n')
        self.assertEqual(checksum(path), before)

    def test_a_checkpoint_of_another_version_is_named(self):
        outcome = call("run", "bouncing-ball", "--until", "0.02", "--checkpoint", "10", "--out", "other.h5")
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        give_version(os.path.join(folder, "other.checkpoint"), b"0.0.9")
        before = checksum(os.path.join(folder, "other.h5"))
        outcome = call("run", "--resume", "other.h5", "--until", "0.3")
        self.assertEqual(outcome.returncode, 1)
        self.assertRegex(outcome.stderr, r'^picus: cannot go on from checkpoint "other.checkpoint": it was written by '
                         r"Picus 0\.0\.9, and only that version can go on as before; this is Picus [0-9.]+\n$")
        self.assertEqual(checksum(os.path.join(folder, "other.h5")), before)


class SecondFormat(unittest.TestCase):
    def test_is_shown(self):
        outcome = call("show", second)
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        for text in ("flight", "complete", "records", "51, from t = 0 to 0.5 s", "/solver/fallbacks", "51 x 6", "/sensors/rim/position",
                     "/visualization/contact_force"):
            self.assertIn(text, outcome.stdout)
        self.assertRegex(outcome.stdout, r"fallbacks +126\n")
        self.assertRegex(outcome.stdout, r"largest residual accepted +12\.5 times the tolerance\n")

    def test_equilibria_are_shown_over_the_load_factor(self):
        outcome = call("show", static)
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        self.assertRegex(outcome.stdout, r"records +5, from load factor 0 to 1\n")
        self.assertRegex(outcome.stdout, r"\n +step +0\.25\n")
        self.assertRegex(outcome.stdout, r"load factor asked for +1\n")

    def test_is_drawn(self):
        for name, quantities in ((second, ("nodes/ball/position", "solver/fallbacks")), (static, ("nodes/weight/position",))):
            figure = os.path.join(folder, os.path.basename(name) + ".svg")
            outcome = call("plot", name, *quantities, "--out", figure)
            self.assertEqual(outcome.returncode, 0, outcome.stderr)
            with open(figure, encoding="utf-8") as file:
                text = file.read()
            self.assertTrue((">load factor</text>" if name == static else ">time, s</text>") in text, name)
            self.assertEqual(name != static, ", h = 0.001 s" in text)

    def test_is_exported(self):
        outcome = call("export", second, "--html", "--out", "second.html")
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        with open(os.path.join(folder, "second.html"), encoding="utf-8") as file:
            text = file.read()
        for part in ('"time_unit":"s"', '"frames":51', "floor"):
            self.assertIn(part, text)


class NewerResult(unittest.TestCase):
    """A format that is still to come, by Picus 99.0."""

    def setUp(self):
        outcome = call("run", "bouncing-ball", "--until", "0.02", "--checkpoint", "10", "--force", "--out", "newer.h5")
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        self.path = os.path.join(folder, "newer.h5")
        with h5py.File(self.path, "r+") as file:
            file.attrs["format_version"] = 99
            file.attrs["picus_version"] = "99.0"

    def expect_refusal(self, *words):
        before = checksum(self.path)
        outcome = call(*words)
        self.assertEqual(outcome.returncode, 1)
        self.assertRegex(outcome.stderr, r"newer\.h5.* (format|format version) 99.* Picus 99\.0")
        self.assertEqual(outcome.stderr.count("\n"), 1, outcome.stderr)
        self.assertEqual(checksum(self.path), before)

    def test_is_not_shown(self):
        self.expect_refusal("show", "newer.h5")

    def test_is_not_gone_on_with(self):
        self.expect_refusal("run", "--resume", "newer.h5", "--until", "1")

    def test_is_not_read_by_python(self):
        with self.assertRaisesRegex(picus_results.FormatError, "format version 99, written by Picus 99.0"):
            picus_results.open(self.path)

    def test_is_not_drawn(self):
        self.expect_refusal("plot", "newer.h5", "time")

    def test_is_not_exported(self):
        self.expect_refusal("export", "newer.h5", "--html")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
