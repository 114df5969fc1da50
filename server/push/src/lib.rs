//! Web push (RFC 8030): what the engine has to say to the browsers of its people, by way of their push services.
//!
//! # Shape
//! [`WebPush`] is the engine's [`PushSender`](meterhouse_engine::push::PushSender). `encrypt` and [`VapidKey`] are plain
//! functions of values, but for their random bytes. [`Hosts`] says which addresses a browser may name.
//!
//! # Limits
//! One attempt a call, whose time the HTTP client limits. Queues, retries and their limits are the engine's.

mod encrypt;
mod error;
mod hosts;
mod vapid;
mod web_push;

pub use error::PushError;
pub use hosts::{Host, Hosts};
pub use vapid::{Subject, VapidKey};
pub use web_push::WebPush;
