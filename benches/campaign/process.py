"""One child process: its output, its wall clock time and its peak memory.

The kernel counts the memory (`wait4`). Linux starts the count at the size this program has when it
starts the child, so peaks below about 25 MiB cannot be told apart. Every child leads a process
group, so that whatever it started ends with it when it is stopped.
"""

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from typing import NamedTuple

MIB = 2**20
UNIT = 1 if sys.platform == "darwin" else 1024  # of ru_maxrss, in bytes


class Finished(NamedTuple):
    code: int
    out: str
    err: str
    seconds: float
    peak_mib: float
    overran: bool

    @property
    def complaint(self):
        """Why it failed, in one line."""
        if self.overran:
            return f"stopped after {self.seconds:.0f} s"
        lines = self.err.strip().splitlines() or [f"ended with code {self.code}"]
        return lines[-1].strip()[:300]


class Children:
    """The children that run at the moment, so that an interrupt can stop them all."""

    def __init__(self):
        self.lock = threading.Lock()
        self.running = set()
        self.stopped = False

    def run(self, command, limit):
        """Runs a command to its end, or for `limit` seconds."""
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            overran = threading.Event()
            begin = time.monotonic()
            child = self.start(command, out, err)
            timer = threading.Timer(limit, lambda: (overran.set(), self.kill(child.pid)))
            timer.start()
            _, status, usage = os.wait4(child.pid, 0)
            seconds = time.monotonic() - begin
            timer.cancel()
            self.forget(child.pid)
            child.returncode = os.waitstatus_to_exitcode(status)  # `child` must not wait again
            peak = usage.ru_maxrss * UNIT / MIB
            texts = (read(out), read(err))
            return Finished(child.returncode, *texts, seconds, peak, overran.is_set())

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
        """Ends all children, and lets no other start."""
        with self.lock:
            self.stopped = True
            for pid in self.running:
                kill_group(pid)


def kill_group(pid):
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass  # just ended


def read(file):
    file.seek(0)
    return file.read().decode(errors="replace")
