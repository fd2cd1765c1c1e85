//! C10: estimate errors (thesis, section 4.5.2.5, figure 4.17).

use super::{ALL, Estimates, Evidence, Found, Judged, MAKESPAN, MODES, View, by_algorithm, gains};

/// Largest difference in percent that counts as none.
const ALIKE: f64 = 1.0;

pub fn gain(evidence: &Evidence) -> Judged {
    let view = evidence.view("information", MAKESPAN)?;
    let rise = by_algorithm(&ALL, |one| view.change(one, "0", "90"));
    let guided = |points: &[&str]| Estimates::of(points, |at| view.decrease(at, "qgmm", "minmin"));
    let (small, large) = (guided(&["0", "10"]), guided(&["50", "70", "90"]));
    Some(vec![
        Found::new(rise.above(0.0), &[&rise]),
        Found::new(small.above(0.0), &[&small]),
        Found::new(large.all(|one| one.negative().above_and_not_alike(ALIKE)), &[&large]),
        Found::new(
            view.all(view.points(), &MODES, View::significant),
            &[&gains(&view, "0"), &gains(&view, "90")],
        ),
    ])
}
