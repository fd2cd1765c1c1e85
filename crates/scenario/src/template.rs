//! Scenarios to start from, each commented.

use super::clusters::CLUSTER_TEMPLATES;

/// A scenario that comes with the program.
#[derive(Clone, Copy, Debug)]
pub struct Template {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it is.
    pub title: &'static str,
    /// The file.
    pub text: &'static str,
}

/// All grids; clusters are in [`CLUSTER_TEMPLATES`].
pub const TEMPLATES: [Template; 8] = [
    Template {
        name: "wwg",
        title: "World Wide Grid: 11 machines, 20 users, local load (thesis, table 4.5)",
        text: include_str!("../templates/wwg.toml"),
    },
    Template {
        name: "gsim-base",
        title: "10 dedicated hosts, 100 users with QoS (thesis, 4.5.2.1)",
        text: include_str!("../templates/gsim-base.toml"),
    },
    Template {
        name: "gridsim-table",
        title: "three jobs on two shared PEs (GridSim, table 5.1)",
        text: include_str!("../templates/gridsim-table.toml"),
    },
    Template {
        name: "gsim-table",
        title: "four jobs on two shared PEs (thesis, table 3.1)",
        text: include_str!("../templates/gsim-table.toml"),
    },
    Template {
        name: "dside-desktop",
        title: "10 desktop machines whose owners come and go (DSiDE, table 1)",
        text: include_str!("../templates/dside-desktop.toml"),
    },
    Template {
        name: "dside-tornado",
        title: "41 dual nodes, 10 users with batches of 1000 jobs (DSiDE, Tornado)",
        text: include_str!("../templates/dside-tornado.toml"),
    },
    Template {
        name: "data-grid",
        title: "three sites and a data centre: files, a workflow, a sweep, I/O-bound jobs",
        text: include_str!("../templates/data-grid.toml"),
    },
    Template {
        name: "gridsim-economy",
        title: "World Wide Grid with prices, 5 users with deadlines and budgets (GridSim)",
        text: include_str!("../templates/gridsim-economy.toml"),
    },
];

/// The template of this name.
pub fn template(name: &str) -> Option<&'static Template> {
    TEMPLATES.iter().chain(&CLUSTER_TEMPLATES).find(|template| template.name == name)
}
