"""The rules of a certificate. Each function returns if no mapping has makespan <= k, or raises Rejected.

Knapsacks are solved by lists of undominated (time, price) pairs, whose length does not depend on the
size of the numbers.
"""


class Rejected(Exception):
    """A claim is false, or does not follow from the proof."""


def demand(condition, reason):
    if not condition:
        raise Rejected(reason)


def ready(instance, k, host):
    demand(host in instance.hosts, f"no host {host}")
    demand(instance.ready[host] > k, f"host {host} is ready in time")


def longest_task(instance, k, task):
    demand(task in instance.tasks, f"no task {task}")
    ends = (r + p for r, p in zip(instance.ready, instance.times[task]) if p is not None)
    demand(min(ends) > k, f"task {task} ends in time")


def weights(instance, k, weights):
    demand(len(weights) == len(instance.hosts) and any(weights), "one weight a host, not all 0")
    demand(max(instance.ready) <= k, "a host is not ready, which calls for the rule 'ready'")
    room = [k - r for r in instance.ready]
    work = 0
    for row in instance.times:
        costs = [w * p for w, p, r in zip(weights, row, room) if p is not None and p <= r]
        if not costs:
            return
        work += min(costs)
    demand(work > sum(w * r for w, r in zip(weights, room)), "the weighted work fits")


def part(instance, k, hosts, tasks, sums):
    demand(all(len(set(row)) == 1 and row[0] is not None for row in instance.times)
           and len(set(instance.ready)) == 1, "the hosts are not equal")
    m = len(instance.hosts)
    demand(0 < hosts <= m and tasks <= len(instance.tasks), "no such part")
    room = k - instance.ready[0]
    demand(room >= 0, "a host is not ready, which calls for the rule 'ready'")
    longest = sorted((row[0] for row in instance.times), reverse=True)[:tasks]
    if sums:
        room = largest_sum(longest, room)
    least = hosts * (tasks // m) + min(hosts, tasks % m)
    work = sum(longest[tasks - least:])
    demand(work > hosts * room, f"the part fits: {work}, its hosts have room for {hosts * room}")


def largest_sum(times, room):
    """The largest sum of some of the times up to the room: bit s of `reached` stands for the sum s."""
    reached, mask = 1, (1 << room + 1) - 1
    for time in times:
        reached |= (reached << time) & mask
    return reached.bit_length() - 1


def prices(instance, k, prices):
    demand(len(prices) == len(instance.tasks), "one price a task")
    demand(max(instance.ready) <= k, "a host is not ready, which calls for the rule 'ready'")
    packed = 0
    for host in instance.hosts:
        times = [(t, instance.times[t][host]) for t in instance.tasks]
        items = [(p, prices[t]) for t, p in times if p is not None]
        packed += best(items, k - instance.ready[host])
    demand(sum(prices) > packed, f"the prices fit: {sum(prices)}, the hosts hold {packed}")


def tree(instance, k, nodes):
    stack = [whole(instance, k)]
    for index, node in enumerate(nodes):
        demand(stack, f"all cases are refuted after {index} nodes, but there are more")
        case = stack.pop()
        try:
            below = cases_below(case, **node)
        except Rejected as reason:
            raise Rejected(f"node {index}: {reason}") from None
        stack.extend(reversed(below))
    demand(not stack, f"{len(stack)} cases are not refuted")


def cases_below(case, rule, prices=None, task=None, host=None):
    """The cases below a node, in order. An empty case is None."""
    if case is None:
        return [None] * {"fix": 1, "branch": 2}.get(rule, 0)
    demand(rule != "nowhere", "every task still has a host")
    if rule == "branch":
        demand(task in case.instance.tasks, f"no task {task}")
        demand(host in case.instance.hosts, f"no host {host}")
        others = {(task, other) for other in case.instance.hosts if other != host}
        return [case.without(others), case.without({(task, host)})]
    demand(len(prices) == len(case.instance.tasks), "one price a task")
    if rule == "fix":
        return [case.without(case.ruled_out(prices))]
    packed = sum(best(*case.knapsack(host, prices)[1:]) for host in case.instance.hosts)
    total = case.total(prices)
    demand(total > packed, f"the prices fit: {total}, the hosts hold {packed}")
    return []


def whole(instance, k):
    """The case of all pairs."""
    if max(instance.ready) > k:
        return None
    hosts = [{h for h in instance.hosts if row[h] is not None} for row in instance.times]
    return Case(instance, hosts, [k - r for r in instance.ready], set()).settled()


class Case:
    """Possible hosts of each task, room left on each host, and the tasks placed."""

    def __init__(self, instance, hosts, room, placed):
        self.instance, self.hosts, self.room, self.placed = instance, hosts, room, placed

    def without(self, pairs):
        """The case without these pairs, settled; None if it is empty."""
        hosts = [set(possible) for possible in self.hosts]
        for task, host in pairs:
            hosts[task].discard(host)
        return Case(self.instance, hosts, list(self.room), set(self.placed)).settled()

    def settled(self):
        again = True
        while again:
            again = False
            for task, hosts in enumerate(self.hosts):
                times = self.instance.times[task]
                if task not in self.placed:
                    hosts -= {h for h in hosts if times[h] > self.room[h]}
                    if len(hosts) == 1:
                        (host,) = hosts
                        self.room[host] -= times[host]
                        self.placed.add(task)
                        again = True
                if not hosts:
                    return None
        return self

    def open(self):
        return [t for t in self.instance.tasks if t not in self.placed]

    def total(self, prices):
        return sum(prices[t] for t in self.open())

    def knapsack(self, host, prices):
        """The open tasks that may be on the host, their times and prices there, and the room."""
        tasks = [t for t in self.open() if host in self.hosts[t]]
        return tasks, [(self.instance.times[t][host], prices[t]) for t in tasks], self.room[host]

    def ruled_out(self, prices):
        """The pairs with KP_h(t in) + sum over other hosts g of KP_g(t out) < total price."""
        out = {t: 0 for t in self.open()}  # KP_g(t out), over all g
        pairs = []
        for host in self.instance.hosts:
            tasks, items, room = self.knapsack(host, prices)
            plain = best(items, room)
            values = dict(zip(tasks, forced(items, room)))
            for t in out:
                out[t] += values[t][1] if t in values else plain
            pairs += [(t, host, *values[t]) for t in tasks]
        total = self.total(prices)
        return [(t, h) for t, h, with_t, without_t in pairs if with_t + out[t] - without_t < total]


def added(front, time, price, room):
    """An undominated list, ascending in both time and price, after one more item."""
    both = sorted(front + [(w + time, v + price) for w, v in front if w + time <= room],
                  key=lambda entry: (entry[0], -entry[1]))
    result, highest = [], -1
    for entry in both:
        if entry[1] > highest:
            result.append(entry)
            highest = entry[1]
    return result


def fronts(items, room):
    """The undominated lists of the first 0, 1, 2, ... items."""
    lists = [[(0, 0)]]
    for time, price in items:
        lists.append(added(lists[-1], time, price, room))
    return lists


def best(items, room):
    """The largest total price of items whose times add up to at most the room."""
    return fronts(items, room)[-1][-1][1]


def joined(left, right, room):
    """The largest total price of two entries, one per list, that fit together; one must exist."""
    highest, at = 0, len(right) - 1
    for time, price in left:
        while at >= 0 and time + right[at][0] > room:
            at -= 1
        if at < 0:
            break
        highest = max(highest, price + right[at][1])
    return highest


def forced(items, room):
    """For each item the largest total price with it and without it. Each must fit alone."""
    before, after = fronts(items, room), fronts(items[::-1], room)[::-1]
    values = []
    for at, (time, price) in enumerate(items):
        left, right = before[at], after[at + 1]
        values.append((price + joined(left, right, room - time), joined(left, right, room)))
    return values
