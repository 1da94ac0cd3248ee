#!/usr/bin/python3
"""Result files of somebody else: what show, plot, export and the Python module make of them.

Usage: foreign_file_test.py PICUS PYTHON_FOLDER STORED FOLDER
"""

import base64
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import time
import unittest
import zlib

import h5py
import numpy as np

picus, python_folder, stored, folder = (os.path.abspath(word) for word in sys.argv[1:])
sys.path.insert(0, python_folder)
import picus_results  # noqa: E402

PATIENCE = 60  # s, for a program that takes less than one
SECRET = 0.123456789


def call(*words):
    return subprocess.run([picus, *words], cwd=folder, capture_output=True, text=True, check=False, timeout=PATIENCE,
                          stdin=subprocess.DEVNULL)


def path_of(name):
    return os.path.join(folder, name)


class Foreign(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        outcome = call("run", "bouncing-ball", "--until", "0.05", "--checkpoint", "10", "--out", "good.h5")
        assert outcome.returncode == 0, outcome.stderr
        with h5py.File(path_of("secret.h5"), "w") as file:
            file["time"] = np.full(51, SECRET)
        np.full(51, SECRET).tofile(path_of("secret.raw"))
        os.mkfifo(path_of("trap"))  # whoever opens it waits for ever

    def file(self, change, name="x"):
        """A copy of a good result and its checkpoint that `change` has altered."""
        for extension in (".h5", ".checkpoint"):
            shutil.copy(path_of("good" + extension), path_of(name + extension))
        for left in (".svg", ".html", ".png"):
            if os.path.exists(path_of(name + left)):
                os.remove(path_of(name + left))
        with h5py.File(path_of(name + ".h5"), "r+") as file:
            change(file)
        return name + ".h5"

    def shown(self, change):
        outcome = call("show", self.file(change))
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        self.assertNotRegex(outcome.stdout, r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")
        return outcome.stdout

    def expect_refusal(self, outcome, reason):
        self.assertEqual(outcome.returncode, 1, outcome.stderr)
        self.assertRegex(outcome.stderr, rf"^picus: [^\n]*x\.h5[^\n]*{reason}[^\n]*\n$")
        self.assertEqual(outcome.stdout, "")


class Attributes(Foreign):
    def test_notes_are_listed(self):
        def change(file):
            file.attrs["note"] = np.arange(64)
            file.attrs["short"] = [1.5, 2.5]
            file["time"].attrs["remark"] = "by hand"
            file["nodes"].attrs["who"] = np.array(["Ada", "Emmy"], dtype=h5py.string_dtype())
        text = self.shown(change)
        for line in (r"other attributes", r"note +0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 \.\.\. \(64 numbers\)", r"short +1\.5 2\.5",
                     r"/time remark +by hand", r"/nodes who +Ada Emmy"):
            self.assertRegex(text, line)
        self.assertNotIn("other attributes", call("show", "good.h5").stdout)
        with picus_results.open(path_of("x.h5")) as run:
            np.testing.assert_array_equal(run.attributes["note"], np.arange(64))

    def test_of_other_types_and_sizes_are_told_of_and_not_read(self):
        values = {"array": np.arange(8000.0), "compound": np.array([(1, 2.0)], [("a", "i4"), ("b", "f8")]),
                  "truth": True, "complex": 1 + 2j, "opaque": np.void(b"\0\1"), "empty": h5py.Empty("f8"), "unwritten": h5py.Empty("S4"),
                  "unsigned": np.uint64(2 ** 64 - 1), "small": np.float16(0.5), "fixed": np.bytes_(b"fixed"), "none": np.array([], "i8")}

        def change(file):
            for name, value in values.items():
                file.attrs[name] = value
            file.attrs["pointer"] = file["time"].ref
        text = self.shown(change)
        for line in (r"array +0 1 2 .*\(8000 numbers\)", r"compound +\(compound\)", r"truth +1", r"complex +\(compound\)", r"opaque +\(opaque\)",
                     r"empty *\n", r"unsigned +18446744073709551615", r"small +0\.5", r"fixed +fixed", r"pointer +\(reference\)"):
            self.assertRegex(text, line)
        with picus_results.open(path_of("x.h5")) as run:
            self.assertEqual(run.attributes["compound"], "(compound)")
            self.assertEqual(run.attributes["fixed"], "fixed")

    def test_where_texts_and_numbers_are_expected(self):
        for name in ("format_version", "picus_version", "outcome", "title", "step", "command_line", "integrator"):
            for value in (np.arange(64), np.arange(64.0), "\x1b[2J" * 9, h5py.Empty("S8"), np.array([(1, 2)], [("a", "i4"), ("b", "i4")])):
                with self.subTest(name=name, value=value):
                    def change(file):
                        del file.attrs[name]
                        file.attrs[name] = value
                    self.shown(change)
                    if name != "format_version":
                        with picus_results.open(path_of("x.h5")) as run:
                            self.assertNotRegex(repr(run), "[\x1b]")

    def test_version_that_is_no_number(self):
        def change(file):
            file.attrs["format_version"] = np.arange(64)
        name = self.file(change)
        self.expect_refusal(call("plot", name, "time"), "which is no number")


    def test_of_the_root_are_listed_unless_they_are_own(self):
        notes = ("description", "name", "interval", "unit", "mu", "sampling")

        def change(file):
            for note in notes:
                file.attrs[note] = f"my {note}"
            file["time"].attrs["title"] = "my title"
        text = self.shown(change)
        for note in notes:
            self.assertRegex(text, rf"\n +{note} +my {note}\n")
        self.assertRegex(text, r"/time title +my title")

    def test_texts_that_are_all_one_large_text_are_not_read(self):
        """Of 3900 texts of variable length each becomes one of 2 MB."""
        large = 2_000_000

        def change(file):
            file.attrs["list"] = np.array([f"text{i:04d}" for i in range(3900)], dtype=h5py.string_dtype())
            file.attrs["pair"] = np.array(["Ada", "Emmy"], dtype=h5py.string_dtype())
            file.create_group("holder").attrs["large"] = "B" * large
        name = self.file(change)
        with open(path_of(name), "rb") as file:
            data = bytearray(file.read())
        # A reference: the length, the address of a collection (4, 8 bytes) and the number in it.
        places = [match.start() for match in re.finditer(re.escape(struct.pack("<I", large)), data)]
        places = [place for place in places if data[slice(*(struct.unpack_from("<Q", data, place + 4)[0] + i for i in (0, 4)))] == b"GCOL"]
        first = next(match.start() for match in re.finditer(re.escape(struct.pack("<I", 8)), data)
                     if all(data[match.start() + 16 * i:match.start() + 16 * i + 4] == struct.pack("<I", 8) for i in range(3900)))
        data[first:first + 16 * 3900] = data[places[0]:places[0] + 16] * 3900
        with open(path_of(name), "wb") as file:
            file.write(data)
        shown = call("show", name)
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertRegex(shown.stdout, r"\n +list +\(3900 texts, not read\)\n +pair +Ada Emmy\n")
        with picus_results.open(path_of(name)) as run:
            self.assertEqual(run.attributes["list"], "(3900 texts, not read)")
            self.assertEqual(run.attributes["pair"].tolist(), ["Ada", "Emmy"])


class DamagedGroups(Foreign):
    def damaged(self):
        def change(file):
            file.create_group("contact_sets/broken")["qqAzz"] = np.zeros(51)
        name = self.file(change)
        with open(path_of(name), "rb") as file:
            data = bytearray(file.read())
        heap = data.rfind(b"HEAP", 0, data.find(b"qqAzz"))  # of the names in the group
        data[heap:heap + 4] = b"HEAX"
        with open(path_of(name), "wb") as file:
            file.write(data)
        return name

    def test_are_named(self):
        name = self.damaged()
        for words in (("show", name), ("plot", name, "energy/kinetic", "--out", "x.svg"), ("export", name, "--contacts", "--out", "x.vtkhdf")):
            self.expect_refusal(call(*words), "its group /contact_sets/broken is damaged")
        with self.assertRaises(picus_results.FormatError) as caught:
            picus_results.open(path_of(name)).contact_sets  # noqa: B018
        self.assertEqual(str(caught.exception), f"{path_of(name)}: /contact_sets/broken is damaged")

    def test_links_in_a_contact_set_are_named(self):
        def change(file):
            group = file.create_group("contact_sets/set")
            group["key"] = h5py.ExternalLink(path_of("trap"), "/x")
        name = self.file(change)
        for words in (("--contacts", "--out", "x.vtkhdf"), ("--html", "--out", "x.html")):
            self.expect_refusal(call("export", name, *words), "its /contact_sets/set/key is a link that is not followed")


class OtherFiles(Foreign):
    """Nothing is read but the file itself: neither numbers of the secret, nor is the trap opened."""

    def expect_not_followed(self, change, reason):
        name = self.file(change)
        shown = call("show", name)
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertNotIn(f"{SECRET:.5g}", shown.stdout)
        for words in (("plot", name, "time", "--out", "x.svg"), ("export", name, "--html"), ("run", "--resume", name, "--until", "0.06")):
            self.expect_refusal(call(*words), reason)
        self.assertFalse(os.path.exists(path_of("x.html")) or os.path.exists(path_of("x.svg")))
        with self.assertRaises(picus_results.FormatError):
            picus_results.open(path_of(name)).time  # noqa: B018

    def replace_time(self, make):
        def change(file):
            attributes = dict(file["time"].attrs)
            del file["time"]
            make(file)
            if file.get("time", getlink=True).__class__ is h5py.HardLink:
                for key, value in attributes.items():
                    file["time"].attrs[key] = value
        return change

    def test_external_storage(self):
        for target in ("secret.raw", "trap", "/etc/passwd"):
            self.expect_not_followed(
                self.replace_time(lambda file: file.create_dataset("time", (51,), "f8", external=[(path_of(target), 0, 51 * 8)])),
                "its numbers are in another file")

    def test_virtual_data_sets(self):
        def make(target):
            def virtual(file):
                layout = h5py.VirtualLayout((51,), "f8")
                layout[...] = h5py.VirtualSource(path_of(target), "time", (51,))
                file.create_virtual_dataset("time", layout)
            return virtual
        for target in ("secret.h5", "trap"):
            self.expect_not_followed(self.replace_time(make(target)), "it shows numbers of another file")

    def test_virtual_data_sets_of_what_is_elsewhere(self):
        def virtual(file):
            file.create_dataset("hidden", (51,), "f8", external=[(path_of("trap"), 0, 51 * 8)])
            layout = h5py.VirtualLayout((51,), "f8")
            layout[...] = h5py.VirtualSource(".", "/hidden", (51,))
            file.create_virtual_dataset("time", layout)
        self.expect_not_followed(self.replace_time(virtual), "its numbers are in another file")

    def test_virtual_data_sets_of_a_pattern_of_names(self):
        # What is named so is harmless; what HDF5 reads instead is not.
        def pattern(name, read, is_endless):
            def virtual(file):
                file.create_dataset(name, data=np.zeros(51))
                file.create_dataset(read, (51,), "f8", external=[("/etc/passwd", 0, 51 * 8)])
                size = h5py.h5s.UNLIMITED if is_endless else 51
                shown = h5py.h5s.create_simple((51,), (size,))
                if is_endless:
                    shown.select_hyperslab((0,), (h5py.h5s.UNLIMITED,), (51,), (51,))
                source = h5py.h5s.create_simple((51,), (51,))
                creation = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
                creation.set_virtual(shown, b".", name.encode(), source)
                h5py.h5d.create(file.id, b"time", h5py.h5t.IEEE_F64LE, shown, creation)
            return virtual
        for name, read, is_endless in (("p%b", "p0", True), ("of%bit", "of0it", True), ("p%%", "p%", False)):
            self.expect_not_followed(self.replace_time(pattern(name, read, is_endless)), "a pattern of names")

    def test_links_whose_names_go_through_others(self):
        def change(file):
            group = file.create_group("trapped")
            group["qq"] = h5py.ExternalLink(path_of("trap"), "/")
            group.create_dataset("qqAzz", data=np.zeros(51)).attrs["unit"] = "J"
        name = self.file(change)
        with open(path_of(name), "rb") as file:
            data = file.read()
        self.assertEqual(data.count(b"qqAzz"), 1)
        with open(path_of(name), "wb") as file:
            file.write(data.replace(b"qqAzz", b"qq/zz"))
        self.expect_refusal(call("show", name), "trapped/qq/zz is damaged")
        for words in (("plot", name, "time", "--out", "x.svg"), ("export", name, "--html"), ("run", "--resume", name, "--until", "0.06")):
            self.assertIn(call(*words).returncode, (0, 1))  # it comes to an end
        with picus_results.open(path_of(name)) as run:
            self.assertNotIn("trapped/qq/zz", run.names("*"))

    def test_links(self):
        for link in (h5py.ExternalLink(path_of("secret.h5"), "/time"), h5py.ExternalLink(path_of("trap"), "/time"),
                     h5py.SoftLink("/solver/residuals"), h5py.SoftLink("/time")):
            def make(file, link=link):
                file["time"] = link
            self.expect_not_followed(self.replace_time(make), "time")

    def test_own_virtual_data_sets_are_read(self):
        def change(file):
            layout = h5py.VirtualLayout((51,), "f8")
            layout[...] = h5py.VirtualSource(".", "/energy/kinetic", (51,))
            file.create_virtual_dataset("energy/again", layout)
            file["energy/again"].attrs["unit"] = "J"
        self.assertIn("energy at the end, again", self.shown(change))
        with picus_results.open(path_of("x.h5")) as run:
            np.testing.assert_array_equal(run["energy/again"].values, run["energy/kinetic"].values)
        self.assertEqual(call("plot", "x.h5", "energy/again", "--out", "x.svg").returncode, 0)


class Sizes(Foreign):
    def expect_shown_and_refused(self, shape, reason="it claims"):
        def change(file):
            del file["energy/kinetic"]
            data = file.create_dataset("energy/kinetic", **shape)
            data.attrs["unit"], data.attrs["description"] = "J", "made up"
        begun = time.monotonic()
        text = self.shown(change)
        self.assertRegex(text, rf"/energy/kinetic .*made up \(not read: {reason}")
        self.expect_refusal(call("plot", "x.h5", "energy/kinetic", "--out", "x.svg"), reason)
        self.expect_refusal(call("run", "--resume", "x.h5", "--until", "0.06"), "energy/kinetic")
        self.assertLess(time.monotonic() - begun, PATIENCE)

    def test_rows_that_were_never_written(self):
        self.expect_shown_and_refused({"shape": (10 ** 15,), "dtype": "f8", "chunks": (1024,)})
        self.expect_shown_and_refused({"shape": (1 << 40, 1 << 20), "dtype": "f8", "chunks": (1, 1 << 10)})
        self.expect_shown_and_refused({"shape": (1 << 59,), "dtype": "f8"})

    def test_filters_that_are_not_read(self):
        self.expect_shown_and_refused({"data": np.zeros(51), "chunks": (51,), "scaleoffset": 3}, "it is packed by a filter")

    def test_a_bomb_is_shown(self):
        """300 MB of zeros in 300 kB: read in parts."""
        def change(file):
            file.create_dataset("energy/zeros", data=np.zeros(40_000_000), chunks=(1_000_000,), compression="gzip").attrs["unit"] = "J"
        self.assertIn("energy at the end, zeros", self.shown(change))

    def test_times_of_gigabytes_in_a_small_file(self):
        """2 GB of zeros in 2 MB: more than the scripts may read at once."""
        rows, count = 1 << 20, 256

        def change(file):
            attributes = dict(file["time"].attrs)
            del file["time"]
            data = file.create_dataset("time", (rows * count,), "f8", chunks=(rows,), compression="gzip")
            packed = zlib.compress(bytes(8 * rows), 9)
            for i in range(count):
                data.id.write_direct_chunk((i * rows,), packed)
            data.attrs.update(attributes)
        name = self.file(change)
        for words in (("plot", name, "energy/kinetic", "--out", "x.svg"), ("export", name, "--html")):
            self.expect_refusal(call(*words), "of its data set /time: 2.15e\\+09 bytes are too many to be read at once")

    def test_virtual_data_sets_larger_than_the_file_can_be(self):
        for shape in ((51, 2_000_000), (10 ** 12,)):
            def change(file, shape=shape):
                layout = h5py.VirtualLayout(shape, "f8")
                layout[(slice(0, 51), *[0] * (len(shape) - 1))] = h5py.VirtualSource(".", "/energy/kinetic", (51,))
                file.create_virtual_dataset("energy/again", layout)
                file["energy/again"].attrs["unit"] = "J"
            self.assertRegex(self.shown(change), r"/energy/again .*\(not read: it claims")
            self.expect_refusal(call("plot", "x.h5", "energy/again", "--out", "x.svg"), "of its data set /energy/again: it claims")
            self.assertEqual(call("plot", "x.h5", "energy/kinetic", "--out", "x.svg").returncode, 0)

    def test_long_names_are_cut_in_tables(self):
        def change(file):
            file.create_group("energy/" + "g" * 60_000)
            file["energy/" + "\u00e4" * 30_000] = np.zeros(51)
            file["energy/kinetic"].attrs["unit"] = "u" * 5000
            file.attrs["n" * 50_000] = "short"
        text = self.shown(change)
        self.assertLess(max(map(len, text.splitlines())), 500)
        self.assertIn("/energy/" + 109 * "\u00e4" + "... ", text)
        self.assertRegex(text, r"\n +n{115}\.\.\. +short\n")

    def test_patterns_of_many_stars(self):
        begun = time.monotonic()
        outcome = call("plot", self.file(lambda file: file.move("energy/kinetic", "energy/" + "a" * 200)), "a*" * 30 + "b", "--out", "x.svg")
        self.expect_refusal(outcome, "has no quantity")
        self.assertLess(time.monotonic() - begun, PATIENCE)

    def test_groups_without_end(self):
        def change(file):
            group = file
            for i in range(1000):
                group = group.create_group("g")
            file["nodes/circle"] = file["/"]
            file["energy/circle"] = file["energy"]
        self.assertIn("nested too deep", self.shown(change))
        self.expect_refusal(call("plot", "x.h5", "time", "--out", "x.svg"), "nests them deeper")

    def test_other_types(self):
        def change(file):
            file["energy/compound"] = np.zeros(51, [("a", "f8"), ("b", "S3")])
            file["energy/texts"] = np.array(["a"] * 51, dtype=h5py.string_dtype())
            file.create_dataset("energy/lists", (51,), h5py.vlen_dtype("f8"))[0] = np.arange(9)
            file.create_dataset("energy/pointers", (51,), h5py.ref_dtype)
            file["energy/scalar"], file["energy/none"] = 1.0, h5py.Empty("f8")
            file["energy/thin"] = np.zeros((51, 0))
        text = self.shown(change)
        self.assertIn("/energy/compound", text)
        self.assertNotIn("at the end, compound", text)


class Texts(Foreign):
    HOSTILE = "\x1b]0;owned\x07\n\u202e</script><script>alert(1)</script><b>$\\frac"

    def rename(self, file):
        file.move("energy/kinetic", f"energy/{self.HOSTILE.replace('/', '|')}")
        file.attrs["title"] = "Picus: " + self.HOSTILE
        file.attrs["outcome"] = self.HOSTILE
        file["model"].attrs["name"] = self.HOSTILE
        file["energy/balance"].attrs["unit"] = file["energy/balance"].attrs["description"] = self.HOSTILE

    def test_command_no_terminal(self):
        text = self.shown(self.rename)
        self.assertIn("\\x1b]0;owned\\x07\\n\\u202e", text)
        outcome = call("plot", "x.h5", "nothing/like/it", "--out", "x.svg")
        self.assertEqual(outcome.returncode, 1)
        outcome = call("plot", "x.h5", "energy/zalert(1)</script><b>$\\frac", "--out", "x.svg")
        self.assertNotRegex(outcome.stderr, "[\x1b\x07]")

    def test_are_text_in_figures_and_pages(self):
        name = self.file(self.rename)
        outcome = call("plot", name, "energy/*", "--out", "x.svg")
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        with open(path_of("x.svg"), encoding="utf-8") as file:
            self.assertNotRegex(file.read(), "[\x1b\x07]|<script")
        outcome = call("export", name, "--html", "--plot", "energy/*")
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        with open(path_of("x.html"), encoding="utf-8") as file:
            page = file.read()
        self.assertNotIn("<script>alert", page)
        self.assertNotRegex(page.split("<style>")[0], "[\x1b\x07]")


class Paths(Foreign):
    def test_pipes_and_folders_are_not_opened(self):
        os.makedirs(path_of("folder.h5"), exist_ok=True)
        for name, reason in (("trap", "it is a pipe or a device, not a file"), ("folder.h5", "Is a directory"), ("/dev/zero", "a device, not a file")):
            for words in (("show", name), ("plot", name, "time", "--out", "y.svg"), ("export", name, "--html", "--out", "y.html")):
                outcome = call(*words)
                self.assertEqual(outcome.returncode, 1, outcome.stderr)
                self.assertRegex(outcome.stderr, rf'^picus: cannot read file "{name}": .*{reason}\n$')
            with self.assertRaises((picus_results.FormatError, OSError)):
                picus_results.open(path_of(name))

    def test_a_name_commands_no_terminal(self):
        shutil.copy(path_of("good.h5"), path_of("a\x1b[2J.h5"))
        outcome = call("show", "a\x1b[2J.h5")
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        self.assertTrue(outcome.stdout.startswith("a\\x1b[2J.h5: "))
        self.assertEqual(call("show", "b\x1b.h5").stderr, 'picus: cannot read file "b\\x1b.h5": No such file or directory\n')


class Crashes(Foreign):
    def test_of_the_library_are_a_message(self):
        """A length of 0x7fff0000 bytes in a heap of names, over which HDF5 1.10 falls with a signal."""
        with open(stored, "rb") as file:
            content = bytearray(file.read())
        content[924:926] = b"\xff\x7f"
        with open(path_of("crash.h5"), "wb") as file:
            file.write(content)
        for words in (("show", "crash.h5"), ("plot", "crash.h5", "time", "--out", "y.svg"), ("export", "crash.h5", "--html")):
            outcome = call(*words)
            self.assertEqual(outcome.returncode, 1, outcome.stderr)  # where the library says it itself, too
            said = outcome.stderr
            if "AddressSanitizer" in said:  # which reports the fault of HDF5 as well
                said = said.splitlines(keepends=True)[-1]
            self.assertRegex(said, r'^picus: cannot read file "crash\.h5": [^\n]*damaged[^\n]*\n$')
            self.assertEqual(outcome.stdout, "")


class Forces(Foreign):
    def test_rounding_is_no_arrow(self):
        def change(file):
            force = np.zeros(file["visualization/contact_force"].shape, "f4")
            force[5], force[6], force[7] = (0, 10, 0), (0, 9e-9, 0), (0, 2e-8, 0)
            file["visualization/contact_force"][...] = force
        name = self.file(change)
        self.assertEqual(call("export", name, "--html").returncode, 0)
        with open(path_of("x.html"), encoding="utf-8") as file:
            data = json.loads(re.search(r'<script id="data" type="application/json">(.*?)</script>', file.read(), re.DOTALL)[1])
        force = np.frombuffer(base64.b64decode(data["contacts"]["force"]), np.float32).reshape(-1, 3)
        self.assertEqual(np.flatnonzero(force[:, 1]).tolist(), [5, 7])  # above and below 1e-9 of the largest


class Licence(Foreign):
    def test_stands_in_every_page(self):
        self.assertEqual(call("export", "good.h5", "--html", "--force").returncode, 0)
        with open(path_of("good.html"), encoding="utf-8") as file:
            page = re.sub(r"\s+", " ", file.read())
        self.assertIn("Copyright \u00a9 2010-2019 three.js authors", page)
        self.assertIn("Permission is hereby granted, free of charge", page)
        self.assertIn("The above copyright notice and this permission notice shall be included in all copies", page)
        self.assertLess(page.index("2010-2019 three.js authors"), page.index("WebGLRenderer"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
