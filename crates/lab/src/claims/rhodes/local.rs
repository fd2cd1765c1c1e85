//! C11: machines with local load (thesis, section 4.5.3.1, figures 4.18 and 4.19).
//!
//! Three choices are not published: how long the scheduler waits, which machines offer high QoS,
//! and when a time-shared machine counts as busy until the next decision. Each combination is a
//! reading; what holds in some readings only is open.

use super::{
    ALL, Estimates, Evidence, Found, Judged, MAKESPAN, Verdict, View, by_algorithm, means, numbers,
};

/// Largest slope that counts as flat, in percentage points per point of variation: 1 % over all 50.
const FLAT: f64 = 0.02;
/// The reading of template `wwg`, which has an experiment of its own with more worlds.
const TEMPLATE: &str = "/10/fast/idle";

pub fn gain(evidence: &Evidence) -> Judged {
    let view = evidence.view("local-usage", MAKESPAN)?;
    let readings = evidence.view("local-usage-readings", MAKESPAN)?;
    let variations = numbers(&view);
    let all = Reading::all(&view, &readings, &variations);
    let template = Reading { view: &view, after: String::new(), variations: &variations };
    let ranks: Vec<Rank> = all.iter().map(Reading::rank).collect();
    let count = |rank| ranks.iter().filter(|&&one| one == rank).count();
    let best = Shared::of(&all, Reading::is_best);
    let grows = Shared::of(&all, Reading::grows);
    let both = ranks.iter().zip(&best.all);
    let both = both.filter(|one| *one == (&Rank::SecondWorst, &Verdict::Reproduced)).count();
    let rise = by_algorithm(&ALL, |one| view.change(one, "0", "50"));
    let batch = template.slopes(&["minmin", "qgmm"]);
    Some(vec![
        Found::new(rise.above(0.0), &[&rise]),
        Found::new(in_all(&ranks), &[&means(&view, "0", &ALL)]).because(&[
            &all.len(),
            &count(Rank::Better),
            &count(Rank::SecondWorst),
            &count(Rank::Worst),
            &both,
        ]),
        Found::new(best.verdict, &[&means(&view, "50", &ALL)]).because(&best.counts()),
        Found::new(batch.within(-FLAT, FLAT), &[&batch]),
        Found::new(grows.verdict, &[&template.slopes(&["tlmm", "tlqmm"])]).because(&grows.counts()),
    ])
}

/// One way to read what is not published: points of a sweep over the variation of local load.
struct Reading<'a> {
    view: &'a View<'a>,
    /// What follows the variation in the names of points.
    after: String,
    variations: &'a [(String, f64)],
}

impl<'a> Reading<'a> {
    fn all(
        view: &'a View<'a>,
        readings: &'a View<'a>,
        variations: &'a [(String, f64)],
    ) -> Vec<Self> {
        let points = readings.points();
        let others = points.iter().filter_map(|point| point.strip_prefix('0'));
        let others = others.filter(|after| after.starts_with('/') && *after != TEMPLATE);
        let other = |after: &str| Self { view: readings, after: after.to_owned(), variations };
        let template = Self { view, after: String::new(), variations };
        std::iter::once(template).chain(others.map(other)).collect()
    }

    /// How much less TLMM has than each of the others at a variation.
    fn lead(&self, variation: &str) -> Estimates {
        let at = format!("{variation}{}", self.after);
        let others = ALL.into_iter().filter(|&one| one != "tlmm");
        Estimates::of(others, |other| self.view.decrease(&at, "tlmm", other))
    }

    /// Whether TLMM has less than all others at every variation above 0.
    fn is_best(&self) -> Verdict {
        let varied = self.variations.iter().filter(|(_, points)| *points > 0.0);
        varied.flat_map(|(variation, _)| self.lead(variation)).collect::<Estimates>().above(0.0)
    }

    /// Change of the gain over MCT per point of variation.
    fn slopes(&self, algorithms: &[&str]) -> Estimates {
        let named = |(name, x): &(String, f64)| (format!("{name}{}", self.after), *x);
        let points: Vec<(String, f64)> = self.variations.iter().map(named).collect();
        by_algorithm(algorithms, |one| self.view.slope(&points, one, "mct"))
    }

    /// Whether the gain of both time-limit modes grows with the variation.
    fn grows(&self) -> Verdict {
        self.slopes(&["tlmm", "tlqmm"]).above(0.0)
    }

    /// Rank of TLMM without variation.
    fn rank(&self) -> Rank {
        let is_less: Vec<Verdict> =
            self.lead("0").iter().map(|(_, less)| less.above(0.0)).collect();
        let count = |verdict| is_less.iter().filter(|&&one| one == verdict).count();
        match (count(Verdict::Reproduced), count(Verdict::Refuted)) {
            _ if is_less.contains(&Verdict::TooFewRuns) => Rank::Open(Verdict::TooFewRuns),
            (2.., _) => Rank::Better,
            (_, 4) => Rank::Worst,
            (1, 3) => Rank::SecondWorst,
            _ => Rank::Open(Verdict::Undecidable),
        }
    }
}

/// A rule in all readings: it holds or fails in every one of them, or it is open.
struct Shared {
    verdict: Verdict,
    all: Vec<Verdict>,
    counts: [usize; 3],
}

impl Shared {
    fn of<'a>(readings: &[Reading<'a>], rule: impl Fn(&Reading<'a>) -> Verdict) -> Self {
        let all: Vec<Verdict> = readings.iter().map(rule).collect();
        let count = |verdict| all.iter().filter(|&&one| one == verdict).count();
        let counts = [all.len(), count(Verdict::Reproduced), count(Verdict::Refuted)];
        let verdict = match counts {
            [of, hold, _] if hold == of && of > 0 => Verdict::Reproduced,
            [of, _, fail] if fail == of && of > 0 => Verdict::Refuted,
            _ if all.contains(&Verdict::TooFewRuns) => Verdict::TooFewRuns,
            _ => Verdict::Undecidable,
        };
        Self { verdict, all, counts }
    }

    /// Number of readings, of those in which it holds, and of those in which it fails.
    fn counts(&self) -> [&dyn std::fmt::Display; 3] {
        self.counts.each_ref().map(|count| count as &dyn std::fmt::Display)
    }
}

/// Rank of TLMM among five.
#[derive(Clone, Copy, PartialEq)]
enum Rank {
    Better,
    SecondWorst,
    Worst,
    Open(Verdict),
}

/// Reproduced if second worst in all readings, refuted if better in all or worst in all, otherwise
/// open.
fn in_all(all: &[Rank]) -> Verdict {
    let is = |rank| !all.is_empty() && all.iter().all(|&one| one == rank);
    match () {
        () if is(Rank::SecondWorst) => Verdict::Reproduced,
        () if is(Rank::Better) || is(Rank::Worst) => Verdict::Refuted,
        () if all.contains(&Rank::Open(Verdict::TooFewRuns)) => Verdict::TooFewRuns,
        () => Verdict::Undecidable,
    }
}
