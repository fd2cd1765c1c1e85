//! Scenario templates.

use gridsat_scenario::TEMPLATES;
use gridsat_scenario::clusters::CLUSTER_TEMPLATES;

use super::*;

#[test]
fn templates_are_written_as_they_are() {
    let folder = Folder::default();
    for template in TEMPLATES.iter().chain(&CLUSTER_TEMPLATES) {
        let name = template.name;
        let run = folder.run(&format!("generate scenario --template {name}")).ends(0);
        assert_eq!(run.out, template.text, "{name}");
        folder.run(&format!("generate scenario --template {name} --output {name}.toml")).ends(0);
        assert_eq!(folder.read(&format!("{name}.toml")), template.text, "{name}");
    }
    // The trace of this template is a separate file.
    let parts = ["swf-kth.toml:23:9: jobs: trace: ", "KTH-SP2-1996-2.swf: cannot read"];
    folder.run("simulate swf-kth.toml").fails(2, &parts);
}

#[test]
fn templates_are_listed() {
    let folder = Folder::default();
    let list = folder.run("generate scenario --template list").ends(0).out;
    assert_eq!(list.lines().count(), TEMPLATES.len() + CLUSTER_TEMPLATES.len());
    for template in TEMPLATES.iter().chain(&CLUSTER_TEMPLATES) {
        assert!(list.contains(template.name) && list.contains(template.title), "{list}");
    }
    let known = ["'wwg2'", "wwg, gsim-base, gridsim-table, gsim-table"];
    folder.run("generate scenario --template wwg2 --output x.toml").fails(2, &known);
    folder.run("generate scenario").fails(2, &["--template"]);
    assert_eq!(folder.list().len(), 0);
}
