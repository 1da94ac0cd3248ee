#!/usr/bin/python3
"""Random command lines: whatever is typed, `picus` ends in good order.

Usage: command_line_fuzz.py PICUS SCRATCH [--cases N] [--seed S] [--only CASE] [--workers W]

No case may end by a signal that it was not sent, outlast its time, print a traceback or a text of the C++ library, leave an unfinished file,
change anything when it says that the usage is wrong (status 2), or write beside the folder that it runs in. A case that
fails is printed as a shell takes it, with the number that repeats it.
"""

import argparse
import concurrent.futures
import os
import random
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import time

PATIENCE = 2.0  # s; then the program is asked to stop
MOST_SECONDS = 60.0  # that it may take to do so, on a busy machine
MOST_LINES = 8  # of a message
MOST_MEMORY = 3 << 30
MOST_FILE = 200 << 20

FORBIDDEN = re.compile(
    r"Traceback|terminate called|std::|basic_string|bad_alloc|what\(\)|\bstoi\b|\bstod\b|vector::|filesystem error|"
    r"\w+(Error|Exception|Warning)\b|Assertion|Sanitizer|runtime error:|Segmentation|HDF5-DIAG|LaTeX|mathtext|site-packages")
PROGRESS = re.compile(r"^picus: .*(steps/s|so far$|simulations|elapsed|of \d+ done)")

NUMBERS = ["0", "1", "2", "3", "10", "0.5", "1e-3", "1e-2", "0.02", "-1", "-0", "-1e-5", "-.5", "+1", "+-1", "1e308", "1e309", "-1e309",
           "1e-400", "4e-324", "99999999999999999999", "-99999999999999999999", "2147483647", "2147483648", "9223372036854775808",
           "nan", "-nan", "inf", "-inf", "infinity", "0x10", "1,5", "1 ", " 1", "1e", "1e+", "--1", "", "1ms", "١", "1\n2", "½"]
TEXTS = ["", " ", "a", "-", "--", "-x", "*", "?", "[", "]", "[a-", "**", "a" * 300, "ä", "日本語", "\x1b[31m", "\x07", "a\nb", "$x$", "$", "\\",
         "%s%n", "{}", "{0}", "'", '"', "=", "a=", "=a", ",", ":", "nodes/*", "contacts/*/gap", "*/gap", "time", "energy/kinetic", "/",
         "//", "solver/iterations_*", "nodes/ball/position.y", "\udcff"]
PATHS = ["", ".", "..", "/", "a.h5", "b", "result.h5", "result.xdmf", "run.checkpoint", "text.h5", "empty.h5", "cut.h5", "folder", "folder/",
         "folder/a.h5", "text.h5/a.h5", "none/a.h5", "fifo", "fifo.png", "link.h5", "dangling.h5", "/dev/null", "/dev/full", "/proc/none",
         "x" * 300 + ".h5", "ä ö.h5", "日本.h5", "-a.h5", "a\nb.h5", "\x1b.h5", "a.png", "a.svg", "a.pdf", "a.html", "a.xdmf", "a.gif",
         "a.checkpoint", "folder.png", "folder.html", "readonly.png", "$a$.png", "\udcff.h5"]
SCHEMES = ["ds", "cs", "dsn", "chen", "newmark", "hht", "moreau-jean", "schatzman-paoli", "mixed", "mixed:base=bathe", "chen:projection=yes",
           "ds:", "ds:a", "moreau-jean:theta=2", "moreau-jean:theta=1e999", "hht:alpha=nan", "mixed:base=", "moreau", ":", "newmark:beta=-1"]
SMALL_MODELS = ["box-tower", "bouncing-ball", "inclined-plane", "belt", "rigid-pendulum", "bouncing-oscillator", "crank-slider", "three-masses",
                "spinning-top", "sliding-masses", "woodpecker"]
MODELS = SMALL_MODELS * 3 + ["box-impact", "elastic-bar", "flexible-pendulum", "flexible-cube", "oblique-beam", "pendulum-on-plate",
                             "rocking-rod", "bouncing_ball", "nothing", ""]
PARAMETERS = ["mass", "stiffness", "restitution", "mu", "gravity", "height", "length", "speed", "count", "elements", "case", "variant",
              "frequency", "preload", "end", "wall", "clearance", "angle", "none"]
BENCHMARKS = ["bouncing-ball", "belt", "nothing", "bouncing_ball", ""]

INTEGRATOR = {"--scheme": SCHEMES, "--rho-inf": NUMBERS, "--tol": NUMBERS, "--max-iterations": NUMBERS, "--scaling": NUMBERS,
              "--regularization": NUMBERS, "--linear-solver": ["auto", "klu", "umfpack", "cholmod", "cg", "gmres", "lu", ""],
              "--contact-solver": ["auto", "newton", "sweeps", "lemke", ""]}
ANALYSIS = {"--set": "setting", "--increments": NUMBERS, "--until": NUMBERS, "--full-loads": None, "--free-motions": None, "--tol": NUMBERS,
            "--max-iterations": NUMBERS, "--out": PATHS, "--record": TEXTS, "--omit": TEXTS, "--threads": NUMBERS, "--force": None, "--quiet": None}
COMMANDS = {
    "list": ({"--schemes": None}, [TEXTS]),
    "info": ({}, [MODELS]),
    "run": ({"--set": "setting", "--step": NUMBERS, "--until": NUMBERS, "--out": PATHS, "--every": NUMBERS, "--frames": NUMBERS,
             "--record": TEXTS, "--omit": TEXTS, "--energy-details": None,
             "--contact-problems": PATHS, "--profile": None, "--threads": NUMBERS, "--checkpoint": NUMBERS, "--resume": PATHS, "--force": None,
             "--quiet": None, **INTEGRATOR}, [MODELS]),
    "converge": ({"--set": "setting", "--steps": "list", "--until": NUMBERS, "--quantity": TEXTS, "--reference": NUMBERS,
                  "--reference-scheme": SCHEMES, "--phases": NUMBERS, "--workers": NUMBERS, "--threads": NUMBERS, "--out": PATHS, "--force": None,
                  "--quiet": None, **INTEGRATOR},
                 [MODELS]),
    "sweep": ({"--set": "settings", "--samples": NUMBERS, "--sampling": TEXTS, "--seed": NUMBERS, "--step": NUMBERS, "--until": NUMBERS,
               "--workers": NUMBERS, "--threads": NUMBERS, "--out": PATHS, "--retry": None, "--force": None, "--quiet": None, **INTEGRATOR},
              [MODELS]),
    "compare": ({"--scheme": SCHEMES, "--set": "setting", "--step": NUMBERS, "--until": NUMBERS, "--limit": NUMBERS, "--workers": NUMBERS, "--out": PATHS,
                 "--force": None, "--quiet": None}, [MODELS, MODELS]),
    "static": (ANALYSIS, [MODELS]),
    "modes": ({"--count": NUMBERS, "--shift": NUMBERS, "--open-contacts": None, **ANALYSIS}, [MODELS]),
    "show": ({}, [PATHS]),
    "plot": ({"--overview": None, "--out": PATHS, "--from": NUMBERS, "--to": NUMBERS, "--force": None}, [PATHS, TEXTS]),
    "export": ({"--html": None, "--contacts": None, "--out": PATHS, "--frames": NUMBERS, "--from": NUMBERS, "--to": NUMBERS, "--plot": TEXTS, "--colour": TEXTS,
                "--force": None}, [PATHS]),
    "report": ({"--quick": None, "--out": PATHS, "--workers": NUMBERS, "--threads": NUMBERS, "--force": None}, [BENCHMARKS]),
}
# What a user might mean; most values are of these, so that commands get beyond their words.
PLAUSIBLE = {
    "--set": ["gravity=9.81", "gravity=1", "restitution=0.5", "mu=0.3", "mass=2", "stiffness=50", "count=2"], "--step": ["1e-3", "2e-3", "5e-3"],
    "--until": ["0.01", "0.05", "0.1"], "--limit": ["0.1", "1"], "--scheme": SCHEMES[:11], "--rho-inf": ["0", "0.5", "1"], "--tol": ["1e-8", "1e-12", "1e-2"],
    "--max-iterations": ["1", "50"], "--scaling": ["1", "1e-3"], "--regularization": ["0", "1e-6"], "--linear-solver": ["klu", "umfpack"], "--contact-solver": ["newton", "sweeps"],
    "--out": ["a.h5", "b.h5", "c", "folder/a.h5"], "--every": ["1", "7"], "--frames": ["2", "10"], "--record": ["nodes/*", "energy/*", "*"],
    "--omit": ["energy/*", "solver/*", "*"], "--checkpoint": ["1", "10"],
    "--contact-problems": ["problems", "folder", "a", "result.h5"], "--resume": ["run.h5", "run.checkpoint", "found.h5"],
    "--steps": ["5e-3,2e-3", "1e-3", "1e-2,5e-3,1e-2"], "--quantity": ["*", "*.x", "*.vx"], "--reference": ["1e-4", "1e-3"],
    "--reference-scheme": SCHEMES[:11], "--phases": ["1", "5"], "--workers": ["1", "2", "5"], "--threads": ["1", "2", "3"], "--from": ["0", "0.01", "-1e-5"], "--to": ["0.04", "1", "0.02"],
    "--samples": ["3", "8"], "--sampling": ["latin", "random"], "--seed": ["1", "2"], "--increments": ["1", "5"], "--count": ["1", "3"],
    "--shift": ["0", "1e4"], "--plot": ["energy/*", "*/gap", "nodes/*"], "--colour": ["speed"],
}
FIGURES = {"plot": ["a.png", "a.svg", "a.pdf"], "export": ["a.html", "a.vtkhdf"], "report": ["r"]}
WEIGHTS = {"list": 2, "info": 3, "run": 45, "converge": 12, "sweep": 8, "compare": 4, "static": 4, "modes": 4, "show": 10, "plot": 14, "export": 12, "report": 2}


def words_of(random_words):
    """A command line: mostly what a user might mean, with something wrong here and there."""
    pick, chance = random_words.choice, random_words.random
    command = random_words.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
    options, places = COMMANDS[command]
    words = [command]
    if command in ("show", "plot", "export") and chance() < 0.6:
        words.append(pick(["result.h5", "result.h5", "found.h5"]))
        places = places[1:]
    elif command in ("static", "modes") and chance() < 0.7:
        words.append(pick(SMALL_MODELS))
        places = places[1:]
    elif command in ("run", "converge", "sweep") and chance() < 0.7:
        words.append(pick(SMALL_MODELS))
        places = places[1:]
        # Most runs are to be short; those that are not are asked to stop.
        words += ["--until", pick(["0.01", "0.05"])] if chance() < 0.6 else []
        if command == "converge" and chance() < 0.7:
            words += ["--steps", "5e-3,2e-3"]
    elif command == "compare":
        words += [pick(SMALL_MODELS), "--limit", "0.1", "--scheme", "ds"]  # the same runs of all models would take long
    if command == "export" and chance() < 0.8:
        words.append("--html" if chance() < 0.8 else "--contacts")
    if command == "plot":
        words += random_words.choice([["--overview"], ["energy/*"], ["contacts/*/gap", "nodes/ball/position"], []])
        places = places if chance() < 0.2 else []
    if command == "report":
        words += [pick(BENCHMARKS), "--quick"] if chance() < 0.9 else []
        places = []
    for place in places:
        words += [pick(place)] if chance() < 0.5 else []
    for _ in range(random_words.choice([0, 1, 1, 2, 2, 3, 5])):
        option = pick(list(options)) if options and chance() < 0.97 else pick(["--frobnicate", "-q", "--help", "--version", "--", "-"])
        words.append(option)
        values = options.get(option)
        if values is None:
            continue
        if values == "settings" and chance() < 0.8:
            value = pick(["gravity=1:9:3", "mass=1,2", "mass=0.5:2", "gravity=1:100:3:log", "mu=0.1:0.3:2", "restitution=0.2,0.9",
                          f"{pick(PARAMETERS)}={pick(NUMBERS)}:{pick(NUMBERS)}:{pick(NUMBERS)}", f"mass={pick(TEXTS)},1"])
        elif chance() < 0.65:
            value = pick(FIGURES.get(command, PLAUSIBLE["--out"]) if option == "--out" else PLAUSIBLE[option])
        elif values in ("setting", "settings"):
            value = pick([f"{pick(PARAMETERS)}={pick(NUMBERS)}", pick(TEXTS)])
        elif values == "list":
            value = ",".join(pick(NUMBERS) for _ in range(random_words.randint(1, 3)))
        else:
            value = pick(values)
        if chance() < 0.05:
            value = pick(TEXTS + NUMBERS)
        if chance() < 0.2:
            words[-1] += "=" + value
        elif chance() < 0.97:
            words.append(value)
    if chance() < 0.03:
        random_words.shuffle(words)
    return [word.replace("\0", "") for word in words]


def furnish(folder, stored):
    """What the paths lead to."""
    os.mkdir(folder)
    for name in ("result.h5", "result.xdmf", "run.h5", "run.checkpoint", "found.h5", "found.checkpoint"):
        shutil.copy(os.path.join(stored, name), folder)
    with open(os.path.join(stored, "result.h5"), "rb") as whole, open(os.path.join(folder, "cut.h5"), "wb") as cut:
        cut.write(whole.read()[:5000])
    with open(os.path.join(folder, "text.h5"), "w", encoding="utf-8") as text:
        text.write("no result")
    open(os.path.join(folder, "empty.h5"), "wb").close()
    for name in ("folder", "folder.png", "folder.html"):
        os.mkdir(os.path.join(folder, name))
    for name in ("fifo", "fifo.png"):
        os.mkfifo(os.path.join(folder, name))
    os.symlink("result.h5", os.path.join(folder, "link.h5"))
    os.symlink("nowhere/a.h5", os.path.join(folder, "dangling.h5"))
    with open(os.path.join(folder, "readonly.png"), "wb"):
        pass
    os.chmod(os.path.join(folder, "readonly.png"), 0o444)


def contents(folder):
    found = {}
    for place, folders, files in os.walk(folder):
        for name in folders + files:
            path = os.path.join(place, name)
            status = os.lstat(path)
            found[os.path.relpath(path, folder)] = (status.st_size, status.st_mtime_ns) if name in files else None
    return found


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))


def is_sanitized(program):
    """Then the limit of memory has to go: the address sanitizer reserves all addresses that there are."""
    start = subprocess.run([program, "--version"], capture_output=True, text=True, preexec_fn=limit_memory)
    return start.returncode != 0 and "AddressSanitizer" in start.stderr


def limit(has_memory_limit):
    if has_memory_limit:
        limit_memory()
    resource.setrlimit(resource.RLIMIT_FSIZE, (MOST_FILE, MOST_FILE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run(command, folder, environment, has_memory_limit):
    """(exit status or minus the signal, standard error, whether it was asked to stop); status None: it would not end."""
    with open(folder + ".err", "w+b") as errors:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=errors, preexec_fn=lambda: limit(has_memory_limit), start_new_session=True)
        is_asked = False
        try:
            status = process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            is_asked = True
            process.send_signal(signal.SIGINT)
            try:
                status = process.wait(MOST_SECONDS)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                status = None
        errors.seek(0)
        return status, errors.read().decode("utf-8", "backslashreplace"), is_asked


def complaints(status, is_asked, errors, before, after, outside_before, outside_after):
    lines = [line for line in errors.splitlines() if not PROGRESS.match(line)]
    if status is None:
        yield "does not end when it is asked to"
        return
    # Before it has begun with anything, Ctrl-C ends it as it ends every program.
    is_quit = is_asked and status == -signal.SIGINT
    if status not in (0, 1, 2) and not is_quit:
        yield f"ends with status {status}"
    if status != 0 and not errors.strip() and not is_quit:
        yield "fails without a word"
    if status == 0 and any(not line.startswith("picus: warning: ") for line in lines):
        yield "succeeds with a message"
    if len(lines) > MOST_LINES:
        yield f"says {len(lines)} lines"
    if any(not line.startswith(("picus: ", "       ")) for line in lines):
        yield "says something that is not its own"
    if FORBIDDEN.search("\n".join(lines)):
        yield "says what is not for users"
    if re.search(r"[\x00-\x08\x0b-\x1f\x7f]", "\n".join(lines)):
        yield "prints control characters"
    if status == 2 and before != after:
        changed = sorted(name for name in before.keys() | after.keys() if before.get(name, 0) != after.get(name, 0))
        yield f"wrong usage, but it changed {changed}"
    if any(".part" in name for name in after):
        yield "leaves a part of a file"
    if outside_before != outside_after:
        yield "writes beside its folder"


def try_case(number, given, stored):
    words = words_of(random.Random(f"{given.seed}/{number}"))
    home = os.path.join(given.scratch, f"case_{number}")
    shutil.rmtree(home, ignore_errors=True)
    os.makedirs(os.path.join(home, "home"))
    folder = os.path.join(home, "work")
    furnish(folder, stored)
    environment = {**os.environ, "HOME": os.path.join(home, "home"), "MPLCONFIGDIR": os.path.join(given.scratch, "matplotlib"),
                   "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    environment.pop("PICUS_TRACEBACK", None)
    before, outside = contents(folder), sorted(os.listdir(home))
    command = [os.fsencode(word) for word in [given.picus, *words]]
    status, errors, is_asked = run(command, folder, environment, given.has_memory_limit)
    found = list(complaints(status, is_asked, errors, before, contents(folder), sorted([*outside, "work.err"]), sorted(os.listdir(home))))
    if not found:
        shutil.rmtree(home)
    text = shlex.join(words).encode("utf-8", "backslashreplace").decode()
    return number, text, status, is_asked, errors, found


def store(given):
    """Files that exist before each case: a result, one with its checkpoint, and one with contacts that were found."""
    stored = os.path.join(given.scratch, "stored")
    os.makedirs(stored)
    for words in (["bouncing-ball", "--until", "0.05", "--out", "result.h5"],
                  ["bouncing-ball", "--until", "0.05", "--checkpoint", "10", "--out", "run.h5"],
                  ["box-tower", "--set", "count=2", "--until", "0.02", "--checkpoint", "10", "--out", "found.h5"]):
        subprocess.run([given.picus, "run", *words, "--quiet"], cwd=stored, check=True)
    return stored


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("picus")
    parser.add_argument("scratch")
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int)
    parser.add_argument("--workers", type=int, default=min(4, os.cpu_count() or 1))
    given = parser.parse_args()
    given.has_memory_limit = not is_sanitized(given.picus)
    given.picus, given.scratch = os.path.abspath(given.picus), os.path.abspath(given.scratch)
    shutil.rmtree(given.scratch, ignore_errors=True)
    os.makedirs(given.scratch)
    stored = store(given)
    numbers = range(given.cases) if given.only is None else [given.only]
    begin, failed, counts = time.monotonic(), 0, {}
    with concurrent.futures.ThreadPoolExecutor(given.workers) as pool:
        for number, text, status, is_asked, errors, found in pool.map(lambda n: try_case(n, given, stored), numbers):
            counts[status] = counts.get(status, 0) + 1
            if given.only is not None:
                print(f"picus {text}\nstatus {status}{', was asked to stop' if is_asked else ''}\n{errors}")
            if found:
                failed += 1
                print(f"case {number}: {'; '.join(found)}\n  picus {text}\n  status {status}: {errors.strip()[:2000]}\n", flush=True)
    ends = ", ".join(f"{count} with status {status}" for status, count in sorted(counts.items(), key=str))
    print(f"seed {given.seed}: {len(numbers)} cases in {time.monotonic() - begin:.0f} s, {ends}; {failed} failed")
    if not failed:
        shutil.rmtree(given.scratch)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
