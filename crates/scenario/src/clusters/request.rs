//! `request`, `component`, `components`, `moldable`: how the nodes of a job may be distributed over
//! clusters.

use std::sync::Arc;

use super::file;
use crate::error::{At, Fault, ensure, positive, quoted};
use gridsat_cluster::{Components, Moldable, Request, Speedup};

/// The request type of all jobs of a stream.
#[derive(Clone, Debug)]
pub(super) enum Asking {
    Total,
    Single,
    /// As few components as possible of at most this many nodes, as equal as possible.
    Unordered(u32),
    Moldable(Arc<Moldable>),
}

impl Asking {
    /// `most` is the total number of nodes of all clusters.
    pub fn check(given: &file::Jobs, most: u32) -> Result<Self, Fault> {
        let word = given.request.as_deref();
        if let Some(moldable) = &given.moldable {
            ensure(word.is_none(), || Fault::Exclusive { one: "request", other: "moldable" })?;
            return Ok(Self::Moldable(check_moldable(moldable, most).at("moldable")?));
        }
        let is_split = word == Some("unordered");
        ensure(is_split || given.component.is_none(), || {
            Fault::only("component", "request \"unordered\"")
        })?;
        match word.unwrap_or("total") {
            "total" => Ok(Self::Total),
            "single" => Ok(Self::Single),
            "unordered" => {
                let limit = given.component.filter(|&limit| limit > 0);
                let missing = "request \"unordered\" needs component, the most nodes of a part";
                limit.map(Self::Unordered).ok_or_else(|| Fault::new(missing))
            }
            other => {
                let known = "total, single, unordered";
                Err(Fault::new(format!("request is {}; known: {known}", quoted(other))))
            }
        }
    }

    pub fn request(&self, nodes: u32) -> Request {
        match self {
            Self::Total => Request::Total,
            Self::Single => Request::Single,
            Self::Unordered(limit) => Request::Unordered(Components::new(parts(nodes, *limit))),
            Self::Moldable(range) => Request::Moldable(Arc::clone(range)),
        }
    }
}

/// Splits nodes into as few parts as the limit allows, as equal as possible.
fn parts(nodes: u32, limit: u32) -> Vec<u32> {
    let count = nodes.div_ceil(limit);
    (0..count).map(|part| nodes / count + u32::from(part < nodes % count)).collect()
}

/// Number of nodes and request type of a listed job.
pub(super) fn of_job(given: &file::Job, most: u32) -> Result<(u32, Request), Fault> {
    let word = given.request.as_deref();
    if let Some(moldable) = &given.moldable {
        ensure(
            word.is_none() && given.components.is_none(),
            || "moldable excludes request and components",
        )?;
        let range = check_moldable(moldable, most).at("moldable")?;
        return Ok((nodes_of(given)?, Request::Moldable(range)));
    }
    let has_parts = matches!(word, Some("ordered" | "unordered"));
    ensure(
        has_parts == given.components.is_some(),
        || "components is for request \"ordered\" and \"unordered\", which need it",
    )?;
    let components = given.components.clone().unwrap_or_default();
    let sum: u64 = components.iter().map(|&size| u64::from(size)).sum();
    let request = match word.unwrap_or("total") {
        "total" => return Ok((nodes_of(given)?, Request::Total)),
        "single" => return Ok((nodes_of(given)?, Request::Single)),
        "ordered" => Request::Ordered(components.into()),
        "unordered" => Request::Unordered(Components::new(components)),
        other => {
            let known = "total, single, ordered, unordered";
            return Err(Fault::new(format!("request is {}; known: {known}", quoted(other))));
        }
    };
    ensure((1..=u64::from(u32::MAX)).contains(&sum), || {
        format!("components add up to {sum}, not to a number of nodes from 1")
    })?;
    ensure(given.nodes.is_none_or(|nodes| u64::from(nodes) == sum), || {
        format!("nodes is {}, but components add up to {sum}", given.nodes.unwrap_or_default())
    })?;
    Ok((sum as u32, request))
}

fn nodes_of(given: &file::Job) -> Result<u32, Fault> {
    let nodes = given.nodes.unwrap_or(1);
    positive("nodes", nodes)?;
    Ok(nodes)
}

fn check_moldable(given: &file::Moldable, all: u32) -> Result<Arc<Moldable>, Fault> {
    let curves = [
        given.amdahl.map(|serial| Speedup::Amdahl { serial }),
        given.downey.map(|[parallelism, variance]| Speedup::Downey { parallelism, variance }),
        given.table.clone().map(Speedup::Table),
    ];
    let mut curves = curves.into_iter().flatten();
    let (Some(curve), None) = (curves.next(), curves.next()) else {
        return Err(Fault::new("needs exactly one of amdahl, downey, table"));
    };
    let (least, most) = (given.least.unwrap_or(1), given.most.unwrap_or(all));
    ensure(most <= all, || format!("most is {most}, but there are {all} nodes"))?;
    Moldable::new(least, most, curve).map(Arc::new).map_err(Fault::from)
}

#[cfg(test)]
mod tests {
    use super::parts;

    #[test]
    fn parts_are_few_and_equal() {
        assert_eq!(parts(10, 4), [4, 3, 3]);
        assert_eq!(parts(8, 4), [4, 4]);
        assert_eq!(parts(1, 4), [1]);
    }
}
