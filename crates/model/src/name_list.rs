//! The names of tasks or hosts, one after another in one text.

use std::collections::HashSet;
use std::fmt::Write;

/// Names in order. A million take two allocations instead of a million.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct NameList {
    text: String,
    /// The end of each name in the text.
    ends: Vec<usize>,
}

impl NameList {
    /// The letter and a number for each, from 0.
    pub fn numbered(letter: &str, count: usize) -> Self {
        let mut names = Self { text: String::new(), ends: Vec::with_capacity(count) };
        for number in 0..count {
            write!(names.text, "{letter}{number}").expect("text in memory grows");
            names.ends.push(names.text.len());
        }
        names.text.shrink_to_fit();
        names
    }

    pub fn push(&mut self, name: &str) {
        self.text.push_str(name);
        self.ends.push(self.text.len());
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// The name with this index.
    pub fn get(&self, index: usize) -> &str {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start..self.ends[index]]
    }

    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|index| self.get(index))
    }

    /// The first name that is there already.
    pub fn repeated(&self) -> Option<&str> {
        let mut seen = HashSet::with_capacity(self.len());
        self.iter().find(|name| !seen.insert(*name))
    }
}

impl FromIterator<String> for NameList {
    fn from_iter<I: IntoIterator<Item = String>>(names: I) -> Self {
        let mut list = Self::default();
        names.into_iter().for_each(|name| list.push(&name));
        list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_by_their_number() {
        let list: NameList = ["a", "", "bc"].map(String::from).into_iter().collect();
        assert_eq!(list.iter().collect::<Vec<_>>(), ["a", "", "bc"]);
        assert_eq!((list.len(), list.get(2), list.repeated()), (3, "bc", None));
        let numbered = NameList::numbered("t", 12);
        assert_eq!((numbered.get(0), numbered.get(11)), ("t0", "t11"));
        let twice: NameList = ["a", "b", "b", "a"].map(String::from).into_iter().collect();
        assert_eq!(twice.repeated(), Some("b"));
    }
}
