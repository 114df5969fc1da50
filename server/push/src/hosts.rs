//! The hosts of push services that an endpoint may have: an endpoint is an address that a browser names.

use core::net::IpAddr;
use core::str::FromStr;

use meterhouse_http_client::PushAddress;

use crate::error::PushError;

/// A list of hosts of push services.
///
/// A name that begins with a dot stands for every host below it. An IP address, and a host with a port, are allowed only if
/// the list has exactly them. Plain text is allowed on this machine only.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hosts(Vec<Host>);

/// A host of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Host(String);

impl FromStr for Host {
    type Err = PushError;

    fn from_str(text: &str) -> Result<Self, PushError> {
        let name = text.strip_prefix('.').unwrap_or(text);
        let probe = format!("https://{name}/");
        let address: Result<PushAddress, _> = probe.parse();
        let is_host = address.is_ok_and(|address| address.authority() == name.to_ascii_lowercase());
        // An address may have a star. No host has one, so that it is a mistake for the dot.
        if is_host && !name.contains('*') {
            Ok(Self(text.to_ascii_lowercase()))
        } else {
            Err(PushError::Host)
        }
    }
}

impl From<Vec<Host>> for Hosts {
    fn from(hosts: Vec<Host>) -> Self {
        Self(hosts)
    }
}

impl Hosts {
    /// Returns `true` if an endpoint may have this address.
    pub fn allow(&self, address: &PushAddress) -> bool {
        let authority = address.authority();
        let is_number = address.host().trim_matches(['[', ']']).parse::<IpAddr>();
        let (is_number, is_plain) = (is_number.is_ok(), address.is_plain_text());
        self.0.iter().any(|Host(host)| {
            let is_below =
                host.starts_with('.') && !is_number && !is_plain && address.port().is_none();
            (is_below && authority.ends_with(host.as_str())) || authority == *host
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allows(hosts: &[&str], endpoint: &str) -> bool {
        let hosts: Result<Vec<Host>, _> = hosts.iter().map(|host| host.parse()).collect();
        let hosts = Hosts::from(hosts.expect("hosts"));
        let address = endpoint.parse::<PushAddress>();
        address.is_ok_and(|address| hosts.allow(&address))
    }

    #[test]
    fn only_listed_hosts() {
        let hosts = ["push.example", ".notify.example"];
        for endpoint in [
            "https://push.example/wpush/v2/abc",
            "https://PUSH.example/",
            "https://db5p.notify.example/w/?token=x",
        ] {
            assert!(allows(&hosts, endpoint), "{endpoint}");
        }
        for endpoint in [
            "https://other.example/",
            "https://push.example.evil.example/",
            "https://evilpush.example/",
            "https://notify.example/",
            "https://evilnotify.example/",
            "https://push.example:8443/",
            "http://push.example/",
            "https://push.example@127.0.0.1/",
            "https://user:secret@push.example/",
            "https://127.0.0.1/",
            "https://[::1]/",
            "https://169.254.169.254/latest/meta-data",
            "https://10.0.0.1/",
            "https://localhost/",
            "file:///etc/passwd",
            "push.example",
            "",
        ] {
            assert!(!allows(&hosts, endpoint), "{endpoint}");
        }
    }

    /// A push service of the house or of a test: exactly as it is listed, and in plain text on this machine only.
    #[test]
    fn numbers_and_ports_as_they_are_listed() {
        let hosts = ["127.0.0.1:4711", "10.0.0.7"];
        assert!(allows(&hosts, "http://127.0.0.1:4711/push/1"));
        assert!(allows(&hosts, "https://10.0.0.7/push/1"));
        for endpoint in [
            "http://127.0.0.1:4712/",
            "http://127.0.0.1/",
            "http://10.0.0.7/",
            "https://10.0.0.8/",
        ] {
            assert!(!allows(&hosts, endpoint), "{endpoint}");
        }
    }

    #[test]
    fn what_is_no_host() {
        for wrong in [
            "",
            ".",
            "https://push.example",
            "push.example/path",
            "a b",
            "user@push.example",
            "*.example",
        ] {
            assert_eq!(wrong.parse::<Host>(), Err(PushError::Host), "{wrong}");
        }
    }
}
