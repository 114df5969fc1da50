//! `meterhouse token create | list | revoke | vouch`

use std::time::Duration;

use meterhouse_api::time;
use meterhouse_domain::ids::Timestamp;
use meterhouse_edge::admission::{Admission, checked};
use meterhouse_engine::access::{AccessControl, AccessError, Only, Vouching};
use meterhouse_engine::clock::now;
use meterhouse_engine::tokens::{self, Role};
use meterhouse_store::{NewActor, Store, TokenRow};

use crate::administrator::{KeyUse, at_the_command_line, failure, identify, not_admitted, open};
use crate::cli::{AdministratorArgs, TokenCommand};
use crate::database::{Access, Database};
use crate::failure::Failure;
use crate::output::outln;
use crate::settings::Settings;

/// Shortest and longest validity of a token: a second and ten years.
const EXPIRES_LEAST: Duration = Duration::from_secs(1);
const EXPIRES_MOST: Duration = Duration::from_hours(10 * 366 * 24);

pub(crate) async fn run(settings: &Settings, command: TokenCommand) -> Result<(), Failure> {
    let checked = Checked::new(command)?;
    let database = Database::open(&settings.database, Access::Existing).await?;
    let done = async {
        let (access, vouching) = open(&database, settings, checked.key_use()).await?;
        checked.carry_out(&database.store, &access, &vouching).await
    };
    let done = done.await;
    database.close().await;
    outln!("{}", done?);
    Ok(())
}

/// Creates a token of a participant in a demo or a load.
pub(crate) async fn token_of(
    access: &AccessControl,
    who: &NewActor,
    expires_at: Option<Timestamp>,
) -> Result<String, Failure> {
    let by = at_the_command_line();
    let made = access.new_token(&by, Only::Always, who.clone(), expires_at);
    made.await.map_err(failure)
}

/// A command with valid arguments.
enum Checked {
    Create {
        who: NewActor,
        expires_at: Option<Timestamp>,
        by: AdministratorArgs,
    },
    List,
    Revoke {
        name: String,
        by: AdministratorArgs,
    },
    Vouch {
        by: AdministratorArgs,
    },
}

impl Checked {
    fn new(command: TokenCommand) -> Result<Self, Failure> {
        Ok(match command {
            TokenCommand::Create {
                name,
                role,
                table,
                link,
                department,
                rights,
                expires,
                by,
            } => {
                let role: Result<Role, _> = role.parse();
                let role = role.map_err(|error| Failure::Usage(format!("--role: {error}")))?;
                let who = checked(Admission {
                    name,
                    role,
                    table,
                    link,
                    department,
                    rights,
                });
                Self::Create {
                    who: who.map_err(|error| not_admitted(&error))?,
                    expires_at: expires.map(expiry).transpose()?,
                    by,
                }
            }
            TokenCommand::List => Self::List,
            TokenCommand::Revoke { name, by } => Self::Revoke { name, by },
            TokenCommand::Vouch { by } => Self::Vouch { by },
        })
    }

    /// Returns the part that the signing key has in the command.
    const fn key_use(&self) -> KeyUse {
        match self {
            Self::Create { .. } | Self::Vouch { .. } => KeyUse::Vouches,
            Self::List => KeyUse::None,
            Self::Revoke { by, .. } => KeyUse::of_end(by),
        }
    }

    async fn carry_out(
        self,
        store: &Store,
        access: &AccessControl,
        vouching: &Vouching,
    ) -> Result<String, Failure> {
        let failed = |error| Failure::database("could not reach the tokens", error);
        match self {
            Self::Create {
                who,
                expires_at,
                by,
            } => {
                if let Some(table) = &who.table_name
                    && store.find_table(table).await.map_err(failed)?.is_none()
                {
                    return Err(Failure::Usage(format!(
                        "there is no table {table}: a manager lets it join a link first"
                    )));
                }
                let (by, only) = identify(access, &by, &who.name).await?;
                let made = access.new_token(&by, only, who, expires_at).await;
                made.map_err(failure)
            }
            Self::List => {
                let rows = tokens::list(store).await.map_err(failed)?;
                Ok(if rows.is_empty() {
                    "nobody has a token yet: `meterhouse token create` makes one".to_owned()
                } else {
                    rows.iter().map(line).collect::<Vec<_>>().join("\n")
                })
            }
            Self::Revoke { name, by } => {
                let (by, only) = identify(access, &by, &name).await?;
                match access.revoke_tokens(&by, only, &name).await {
                    Ok(0) | Err(AccessError::UnknownName(_)) => Err(Failure::Usage(format!(
                        "{name} has no token that could be revoked"
                    ))),
                    Ok(1) => Ok(format!("the token of {name} is worthless now")),
                    Ok(count) => Ok(format!("{count} tokens of {name} are worthless now")),
                    Err(error) => Err(failure(error)),
                }
            }
            Self::Vouch { by } => vouch(access, vouching, &by).await,
        }
    }
}

/// Vouches for the tokens, passwords and codes that were made before the house had a key.
async fn vouch(
    access: &AccessControl,
    vouching: &Vouching,
    by: &AdministratorArgs,
) -> Result<String, Failure> {
    if !vouching.is_enforced() {
        return Err(Failure::Configuration(
            "there is no signing key: set signing.key_file, or start the server once, which makes one for a private Postgres"
                .to_owned(),
        ));
    }
    let (by, only) = identify(access, by, "stored credentials").await?;
    let found = access.vouch_for_stored(&by, only).await.map_err(failure)?;
    let told = if found.vouched.is_empty() {
        "no valid token, password or code is without a voucher".to_owned()
    } else {
        let (count, names) = (found.vouched.len(), found.vouched.join(", "));
        format!(
            "the signing key vouches for {count} more, the {names}: revoke and end those that you don't know"
        )
    };
    if found.refused.is_empty() {
        return Ok(told);
    }
    let names = found.refused.join(", ");
    Ok(format!(
        "{told}\nstill refused, because the voucher is of a key that is not accepted or of another owner, the {names}: name an older key in signing.older_keys, or make them again"
    ))
}

fn line(row: &TokenRow) -> String {
    let who = &row.actor.who;
    let bound = who.table_name.as_ref().or(who.link_name.as_ref());
    let state = match (row.revoked_at, row.expires_at) {
        (Some(_), _) => "revoked",
        (None, Some(at)) if at <= now() => "expired",
        (None, Some(at)) => &format!("expires {}", time::text(at)),
        (None, None) => "good",
    };
    format!(
        "{:<32} {:<14} {:<32} {:<16} {:<16} {state}",
        who.name,
        who.role,
        bound.map_or("", |name| name.as_str()),
        who.department.as_deref().unwrap_or_default(),
        who.rights.as_deref().unwrap_or_default(),
    )
}

/// Returns the time at which a token with this validity ends.
fn expiry(length: Duration) -> Result<Timestamp, Failure> {
    if !(EXPIRES_LEAST..=EXPIRES_MOST).contains(&length) {
        return Err(Failure::Usage(
            "--expires: a token is good for one second at least and for ten years at most, as in 90d, 12h or 1h30m"
                .to_owned(),
        ));
    }
    let micros = i64::try_from(length.as_micros()).unwrap_or(i64::MAX);
    Ok(Timestamp(now().0.saturating_add(micros)))
}
