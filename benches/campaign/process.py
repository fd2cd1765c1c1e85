"""One child process: its output, its wall-clock time and its peak memory.

The kernel reports the peak memory (`wait4`). On Linux it is at least the size of the parent, this
program, with about 25 MiB; smaller peaks are read from /proc every 10 ms instead, and unknown for
children that end sooner. Every child leads a process group, so that stopping it also ends the
processes it started.
"""

from __future__ import annotations  # `X | None` before Python 3.10

import os
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import NamedTuple

MIB = 2**20
EVERY = 0.01  # seconds
UNIT = 1 if sys.platform == "darwin" else 1024  # unit of ru_maxrss, in bytes


class Finished(NamedTuple):
    code: int
    out: str
    err: str
    seconds: float
    peak_mib: float | None
    overran: bool

    @property
    def complaint(self):
        """The reason of the failure, in one line."""
        if self.overran:
            return f"stopped after {self.seconds:.0f} s"
        lines = self.err.strip().splitlines() or [f"ended with code {self.code}"]
        return lines[-1].strip()[:300]


class Children:
    """The running children, so that an interrupt can stop them all."""

    def __init__(self):
        self.lock = threading.Lock()
        self.running = set()
        self.stopped = False

    def run(self, command, limit):
        """Runs a command to its end, or for `limit` seconds."""
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            begin = time.monotonic()
            child = self.start(command, out, err)
            watch = Watch(child.pid, begin + limit, self.kill)
            _, status, usage = os.wait4(child.pid, 0)
            seconds = time.monotonic() - begin
            self.forget(child.pid)
            watch.end()
            child.returncode = os.waitstatus_to_exitcode(status)  # `child` must not wait again
            peak = watch.peak(usage.ru_maxrss * UNIT)
            return Finished(child.returncode, read(out), read(err), seconds, peak, watch.overran)

    def start(self, command, out, err):
        with self.lock:
            if self.stopped:
                raise InterruptedError
            options = dict(stdin=subprocess.DEVNULL, stdout=out, stderr=err)
            child = subprocess.Popen(command, start_new_session=True, **options)
            self.running.add(child.pid)
            return child

    def forget(self, pid):
        with self.lock:
            self.running.discard(pid)

    def kill(self, pid):
        with self.lock:
            if pid in self.running:
                kill_group(pid)

    def stop(self):
        """Ends all children and prevents new ones."""
        with self.lock:
            self.stopped = True
            for pid in self.running:
                kill_group(pid)


class Watch:
    """A thread that samples a child's memory and ends the child at its deadline."""

    def __init__(self, pid, deadline, kill):
        self.pid, self.deadline, self.kill = pid, deadline, kill
        self.seen, self.overran = None, False
        self.over = threading.Event()
        self.thread = threading.Thread(target=self.look)
        self.thread.start()

    def look(self):
        while not self.over.wait(EVERY):
            self.seen = high_water(self.pid) or self.seen
            if not self.overran and time.monotonic() > self.deadline:
                self.overran = True
                self.kill(self.pid)

    def end(self):
        self.over.set()
        self.thread.join()

    def peak(self, counted):
        """Peak memory in MiB, from the kernel if its count exceeds the size of this program."""
        own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * UNIT
        best = counted if counted > own else self.seen
        return None if best is None else best / MIB


def high_water(pid):
    """The peak memory of a process so far, in bytes; `None` if unknown."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return None
    found = (line.split()[1] for line in lines if line.startswith("VmHWM:"))
    return next((int(kib) * 1024 for kib in found), None)


def kill_group(pid):
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass  # the process has just ended


def read(file):
    file.seek(0)
    return file.read().decode(errors="replace")
