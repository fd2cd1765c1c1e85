//! What is simulated: the templates `dside-desktop` and `dside-tornado`, changed here and there.
//!
//! Failures come in one of two ways, which table 1 of the paper leaves open:
//!
//! ```text
//! cycle     up U(0,a) ─► down U(0,b) ─► up U(0,a) ─► …       down b/(a+b) of the time (erratum E26)
//! streams   a failure every U(0,a), and a restart every U(0,b) whatever failed: a failure stops a
//!           resource that is up, a restart brings back one that is down, all others do nothing
//! ```

use gridsat_model::Ticks;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use gridsat_engine::time::Time;
use gridsat_grid::Setup;
use gridsat_grid::failure::{self, Availability, Change};
use gridsat_scenario::{Changes, Scenario, Syntax, template};
use gridsat_statistics::random;
use rand::RngExt;

/// Longest intervals until a failure and until a restart, in minutes: table 1, but for its first
/// row.
pub const ROWS: [Row; 11] = [
    Row(500, 40),
    Row(400, 60),
    Row(300, 100),
    Row(300, 150),
    Row(300, 200),
    Row(200, 200),
    Row(200, 280),
    Row(200, 350),
    Row(100, 350),
    Row(50, 350),
    Row(20, 350),
];
/// Jobs of the desktop grid: name, and minutes.
pub const CLASSES: [(&str, u32); 3] = [("short", 10), ("medium", 90), ("long", 210)];
const MINUTE: u64 = 60_000_000_000;
const FIVE_WEEKS: u64 = 5 * 7 * 24 * 60 * MINUTE;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row(pub u32, pub u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failing {
    Cycle,
    Streams,
}

impl Failing {
    pub const BOTH: [Self; 2] = [Self::Cycle, Self::Streams];

    pub fn name(self) -> &'static str {
        match self {
            Self::Cycle => "cycle",
            Self::Streams => "streams",
        }
    }
}

/// A scenario, and how its resources fail.
pub struct Case {
    text: String,
    row: Row,
    failing: Failing,
}

impl Case {
    /// The desktop grid, where jobs that run are lost.
    pub fn desktop(row: Row, failing: Failing, minutes: u32) -> Result<Self> {
        let changes = [
            ("[0, 30000]", format!("[0, {}]", row.0 * 60)),
            ("[0, 2400]", format!("[0, {}]", row.1 * 60)),
            ("size = 600", format!("size = {}", minutes * 60)),
        ];
        Ok(Self { text: changed("dside-desktop", &changes)?, row, failing })
    }

    /// The Tornado grid. Each user submits every this many hours on average, and `more` is changed.
    pub fn tornado(row: Row, failing: Failing, hours: u32, more: &[(&str, &str)]) -> Result<Self> {
        let gap = hours * 3600 / 10;
        let changes = [
            ("[0, 27000]", format!("[0, {}]", row.0 * 60)),
            ("[0, 3000]", format!("[0, {}]", row.1 * 60)),
            ("[4320, 8640]", format!("[{}, {}]", gap * 2 / 3, gap * 4 / 3)),
            ("applications = 60", "applications = 90".to_owned()),
        ];
        let more = more.iter().map(|&(from, to)| (from, to.to_owned()));
        let changes: Vec<_> = changes.into_iter().chain(more).collect();
        Ok(Self { text: changed("dside-tornado", &changes)?, row, failing })
    }

    /// Ready to run.
    pub fn setup(&self, seed: u64) -> Result<Setup> {
        let scenario = Scenario::parse(&self.text, Syntax::Toml, "case", Path::new(""))?;
        let mut setup = scenario.setup(&Changes { seed: Some(seed), ..Changes::default() })?;
        if self.failing == Failing::Streams {
            for (index, resource) in setup.grid.resources.iter_mut().enumerate() {
                let failures = resource.failures.as_mut().context("resources can fail")?;
                failures.availability = Availability::Changes(streams(self.row, seed, index)?);
            }
        }
        Ok(setup)
    }
}

fn changed(name: &str, changes: &[(&str, String)]) -> Result<String> {
    let mut text = template(name).context("a template")?.text.to_owned();
    for (from, to) in changes {
        ensure!(text.matches(from).count() == 1, "{name}: {from} is not there once");
        text = text.replace(from, to);
    }
    Ok(text)
}

fn streams(Row(fails, restores): Row, seed: u64, index: usize) -> Result<failure::Changes> {
    let random = &mut random::stream(seed, "dside streams", index as u64);
    let mut gap = |most: u32| random.random_range(0..u64::from(most) * MINUTE);
    let (mut failure, mut restart) = (gap(fails), gap(restores));
    let mut changes: Vec<(Time, Change)> = Vec::new();
    while failure.min(restart) < FIVE_WEEKS {
        let is_down = changes.last().is_some_and(|&(_, change)| change == Change::Down);
        if failure < restart {
            changes.extend((!is_down).then_some((Time(Ticks(failure)), Change::Down)));
            failure += gap(fails);
        } else {
            changes.extend(is_down.then_some((Time(Ticks(restart)), Change::Up)));
            restart += gap(restores);
        }
    }
    Ok(failure::Changes::new(&changes)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The share of five weeks that a resource is down, over many.
    fn down(row: Row) -> f64 {
        let outage = |pair: &[(Time, Change)]| {
            pair.get(1).map_or(FIVE_WEEKS, |&(up, _)| up.0.min(Ticks(FIVE_WEEKS)).0) - pair[0].0.0.0
        };
        let of = |index: usize| {
            let changes = streams(row, 1, index).expect("in order");
            let changes: Vec<_> = changes.iter().collect();
            assert!(changes.windows(2).all(|pair| pair[0].1 != pair[1].1), "{changes:?}");
            changes.chunks(2).map(outage).sum::<u64>() as f64 / FIVE_WEEKS as f64
        };
        (0..200).map(of).sum::<f64>() / 200.0
    }

    /// Where failures are rare, a restart is b/3 away when one happens: b/3 over a/2. By symmetry
    /// the same holds of the time up where failures are frequent.
    #[test]
    fn streams_are_down_less_where_failures_are_rare_and_more_where_they_are_not() {
        let rare = down(Row(500, 40));
        assert!((rare - 2.0 * 40.0 / 1500.0).abs() < 0.003, "{rare}");
        let frequent = down(Row(20, 350));
        assert!((1.0 - frequent - 2.0 * 20.0 / 1050.0).abs() < 0.003, "{frequent}");
        let even = down(Row(200, 200));
        assert!((even - 0.5).abs() < 0.01, "{even}");
    }

    /// The templates still read as they are changed here.
    #[test]
    fn cases_can_be_made() {
        let desktop = Case::desktop(ROWS[0], Failing::Streams, 90);
        assert!(desktop.and_then(|case| case.setup(1)).is_ok());
        assert!(Case::tornado(ROWS[1], Failing::Cycle, 18, &[]).is_ok());
    }
}
