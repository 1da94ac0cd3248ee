"""What scripts do that read result files, which anybody may have written: limits, and messages of one line."""

import os
import resource
import sys

from picus_results import FormatError, printable


class Refusal(ValueError):
    """What the user asked for cannot be done; the message says it all."""


def _limit(path):
    """Time to compute, by the size of the file, and the memory of the machine."""
    seconds = 300 + os.path.getsize(path) // 1_000_000 if os.path.exists(path) else 300
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    for what, limit in ((resource.RLIMIT_CPU, seconds), (resource.RLIMIT_AS, memory), (resource.RLIMIT_CORE, 0)):
        hard = resource.getrlimit(what)[1]
        resource.setrlimit(what, (limit if hard == resource.RLIM_INFINITY else min(limit, hard), hard))


def guarded(name, path, work):
    """Calls `work`; what goes wrong becomes one line on standard error, and the exit status 1."""
    _limit(path)
    try:
        work()
        return
    except (Refusal, FormatError) as error:
        message = str(error)
    except KeyError as error:
        message = str(error.args[0]) if error.args and path in str(error.args[0]) else f"{path} is damaged: it has no {error}"
    except OSError as error:
        message = str(error)
    except MemoryError:
        message = f"{path}: what it holds does not fit into the memory of this machine"
    except Exception as error:  # noqa: BLE001, numbers that nobody foresaw
        message = f"{path}: it holds what cannot be shown: {error or type(error).__name__}"
    sys.exit(f"{name}: {printable(message)}")
