//! Commands that admit a person: who does it, by an administrator's password once there is an administrator.
//!
//! # Shape
//! Without an administrator the person at the command line sets the house up. With one, the command needs the
//! administrator's password, or a reason to do without: that is recorded, and the server raises an alarm.

use std::fs;
use std::io::{BufRead as _, IsTerminal as _, stdin};
use std::sync::Arc;

use meterhouse_edge::admission::NotAdmitted;
use meterhouse_edge::authorize;
use meterhouse_engine::access::{
    AccessControl, AccessError, BREAK_GLASS, BREAK_GLASS_PROOF, By, LoginRequest, Only, Vouching,
};
use meterhouse_journal::signing_keys::SigningKeys;
use meterhouse_journal::tree_head::PublicKey;
use meterhouse_store::{Store, StoreError};

use crate::announcer;
use crate::cli::AdministratorArgs;
use crate::database::Database;
use crate::failure::Failure;
use crate::settings::Settings;
use crate::signing_key::of_command;

/// What to do once there is an administrator.
const NAME_ONE: &str = "there is an administrator: name one with --as NAME, or give a reason with --break-glass REASON, which raises an alarm";

/// The part that the signing key has in a command.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum KeyUse {
    /// The key vouches for what the command makes, or for the administrator's password.
    Vouches,
    /// The command lists or ends something, and checks no password.
    None,
}

impl KeyUse {
    /// Returns the part in a command that only ends something: its administrator's password is checked.
    pub(crate) const fn of_end(by: &AdministratorArgs) -> Self {
        if by.administrator.is_some() {
            Self::Vouches
        } else {
            Self::None
        }
    }
}

/// Opens the access control of a database, with the server's key if the command needs it and there is one.
pub(crate) async fn open(
    database: &Database,
    settings: &Settings,
    key_use: KeyUse,
) -> Result<(AccessControl, Arc<Vouching>), Failure> {
    let store = &database.store;
    let announcements = announcer::announcements(&settings.announcement)?;
    let signing = &settings.signing;
    let key = match key_use {
        KeyUse::Vouches => of_command(signing, database)?,
        KeyUse::None => None,
    };
    if key_use == KeyUse::Vouches {
        check_key(store, key.as_ref().map(|key| key.public())).await?;
    }
    let vouching = Vouching::of(store, key, &signing.older_keys).await;
    let vouching = Arc::new(vouching.map_err(unreached)?);
    let access = AccessControl::new(store.clone(), Arc::clone(&vouching));
    let access = access.with_announcements(announcements);
    Ok((access, vouching))
}

/// Refuses a command without a key in a house that has one, or with a key that was ended: the servers would refuse what the
/// command makes.
async fn check_key(store: &Store, key: Option<PublicKey>) -> Result<(), Failure> {
    let identity = store.identity_bytes().await.map_err(unreached)?;
    let mut keys = SigningKeys::default();
    for entry in store.key_entries().await.map_err(unreached)? {
        // An entry that can't be read introduces no key. `verify` names it.
        drop(keys.add(&identity, &entry));
    }
    let Some(key) = key else {
        return match keys.all().iter().find(|known| known.ended_at.is_none()) {
            Some(known) => Err(Failure::Configuration(format!(
                "the key {} signs here, and this command has no key, so that what it makes would let nobody in: name the servers' key with signing.key_file or pkcs11.module, or end that key with `meterhouse key end` if no server has one any more",
                known.key
            ))),
            None => Ok(()),
        };
    };
    if keys.find(key).is_some_and(|known| known.ended_at.is_some()) {
        return Err(Failure::Configuration(format!(
            "the key {key} of this command was ended: name the servers' new key with signing.key_file or pkcs11.module, as `meterhouse key list` has it"
        )));
    }
    Ok(())
}

/// Returns who does it, and on which condition. The subject is the name that the command is about.
pub(crate) async fn identify(
    access: &AccessControl,
    args: &AdministratorArgs,
    subject: &str,
) -> Result<(By, Only), Failure> {
    let mut by = at_the_command_line();
    if let Some(reason) = &args.break_glass {
        by.proof = BREAK_GLASS_PROOF;
        by.details.push(("reason".to_owned(), reason.clone()));
        let recorded = access.record(by.act(BREAK_GLASS, Some(subject))).await;
        recorded.map_err(|error| Failure::database("could not record it", error))?;
        return Ok((by, Only::Always));
    }
    let Some(name) = &args.administrator else {
        let has_one = access.has_administrator().await;
        if has_one.map_err(|error| Failure::database("could not look for administrators", error))? {
            let mut refused = by.act("refused", Some("a command that names no administrator"));
            let about = ("about".to_owned(), subject.to_owned());
            refused.details.push(about);
            let recorded = access.record(refused).await;
            recorded.map_err(|error| Failure::database("could not record it", error))?;
            return Err(Failure::Usage(NAME_ONE.to_owned()));
        }
        return Ok((by, Only::WithoutAdministrator));
    };
    let password = match &args.password_file {
        Some(path) => fs::read_to_string(path).map_err(|error| {
            let path = path.display();
            Failure::Usage(format!("--password-file {path} can't be read: {error}"))
        })?,
        None => secret(&format!("password of {name}"))?,
    };
    by.name = Some(name.clone());
    by.proof = "password";
    let asked = LoginRequest {
        name,
        password: password.trim_end_matches(['\r', '\n']),
        code: args.administrator_code.as_deref(),
    };
    let caller = access.check_person(&by, asked).await;
    let caller = caller.map_err(|error| failure(error.into()))?;
    authorize::admit(&caller).map_err(|error| Failure::Usage(error.detail))?;
    by.actor = Some(caller.person.actor);
    Ok((by, Only::Always))
}

/// Returns a person at the command line, of whom only the account of this machine is known.
pub(crate) fn at_the_command_line() -> By {
    let user = nix::unistd::User::from_uid(nix::unistd::getuid());
    let user = user.ok().flatten().map(|user| user.name);
    let account = user.unwrap_or_else(|| nix::unistd::getuid().to_string());
    By {
        proof: "command line",
        details: vec![("account".to_owned(), account)],
        ..By::default()
    }
}

/// Reads a secret: unseen from a terminal, or a line of standard input.
pub(crate) fn secret(what: &str) -> Result<String, Failure> {
    let failed = |error| Failure::Usage(format!("the {what} can't be read: {error}"));
    if stdin().is_terminal() {
        return rpassword::prompt_password(format!("{what}: ")).map_err(failed);
    }
    let mut line = String::new();
    let read = stdin().lock().read_line(&mut line).map_err(failed)?;
    if read == 0 {
        return Err(Failure::Usage(format!(
            "the {what} is missing: write it as a line to standard input"
        )));
    }
    Ok(line.trim_end_matches(['\r', '\n']).to_owned())
}

/// Returns the failure of arguments that describe no person or program.
pub(crate) fn not_admitted(error: &NotAdmitted) -> Failure {
    Failure::Usage(format!("--{}{}", error.field, error.why))
}

/// Returns the failure of a change that was not made.
pub(crate) fn failure(error: AccessError) -> Failure {
    match error {
        AccessError::AdministratorExists => Failure::Usage(NAME_ONE.to_owned()),
        AccessError::NotExecuted(error) => Failure::database("could not change the access", error),
        AccessError::Differs(name) => Failure::Usage(format!(
            "the name {name:?} belongs to somebody with another role, table, link, department or rights: choose another name"
        )),
        AccessError::NotAnnounced(error) => Failure::NotAnnounced(format!(
            "{error}; check announcement.url and try again, or give a reason with --break-glass REASON, which raises an alarm"
        )),
        error => Failure::Usage(error.to_string()),
    }
}

fn unreached(error: StoreError) -> Failure {
    Failure::database("could not reach the people", error)
}
