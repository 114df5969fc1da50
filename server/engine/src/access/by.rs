//! Who does something, for the record of acts.

use meterhouse_domain::ids::ActorId;
use meterhouse_store::NewAct;

/// Proof of a command that does without an administrator.
pub const BREAK_GLASS_PROOF: &str = "break glass";

/// The person or program that does something, and how the server knows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct By {
    /// Number of the actor, if it is known.
    pub actor: Option<ActorId>,
    /// Name of the actor.
    pub name: Option<String>,
    /// Proof: `session`, `token`, `signature`, `password`, `pin`, `openid`, `code`, `command line` or
    /// [`BREAK_GLASS_PROOF`].
    pub proof: &'static str,
    /// Address of the client.
    pub address: Option<String>,
    /// Further facts, each with its name, such as a reason.
    pub details: Vec<(String, String)>,
}

impl By {
    /// Returns the act that this person or program did.
    pub fn act(&self, act: &'static str, subject: Option<&str>) -> NewAct {
        NewAct {
            act,
            actor: self.actor,
            name: self.name.clone(),
            proof: self.proof,
            address: self.address.clone(),
            subject: subject.map(str::to_owned),
            details: self.details.clone(),
        }
    }
}
