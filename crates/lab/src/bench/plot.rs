//! Plot of mean excess against mean time of each algorithm, as SVG.

use super::{Algorithm, Standings};
use gridsat_draw::number::power_of_seconds;
use gridsat_draw::scatter::{LogAxis, Point, Scatter, svg};

/// The plot, with a heading.
pub fn plot(algorithms: &[Algorithm], standings: &Standings, title: &str) -> String {
    let Standings { instances, open, rows } = standings;
    let bound = match open {
        0 => String::new(),
        _ => format!("; {open} without proven optimum, there to the lower bound"),
    };
    let points = rows.iter().map(|row| Point {
        name: algorithms[row.algorithm].title(),
        is_second: algorithms[row.algorithm].is_search(),
        x: row.seconds,
        y: 100.0 * row.excess.mean,
    });
    svg(&Scatter {
        title,
        note: format!("means over {instances} instances{bound}"),
        kinds: ["heuristic", "search"],
        x: LogAxis {
            label: "mean time of a run",
            floor: -7,
            mark: power_of_seconds,
            value: |seconds| format!("{seconds:.6} s"),
        },
        y: LogAxis {
            label: "mean excess over the optimum",
            floor: -3,
            mark: |percent| format!("{percent} %"),
            value: |percent| format!("{percent:.4} %"),
        },
        points: points.collect(),
    })
}
