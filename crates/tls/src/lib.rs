//! How TLS is spoken to whatever Quorum connects to: Discord, models, searches, pages. All share one setting, and one copy of
//! the certificates that it trusts: those of Mozilla's list, which are built in, and those of the system, to which an operator
//! behind an inspecting proxy adds that proxy's.

use std::sync::{Arc, LazyLock};

use rustls::{ClientConfig, RootCertStore};

static SETTING: LazyLock<ClientConfig> =
    LazyLock::new(|| ClientConfig::builder().with_root_certificates(roots()).with_no_client_auth());

/// The builder of a client for HTTP; it speaks HTTP/2 where the server does.
pub fn client() -> reqwest::ClientBuilder {
    let mut setting = SETTING.clone();
    setting.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    reqwest::Client::builder().use_preconfigured_tls(setting)
}

/// What a connection of another protocol over TLS is made with.
#[must_use]
pub fn setting() -> Arc<ClientConfig> {
    Arc::new(SETTING.clone())
}

/// Mozilla's list and the system's. A system may have none, or some that cannot be read: what is built in is enough for
/// whoever needs no other.
fn roots() -> RootCertStore {
    let mut roots = RootCertStore::empty();
    roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    let of_system = rustls_native_certs::load_native_certs();
    for error in of_system.errors {
        tracing::warn!(%error, "some of the system's certificates cannot be read");
    }
    let (added, left_out) = roots.add_parsable_certificates(of_system.certs);
    tracing::debug!(added, left_out, "the system's certificates are trusted, too");
    roots
}
