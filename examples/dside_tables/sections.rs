//! One section a question.

use anyhow::Result;

use crate::cases::{CLASSES, Case, Failing, ROWS, Row};
use crate::runs::{Measure, Results, run};
use crate::{print, shown};

fn cells(results: &[Results], measure: Measure) -> impl Iterator<Item = String> + '_ {
    results.iter().map(move |results| shown(&results.of(measure)))
}

/// C24: the rows of table 1, jobs that run are lost.
pub fn table1(runs: usize) -> Result<()> {
    let mut cases = Vec::new();
    for row in ROWS {
        for (_, minutes) in CLASSES {
            cases.push(Case::desktop(row, Failing::Streams, minutes)?);
        }
    }
    let line = |(Row(fails, restores), results): (Row, &[Results])| {
        let mut line = vec![fails.to_string(), restores.to_string()];
        // Failures do not depend on jobs.
        line.push(shown(&results[0].of(Measure::Downtime)));
        line.extend(cells(results, Measure::JobsLost));
        line.extend(cells(results, Measure::WorkLost));
        line
    };
    let results = run(&cases, runs)?;
    let lines: Vec<_> = ROWS.into_iter().zip(results.chunks(CLASSES.len())).map(line).collect();
    let columns = [
        "fails",
        "restores",
        "down %",
        "jobs lost % short",
        "medium",
        "long",
        "work lost % short",
        "medium",
        "long",
    ];
    print("Table 1, streams", &columns, &lines, runs);
    Ok(())
}

/// From one row to another, by failures or by repairs.
const STEPS: [(&str, Row, Row); 4] = [
    ("published, by failures", Row(300, 200), Row(200, 200)),
    ("published, by repairs", Row(200, 200), Row(200, 280)),
    // Both of these double restores over fails, so that they end at the same downtime.
    ("failures twice as often", Row(600, 150), Row(300, 150)),
    ("repairs twice as long", Row(600, 150), Row(600, 300)),
];

/// C25: does it matter more how often resources fail, or how long they are away?
pub fn frequency(runs: usize) -> Result<()> {
    let (mut cases, mut labels) = (Vec::new(), Vec::new());
    for failing in Failing::BOTH {
        for &(class, minutes) in &CLASSES[1..] {
            for (step, from, to) in STEPS {
                let rows = format!("{}/{} → {}/{}", from.0, from.1, to.0, to.1);
                labels.push([failing.name(), class, step, &rows].map(str::to_owned));
                for row in [from, to] {
                    cases.push(Case::desktop(row, failing, minutes)?);
                }
            }
        }
    }
    let results = run(&cases, runs)?;
    let line = |(label, results): ([String; 4], &[Results])| {
        // Seed by seed.
        let change = |of| {
            let both = results[1].of(of).into_iter().zip(results[0].of(of));
            shown(&both.map(|(after, before)| after - before).collect::<Vec<_>>())
        };
        let mut line = label.to_vec();
        line.extend(cells(results, Measure::Downtime));
        line.push(shown(&results[0].of(Measure::Useful)));
        line.extend([Measure::Useful, Measure::UsefulOfAll].map(change));
        line
    };
    let lines: Vec<_> = labels.into_iter().zip(results.chunks(2)).map(line).collect();
    let columns = [
        "failures",
        "jobs",
        "step",
        "rows",
        "down % before",
        "after",
        "useful % before",
        "points more",
        "of all time",
    ];
    print("Failure interval against repair time", &columns, &lines, runs);
    Ok(())
}

/// One way to understand the Tornado case: each user submits every this many hours.
struct Reading {
    what: &'static str,
    row: Row,
    failing: Failing,
    hours: u32,
    changes: &'static [(&'static str, &'static str)],
}

const fn reading(what: &'static str, row: Row, failing: Failing, hours: u32) -> Reading {
    Reading { what, row, failing, hours, changes: &[] }
}

impl Reading {
    const fn with(self, changes: &'static [(&'static str, &'static str)]) -> Self {
        Self { changes, ..self }
    }
}

/// 10 minutes on these nodes of 2 MIPS, not at 1 MIPS.
const TEN: &[(&str, &str)] = &[("normal = [600, 120]", "normal = [1200, 240]")];
/// Nodes take whole batches at once; all that is there is lost. Sharing stands for a queue.
const AT_ONCE: &[(&str, &str)] = &[
    ("mips = 2\n", "mips = 2\npolicy = \"time-shared\"\n"),
    ("\"fcfs\"\nmode = \"when-free\"", "\"mct\""),
];
const READINGS: [Reading; 12] = [
    reading("the template", Row(450, 50), Failing::Cycle, 18),
    reading("a row of table 1", Row(500, 40), Failing::Cycle, 18),
    reading("a row of table 1", Row(400, 60), Failing::Cycle, 18),
    reading("a row of table 1", Row(400, 60), Failing::Streams, 18),
    reading("once a day", Row(400, 60), Failing::Streams, 24),
    reading("twice a day", Row(400, 60), Failing::Streams, 12),
    reading("10 minutes a job", Row(450, 50), Failing::Cycle, 24).with(TEN),
    reading("10 minutes a job", Row(400, 60), Failing::Streams, 24).with(TEN),
    reading("10 minutes a job", Row(400, 60), Failing::Streams, 18).with(TEN),
    reading("10 minutes a job", Row(300, 100), Failing::Streams, 24).with(TEN),
    reading("nodes take all at once", Row(400, 60), Failing::Streams, 24).with(AT_ONCE),
    reading("nodes take all at once", Row(400, 60), Failing::Streams, 12).with(AT_ONCE),
];

/// C26: readings of the Tornado case.
pub fn tornado(runs: usize) -> Result<()> {
    let case = |&Reading { row, failing, hours, changes, .. }: &Reading| {
        Case::tornado(row, failing, hours, changes)
    };
    let results = run(&READINGS.iter().map(case).collect::<Result<Vec<_>>>()?, runs)?;
    let line = |(reading, results): (&Reading, &Results)| {
        let (Row(fails, restores), failing) = (reading.row, reading.failing.name());
        let mut line = vec![reading.what.to_owned(), format!("{fails}/{restores} {failing}")];
        line.push(reading.hours.to_string());
        let measures =
            [Measure::Downtime, Measure::JobsLost, Measure::WorkLost, Measure::NotFinished];
        line.extend(measures.map(|measure| shown(&results.of(measure))));
        line
    };
    let lines: Vec<_> = READINGS.iter().zip(&results).map(line).collect();
    let columns = [
        "reading",
        "failures",
        "every … hours",
        "down %",
        "jobs lost %",
        "work lost %",
        "not finished %",
    ];
    print("Tornado", &columns, &lines, runs);
    Ok(())
}
