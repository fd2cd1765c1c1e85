"""Provably optimal mapping of independent tasks onto heterogeneous hosts.

>>> import gridsat
>>> solution = gridsat.solve([[14, 5, 9], [3, 8, 2], [7, 7, 4]])
>>> solution.makespan, solution.status, solution.assignment
(5, 'optimal', {'t0': 'h1', 't1': 'h0', 't2': 'h2'})

| for | use |
| --- | --- |
| the optimum, or a bound on it, with a certificate | `solve`, `decide`, `verify` |
| fast mappings without proof, your own heuristics | `map`, `compare` |
| simulations of grids and clusters, your own policies | `simulate`, `compare`, `Policy` |
| sweeps with replications and statistics | `experiment` |
| tasks with measured times in shards | `split` |
| random instances | `generate` |
"""

from ._compare import Comparison, compare
from ._experiment import Results, experiment, experiments, results
from ._instance import Instance, generate
from ._mapping import Certificate, Mapping, Second, Solution
from ._native import Host, Job, Queue, View, Waiting, __version__
from ._simulate import Policy, Simulation, simulate, template, templates
from ._solve import Decision, Mappings, Progress, Verdict, algorithms, decide, map, solve, verify
from ._split import Shard, Split, split
from .errors import GridsatError, InputError

__all__ = [
    "Certificate",
    "Comparison",
    "Decision",
    "GridsatError",
    "Host",
    "InputError",
    "Instance",
    "Job",
    "Mapping",
    "Mappings",
    "Policy",
    "Progress",
    "Queue",
    "Results",
    "Second",
    "Shard",
    "Simulation",
    "Solution",
    "Split",
    "Verdict",
    "View",
    "Waiting",
    "__version__",
    "algorithms",
    "compare",
    "decide",
    "experiment",
    "experiments",
    "generate",
    "map",
    "results",
    "simulate",
    "solve",
    "split",
    "template",
    "templates",
    "verify",
]
