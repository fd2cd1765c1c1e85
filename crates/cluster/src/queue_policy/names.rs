//! Names of policies: as in Beosim, and in lower case with hyphens.

use gridsat_model::names;

use super::{QueueOrder, QueuePolicy};

/// Default budget of FCFS_SCANBackfill_Var, in percent.
const DELAY_PERCENT: u32 = 10;
/// Default limit of FCFS_SCANNoStarvation.
const MAX_HOPS: u32 = 10;

impl QueueOrder {
    fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Fcfs => ("FCFS", "fcfs"),
            Self::Sjf => ("SJF", "sjf"),
            Self::Longest => ("Longest", "longest"),
            Self::Ljf => ("LJF", "ljf"),
            Self::Smjf => ("SMJF", "smjf"),
            Self::Bjf => ("BJF", "bjf"),
            Self::Swjf => ("SWJF", "swjf"),
            Self::Priority => ("Priority", "priority"),
            Self::Edf => ("EDF", "edf"),
        }
    }
}

impl QueuePolicy {
    /// All built-in policies, with default parameters: 10 %, 10 hops, work is kept.
    pub fn all() -> Vec<Self> {
        let orders = QueueOrder::ALL.into_iter();
        let mut all: Vec<Self> =
            orders.flat_map(|order| [Self::Plain(order), Self::Scan(order)]).collect();
        all.extend([
            Self::Backfill { delay_percent: 0 },
            Self::Backfill { delay_percent: DELAY_PERCENT },
            Self::NoStarvation { max_hops: MAX_HOPS },
            Self::Preemptive { keeps_work: true },
            Self::Easy,
            Self::Conservative,
        ]);
        all
    }

    /// The name in Beosim, or the usual one if Beosim does not have the policy.
    pub fn beosim_name(self) -> String {
        let [name, _] = self.names();
        name
    }

    /// The name in files and on the command line.
    pub fn name(self) -> String {
        let [_, name] = self.names();
        name
    }

    /// The names in Beosim and in files.
    fn names(self) -> [String; 2] {
        let names = match self {
            Self::Plain(order) => order.names(),
            Self::Scan(order) => {
                let (beosim, file) = order.names();
                return [format!("{beosim}_SCAN"), format!("{file}-scan")];
            }
            Self::NoStarvation { .. } => ("FCFS_SCANNoStarvation", "fcfs-scan-no-starvation"),
            Self::Backfill { delay_percent: 0 } => ("FCFS_SCANBackfill", "fcfs-scan-backfill"),
            Self::Backfill { .. } => ("FCFS_SCANBackfill_Var", "fcfs-scan-backfill-var"),
            Self::Easy => ("EASY", "easy"),
            Self::Conservative => ("Conservative", "conservative"),
            Self::Preemptive { .. } => ("Pre_Emptive", "preemptive"),
            Self::Own(rule) => (rule.0.name(), rule.0.name()),
        };
        [names.0.to_owned(), names.1.to_owned()]
    }

    /// The policy with either name, compared as by [`names::fold`], with the defaults of
    /// [`QueuePolicy::all`].
    pub fn named(name: &str) -> Option<Self> {
        names::find(Self::all(), |policy| policy.names(), name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_policy_is_found_by_both_names() {
        let all = QueuePolicy::all();
        assert_eq!(all.len(), 24);
        for policy in all {
            assert_eq!(QueuePolicy::named(&policy.name()), Some(policy));
            assert_eq!(QueuePolicy::named(&policy.beosim_name()), Some(policy));
        }
        assert_eq!(QueuePolicy::named("SJF_SCAN"), Some(QueuePolicy::Scan(QueueOrder::Sjf)));
        assert_eq!(QueuePolicy::named("Sjf Scan"), Some(QueuePolicy::Scan(QueueOrder::Sjf)));
        assert_eq!(QueuePolicy::named("cfs"), None);
    }
}
