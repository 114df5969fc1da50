//! The messages and services of the gRPC API, generated from `proto/`.

/// The package `meterhouse.table.v1`: streams of table controllers.
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

/// The package `meterhouse.round.v1`: whole rounds settled.
#[expect(
    unused_qualifications,
    clippy::pedantic,
    clippy::allow_attributes,
    clippy::allow_attributes_without_reason,
    reason = "this is generated"
)]
pub mod round {
    tonic::include_proto!("meterhouse.round.v1");
}

/// The package `meterhouse.feed.v1`: feeds of displays.
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
