//! Certificates as text, checked while they are read.
//!
//! A proof can have millions of nodes. Here only the text and one node at a time are in memory:
//! parts of the text are found first ([`RawValue`]), and read when it is their turn.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{self, Deserializer, IgnoredAny, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::file::{Failure, Unreadable};
use super::fillings::Fillings;
use super::steps::{self, OpenProof};
use super::tree::Tree;
use super::{Accepted, Chain, Rejection};
use gridsat_model::certificate::{Document, InstanceRef, Step};
use gridsat_model::{Instance, MappingError, Ticks};

/// Numbers that a step or node may have beside those that the size of the instance explains: most
/// of them are the order of the fillings of a host.
const MORE_VALUES: usize = 1 << 20;

/// The fields of [`Document`], the long ones as text.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Parts<'a> {
    format: String,
    version: u32,
    gridsat: String,
    instance: InstanceRef,
    makespan: Ticks,
    lower_bound: Ticks,
    #[serde(borrow)]
    mapping: &'a RawValue,
    #[serde(borrow)]
    steps: &'a RawValue,
}

/// The fields that every step has.
#[derive(Deserialize)]
struct Refuted<'a> {
    #[serde(borrow)]
    rule: Cow<'a, str>,
    k: Ticks,
}

/// A step that has nodes.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WithNodes<'a> {
    #[serde(rename = "rule")]
    _rule: IgnoredAny,
    #[serde(rename = "k")]
    _k: IgnoredAny,
    #[serde(borrow)]
    nodes: &'a RawValue,
}

/// Checks the certificate against the instance.
pub(super) fn verify(
    instance: &Instance,
    text: &str,
    proofs: OpenProof,
) -> Result<Accepted, Failure> {
    let reader = Reader { text, instance };
    let parts: Parts = serde_json::from_str(text)?;
    let head = reader.head(&parts)?;
    let mut chain = Chain::new(instance, &head)?;
    reader.each(parts.steps, &mut |step| Ok(chain.add(reader.read::<Refuted>(step)?.k)?))?;
    let claimed = chain.end()?;
    let mut index = 0;
    reader.each(parts.steps, &mut |step| {
        reader.check(step, index, proofs)?;
        index += 1;
        Ok(())
    })?;
    Ok(claimed)
}

/// Reads parts of a text.
struct Reader<'a> {
    text: &'a str,
    instance: &'a Instance,
}

impl<'a> Reader<'a> {
    /// The certificate without its steps.
    fn head(&self, parts: &Parts) -> Result<Document, Failure> {
        let expected = self.instance.task_count();
        let found = values(parts.mapping);
        if found > expected + 1 {
            return Err(Rejection::from(MappingError::WrongLength { found, expected }).into());
        }
        Ok(Document {
            format: parts.format.clone(),
            version: parts.version,
            gridsat: parts.gridsat.clone(),
            instance: parts.instance.clone(),
            makespan: parts.makespan,
            lower_bound: parts.lower_bound,
            mapping: self.read(parts.mapping)?,
            steps: Vec::new(),
        })
    }

    /// Checks a step of the proof.
    fn check(&self, text: &'a RawValue, index: usize, proofs: OpenProof) -> Result<(), Failure> {
        let Refuted { rule, k } = self.read(text)?;
        let wrong = |rule| move |fault| Rejection::Step { index, rule, k, fault };
        match &*rule {
            "tree" => {
                let wrong = wrong("tree");
                let mut tree = Tree::new(self.instance, k, proofs);
                self.nodes(text, &mut |node| Ok(tree.take(&node).map_err(wrong)?))?;
                Ok(tree.finish().map_err(wrong)?)
            }
            "fillings" => {
                let wrong = wrong("fillings");
                let mut fillings = Fillings::new(self.instance, k).map_err(wrong)?;
                self.nodes(text, &mut |node| Ok(fillings.take(&node).map_err(wrong)?))?;
                Ok(fillings.finish().map_err(wrong)?)
            }
            _ => {
                let step: Step = self.read_small(text)?;
                Ok(steps::check(self.instance, &step, proofs).map_err(wrong(step.rule()))?)
            }
        }
    }

    /// Calls `use_one` for each node of a step.
    fn nodes<N: Deserialize<'a>>(
        &self,
        step: &'a RawValue,
        use_one: &mut dyn FnMut(N) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let step: WithNodes = self.read(step)?;
        self.each(step.nodes, &mut |node| use_one(self.read_small(node)?))
    }

    /// Reads a step or node. That takes several times the space of its text, so a text with many
    /// more values than the instance has pairs is not read.
    fn read_small<T: Deserialize<'a>>(&self, text: &'a RawValue) -> Result<T, Failure> {
        let (n, m) = (self.instance.task_count(), self.instance.host_count());
        let values = values(text);
        if values > n * m + 2 * (n + m) + MORE_VALUES {
            return Err(Unreadable::TooManyValues { values }.into());
        }
        self.read(text)
    }

    fn read<T: Deserialize<'a>>(&self, part: &'a RawValue) -> Result<T, Failure> {
        serde_json::from_str(part.get()).map_err(|error| self.placed(part, &error))
    }

    /// Calls `use_one` for each value of a list.
    fn each(
        &self,
        list: &'a RawValue,
        use_one: &mut dyn FnMut(&'a RawValue) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut failure = None;
        let visitor = Each { use_one, failure: &mut failure };
        let read = serde_json::Deserializer::from_str(list.get()).deserialize_seq(visitor);
        match (failure, read) {
            (Some(failure), _) => Err(failure),
            (None, Err(error)) => Err(self.placed(list, &error)),
            (None, Ok(())) => Ok(()),
        }
    }

    /// The error with its place in the whole text instead of that in the part. An error without a
    /// place gets that of the part.
    fn placed(&self, part: &RawValue, error: &serde_json::Error) -> Failure {
        let start = part.get().as_ptr() as usize - self.text.as_ptr() as usize;
        let before = &self.text[..start];
        let (line, column) = match (error.line(), error.column()) {
            (0, _) => (1, 1),
            place => place,
        };
        let indent = before.len() - before.rfind('\n').map_or(0, |at| at + 1);
        let column = if line == 1 { indent + column } else { column };
        let line = line + before.matches('\n').count();
        let message = error.to_string();
        let message = message.rfind(" at line ").map_or(&message[..], |end| &message[..end]);
        let message = format!("{message} at line {line} column {column}");
        Failure::Unreadable(Unreadable::Json(de::Error::custom(message)))
    }
}

/// At least the number of values in the text.
fn values(text: &RawValue) -> usize {
    text.get().bytes().filter(|&byte| byte == b',').count() + 1
}

/// Uses each value of a list.
struct Each<'a, 'b> {
    use_one: &'b mut dyn FnMut(&'a RawValue) -> Result<(), Failure>,
    failure: &'b mut Option<Failure>,
}

impl<'a> Visitor<'a> for Each<'a, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'a>>(self, mut list: A) -> Result<(), A::Error> {
        while let Some(value) = list.next_element()? {
            if let Err(failure) = (self.use_one)(value) {
                *self.failure = Some(failure);
                return Err(de::Error::custom("stopped"));
            }
        }
        Ok(())
    }
}
