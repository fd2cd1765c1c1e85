"""Simulations of grids and clusters."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Union

from . import _native
from ._frames import of_csv, of_events
from ._solve import name_of
from .errors import InputError

if TYPE_CHECKING:
    import pandas

Scenario = Union[str, "os.PathLike[str]", Mapping[str, Any]]
"""The path of a scenario (TOML or JSON) or of a trace (SWF), the name of a template, or the keys as a dict."""


class Policy:
    """A scheduling policy of your own.

    In a grid `decide` gets a `View` (waiting jobs, hosts, estimated times) and returns pairs of job and host; jobs that
    it leaves out keep waiting. `when` says when it is called: `on-line` (a job has arrived), `batch` (at intervals),
    `time-limit`, `when-free` or `count`, as in scenario files.

    In clusters it gets a `Queue` (waiting jobs, free nodes) and returns the index of the job to start, or None; it is
    called again until it returns None.
    """

    def __init__(self, decide: Callable[[Any], object], *, name: str | None = None, when: str = "on-line") -> None:
        self.decide = decide
        self.name = name or name_of(decide)
        self.when = when

    def _own(self) -> _native.Own:
        return {"name": self.name, "when": self.when, "decide": self.decide}


AnyPolicy = Union[str, Policy, Callable[[Any], object]]
"""A policy by name, or one of your own."""


def policies_of(given: list[AnyPolicy]) -> tuple[list[str], list[_native.Own]]:
    """The names of all policies, and those that are written in Python."""
    named = [one if isinstance(one, (str, Policy)) else Policy(one) for one in given]
    own = [one._own() for one in named if isinstance(one, Policy)]
    return [one if isinstance(one, str) else one.name for one in named], own


class Simulation:
    """The result of a simulation. Times are in seconds.

    >>> import gridsat
    >>> run = gridsat.simulate("gsim-table", policy="mct")
    >>> run
    <Simulation of gsim-table: policy mct, seed 1, makespan 21.0 s>
    >>> run.jobs[["job_id", "resource", "finish_time"]].head(2).to_dict("records")
    [{'job_id': 1, 'resource': 'machine', 'finish_time': 7}, {'job_id': 2, 'resource': 'machine', 'finish_time': 16}]
    """

    def __init__(self, native: _native.Simulated) -> None:
        self._native = native
        self._jobs: pandas.DataFrame | None = None
        self._events: pandas.DataFrame | None = None

    @property
    def name(self) -> str:
        """The name of the scenario."""
        return self._native.name

    @property
    def policy(self) -> str:
        """The policies of the schedulers."""
        return self._native.policy

    @property
    def seed(self) -> int:
        """The seed of the random numbers."""
        return self._native.seed

    @property
    def end(self) -> str:
        """Why it ended: `no-events` if all jobs are done."""
        return self._native.end

    @property
    def makespan(self) -> float:
        """When the last job was done."""
        return self._native.makespan

    @property
    def summary(self) -> dict[str, Any]:
        """Statistics over all jobs, as `gridsat simulate --format json`."""
        content: dict[str, Any] = json.loads(self._native.summary)
        return content

    @property
    def jobs(self) -> pandas.DataFrame:
        """One row per job, with the columns of `gridsat simulate --jobs`."""
        if self._jobs is None:
            self._jobs = of_csv(_kept(self._native.jobs, "jobs"))
        return self._jobs

    @property
    def events(self) -> pandas.DataFrame:
        """One row per event of a grid: `time`, `event`, and a column for every key; needs `events=True`."""
        if self._events is None:
            self._events = of_events(_kept(self._native.events, "events"))
        return self._events

    def gantt(self) -> str:
        """When and where jobs ran: an SVG of a grid, or a page that plays a run of clusters back."""
        if self._native.picture is None:
            raise InputError("the picture was not kept: simulate(…, picture=True)")
        return self._native.picture

    def save_gantt(self, path: str | os.PathLike[str]) -> None:
        """Writes that picture or page."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.gantt())

    def _repr_html_(self) -> str:
        if self._native.kind == "grid" and self._native.picture is not None:
            return self._native.picture
        return f"<code>{repr(self)[1:-1]}</code>"

    def __repr__(self) -> str:
        return f"<Simulation of {self.name}: policy {self.policy}, seed {self.seed}, makespan {self.makespan} s>"


def _kept(table: bytes | None, what: str) -> bytes:
    if table is None:
        raise InputError(f"the {what} were not kept: simulate(…, {what}=True)")
    return table


def simulate(
    scenario: Scenario,
    *,
    policy: AnyPolicy | None = None,
    policies: list[Policy] | None = None,
    seed: int | None = None,
    jobs: bool = True,
    events: bool = False,
    picture: bool = False,
    nodes: int | None = None,
    lenient: bool = False,
) -> Simulation:
    """Simulates a grid, clusters, or the trace of a cluster.

    `policy` replaces the policy of the scenario: a name, a function, or a `Policy`. `policies` are more of your own
    that the scenario may name. `nodes` and `lenient` are for traces. Ctrl-C raises KeyboardInterrupt, whose attribute
    `best` is the simulation so far.

    >>> import gridsat
    >>> def fastest(view):
    ...     return [(job, row.index(min(row))) for job, row in zip(view.jobs, view.etc)]
    >>> gridsat.simulate("gsim-table", policy=fastest).policy
    'fastest'
    """
    names, own = policies_of([] if policy is None else [policy])
    own += [one._own() for one in policies or []]
    keep: _native.Keep = {"jobs": jobs, "events": events, "picture": picture}
    source = source_of(scenario, nodes, lenient)
    native, exception = _native.simulate(source, names[0] if names else None, own, seed, keep)
    run = Simulation(native)
    if exception is not None:
        exception.best = run  # type: ignore[attr-defined]
        raise exception
    return run


def source_of(scenario: Scenario, nodes: int | None = None, lenient: bool = False) -> _native.Source:
    """Where a scenario is."""
    source: _native.Source = {
        "path": "",
        "text": None,
        "is_json": False,
        "is_trace": False,
        "nodes": nodes,
        "lenient": lenient,
    }
    if isinstance(scenario, Mapping):
        return {**source, "text": json.dumps(scenario), "is_json": True}
    path = os.fspath(scenario)
    if not os.path.exists(path) and (text := _native.template(path)) is not None:
        return {**source, "text": text}
    return {**source, "path": path, "is_trace": path.lower().endswith((".swf", ".swf.gz"))}


def template(name: str) -> str:
    """The text of a built-in scenario, to save and change.

    >>> import gridsat
    >>> "[[resource]]" in gridsat.template("gsim-base")
    True
    """
    text = _native.template(name)
    if text is None:
        raise InputError(f"no template '{name}'; known: {', '.join(templates())}")
    return text


def templates() -> dict[str, str]:
    """The names of all built-in scenarios, with their titles."""
    return dict(_native.templates())
