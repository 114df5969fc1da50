//! The address of a client behind proxies.
//!
//! # Order
//! A proxy appends the address of its own client to the header `X-Forwarded-For`. Read from the end, each address that
//! is a trusted proxy's vouches for the one before it. A client can write only what stands before the first address
//! that no trusted proxy vouches for, and that is not read.

use std::net::IpAddr;
use std::sync::Arc;

use ipnet::IpNet;

/// The networks of proxies whose word about a client's address counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrustedProxies(Arc<[IpNet]>);

impl TrustedProxies {
    /// Returns the proxies of these networks.
    pub fn new(networks: impl IntoIterator<Item = IpNet>) -> Self {
        Self(networks.into_iter().collect())
    }

    /// Returns true if an address is a trusted proxy's.
    pub fn contains(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|network| network.contains(&address))
    }

    /// Returns the address of the client of a connection from `peer`, whose request has these values of
    /// `X-Forwarded-For`, in their order.
    pub fn client<'a>(
        &self,
        peer: IpAddr,
        forwarded: impl DoubleEndedIterator<Item = &'a str>,
    ) -> IpAddr {
        let mut client = peer;
        let addresses = forwarded.rev().flat_map(|value| value.rsplit(','));
        for address in addresses {
            if !self.contains(client) {
                break;
            }
            match address.trim().parse() {
                Ok(address) => client = address,
                Err(_) => break,
            }
        }
        client
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Only what trusted proxies vouch for counts, read from the end.
    #[test]
    fn a_client_is_whom_the_trusted_proxies_name() {
        let networks = ["10.0.0.0/8", "2001:db8::/32"];
        let trusted =
            TrustedProxies::new(networks.map(|network| network.parse().expect("a network")));
        let client = |peer: &str, forwarded: &[&str]| {
            let peer = peer.parse().expect("an address");
            trusted.client(peer, forwarded.iter().copied()).to_string()
        };
        assert_eq!(client("192.0.2.1", &["198.51.100.7"]), "192.0.2.1");
        assert_eq!(client("10.0.0.1", &["198.51.100.7"]), "198.51.100.7");
        assert_eq!(client("::ffff:10.0.0.1", &["198.51.100.7"]), "198.51.100.7");
        assert_eq!(
            client("10.0.0.1", &["1.1.1.1, 198.51.100.7"]),
            "198.51.100.7"
        );
        assert_eq!(
            client("10.0.0.1", &["1.1.1.1", "198.51.100.7,10.0.0.2 , 10.0.0.3"]),
            "198.51.100.7"
        );
        assert_eq!(client("2001:db8::1", &["198.51.100.7"]), "198.51.100.7");
        assert_eq!(client("10.0.0.1", &[]), "10.0.0.1");
        assert_eq!(client("10.0.0.1", &["nonsense"]), "10.0.0.1");
        assert_eq!(client("10.0.0.1", &["nonsense, 10.0.0.9"]), "10.0.0.9");
    }
}
