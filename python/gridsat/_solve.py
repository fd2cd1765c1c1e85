"""Optimal mappings, proofs and heuristics."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Union

from . import _native
from ._frames import frame
from ._instance import Etc, Instance, Number, Qos
from ._mapping import Certificate, Mapping, Solution

if TYPE_CHECKING:
    import pandas

Heuristic = Callable[[Instance], Any]
"""Your own heuristic: gets an instance and returns a mapping (see `Instance.hosts_of`)."""

Algorithms = Union[str, Heuristic, Sequence[Union[str, Heuristic]]]


class Progress(NamedTuple):
    """How far a search is."""

    seconds: float
    lower_bound: Number | None
    makespan: Number | None


class Verdict(NamedTuple):
    """What the checker says; true if it accepted."""

    accepted: bool
    makespan: Number | None
    lower_bound: Number | None
    reason: str | None

    @property
    def optimal(self) -> bool:
        """Whether the mapping is proven optimal."""
        return self.accepted and self.makespan == self.lower_bound

    def __bool__(self) -> bool:
        return self.accepted


class Decision(NamedTuple):
    """Whether there is a mapping with makespan at most k: true, false, or None if the time was over."""

    answer: bool | None
    mapping: Mapping | None

    def __bool__(self) -> bool:
        if self.answer is None:
            raise ValueError("not decided: the time was over")
        return self.answer


def solve(
    etc: Etc,
    *,
    hosts: Iterable[object] | None = None,
    tasks: Iterable[object] | None = None,
    ready: Any = None,
    qos: Qos = None,
    time_limit: float | None = None,
    gap: float = 0.0,
    threads: int = 1,
    seed: int = 1,
    start: Any = None,
    then: str | None = None,
    strategy: str = "auto",
    on_progress: Callable[[Progress], object] | None = None,
    decimals: int | None = None,
    exact: bool = False,
) -> Solution:
    """The mapping of smallest makespan, with a certificate.

    `etc` is anything that `Instance` takes. The search ends after `time_limit` seconds, or when the makespan is proven
    to be within `gap` (relative) of the optimum; then the solution has the best mapping and a proven lower bound. It
    begins at the mapping `start`, if there is one: a mapping or the path of a file with one; with `time_limit=0` the
    solution is that mapping, with a proven bound. `then` chooses among the mappings of the same makespan: `total-time`,
    or `fewest-moves` away from `start`. `on_progress` is called with a `Progress` after every improvement.

    Ctrl-C raises KeyboardInterrupt, and an exception in `on_progress` ends the search as well; either has the best
    solution so far as its attribute `best`. Other threads of Python run during the search.

    >>> import gridsat
    >>> times = {"render": {"a": 14, "b": 5.5}, "merge": {"a": 3, "b": 8, "c": 2}}
    >>> solution = gridsat.solve(times, ready={"c": 4})
    >>> solution.makespan, solution.status, solution.assignment
    (5.5, 'optimal', {'render': 'b', 'merge': 'a'})
    >>> gridsat.solve(times, ready={"c": 4}, start={"render": "a", "merge": "c"}, time_limit=0)
    <Solution: makespan 14.0, lower bound 5.5>
    """
    instance = Instance(etc, tasks=tasks, hosts=hosts, ready=ready, qos=qos, decimals=decimals, exact=exact)
    begin = None if start is None else instance.hosts_of(start)
    report = None if on_progress is None else _reporting(on_progress)
    found, exception = _native.solve(instance._inner, time_limit, gap, threads, seed, begin, then, strategy, report)
    solution = Solution(instance, found)
    if exception is not None:
        exception.best = solution  # type: ignore[attr-defined]
        raise exception
    return solution


def _reporting(call: Callable[[Progress], object]) -> Callable[[float, Number | None, Number | None], object]:
    return lambda seconds, lower_bound, makespan: call(Progress(seconds, lower_bound, makespan))


def decide(etc: Etc, k: float, *, time_limit: float | None = None, **options: Any) -> Decision:
    """Whether there is a mapping with makespan at most `k`, and such a mapping.

    >>> import gridsat
    >>> bool(gridsat.decide([[2, 3]] * 3, 3)), gridsat.decide([[2, 3]] * 3, 4).mapping
    (False, <Mapping by decide: makespan 4>)
    """
    instance = Instance(etc, **options)
    answer, hosts = _native.decide(instance._inner, k, time_limit)
    return Decision(answer, None if hosts is None else Mapping(instance, hosts, algorithm="decide"))


def verify(etc: Etc, certificate: Any, **options: Any) -> Verdict:
    """Checks a certificate or a mapping; no part of the search is used.

    `certificate` is the path of a file, whatever program wrote it, a `Certificate`, a `Solution`, or a mapping. Only
    certificates prove a lower bound.

    >>> import gridsat
    >>> times = [[14, 5, 9], [3, 8, 2], [7, 7, 4]]
    >>> gridsat.verify(times, gridsat.solve(times))
    Verdict(accepted=True, makespan=5, lower_bound=5, reason=None)
    >>> gridsat.verify(times, [0, 0, 0])
    Verdict(accepted=True, makespan=24, lower_bound=None, reason=None)
    """
    if isinstance(certificate, Solution):
        certificate = certificate.certificate
    if isinstance(certificate, Certificate):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "certificate.json")
            certificate.save(path)
            return verify(etc, path, **options)
    if not isinstance(certificate, (str, os.PathLike)):
        instance = Instance(etc, **options)
        return Verdict(True, Mapping(instance, certificate).makespan, None, None)
    if not isinstance(etc, Instance) and options.get("decimals") is None:
        # Times that were rounded for the certificate are rounded again in the same way.
        options["decimals"] = _native.rounded_decimals(certificate)
    instance = Instance(etc, **options)
    makespan, lower_bound, reason = _native.verify(instance._inner, certificate)
    return Verdict(reason is None, makespan, lower_bound, reason)


class Mappings(list[Mapping]):
    """The mappings of several algorithms, in the order asked for."""

    @property
    def best(self) -> Mapping:
        """The first one of smallest makespan."""
        return min(self, key=lambda one: one.makespan)

    def to_frame(self) -> pandas.DataFrame:
        """One row per algorithm."""
        best = max(self.best.makespan, 1e-300)
        return frame(
            {
                "algorithm": [one.algorithm for one in self],
                "makespan": [one.makespan for one in self],
                "above_best": [one.makespan / best - 1 for one in self],
                "seconds": [one.seconds for one in self],
            },
            index="algorithm",
        )

    def _repr_html_(self) -> str:
        table: str = self.to_frame().to_html()
        return table


def map(
    etc: Etc,
    algorithms: Algorithms = "all",
    *,
    seed: int = 1,
    time_limit: float | None = None,
    evaluations: int | None = None,
    **options: Any,
) -> Mappings:
    """Mappings by heuristics and searches, without proof.

    `algorithms` are names (`gridsat.algorithms()` lists them; `all` are the heuristics, `searches` the randomised
    searches), programs (`cmd:python3 mine.py`) or functions of your own, which get the `Instance` and return a mapping:

    >>> import gridsat
    >>> def round_robin(instance):
    ...     tasks, hosts = instance.shape
    ...     return [task % hosts for task in range(tasks)]
    >>> found = gridsat.map([[4, 7], [3, 5], [6, 2]], ["minmin", round_robin])
    >>> [(one.algorithm, one.makespan) for one in found]
    [('minmin', 7), ('round_robin', 10)]
    """
    instance = Instance(etc, **options)
    found = Mappings()
    for algorithm in _listed(algorithms):
        if isinstance(algorithm, str):
            rows = _native.map(instance._inner, algorithm, seed, time_limit, evaluations)
            for name, _, hosts, seconds in rows:
                if hosts is not None:
                    found.append(Mapping(instance, hosts, algorithm=name, seconds=seconds))
        else:
            found.append(_own(instance, algorithm))
    return found


def _listed(algorithms: Algorithms) -> list[str | Heuristic]:
    if isinstance(algorithms, str) or callable(algorithms):
        return [algorithms]
    return list(algorithms)


def _own(instance: Instance, heuristic: Heuristic) -> Mapping:
    start = time.perf_counter()
    hosts = heuristic(instance)
    seconds = time.perf_counter() - start
    return Mapping(instance, hosts, algorithm=name_of(heuristic), seconds=seconds)


def name_of(function: object) -> str:
    """The name of a function in tables."""
    name: str = getattr(function, "__name__", type(function).__name__)
    return name


def algorithms() -> dict[str, str]:
    """The names of all heuristics and searches, with their titles in the literature."""
    return dict(_native.algorithms())
