//! The command that reproduces a result.

use itertools::Itertools;

use crate::experiment::{BuiltIn, Changes, Experiment, built_in};

/// A command, and remarks about its limits; empty if there are none.
pub(super) struct Again {
    pub command: String,
    pub remark: &'static str,
}

/// For a built-in experiment exactly the options that differ from it; otherwise all that options
/// can express.
pub(super) fn again(experiment: &Experiment) -> Again {
    let known = built_in(&experiment.name).and_then(|built_in| exact(experiment, built_in));
    let everything = || {
        let file = format!("{}.toml", experiment.name);
        let Experiment { seed, replications, algorithms, .. } = experiment;
        let algorithms = quoted(&algorithms.join(","));
        let options = format!("--seed {seed} -r {replications} --algorithms {algorithms}");
        Again {
            command: format!("gridsat experiment {} {options}", quoted(&file)),
            remark: "The experiment file may have another name, and quick runs also need --quick. \
                     The settings below are those that were used.",
        }
    };
    known.unwrap_or_else(everything)
}

/// `None` if no options turn the built-in experiment into this one, as with one of another version.
fn exact(experiment: &Experiment, built_in: &BuiltIn) -> Option<Again> {
    let try_with = |quick: bool| {
        let plain = built_in.read(&Changes { quick, ..Changes::default() }).ok()?;
        let seed = (plain.seed != experiment.seed).then_some(experiment.seed);
        let differs = plain.replications != experiment.replications;
        let replications = differs.then_some(experiment.replications);
        let same = plain.algorithms == experiment.algorithms;
        let algorithms = if same { Vec::new() } else { experiment.algorithms.to_vec() };
        let changes = Changes { quick, seed, replications, algorithms };
        let is_it = built_in.read(&changes).ok()? == *experiment;
        is_it.then(|| Again { command: command(built_in.name, &changes), remark: "" })
    };
    try_with(false).or_else(|| try_with(true))
}

fn command(name: &str, changes: &Changes) -> String {
    let Changes { quick, seed, replications, algorithms } = changes;
    let algorithms =
        (!algorithms.is_empty()).then(|| format!("--algorithms {}", quoted(&algorithms.join(","))));
    let words = [
        Some(format!("gridsat experiment {name}")),
        quick.then(|| "--quick".to_owned()),
        seed.map(|seed| format!("--seed {seed}")),
        replications.map(|replications| format!("-r {replications}")),
        algorithms,
    ];
    words.into_iter().flatten().join(" ")
}

/// Quotes a word for a shell if necessary.
pub(super) fn quoted(word: &str) -> String {
    let is_plain =
        |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ',' | '/' | '=' | ':' | '+');
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn qos_share(changes: Changes) -> Experiment {
        let built_in = built_in("qos-share").expect("it is built in");
        built_in.read(&changes).expect("it is sound")
    }

    #[test]
    fn only_what_differs() {
        let command = |changes| again(&qos_share(changes)).command;
        assert_eq!(command(Changes::default()), "gridsat experiment qos-share");
        // The quick version of this experiment only has fewer worlds.
        let changes = Changes { quick: true, seed: Some(7), ..Changes::default() };
        assert_eq!(command(changes), "gridsat experiment qos-share --seed 7 -r 5");
        let algorithms = vec!["mct".to_owned(), "sat".to_owned()];
        let changes = Changes { replications: Some(3), algorithms, ..Changes::default() };
        let expected = "gridsat experiment qos-share -r 3 --algorithms mct,sat";
        assert_eq!(command(changes), expected);
    }

    #[test]
    fn quick_where_that_is_more_than_fewer_worlds() {
        let mine = BuiltIn {
            name: "mine",
            text: "replications = 9\nalgorithms = [\"mct\"]\nmetrics = [\"makespan\"]\n\
                   [base]\ntemplate = \"gsim-base\"\n[quick]\nset = { \"users.qos\" = 0.25 }\n",
        };
        let changes = Changes { quick: true, ..Changes::default() };
        let experiment = mine.read(&changes).expect("it is sound");
        let found = exact(&experiment, &mine).map(|again| again.command);
        assert_eq!(found.as_deref(), Some("gridsat experiment mine --quick"));
    }

    #[test]
    fn everything_of_what_is_not_built_in() {
        let mut mine = qos_share(Changes::default());
        mine.title = "another".to_owned();
        mine.name = "my own".to_owned();
        let Again { command, remark } = again(&mine);
        assert!(
            command.starts_with("gridsat experiment 'my own.toml' --seed 1 -r 100"),
            "{command}"
        );
        assert!(remark.contains("another name"));
        mine.name = "qos-share".to_owned();
        assert!(again(&mine).command.contains("qos-share.toml"), "not the one that is built in");
    }

    #[test]
    fn shells_read_what_is_meant() {
        assert_eq!(
            ["a-b_1.c,d/e", "", "a b", "it's", "$(x)"].map(quoted),
            ["a-b_1.c,d/e", "''", "'a b'", r"'it'\''s'", "'$(x)'"]
        );
    }
}
