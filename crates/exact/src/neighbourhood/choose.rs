//! Which hosts to empty.
//!
//! A random walk between hosts and tasks: from a task to one of its places, the cheaper the likelier,
//! from a host to one of its tasks. So the hosts chosen have tasks to exchange, and the ones that
//! could take a task left out are among them.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::core::Core;
use super::state::State;

/// The part of the hosts chosen, at least and at most.
const PART: (f64, f64) = (0.35, 0.75);

/// One step in this many starts anew at a task left out.
const ANEW: u32 = 4;

/// Steps of the walk, for each host there is: it ends where few hosts can be reached.
const STEPS: usize = 50;

/// Hosts in order of their numbers.
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

/// A task left out, or one of a host chosen already.
fn task(state: &State, out: &[usize], chosen: &[usize], random: &mut ChaCha8Rng) -> Option<usize> {
    if !out.is_empty() && (chosen.is_empty() || random.random_ratio(1, ANEW)) {
        return pick(out, random);
    }
    match pick(chosen, random) {
        Some(host) => pick(&state.tasks[host], random),
        None => Some(random.random_range(0..state.hosts.len())),
    }
}

/// One of the task's places: the cheaper of two.
fn near(core: &Core, task: usize, random: &mut ChaCha8Rng) -> Option<usize> {
    let places = &core.places[task];
    let mut draw = || random.random_range(0..places.len().max(1));
    let index = draw().min(draw());
    places.get(index).map(|place| place.host)
}

fn pick(from: &[usize], random: &mut ChaCha8Rng) -> Option<usize> {
    (!from.is_empty()).then(|| from[random.random_range(0..from.len())])
}
