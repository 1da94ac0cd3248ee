"""What a sanitizer tells of the program that reads foreign files in its own process (read_foreign)."""

import os
import re
import signal
import subprocess

REPORTED = 99  # exit status after a report of the sanitizer
# Where the library for HDF5 falls over a damaged file; of a sanitized reader the report says whether it did.
ENDED_WITHIN_HDF5 = (-signal.SIGSEGV, -signal.SIGBUS, -signal.SIGABRT, -signal.SIGFPE, REPORTED)
ENVIRONMENT = dict(os.environ, OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1",
                   # That the library for HDF5 falls over a damaged file is what the reader's own process is for.
                   ASAN_OPTIONS="handle_segv=0:handle_sigbus=0:handle_abort=0:handle_sigfpe=0:detect_leaks=0:allocator_may_return_null=1",
                   UBSAN_OPTIONS="print_stacktrace=1")
# In one process there is nothing to hide: whose fault a signal is stands in the report.
OF_READER = dict(ENVIRONMENT, ASAN_OPTIONS=f"handle_abort=1:handle_sigfpe=1:detect_leaks=0:allocator_may_return_null=1:exitcode={REPORTED}")


def is_own_fault(report):
    """Whether a sanitizer reports more than that the library for HDF5 goes wrong, which has no debugging information."""
    # An allocation that is refused is what a machine without the memory does, too: no fault of its own.
    report = "".join(line for line in report.splitlines(keepends=True) if "WARNING: AddressSanitizer failed to allocate" not in line)
    if "runtime error" in report:
        return True
    frames = [line for line in report.splitlines() if re.match(r" +#\d+ ", line) and not re.search("libsanitizer|libc\\.so|/sysdeps/", line)]
    return "Sanitizer" in report and not (frames and "libhdf5" in frames[0])


def read_in_process(reader, file, limit):
    """What came of reading the file; None after the limit in seconds."""
    try:
        return subprocess.run([reader, file], cwd=os.path.dirname(file), capture_output=True, text=True, errors="replace", check=False,
                              timeout=limit, env=OF_READER)
    except subprocess.TimeoutExpired:
        return None


def faults_of_problem(outcome, file):
    """A problem in FCLIB's format is read, or one line says why not; the library for HDF5 may end the process."""
    faults, lines = [], outcome.stdout.splitlines()
    if is_own_fault(outcome.stderr) or outcome.returncode not in (0, *ENDED_WITHIN_HDF5):
        faults.append(f"exit status {outcome.returncode}, {outcome.stderr[:3000]}")
    if len(lines) > 1 or any(not line.startswith(f'cannot read file "{file}": ') or not line.isprintable() for line in lines):
        faults.append(f"printed {lines}")
    return faults
