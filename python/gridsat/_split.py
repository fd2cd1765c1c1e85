"""Splits of tasks with measured times into shards that end as early as possible."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Union

from . import _native
from ._frames import frame
from ._instance import Instance
from ._mapping import Certificate
from .errors import InputError

if TYPE_CHECKING:
    import pandas

Duration = Union[int, float, str]
"""Seconds, or a text such as `90s`, `1m 30s` or `00:01:30`."""

Tasks = Union[
    str,
    "os.PathLike[str]",
    Iterable[Union[str, "os.PathLike[str]"]],
    Mapping[str, Union[Duration, None]],
    Iterable[tuple[Any, ...]],
    "pandas.Series[Any]",
    "pandas.DataFrame",
]
"""Logs (one path or several), `{task: time}`, rows `(task, time[, group])`, or a pandas series or frame."""


class Shard(NamedTuple):
    """One of the shards."""

    number: int
    """From 1."""
    name: str
    """`shard-1`, …, or the name of the runner."""
    tasks: list[str]
    end: float
    """When it ends, in seconds, with the overhead and all set-ups."""


class Split:
    """Tasks in shards, and what is proven about them. Times are in seconds.

    >>> import gridsat
    >>> parts = gridsat.split({"a": 3, "b": 2, "c": 2, "d": 1}, 2)
    >>> parts
    <Split into 2 shards: the last ends at 4.0 s, proven optimal>
    >>> parts[1].tasks, parts[2].tasks
    (['a', 'd'], ['b', 'c'])
    """

    def __init__(self, native: _native.Split, target: Duration | None) -> None:
        self._native = native
        self.target = target
        """The target that was asked for, if any."""
        named = enumerate(native.shards, start=1)
        self.shards = [Shard(number, name, tasks, end) for number, (name, tasks, end) in named]
        """All shards, in order."""

    @property
    def makespan(self) -> float:
        """When the last shard ends."""
        return self._native.makespan

    @property
    def lower_bound(self) -> float:
        """No split into as many shards ends sooner; proven if there is a certificate, else known by counting."""
        return self._native.lower_bound

    @property
    def gap(self) -> float:
        """(makespan − lower bound) / makespan; 0 if no split into as many shards ends sooner."""
        return self._native.gap

    @property
    def is_optimal(self) -> bool:
        """Whether no split into as many shards ends sooner."""
        return self._native.is_optimal

    @property
    def status(self) -> str:
        """`optimal`, or `feasible` if the gap is not 0."""
        return "optimal" if self.is_optimal else "feasible"

    @property
    def at_least(self) -> int | None:
        """With a target: fewer shards than this do not make it."""
        return self._native.at_least

    @property
    def defaulted(self) -> list[str]:
        """Tasks that were never measured."""
        return self._native.defaulted[0]

    @property
    def default(self) -> float | None:
        """The time that was taken for each of them; None if there are none."""
        tasks, time = self._native.defaulted
        return time if tasks else None

    @property
    def instance(self) -> Instance | None:
        """What the certificate is about: hosts are shards, tasks are tasks or groups. None if groups are divided."""
        native = self._native.instance()
        return None if native is None else Instance._of(native)

    @property
    def certificate(self) -> Certificate | None:
        """The proof of the lower bound, for `gridsat.verify(split.instance, …)`. None if groups are divided."""
        return None if self._native.instance() is None else Certificate(self._native)

    def to_frame(self) -> pandas.DataFrame:
        """One row per task, with its shard."""
        rows = [(task, shard) for shard in self.shards for task in shard.tasks]
        return frame(
            {
                "task": [task for task, _ in rows],
                "shard": [shard.number for _, shard in rows],
                "name": [shard.name for _, shard in rows],
            },
            index="task",
        )

    def matrix(self) -> dict[str, list[dict[str, Any]]]:
        """The matrix of GitHub Actions, as `gridsat split --format github`."""
        count = len(self.shards)
        return {
            "include": [
                {"shard": one.number, "shards": count, "name": one.name, "tasks": len(one.tasks), "seconds": one.end}
                for one in self.shards
            ]
        }

    def __getitem__(self, number: int) -> Shard:
        if not 1 <= number <= len(self.shards):
            raise IndexError(f"there are shards 1 to {len(self.shards)}")
        return self.shards[number - 1]

    def __len__(self) -> int:
        return len(self.shards)

    def __repr__(self) -> str:
        count = len(self.shards)
        known = f"none before {self.lower_bound} s"
        if self.is_optimal:
            known = "optimal by counting" if self._native.instance() is None else "proven optimal"
        return f"<Split into {count} shard{'s' if count != 1 else ''}: the last ends at {self.makespan} s, {known}>"


def split(
    tasks: Tasks,
    shards: int | None = None,
    *,
    target: Duration | None = None,
    runners: str | Mapping[str, float] | None = None,
    overhead: Duration = 0,
    together: bool = False,
    setup: Duration | None = None,
    only: Iterable[str] | None = None,
    default: Duration | None = None,
    decimals: int = 6,
    format: str | None = None,
) -> Split:
    """Splits tasks into shards that end as early as possible, the same on every machine.

    `tasks` are logs that `gridsat split` reads (`format` names their format), or times in memory; a time of None or NaN
    means never measured. Give `shards`, or `target` (the fewest shards that end within it), or `runners` with their
    speeds: `"big=2,small=1x3"` or `{"big": 2, "small": 1}`. Each shard needs the `overhead` before its first task.
    With `together` groups stay in one shard; `setup` is what a shard spends on each group of which it has tasks.
    `only` are the tasks that exist now: new ones get the `default`, or else the mean of all others.

    >>> import gridsat
    >>> rows = [("login", 41, "web"), ("cart", 37.5, "web"), ("pay", None, "web"), ("scan", "29s", "api")]
    >>> parts = gridsat.split(rows, target="2m", overhead=10)
    >>> len(parts), parts.at_least, parts.makespan, parts.defaulted
    (2, 2, 83.333334, ['pay'])
    """
    logs, rows = _tasks(tasks)
    given: _native.Tasks = {
        "logs": logs,
        "rows": rows,
        "format": format,
        "only": None if only is None else [str(name) for name in only],
    }
    wanted: _native.Wanted = {
        "shards": shards,
        "target": _text(target),
        "runners": _runners(runners),
        "overhead": _text(overhead) or "0",
        "together": together,
        "setup": _text(setup),
        "default": _text(default),
        "decimals": decimals,
    }
    return Split(_native.split(given, wanted), target)


_Row = tuple[str, str | None, str | None]


def _tasks(tasks: Any) -> tuple[list[str | os.PathLike[str]], list[_Row]]:
    """Paths of logs, and rows in memory; one of them is empty."""
    if isinstance(tasks, (str, os.PathLike)):
        return [tasks], []
    if hasattr(tasks, "columns") and hasattr(tasks, "to_dict"):
        return [], _of_frame(tasks)
    if hasattr(tasks, "to_dict"):
        tasks = tasks.to_dict()
    if isinstance(tasks, Mapping):
        return [], [_row((name, time)) for name, time in tasks.items()]
    listed = list(tasks)
    if not listed:
        raise InputError("there are no tasks")
    if all(isinstance(one, (str, os.PathLike)) for one in listed):
        return listed, []
    return [], [_row(one) for one in listed]


def _of_frame(table: Any) -> list[_Row]:
    names = table["task"] if "task" in table.columns else table.index
    if "time" not in table.columns:
        raise InputError("the frame has no column 'time'")
    groups = table["group"] if "group" in table.columns else [None] * len(table)
    return [_row(row) for row in zip(names, table["time"], groups)]


def _row(row: Any) -> tuple[str, str | None, str | None]:
    if isinstance(row, str) or not 2 <= len(row) <= 3:
        raise InputError(f"a task is (name, time) or (name, time, group), not {row!r}")
    name, time, *group = row
    return str(name), _text(time), str(group[0]) if group and group[0] is not None else None


def _text(time: Any) -> str | None:
    """A duration as a text with all its digits; None and NaN mean that there is none."""
    if time is None or isinstance(time, str):
        return time
    if hasattr(time, "total_seconds"):
        time = time.total_seconds()
    number = float(time)
    if math.isnan(number):
        return None
    return f"{time:d}" if isinstance(time, int) else _decimal(number)


def _decimal(number: float) -> str:
    """The digits that Python prints, without an exponent."""
    from decimal import Decimal

    return f"{Decimal(repr(number)):f}"


def _runners(runners: str | Mapping[str, float] | None) -> str | None:
    if runners is None or isinstance(runners, str):
        return runners
    wrong = [name for name in runners if "," in name]
    if wrong:
        raise InputError(f"the name of runner '{wrong[0]}' has a comma")
    return ",".join(f"{name}={_text(speed)}" for name, speed in runners.items())
