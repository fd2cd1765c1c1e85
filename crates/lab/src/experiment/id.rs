//! Typed indices of points, replications, algorithms, metrics and runs in an experiment. A list of
//! one kind can be indexed only by that kind.

use std::marker::PhantomData;
use std::ops::{Deref, Index};

use serde::{Deserialize, Serialize};

use super::describe::Experiment;

/// An index into a [`Keyed`].
pub trait Id: Copy {
    /// The id of an index, from 0.
    fn at(place: usize) -> Self;
    /// The index, from 0.
    fn place(self) -> usize;
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
        )]
        pub struct $name(pub usize);

        impl Id for $name {
            fn at(place: usize) -> Self {
                Self(place)
            }

            fn place(self) -> usize {
                self.0
            }
        }
    };
}

id! {
    /// One combination of the swept values; the last axis varies fastest.
    PointId
}
id! {
    /// Index into [`Experiment::algorithms`].
    AlgorithmId
}
id! {
    /// Index into [`Experiment::metrics`].
    MetricId
}

/// Number of a world of a point, from 0 to [`Experiment::replications`] less 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Replication(pub u32);

/// One algorithm in one world. Ordered as in results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RunId {
    /// The combination of swept values.
    pub point: PointId,
    /// The world of the point.
    pub replication: Replication,
    /// The algorithm that meets this world, by its place in the experiment.
    pub algorithm: AlgorithmId,
}

impl RunId {
    /// The run with this index among all runs.
    pub(super) fn at(place: usize, experiment: &Experiment) -> Self {
        let (world, algorithm) =
            (place / experiment.algorithms.len(), place % experiment.algorithms.len());
        let replications = experiment.replications as usize;
        let replication = Replication((world % replications) as u32);
        let point = PointId(world / replications);
        Self { point, replication, algorithm: AlgorithmId(algorithm) }
    }

    /// Its index among all runs; `None` if the experiment has no such run.
    pub(super) fn place(self, experiment: &Experiment) -> Option<usize> {
        let Self { point, replication, algorithm } = self;
        let is_there = point.0 < experiment.point_count()
            && replication.0 < experiment.replications
            && algorithm.0 < experiment.algorithms.len();
        let world = || point.0 * experiment.replications as usize + replication.0 as usize;
        is_there.then(|| world() * experiment.algorithms.len() + algorithm.0)
    }

    /// Parses `VALUE[,VALUE…]/ALGORITHM[@SEED]`, or `ALGORITHM[@SEED]` if nothing is swept;
    /// without a seed the first world.
    pub fn parse(text: &str, experiment: &Experiment) -> Option<Self> {
        let with_seed = || {
            let (name, seed) = text.rsplit_once('@')?;
            let replication = seed.parse::<u64>().ok()?.wrapping_sub(experiment.seed);
            let replication = Replication(u32::try_from(replication).ok()?);
            let run = Self { replication, ..Self::in_first_world(name, experiment)? };
            (replication.0 < experiment.replications).then_some(run)
        };
        Self::in_first_world(text, experiment).or_else(with_seed)
    }

    /// Values and names may contain any characters, so the text is compared with all runs instead
    /// of being split.
    fn in_first_world(text: &str, experiment: &Experiment) -> Option<Self> {
        let point = |name: &str| {
            let values = match text.strip_suffix(name)? {
                "" => "",
                values => values.strip_suffix('/')?,
            };
            experiment.points().find(|&point| experiment.values_at(point).join(",") == values)
        };
        let run = |(algorithm, name): (_, &String)| {
            Some(Self { point: point(name)?, replication: Replication(0), algorithm })
        };
        experiment.algorithms.pairs().find_map(run)
    }

    /// The text form that [`RunId::parse`] accepts.
    pub fn name(self, experiment: &Experiment) -> String {
        let values = experiment.values_at(self.point).join(",");
        let slash = if values.is_empty() { "" } else { "/" };
        let seed = experiment.world_seed(self.replication);
        format!("{values}{slash}{}@{seed}", experiment.algorithms[self.algorithm])
    }
}

/// A list indexed by ids of one kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Keyed<I, T> {
    items: Vec<T>,
    #[serde(skip)]
    id: PhantomData<I>,
}

impl<I: Id, T> Keyed<I, T> {
    /// All ids, in order.
    pub fn ids(&self) -> impl Iterator<Item = I> + Clone + use<I, T> {
        (0..self.items.len()).map(I::at)
    }

    /// All items with their ids, in order.
    pub fn pairs(&self) -> impl Iterator<Item = (I, &T)> {
        self.ids().zip(&self.items)
    }
}

impl<I, T> From<Vec<T>> for Keyed<I, T> {
    fn from(items: Vec<T>) -> Self {
        Self { items, id: PhantomData }
    }
}

impl<I, T> FromIterator<T> for Keyed<I, T> {
    fn from_iter<A: IntoIterator<Item = T>>(items: A) -> Self {
        Vec::from_iter(items).into()
    }
}

impl<I, T> IntoIterator for Keyed<I, T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.into_iter()
    }
}

impl<I, T> Deref for Keyed<I, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.items
    }
}

impl<I: Id, T> Index<I> for Keyed<I, T> {
    type Output = T;

    fn index(&self, id: I) -> &T {
        &self.items[id.place()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::made::{made, sweep};

    fn run(point: usize, replication: u32, algorithm: usize) -> RunId {
        RunId {
            point: PointId(point),
            replication: Replication(replication),
            algorithm: AlgorithmId(algorithm),
        }
    }

    #[test]
    fn names_are_read_back() {
        let swept = sweep("key = \"users.qos\"\nvalues = [0, 0.5, 1]")
            + &sweep("key = \"name\"\nvalues = [\"a,b/c\", \"d\"]");
        let results = made(&swept, |_| Some(1.0));
        let experiment = &results.experiment;
        for run in [run(0, 0, 0), run(3, 1, 1), run(5, 2, 0)] {
            assert_eq!(RunId::parse(&run.name(experiment), experiment), Some(run));
        }
        assert_eq!(RunId::parse("0.5,a,b/c/minmin", experiment), Some(run(2, 0, 1)));
        for wrong in
            ["", "mct", "0.5/mct", "7,d/mct", "0,d/sat", "0,d/mct@4", "0,d/mct@0", "0,d/mct@"]
        {
            assert_eq!(RunId::parse(wrong, experiment), None, "{wrong}");
        }
        let plain = made("", |_| Some(1.0)).experiment;
        assert_eq!(RunId::parse("minmin@2", &plain), Some(run(0, 1, 1)));
    }

    #[test]
    fn places_are_those_of_results() {
        let experiment = made(&sweep("key = \"seed\"\nvalues = [1, 2]"), |_| None).experiment;
        let runs: Vec<RunId> = experiment.runs().collect();
        assert!(runs.is_sorted() && runs.len() == experiment.run_count());
        assert!(runs.iter().map(|run| run.place(&experiment)).eq((0..12).map(Some)));
        assert!((0..12).map(|place| RunId::at(place, &experiment)).eq(runs));
        assert_eq!(
            [run(2, 0, 0), run(0, 3, 0), run(0, 0, 2)].map(|run| run.place(&experiment)),
            [None; 3]
        );
    }
}
