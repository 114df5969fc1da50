//! `meterhouse user create | password | list | end | restore | end-sessions | remove-second-factor | remove-openid`

use meterhouse_api::time;
use meterhouse_edge::admission::{Admission, checked, checked_subject};
use meterhouse_engine::access::{AccessControl, NewActor, PasswordProof, PersonRow};
use meterhouse_engine::tokens::Role;

use crate::administrator::{
    KeyUse, at_the_command_line, failure, identify, not_admitted, open, secret,
};
use crate::cli::{AdministratorArgs, UserCommand};
use crate::database::{Access, Database};
use crate::failure::Failure;
use crate::output::outln;
use crate::settings::Settings;

pub(crate) async fn run(settings: &Settings, command: UserCommand) -> Result<(), Failure> {
    let database = Database::open(&settings.database, Access::Existing).await?;
    let done = async {
        let key_use = key_use(&command);
        let (access, _) = open(&database, settings, key_use).await?;
        let openid = settings.openid.as_ref();
        carry_out(
            &access,
            openid.map(|openid| openid.issuer.as_str()),
            command,
        )
        .await
    };
    let done = done.await;
    database.close().await;
    outln!("{}", done?);
    Ok(())
}

/// Returns the part that the signing key has in a command.
const fn key_use(command: &UserCommand) -> KeyUse {
    match command {
        UserCommand::Create { .. } | UserCommand::Password { .. } => KeyUse::Vouches,
        UserCommand::List => KeyUse::None,
        UserCommand::End { by, .. }
        | UserCommand::Restore { by, .. }
        | UserCommand::EndSessions { by, .. }
        | UserCommand::RemoveSecondFactor { by, .. }
        | UserCommand::RemoveOpenid { by, .. } => KeyUse::of_end(by),
    }
}

async fn carry_out(
    access: &AccessControl,
    issuer: Option<&str>,
    command: UserCommand,
) -> Result<String, Failure> {
    match command {
        UserCommand::Create {
            name,
            role,
            department,
            rights,
            openid_subject,
            by,
        } => {
            let who = person(name, &role, department, rights)?;
            match openid_subject {
                Some(subject) => {
                    let issuer = issuer.ok_or_else(no_provider)?;
                    create_with_openid(access, who, (issuer, &subject), &by).await
                }
                None => create(access, who, &by).await,
            }
        }
        UserCommand::Password {
            name,
            old,
            second_factor,
        } => {
            let second_factor = second_factor.as_deref();
            password(access, &name, old, second_factor).await
        }
        UserCommand::List => list(access).await,
        UserCommand::End { name, reason, by } => {
            let (mut by, only) = identify(access, &by, &name).await?;
            by.details.push(("reason".to_owned(), reason));
            let ended = access.set_access(&by, only, &name, true).await;
            ended.map_err(failure)?;
            Ok(format!(
                "{name} can't come in any more: all sessions and tokens are worthless"
            ))
        }
        UserCommand::Restore { name, by } => {
            let (by, only) = identify(access, &by, &name).await?;
            let restored = access.set_access(&by, only, &name, false).await;
            restored.map_err(failure)?;
            Ok(format!(
                "{name} may come in again, with the password or a new token"
            ))
        }
        UserCommand::EndSessions { name, by } => {
            let (by, only) = identify(access, &by, &name).await?;
            let ended = access.end_sessions(&by, only, &name).await;
            let ended = ended.map_err(failure)?;
            Ok(format!("{ended} sessions of {name} are ended"))
        }
        UserCommand::RemoveSecondFactor { name, by } => {
            let (by, only) = identify(access, &by, &name).await?;
            let removed = access.remove_factor(&by, only, &name).await;
            removed.map_err(failure)?;
            Ok(format!("{name} logs in without a code from now on"))
        }
        UserCommand::RemoveOpenid { name, by } => {
            let (by, only) = identify(access, &by, &name).await?;
            let removed = access.remove_openid(&by, only, &name).await;
            removed.map_err(failure)?;
            Ok(format!(
                "{name} can't log in by OpenID Connect any more, and all sessions are ended"
            ))
        }
    }
}

/// Returns a person to admit.
fn person(
    name: String,
    role: &str,
    department: Option<String>,
    rights: Option<String>,
) -> Result<NewActor, Failure> {
    let role: Result<Role, _> = role.parse();
    let role = role.ok().filter(|role| role.is_person()).ok_or_else(|| {
        Failure::Usage(
            "--role: people are supervisor, manager, auditor or administrator; programs get a token with `meterhouse token create`"
                .to_owned(),
        )
    })?;
    let who = checked(Admission {
        name,
        role,
        table: None,
        link: None,
        department,
        rights,
    });
    who.map_err(|error| not_admitted(&error))
}

fn no_provider() -> Failure {
    Failure::Usage(
        "--openid-subject is for a house whose settings name a provider: set openid.issuer and its neighbours"
            .to_owned(),
    )
}

async fn create_with_openid(
    access: &AccessControl,
    who: NewActor,
    (issuer, subject): (&str, &str),
    by: &AdministratorArgs,
) -> Result<String, Failure> {
    let checked = checked_subject(issuer, subject);
    let subject =
        checked.map_err(|error| Failure::Usage(format!("--openid-subject{}", error.why)))?;
    let (by, only) = identify(access, by, &who.name).await?;
    let name = who.name.clone();
    let done = format!(
        "{name} logs in by OpenID Connect, as {} of {issuer}",
        subject.subject
    );
    let set = access.set_openid(&by, only, who, subject).await;
    set.map_err(failure)?;
    Ok(done)
}

async fn create(
    access: &AccessControl,
    who: NewActor,
    by: &AdministratorArgs,
) -> Result<String, Failure> {
    let name = who.name.clone();
    let (by, only) = identify(access, by, &who.name).await?;
    let made = access.new_code(&by, only, who).await.map_err(failure)?;
    Ok(format!(
        "{}\nthe code of {name}, good once until {}: {name} sets a password with it, by PUT /v1/password or with `meterhouse user password {name}`",
        made.code,
        time::text(made.expires_at)
    ))
}

async fn password(
    access: &AccessControl,
    name: &str,
    is_old: bool,
    second_factor: Option<&str>,
) -> Result<String, Failure> {
    let shown = secret(if is_old { "old password" } else { "code" })?;
    let new = secret("new password")?;
    let proof = if is_old {
        PasswordProof::Old {
            password: &shown,
            second_factor,
        }
    } else {
        PasswordProof::Code(&shown)
    };
    let by = at_the_command_line();
    let set = access.set_password(&by, name, proof, &new).await;
    set.map_err(failure)?;
    Ok(format!(
        "{name} has a new password, and all earlier sessions are ended"
    ))
}

async fn list(access: &AccessControl) -> Result<String, Failure> {
    let mut lines: Vec<String> = Vec::new();
    let mut after = String::new();
    loop {
        let page = access.people(&after, u32::MAX).await;
        let page = page.map_err(|error| Failure::database("could not reach the people", error))?;
        lines.extend(page.items.iter().map(line));
        let Some(next) = page.next else { break };
        after = next;
    }
    Ok(if lines.is_empty() {
        "nobody was admitted yet: `meterhouse user create` admits a person".to_owned()
    } else {
        lines.join("\n")
    })
}

fn line(row: &PersonRow) -> String {
    let who = &row.actor.who;
    let state = match (&row.password, &row.openid) {
        _ if row.is_ended => "ended",
        (None, None) => "no password",
        (None, Some(_)) => "openid",
        (Some(_), None) if row.factor.is_some() => "password and code",
        (Some(_), None) => "password",
        (Some(_), Some(_)) => "password or openid",
    };
    let seen = row.seen_at.map_or_else(
        || "never logged in".to_owned(),
        |at| format!("seen {}", time::text(at)),
    );
    format!(
        "{:<32} {:<14} {:<16} {:<16} {state:<18} {seen}",
        who.name,
        who.role,
        who.department.as_deref().unwrap_or_default(),
        who.rights.as_deref().unwrap_or_default(),
    )
}
