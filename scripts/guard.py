"""What scripts do that read result files, which anybody may have written: limits, and messages of one line."""

import os
import resource
import sys

from new_file import Refusal, clean_up_when_ended, os_message
from picus_results import FormatError, printable

LEAST_MEMORY = 4_000_000_000  # bytes
MEMORY_OF_A_BYTE = 64  # of the file: it may be packed, and figures take several copies


def _limit(paths):
    """Time to compute and memory, by the size of the files, of which the memory is returned, bytes."""
    size = sum(os.path.getsize(path) for path in paths if os.path.exists(path))
    seconds = 300 + size // 1_000_000
    page = os.sysconf("SC_PAGE_SIZE")
    memory = min(LEAST_MEMORY + MEMORY_OF_A_BYTE * size, os.sysconf("SC_PHYS_PAGES") * page)
    with open("/proc/self/statm", encoding="ascii") as counts:
        memory += int(counts.read().split()[0]) * page  # with many cores the buffers of libraries alone are gigabytes
    for what, limit in ((resource.RLIMIT_CPU, seconds), (resource.RLIMIT_AS, memory), (resource.RLIMIT_CORE, 0)):
        hard = resource.getrlimit(what)[1]
        resource.setrlimit(what, (limit if hard == resource.RLIM_INFINITY else min(limit, hard), hard))
    return memory


def guarded(name, files, work):
    """Calls `work`, which reads a file or a list of files; what goes wrong becomes one line on standard error, and the exit status 1."""
    paths = [files] if isinstance(files, str) else files
    path = ", ".join(paths)
    memory = _limit(paths)
    clean_up_when_ended()
    try:
        work()
        return
    except (Refusal, FormatError) as error:
        message = str(error)
    except KeyError as error:
        is_own = error.args and any(one in str(error.args[0]) for one in paths)
        message = str(error.args[0]) if is_own else f"{path} is damaged: it has no {error}"
    except OSError as error:
        message = os_message(error)
    except MemoryError:
        message = f"{path}: it takes more than {1e-9 * memory:.2g} GB of memory"
    except Exception:  # noqa: BLE001, numbers that nobody foresaw
        if os.environ.get("PICUS_TRACEBACK"):
            raise
        message = f"{path}: it holds what cannot be shown; with PICUS_TRACEBACK=1 in the environment the script says where"
    sys.exit(f"{name}: {printable(message)}")
