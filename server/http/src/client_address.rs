//! The address of a request's client.

use std::net::IpAddr;

/// The address of a request's client, which trusted proxies pass on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClientAddress(pub(crate) IpAddr);
