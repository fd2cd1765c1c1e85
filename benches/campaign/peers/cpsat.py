"""CP-SAT (`pip install ortools`) with the plain assignment model: minimise C subject to
`Σ_h x[t,h] = 1` and `ready_h + Σ_t p[t,h] x[t,h] ≤ C`. Default parameters, no hints; exact ticks."""

import ortools
from ortools.sat.python import cp_model

import instance


def cpsat(etc, limit, threads):
    n, m = etc.size
    model = cp_model.CpModel()
    worst = max(etc.ready) + sum(max(p for p in row if p is not None) for row in etc.etc)
    makespan = model.new_int_var(max(etc.ready), worst, "")
    places, loads = [[] for _ in range(n)], [[] for _ in range(m)]
    for task, host, ticks in etc.pairs:
        x = model.new_bool_var("")
        places[task].append((x, host))
        loads[host].append((x, ticks))
    for place in places:
        model.add_exactly_one(x for x, _ in place)
    for ready, load in zip(etc.ready, loads):
        xs, ticks = zip(*load) if load else ((), ())
        model.add(cp_model.LinearExpr.weighted_sum(xs, ticks) + ready <= makespan)
    model.minimize(makespan)

    solver = cp_model.CpSolver()
    solver.parameters.num_workers = threads
    solver.parameters.max_time_in_seconds = limit
    status = solver.solve(model)
    mapping = None
    if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        mapping = [next(h for x, h in place if solver.boolean_value(x)) for place in places]
    # The bound is a float in ticks, whole up to rounding.
    bound = instance.ticks_below(solver.best_objective_bound, 1)
    more = dict(version=ortools.__version__, nodes=solver.num_branches)
    return mapping, bound, status == cp_model.OPTIMAL, more


instance.solve(cpsat)
