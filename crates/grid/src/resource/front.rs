//! What most decisions look at, of each resource.

use super::Resource;
use super::times::nearest;
use crate::work::Speed;
use gridsat_engine::time::Time;
use gridsat_model::Ticks;
use gridsat_workload::Unit;

/// What most decisions look at. Decisions look at every resource, so this lies apart from the rest,
/// close together, and is brought up to date after every change.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Front {
    ticks_per_instruction: f64,
    /// When the running job is believed to end, and how long the queue takes after that.
    end: Time,
    queued: Ticks,
    /// Jobs below this QoS level can run, if they need instructions.
    levels: u32,
    /// Whether that is all there is to know: one space-shared PE at full speed.
    is_queue: bool,
}

impl Front {
    /// Time of a job of this many instructions; `None` if it may not run here.
    #[inline]
    pub(crate) fn time(&self, qos: u32, instructions: f64) -> Option<Ticks> {
        (qos < self.levels).then(|| nearest(instructions * self.ticks_per_instruction))
    }

    /// What does not change of it.
    pub(crate) fn without_state(self) -> Self {
        Self { is_queue: false, ..self }
    }

    /// Ticks until it is believed to be free, where that is all there is to know.
    #[inline]
    pub(crate) fn delay(&self, now: Time) -> Option<Ticks> {
        self.is_queue.then(|| (self.end - now).saturating_add(self.queued))
    }
}

impl Resource {
    /// What most decisions look at.
    pub(crate) fn front(&self) -> Front {
        let (end, queued) = self.belief().of_one();
        Front {
            ticks_per_instruction: self.ticks_per_instruction,
            end,
            queued,
            levels: match self.spec.serves {
                Unit::Instructions => self.spec.qos.saturating_add(1),
                Unit::Operations => 0,
            },
            is_queue: self.is_space_shared()
                && self.pe_count() == 1
                && self.speed == Speed::FULL
                && self.is_up(),
        }
    }
}
