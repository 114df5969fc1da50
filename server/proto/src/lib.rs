//! What `proto/` generates, and nothing else: messages and services of the gRPC API.

/// `meterhouse.table.v1`: what table controllers send, and what they hear.
#[expect(
    unused_qualifications,
    clippy::pedantic,
    clippy::allow_attributes,
    clippy::allow_attributes_without_reason,
    reason = "this is generated"
)]
pub mod table {
    tonic::include_proto!("meterhouse.table.v1");
}

/// `meterhouse.feed.v1`: what displays listen to.
#[expect(
    unused_qualifications,
    clippy::pedantic,
    clippy::allow_attributes_without_reason,
    reason = "this is generated"
)]
pub mod feed {
    tonic::include_proto!("meterhouse.feed.v1");
}

pub mod encoded;

pub use prost::Message;
