//! `meterhouse key create | list | introduce | end`

use std::path::Path;
use std::sync::Arc;

use meterhouse_api::time;
use meterhouse_domain::ids::Timestamp;
use meterhouse_engine::clock::now;
use meterhouse_engine::error_chain::ErrorChain;
use meterhouse_engine::signing::{HeadKey, SIGN_WAIT};
use meterhouse_journal::house::{HouseFact, Vouched, key_statement};
use meterhouse_journal::signing_keys::{KnownKey, SigningKeys};
use meterhouse_journal::tree_head::PublicKey;
use meterhouse_store::{Store, StoreError};

use crate::cli::KeyCommand;
use crate::database::{Access, Database};
use crate::failure::Failure;
use crate::output::outln;
use crate::settings::{Settings, SigningSettings};
use crate::signing_key::{create, in_device, read};

pub(crate) async fn run(settings: &Settings, command: KeyCommand) -> Result<(), Failure> {
    let command = match command {
        KeyCommand::Create { to } => {
            let key = create(&to)?;
            let (path, key) = (to.display(), key.public());
            outln!("{path}: a new key; give every node this file, and nobody else");
            outln!("public key {key}: give it to those who check your proofs");
            return Ok(());
        }
        command => command,
    };
    let database = Database::open(&settings.database, Access::Existing).await?;
    let done = carry_out(&database.store, &settings.signing, command).await;
    database.close().await;
    outln!("{}", done?);
    Ok(())
}

async fn carry_out(
    store: &Store,
    signing: &SigningSettings,
    command: KeyCommand,
) -> Result<String, Failure> {
    let keys = Keys::read(store).await?;
    match command {
        KeyCommand::Create { .. } => Ok(String::new()),
        KeyCommand::List => Ok(keys.listed()),
        KeyCommand::Introduce {
            key_file,
            old,
            old_device,
        } => {
            let old = match (&old, old_device) {
                (Some(path), _) => Some(Arc::new(read(path)?) as Arc<dyn HeadKey>),
                (None, true) => Some(device(signing)?),
                (None, false) => None,
            };
            keys.introduce(store, &key_file, old.as_deref()).await
        }
        KeyCommand::End {
            key,
            compromised_since,
        } => keys.end(store, &key, compromised_since.as_deref()).await,
    }
}

/// The keys of the house's chain.
struct Keys {
    identity: [u8; 16],
    /// Number of entries about keys.
    seen: usize,
    known: SigningKeys,
}

impl Keys {
    async fn read(store: &Store) -> Result<Self, Failure> {
        let identity = store.identity_bytes().await.map_err(unread)?;
        let entries = store.key_entries().await.map_err(unread)?;
        let mut known = SigningKeys::default();
        for entry in &entries {
            known.add(&identity, entry).map_err(|error| {
                let number = entry.number;
                Failure::Configuration(format!(
                    "entry {number} of the house's chain can't be read ({error}): run `meterhouse verify`"
                ))
            })?;
        }
        Ok(Self {
            identity,
            seen: entries.len(),
            known,
        })
    }

    fn listed(&self) -> String {
        if self.known.all().is_empty() {
            return "no key signs here yet: set signing.key_file to the file of one, and start the server"
                .to_owned();
        }
        let lines: Vec<String> = self.known.all().iter().map(line).collect();
        lines.join("\n")
    }

    async fn introduce(
        &self,
        store: &Store,
        key_file: &Path,
        old: Option<&dyn HeadKey>,
    ) -> Result<String, Failure> {
        let key = public_key(key_file)?;
        if self.known.find(key).is_some() {
            return Err(Failure::Usage(format!(
                "{key} was introduced before: see `meterhouse key list`"
            )));
        }
        let at = now();
        let vouched = match old {
            Some(old) => Some(self.vouched(old, key, at)?),
            None => None,
        };
        let by = vouched.as_ref().map(|vouched| vouched.by);
        let fact = HouseFact::SigningKey {
            key,
            introduced_at: at,
            vouched,
        };
        self.add(store, at, fact).await?;
        Ok(match by {
            Some(by) => format!(
                "{key} is introduced, and {by} vouches for it: restart every node with signing.key_file {}, then end the old key",
                key_file.display()
            ),
            None => format!(
                "{key} is introduced, and no earlier key vouches for it: give it to those who check your proofs, and restart every node with signing.key_file {}",
                key_file.display()
            ),
        })
    }

    /// Returns the old key's signature for a new one.
    fn vouched(
        &self,
        old: &dyn HeadKey,
        key: PublicKey,
        at: Timestamp,
    ) -> Result<Vouched, Failure> {
        let by = old.public();
        let known = self.known.find(by);
        if known.is_none_or(|known| known.why_not_at(at).is_some()) {
            return Err(Failure::Usage(format!(
                "--old: {by} signs nothing here, or was ended: see `meterhouse key list`"
            )));
        }
        let signature = old.sign(&key_statement(&self.identity, key, at), SIGN_WAIT);
        let signature =
            signature.map_err(|error| Failure::Configuration(format!("{}", ErrorChain(&error))))?;
        Ok(Vouched { by, signature })
    }

    async fn end(
        &self,
        store: &Store,
        key: &str,
        compromised_since: Option<&str>,
    ) -> Result<String, Failure> {
        let key: PublicKey = key
            .parse()
            .map_err(|error| Failure::Usage(format!("KEY: {error}")))?;
        if self.known.find(key).is_none() {
            return Err(Failure::Usage(format!(
                "{key} was never introduced here: see `meterhouse key list`"
            )));
        }
        let since = compromised_since.map(|text| {
            time::parse(text).ok_or_else(|| {
                Failure::Usage(format!(
                    "--compromised-since: {text:?} is no time: write it as 2026-11-24T12:00:00Z"
                ))
            })
        });
        let compromised_since = since.transpose()?;
        let at = now();
        let fact = HouseFact::SigningKeyEnded {
            key,
            ended_at: at,
            compromised_since,
        };
        self.add(store, at, fact).await?;
        Ok(match compromised_since {
            Some(since) => format!(
                "{key} is ended, and nothing that it signed from {} on proves anything: tell those who check your proofs",
                time::text(since)
            ),
            None => format!("{key} is ended: what it signed until now stays proven"),
        })
    }

    async fn add(&self, store: &Store, at: Timestamp, fact: HouseFact) -> Result<(), Failure> {
        let added = store.add_key_fact(at, self.seen, &fact).await;
        if added.map_err(unread)? {
            return Ok(());
        }
        Err(Failure::InUse(
            "somebody else changed the keys at the same moment: look at `meterhouse key list`, and run the command again"
                .to_owned(),
        ))
    }
}

/// Returns the key of the device in the settings.
fn device(signing: &SigningSettings) -> Result<Arc<dyn HeadKey>, Failure> {
    let device = signing.device.as_ref().ok_or_else(|| {
        Failure::Usage("--old-device: the settings name no device; see pkcs11.module".to_owned())
    });
    in_device(device?)
}

/// Reads the public key of a file: its own, or that of the secret key in it.
fn public_key(path: &Path) -> Result<PublicKey, Failure> {
    let public = std::fs::read_to_string(path).ok();
    match public.and_then(|text| text.parse().ok()) {
        Some(public) => Ok(public),
        None => Ok(read(path)?.public()),
    }
}

fn unread(error: StoreError) -> Failure {
    Failure::database("could not reach the keys", error)
}

fn line(known: &KnownKey) -> String {
    let introduced = time::text(known.introduced_at);
    let by = known.vouched_by.map_or_else(
        || "no earlier key vouches for it".to_owned(),
        |by| format!("{by} vouches for it"),
    );
    let state = match (known.compromised_since, known.ended_at) {
        (Some(since), _) => format!("compromised since {}", time::text(since)),
        (None, Some(at)) => format!("ended {}", time::text(at)),
        (None, None) => "signs".to_owned(),
    };
    format!("{}  {state}; introduced {introduced}; {by}", known.key)
}
