//! Chtepen et al.: DSiDE, jobs on machines that fail. More is in `docs/dside.md`.

use super::estimate::list;
use super::evidence::View;
use super::{Claim, Estimate, Evidence, Judgement, Source, Verdict};

pub(super) const SOURCE: Source = Source {
    title: "Chtepen et al.: DSiDE",
    about: "Desktop machines that fail after U(0, a) minutes and are back after U(0, b); rows are a/b (erratum E26). \
            `docs/dside.md` has all rows, and a reading of the intervals as two independent streams, which fits the published downtimes better.",
    claims: &[
        Claim { id: "C24", needs: &[DESKTOP], judge: lost },
        Claim { id: "C25", needs: &[DESKTOP], judge: frequency },
        Claim { id: "C26", needs: &[TORNADO], judge: tornado },
        Claim { id: "C27", needs: &[RECOVERY], judge: recovery },
    ],
};

const DESKTOP: &str = "dside-desktop";
const TORNADO: &str = "dside-tornado";
const RECOVERY: &str = "dside-recovery";
const OWN: &str = "own";
const LENGTHS: [&str; 3] = ["short", "medium", "long"];

fn lost(evidence: &Evidence) -> Option<Vec<Judgement>> {
    let view = |metric| evidence.view(DESKTOP, metric);
    let (work, jobs, down) = (view("lost_work")?, view("lost_jobs")?, view("downtime")?);
    let at = |length: &str| format!("500/40/{length}");
    let part = |what, view: &View<'_>, why: &str| Judgement {
        what,
        published: "3, 34, 57 %",
        ours: format!("% {}", list(LENGTHS.map(|length| (length, view.mean(&at(length), OWN))))),
        verdict: Verdict::all(
            LENGTHS.iter().zip([3.0, 34.0, 57.0]).map(|(length, share)| {
                view.mean(&at(length), OWN).within(share - 4.0, share + 4.0)
            }),
        ),
        why: why.to_owned(),
    };
    let downtime = down.mean(&at("medium"), OWN);
    Some(vec![
        part(
            "Work lost at 5 % downtime by short, medium and long jobs",
            &work,
            "Rule: each within 4 points. What a lost job had done is less than all of it, so shares of work are below those of jobs.",
        ),
        part("… read as jobs lost", &jobs, "Rule: each within 4 points."),
        Judgement {
            what: "The row 500/40 is down for 5 % of the time",
            published: "5 %",
            ours: format!("{downtime} %"),
            verdict: downtime.within(4.0, 6.0),
            why: "Rule: within a point. By b/(a+b) it must be 7.4 %; two independent streams of failures and restarts give 5.2 %.".to_owned(),
        },
    ])
}

fn frequency(evidence: &Evidence) -> Option<Vec<Judgement>> {
    let view = evidence.view(DESKTOP, "useful_work")?;
    let step = |from: &str, to: &str, length: &str| {
        view.change(OWN, &format!("{from}/{length}"), &format!("{to}/{length}"))
    };
    let by_failures = |length: &str| step("300/200", "200/200", length);
    let by_repairs = |length: &str| step("200/200", "200/280", length);
    let larger = |length: &str| {
        view.per_world(|world| {
            let value = |row: &str| world.value(&format!("{row}/{length}"), OWN);
            let (before, middle, after) = (value("300/200")?, value("200/200")?, value("200/280")?);
            Some((before - middle).abs() - (middle - after).abs())
        })
    };
    let grows = view.per_world(|world| {
        let drop = |length: &str| {
            let value = |row: &str| world.value(&format!("{row}/{length}"), OWN);
            Some(value("300/200")? - value("200/200")?)
        };
        Some(drop("long")? - drop("medium")?)
    });
    Some(vec![
        Judgement {
            what: "Failures more often cost more useful work than repairs that take longer",
            published: "36 to 51 % downtime against 51 to 61 %",
            ours: format!(
                "points: medium {} against {}, long {} against {}",
                by_failures("medium"),
                by_repairs("medium"),
                by_failures("long"),
                by_repairs("long")
            ),
            verdict: Verdict::all(["medium", "long"].map(|length| larger(length).above(0.0))),
            why: "Rule: the step from 300/200 to 200/200 is larger than that from 200/200 to 200/280, for both lengths.".to_owned(),
        },
        Judgement {
            what: "The jump is larger for longer jobs",
            published: "larger",
            ours: format!("long {grows} points more than medium"),
            verdict: grows.above(0.0),
            why: "Rule: above 0.".to_owned(),
        },
    ])
}

fn tornado(evidence: &Evidence) -> Option<Vec<Judgement>> {
    let (jobs, down) = (evidence.view(TORNADO, "lost_jobs")?, evidence.view(TORNADO, "downtime")?);
    let readings = jobs.points();
    let near = |at: &String| {
        Verdict::all([jobs.mean(at, OWN).within(6.0, 8.0), down.mean(at, OWN).within(7.0, 13.5)])
    };
    let verdicts: Vec<Verdict> = readings.iter().map(near).collect();
    let most = readings.iter().map(|at| (at, jobs.mean(at, OWN)));
    let most = most.max_by(|a, b| a.1.value.total_cmp(&b.1.value))?;
    Some(vec![Judgement {
        what: "At about 10 % downtime 7 % of the workload are lost",
        published: "7 %",
        ours: format!("most in {}: {} % at {} % downtime", most.0, most.1, down.mean(most.0, OWN)),
        verdict: match () {
            () if verdicts.contains(&Verdict::Reproduced) => Verdict::Reproduced,
            () if verdicts.contains(&Verdict::TooFewRuns) => Verdict::TooFewRuns,
            () => Verdict::Undecidable,
        },
        why: "Rule: 6 to 8 % of the jobs at 7 to 13.5 % downtime in one of six readings. None refutes it: how machines fail and how long jobs take is not published."
            .to_owned(),
    }])
}

fn recovery(evidence: &Evidence) -> Option<Vec<Judgement>> {
    let view = evidence.view(RECOVERY, "useful_work")?;
    let part = |what, rule: &str| {
        let all = ["500/40", "300/200", "200/200"]
            .map(|row| ["medium", "long"].map(|length| recovered(&view, rule, row, length)));
        let shown = list([
            ("500/40 medium", all[0][0]),
            ("long", all[0][1]),
            ("200/200 medium", all[2][0]),
            ("long", all[2][1]),
        ]);
        Judgement {
            what,
            published: "(left for later)",
            ours: format!("% of the loss: {shown}"),
            verdict: Verdict::all(all.iter().flatten().map(|share| share.above(50.0))),
            why: "Rule: more than half of the work lost without it is useful, in three rows, for medium and long jobs.".to_owned(),
        }
    };
    Some(vec![
        part("Restart recovers most of the loss", "restart"),
        part("Checkpoints recover most of the loss", "checkpoint"),
        part("Migration recovers most of the loss", "migrate"),
    ])
}

/// How much of what is lost without a rule is useful with it, in percent.
fn recovered(view: &View<'_>, rule: &str, row: &str, length: &str) -> Estimate {
    view.per_world(|world| {
        let useful = |rule: &str| world.value(&format!("{rule}/{row}/{length}"), OWN);
        let (with, without) = (useful(rule)?, useful("lost")?);
        Some(100.0 * (with - without) / (100.0 - without))
    })
}
