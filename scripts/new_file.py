"""What scripts that write a file have in common: it appears under its name once it is complete, and what fails is said in
one line."""

import contextlib
import ctypes
import fcntl
import os
import re
import secrets
import signal
import sys


class Refusal(ValueError):
    """What a user asks for cannot be done; the text says why in one line."""


def remove_dead(path):
    """Removes what processes that were killed have left of the file: parts that no process locks any more."""
    folder, name = os.path.split(path)
    own = re.compile(re.escape(name) + r"\.part-\d+-[0-9a-f]{8}")
    try:
        entries = os.listdir(folder or ".")
    except OSError:
        return  # opening the file will say why, if anything is wrong
    for entry in entries:
        if not own.fullmatch(entry):
            continue
        part = os.path.join(folder, entry)
        with contextlib.suppress(OSError):
            descriptor = os.open(part, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                os.remove(part)
            finally:
                os.close(descriptor)


@contextlib.contextmanager
def new_file(path):
    """A binary file to write to, which takes the name when all is well and vanishes otherwise."""
    part = f"{path}.part-{os.getpid()}-{secrets.token_hex(4)}"
    try:
        remove_dead(path)
        with open(part, "xb") as file:
            with contextlib.suppress(OSError):
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield file
        os.replace(part, path)
    except OSError as error:
        raise Refusal(f'cannot write file "{path}": {error.strerror or "it is no file that can be replaced"}') from error
    finally:
        with contextlib.suppress(OSError):
            os.remove(part)


def write_text(path, text):
    with new_file(path) as file:
        file.write(text.encode("utf-8"))


def end_with_parent():
    """To be called in a worker process: it ends when the process that made it does, however that comes."""
    pr_set_pdeathsig = 1
    ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGTERM)


def clean_up_when_ended():
    """From now on SIGTERM ends the script as an exception does, so that half a file is removed."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))


def os_message(error):
    """What the system said, without the words of Python around it."""
    if error.errno is None:
        return str(error)
    return f'"{error.filename}": {error.strerror}' if error.filename else error.strerror


def run(name, main):
    """Calls main(); whatever goes wrong is said in one line after the name."""
    clean_up_when_ended()
    try:
        main()
    except Refusal as problem:
        sys.exit(f"{name}: {problem}")
    except MemoryError:
        sys.exit(f"{name}: out of memory")
    except OSError as problem:
        sys.exit(f"{name}: {os_message(problem)}")
    except KeyboardInterrupt:
        sys.exit(f"{name}: interrupted")
    except Exception:  # pylint: disable=broad-except
        if os.environ.get("PICUS_TRACEBACK"):
            raise
        sys.exit(f"{name}: cannot draw what is asked for; with PICUS_TRACEBACK=1 in the environment the script says where")
