//! The tables on a stream.
//!
//! # Shape
//! A table's handle is its number in the order of attaching, from 1. A missing handle is 0 and
//! names no table.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;

use meterhouse_catalogue::Catalogue;
use meterhouse_domain::command::TableCommand;
use meterhouse_domain::ids::{ActorId, Badge, Sequence, TableName};
use meterhouse_edge::codes::EdgeCode;
use meterhouse_edge::wire_error::{EdgeError, WireError};
use meterhouse_edge::{authenticate, authorize, value};
use meterhouse_engine::Engine;
use meterhouse_engine::held_credentials::Held;
use meterhouse_engine::operations::pipelined::AttachedTable;
use meterhouse_engine::tokens::Caller;
use meterhouse_engine::view::Sender;
use meterhouse_proto::table as proto;
use meterhouse_tls::ClientCertificate;

use super::limits::TABLES_MAX;
use super::refusals;
use super::used_up::UsedUp;
use crate::read;

/// The value of the header with a token: `Bearer TOKEN`.
pub(super) type Authorization = Arc<[u8]>;

/// The attached tables of a stream.
#[derive(Default)]
pub(super) struct Tables {
    attached: Vec<Attached>,
    handles: HashMap<TableName, u32>,
}

/// A table that is attached to the stream.
pub(super) struct Attached {
    /// Name of the table.
    pub(super) name: TableName,
    /// Engine's reference to the table.
    pub(super) reference: AttachedTable,
    /// Token of the table's controller.
    pub(super) authorization: Authorization,
    /// `true` if the table follows its hits.
    pub(super) follows: bool,
    /// Numbers that the table had used up when it was attached.
    pub(super) used_up: UsedUp,
    /// Token as it was found, with its owner.
    pub(super) token: Held<Caller>,
    /// Owner of the token.
    actor: ActorId,
    /// Badge of the last command: a dealer usually sends many commands.
    badge: Option<Badge>,
}

/// A command as the engine takes it.
pub(super) struct Read {
    /// Sender of the command.
    pub(super) sender: Sender,
    /// Sequence number of the command.
    pub(super) sequence: Sequence,
    /// Command for the rules.
    pub(super) command: TableCommand,
}

impl Tables {
    /// Returns `true` if no table is attached.
    pub(super) const fn is_empty(&self) -> bool {
        self.attached.is_empty()
    }

    /// Returns every table.
    pub(super) fn all(&self) -> &[Attached] {
        &self.attached
    }

    /// Returns a table by its handle.
    pub(super) fn find(&mut self, handle: u32) -> Result<&mut Attached, EdgeError> {
        let index = usize::try_from(handle).unwrap_or_default().checked_sub(1);
        let found = index.and_then(|index| self.attached.get_mut(index));
        found.ok_or_else(|| {
            let detail = "no table of this stream has this handle; attach the table and use the handle of the answer";
            EdgeError::because(EdgeCode::InvalidValue, detail).with("handle", handle)
        })
    }

    /// Attaches a table to the stream with the token of its controller. Returns the table's handle.
    pub(super) async fn attach(
        &mut self,
        engine: &Engine,
        table: &str,
        (authorization, certificate, address): (
            Option<Authorization>,
            &ClientCertificate,
            Option<IpAddr>,
        ),
        follows: bool,
    ) -> Result<u32, WireError> {
        let caller = authenticate::caller(engine, authorization.as_deref(), certificate).await;
        let caller = match caller {
            Ok(caller) => caller,
            Err(error) => {
                // As over HTTP, who shows no credential at all is not recorded.
                if authorization.is_some() {
                    refusals::record(engine, (None, address), table, &error).await;
                }
                return Err(error);
            }
        };
        let name: TableName = value::read("attach.table", table)?;
        if let Err(error) = authorize::command_table(&caller, &name) {
            let error = WireError::from(error);
            refusals::record(engine, (Some(&caller), address), table, &error).await;
            return Err(error);
        }
        // An authenticated caller has sent a token.
        let authorization = authorization.unwrap_or_default();
        let reference = engine.attach(&name).await?;
        let attached = Attached {
            name: name.clone(),
            reference,
            authorization,
            follows,
            used_up: UsedUp::default(),
            actor: caller.person.actor,
            token: caller,
            badge: None,
        };
        if let Some(handle) = self.handles.get(&name).copied() {
            *self.find(handle)? = attached;
            return Ok(handle);
        }
        if self.attached.len() >= TABLES_MAX {
            let detail = format!("a stream takes at most {TABLES_MAX} tables; open another one");
            return Err(EdgeError::because(EdgeCode::InvalidValue, detail).into());
        }
        self.attached.push(attached);
        let handle = u32::try_from(self.attached.len()).unwrap_or(u32::MAX);
        self.handles.insert(name, handle);
        Ok(handle)
    }
}

impl Attached {
    /// Reads a command of this table. Fixed wagers are settled by the catalogue's tables.
    pub(super) fn read(
        &mut self,
        sent: &proto::Command,
        catalogue: &Catalogue,
    ) -> Result<Read, EdgeError> {
        let device_time = sent.device_time_micros;
        Ok(Read {
            sequence: read::sequence(sent.sequence)?,
            sender: Sender {
                actor: self.actor,
                by: self.badge(&sent.badge)?,
                device_time: device_time
                    .map(|micros| value::time_of_micros("device_time_micros", micros))
                    .transpose()?,
            },
            command: read::command(sent.command.as_ref(), self.reference.game(), catalogue)?,
        })
    }

    fn badge(&mut self, text: &str) -> Result<Option<Badge>, EdgeError> {
        if text.is_empty() {
            return Ok(None);
        }
        if self
            .badge
            .as_ref()
            .is_none_or(|badge| badge.as_str() != text)
        {
            self.badge = Some(value::read("badge", text)?);
        }
        Ok(self.badge.clone())
    }
}
