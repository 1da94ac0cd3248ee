#!/usr/bin/python3
"""Spoilt results, checkpoints and problems in FCLIB's format, read where the sanitizers look.

Usage: sanitized_reader_test.py WRITER READER SOURCE_FOLDER FOLDER COUNT      (each case is the same in every run)

No program is needed but the two of this build, WRITER for the files that are spoilt and READER for reading them, so that the test is
quick to build under the sanitizers. They may report nothing but the library for HDF5, and READER may say nothing but why it cannot
read the file. What the program makes of such files is fuzz_test.py's.
"""

import collections
import os
import random
import shutil
import subprocess
import sys

import mutations
from sanitizer_reports import ENDED_WITHIN_HDF5, ENVIRONMENT, faults_of_problem, is_own_fault, read_in_process

writer, reader, source, folder = (os.path.abspath(word) for word in sys.argv[1:5])
count = int(sys.argv[5])
LIMIT = 20.0  # seconds; the library may go round in circles in a damaged file, which is no fault of the reader


def make_seeds():
    """The files that are spoilt: of today's format, of former ones, and of others."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    for name, options in (("flight", ()), ("balls", ("--balls", "--checkpoints"))):
        subprocess.run([writer, os.path.join(folder, f"{name}.h5"), *options], check=True, env=ENVIRONMENT)
    for name in ("core/format_1.h5", "core/format_2.h5", "core/format_2_static.h5", "fclib/Box_Stacks-i0122-82-5.hdf5"):
        shutil.copy(os.path.join(source, "tests", name), folder)
    return sorted(name for name in os.listdir(folder) if name.endswith((".h5", ".checkpoint", ".hdf5")))


def read_spoilt(number, seeds):
    """The faults of one case, what was done to the file, and how the reader ended."""
    generator = random.Random(number)
    seed = seeds[number % len(seeds)]
    place = os.path.join(folder, f"case{number}")
    os.makedirs(place)
    trap, file = os.path.join(place, "trap"), os.path.join(place, "x" + os.path.splitext(seed)[1])
    os.mkfifo(trap)
    shutil.copy(os.path.join(folder, seed), file)
    change = f"{seed}, {mutations.spoil(generator, file, trap)}"
    outcome = read_in_process(reader, file, LIMIT)
    if not outcome:
        shutil.rmtree(place)
        return [], change, "out of time"
    if file.endswith(".hdf5"):
        faults = faults_of_problem(outcome, file)
    else:
        is_fault = is_own_fault(outcome.stderr) or outcome.returncode not in (0, *ENDED_WITHIN_HDF5)
        faults = [f"exit status {outcome.returncode}, {outcome.stderr[:3000]}"] if is_fault else []
        faults += [f"printed {line!r}" for line in outcome.stdout.splitlines() if not line.isprintable()]
    if not faults:
        shutil.rmtree(place)
    ending = "ended within HDF5" if outcome.returncode else "refused" if outcome.stdout else "read"
    return faults, change, ending


def check_judgement():
    """Whose fault a report says it is."""
    head = "==1==ERROR: AddressSanitizer: SEGV on unknown address\n    #0 0x1 in __interceptor_free ../src/libsanitizer/asan.cpp:1\n"
    own, foreign = "    #1 0x2 in picus::read /picus/src/file.cpp:1\n", "    #1 0x2 in H5MM_xfree (/lib/libhdf5_serial.so.103+0x1)\n"
    assert is_own_fault(head + own + foreign) and not is_own_fault(head + foreign + own)
    assert is_own_fault("src/file.cpp:1:2: runtime error: signed integer overflow") and not is_own_fault("")


def main():
    check_judgement()
    seeds = make_seeds()
    assert len(seeds) == 7, seeds
    endings, faulty = collections.Counter(), 0
    for number in range(count):
        faults, change, ending = read_spoilt(number, seeds)
        endings[ending] += 1
        faulty += bool(faults)
        for text in faults:
            print(f"sanitized_reader_test: case {number} ({change}): {text}", flush=True)
    print(f"sanitized_reader_test: {count} cases, {faulty} with faults; " +
          ", ".join(f"{ending}: {number}" for ending, number in sorted(endings.items())))
    assert endings["read"] > 0 and endings["refused"] > 0, "nothing was tested"
    sys.exit(1 if faulty else 0)


if __name__ == "__main__":
    main()
