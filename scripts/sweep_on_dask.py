#!/usr/bin/python3
"""Runs points of a sweep on the workers of a scheduler of Dask distributed: what `picus sweep --scheduler` runs.

Usage: sweep_on_dask.py ADDRESS HEAD PROGRAM WORD ...

Standard input has the numbers of the points, a line each. A worker calls `PROGRAM WORD ... --point NUMBER`, which prints HEAD, by
which the same sweep is known, and the outcome of the point. Standard output has lines with tabs:

    workers COUNT                   so many are there now
    done    POINT OUTCOME           as the program printed it
    lost    POINT SECONDS REASON    the program or its workers came to an end without an outcome
"""

import asyncio
import concurrent.futures
import logging
import os
import queue
import signal
import sys
import time
import uuid

try:
    import distributed
    from distributed.comm.addressing import parse_address, parse_host_port
    from new_file import Refusal, run as run_script
except ImportError as error:
    sys.exit(f"sweep_on_dask: the Python module {error.name} is missing; on Debian: apt-get install python3-distributed")

PATIENCE = 10  # s, until a scheduler that does not answer is none
LOOK_INTERVAL = 1.0  # s, between looks at the number of workers
FEWEST_UNDER_WAY, UNDER_WAY_OF_THREAD = 16, 3  # points that are handed over, so that no worker waits


def run_point(command, point):
    """Called on a worker: (host, exit status, standard output, standard error, seconds); a text of the system in place of the status."""
    import contextlib  # pylint: disable=import-outside-toplevel; the function goes to machines that have nothing but Dask
    import os
    import signal
    import socket
    import subprocess
    import time

    from distributed import get_worker

    def is_given_up(worker=get_worker()):
        """Whether who asked for the point has gone. Of the inner state of workers: where that is another one, the run ends by itself."""
        tasks = getattr(getattr(worker, "state", None), "tasks", None)
        return tasks is not None and getattr(tasks.get(worker.get_current_task()), "state", "cancelled") == "cancelled"
    begin = time.monotonic()
    try:
        process = subprocess.Popen([*command, "--point", str(point)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, errors="backslashreplace", start_new_session=True)
    except OSError as problem:
        return socket.gethostname(), f"{problem.filename}: {problem.strerror}", "", "", 0.0
    while True:
        try:
            out, err = process.communicate(timeout=0.5)
            return socket.gethostname(), process.returncode, out, err, time.monotonic() - begin
        except subprocess.TimeoutExpired:
            if is_given_up():
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)  # a script of the user may have begun others


def say(*fields):
    print(*fields, sep="\t", flush=True)


def tell(point, head, result):
    """Passes on what a worker has said. Refusal for what is wrong with the worker and not with the point."""
    host, status, out, err, seconds = result
    if isinstance(status, str):
        raise Refusal(f"a worker on {host} cannot run the program: {status}; --program PATH says where it is there")
    if status > 0:
        said = (err.strip() or "it said nothing").splitlines()[-1]
        raise Refusal(f"the program of a worker on {host} ended with status {status}: {said}")
    if status < 0:
        say("lost", point, seconds, f"its process was ended by {signal.strsignal(-status)}")
        return
    lines = out.splitlines()
    if len(lines) != 2 or lines[0] != head:
        raise Refusal(f"a worker on {host} has another version of the program, or of its models: install the same on all machines")
    say("done", point, lines[1])


class Points:
    """Points on their way, few at a time: a scheduler with a million of them has little time for workers. What was waiting at a
    worker when it was lost is as suspect to the scheduler as what it ran: suspects get another chance at the end, one at a time."""

    def __init__(self, client, command, points):
        self.client, self.command, self.waiting = client, command, iter(points)
        self.suspects, self.alone = [], set()
        self.under_way = {}  # futures: results are kept by the scheduler as long as somebody has these
        self.ended = queue.SimpleQueue()

    def hand_over(self, count):
        """Further points, as long as there are any, until so many are under way."""
        while len(self.under_way) < count:
            point = next(self.waiting, None)
            if point is None:
                if self.under_way or not self.suspects:
                    return
                point = self.suspects.pop()
                self.alone.add(point)
            future = self.client.submit(run_point, self.command, point, key=f"picus-sweep-{uuid.uuid4()}", priority=-point)
            self.under_way[point] = future
            future.add_done_callback(lambda _, point=point: self.ended.put(point))

    def take(self):
        """A point that has ended, and its future; None where none does for a while."""
        try:
            point = self.ended.get(timeout=LOOK_INTERVAL)
        except queue.Empty:
            return None
        return point, self.under_way.pop(point)


def result_of(future):
    """What run_point() has returned; None where the workers that tried the point were lost, one after the other."""
    try:
        return future.result()
    except distributed.KilledWorker:
        return None
    except (concurrent.futures.CancelledError, asyncio.CancelledError, OSError) as problem:
        raise Refusal("the scheduler is lost; the same command goes on") from problem
    except Exception as problem:
        raise Refusal(f"a worker could not try a point: {type(problem).__name__}: {problem}") from problem


def run_points(client, head, points):
    looked = -LOOK_INTERVAL
    while True:
        if time.monotonic() - looked >= LOOK_INTERVAL:
            workers = client.scheduler_info()["workers"].values()
            say("workers", len(workers))
            looked = time.monotonic()
            threads = sum(worker["nthreads"] for worker in workers)
        points.hand_over(max(FEWEST_UNDER_WAY, UNDER_WAY_OF_THREAD * threads))
        if not points.under_way:
            return
        taken = points.take()
        if taken is None:
            continue
        point, future = taken
        result = result_of(future)
        if result is None and point not in points.alone:
            points.suspects.append(point)
        elif result is None:
            say("lost", point, 0.0, "each worker that tried it was lost; it may take more memory than they have")
        else:
            tell(point, head, result)


def end_at_once(problem):
    """Without the end of the interpreter, in which tasks of the client that are still there add lines of their own."""
    print(f"sweep_on_dask: {problem}", file=sys.stderr, flush=True)
    os._exit(1)


def main():
    address, head, *command = sys.argv[1:]
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # the last line of standard error is that of this script
    points = [int(line) for line in sys.stdin]
    try:
        parse_host_port(parse_address(address)[1])  # which the client would do last, and wait for
        client = distributed.Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError) as problem:
        end_at_once(f"no scheduler of Dask answers at {address}: {str(problem).splitlines()[0]}")  # half a client would wait for the rest
    try:
        with client:  # who leaves it gives up the points that are under way
            run_points(client, head, Points(client, command, points))
    except Refusal as problem:
        end_at_once(problem)


if __name__ == "__main__":
    run_script("sweep_on_dask", main)
