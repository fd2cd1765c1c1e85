//! `[information]`: how old the schedulers' information on resources is.

use super::error::{At, Fault, ensure};
use super::file;
use super::number::{positive_ticks, ticks};
use super::schedulers::Schedulers;
use gridsat_grid::{Estimator, Information, Pings};

pub(super) fn check(
    given: Option<&file::Information>,
    schedulers: &Schedulers,
) -> Result<Information, Fault> {
    let Some(given) = given else { return Ok(Information::Immediate) };
    let pings = pings(given).at("information")?;
    let exact = schedulers.entries().find(|entry| entry.estimator == Estimator::Exact);
    let current = schedulers.entries().find(|entry| entry.conduct.needs_current());
    match (exact, current) {
        (None, None) => Ok(Information::Delayed(pings)),
        (Some(entry), _) => Err(Fault::new(format!(
            "{}: estimator \"exact\" needs current information, but [information] is delayed",
            entry.label()
        ))),
        (None, Some(entry)) => Err(Fault::new(format!(
            "{}: early, adapt = \"dry\", reschedule and pass need current information, but \
             [information] is delayed",
            entry.label()
        ))),
    }
}

fn pings(given: &file::Information) -> Result<Pings, Fault> {
    let ping = positive_ticks("ping", given.ping)?;
    let seconds = given.delay.unwrap_or(0.0);
    let delay = ticks("delay", seconds)?;
    ensure(delay <= ping, || {
        format!("delay is {seconds}, longer than ping, which is {}", given.ping)
    })?;
    let own_jobs = given.own_jobs.unwrap_or(true);
    Ok(Pings::new(ping, delay, own_jobs).expect("just checked"))
}
