//! What can be named on the command line, for the end of help texts.

use gridsat_cluster::QueuePolicy;
use gridsat_heuristics::Heuristics;
use gridsat_heuristics::search;
use gridsat_scenario::Policies;

/// Upper case, hyphens and blanks make no difference, see `gridsat_model::names`.
const SPELLING: &str = "Names may be written as printed: Min-Min, min-min and minmin are the same.";

/// Local search exists for every heuristic, but only some are listed.
const LOCAL: &str =
    "  ls-NAME                  local search from the mapping of any heuristic NAME";

/// The heuristics and searches.
pub fn algorithms() -> String {
    let heuristics = Heuristics::built_in();
    let heuristics = heuristics.iter().map(|one| (one.name().to_owned(), one.title().to_owned()));
    let searches = search::all().iter().map(|one| (one.name.to_owned(), one.title.to_owned()));
    format!(
        "Heuristics ('all'):\n{}\nSearches ('searches'), which improve a mapping until they end or \
         reach a limit:\n{}{LOCAL}\n\n{SPELLING}",
        list(heuristics),
        list(searches)
    )
}

/// The policies of grids and of clusters.
pub fn policies() -> String {
    let grids = Policies::built_in();
    let is_listed = |name: &str| {
        search::all().iter().any(|one| one.name == name) || search::by_name(name).is_none()
    };
    let grids = grids.iter().filter(|one| is_listed(one.name));
    let grids = grids.map(|one| (one.name.to_owned(), one.title.to_owned()));
    let clusters = QueuePolicy::all().into_iter().map(|one| (one.name(), one.beosim_name()));
    format!(
        "Policies of grids:\n{}{LOCAL}\n\nPolicies of clusters and traces:\n{}\n{SPELLING}",
        list(grids),
        list(clusters)
    )
}

fn list(rows: impl Iterator<Item = (String, String)>) -> String {
    rows.map(|(name, title)| format!("  {name:<24} {title}\n")).collect()
}
