"""A program of one's own in an empty folder, for the tests of examples against the installed package."""

import pathlib
import shutil
import subprocess
import sys


class OwnProgram:
    """Calls `program` in `work`, which is made anew."""

    def __init__(self, program, work):
        self.program, self.work = pathlib.Path(program).resolve(), pathlib.Path(work)
        shutil.rmtree(self.work, ignore_errors=True)
        self.work.mkdir(parents=True)

    def __call__(self, *words, status=0):
        """What it printed; ends the test where the exit status is another one."""
        done = subprocess.run([self.program, *words], cwd=self.work, text=True, capture_output=True)
        if done.returncode != status:
            sys.exit(f"{self.program.name} {' '.join(words)} ended with {done.returncode}, not {status}:\n{done.stdout}{done.stderr}")
        return done


def expect(condition, what):
    """Ends the test where the condition does not hold."""
    if not condition:
        sys.exit(f"{pathlib.Path(sys.argv[0]).stem}: {what}")
