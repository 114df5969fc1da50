//! Who does something, for the record of acts.

use meterhouse_domain::ids::ActorId;
use meterhouse_store::NewAct;

/// Proof of a command that does without an administrator.
pub const BREAK_GLASS_PROOF: &str = "break glass";

/// Words of all acts, as `docs/API.md` lists them.
pub const ACT_WORDS: [&str; 30] = [
    "login",
    "logout",
    "login_failed",
    "password_failed",
    "second_factor_missing",
    "second_factor_failed",
    "code_made",
    "password_set",
    "second_factor_set",
    "second_factor_removed",
    "openid_set",
    "openid_removed",
    "pin_set",
    "pin_removed",
    "signed",
    "signing_failed",
    "screen_paired",
    "screen_unpaired",
    "token_made",
    "tokens_revoked",
    "credentials_vouched",
    NOT_ANNOUNCED,
    "access_ended",
    "access_restored",
    "sessions_ended",
    "delay_ended",
    BREAK_GLASS,
    "request",
    "contradicted",
    "refused",
];
/// Word of the act of a command that admits a person without an administrator, though there is one.
pub const BREAK_GLASS: &str = "break_glass";
/// Word of the act of an access that was refused because it could not be announced.
pub(crate) const NOT_ANNOUNCED: &str = "not_announced";

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
        debug_assert!(ACT_WORDS.contains(&act), "{act} is not listed");
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
