//! Claims of Chtepen et al.: DSiDE, jobs on machines that fail. More is in `docs/studies.md`.

use super::evidence::{View, World};
use super::{Estimate, Estimates, Evidence, Found, Judged, Verdict};

const DESKTOP: &str = "dside-desktop";
const TORNADO: &str = "dside-tornado";
const OWN: &str = "own";

pub fn lost(evidence: &Evidence) -> Judged {
    let view = |metric| evidence.view(DESKTOP, metric);
    let (work, jobs, down) = (view("lost_work")?, view("lost_jobs")?, view("downtime")?);
    let at = |length: &str| format!("500/40/{length}");
    let part = |view: &View<'_>| {
        let shares = Estimates::of(["short", "medium", "long"], |one| view.mean(&at(one), OWN));
        let near = |one: Estimate, share: f64| one.within(share - 4.0, share + 4.0);
        Found::new(shares.each(&[3.0, 34.0, 57.0], near), &[&shares])
    };
    let downtime = down.mean(&at("medium"), OWN);
    Some(vec![part(&work), part(&jobs), Found::new(downtime.within(4.0, 6.0), &[&downtime])])
}

pub fn frequency(evidence: &Evidence) -> Judged {
    let view = evidence.view(DESKTOP, "useful_work")?;
    let step = |from: &str, to: &str, length: &str| {
        view.change(OWN, &format!("{from}/{length}"), &format!("{to}/{length}"))
    };
    let by_failures = |length| step("300/200", "200/200", length);
    let by_repairs = |length| step("200/200", "200/280", length);
    let drop = |world: &World<'_>, from: &str, to: &str, length: &str| {
        let value = |row: &str| world.value(&format!("{row}/{length}"), OWN);
        Some(value(from)? - value(to)?)
    };
    let larger = |length: &str| {
        view.per_world(|world| {
            let by_failures = drop(world, "300/200", "200/200", length)?;
            Some(by_failures.abs() - drop(world, "200/200", "200/280", length)?.abs())
        })
    };
    let grows = view.per_world(|world| {
        let drop = |length| drop(world, "300/200", "200/200", length);
        Some(drop("long")? - drop("medium")?)
    });
    Some(vec![
        Found::new(
            Estimates::of(["medium", "long"], larger).above(0.0),
            &[
                &by_failures("medium"),
                &by_repairs("medium"),
                &by_failures("long"),
                &by_repairs("long"),
            ],
        ),
        Found::new(grows.above(0.0), &[&grows]),
    ])
}

pub fn tornado(evidence: &Evidence) -> Judged {
    let (jobs, down) = (evidence.view(TORNADO, "lost_jobs")?, evidence.view(TORNADO, "downtime")?);
    let lost = Estimates::of(jobs.points(), |at| jobs.mean(at, OWN));
    let near = lost.iter().map(|(at, lost)| {
        match Verdict::all([lost.within(6.0, 8.0), down.mean(at, OWN).within(7.0, 13.5)]) {
            // This is only one of several readings.
            Verdict::Refuted => Verdict::Undecidable,
            other => other,
        }
    });
    let (at, most) = lost.most();
    Some(vec![Found::new(Verdict::any(near), &[&at, &most, &down.mean(at, OWN)])])
}

pub fn recovery(evidence: &Evidence) -> Judged {
    let view = evidence.view("dside-recovery", "useful_work")?;
    let part = |rule| {
        let both = |row| ["medium", "long"].map(|length| recovered(&view, rule, row, length));
        let [rare, some, often] = ["500/40", "300/200", "200/200"].map(both);
        let shown: Estimates = [
            ("500/40 medium", rare[0]),
            ("long", rare[1]),
            ("200/200 medium", often[0]),
            ("long", often[1]),
        ]
        .into_iter()
        .collect();
        let all = [rare, some, often].into_iter().flatten().map(|share| (rule, share));
        Found::new(all.collect::<Estimates>().above(50.0), &[&shown])
    };
    Some(["restart", "checkpoint", "migrate"].map(part).into())
}

/// Percentage of the work lost without a rule that becomes useful with it.
fn recovered(view: &View<'_>, rule: &str, row: &str, length: &str) -> Estimate {
    view.per_world(|world| {
        let useful = |rule: &str| world.value(&format!("{rule}/{row}/{length}"), OWN);
        let (with, without) = (useful(rule)?, useful("lost")?);
        Some(100.0 * (with - without) / (100.0 - without))
    })
}
