#!/usr/bin/env python3
"""What happens to the tests and to runs of models when a constant of the solvers is ten times larger or smaller.

    scripts/move_constants.py rewrite ../moved     # a copy of the sources in which each constant can be moved without a compiler
    cmake -S ../moved -B ../moved/build/release --preset release
    cmake --build ../moved/build/release --target test_solvers test_contact_verification test_analyses picus
    scripts/move_constants.py run ../moved [PART OF A NAME ...] [--all] [--out FILE]

A constant is a line `constexpr double NAME = VALUE;` (or another type of number) in solvers/, or the default of a member of a struct
of options there; its name is FILE:NAME. In the copy its value is read once, when the program starts, and multiplied by the factor in
the environment variable PICUS_MOVED ("FILE:NAME=10"); integers are rounded, and are at least 1. `run` prints a table in Markdown:
for each constant and factor the tests that fail and the runs whose remedies or iterations differ.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

FACTORS = ("10", "0.1")
TYPES = r"(?:double|int|Index|std::ptrdiff_t|std::size_t)"
CONSTANT = re.compile(rf"^(?P<indent> *)(?P<words>(?:inline |static )*)constexpr (?P<type>{TYPES}) (?P<name>\w+) = (?P<value>[^;{{}}]+);", re.M)
OPTION = re.compile(rf"^  (?P<type>double|int) (?P<name>\w+) = (?P<value>[-+0-9.e]+);", re.M)
OPTIONS = re.compile(r"^struct \w+Options \{.*?^\};", re.M | re.S)
# Not chosen by anybody: sizes that types are made of, marks, infinity.
FIXED = {"none", "unsolved", "first_w", "shared", "max_multipliers", "max_equations", "max_tangents", "width", "max_block",
         "all_names", "largest", "holds_anything", "max_restarts", "max_rows", "most_rows_of_cone", "tangents_of_cone", "Tangents",
         "tangents", "usual_rows", "capacity", "body_size", "friction_rows", "depth", "padded_rows", "padded_values", "ask", "type"}
# Their options are those of users, tested as such.
OF_USERS = ("solvers/integrators/", "solvers/analyses/")

HEADER = """#pragma once
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <type_traits>
namespace picus {
template <class T>
T moved(const char* name, T value) {
  const char* setting = std::getenv("PICUS_MOVED");
  const std::size_t length = std::strlen(name);
  if (setting == nullptr || std::strncmp(setting, name, length) != 0 || setting[length] != '=') return value;
  const double result = static_cast<double>(value) * std::atof(setting + length + 1);
  if constexpr (std::is_integral_v<T>) return result < 1 ? T(1) : static_cast<T>(std::llround(result));
  else return static_cast<T>(result);
}
}  // namespace picus
"""

# What is run for a constant: the tests that have to do with it, by the start of its name, or all with --all but those that draw
# random numbers for minutes.
OF_CONTACT_LAWS = (
    ("test_solvers", "*Contact*:LocalContact.*:GaussSeidelSweeps.*:*InteriorPoint.*:Lemke.*:NsgaFallback.*:RemediesOfOneSolve.*:"
     "*JamBySchemes*-VelocityLevelContact.*:SchatzmanPaoliContact.*:OpenContact*"),
    ("test_contact_verification", "ContactsOfFclib.AreSolvedToTenDigits:ManyContacts.MoveBodies*"),
)
OF_STEPS = (
    ("test_solvers", "SemismoothNewton.*:TangentReuse.*:NsgaFallback.*:RemediesOfOneSolve.*:ConsistentStart.*:*InconsistentContact*:"
     "CondensedContact.*:*JamBySchemes*:SubproblemTest.*:BodyGroupsTest.*:NsgaScaling.*:NsgaImpact.*:NsgaFriction.*:*ContactProblems*"),
    ("test_contact_verification", "ConflictingRows.*:*ClosingBesideSticking*/ds:Capstan.Equilibria*:ManyContacts.MoveBodies*"),
)
TESTS = {
    "contact/lzb_impact": (("test_solvers", "LzbImpact.*-*NeverGainsEnergy*"),),
    "contact/poisson_impact": (("test_solvers", "PoissonImpact.*"),),
    "contact/friction_pyramids": (("test_solvers", "PoissonImpact.*:Lemke.*"),),
    "contact/": OF_CONTACT_LAWS,
    "newton/": OF_STEPS,
    "subproblems/": OF_STEPS,
    "integrators/": OF_STEPS,
    "linear/": (("test_solvers", "*Linear*:GmresTest.*:*SweepRows*:OpenContactElimination.*:SymmetricSolver.*:ThreadedSolvers.*:"
                 "TangentReuse.*"),),
    "analyses/": (("test_analyses", "*"),),
}
ALL_TESTS = (("test_solvers", "-LzbImpact.NeverGainsEnergy"), ("test_contact_verification", "*"), ("test_analyses", "*"))
MODELS = (
    "woodpecker --set case=II --step 1e-3 --until 0.5",
    "rimless-wheel --step 1e-3 --until 2",
    "rocking-block --step 1e-3 --until 1",
    "painleve-rod --step 1e-3",
    "sphere-chain --step 1e-3 --until 0.3",
    "arch --contact-solver newton --until 0.02",
    "mixed-heap --until 0.1",
    "capstan --until 0.03",
)


def sources():
    names = subprocess.run(["git", "ls-files"], capture_output=True, text=True, check=True).stdout.split("\n")
    return [name for name in names if name]


def rewritten(name, text, found):
    """The text of a source whose constants can be moved; their names and values are appended to `found`."""

    def call(match):
        key = f"{name.removeprefix('solvers/')}:{match['name']}"
        found.append((key, match["value"]))
        return f'picus::moved<{match["type"]}>("{key}", {match["value"]})'

    def constant(match):
        if match["name"] in FIXED or "grain" in match["name"]:
            return match[0]
        storage = "inline " if "static " in match["words"] and "inline " not in match["words"] and match["indent"] else ""
        in_function = match["indent"] and not match["words"]
        words = "static " if in_function else match["words"] + storage
        return f'{match["indent"]}{words}const {match["type"]} {match["name"]} = {call(match)};'

    def option(match):
        return (f'  {match["type"]} {match["name"]} = [] {{ static const {match["type"]} value = {call(match)}; '
                "return value; }();")

    before = len(found)
    text = CONSTANT.sub(constant, text)
    if not name.startswith(OF_USERS):
        text = OPTIONS.sub(lambda struct: OPTION.sub(option, struct[0]), text)
    if len(found) == before:
        return text
    include = "#include <picus/moved.hpp>\n"
    return text.replace("#pragma once\n", "#pragma once\n" + include, 1) if "#pragma once\n" in text else include + text


def constants():
    found = []
    for name in sources():
        if name.startswith("solvers/") and name.endswith((".cpp", ".hpp")):
            with open(name, encoding="utf-8") as file:
                rewritten(name, file.read(), found)
    return found


def write_if_new(path, content):
    """Leaves files alone that are as they should be, so that little is compiled anew."""
    if os.path.exists(path):
        with open(path, "rb") as file:
            if file.read() == content:
                return
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "wb") as file:
        file.write(content)


def rewrite(folder):
    found = []
    for name in sources():
        with open(name, "rb") as file:
            content = file.read()
        if name.startswith("solvers/") and name.endswith((".cpp", ".hpp")):
            content = rewritten(name, content.decode(), found).encode()
        path = os.path.join(folder, name)
        write_if_new(path, content)
        os.chmod(path, os.stat(name).st_mode)
    write_if_new(os.path.join(folder, "include/picus/moved.hpp"), HEADER.encode())
    print(f"{len(found)} constants can be moved in {folder}")


def run_program(command, moved, seconds):
    environment = dict(os.environ, OPENBLAS_NUM_THREADS="1")
    if moved:
        environment["PICUS_MOVED"] = moved
    try:
        result = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return None
    return result.stdout + ("\nexit" if result.returncode else "")


def failed_tests(folder, moved, tests, seconds):
    failed = set()
    for program, chosen in tests:
        if not os.path.exists(f"{folder}/bin/{program}"):
            sys.exit(f"{folder}/bin/{program} has not been built")
        text = run_program([f"{folder}/bin/{program}", f"--gtest_filter={chosen}"], moved, seconds)
        if text is None:
            failed.add(f"{program}: too slow")
            continue
        failed.update(re.findall(r"^\[  FAILED  \] (\S+\.\S+?),? ", text, re.M))
        if "tests ran." not in text:
            failed.add(f"{program}: ends early")
    return failed


def effort_of_runs(folder, moved, seconds):
    """Per run: iterations in all, and the number of remedies."""
    efforts = {}
    with tempfile.TemporaryDirectory() as scratch:
        for model in MODELS:
            text = run_program([f"{folder}/bin/picus", "run", *model.split(), "--out", f"{scratch}/result.h5", "--force"], moved, seconds)
            if text is None or "fallbacks" not in text:
                efforts[model] = None
                continue
            iterations = sum(int(float(n)) for n in re.findall(r"^  (?:smooth|position|velocity) +(\S+) ", text, re.M))
            line = re.search(r"^  fallbacks +(.*)$", text, re.M)[1]
            efforts[model] = (iterations, sum(int(n) for n in re.findall(r" (\d+)(?:,|$)", line)))
    return efforts


def compared(now, before):
    """What differs: more than a twentieth of the iterations, or the number of remedies."""
    texts = []
    for model, old in before.items():
        new, name = now[model], model.split()[0]
        if old is None or new == old:
            continue
        if new is None:
            texts.append(f"{name} fails")
        elif new[1] != old[1]:
            texts.append(f"{name}: {old[1]} to {new[1]} remedies, {old[0]} to {new[0]} iterations")
        elif abs(new[0] - old[0]) > 0.05 * old[0]:
            texts.append(f"{name}: {old[0]} to {new[0]} iterations")
    return texts


def tests_of(key):
    return next(tests for start, tests in TESTS.items() if key.startswith(start))


def run(folder, parts, take_all, out, seconds):
    programs = os.path.join(folder, "build/release")
    chosen = [(key, value) for key, value in constants() if not parts or any(part in key for part in parts)]
    before = effort_of_runs(programs, None, seconds)
    print(f"without: {before}", file=sys.stderr)
    print("| constant | value | factor | tests that fail | runs that differ |", "| --- | --- | --- | --- | --- |", sep="\n", file=out)
    already = {}
    for key, value in chosen:
        tests = ALL_TESTS if take_all else tests_of(key)
        if tests not in already:
            already[tests] = failed_tests(programs, None, tests, seconds)
        for factor in FACTORS:
            if factor == "0.1" and value.strip() == "1":
                continue
            moved = f"{key}={factor}"
            failed = sorted(failed_tests(programs, moved, tests, seconds) - already[tests])
            differs = compared(effort_of_runs(programs, moved, seconds), before)
            print(f"| {key} | {value} | {factor} | {', '.join(failed) or 'none'} | {'; '.join(differs) or 'none'} |", file=out, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    tasks = parser.add_subparsers(dest="task", required=True)
    tasks.add_parser("list", help="print the constants")
    tasks.add_parser("rewrite", help="write a copy in which they can be moved").add_argument("folder")
    runs = tasks.add_parser("run", help="move them, one after another")
    runs.add_argument("folder")
    runs.add_argument("parts", nargs="*", metavar="PART", help="only constants whose names contain one of these")
    runs.add_argument("--all", action="store_true", help="all tests instead of those that have to do with the constant")
    runs.add_argument("--seconds", type=float, default=300, help="for a program, then it is too slow")
    runs.add_argument("--out", type=argparse.FileType("w"), default=sys.stdout)
    arguments = parser.parse_args()
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    if arguments.task == "list":
        for key, value in constants():
            print(f"{key} = {value}")
    elif arguments.task == "rewrite":
        rewrite(arguments.folder)
    else:
        run(arguments.folder, arguments.parts, arguments.all, arguments.out, arguments.seconds)


if __name__ == "__main__":
    main()
