//! The checker: accepts a mapping and its lower bound only after repeating every step.
//!
//! It uses no solver, search or bound of the program, so that an error there cannot confirm itself.
//! Formulas are rebuilt from the instance. The trusted base is `model`, `formula`, `encodings`,
//! this module and the reader of the instance file. The format is described in
//! `docs/certificates.md`.

mod decimal;
mod explain;
mod file;
mod fillings;
mod leaf;
mod lrat;
mod pairs;
mod part;
mod prices;
mod steps;
mod text;
mod tokens;
mod tree;

use thiserror::Error;

pub use explain::explain;
pub use file::{
    Claim, FileVerdict, Unreadable, VerifyError, proofs_in, rounded_decimals, verify_file,
};
pub use lrat::{Fault, LratChecker, LratError};
pub use steps::{OpenProof, StepFault};

use gridsat_model::certificate::{Document, FORMAT, FORMAT_VERSION, InstanceRef, instance_digest};
use gridsat_model::text::on_one_line;
use gridsat_model::{HostId, Instance, Mapping, MappingError, Ticks};

/// What an accepted certificate proves. Only [`verify_certificate`] and [`verify_file`] give values
/// of this type away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accepted {
    makespan: Ticks,
    lower_bound: Ticks,
}

impl Accepted {
    /// The makespan of the certificate's mapping, in ticks.
    pub fn makespan(self) -> Ticks {
        self.makespan
    }

    /// No mapping has a makespan below this, in ticks.
    pub fn lower_bound(self) -> Ticks {
        self.lower_bound
    }

    /// Whether the mapping is proven optimal.
    pub fn is_optimal(self) -> bool {
        self.lower_bound == self.makespan
    }
}

/// Why a mapping or certificate is rejected.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the messages say what each field is")]
pub enum Rejection {
    #[error("format is {found:?}, expected {FORMAT:?}")]
    Format { found: String },
    #[error("format version is {found}, this program reads version {FORMAT_VERSION}")]
    Version { found: u32 },
    #[error("certificate is for {what} {}, the instance has {expected}", on_one_line(.found))]
    OtherInstance { what: &'static str, found: String, expected: String },
    #[error(transparent)]
    Mapping(#[from] MappingError),
    #[error("makespan is claimed to be {claimed}, but the mapping's is {found}")]
    Makespan { claimed: String, found: String },
    #[error("lower bound {lower_bound} exceeds the makespan {makespan} of the mapping")]
    BoundAboveMakespan { lower_bound: Ticks, makespan: Ticks },
    #[error("lower bound is claimed to be {claimed}, but the steps are for {proven}")]
    Unproven { claimed: Ticks, proven: u128 },
    #[error("step {index} refutes {k}, but the mapping has makespan {makespan}")]
    Contradiction { index: usize, k: Ticks, makespan: Ticks },
    #[error("step {index} ({rule}) does not refute {k}: {fault}")]
    Step { index: usize, rule: &'static str, k: Ticks, fault: StepFault },
}

/// The makespan of a bare mapping, given as one host number per task, if it is valid.
pub fn verify_mapping(instance: &Instance, hosts: Vec<u32>) -> Result<Ticks, Rejection> {
    let hosts = hosts.into_iter().map(HostId).collect();
    Ok(Mapping::new(instance, hosts)?.makespan())
}

/// Checks every statement of the certificate against the instance.
pub fn verify_certificate(
    instance: &Instance,
    certificate: &Document,
    open_proof: OpenProof,
) -> Result<Accepted, Rejection> {
    let mut chain = Chain::new(instance, certificate)?;
    certificate.steps.iter().try_for_each(|step| chain.add(step.k()))?;
    let claimed = chain.end()?;
    for (index, step) in certificate.steps.iter().enumerate() {
        let (rule, k) = (step.rule(), step.k());
        let wrong = |fault| Rejection::Step { index, rule, k, fault };
        steps::check(instance, step, open_proof).map_err(wrong)?;
    }
    Ok(claimed)
}

fn check_format(format: &str, version: u32) -> Result<(), Rejection> {
    if format != FORMAT {
        let found = format.to_owned();
        return Err(Rejection::Format { found });
    }
    if version != FORMAT_VERSION {
        return Err(Rejection::Version { found: version });
    }
    Ok(())
}

/// Compares sizes before the digest, because a difference in size is a clearer message.
fn check_instance(instance: &Instance, claimed: &InstanceRef) -> Result<(), Rejection> {
    let same = |what, found: String, expected: String| {
        if found == expected {
            return Ok(());
        }
        Err(Rejection::OtherInstance { what, found, expected })
    };
    let number =
        |what, found: usize, expected: usize| same(what, found.to_string(), expected.to_string());
    number("tasks", claimed.tasks, instance.task_count())?;
    number("hosts", claimed.hosts, instance.host_count())?;
    let decimals = instance.scale().decimals();
    number("decimals", claimed.decimals as usize, decimals as usize)?;
    same("parts", claimed.parts.to_string(), instance.scale().parts().to_string())?;
    same("SHA-256", claimed.sha256.clone(), instance_digest(instance))
}

fn check_mapping(instance: &Instance, certificate: &Document) -> Result<Ticks, Rejection> {
    let found = verify_mapping(instance, certificate.mapping.clone())?;
    if found == certificate.makespan {
        return Ok(found);
    }
    Err(Rejection::Makespan { claimed: certificate.makespan.to_string(), found: found.to_string() })
}

/// Everything but the steps themselves: whether they prove the lower bound if they hold. No step
/// may refute a k that the mapping, checked before, achieves; this also keeps every k within the
/// range of loads.
struct Chain {
    claimed: Accepted,
    steps: usize,
    last: Option<Ticks>,
}

impl Chain {
    /// Checks all of the certificate but its steps.
    fn new(instance: &Instance, certificate: &Document) -> Result<Self, Rejection> {
        check_format(&certificate.format, certificate.version)?;
        check_instance(instance, &certificate.instance)?;
        let makespan = check_mapping(instance, certificate)?;
        let lower_bound = certificate.lower_bound;
        if lower_bound > makespan {
            return Err(Rejection::BoundAboveMakespan { lower_bound, makespan });
        }
        Ok(Self { claimed: Accepted { makespan, lower_bound }, steps: 0, last: None })
    }

    /// The next step refutes k.
    fn add(&mut self, k: Ticks) -> Result<(), Rejection> {
        let (index, makespan) = (self.steps, self.claimed.makespan);
        if k >= makespan {
            return Err(Rejection::Contradiction { index, k, makespan });
        }
        self.steps += 1;
        self.last = Some(k);
        Ok(())
    }

    /// What is proven if all steps hold.
    fn end(self) -> Result<Accepted, Rejection> {
        let proven = self.last.map_or(0, |k| u128::from(k) + 1);
        let claimed = self.claimed.lower_bound;
        if proven != u128::from(claimed) {
            return Err(Rejection::Unproven { claimed, proven });
        }
        Ok(self.claimed)
    }
}
