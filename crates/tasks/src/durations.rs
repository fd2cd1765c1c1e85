//! pytest-split's `.test_durations`: an object with the seconds of each test by its node id, or, as
//! old versions wrote it, a list of such pairs.

use std::fmt;

use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::Record;
use crate::error::Fault;
use crate::json::{self, Seconds};

/// Seconds by test, in the order of the file.
pub struct Durations(Vec<(String, Seconds)>);

impl Durations {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<'de> Deserialize<'de> for Durations {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Pairs;
        impl<'de> Visitor<'de> for Pairs {
            type Value = Durations;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of seconds by test")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Durations, A::Error> {
                let mut all = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    all.push(pair);
                }
                Ok(Durations(all))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Durations, A::Error> {
                let mut all = Vec::new();
                while let Some(pair) = seq.next_element()? {
                    all.push(pair);
                }
                Ok(Durations(all))
            }
        }
        deserializer.deserialize_any(Pairs)
    }
}

pub fn read(text: &str) -> Result<Vec<Record>, Fault> {
    let Durations(all) = json::read(text)?;
    let record = |(name, Seconds(nanos)): (String, Seconds)| {
        let group = file_of(&name);
        Record { group, ..Record::new(name, nanos) }
    };
    Ok(all.into_iter().map(record).collect())
}

/// The file of a node id such as `tests/test_a.py::TestB::test_c[1]`.
pub fn file_of(node: &str) -> Option<String> {
    node.split_once("::").map(|(file, _)| file.to_owned())
}
