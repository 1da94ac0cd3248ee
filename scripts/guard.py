"""What scripts do that read result files, which anybody may have written: limits, and messages of one line."""

import os
import resource
import sys

from new_file import Refusal, clean_up_when_ended, os_message
from picus_results import FormatError, printable


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
    clean_up_when_ended()
    try:
        work()
        return
    except (Refusal, FormatError) as error:
        message = str(error)
    except KeyError as error:
        message = str(error.args[0]) if error.args and path in str(error.args[0]) else f"{path} is damaged: it has no {error}"
    except OSError as error:
        message = os_message(error)
    except MemoryError:
        message = f"{path}: what it holds does not fit into the memory of this machine"
    except Exception:  # noqa: BLE001, numbers that nobody foresaw
        if os.environ.get("PICUS_TRACEBACK"):
            raise
        message = f"{path}: it holds what cannot be shown; with PICUS_TRACEBACK=1 in the environment the script says where"
    sys.exit(f"{name}: {printable(message)}")
