"""Comparisons: heuristics with the optimum, and policies with each other."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping as AnyMapping
from typing import TYPE_CHECKING, Any

from . import _native
from ._frames import frame
from ._instance import Instance
from ._simulate import AnyPolicy, policies_of, source_of, templates
from ._solve import Algorithms, _listed, _own

if TYPE_CHECKING:
    import pandas


class Comparison:
    """One row per algorithm or policy, all on the same tasks or jobs."""

    def __init__(self, what: str, lower_bound: float | None, rows: list[tuple[str, _native.Columns]]) -> None:
        self._what = what
        self.lower_bound = lower_bound
        """No makespan is below this, proven; None for clusters."""
        self.rows: dict[str, dict[str, float | None]] = {name: dict(columns) for name, columns in rows}
        """The columns of each row."""

    def to_frame(self) -> pandas.DataFrame:
        """One row per algorithm or policy."""
        columns = dict.fromkeys(column for row in self.rows.values() for column in row)
        used = [one for one in columns if any(row.get(one) is not None for row in self.rows.values())]
        table: dict[str, list[Any]] = {self._what: list(self.rows)}
        table.update({column: [row.get(column) for row in self.rows.values()] for column in used})
        return frame(table, index=self._what)

    def _repr_html_(self) -> str:
        table: str = self.to_frame().to_html()
        return table

    def __repr__(self) -> str:
        shown = ", ".join(f"{name} {row['makespan']}" for name, row in self.rows.items())
        return f"<Comparison of makespans: {shown}>"


def compare(
    what: Any,
    algorithms: Algorithms | None = None,
    *,
    policies: list[AnyPolicy] | None = None,
    seed: int | None = None,
    replications: int | None = None,
    time_limit: float = 10.0,
    gap: float = 0.0,
    **options: Any,
) -> Comparison:
    """Compares algorithms on an instance, or policies in a scenario.

    On an instance: the optimum, and heuristics by name or functions of your own, each replayed in the simulator, also
    under local load and with wrong estimates. In a scenario: policies by name or your own, with as many replications as
    asked for; `own` is the policy of the scenario. The columns are those of `gridsat compare --format csv`.

    >>> import gridsat
    >>> compared = gridsat.compare([[4, 7], [3, 5], [6, 2]], ["minmin", "olb"])
    >>> {name: row["makespan"] for name, row in compared.rows.items()}
    {'optimum': 7.0, 'minmin': 7.0, 'olb': 10.0}
    """
    if policies is not None or _is_scenario(what):
        return _of_policies(what, policies or [], seed, replications or 1, options)
    instance = Instance(what, **options)
    listed = _listed("all" if algorithms is None else algorithms)
    own = [_own(instance, one) for one in listed if not isinstance(one, str)]
    lower_bound, rows = _native.compare_instance(
        instance._inner,
        ",".join(one for one in listed if isinstance(one, str)),
        [(one.algorithm, one.mapping, one.seconds) for one in own],
        gap,
        time_limit,
        1 if seed is None else seed,
        10 if replications is None else replications,
    )
    return Comparison("algorithm", lower_bound, rows)


def _is_scenario(what: Any) -> bool:
    if isinstance(what, AnyMapping):
        return "resource" in what or "cluster" in what
    if not isinstance(what, (str, os.PathLike)):
        return False
    path = os.fspath(what)
    if path in templates() and not os.path.exists(path):
        return True
    if path.lower().endswith(".json"):
        try:
            with open(path, encoding="utf-8") as file:
                return _is_scenario(json.load(file))
        except (OSError, ValueError, RecursionError):
            return False
    return path.lower().endswith((".toml", ".swf", ".swf.gz"))


def _of_policies(
    scenario: Any, policies: list[AnyPolicy], seed: int | None, replications: int, options: dict[str, Any]
) -> Comparison:
    names, own = policies_of(policies)
    source = source_of(scenario, **options)
    lower_bound, rows = _native.compare_scenario(source, names, own, seed, replications)
    return Comparison("policy", lower_bound, rows)
