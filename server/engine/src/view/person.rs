//! The holder of a token, and the sender of a command.

use meterhouse_domain::ids::{ActorId, Badge, Department, Timestamp};

/// Who asks for something: the holder of a token.
#[derive(Clone, Debug)]
pub struct Person {
    /// As the database numbers people and controllers.
    pub actor: ActorId,
    /// The name of the token's holder.
    pub name: Badge,
    /// The holder's department, which whatever needs two people asks for.
    pub department: Option<Department>,
}

/// Who sends a table's command.
#[derive(Clone, Debug)]
pub struct Sender {
    /// Whose token it is.
    pub actor: ActorId,
    /// The dealer's badge, as the controller says.
    pub by: Option<Badge>,
    /// The controller's own time: evidence, never orders anything.
    pub device_time: Option<Timestamp>,
}
