//! Closed formulas of the M/M/m queue, with which a simulator must agree.
//!
//! Jobs arrive as a Poisson process of rate λ and each occupies one of m equal servers for an
//! exponential time of mean 1/μ, first come first served. With a = λ/μ and ρ = a/m < 1:
//!
//! ```text
//! B(0) = 1,  B(k) = a·B(k-1) / (k + a·B(k-1))      all k servers busy, without a queue (Erlang B)
//! C    = B(m) / (1 - ρ·(1 - B(m)))                 a job has to wait (Erlang C)
//! W    = C / (m·μ - λ),  T = W + 1/μ,  U = ρ
//! ```
//!
//! Beosim (Jones and Pang) states the same with factorials and powers, which overflow beyond m =
//! 170; the recursion only adds and divides positive numbers below 1 and loses no digits at m =
//! 100,000. Its table of seven rows (erratum E23) is a test below. Jobs that all need n of m·n
//! nodes behave like jobs of one node on m.

use thiserror::Error;

/// The queue M/M/m: one line and m equal servers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mmm {
    arrival_rate: f64,
    service_time: f64,
    servers: u32,
    /// Probability that a job has to wait: Erlang C.
    waits: f64,
}

/// Why the parameters describe no queue, or none with a steady state.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say what each field is")]
pub enum MmmError {
    #[error("{what} is {value}, not a number above 0")]
    Number { what: &'static str, value: f64 },
    #[error("no servers")]
    NoServers,
    #[error(
        "the offered load is {load} servers, but there are {servers}: the queue grows without limit"
    )]
    Overloaded { load: f64, servers: u32 },
}

impl Mmm {
    /// A queue with mean interarrival time `gap` and mean service time `service`, in the same unit
    /// of time.
    pub fn new(gap: f64, service: f64, servers: u32) -> Result<Self, MmmError> {
        for (what, value) in [("mean gap", gap), ("mean service time", service)] {
            if !(value.is_finite() && value > 0.0) {
                return Err(MmmError::Number { what, value });
            }
        }
        if servers == 0 {
            return Err(MmmError::NoServers);
        }
        let load = service / gap;
        if load >= f64::from(servers) {
            return Err(MmmError::Overloaded { load, servers });
        }
        let waits = erlang_c(load, servers);
        Ok(Self { arrival_rate: 1.0 / gap, service_time: service, servers, waits })
    }

    /// U: the fraction of servers that are busy, from 0 to 1.
    pub fn utilisation(&self) -> f64 {
        self.load() / f64::from(self.servers)
    }

    /// W: the mean waiting time, in the unit of the parameters.
    pub fn wait(&self) -> f64 {
        self.waits * self.service_time / (f64::from(self.servers) - self.load())
    }

    /// T: the mean response time, from arrival to completion.
    pub fn response(&self) -> f64 {
        self.wait() + self.service_time
    }

    fn load(&self) -> f64 {
        self.arrival_rate * self.service_time
    }
}

fn erlang_c(load: f64, servers: u32) -> f64 {
    let step = |blocked: f64, k: u32| load * blocked / (f64::from(k) + load * blocked);
    let blocked = (1..=servers).fold(1.0, step);
    blocked / (1.0 - load / f64::from(servers) * (1.0 - blocked))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64, tolerance: f64, case: &str) {
        assert!((found - expected).abs() <= tolerance, "{case}: {found}, not {expected}");
    }

    /// Beosim's table, recomputed with the service times it was made with (E23), to the digits
    /// printed.
    #[test]
    fn the_seven_rows_of_beosim() {
        for (gap, service, m, wait, response, utilisation) in [
            (250.0, 150.0, 1, 225.0, 375.0, 0.6),
            (250.0, 150.0, 2, 14.84, 164.84, 0.3),
            (250.0, 150.0, 3, 1.54, 151.54, 0.2),
            (200.0, 170.0, 1, 963.33, 1133.33, 0.85),
            (200.0, 170.0, 2, 37.48, 207.48, 0.425),
            (200.0, 170.0, 3, 4.80, 174.80, 0.283),
            (200.0, 170.0, 4, 0.64, 170.64, 0.2125),
        ] {
            let queue = Mmm::new(gap, service, m).expect("stable");
            let case = format!("{queue:?}");
            close(queue.wait(), wait, 0.005, &case);
            close(queue.response(), response, 0.005, &case);
            close(queue.utilisation(), utilisation, 0.0005, &case);
        }
    }

    /// With one server a job waits with probability ρ; with two, with 2ρ²/(1+ρ).
    #[test]
    fn one_and_two_servers_by_hand() {
        for percent in [1, 30, 50, 99] {
            let load = f64::from(percent) / 100.0;
            let waits = |m: u32| {
                let service = load * f64::from(m);
                Mmm::new(1.0, service, m).expect("stable").waits
            };
            close(waits(1), load, 1e-12, "one server");
            close(waits(2), 2.0 * load * load / (1.0 + load), 1e-12, "two servers");
        }
    }

    /// Equation (3) of Beosim, summed in logarithms for m whose factorials would overflow.
    #[test]
    fn equals_the_sum_with_factorials() {
        for (m, load) in [(5, 4.0_f64), (170, 150.0), (1000, 980.0), (100_000, 99_800.0)] {
            let term = |k: u32| {
                let k = f64::from(k);
                libm::exp(k * load.ln() - libm::lgamma(k + 1.0) - load)
            };
            let last = term(m) / (1.0 - load / f64::from(m));
            let sum: f64 = (0..m).map(term).sum::<f64>() + last;
            let queue = Mmm::new(1.0, load, m).expect("stable");
            close(queue.waits, last / sum, 1e-8, &format!("{queue:?}"));
        }
    }

    #[test]
    fn many_servers_with_little_to_do_make_nobody_wait() {
        let queue = Mmm::new(1.0, 10.0, 100_000).expect("stable");
        assert_eq!((queue.waits, queue.wait()), (0.0, 0.0));
        assert_eq!(queue.response(), 10.0);
    }

    #[test]
    fn says_why_there_is_no_such_queue() {
        let error = |gap, service, m| Mmm::new(gap, service, m).expect_err("none").to_string();
        assert_eq!(error(0.0, 1.0, 1), "mean gap is 0, not a number above 0");
        assert_eq!(error(1.0, f64::NAN, 1), "mean service time is NaN, not a number above 0");
        assert_eq!(error(1.0, 1.0, 0), "no servers");
        assert_eq!(
            error(1.0, 2.0, 2),
            "the offered load is 2 servers, but there are 2: the queue grows without limit"
        );
    }
}
