"""Mappings: the host of each task, with loads, schedule and picture; and solutions, with what is proven."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _native
from ._frames import frame
from ._instance import Instance, Number

if TYPE_CHECKING:
    import pandas


class Mapping:
    """A host for every task.

    >>> import gridsat
    >>> best = gridsat.map([[4, 7], [3, 5], [6, 2]], algorithms="minmin")[0]
    >>> best.assignment, best.loads, best.makespan
    ({'t0': 'h0', 't1': 'h0', 't2': 'h1'}, {'h0': 7, 'h1': 2}, 7)
    """

    instance: Instance
    mapping: list[int]
    """The number of the host of each task."""
    algorithm: str
    """What found it."""
    seconds: float
    """How long that took."""

    def __init__(self, instance: Instance, mapping: object, *, algorithm: str = "given", seconds: float = 0.0) -> None:
        self.instance = instance
        self.mapping = instance.hosts_of(mapping)
        self.algorithm = algorithm
        self.seconds = seconds
        self._loads, self._makespan = instance._inner.loads(self.mapping)

    @property
    def assignment(self) -> dict[str, str]:
        """The name of the host of each task."""
        hosts = self.instance.hosts
        return {task: hosts[host] for task, host in zip(self.instance.tasks, self.mapping)}

    @property
    def loads(self) -> dict[str, Number]:
        """When each host is done."""
        return dict(zip(self.instance.hosts, self._loads))

    @property
    def makespan(self) -> Number:
        """When the last host is done."""
        return self._makespan

    def to_frame(self) -> pandas.DataFrame:
        """The plan: one row per task with host, start, end and time. Tasks of a host run in the order of the rows."""
        starts, ends = self.instance._inner.schedule(self.mapping)
        return frame(
            {
                "task": self.instance.tasks,
                "host": list(self.assignment.values()),
                "start": starts,
                "end": ends,
                "time": [end - start for start, end in zip(starts, ends)],
            },
            index="task",
        )

    def gantt(self) -> str:
        """The Gantt chart as SVG."""
        return self.instance._inner.gantt(self.mapping, f"makespan {self.makespan}, {self.algorithm}")

    def save_gantt(self, path: str | os.PathLike[str]) -> None:
        """Writes the Gantt chart as SVG."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.gantt())

    def _repr_html_(self) -> str:
        return self.gantt()

    def __repr__(self) -> str:
        return f"<Mapping by {self.algorithm}: makespan {self.makespan}>"


class Certificate:
    """The proof that no mapping is shorter than the lower bound. The checker has accepted it."""

    def __init__(self, native: _native.Solution | _native.Split) -> None:
        self._native = native

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the certificate, and its proofs beside it; for `gridsat verify` and `gridsat.verify`.

        If the name ends in `.pbp`, it is a proof for VeriPB, with the instance in `.opb` beside it.
        """
        self._native.save(path)

    def to_dict(self) -> dict[str, Any]:
        """The content of the file."""
        content: dict[str, Any] = json.loads(self._native.certificate())
        return content


class Second(NamedTuple):
    """What was chosen among the mappings of the same makespan: times, or numbers of tasks for `fewest-moves`."""

    objective: str
    """`total-time` or `fewest-moves`."""
    value: Number
    lower_bound: Number
    """No mapping with at most this makespan has a smaller value; exact, but not part of the certificate."""
    before: Number
    """The value of the mapping before this stage."""

    @property
    def is_optimal(self) -> bool:
        """Whether no mapping with at most this makespan has a smaller value."""
        return self.value == self.lower_bound


class Solution(Mapping):
    """The best mapping found, and what is proven about it.

    >>> import gridsat
    >>> solution = gridsat.solve([[14, 5, 9], [3, 8, 2], [7, 7, 4]])
    >>> solution
    <Solution: makespan 5, proven optimal>
    >>> solution.status, solution.lower_bound, solution.gap
    ('optimal', 5, 0.0)
    """

    def __init__(self, instance: Instance, native: _native.Solution) -> None:
        self.instance = instance
        self.mapping = native.mapping
        self.algorithm = native.found_by
        self.seconds = native.seconds
        self._loads, self._makespan = native.loads, native.makespan
        self._native = native

    @property
    def lower_bound(self) -> Number:
        """No mapping has a smaller makespan, proven."""
        return self._native.lower_bound

    @property
    def gap(self) -> float:
        """(makespan − lower bound) / makespan; 0 if the mapping is optimal."""
        return self._native.gap

    @property
    def is_optimal(self) -> bool:
        """Whether no mapping is shorter, proven."""
        return self._native.is_optimal

    @property
    def status(self) -> str:
        """`optimal`, or `feasible` if the search ended before there was a proof."""
        return "optimal" if self.is_optimal else "feasible"

    @property
    def certificate(self) -> Certificate:
        """The proof of the lower bound."""
        return Certificate(self._native)

    @property
    def better(self) -> Number | None:
        """With `start` and `time_limit=0`: the makespan of a shorter mapping that was met, if one was."""
        return self._native.better

    @property
    def second(self) -> Second | None:
        """The second stage; None without `then`."""
        found = self._native.second
        return None if found is None else Second(*found)

    @property
    def bound_by(self) -> str:
        """The kind of reason for the lower bound."""
        return self._native.bound_by

    @property
    def decisions(self) -> list[tuple[Number, bool | None, float, str]]:
        """Every makespan that was decided: k, whether there is a mapping, seconds, by what."""
        return self._native.decisions

    def gantt(self) -> str:
        """The Gantt chart as SVG, with the lower bound if that is below the makespan."""
        return self._native.gantt()

    def __repr__(self) -> str:
        proven = "proven optimal" if self.is_optimal else f"lower bound {self.lower_bound}"
        return f"<Solution: makespan {self.makespan}, {proven}>"
