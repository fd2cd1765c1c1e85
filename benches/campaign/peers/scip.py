"""SCIP (`pip install pyscipopt`) with the plain assignment model, see cpsat.py. Floating point, one
thread whatever is allowed; times are in the file's unit."""

import pyscipopt

import instance


def scip(etc, limit, _threads):
    n, m = etc.size
    model = pyscipopt.Model()
    model.hideOutput()
    model.setParam("limits/time", limit)
    makespan = model.addVar(vtype="I" if etc.scale == 1 else "C", lb=0, obj=1.0)
    places, loads = [[] for _ in range(n)], [[] for _ in range(m)]
    for task, host, ticks in etc.pairs:
        x = model.addVar(vtype="B")
        places[task].append((x, host))
        loads[host].append(etc.units(ticks) * x)
    for place in places:
        model.addCons(pyscipopt.quicksum(x for x, _ in place) == 1)
    for ready, load in zip(etc.ready, loads):
        model.addCons(pyscipopt.quicksum(load) + etc.units(ready) <= makespan)
    model.optimize()
    mapping = None
    if model.getNSols():
        best = model.getBestSol()
        mapping = [max((best[x], h) for x, h in place)[1] for place in places]
    bound = instance.ticks_below(model.getDualbound(), etc.scale)
    more = dict(version=f"{model.version():.1f}", nodes=model.getNTotalNodes())
    return mapping, bound, model.getStatus() == "optimal", more


instance.solve(scip)
