//! A collector over HTTPS, whose certificate an authority of the system has signed.

use std::fs;
use std::net::SocketAddr;
use std::sync::Arc;

use meterhouse_tests::certificates::{Authority, Signed};
use meterhouse_tests::eventually;
use nix::sys::signal::Signal;
use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

use super::Watched;
use super::collector::Collector;
use super::outages::{SHORT, dropped};
use crate::program::folder;

/// Starts a relay that decrypts for a collector, and returns its address.
async fn decrypting(signed: &Signed, protocol: &[u8], collector: SocketAddr) -> SocketAddr {
    let certificate = CertificateDer::from_pem_slice(signed.certificate.as_bytes());
    let key = PrivateKeyDer::from_pem_slice(signed.key.as_bytes()).expect("a key");
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("ring has them")
        .with_no_client_auth()
        .with_single_cert(vec![certificate.expect("a certificate")], key)
        .expect("they fit");
    config.alpn_protocols = vec![protocol.to_vec()];
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move {
        while let Ok((connection, _)) = listener.accept().await {
            let acceptor = acceptor.clone();
            tokio::spawn(async move {
                // A client that does not trust the certificate ends the handshake.
                let Ok(mut client) = acceptor.accept(connection).await else {
                    return;
                };
                let mut server = TcpStream::connect(collector).await.expect("it listens");
                // How the connection ends is the client's matter.
                let _ = copy_bidirectional(&mut client, &mut server).await;
            });
        }
    });
    address
}

/// Over both protocols, a known signer's collector gets traces, metrics and logs; an unknown signer's gets nothing.
#[tokio::test]
async fn a_collector_over_https() {
    let (files, authority) = (folder(), Authority::new());
    let known = files.path().join("ca.crt").display().to_string();
    fs::write(&known, &authority.pem).expect("a file");
    let signed = authority.sign(&["127.0.0.1"]);
    for (protocol, alpn) in [("grpc", "h2"), ("http/protobuf", "http/1.1")] {
        let (collector, plain) = match protocol {
            "grpc" => Collector::start().await,
            _ => Collector::start_http().await,
        };
        let relay = decrypting(&signed, alpn.as_bytes(), plain).await;
        let endpoint = format!("https://{relay}");
        let with = [
            ("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint.as_str()),
            ("OTEL_EXPORTER_OTLP_PROTOCOL", protocol),
        ];
        let stranger = Watched::start(&[&SHORT[..], &with].concat()).await;
        for signal in ["traces", "metrics", "logs"] {
            eventually("the loss is counted", async || {
                drop(stranger.anonymous.get("/v1/links").await.is(200));
                (dropped(&stranger.page().await, signal) > 0).then_some(())
            })
            .await;
        }
        assert!(!collector.has_spans(), "{protocol}: to a stranger");
        let (code, _) = stranger.running.stop(Signal::SIGTERM).await;
        assert_eq!(code, Some(0));

        let trusting = [("SSL_CERT_FILE", known.as_str())];
        let server = Watched::start(&[&SHORT[..], &with, &trusting].concat()).await;
        eventually("traces, metrics and logs", async || {
            drop(server.anonymous.get("/v1/links").await.is(200));
            let has_logs = collector.has_log("this program starts");
            let has_metrics = collector.has_metric("meterhouse.telemetry.dropped");
            (has_logs && has_metrics && collector.has_spans()).then_some(())
        })
        .await;
        let (code, _) = server.running.stop(Signal::SIGTERM).await;
        assert_eq!(code, Some(0));
    }
}

/// Plain text needs no authority: the file of the system's authorities may be empty.
#[tokio::test]
async fn a_collector_over_plain_text_without_authorities() {
    let files = folder();
    let none = files.path().join("none.crt").display().to_string();
    fs::write(&none, "").expect("a file");
    for protocol in ["grpc", "http/protobuf"] {
        let (collector, at) = match protocol {
            "grpc" => Collector::start().await,
            _ => Collector::start_http().await,
        };
        let endpoint = format!("http://{at}");
        let with = [
            ("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint.as_str()),
            ("OTEL_EXPORTER_OTLP_PROTOCOL", protocol),
            ("SSL_CERT_FILE", none.as_str()),
        ];
        let server = Watched::start(&[&SHORT[..], &with].concat()).await;
        eventually("spans", async || {
            drop(server.anonymous.get("/v1/links").await.is(200));
            collector.has_spans().then_some(())
        })
        .await;
        let (code, _) = server.running.stop(Signal::SIGTERM).await;
        assert_eq!(code, Some(0), "{protocol}");
    }
}
