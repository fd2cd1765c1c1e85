"""Runs one other solver on one instance: `peers.py FILE SECONDS WORKERS cpsat|highs`.

Both get the plain model, minimise C subject to `Σ_h x[t,h] = 1` and `ready_h + Σ_t p[t,h] x[t,h] ≤ C`,
with default parameters except for time, threads and gaps, and without hints, bounds or cuts. Prints
one JSON object. The makespan is computed here from the mapping, not taken from the solver.

Time starts when the instance has been read: it includes building the model, but not importing the
package and reading the file.
"""

import json
import math
import sys
import time

import matrix


def cpsat(instance, limit, workers):
    import ortools
    from ortools.sat.python import cp_model

    begin = time.monotonic()
    n, m = instance.size
    model = cp_model.CpModel()
    worst = max(instance.ready) + sum(max(p for p in row if p is not None) for row in instance.etc)
    makespan = model.new_int_var(max(instance.ready), worst, "")
    places, loads = [[] for _ in range(n)], [[] for _ in range(m)]
    for task, host, ticks in instance.pairs:
        x = model.new_bool_var("")
        places[task].append((x, host))
        loads[host].append((x, ticks))
    for place in places:
        model.add_exactly_one(x for x, _ in place)
    for ready, load in zip(instance.ready, loads):
        xs, ticks = zip(*load) if load else ((), ())
        model.add(cp_model.LinearExpr.weighted_sum(xs, ticks) + ready <= makespan)
    model.minimize(makespan)

    solver = cp_model.CpSolver()
    solver.parameters.num_workers = workers
    solver.parameters.max_time_in_seconds = max(0.0, limit - (time.monotonic() - begin))
    status = solver.solve(model)
    seconds = time.monotonic() - begin
    mapping = None
    if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        mapping = [next(h for x, h in place if solver.boolean_value(x)) for place in places]
    # The bound is a float; for an integer objective it is whole up to rounding.
    bound = math.ceil(solver.best_objective_bound - 1e-3)
    answer = dict(version=ortools.__version__, seconds=seconds, nodes=solver.num_branches)
    return answer, mapping, bound, status == cp_model.OPTIMAL


def highs(instance, limit, workers):
    import highspy
    import numpy

    begin = time.monotonic()
    n, m = instance.size
    pairs = instance.pairs
    # Columns: C, then the pairs. Rows: the tasks, then the hosts. Times are in the file's unit,
    # because tolerances are absolute and ticks can be as large as 10^13.
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = len(pairs) + 1, n + m
    lp.col_cost_ = numpy.array([1.0] + [0.0] * len(pairs))
    lp.col_lower_ = numpy.zeros(len(pairs) + 1)
    lp.col_upper_ = numpy.array([highspy.kHighsInf] + [1.0] * len(pairs))
    lp.row_lower_ = numpy.array([1.0] * n + [-highspy.kHighsInf] * m)
    lp.row_upper_ = numpy.array([1.0] * n + [-instance.units(r) for r in instance.ready])
    lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    lp.a_matrix_.start_ = numpy.array([0] + [m + 2 * i for i in range(len(pairs) + 1)])
    lp.a_matrix_.index_ = numpy.array([*range(n, n + m), *(i for t, h, _ in pairs for i in (t, n + h))])
    values = (value for _, _, p in pairs for value in (1.0, instance.units(p)))
    lp.a_matrix_.value_ = numpy.array([*[-1.0] * m, *values])
    whole = instance.scale == 1
    integer, real = highspy.HighsVarType.kInteger, highspy.HighsVarType.kContinuous
    lp.integrality_ = [integer if whole else real] + [integer] * len(pairs)

    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("threads", workers)
    solver.setOptionValue("mip_rel_gap", 0.0)  # by default a gap of 0.01 % counts as optimal
    solver.setOptionValue("mip_abs_gap", 0.99 if whole else 0.0)
    solver.passModel(lp)
    solver.setOptionValue("time_limit", max(0.0, limit - (time.monotonic() - begin)))
    solver.run()
    seconds = time.monotonic() - begin
    info = solver.getInfo()
    mapping = None
    if info.primal_solution_status == highspy.SolutionStatus.kSolutionStatusFeasible:
        best = {}
        for (task, host, _), x in zip(pairs, solver.getSolution().col_value[1:]):
            best[task] = max(best.get(task, (0, 0)), (x, host))
        mapping = [best[task][1] for task in range(n)]
    optimal = solver.getModelStatus() == highspy.HighsModelStatus.kOptimal
    answer = dict(version=solver.version(), seconds=seconds, nodes=int(info.mip_node_count))
    return answer, mapping, ticks_below(info.mip_dual_bound, instance.scale), optimal


def ticks_below(bound, scale):
    """A float bound in ticks, minus its tolerance: rounded up if times are whole, else down."""
    if not math.isfinite(bound):
        return 0
    slack = 1e-6 * max(1.0, abs(bound))
    return math.ceil(bound - slack) if scale == 1 else math.floor((bound - slack) * scale)


def answer(path, limit, workers, peer):
    instance = matrix.read(path)
    result, mapping, bound, claims = {"cpsat": cpsat, "highs": highs}[peer](instance, limit, workers)
    result["tasks"], result["hosts"] = instance.size
    if mapping is None:
        return result | dict(status="unknown", lower_bound=instance.units(max(bound, 0)))
    makespan = instance.makespan(mapping)
    # With decimals HiGHS closes the gap only up to its tolerance; there its claim is accepted. With
    # whole times a claim counts only if the bound reaches the makespan of the mapping.
    optimal = claims and (bound >= makespan or instance.scale > 1)
    bound = makespan if optimal else max(bound, 0)
    result["status"] = "optimal" if optimal else "feasible"
    result["makespan"], result["lower_bound"] = instance.units(makespan), instance.units(bound)
    result["gap"] = (makespan - bound) / makespan if makespan else 0.0
    return result


if __name__ == "__main__":
    if len(sys.argv) != 5 or sys.argv[4] not in ("cpsat", "highs"):
        sys.exit(__doc__.splitlines()[0])
    file, seconds, workers, peer = sys.argv[1:]
    print(json.dumps(answer(file, float(seconds), int(workers), peer)))
