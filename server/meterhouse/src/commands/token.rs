//! `meterhouse token create | list | revoke`

use std::time::Duration;

use meterhouse_api::time;
use meterhouse_domain::ids::{Badge, Department, Timestamp};
use meterhouse_edge::policy::{Binding, can_be_given, check_given, holds, needs_two_people};
use meterhouse_engine::clock::now;
use meterhouse_engine::tokens::{self, GivenRights, Right, Role};
use meterhouse_store::{NewActor, Store, StoreError, TokenRow};

use crate::cli::TokenCommand;
use crate::database::{Access, Database};
use crate::failure::Failure;
use crate::output::outln;
use crate::settings::DatabaseSettings;

/// Shortest and longest validity of a token: a second and ten years.
const EXPIRES_LEAST: Duration = Duration::from_secs(1);
const EXPIRES_MOST: Duration = Duration::from_hours(10 * 366 * 24);

pub(crate) async fn run(args: &DatabaseSettings, command: TokenCommand) -> Result<(), Failure> {
    let checked = Checked::new(command)?;
    let database = Database::open(args, Access::Existing).await?;
    let done = checked.carry_out(&database.store).await;
    database.close().await;
    outln!("{}", done?);
    Ok(())
}

/// Creates a token of a participant in a demo or a load.
pub(crate) async fn token_of(
    store: &Store,
    who: &NewActor,
    expires_at: Option<Timestamp>,
) -> Result<String, Failure> {
    let failed =
        |error| Failure::database(format!("could not make the token of {}", who.name), error);
    tokens::create(store, who, expires_at).await.map_err(failed)
}

/// A command with valid arguments.
enum Checked {
    Create {
        who: NewActor,
        expires_at: Option<Timestamp>,
    },
    List,
    Revoke {
        name: String,
    },
}

impl Checked {
    fn new(command: TokenCommand) -> Result<Self, Failure> {
        let usage = |text: String| Failure::Usage(text);
        Ok(match command {
            TokenCommand::Create {
                name,
                role,
                table,
                link,
                department,
                rights,
                expires,
            } => {
                let _: Badge = name
                    .parse()
                    .map_err(|error| usage(format!("--name: {error}")))?;
                let role: Role = role
                    .parse()
                    .map_err(|error| usage(format!("--role: {error}")))?;
                if (role == Role::Controller) != table.is_some() {
                    return Err(usage(
                        "a controller commands one table: --role controller and --table go together".into(),
                    ));
                }
                if link.is_some() && role != Role::Display {
                    return Err(usage("--link is for the role display".into()));
                }
                checked_department(role, department.as_deref()).map_err(usage)?;
                let rights = checked_rights(role, rights.as_deref()).map_err(usage)?;
                let expires_at = expires.map(expiry).transpose()?;
                let role = role.name().to_owned();
                let who = NewActor {
                    name,
                    role,
                    table_name: table,
                    link_name: link,
                    department,
                    rights,
                };
                Self::Create { who, expires_at }
            }
            TokenCommand::List => Self::List,
            TokenCommand::Revoke { name } => Self::Revoke { name },
        })
    }

    async fn carry_out(self, store: &Store) -> Result<String, Failure> {
        let failed = |error| Failure::database("could not reach the tokens", error);
        match self {
            Self::Create { who, expires_at } => {
                if let Some(table) = &who.table_name
                    && store.find_table(table).await.map_err(failed)?.is_none()
                {
                    return Err(Failure::Usage(format!(
                        "there is no table {table}: a manager lets it join a link first"
                    )));
                }
                match tokens::create(store, &who, expires_at).await {
                    Ok(token) => Ok(token),
                    Err(error @ StoreError::ActorDiffers { .. }) => {
                        Err(Failure::Usage(error.to_string()))
                    }
                    Err(error) => Err(failed(error)),
                }
            }
            Self::List => {
                let rows = tokens::list(store).await.map_err(failed)?;
                Ok(if rows.is_empty() {
                    "nobody has a token yet: `meterhouse token create` makes one".to_owned()
                } else {
                    rows.iter().map(line).collect::<Vec<_>>().join("\n")
                })
            }
            Self::Revoke { name } => {
                match store.revoke_tokens(&name, now()).await.map_err(failed)? {
                    0 => Err(Failure::Usage(format!(
                        "{name} has no token that could be revoked"
                    ))),
                    1 => Ok(format!("the token of {name} is worthless now")),
                    count => Ok(format!("{count} tokens of {name} are worthless now")),
                }
            }
        }
    }
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
        "{:<32} {:<12} {:<32} {:<16} {:<16} {state}",
        who.name,
        who.role,
        bound.map_or("", |name| name.as_str()),
        who.department.as_deref().unwrap_or_default(),
        who.rights.as_deref().unwrap_or_default(),
    )
}

/// Checks if a token of this role may have this department.
fn checked_department(role: Role, department: Option<&str>) -> Result<(), String> {
    let Some(department) = department else {
        return Ok(());
    };
    let is_one_of_two = |role| {
        Right::ALL
            .into_iter()
            .any(|right| needs_two_people(right) && holds(role, Binding::House, right))
    };
    if !is_one_of_two(role) {
        return Err(format!(
            "--department is for the roles {}",
            listed(is_one_of_two)
        ));
    }
    let parsed: Result<Department, _> = department.parse();
    parsed
        .map(|_| ())
        .map_err(|error| format!("--department: {error}"))
}

/// Returns the rights of a person who has fewer than the role, in the form of the database.
fn checked_rights(role: Role, rights: Option<&str>) -> Result<Option<String>, String> {
    let Some(rights) = rights else {
        return Ok(None);
    };
    let parsed: Result<GivenRights, _> = rights.parse();
    let given = parsed.map_err(|error| format!("--rights: {error}"))?;
    check_given(role, &given).map_err(|right| {
        let can = givable(role);
        if can.is_empty() {
            let roles = listed(|role| !givable(role).is_empty());
            return format!("--rights is for the roles {roles}");
        }
        format!(
            "--rights: a {} can't be given {right}, only {}",
            role.name(),
            can.join(", ")
        )
    })?;
    Ok(Some(given.to_string()))
}

/// Returns the names of the rights that a person of this role can be given.
fn givable(role: Role) -> Vec<&'static str> {
    let can = |right: &Right| can_be_given(*right) && holds(role, Binding::House, *right);
    let rights = Right::ALL.into_iter().filter(can);
    rights.map(Right::name).collect()
}

/// Returns the names of some roles, as a sentence lists them.
fn listed(is_listed: impl Fn(Role) -> bool) -> String {
    let roles = Role::ALL.into_iter().filter(|role| is_listed(*role));
    let names: Vec<&str> = roles.map(Role::name).collect();
    names.join(" and ")
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
