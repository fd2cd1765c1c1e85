//! Names that users type: algorithms, policies, templates, experiments.
//!
//! Every name that is printed is accepted: case, blanks and punctuation do not matter, so
//! `Min-Min`, `min-min` and `minmin` are one name. For an unknown name the nearest one is
//! suggested.
//!
//! Not here: names of tasks, hosts and files, which are compared exactly.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// The name for as long as the process lives; each name is stored once.
pub fn kept(name: &str) -> &'static str {
    static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = names.get(name) {
        return known;
    }
    let new: &'static str = Box::leak(name.to_owned().into_boxed_str());
    names.insert(new);
    new
}

/// The name in lower case, with letters and digits only.
///
/// ```
/// assert_eq!(gridsat_model::names::fold("QoS-guided Min-Min"), "qosguidedminmin");
/// ```
pub fn fold(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Whether both are the same name after [`fold`].
pub fn is_same(one: &str, other: &str) -> bool {
    one == other || fold(one) == fold(other)
}

/// The item with this name, by any of its names; an exact match comes first.
pub fn find<T, S: AsRef<str>, N: IntoIterator<Item = S>>(
    items: impl IntoIterator<Item = T>,
    names: impl Fn(&T) -> N,
    given: &str,
) -> Option<T> {
    let folded = fold(given);
    let mut found = None;
    for item in items {
        let (mut is_exact, mut is_alike) = (false, false);
        for name in names(&item) {
            is_exact |= name.as_ref() == given;
            is_alike |= fold(name.as_ref()) == folded;
        }
        if is_exact {
            return Some(item);
        }
        if is_alike && found.is_none() {
            found = Some(item);
        }
    }
    found
}

/// The end of a message about an unknown name: the nearest one if there is any, and all names.
///
/// ```
/// use gridsat_model::names::choices;
///
/// assert_eq!(choices("mctt", ["olb", "mct"]), "did you mean 'mct'? known: olb, mct");
/// assert_eq!(choices("easy", ["olb", "mct"]), "known: olb, mct");
/// ```
pub fn choices<S: AsRef<str>>(given: &str, known: impl IntoIterator<Item = S>) -> String {
    let known: Vec<S> = known.into_iter().collect();
    let all: Vec<&str> = known.iter().map(AsRef::as_ref).collect();
    format!("{}known: {}", suggestion(given, &known), all.join(", "))
}

/// `did you mean 'NAME'? ` with a blank at its end; empty if no name is near.
pub fn suggestion<S: AsRef<str>>(given: &str, known: impl IntoIterator<Item = S>) -> String {
    let nearest = nearest(given, known);
    nearest.map_or_else(String::new, |name| format!("did you mean '{}'? ", name.as_ref()))
}

/// The name with the smallest edit distance, if at most a third of its letters differ.
fn nearest<S: AsRef<str>>(given: &str, known: impl IntoIterator<Item = S>) -> Option<S> {
    // No name is longer than this, and comparing long texts takes time.
    const LONGEST: usize = 60;
    let given = fold(given);
    if given.is_empty() || given.len() > LONGEST {
        return None;
    }
    let measured = known.into_iter().map(|name| {
        let folded = fold(name.as_ref());
        let letters = folded.chars().count().max(given.chars().count());
        (distance(&given, &folded), letters, name)
    });
    let near = measured.filter(|(wrong, letters, _)| 3 * wrong <= *letters);
    near.min_by_key(|(wrong, ..)| *wrong).map(|(.., name)| name)
}

/// The edit distance (Levenshtein 1966), one row of the table at a time.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &b) in other.iter().enumerate() {
            let changed = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn punctuation_and_case_make_no_difference() {
        for name in ["Min-Min", "min-min", "MINMIN", "min min", "min_min"] {
            assert!(is_same(name, "minmin"), "{name}");
        }
        assert!(!is_same("max-min", "minmin"));
    }

    #[test]
    fn an_exact_name_comes_before_one_that_is_alike() {
        let items = ["a-b", "ab", "c"];
        assert_eq!(find(items, |item| [*item], "ab"), Some("ab"));
        assert_eq!(find(items, |item| [*item], "A B"), Some("a-b"));
        assert_eq!(find(items, |item| [*item], "d"), None);
    }

    #[test]
    fn distances_are_those_of_the_definition() {
        let cases = [("", "", 0), ("abc", "", 3), ("kitten", "sitting", 3), ("flaw", "lawn", 2)];
        for (one, other, expected) in cases {
            assert_eq!(distance(one, other), expected, "{one} {other}");
            assert_eq!(distance(other, one), expected, "{other} {one}");
        }
    }

    #[test]
    fn only_near_names_are_suggested() {
        let known = ["minmin", "maxmin", "sufferage", "wwg"];
        assert_eq!(suggestion("Min-Mn", known), "did you mean 'minmin'? ");
        assert_eq!(suggestion("wwh", known), "did you mean 'wwg'? ");
        assert_eq!(suggestion("suferrage", known), "did you mean 'sufferage'? ");
        assert_eq!(suggestion("best", known), "");
        assert_eq!(suggestion("", known), "");
        assert_eq!(suggestion(&"minmin".repeat(1000), known), "");
    }
}
