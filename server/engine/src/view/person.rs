//! The holder of a token, and the sender of a command.

use meterhouse_domain::ids::{ActorId, Badge, Department, Timestamp};

/// The holder of a token who sends a request.
#[derive(Clone, Debug)]
pub struct Person {
    /// The number of the holder in the database.
    pub actor: ActorId,
    /// The name of the holder.
    pub name: Badge,
    /// The holder's department, required for changes that need two people.
    pub department: Option<Department>,
}

/// The sender of a table's command.
#[derive(Clone, Debug)]
pub struct Sender {
    /// The holder of the token.
    pub actor: ActorId,
    /// The dealer's badge, as sent by the controller.
    pub by: Option<Badge>,
    /// The controller's own time, kept as evidence, not for order.
    pub device_time: Option<Timestamp>,
}
