//! The part of each resource's state that most decisions use.

use super::Resource;
use super::times::nearest;
use crate::work::Speed;
use gridsat_engine::time::Time;
use gridsat_model::Ticks;
use gridsat_workload::Unit;

/// The part of a resource's state that most decisions use. Decisions read it for every resource, so
/// it is stored separately and compactly, and updated after every change.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Front {
    ticks_per_instruction: f64,
    /// Estimated end of the running job, and the time that the queue takes after it.
    end: Time,
    queued: Ticks,
    /// Jobs below this QoS level can run, if they need instructions.
    levels: u32,
    /// Whether this describes the resource completely: one space-shared PE at full speed.
    is_queue: bool,
}

impl Front {
    /// Time of a job of this many instructions; `None` if it cannot run here.
    #[inline]
    pub(crate) fn time(&self, qos: u32, instructions: f64) -> Option<Ticks> {
        (qos < self.levels).then(|| nearest(instructions * self.ticks_per_instruction))
    }

    /// Jobs below this QoS level can run, if they need no more than instructions.
    pub(crate) fn levels(&self) -> u32 {
        self.levels
    }

    /// Ticks per instruction.
    #[inline]
    pub(crate) fn pace(&self) -> f64 {
        self.ticks_per_instruction
    }

    /// Estimated end of what it has, if this describes the resource completely.
    #[inline]
    pub(crate) fn free(&self) -> Option<Time> {
        self.is_queue.then(|| self.end + self.queued)
    }

    /// Only the fixed properties.
    pub(crate) fn without_state(self) -> Self {
        Self { is_queue: false, ..self }
    }

    /// Estimated ticks until it is free, if this describes the resource completely.
    #[inline]
    pub(crate) fn delay(&self, now: Time) -> Option<Ticks> {
        self.is_queue.then(|| (self.end - now).saturating_add(self.queued))
    }
}

#[cfg(test)]
impl Front {
    /// One queue for jobs without QoS, or a resource that is more than that.
    pub(super) fn of_queue(pace: f64, end: Time, queued: Ticks, is_queue: bool) -> Self {
        Self { ticks_per_instruction: pace, end, queued, levels: 1, is_queue }
    }

    /// The same resource with other ticks per instruction.
    pub(super) fn with_pace(self, ticks_per_instruction: f64) -> Self {
        Self { ticks_per_instruction, ..self }
    }
}

impl Resource {
    /// Whether the part of the state that most decisions use ever changes.
    #[inline]
    pub(crate) fn has_changing_front(&self) -> bool {
        self.is_single_queue
    }

    /// The part of the state that most decisions use.
    pub(crate) fn front(&self) -> Front {
        let mut front = Front {
            ticks_per_instruction: self.ticks_per_instruction,
            end: Time::ZERO,
            queued: Ticks(0),
            levels: match self.spec.serves {
                Unit::Instructions => self.spec.qos.saturating_add(1),
                Unit::Operations => 0,
            },
            is_queue: false,
        };
        self.update(&mut front);
        front
    }

    /// Brings a front of this resource up to date.
    #[inline]
    pub(crate) fn update(&self, front: &mut Front) {
        (front.end, front.queued) = self.belief().of_one();
        front.is_queue = self.is_single_queue
            && self.speed == Speed::FULL
            && self.is_up()
            && self.coming().is_empty();
    }
}
