//! The reference pages in `docs/` contain every key that is read and every name that is accepted.

use std::fs;

use gridsat_cluster::QueuePolicy;
use gridsat_grid::Estimator;
use gridsat_grid::allocation::AllocationPolicy;
use gridsat_scenario::clusters::CLUSTER_TEMPLATES;
use gridsat_scenario::{Policies, When};
use gridsat_test_support::project;

/// The keys are taken from the error message about an unknown key. A table is given by its header,
/// or by its name on the page and a file in which it has the key `zzz`.
fn check(page: &str, tables: &[(&str, &str)], error: impl Fn(&str) -> String, names: &[String]) {
    let docs = fs::read_to_string(project(page)).expect("readable");
    for (table, text) in tables {
        let text = if text.is_empty() { format!("{table}\nzzz = 1\n") } else { (*text).to_owned() };
        let error = error(&text);
        assert!(docs.contains(table) && error.contains("unknown field `zzz`"), "{error}");
        for key in error.split('`').skip(3).step_by(2) {
            let is_there = docs.contains(&format!("`{key}`")) || docs.contains(&format!("[{key}]"));
            assert!(is_there, "{key} of {table}");
        }
    }
    for name in names {
        assert!(docs.contains(&format!("`{name}`")), "{name}");
    }
}

#[test]
fn grids_are_documented() {
    let headers = ["", "[stop]", "[[resource]]", "[[users]]", "[[job]]", "[etc]", "[estimates]"];
    let others = ["[[scheduler]]", "[[command]]", "[output]"].map(|table| (table, ""));
    let nested = [
        ("[[job_file]]", "[[job_file]]\nfile = 'jobs.csv'\nzzz = 1\n"),
        ("[resource.load]", "[[resource]]\nload = { zzz = 1 }\n"),
        ("[resource.failure]", "[[resource]]\nfailure = { zzz = 1 }\n"),
    ];
    let tables = [&headers.map(|table| (table, ""))[..], &others, &nested].concat();
    let policies = Policies::built_in();
    let names = policies.iter().map(|policy| policy.name).chain(When::ALL.map(When::name));
    let names = names.chain(Estimator::NAMES.map(|(name, _)| name));
    let names: Vec<_> = names.chain(AllocationPolicy::names()).map(str::to_owned).collect();
    check("docs/scenarios.md", &tables, crate::grid::error, &names);
}

#[test]
fn clusters_are_documented() {
    let headers = ["", "[[cluster]]", "[scheduler]", "[jobs]", "[[job]]", "[estimates]"];
    let terms = ["[deadlines]", "[migration]", "[perturbation]", "[[failure]]", "[recovery]"];
    let terms = [&terms[..], &["[[reservation]]"]].concat();
    let terms: Vec<_> = terms.into_iter().map(|table| (table, "")).collect();
    let others = ["[penalty]", "[stop]", "[output]"].map(|table| (table, ""));
    let nested = [
        ("groups", "[[cluster]]\ngroups = [{ zzz = 1 }]\n"),
        ("[cluster.failure]", "[[cluster]]\nfailure = { zzz = 1 }\n"),
        ("moldable", "[jobs]\nmoldable = { zzz = 1 }\n"),
    ];
    let tables = [&headers.map(|table| (table, ""))[..], &terms, &others, &nested].concat();
    let policies = QueuePolicy::all().into_iter();
    let names = policies.flat_map(|policy| [policy.name(), policy.beosim_name()]);
    let templates = CLUSTER_TEMPLATES.map(|template| template.name.to_owned());
    let names: Vec<_> = names.chain(templates).collect();
    check("docs/clusters.md", &tables, crate::clusters::error, &names);
}
