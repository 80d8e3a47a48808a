//! Which addresses are public, and looking names up so that no other is connected to.

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    time::Duration,
};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use thiserror::Error;

/// How long a name may be looked up.
const TIME: Duration = Duration::from_secs(5);

/// A name leads into a network that is nobody's business.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("its name leads to an address that is not public")]
pub(super) struct NotPublic;

/// Looks names up for the client, which connects to what is given here and to nothing else.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lookup;

impl Resolve for Lookup {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let found = tokio::time::timeout(TIME, tokio::net::lookup_host((name.as_str(), 0))).await??;
            let found: Vec<SocketAddr> = found.collect();
            // One that is not public among others is no accident.
            if !found.iter().all(|address| is_public(address.ip())) {
                return Err(NotPublic.into());
            }
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

/// Whether an address is one of the public internet; by the registries of special addresses
/// (<https://www.iana.org/assignments/iana-ipv4-special-registry>, <https://www.iana.org/assignments/iana-ipv6-special-registry>).
pub(super) fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    match address.octets() {
        // This network, private, loopback, link-local.
        [0 | 10 | 127, ..]
        | [169, 254, ..]
        | [192, 168, ..]
        // Protocol assignments, documentation, relays, benchmarks.
        | [192, 0, 0 | 2, _]
        | [192, 88, 99, _]
        | [192, 52, 193, _]
        | [192, 31, 196, _]
        | [192, 175, 48, _]
        | [198, 18 | 19, ..]
        | [198, 51, 100, _]
        | [203, 0, 113, _] => false,
        // Shared between a provider and its customers; private.
        [100, second, ..] => !(64..128).contains(&second),
        [172, second, ..] => !(16..32).contains(&second),
        // From there on multicast, reserved, broadcast.
        [first, ..] => first < 224,
    }
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let [first, second, third, fourth, fifth, sixth, high, low] = address.segments();
    let inner = |high: u16, low: u16| {
        let [[a, b], [c, d]] = [high.to_be_bytes(), low.to_be_bytes()];
        is_public_v4(Ipv4Addr::new(a, b, c, d))
    };
    match (first, second) {
        // An IPv4 address in another dress: mapped, translated, of a 6to4 network.
        (0, 0) if [third, fourth, fifth] == [0; 3] && sixth == 0xffff => inner(high, low),
        (0x64, 0xff9b) if [third, fourth, fifth, sixth] == [0; 4] => inner(high, low),
        (0x2002, embedded) => inner(embedded, third),
        // Protocol assignments with Teredo in them, documentation.
        (0x2001, second) if second < 0x0200 || second == 0x0db8 => false,
        (0x3fff, second) if second < 0x1000 => false,
        // Of all others only 2000::/3 is given out: not loopback, fc00::/7, fe80::/10, ff00::/8.
        _ => first & 0xe000 == 0x2000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_the_public_internet_are_public() {
        for public in [
            "1.1.1.1",
            "8.8.8.8",
            "93.184.215.14",
            "100.63.255.255",
            "100.128.0.0",
            "172.15.0.1",
            "172.32.0.1",
            "192.0.1.1",
            "198.17.0.1",
            "198.20.0.1",
            "223.255.255.255",
            "2606:2800:21f:cb07:6820:80da:af6b:8b2c",
            "2001:4860:4860::8888",
            "::ffff:1.1.1.1",
            "64:ff9b::1.1.1.1",
            "2002:101:101::1",
        ] {
            assert!(is_public(public.parse().unwrap()), "{public}");
        }
        for not in [
            "0.0.0.0",
            "0.1.2.3",
            "10.0.0.1",
            "10.255.255.255",
            "100.64.0.1",
            "100.127.255.255",
            "127.0.0.1",
            "127.255.0.1",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.8",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.19.255.255",
            "198.51.100.7",
            "203.0.113.9",
            "224.0.0.1",
            "239.1.2.3",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::127.0.0.1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "::ffff:169.254.169.254",
            "::ffff:0:127.0.0.1",
            "64:ff9b::10.0.0.1",
            "64:ff9b:1::1",
            "100::1",
            "2001::1",
            "2001:10::1",
            "2001:20::1",
            "2001:db8::1",
            "2002:7f00:1::1",
            "2002:a00:1::",
            "3fff::1",
            "4000::1",
            "5f00::1",
            "fc00::1",
            "fd12:3456::1",
            "fe80::1",
            "febf::1",
            "fec0::1",
            "ff02::1",
        ] {
            assert!(!is_public(not.parse().unwrap()), "{not}");
        }
    }

    #[tokio::test]
    async fn a_name_that_leads_to_this_machine_is_given_no_address() {
        let name = "localhost".parse().unwrap();
        let error = Lookup.resolve(name).await.err().unwrap();
        assert!(error.downcast_ref::<NotPublic>().is_some(), "{error}");
    }
}
