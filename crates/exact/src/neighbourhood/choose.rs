//! The choice of the hosts to empty.
//!
//! A random walk alternates between tasks and hosts: from a task to one of the hosts it may run on,
//! with cheap hosts more likely, and from a chosen host to one of its tasks. So the chosen hosts
//! can exchange tasks, and hosts that suit a task left out are among them.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::core::Core;
use super::state::State;

/// The fraction of the hosts to choose is drawn uniformly between these limits. Smaller groups
/// seldom contain two hosts that suit the same task.
const PART: (f64, f64) = (0.35, 0.75);

/// On average one step in this many restarts at a task left out.
const ANEW: u32 = 4;

/// Steps of the walk, at most, per host of the instance. This limit ends a walk that can reach
/// only a few hosts.
const STEPS: usize = 50;

/// The hosts to empty, in ascending order; at least two if there are two and the walk reaches them.
pub(super) fn hosts(core: &Core, state: &State, random: &mut ChaCha8Rng) -> Vec<usize> {
    let count = state.rooms.len();
    let part = random.random_range(PART.0..PART.1);
    let wanted = ((part * count as f64) as usize).max(2).min(count);
    let out = state.left_out();
    let (mut chosen, mut is_chosen) = (Vec::with_capacity(wanted), vec![false; count]);
    for _ in 0..STEPS * count {
        if chosen.len() >= wanted {
            break;
        }
        let Some(task) = task(state, &out, &chosen, random) else { continue };
        let Some(host) = near(core, task, random) else { continue };
        if !is_chosen[host] {
            is_chosen[host] = true;
            chosen.push(host);
        }
    }
    chosen.sort_unstable();
    chosen
}

/// A task left out, or a task of a host already chosen; any task if there is neither. `None` if the
/// host drawn is empty.
fn task(state: &State, out: &[usize], chosen: &[usize], random: &mut ChaCha8Rng) -> Option<usize> {
    if !out.is_empty() && (chosen.is_empty() || random.random_ratio(1, ANEW)) {
        return pick(out, random);
    }
    match pick(chosen, random) {
        Some(host) => pick(&state.tasks[host], random),
        None => Some(random.random_range(0..state.hosts.len())),
    }
}

/// A host that the task may run on: the cheaper of two drawn at random.
fn near(core: &Core, task: usize, random: &mut ChaCha8Rng) -> Option<usize> {
    let places = &core.places[task];
    let mut draw = || random.random_range(0..places.len().max(1));
    let index = draw().min(draw());
    places.get(index).map(|place| place.host)
}

/// A random element; `None` if there is none.
fn pick(from: &[usize], random: &mut ChaCha8Rng) -> Option<usize> {
    (!from.is_empty()).then(|| from[random.random_range(0..from.len())])
}
