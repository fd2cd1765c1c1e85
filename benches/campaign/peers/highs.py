"""HiGHS (`pip install highspy`) with the plain assignment model, see cpsat.py. Floating point; times
are in the file's unit, because tolerances are absolute and ticks can be as large as 10^13."""

import highspy
import numpy

import instance


def highs(etc, limit, threads):
    n, m = etc.size
    pairs = etc.pairs
    whole = etc.scale == 1
    # Columns: C, then the pairs. Rows: the tasks, then the hosts.
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = len(pairs) + 1, n + m
    lp.col_cost_ = numpy.array([1.0] + [0.0] * len(pairs))
    lp.col_lower_ = numpy.zeros(len(pairs) + 1)
    lp.col_upper_ = numpy.array([highspy.kHighsInf] + [1.0] * len(pairs))
    lp.row_lower_ = numpy.array([1.0] * n + [-highspy.kHighsInf] * m)
    lp.row_upper_ = numpy.array([1.0] * n + [-etc.units(r) for r in etc.ready])
    lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    lp.a_matrix_.start_ = numpy.array([0] + [m + 2 * i for i in range(len(pairs) + 1)])
    lp.a_matrix_.index_ = numpy.array([*range(n, n + m), *(i for t, h, _ in pairs for i in (t, n + h))])
    values = (value for _, _, p in pairs for value in (1.0, etc.units(p)))
    lp.a_matrix_.value_ = numpy.array([*[-1.0] * m, *values])
    integer, real = highspy.HighsVarType.kInteger, highspy.HighsVarType.kContinuous
    lp.integrality_ = [integer if whole else real] + [integer] * len(pairs)

    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("threads", threads)
    solver.setOptionValue("time_limit", limit)
    solver.setOptionValue("mip_rel_gap", 0.0)  # by default a gap of 0.01 % counts as optimal
    solver.setOptionValue("mip_abs_gap", 0.99 if whole else 0.0)
    solver.passModel(lp)
    solver.run()
    info = solver.getInfo()
    mapping = None
    if info.primal_solution_status == highspy.SolutionStatus.kSolutionStatusFeasible:
        best = {}
        for (task, host, _), x in zip(pairs, solver.getSolution().col_value[1:]):
            best[task] = max(best.get(task, (0, 0)), (x, host))
        mapping = [best[task][1] for task in range(n)]
    optimal = solver.getModelStatus() == highspy.HighsModelStatus.kOptimal
    more = dict(version=solver.version(), nodes=max(0, int(info.mip_node_count)))
    return mapping, instance.ticks_below(info.mip_dual_bound, etc.scale), optimal, more


instance.solve(highs)
