#!/usr/bin/env python3
"""How small a makespan is likely to exist at all: an estimate, not a bound. Needs numpy.

    likely.py INSTANCE…

Prints for each instance the linear bound and the makespan k for which about one mapping is expected.

The number of mappings with all loads at most k is the volume under a generating function. With one
parameter θ_h > 0 per host, it is estimated at the saddle point of

    f(θ) = k·Σ_h θ_h + Σ_t ln Σ_h e^(−θ_h·p_th)

as ln N = f(θ) − Σ_h ln θ_h − ½·ln det(2π·H), where H is the Hessian of f: each load is nearly normal,
and a load below k by s counts e^(−θ_h·s). Below the k with ln N = 0 none is expected. Mappings are
not independent of each other, so the smallest makespan is usually larger: on the four matrices of
Braun et al. whose optima are proven, its distance to the linear bound is 1.6 to 2.6 times the
estimated one.
"""

import sys
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parent / "peers"))
import instance  # noqa: E402


def linear_bound(times):
    """The best Σ_t min_h w_h·p_th with Σ w = 1 that an ascent finds, and its weights."""
    tasks, hosts = times.shape
    weights, step, best = np.full(hosts, 1 / hosts), 0.3, (0.0, None)
    for _ in range(3000):
        costs = times * weights
        on = costs.argmin(axis=1)
        value = costs[np.arange(tasks), on].sum()
        if value > best[0]:
            best = (value, weights)
        else:
            step *= 0.985
        loads = np.bincount(on, times[np.arange(tasks), on], hosts)
        weights = weights * np.exp(step * np.clip(loads / loads.mean() - 1, -1, 1))
        weights /= weights.sum()
    return best


class Mappings:
    """The estimate of one instance, with θ of the last k as the start for the next one."""

    def __init__(self, times):
        self.times = times
        self.bound, weights = linear_bound(times)
        self.theta = weights * 1000 / self.bound

    def at(self, theta, k):
        """f, its gradient and its Hessian."""
        exponents = -self.times * theta
        most = exponents.max(axis=1, keepdims=True)
        shares = np.exp(exponents - most)
        sums = shares.sum(axis=1, keepdims=True)
        work = shares / sums * self.times
        value = k * theta.sum() + (most + np.log(sums)).sum()
        hessian = np.diag((work * self.times).sum(axis=0)) - work.T @ work
        return value, k - work.sum(axis=0), hessian

    def log_number(self, k):
        """ln N, by Newton's method with steps that keep θ positive."""
        theta = self.theta
        value, gradient, hessian = self.at(theta, k)
        for _ in range(200):
            step = np.linalg.solve(hessian, -gradient)
            down = step < 0
            length = min(1.0, 0.9 * (theta[down] / -step[down]).min(initial=np.inf))
            while length > 1e-9:
                new = self.at(theta + length * step, k)
                if new[0] <= value + 1e-4 * length * (gradient @ step):
                    break
                length /= 2
            gained = value - new[0]
            theta, (value, gradient, hessian) = theta + length * step, new
            if gained < 1e-7:
                break
        self.theta = theta
        return value - np.log(theta).sum() - np.linalg.slogdet(2 * np.pi * hessian)[1] / 2

    def likely(self):
        """The k with ln N = 0, to two percent of its distance to the linear bound."""
        low, high = 1e-6, 0.03
        while high / low > 1.02:
            middle = (low * high) ** 0.5
            if self.log_number(self.bound * (1 + middle)) < 0:
                low = middle
            else:
                high = middle
        return self.bound * (1 + high)


def main():
    print("| instance | linear bound | likely | likely above the bound, % |")
    print("|---|---:|---:|---:|")
    for file in sys.argv[1:]:
        etc = instance.read(file)
        if any(etc.ready) or any(None in row for row in etc.etc):
            sys.exit(f"{file}: needs hosts that are ready at once and run every task")
        mappings = Mappings(np.array(etc.etc, float) / etc.scale)
        bound, likely = mappings.bound, mappings.likely()
        name = Path(file).name
        print(f"| {name} | {bound:.3f} | {likely:.3f} | {100 * (likely / bound - 1):.4f} |", flush=True)


if __name__ == "__main__":
    main()
