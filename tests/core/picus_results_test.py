#!/usr/bin/python3
"""The Python module that reads results. Usage: picus_results_test.py WRITE_RESULT PYTHON_FOLDER FOLDER"""

import os
import shutil
import subprocess
import sys
import time
import unittest

import h5py
import numpy as np

write_result, python_folder, folder = sys.argv[1:]
sys.path.insert(0, python_folder)
import picus_results  # noqa: E402
from picus_results.names import matches  # noqa: E402

os.makedirs(folder, exist_ok=True)
flight = os.path.join(folder, "flight.h5")
for leftover in (flight, flight.replace(".h5", ".xdmf")):
    if os.path.exists(leftover):
        os.remove(leftover)
subprocess.run([write_result, flight], check=True)
bouncing = os.path.join(folder, "balls.h5")
subprocess.run([write_result, bouncing, "--balls"], check=True)


def stored(name):
    """A file that an earlier version wrote."""
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), name)


def copy(name, change, source=flight):
    """A copy of the flight, or of another file, that `change` has altered."""
    path = os.path.join(folder, name)
    shutil.copy(source, path)
    with h5py.File(path, "r+") as file:
        change(file)
    return path


class Reading(unittest.TestCase):
    def setUp(self):
        self.run_ = picus_results.open(flight)
        self.addCleanup(self.run_.close)

    def test_values_are_those_of_the_file(self):
        with h5py.File(flight) as file:
            np.testing.assert_array_equal(self.run_.time, file["time"])
            for name in self.run_.names():
                np.testing.assert_array_equal(self.run_[name].values, file[name], name)
                self.assertEqual(self.run_[name].unit, file[name].attrs["unit"])
                self.assertEqual(len(self.run_[name].time), len(self.run_[name].values))

    def test_profiles_are_read_where_they_are(self):
        self.assertEqual(self.run_.profile, [])
        with picus_results.open(bouncing) as run:
            profile = {(entry.subproblem, entry.part): entry for entry in run.profile}
            self.assertEqual(sorted(profile), [("", part) for part in ("change of contacts", "contact search", "energies",
                                                                       "recording", "rest", "start")])
            self.assertEqual(profile["", "energies"].count, 500)
            total = sum(entry.seconds for entry in run.profile)
            self.assertTrue(0 < total <= 2 * run.attributes["wall_seconds"])
            self.assertFalse(any(name.startswith("profile") for name in run.names()))
        with self.assertRaisesRegex(picus_results.FormatError, "/profile have different lengths"):
            def shorten(file):
                seconds = file["profile/seconds"][1:]
                del file["profile/seconds"]
                file["profile/seconds"] = seconds
            with picus_results.open(copy("short.h5", shorten, bouncing)) as run:
                run.profile

    def test_sensors_have_their_own_time(self):
        self.assertEqual(sorted(self.run_.sensors), ["mean", "rim", "steps"])
        rim = self.run_["sensors/rim/position"]
        np.testing.assert_allclose(rim.time[:3], [0, 0.003, 0.005], atol=1e-12)
        self.assertEqual((len(rim.time), len(self.run_.time)), (201, 51))
        np.testing.assert_allclose(rim.values[:, 2], 1 - 5 * rim.time**2, atol=1e-12)
        self.assertEqual([part.name for part in rim.components()], [f"sensors/rim/position.{axis}" for axis in "xyz"])
        self.assertIs(rim.components()[0].time, rim.time)
        self.assertNotIn("sensors/rim/time", self.run_.names())
        np.testing.assert_array_equal(self.run_["energy/kinetic"].time, self.run_.time)

    def test_patterns(self):
        kinetic = self.run_.find("*/kinetic")
        self.assertEqual([quantity.name for quantity in kinetic], ["energy/kinetic"])
        self.assertEqual(self.run_.find("kinetic")[0].name, "energy/kinetic", "the end of a name is enough")
        self.assertEqual([q.name for q in self.run_.find("energy/kin*", "*/kinetic")], ["energy/kinetic"], "each once")
        self.assertNotIn("time", self.run_.names())
        self.assertEqual([], [name for name in self.run_.names() if name.startswith(("visualization", "VTKHDF", "model"))])

    def test_patterns_know_stars_and_question_marks_alone(self):
        for pattern, name, fits in (("a[1]/*", "nodes/a[1]/b", True), ("a[1]", "a1", False), ("[!a]", "b", False), ("?", "nodes/\n", True),
                                    ("n*s/*", "nodes/a/b", True), ("*s", "nodes/a", False), ("des/a", "nodes/a", False), ("", "a/", True)):
            self.assertEqual(matches(pattern, name), fits, (pattern, name))
        begun = time.process_time()
        self.assertFalse(matches("*a" * 40 + "b", "a" * 2000))
        self.assertLess(time.process_time() - begun, 5)

    def test_components_have_names_and_units(self):
        position = [name for name in self.run_.names("nodes/*/position")][0]
        parts = self.run_[position].components()
        self.assertEqual([part.name for part in parts], [f"{position}.{axis}" for axis in "xyz"])
        self.assertEqual({part.unit for part in parts}, {"m"})
        velocity = [self.run_[name] for name in self.run_.names("nodes/*/velocity")]
        six = [quantity for quantity in velocity if quantity.values.shape[1:] == (6,)]
        self.assertTrue(six)
        self.assertEqual([part.unit for part in six[0].components()], ["m/s"] * 3 + ["rad/s"] * 3)
        fallbacks = [part.name for part in self.run_["solver/fallbacks"].components()]
        self.assertEqual(fallbacks, ["solver/fallbacks.step_cut", "solver/fallbacks.accepted_above_tolerance"])

    def test_an_unknown_name_offers_the_nearest(self):
        with self.assertRaises(KeyError) as caught:
            self.run_["energy/kinetik"]
        self.assertIn("has no quantity energy/kinetik; did you mean energy/kinetic?", caught.exception.args[0])
        with self.assertRaises(KeyError):
            self.run_.find("nothing/*")
        self.assertNotIn("energy/kinetik", self.run_)
        self.assertIn("energy/kinetic", self.run_)

    def test_what_was_run(self):
        self.assertEqual(self.run_.outcome, "complete")
        self.assertEqual(self.run_.attributes["format_version"], 3)
        self.assertTrue(self.run_.nodes)
        self.assertTrue(all(kind in ("frame", "point", "scalar") for _, kind in self.run_.nodes))
        self.assertTrue(all(len(element) == 3 for element in self.run_.elements))

    def test_drawing(self):
        drawing = self.run_.drawing
        self.assertEqual(drawing.points().shape, (51, 6, 3))
        self.assertEqual(drawing.points(3, 5).shape, (2, 6, 3))
        # At the start: the spinner, the ball, the spinner's rim and a place in space; two contacts at the ball.
        np.testing.assert_array_equal(drawing.points()[0], [[0, 0, 1], [1, 0, 2], [0.5, 0, 1], [0, 0, 3], [1, 0, 2], [1, 0, 2]])
        np.testing.assert_allclose(drawing.velocity(50)[0, 1], [1, 0, -5], atol=1e-5)
        self.assertEqual((drawing.lines, drawing.solids, drawing.radii), ([[2, 3]], [], [0.0]))
        self.assertEqual(drawing.owners[:2] + drawing.owners[4:], ['node "spinner"', 'node "ball"', 'contact "floor"', 'contact "ice"'])
        self.assertEqual(drawing.contacts, ["floor", "ice"])
        np.testing.assert_allclose(drawing.contact("gap", 50)[0], [0.75, 0.75], rtol=1e-6)
        self.assertEqual(drawing.contact("force").shape, (51, 2, 3))
        self.assertEqual([box.point for box in drawing.boxes], [0])
        self.assertEqual(drawing.box_rotation().shape, (51, 1, 4))
        self.assertEqual(drawing.cell_quantities, {})

    def test_pandas(self):
        try:
            import pandas  # noqa: F401
        except ImportError:
            with self.assertRaisesRegex(ImportError, "python3-pandas"):
                self.run_.to_pandas()
            return
        table = self.run_.to_pandas("energy/*")
        np.testing.assert_array_equal(table["energy/kinetic"], self.run_["energy/kinetic"].values)
        np.testing.assert_array_equal(table.index, self.run_.time)
        both = self.run_.to_pandas("energy/kinetic", "sensors/rim/position")
        np.testing.assert_array_equal(both["sensors/rim/position.x"].dropna().index, self.run_["sensors/rim/position"].time)
        self.assertEqual(both["energy/kinetic"].count(), 51)


class FoundContacts(unittest.TestCase):
    def setUp(self):
        self.run_ = picus_results.open(bouncing)
        self.addCleanup(self.run_.close)
        self.ground = self.run_.contact_sets["ground"]

    def heights(self):
        return np.stack([self.run_[f"nodes/ball {i}/position"].values[:, 2] for i in range(3)])

    def test_rows_of_a_record(self):
        self.assertEqual(sorted(self.run_.contact_sets), ["ground", "wall"])
        self.assertIn(("ground", "contact set", ""), self.run_.elements)
        counts = self.run_["contact_sets/ground/count"].values
        self.assertEqual((counts.min(), len(counts)), (0, 51))
        self.assertGreater(counts.max(), 1)
        for i in range(51):
            now = self.ground.at(i)
            self.assertEqual({len(values) for values in now.values()}, {counts[i]})
            self.assertEqual(now["force"].shape, (counts[i], 3))
            np.testing.assert_array_equal(now["gap"], self.heights()[now["key"][:, 1], i])
            self.assertTrue((now["gap"] < 0.3 + 0.05).all())
        np.testing.assert_array_equal(self.ground.at(-1)["gap"], self.ground.at(50)["gap"])
        for outside in (51, -52):
            with self.assertRaisesRegex(IndexError, "ground has the records 0 to 50, none"):
                self.ground.at(outside)

    def test_rows_of_all_records(self):
        self.assertEqual(len(self.ground), self.run_["contact_sets/ground/count"].values.sum())
        self.assertEqual(self.ground.quantities, ["force", "gap", "impulse", "key", "normal", "point", "state"])
        np.testing.assert_array_equal(self.ground["gap"], np.concatenate([self.ground.at(i)["gap"] for i in range(51)]))
        np.testing.assert_array_equal(self.ground.times, self.run_.time[self.ground.records])
        np.testing.assert_array_equal(self.ground["point"][:, 2], self.heights()[self.ground["key"][:, 1], self.ground.records])
        self.assertEqual(self.ground.unit("force"), "N")
        self.assertIn("contacts in 51 records", repr(self.ground))
        with self.assertRaisesRegex(KeyError, "no quantity height of the contact set ground"):
            self.ground["height"]

    def test_names_of_features(self):
        key = self.ground["key"][0]
        self.assertEqual(self.ground.pair(key), (f"balls vertex {key[1]}", "ground plane"))
        self.assertEqual((self.ground.surface(key[1]), self.ground.surface(7), self.ground.feature(7)),
                         ("balls", "ground plane", "ground plane"))
        self.assertEqual(self.run_.contact_sets["wall"].feature(2), "balls vertex 2")

        def forget(file):
            del file["contact_sets/ground/features"]

        with picus_results.open(copy("nameless.h5", forget, bouncing)) as run:
            self.assertEqual((run.contact_sets["ground"].pair(key), run.contact_sets["ground"].surface(0)), (("", ""), ""))

    def test_forged_names_are_refused(self):
        for i, first in enumerate((b"x", b"9999999999999999999999", b"-1", b"8", b"1.5")):
            def forge(file, first=first):
                table = file["contact_sets/ground/features"][...]
                table = table.astype([("first", "S32"), *((name, table.dtype[name]) for name in ("surface", "feature"))])
                table["first"][0] = first
                del file["contact_sets/ground/features"]
                file["contact_sets/ground/features"] = table

            with picus_results.open(copy(f"forged_names_{i}.h5", forge, bouncing)) as run, \
                 self.assertRaisesRegex(picus_results.FormatError, "contact_sets/ground/features (has a number that is none|is not in order)"):
                run.contact_sets["ground"]

    def test_only_counts_are_quantities_over_time(self):
        self.assertEqual(self.run_.names("contact_sets/*"),
                         [f"contact_sets/{name}/{leaf}" for name in ("ground", "wall") for leaf in ("closed", "count")])
        self.assertEqual(len(self.run_.find()), len(self.run_.names()), "all can be read")

    def test_runs_without_sets(self):
        with picus_results.open(flight) as run:
            self.assertEqual(run.contact_sets, {})

    def test_killed_runs_have_the_rows_of_their_records(self):
        def forget(file):
            for name in ("time", "contact_sets/ground/end"):
                kept, attributes = file[name][:20], dict(file[name].attrs)
                del file[name]
                file[name] = kept
                file[name].attrs.update(attributes)

        with picus_results.open(copy("killed_balls.h5", forget, bouncing)) as run:
            ground = run.contact_sets["ground"]
            self.assertEqual(len(ground), self.run_["contact_sets/ground/count"].values[:20].sum())
            np.testing.assert_array_equal(ground["gap"], self.ground["gap"][:len(ground)])

    def test_only_some_quantities_were_recorded(self):
        def forget(file):
            for leaf in ("key", "point", "normal", "force", "impulse", "state", "count", "closed"):
                del file["contact_sets/ground"][leaf]
            for leaf in ("end", "key", "point", "normal", "gap", "force", "impulse", "state"):
                del file["contact_sets/wall"][leaf]

        with picus_results.open(copy("some.h5", forget, bouncing)) as run:
            self.assertEqual(list(run.contact_sets["ground"].at(40)), ["gap"])
            self.assertEqual((len(run.contact_sets["wall"]), run.contact_sets["wall"].at(40)), (0, {}))

    def test_forged_ends_are_refused(self):
        for i, change in enumerate((lambda end: end[:-1], lambda end: end + 10**6, lambda end: end[::-1], lambda end: -1 - end,
                                    lambda end: end.astype(float), lambda end: np.stack([end, end], axis=1))):
            def forge(file, change=change):
                end = file["contact_sets/ground/end"][...]
                del file["contact_sets/ground/end"]
                file["contact_sets/ground/end"] = change(end)

            with picus_results.open(copy(f"forged_{i}.h5", forge, bouncing)) as run, \
                 self.assertRaisesRegex(picus_results.FormatError, "contact_sets/ground/end does not fit its contacts"):
                run.contact_sets["ground"]

    def test_forged_rows_are_refused(self):
        for leaf, change in (("point", lambda rows: rows[:, :2]), ("gap", lambda rows: np.stack([rows, rows], axis=1)),
                             ("state", lambda rows: rows.astype(float)), ("key", lambda rows: rows.astype(float)),
                             ("force", lambda rows: rows.astype(int))):
            def forge(file, leaf=leaf, change=change):
                data = file[f"contact_sets/ground/{leaf}"]
                rows, attributes = change(data[...]), dict(data.attrs)
                del file[f"contact_sets/ground/{leaf}"]
                file[f"contact_sets/ground/{leaf}"] = rows
                file[f"contact_sets/ground/{leaf}"].attrs.update(attributes)

            with picus_results.open(copy(f"forged_{leaf}.h5", forge, bouncing)) as run, \
                 self.assertRaisesRegex(picus_results.FormatError, f"contact_sets/ground/{leaf} holds no such rows"):
                run.contact_sets["ground"]

    def test_ranges_of_records(self):
        three = self.ground.between(40, 43)
        np.testing.assert_array_equal(three["gap"], np.concatenate([self.ground.at(i)["gap"] for i in (40, 41, 42)]))
        self.assertEqual(len(self.ground.between(0, 0)["key"]), 0)
        with self.assertRaisesRegex(IndexError, "no range from 5 to 60"):
            self.ground.between(5, 60)

    def test_pandas(self):
        try:
            import pandas  # noqa: F401
        except ImportError:
            with self.assertRaisesRegex(ImportError, "python3-pandas"):
                self.ground.to_pandas()
            return
        table = self.ground.to_pandas()
        self.assertEqual(len(table), len(self.ground))
        np.testing.assert_array_equal(table.index, self.ground.times)
        np.testing.assert_array_equal(table["force.z"], self.ground["force"][:, 2])
        np.testing.assert_array_equal(table["key.a"], self.ground["key"][:, 1])
        self.assertEqual(list(table.columns)[:5], ["record", "force.x", "force.y", "force.z", "gap"])


class OtherFiles(unittest.TestCase):
    def test_members_of_a_mesh(self):
        values = np.arange(51 * 2 * 3, dtype=float).reshape(51, 2, 3)

        def add_mesh(file):
            old = file["model/nodes"][...]
            more = np.array([(f"beam[{i}]".encode(), b"point") for i in range(2)], dtype=old.dtype)
            del file["model/nodes"]
            file["model/nodes"] = np.concatenate((old, more))
            file["nodes/beam/position"] = values
            file["nodes/beam/position"].attrs.update({"unit": "m", "description": "position"})

        with picus_results.open(copy("mesh.h5", add_mesh)) as run:
            quantity = run["nodes/beam/position"]
            self.assertEqual(quantity.members, 2)
            self.assertEqual(quantity.components()[4].name, "nodes/beam[1]/position.y")
            np.testing.assert_array_equal(quantity.components()[4].values, values[:, 1, 1])
            np.testing.assert_array_equal(run["nodes/beam[1]/position"].values, values[:, 1])
            self.assertEqual(run["nodes/beam[1]/position"].components()[1].name, "nodes/beam[1]/position.y")
            self.assertNotIn("nodes/beam[2]/position", run)
            self.assertEqual([found.name for found in run.find("nodes/beam[1]/position", "energy/kinetic")],
                             ["energy/kinetic", "nodes/beam[1]/position"])
            with self.assertRaisesRegex(KeyError, "no quantity nodes/beam\\[2\\]/position"):
                run.find("nodes/beam[2]/position")

    def test_records_are_complete_with_their_time(self):
        def forget_the_last(file):
            time = file["time"][:-1]
            attributes = dict(file["time"].attrs)
            del file["time"], file.attrs["outcome"]
            file["time"] = time
            file["time"].attrs.update(attributes)

        with picus_results.open(copy("killed.h5", forget_the_last)) as run:
            self.assertEqual(run.outcome, "unknown")
            self.assertEqual(len(run["energy/kinetic"].values), 50)

    def test_the_first_format_is_read(self):
        with picus_results.open(stored("format_1.h5")) as run:
            self.assertEqual(run.attributes["format_version"], 1)
            np.testing.assert_allclose(run["nodes/ball/position"].values[:, 2], 2 - 5 * run.time**2, rtol=1e-12)
            self.assertEqual([part.name for part in run["solver/fallbacks"].components()][2:],
                             ["solver/fallbacks.first-order_contact", "solver/fallbacks.step_cut"])
            self.assertNotIn("solver/accepted_residual", run.names())
            drawing = run.drawing
            self.assertEqual(drawing.points(1, 4).shape, (3, 4, 3))
            np.testing.assert_allclose(drawing.velocity()[:, 1, 2], -10 * run.time, atol=1e-5)
            self.assertEqual((drawing.lines, drawing.radii, drawing.contacts, drawing.boxes), ([[2, 3]], [0.0], [], []))

    def test_the_second_format_is_read(self):
        with picus_results.open(stored("format_2.h5")) as run, picus_results.open(flight) as now:
            self.assertEqual(run.attributes["format_version"], 2)
            # The same flight as the present program records, which has the momentum and more parts of the energy beside; only the
            # fallbacks are called otherwise.
            later = {f"energy/{part}" for part in ("numerical", "unexplained", "work_of_constraints", "work_of_corrections")}
            self.assertEqual(run.names(), [name for name in now.names() if not name.startswith("momentum/") and name not in later])
            for name in run.names():
                if name == "solver/fallbacks":
                    continue
                self.assertEqual([part.name for part in run[name].components()], [part.name for part in now[name].components()])
                np.testing.assert_allclose(run[name].values, now[name].values, rtol=1e-12, atol=1e-12, err_msg=name)
            fallbacks = run["solver/fallbacks"].components()
            self.assertEqual([part.name.partition(".")[2] for part in fallbacks],
                             ["smaller_scaling", "last_active_set", "interior_point", "no_restitution", "step_cut", "accepted_above_tolerance"])
            self.assertEqual([int(part.values.sum()) for part in fallbacks], [0, 0, 0, 0, 125, 1])
            np.testing.assert_array_equal(run.drawing.points(), now.drawing.points())
            self.assertEqual((run.drawing.lines, run.drawing.owners, run.drawing.contacts),
                             (now.drawing.lines, now.drawing.owners, now.drawing.contacts))
            np.testing.assert_array_equal(run["sensors/rim/position"].time, now["sensors/rim/position"].time)

    def test_equilibria_of_the_second_format_have_load_factors(self):
        with picus_results.open(stored("format_2_static.h5")) as run:
            np.testing.assert_allclose(run.time, [0, 0.25, 0.5, 0.75, 1])
            self.assertEqual((run.time_unit, run.time_name), ("1", "load factor"))
            self.assertEqual(run["solver/iterations_static"].values[0], 0)
        self.assertEqual((self.time_of("Hz"), self.time_of("1"), self.time_of("s")), ("frequency", "load factor", "time"))

    @staticmethod
    def time_of(unit):
        with picus_results.open(copy("unit.h5", lambda file: file["time"].attrs.modify("unit", unit))) as run:
            return run.time_name

    def test_a_newer_format_is_refused(self):
        with self.assertRaisesRegex(picus_results.FormatError, "format version 5, .* reads up to version 4"):
            picus_results.open(copy("newer.h5", lambda file: file.attrs.modify("format_version", 5)))

    def test_what_is_no_result(self):
        with self.assertRaisesRegex(FileNotFoundError, "missing.h5: there is no such file"):
            picus_results.open(os.path.join(folder, "missing.h5"))
        text = os.path.join(folder, "text.h5")
        with open(text, "w", encoding="utf-8") as file:
            file.write("no HDF5")
        with self.assertRaisesRegex(picus_results.FormatError, "is not an HDF5 file"):
            picus_results.open(text)
        with h5py.File(os.path.join(folder, "other.h5"), "w") as file:
            file["x"] = 1
        with self.assertRaisesRegex(picus_results.FormatError, "is no result of Picus"):
            picus_results.open(os.path.join(folder, "other.h5"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
