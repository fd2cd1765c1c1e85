//! Static heuristics on matrices of 512 tasks and 16 hosts, as the thesis cites them.

use super::estimate::list;
use super::evidence::View;
use super::{Claim, Estimate, Evidence, Judgement, Source, Verdict};

pub(super) const SOURCE: Source = Source {
    title: "Braun et al., Ritchie and Levine, as cited by Rhodes",
    about: "Static mapping of 512 tasks onto 16 hosts, twelve classes of matrices: consistent (c), partially so (s) or inconsistent (i), \
            with tasks and hosts that differ much (hi) or little (lo).",
    claims: &[
        Claim { id: "C18", needs: &[STATIC], judge: heuristics },
        Claim { id: "C19", needs: &[LOCAL], judge: local },
    ],
};

const STATIC: &str = "braun";
const LOCAL: &str = "local-search";

/// The classes of a kind: `u_c_` and so on.
fn classes(view: &View<'_>, kind: &str) -> Vec<String> {
    view.points().into_iter().filter(|class| class.starts_with(kind)).collect()
}

/// The decreases in percent, class by class.
fn decreases(view: &View<'_>, kind: &str, one: &str, other: &str) -> Vec<(String, Estimate)> {
    let decrease = |class: String| {
        let gain = view.decrease(&class, one, other);
        (class, gain)
    };
    classes(view, kind).into_iter().map(decrease).collect()
}

fn shown(all: &[(String, Estimate)]) -> String {
    list(all.iter().map(|(class, gain)| (class.trim_start_matches("u_"), *gain)))
}

fn each(all: &[(String, Estimate)], judge: impl Fn(&Estimate) -> Verdict) -> Verdict {
    Verdict::all(all.iter().map(|(_, gain)| judge(gain)))
}

/// Whether one has less than all others, in every class of a kind.
fn is_least(view: &View<'_>, kind: &str, one: &str, others: &[&str]) -> Verdict {
    Verdict::all(
        others.iter().map(|other| each(&decreases(view, kind, one, other), |gain| gain.above(0.0))),
    )
}

/// The share of matrices in percent for which something holds.
fn share(view: &View<'_>, holds: impl Fn(f64, f64) -> bool, one: &str, other: &str) -> Estimate {
    let classes = view.points();
    view.per_world(|world| {
        let found =
            |class: &String| Some(holds(world.value(class, one)?, world.value(class, other)?));
        let all: Vec<bool> = classes.iter().map(found).collect::<Option<_>>()?;
        Some(100.0 * all.iter().filter(|&&held| held).count() as f64 / all.len() as f64)
    })
}

fn heuristics(evidence: &Evidence) -> Option<Vec<Judgement>> {
    let view = evidence.view(STATIC, "makespan")?;
    let minmin = |kind| decreases(&view, kind, "minmin", "mct");
    let others =
        ["olb", "met", "mct", "minmin", "maxmin", "duplex", "sa-braun", "gsa", "tabu-braun"];
    let met = ["olb", "mct", "minmin", "maxmin", "duplex", "sa-braun", "ga", "gsa", "tabu-braun"];
    let worse = share(&view, |one, other| one > other, "maxmin", "mct");
    let duplex = share(&view, |one, other| one > other, "duplex", "minmin");
    let classes = view.points();
    let genetic = view.per_world(|world| {
        let more = |class: &String| Some(world.value(class, "minmin")? / world.value(class, "ga")?);
        let all: Vec<f64> = classes.iter().map(more).collect::<Option<_>>()?;
        Some(100.0 * (all.iter().sum::<f64>() / all.len() as f64 - 1.0))
    });
    Some(vec![
        Judgement {
            what: "Min-Min beats MCT",
            published: "always",
            ours: format!("less by %: {}", shown(&minmin("u_"))),
            verdict: each(&minmin("u_"), |gain| gain.above(0.0)),
            why: "Rule: above 0 in all twelve classes.".to_owned(),
        },
        Judgement {
            what: "… by 11 to 20 % on consistent matrices",
            published: "11 to 20 %",
            ours: format!("less by %: {}", shown(&minmin("u_c"))),
            verdict: each(&minmin("u_c"), |gain| gain.within(10.5, 20.5)),
            why: "Rule: within the range, rounded, in all four classes.".to_owned(),
        },
        Judgement {
            what: "… by about 1 % on inconsistent ones",
            published: "about 1 %",
            ours: format!("less by %: {}", shown(&minmin("u_i"))),
            verdict: each(&minmin("u_i"), |gain| gain.within(0.0, 2.0)),
            why: "Rule: within 0 to 2 % in all four classes.".to_owned(),
        },
        Judgement {
            what: "Max-Min is almost always worse than MCT",
            published: "almost always",
            ours: format!("on {worse} % of the matrices"),
            verdict: worse.above(90.0),
            why: "Rule: worse on more than 90 % of them.".to_owned(),
        },
        Judgement {
            what: "MET is worst on consistent matrices",
            published: "worst",
            ours: format!("MET over MCT: {}", times(&view, "met", "mct")),
            verdict: Verdict::all(met.iter().map(|one| {
                each(&decreases(&view, "u_c", one, "met"), |gain| gain.above(0.0))
            })),
            why: "Rule: all others have less in all four classes. There one host is best for all tasks, and MET gives it all; annealing from a random start can come close to that.".to_owned(),
        },
        Judgement {
            what: "The GA that starts from Min-Min is best",
            published: "best",
            ours: format!("GA less than Min-Min by %: {}", shown(&decreases(&view, "u_", "ga", "minmin"))),
            verdict: is_least(&view, "u_", "ga", &others),
            why: "Rule: less than all others of Braun's but A*, which is not run, in all twelve classes. One run of the GA, not the best of eight.".to_owned(),
        },
        Judgement {
            what: "… and Min-Min 5 to 10 % worse",
            published: "5 to 10 %",
            ours: format!("{genetic} % worse on average over the classes"),
            verdict: genetic.within(5.0, 10.0),
            why: "Rule: the mean within the range.".to_owned(),
        },
        Judgement {
            what: "Duplex is never worse than Min-Min",
            published: "by definition",
            ours: format!("worse on {duplex} % of the matrices"),
            verdict: duplex.within(0.0, 0.0),
            why: "Rule: on none.".to_owned(),
        },
    ])
}

/// How many times as long, on consistent matrices.
fn times(view: &View<'_>, one: &str, other: &str) -> String {
    let all = decreases(view, "u_c", one, other);
    let shown = |(class, gain): &(String, Estimate)| {
        format!("{} {:.1} times", class.trim_start_matches("u_"), 1.0 - gain.value / 100.0)
    };
    all.iter().map(shown).collect::<Vec<_>>().join(", ")
}

fn local(evidence: &Evidence) -> Option<Vec<Judgement>> {
    let (makespan, seconds) = (evidence.view(LOCAL, "makespan")?, evidence.view(LOCAL, "seconds")?);
    let searches = ["ls-minmin", "ls-sufferage"];
    let beats = |one: &&'static str| is_least(&makespan, "u_", one, &["ga"]);
    let quick = |what, share: f64, why: &str| {
        let less = |one: &&str| decreases(&seconds, "u_", one, "ga");
        let verdict = Verdict::all(
            searches.iter().map(|one| each(&less(one), |less| less.above(100.0 - share))),
        );
        let ours = match verdict {
            Verdict::Reproduced => "yes",
            Verdict::TooFewRuns => "",
            _ => "no",
        };
        let (ours, why) = (ours.to_owned(), why.to_owned());
        Judgement { what, published: "significantly less", ours, verdict, why }
    };
    let part = |what, one: &'static str| {
        Judgement {
        what,
        published: "outperforms",
        ours: format!("less by %: {}", shown(&decreases(&makespan, "u_", one, "ga"))),
        verdict: beats(&one),
        why: "Rule: less than the GA in all twelve classes. One run of the GA, not Braun's best of eight.".to_owned(),
    }
    };
    Some(vec![
        part("Local search from Min-Min beats the GA", "ls-minmin"),
        part("Local search from Sufferage beats the GA", "ls-sufferage"),
        quick(
            "… in less than a tenth of the time of one run of the GA",
            10.0,
            "Rule: so in all twelve classes, for both searches, on the machine of the experiment.",
        ),
        quick(
            "… in less than a tenth of the time of eight runs, as Braun's GA has",
            80.0,
            "Rule: as above, with eight times the time of one run.",
        ),
    ])
}
