"""The CSV of a campaign: one row per instance and solver, written as soon as it is known.

A run that is killed loses only unfinished instances: a half-written last line is dropped when the
file is opened again. The columns are described in README.md. The file is locked while a run
appends to it.
"""

import csv
import fcntl
import io
import os
import threading
from pathlib import Path

KEY = ("instance", "solver", "options", "time_limit")
COLUMNS = (
    *("instance", "class", "tasks", "hosts", "known", "solver", "options", "version", "time_limit"),
    *("status", "makespan", "lower_bound", "gap", "seconds", "wall_seconds", "peak_mib"),
    *("accepted", "check_seconds", "check_peak_mib", "proof", "certificate_bytes"),
    *("decisions", "nodes", "note"),
)
FAILED = ("error", "killed")


def key(row):
    return tuple(row[column] for column in KEY)


def read_rows(path):
    """The rows of a file; of several with the same key the last, which is a repeated run."""
    text = whole_lines(Path(path).read_text())
    rows = csv.DictReader(io.StringIO(text))
    if tuple(rows.fieldnames or COLUMNS) != COLUMNS:
        raise ValueError(f"{path}: not the columns of a campaign")
    return list({key(row): row for row in rows}.values())


def whole_lines(text):
    return text[: text.rfind("\n") + 1]


class Results:
    """A file of results, open for appending."""

    def __init__(self, path):
        self.lock = threading.Lock()
        self.file = open(path, "a+", newline="")
        try:
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise ValueError(f"{path}: another run is writing to it") from error
        self.rows = {key(row): row for row in read_rows(path)}
        self.drop_half_line()
        self.writer = csv.DictWriter(self.file, COLUMNS, lineterminator="\n")
        if self.file.tell() == 0:
            self.writer.writeheader()

    def drop_half_line(self):
        self.file.seek(0)
        end = len(whole_lines(self.file.read()).encode())
        self.file.truncate(end)
        self.file.seek(end)

    def has(self, row, retry):
        found = self.rows.get(key(row))
        return found is not None and not (retry and found["status"] in FAILED)

    def append(self, row):
        with self.lock:
            self.writer.writerow(row)
            self.file.flush()
            os.fsync(self.file.fileno())
