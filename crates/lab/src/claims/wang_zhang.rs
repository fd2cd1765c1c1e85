//! Claims of Wang and Zhang: a model of the workload of a grid.
//!
//! If a distribution holds, p-values are uniform between 0 and 1 and their mean is near 0.5. With
//! 100,000 jobs those of any other distribution are close to 0.

use super::{Estimate, Estimates, Evidence, Found, Judged, Verdict};

/// The published shares; sizes do not depend on either axis.
const POINT: &str = "1/1";

fn mean(evidence: &Evidence, metric: &str, point: &str) -> Option<Estimate> {
    Some(evidence.view("workload-shares", metric)?.mean(point, "wang-zhang"))
}

pub fn shares(evidence: &Evidence) -> Judged {
    let mean = |metric| mean(evidence, metric, POINT);
    let (serial, powers) = (mean("serial")?, mean("powers")?);
    let (distance, p) = (mean("size_distance")?, mean("size_p")?);
    Some(vec![
        Found::new(serial.within(20.5, 21.5), &[&serial]),
        Found::new(powers.within(88.5, 89.5), &[&powers]),
        Found::new(Verdict::all([distance.below(0.01), p.is_near(0.5)]), &[&distance, &p]),
    ])
}

pub fn schedulers(evidence: &Evidence) -> Judged {
    let alphas = [("1", 1.0), ("1.2", 1.2), ("1.5", 1.5), ("2", 2.0)];
    let (mut verdicts, mut ratios) = (Vec::new(), Vec::new());
    for (name, _) in alphas {
        let mean = |metric| mean(evidence, metric, &format!("{name}/1"));
        let (ratio, p) = (mean("ratio")?, mean("place_p")?);
        verdicts.push(p.is_near(0.5));
        ratios.push((name, ratio));
    }
    let ratios: Estimates = ratios.into_iter().collect();
    let near = |ratio: Estimate, alpha: f64| ratio.within(alpha * 0.98, alpha * 1.02);
    verdicts.push(ratios.each(&alphas.map(|(_, alpha)| alpha), near));
    Some(vec![Found::new(Verdict::all(verdicts), &[&ratios])])
}

pub fn factors(evidence: &Evidence) -> Judged {
    let even = |prefix| {
        let mean = |end| mean(evidence, &format!("{prefix}_{end}"), POINT);
        let (least, most, p) = (mean("min")?, mean("max")?, mean("p")?);
        Some(Found::new(p.is_near(0.5), &[&least, &most, &p]))
    };
    let [plain, three] = ["1/1", "1/3"].map(|point| mean(evidence, "stretch", point));
    let (plain, three) = (plain?, three?);
    let scaled = Verdict::all([plain.within(0.99, 1.01), three.within(2.97, 3.03)]);
    Some(vec![
        even("estimate")?,
        even("deadline")?,
        even("migration")?,
        Found::new(scaled, &[&plain, &three]),
    ])
}
