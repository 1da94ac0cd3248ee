"""What a package for a system holds, and the Debian package in a root of its own:
system_package_test.py SOURCE BUILD WORK CONFIG CMAKE COMPILER VERSION."""

import os
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

SOURCE, BUILD, WORK = (Path(word) for word in sys.argv[1:4])
CONFIG, CMAKE, COMPILER, VERSION = sys.argv[4:8]


def run(*words, **options):
    result = subprocess.run([str(word) for word in words], capture_output=True, text=True, **options)
    if result.returncode != 0:
        raise AssertionError(f"{words} ended with {result.returncode}: {result.stdout}{result.stderr}")
    return result.stdout


def files_below(folder):
    return [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.prefix = WORK / "prefix"
        shutil.rmtree(cls.prefix, ignore_errors=True)
        run(CMAKE, "--install", BUILD, "--prefix", cls.prefix, "--config", CONFIG)
        cls.picus = cls.prefix / "bin/picus"

    def test_names_no_folder_of_the_build(self):
        for path in files_below(self.prefix):
            content = path.read_bytes()
            for folder in (SOURCE, BUILD):
                self.assertNotIn(str(folder).encode() + b"/", content, path)

    def test_has_licence_notices_and_manual(self):
        folder = self.prefix / "share/doc/picus"
        for name in ("LICENSE", "CHANGELOG.md", "CITATION.cff", "THIRD_PARTY.md", "docs/theory.md"):
            self.assertGreater((folder / name).stat().st_size, 200, name)

    def test_manual_page_has_every_command_and_option(self):
        page = (self.prefix / "share/man/man1/picus.1").read_text().replace("\\-", "-")
        commands = re.findall(r"^  ([a-z]+) ", run(self.picus, "--help").split("Subcommands:")[1], re.MULTILINE)
        self.assertGreater(len(commands), 8)
        for command in commands:
            text = run(self.picus, command, "--help")
            if command != "report":  # which another program adds
                self.assertIn(f"\n.SH {command.upper()}\n", page)
            for option in re.findall(r"^  (--[a-z-]+)", text, re.MULTILINE):
                self.assertIn(option, page, command)

    def test_figures_are_drawn(self):
        run(self.picus, "run", "bouncing-ball", "--until", "0.1", "--out", "ball.h5", "--force", cwd=WORK)
        run(self.picus, "plot", "ball.h5", "--overview", "--force", cwd=WORK)
        self.assertGreater((WORK / "ball.png").stat().st_size, 1000)

    def test_pkg_config_is_enough_to_build(self):
        if shutil.which("pkg-config") is None:
            self.skipTest("pkg-config is missing")
        (found,) = self.prefix.rglob("picus.pc")
        environment = dict(os.environ, PKG_CONFIG_PATH=str(found.parent), LD_LIBRARY_PATH=str(found.parent.parent))
        flags = run("pkg-config", "--cflags", "--libs", "picus", env=environment).split()
        self.assertEqual(run("pkg-config", "--modversion", "picus", env=environment).strip(), VERSION)
        source = Path(__file__).parent / "main.cpp"
        run(COMPILER, source, "-o", WORK / "by_pkg_config", *flags)
        run(WORK / "by_pkg_config", cwd=WORK, env=environment)
        self.assertIn("complete", run(self.picus, "show", "ball.h5", cwd=WORK))

    def completions(self, *words):
        script = (f'source "{self.prefix}/share/bash-completion/completions/picus"; COMP_WORDS=("$@"); '
                  "COMP_CWORD=$(($# - 1)); _picus; printf '%s\\n' \"${COMPREPLY[@]}\"")
        return run("bash", "-c", script, "bash", self.picus, *words).split()

    def test_completion(self):
        self.assertEqual(self.completions("swe"), ["sweep"])
        self.assertEqual(self.completions("run", "woodp"), ["woodpecker"])
        self.assertEqual(self.completions("run", "woodpecker", "--unt"), ["--until"])
        self.assertEqual(self.completions("run", "woodpecker", "--scheme", "moreau"), ["moreau-jean"])
        self.assertEqual(self.completions("run", "woodpecker", "--set", "beak"), ["beak_restitution="])
        self.assertEqual(self.completions("run", "nonsense", "--set", "b"), [])

    def zsh_completions(self, *words):
        # In the place of zsh's own functions such as print what they are handed.
        script = ('compdef() {}; compadd() { while [[ "$1" != -- ]]; do shift; done; shift; local name; '
                  'for name; do [[ "$name" == "$words[CURRENT]"* ]] && print -r -- "$name"; done }; '
                  f'source "{self.prefix}/share/zsh/site-functions/_picus"; words=("$@"); CURRENT=$#; _picus')
        # Without a match the last status is not 0.
        return run("zsh", "-f", "-c", f"{script}; true", "zsh", self.picus, *words).split()

    def test_completion_of_zsh(self):
        texts = [(self.prefix / "share/zsh" / folder / "_picus").read_text() for folder in ("site-functions", "vendor-completions")]
        self.assertEqual(texts[0], texts[1])
        self.assertTrue(texts[0].startswith("#compdef picus\n"))  # by which zsh knows whose words they are
        # Both shells read the names from the same tables of the program.
        bash = (self.prefix / "share/bash-completion/completions/picus").read_text()
        for program in re.findall(r"awk .*?'(.*?)'", bash):
            self.assertIn(program, texts[0])
        if shutil.which("zsh") is None:
            self.skipTest("zsh is missing")
        self.assertEqual(self.zsh_completions("swe"), ["sweep"])
        self.assertEqual(self.zsh_completions("run", "woodp"), ["woodpecker"])
        self.assertEqual(self.zsh_completions("run", "woodpecker", "--unt"), ["--until"])
        self.assertEqual(self.zsh_completions("run", "woodpecker", "--scheme", "moreau"), ["moreau-jean"])
        self.assertEqual(self.zsh_completions("run", "woodpecker", "--set", "beak"), ["beak_restitution"])
        self.assertEqual(self.zsh_completions("run", "nonsense", "--set", "b"), [])


class DebianPackage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        for tool in ("dpkg-deb", "dpkg-shlibdeps", "cpack"):
            if shutil.which(tool) is None:
                raise unittest.SkipTest(f"{tool} is missing")
        shutil.rmtree(WORK / "deb", ignore_errors=True)
        shutil.rmtree(BUILD / "manual", ignore_errors=True)
        tools = (SOURCE / "scripts/manual/packages").read_text().split()
        cls.has_tools_of_manual = all("installed" in subprocess.run(
            ["dpkg-query", "-W", "-f", "${db:Status-Status}", tool], capture_output=True, text=True).stdout.split() for tool in tools)
        run("cpack", "-G", "DEB", "-C", CONFIG, "-B", WORK / "deb", cwd=BUILD)
        (cls.package,) = (WORK / "deb").glob("picus_*.deb")
        cls.root = WORK / "root"
        shutil.rmtree(cls.root, ignore_errors=True)
        run("dpkg-deb", "-x", cls.package, cls.root)
        cls.holds = [path.name for path in cls.root.iterdir()]

    def field(self, name):
        return run("dpkg-deb", "--field", self.package, name).strip()

    def test_says_what_it_is_and_needs(self):
        self.assertEqual(self.field("Package"), "picus")
        self.assertEqual(self.field("Version"), VERSION)
        self.assertEqual(self.field("Architecture"), run("dpkg", "--print-architecture").strip())
        for library in ("libc6", "libhdf5", "libtbb", "libopenblas"):
            self.assertIn(library, self.field("Depends"))
        self.assertIn("python3-h5py", self.field("Recommends"))

    def test_lies_below_usr_alone(self):
        self.assertEqual(self.holds, ["usr"])
        self.assertTrue((self.root / "usr/share/man/man1/picus.1").exists())

    def test_has_the_pages_of_the_manual(self):
        if not self.has_tools_of_manual:
            self.skipTest("the tools of the manual are missing: scripts/manual/packages")
        pages = self.root / "usr/share/doc/picus/html"
        for page, word in (("index.html", "Picus"), ("sweeps.html", "Latin hypercube"), ("elements/joints.html", "Hinge"),
                           ("api/classpicus_1_1Model.html", "add_frame"), ("licences/libjs-mathjax.txt", "Apache")):
            self.assertIn(word, (pages / page).read_text(), page)
        # No page of the documentation is left out, and each picture is there.
        for source in (SOURCE / "docs").rglob("*.md"):
            name = source.relative_to(SOURCE / "docs").with_suffix(".html")
            page = pages / ("index.html" if str(name) == "README.html" else name)
            for picture in re.findall(r'<img[^>]* src="([^":]+)"', page.read_text()):
                self.assertTrue((page.parent / picture).exists(), f"{page}: {picture}")
        for path in files_below(pages):
            content = path.read_bytes()
            for folder in (SOURCE, BUILD):
                self.assertNotIn(str(folder).encode() + b"/", content, path)

    def copy_into_root(self, program):
        """What an empty root has not: the libraries that a program or library, which lies outside or inside, is linked with."""
        inside = program
        if self.root not in program.parents:
            inside = self.root / program.name
            shutil.copy(program, inside)
        for line in run("ldd", inside).splitlines():
            match = re.search(r"(/\S+) \(", line)
            if match:
                target = self.root / match[1].lstrip("/")
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(match[1], target)

    def in_root(self, *words):
        """Runs a program where there is nothing but the package and the libraries that it depends on."""
        change = ["chroot"] if os.geteuid() == 0 else ["unshare", "-r", "chroot"]
        self.copy_into_root(self.root / "usr/bin/picus")
        if subprocess.run([*change, self.root, "/usr/bin/picus", "--version"], capture_output=True).returncode == 125:
            self.skipTest("no right to change the root")
        # Programs find what lies beside them by this link, which an empty root without the file systems of the kernel lacks.
        own = self.root / "proc/self/exe"
        own.parent.mkdir(parents=True, exist_ok=True)
        own.unlink(missing_ok=True)
        own.symlink_to(words[0])
        return run(*change, self.root, *words)

    def build_example(self, name):
        """Builds a copy of an example against what the package holds, and returns its folder."""
        source, build = WORK / "examples" / name, WORK / "examples" / f"{name}_build"
        for folder in (source, build):
            shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(SOURCE / "examples" / name, source)
        run(CMAKE, "-S", source, "-B", build, f"-DCMAKE_PREFIX_PATH={self.root / 'usr'}", f"-DCMAKE_CXX_COMPILER={COMPILER}",
            f"-DCMAKE_BUILD_TYPE={CONFIG}")
        run(CMAKE, "--build", build)
        return build

    def test_runs_in_an_empty_root(self):
        self.assertIn(VERSION, self.in_root("/usr/bin/picus", "--version"))
        self.in_root("/usr/bin/picus", "run", "woodpecker", "--until", "0.05", "--out", "wp.h5")
        self.assertIn("complete", self.in_root("/usr/bin/picus", "show", "wp.h5"))

    def test_law_of_ones_own_in_an_empty_root(self):
        self.copy_into_root(self.build_example("own_friction") / "bow")
        self.assertIn("mu_at_rest", self.in_root("/bow", "info", "bow"))
        self.in_root("/bow", "run", "bow", "--until", "0.02", "--set", "mu_at_rest=1.2", "--out", "bow.h5")
        self.assertIn("complete", self.in_root("/usr/bin/picus", "show", "bow.h5"))

    def test_fmus_in_an_empty_root(self):
        self.copy_into_root(self.root / "usr/bin/picus-fmu")
        (models,) = self.root.rglob("picus-models.so")
        self.copy_into_root(models)
        self.in_root("/usr/bin/picus", "fmu", "four-bar-chain", "--input", "push=coupler[0].fx", "--output", "coupler[0].x",
                     "--out", "chain.fmu")
        build = self.build_example("own_fmu")
        for name in ("cart", "cart.so"):
            self.copy_into_root(build / name)
        # By the package's program and by picus_add_fmu of its CMake package.
        self.in_root("/usr/bin/picus", "fmu", "--library", "/cart.so", "--out", "cart.fmu")
        self.assertEqual((self.root / "cart.fmu").read_bytes(), (build / "cart.fmu").read_bytes())
        self.in_root("/cart", "run", "cart", "--until", "0.1", "--out", "cart.h5")
        # Another program loads them: the importer of the tests, which is in Python and so outside of the root.
        tests = SOURCE / "tests/fmu"
        for test in ("description", "simulation"):
            run(sys.executable, tests / f"{test}_test.py", self.root / "cart.fmu", build / "cart", WORK / f"fmu_{test}")
        load = ("import sys; sys.path.insert(0, sys.argv[1]); from importer import Fmu, Instance; fmu = Fmu(*sys.argv[2:]); "
                "ones = [Instance(fmu).start(push=push) for push in (0.0, 20.0)]; "
                "[one.step(0.0, 0.1) for one in ones]; print(ones[1].get('coupler[0].x') - ones[0].get('coupler[0].x'))")
        moved = float(run(sys.executable, "-c", load, tests, self.root / "chain.fmu", WORK / "chain"))
        # Within the time the push of 20 N moves rods of 5 kg by 1/2 F/m t^2 = 0.02 m or somewhat more, as they also turn.
        self.assertTrue(0.01 < moved < 0.1, moved)


if __name__ == "__main__":
    WORK.mkdir(parents=True, exist_ok=True)
    unittest.main(argv=sys.argv[:1])
