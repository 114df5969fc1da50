//! A server with TLS, as its clients see it: curl, controllers, displays.

use std::fs;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use meterhouse_client::table_stream::{TableStream, attach, connect};
use meterhouse_client::{Certificate, ClientTlsConfig, Identity, Options};
use meterhouse_tests::certificates::{Authority, Signed};
use meterhouse_tests::client::{felt, first_values};
use meterhouse_tests::{FIVE_CARD_C, in_time};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_tungstenite::{WebSocketStream, client_async};
use tonic::transport::Endpoint;

use crate::program::{Running, command, folder, run_to_end};
use crate::serve::token;

/// Names of the server of the tests.
pub(crate) const SERVER: [&str; 2] = ["127.0.0.1", "localhost"];

/// A server with TLS.
pub(crate) struct Secured {
    pub(crate) authority: Authority,
    pub(crate) data: TempDir,
    pub(crate) files: TempDir,
    pub(crate) running: Running,
    pub(crate) http: SocketAddr,
    pub(crate) grpc: String,
}

/// The answer of curl: status and body.
pub(crate) struct Curled {
    pub(crate) status: u16,
    pub(crate) body: Value,
}

impl Secured {
    /// Starts a server with a certificate of its own signer, and more arguments.
    pub(crate) async fn start(arguments: &[&str]) -> Self {
        let (data, files) = (folder(), folder());
        let authority = Authority::new();
        authority.sign(&SERVER).write(files.path());
        fs::write(files.path().join("ca.crt"), &authority.pem).expect("a file");
        let path = |name: &str| files.path().join(name).display().to_string();
        let (certificate, key) = (path("server.crt"), path("server.key"));
        let tls = [
            "serve",
            "--tls-certificate",
            &certificate,
            "--tls-key",
            &key,
        ];
        let ca = ["--tls-client-ca", &path("ca.crt")].map(str::to_owned);
        let arguments: Vec<&str> = arguments
            .iter()
            .map(|argument| match *argument {
                "CA" => ca[1].as_str(),
                other => other,
            })
            .collect();
        let mut running = Running::start(data.path(), &[&tls, &arguments[..]].concat());
        let http = running.line_after("listening on https://").await;
        let grpc = running.line_after("gRPC on ").await;
        Self {
            authority,
            data,
            http: http.parse().expect("an address"),
            grpc,
            files,
            running,
        }
    }

    /// Returns the path of a file.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.files.path().join(name)
    }

    /// Asks with curl, which trusts the signer.
    pub(crate) async fn curl(&self, token: &str, path: &str, arguments: &[&str]) -> Curled {
        let mut curl = command("curl");
        curl.args(["--silent", "--show-error", "--write-out", "\n%{http_code}"])
            .args(["--header", &format!("Authorization: Bearer {token}")])
            .arg("--cacert")
            .arg(self.path("ca.crt"))
            .args(arguments)
            .arg(format!("https://{}{path}", self.http));
        let ended = run_to_end(curl).await.with_code(0);
        let (body, status) = ended.stdout.rsplit_once('\n').expect("a status");
        Curled {
            status: status.parse().expect("a number"),
            body: serde_json::from_str(body).unwrap_or_default(),
        }
    }

    pub(crate) async fn put(
        &self,
        token: &str,
        path: &str,
        body: &Value,
        arguments: &[&str],
    ) -> Curled {
        let body = body.to_string();
        let json = "Content-Type: application/json";
        let put = ["--request", "PUT", "--header", json, "--data", &body];
        self.curl(token, path, &[&put, arguments].concat()).await
    }

    /// Opens a link with these tables. Returns their tokens.
    pub(crate) async fn open(&self, tables: &[&str]) -> Vec<String> {
        let make = async |words: &[&str]| {
            let made = token(&self.data, &[&["create"], words].concat()).await;
            made.with_code(0).stdout.trim().to_owned()
        };
        let ana = make(&["--role", "manager", "--name", "ana"]).await;
        let terms = json!({"paytable": FIVE_CARD_C, "wager": "1.00", "decks": 1});
        let opened = self.put(&ana, "/v1/links/main", &terms, &[]).await;
        assert_eq!(opened.status, 201, "{}", opened.body);
        let link = self.curl(&ana, "/v1/links/main", &[]).await;
        let values = first_values(&link.body);
        let accepted = self.put(&ana, "/v1/links/main/values", &values, &[]).await;
        assert_eq!(accepted.status, 201, "{}", accepted.body);
        let mut tokens = Vec::new();
        for table in tables {
            let path = format!("/v1/tables/{table}");
            let joined = self.put(&ana, &path, &felt("main", FIVE_CARD_C), &[]).await;
            assert_eq!(joined.status, 201, "{}", joined.body);
            let role = ["--role", "controller", "--name", table, "--table", table];
            tokens.push(make(&role).await);
        }
        tokens
    }

    /// Returns the options of a table's controller, with a client certificate if it has one.
    pub(crate) fn options(&self, table: &str, token: &str, own: Option<&Signed>) -> Options {
        let tls = ClientTlsConfig::new().ca_certificate(Certificate::from_pem(&self.authority.pem));
        let tls = match own {
            Some(own) => tls.identity(Identity::from_pem(&own.certificate, &own.key)),
            None => tls,
        };
        let outbox = self.path(&format!("{table}.outbox"));
        let table = table.parse().expect("a name");
        Options::new(self.grpc.as_str(), table, token, outbox).with_tls(tls)
    }

    /// Shakes hands with the server, as a browser would. Returns the connection.
    async fn connect(&self) -> TlsStream<TcpStream> {
        let mut roots = RootCertStore::empty();
        let ca = CertificateDer::from_pem_slice(self.authority.pem.as_bytes());
        roots.add(ca.expect("a certificate")).expect("a root");
        let config = ClientConfig::builder()
            .with_root_certificates(roots)
            .with_no_client_auth();
        let socket = TcpStream::connect(self.http).await.expect("a connection");
        let name = ServerName::try_from("localhost").expect("a name");
        let connector = TlsConnector::from(Arc::new(config));
        connector.connect(name, socket).await.expect("a handshake")
    }

    /// Opens the feed of the link.
    pub(crate) async fn feed(&self) -> WebSocketStream<TlsStream<TcpStream>> {
        let url = format!("ws://{}/v1/links/main/feed", self.http);
        let opened = client_async(url, self.connect().await).await;
        opened.expect("an upgrade").0
    }

    /// Opens a stream with this table.
    pub(crate) async fn stream(&self, table: &str, token: &str) -> TableStream {
        let ca = Certificate::from_pem(&self.authority.pem);
        let tls = ClientTlsConfig::new().ca_certificate(ca);
        let endpoint = Endpoint::from_shared(self.grpc.clone()).expect("an address");
        let endpoint = endpoint.tls_config(tls).expect("TLS");
        let channel = connect(&endpoint).await.expect("a connection");
        let first = vec![attach(table, token, false)];
        let mut stream: TableStream = TableStream::open(channel, first, 1)
            .await
            .expect("a stream");
        let attached = in_time("an answer", stream.attached()).await;
        drop(attached.expect("the table is attached"));
        stream
    }

    /// Returns the certificate that a new connection gets.
    pub(crate) async fn certificate(&self) -> Vec<u8> {
        let stream = self.connect().await;
        let chain = stream.get_ref().1.peer_certificates().expect("a chain");
        chain[0].to_vec()
    }
}
