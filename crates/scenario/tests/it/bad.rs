//! Scenario files with syntax errors: each gives one line with the position, and no damage to a
//! file causes a panic. Invalid values are in `wrong.rs`.

use std::path::Path;

use gridsat_grid::simulate;
use gridsat_scenario::{Changes, Policies, Scenario, Syntax, TEMPLATES};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::grid::{error, error_in};

const A: &str = "[[resource]]\nname = 'a'\nmips = 100\n";
const JOB: &str = "[[job]]\nmi = 5\n";

/// A grid and jobs, followed by the given text.
fn with(more: &str) -> String {
    format!("{A}{JOB}{more}")
}

#[test]
fn wrong_text() {
    let cases = [
        ("name = \n", Syntax::Toml, "1:8: string values must be quoted, expected literal string"),
        ("[stop\n", Syntax::Toml, "1:6: unclosed table, expected `]`"),
        (
            "{ \"seed\": 1,\n  \"job\": 5 }",
            Syntax::Json,
            "2:10: invalid type: integer `5`, expected a sequence",
        ),
        ("[]", Syntax::Json, "1:2: invalid length 0, expected struct File with 17 elements"),
        ("{ \"seed\": 1", Syntax::Json, "1:11: EOF while parsing an object"),
    ];
    for (text, syntax, expected) in cases {
        assert_eq!(error_in(text, syntax), format!("x.toml:{expected}"));
    }
}

#[test]
fn policies_that_cannot_be() {
    let unknown = |name: &str| {
        format!("policy \"{name}\" is unknown; known: {}", Policies::built_in().names())
    };
    assert_eq!(
        error(&with("[[scheduler]]\npolicy = 'random'\n")),
        format!("x.toml:7:10: scheduler[0]: {}", unknown("random"))
    );
    let scenario =
        Scenario::parse(&with(""), Syntax::Toml, "x.toml", Path::new("")).expect("right");
    let refused = |policy| scenario.policy(policy).expect_err("refused").to_string();
    assert_eq!(refused("best"), format!("x.toml: {}", unknown("best")));
    assert_eq!(
        refused("fixed"),
        "x.toml: scheduler[0] \"main\": policy \"fixed\" needs a mapping in [etc]"
    );
}

#[test]
fn wrong_files() {
    let folder = tempfile::tempdir().expect("a writable temporary folder");
    let path = folder.path().join("x.toml");
    let error = || Scenario::read(&path).err().expect("wrong").to_string();
    assert!(
        error().ends_with("x.toml: cannot read: No such file or directory (os error 2)"),
        "{}",
        error()
    );
    std::fs::write(&path, b"name = '\xff'").expect("writable");
    assert!(error().ends_with("x.toml: not UTF-8 text: invalid byte at offset 8"), "{}", error());
}

/// Asserts that the text is valid or gives a one-line error.
fn survives(text: &str, syntax: Syntax) -> Option<Scenario> {
    let scenario = Scenario::parse(text, syntax, "x.toml", Path::new(""));
    let setup = |scenario: Scenario| Ok((scenario.setup(&Changes::default())?, scenario));
    match scenario.and_then(setup) {
        Ok((_, scenario)) => Some(scenario),
        Err(error) => {
            let line = error.to_string();
            assert!(line.starts_with("x.toml:") && !line.contains(char::is_control), "{line:?}");
            None
        }
    }
}

fn json(text: &str) -> String {
    toml::from_str::<serde_json::Value>(text).expect("valid").to_string()
}

#[test]
fn every_prefix_is_right_or_wrong_in_one_line() {
    for template in TEMPLATES {
        let json = json(template.text);
        for (text, syntax) in [(template.text, Syntax::Toml), (&json, Syntax::Json)] {
            for (end, _) in text.char_indices() {
                survives(&text[..end], syntax);
            }
        }
    }
}

#[test]
fn every_mutation_is_right_or_wrong_in_one_line() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let texts: Vec<(String, Syntax)> = TEMPLATES
        .iter()
        .flat_map(|one| [(one.text.to_owned(), Syntax::Toml), (json(one.text), Syntax::Json)])
        .collect();
    let mut right = 0;
    for case in 0..2000 {
        let (text, syntax) = &texts[case % texts.len()];
        let mut bytes = text.clone().into_bytes();
        for _ in 0..random.random_range(1..=3) {
            mutate(&mut bytes, &mut random);
        }
        let text = String::from_utf8_lossy(&bytes);
        let Some(scenario) = survives(&text, *syntax) else { continue };
        right += 1;
        // The tables have few jobs: what is accepted must also run.
        if scenario.name().ends_with("-table") {
            let setup = scenario.setup(&Changes::default()).expect("checked");
            simulate(setup, &mut ()).unwrap_or_else(|error| panic!("{error}: case {case}\n{text}"));
        }
    }
    assert!(right > 100, "only {right} were right");
}

pub fn mutate(bytes: &mut Vec<u8>, random: &mut ChaCha8Rng) {
    const LIKELY: &[u8] = b"0123456789.-+e[]{}=\"'#,\n abinf\0\xff";
    let at = random.random_range(0..bytes.len());
    let byte = LIKELY[random.random_range(0..LIKELY.len())];
    match random.random_range(0..4) {
        0 => bytes[at] = byte,
        1 => bytes.insert(at, byte),
        2 => drop(bytes.remove(at)),
        _ => {
            let end = (at + random.random_range(1..40)).min(bytes.len());
            let copy = bytes[at..end].to_vec();
            bytes.splice(at..at, copy);
        }
    }
}
