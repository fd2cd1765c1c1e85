#!/usr/bin/env python3
"""A second checker of gridsat certificates, written from docs/certificates.md alone.

    check.py INSTANCE CERTIFICATE

Exit code 0: accepted; 1: rejected, with the reason; 2: a file cannot be read, or has a step of the
rule `unsat`, which needs the encodings and an LRAT checker. Python 3.8 or later, nothing else.
"""

import sys

import rules
from instance import Unreadable, load_json, read, text_of
from rules import Rejected, demand

INDEX, COUNT = 1 << 32, 1 << 64


def integer(below):
    return lambda x: type(x) is int and 0 <= x < below


def boolean(x):
    return type(x) is bool


def text(x):
    return type(x) is str


def list_of(fits):
    return lambda x: type(x) is list and all(map(fits, x))


def record(fields, optional=()):
    return lambda x: (type(x) is dict and fields.keys() - set(optional) <= x.keys() <= fields.keys()
                      and all(fields[f](x[f]) for f in x))


def one_of(kinds):
    """An object whose `rule` determines its fields."""
    return lambda x: (type(x) is dict and text(x.get("rule")) and x["rule"] in kinds
                      and record({"rule": text, **kinds[x["rule"]]})(x))


NUMBERS = list_of(integer(COUNT))
NODES = {
    "fix": {"prices": NUMBERS},
    "branch": {"task": integer(INDEX), "host": integer(INDEX)},
    "prices": {"prices": NUMBERS},
    "nowhere": {},
}
# The fields of each rule other than k, and its function, which takes them in this order.
RULES = {
    "ready": ({"host": integer(INDEX)}, rules.ready),
    "longest-task": ({"task": integer(INDEX)}, rules.longest_task),
    "weights": ({"weights": NUMBERS}, rules.weights),
    "part": ({"hosts": integer(INDEX), "tasks": integer(INDEX), "sums": boolean}, rules.part),
    "prices": ({"prices": NUMBERS}, rules.prices),
    "tree": ({"nodes": list_of(one_of(NODES))}, rules.tree),
}
STEPS = {rule: {"k": integer(COUNT), **fields} for rule, (fields, _) in RULES.items()}
INSTANCE = {"name": text, "tasks": integer(COUNT), "hosts": integer(COUNT),
            "decimals": integer(INDEX), "rounded": lambda x: x is True, "sha256": text}
CERTIFICATE = {"format": text, "version": integer(INDEX), "gridsat": text, "instance": record(INSTANCE, ["rounded"]),
               "makespan": integer(COUNT), "lower_bound": integer(COUNT),
               "mapping": list_of(integer(INDEX)), "steps": list_of(one_of(STEPS))}


def rules_in(steps):
    """The rules of all steps, and of the nodes of trees."""
    for step in steps if type(steps) is list else []:
        if type(step) is dict:
            yield step.get("rule")
            yield from rules_in(step.get("nodes"))


def load(path):
    """The certificate; every field must be present and of its type."""
    data = load_json(text_of(path), int)
    if type(data) is not dict or "format" not in data:
        raise Unreadable("no certificate")
    demand(data["format"] == "gridsat-certificate", "another format")
    demand(data.get("version") == 1, "another version")
    if any(rule == "unsat" for rule in rules_in(data.get("steps"))):
        raise Unreadable("unsat steps need an LRAT checker")
    for field, fits in CERTIFICATE.items():
        if field not in data or not fits(data[field]):
            raise Unreadable(f"'{field}' is missing or not of its type")
    if data.keys() != CERTIFICATE.keys():
        raise Unreadable("unknown fields")
    return data


def makespan(instance, mapping):
    demand(len(mapping) == len(instance.tasks), "the mapping has another number of tasks")
    loads = list(instance.ready)
    for task, host in enumerate(mapping):
        demand(host in instance.hosts, f"task {task} is on host {host}, which does not exist")
        time = instance.times[task][host]
        demand(time is not None, f"task {task} cannot run on host {host}")
        loads[host] += time
    return max(loads)


def check(instance, data):
    claimed = data["instance"]
    facts = {"tasks": len(instance.tasks), "hosts": len(instance.hosts),
             "decimals": instance.decimals, "sha256": instance.digest()}
    for what, fact in facts.items():
        demand(claimed[what] == fact, f"for another instance: {what} {claimed[what]}, here {fact}")
    found, steps = makespan(instance, data["mapping"]), data["steps"]
    demand(data["makespan"] == found, f"the makespan is {found}, not {data['makespan']}")
    demand(data["lower_bound"] <= found, "the lower bound exceeds the makespan")
    demand(all(step["k"] < found for step in steps), "a step refutes the mapping")
    proven = steps[-1]["k"] + 1 if steps else 0
    demand(data["lower_bound"] == proven, f"the steps are for the lower bound {proven}")
    for index, step in enumerate(steps):
        fields, rule = RULES[step["rule"]]
        try:
            rule(instance, step["k"], *(step[field] for field in fields))
        except Rejected as reason:
            raise Rejected(f"step {index} ({step['rule']}): {reason}") from None


def main(words):
    if len(words) != 2:
        print("usage: check.py INSTANCE CERTIFICATE", file=sys.stderr)
        return 2
    try:
        data = load(words[1])
        claimed = data["instance"]
        instance = read(words[0], claimed["decimals"] if claimed.get("rounded") else None)
        check(instance, data)
    except Rejected as reason:
        print(f"rejected: {reason}")
        return 1
    except Unreadable as reason:
        print(f"cannot read: {reason}", file=sys.stderr)
        return 2
    optimal = " (optimal)" if data["lower_bound"] == data["makespan"] else ""
    print(f"accepted: makespan {data['makespan']}, lower bound {data['lower_bound']}{optimal}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
