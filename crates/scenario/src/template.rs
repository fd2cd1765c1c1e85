//! Commented scenarios to start from.

use gridsat_model::names;

/// A built-in scenario.
#[derive(Clone, Copy, Debug)]
pub struct Template {
    /// The name on the command line.
    pub name: &'static str,
    /// A one-line description.
    pub title: &'static str,
    /// The complete file.
    pub text: &'static str,
}

/// Templates by name and title; the name is also that of the file.
macro_rules! templates {
    ($($name:literal: $title:literal,)*) => {
        [$(Template {
            name: $name,
            title: $title,
            text: include_str!(concat!("../templates/", $name, ".toml")),
        }),*]
    };
}

/// Templates of grids; those of clusters are in [`CLUSTER_TEMPLATES`].
pub const TEMPLATES: [Template; 9] = templates! {
    "wwg": "World Wide Grid: 11 machines, 20 users, local load (thesis, table 4.5)",
    "gsim-base": "10 dedicated hosts, 100 users with QoS (thesis, 4.5.2.1)",
    "gridsim-table": "3 jobs on two shared PEs (GridSim, table 5.1)",
    "gsim-table": "4 jobs on two shared PEs (thesis, table 3.1)",
    "dside-desktop": "10 desktop machines whose owners come and go (DSiDE, table 1)",
    "dside-tornado": "41 dual nodes, 10 users with batches of 1000 jobs (DSiDE, Tornado)",
    "data-grid": "3 sites and an archive: files, a workflow, a sweep, I/O-bound jobs",
    "gridsim-economy": "World Wide Grid with prices, 5 users with deadlines and budgets (GridSim)",
    "gridsim-gridlets": "jobs on several PEs with disk operations and memory, two time zones (GridSim)",
};

/// Templates of clusters.
pub const CLUSTER_TEMPLATES: [Template; 4] = templates! {
    "beosim-100": "100 nodes, random jobs of 1 to 100 nodes (Beosim, largest test)",
    "beosim-grid": "4 clusters, jobs spread over several at a penalty (Beosim)",
    "wang-zhang": "8 clusters, jobs with deadlines and migration costs (Wang and Zhang)",
    "swf-kth": "11 months of the IBM SP2 at KTH, from its log (Parallel Workloads Archive)",
};

/// All templates, grids first.
pub fn templates() -> impl Iterator<Item = &'static Template> {
    TEMPLATES.iter().chain(&CLUSTER_TEMPLATES)
}

/// The template of this name, compared as by [`names::fold`].
pub fn template(name: &str) -> Option<&'static Template> {
    names::find(templates(), |template| [template.name], name)
}
