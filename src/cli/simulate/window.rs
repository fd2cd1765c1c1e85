//! The part of a run that the playback page shows: `--from` and `--to`.

use std::path::Path;
use std::time::Duration;

use anyhow::anyhow;
use gridsat_cluster::Summary;
use gridsat_cluster::view::Window;
use gridsat_engine::time::Time;
use gridsat_model::{Scale, Ticks};

use super::super::args::SimulateArgs;
use super::super::exit::Failure;

/// The window requested; rejects these options without a page, where they would be ignored
/// silently.
pub fn of(args: &SimulateArgs, page: Option<&Path>, scale: Scale) -> Result<Window, Failure> {
    let wrong = |what: String| Err(Failure::BadInput(anyhow!(what)));
    if let (None, Some(option)) = (page, given(args)) {
        return wrong(format!("{option} chooses a part of a page; add --view PAGE"));
    }
    if let (Some(from), Some(to)) = (args.from, args.to)
        && from >= to
    {
        let [from, to] = [from, to].map(|time| time.as_secs_f64());
        return wrong(format!("--from {from} --to {to}: nothing is between; --to must be later"));
    }
    let whole = Window::default();
    Ok(Window {
        from: args.from.map_or(whole.from, |time| ticks(time, scale)),
        to: args.to.map_or(whole.to, |time| ticks(time, scale)),
    })
}

/// Checks, after the run, that the window contains a part of it.
pub fn check(window: Window, summary: &Summary) -> Result<(), Failure> {
    if window.from <= summary.end_time {
        return Ok(());
    }
    let [from, end] = [window.from, summary.end_time].map(|time| summary.scale.display(time.0));
    Err(Failure::BadInput(anyhow!(
        "--from {from}: the run ends at {end} s, so there is no page; give an earlier time"
    )))
}

fn given(args: &SimulateArgs) -> Option<&'static str> {
    if args.from.is_some() { Some("--from") } else { args.to.map(|_| "--to") }
}

/// Whole ticks; times beyond the range of the clock mean never.
fn ticks(time: Duration, scale: Scale) -> Time {
    const NANOSECONDS: u128 = 1_000_000_000;
    let ticks = time.as_nanos().saturating_mul(u128::from(scale.ticks_per_unit().0)) / NANOSECONDS;
    u64::try_from(ticks).map_or(Time::NEVER, |ticks| Time(Ticks(ticks)))
}
