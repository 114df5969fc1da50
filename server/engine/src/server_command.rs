//! Commands of the server itself: faults, lost tables, expired proposals.

use meterhouse_domain::command::{Command, Envelope, PersonCommand};
use meterhouse_domain::ids::ActorId;

/// The actor of the server's own commands and events: always number 1.
pub(crate) const SERVER: ActorId = ActorId::SERVER;

/// Returns a command of the server itself.
pub(crate) const fn by_server(command: PersonCommand) -> Envelope {
    Envelope {
        actor: SERVER,
        by: None,
        device_time: None,
        command: Command::Person(command),
    }
}
