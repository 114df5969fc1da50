//! The policy: every operation of the wire answers every token as the table of rights says.
//!
//! The tests take the operations from the server, from its router and from the files of `proto/`. An operation without
//! a row in `server/edge/src/policy/operations.rs` therefore fails, and so does a row that a handler does not keep.

mod ground;
mod holders;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::Arc;

use meterhouse_catalogue::Catalogue;
use meterhouse_edge::policy::{Access, GRPC, HTTP, Operation};
use meterhouse_http::Options;
use meterhouse_proto::round::SettleRequest;
use meterhouse_tests::worked_rounds::settle_over_grpc;
use meterhouse_tests::{Feed, House, Stream};
use serde_json::Value;
use tonic::Code;

use self::ground::{Ground, difference};
use self::holders::Holder;

/// Files of the gRPC API.
const PROTO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../proto/meterhouse");

/// Returns the operations of the document of a running server, by operation id: method, path and operation.
fn documented(document: &Value) -> BTreeMap<String, (String, String, Value)> {
    let mut operations = BTreeMap::new();
    for (path, item) in document["paths"].as_object().expect("paths") {
        for (method, operation) in item.as_object().expect("operations") {
            let id = operation["operationId"].as_str().expect("an id").to_owned();
            let method = method.to_uppercase();
            operations.insert(id, (method, path.clone(), operation.clone()));
        }
    }
    operations
}

fn names(rows: &[Operation]) -> BTreeSet<String> {
    rows.iter().map(|row| row.name.to_owned()).collect()
}

/// Every operation of the document has a row, and every row its operation. The document says the same of tokens.
#[tokio::test]
async fn every_operation_has_its_row() {
    let house = House::open().await;
    let document = house.nobody().get("/openapi.json").await.is(200);
    let operations = documented(&document.body);
    let ids: BTreeSet<String> = operations.keys().cloned().collect();
    assert_eq!(ids, names(HTTP), "give each operation a row in HTTP");
    for row in HTTP {
        let (_, _, operation) = &operations[row.name];
        let ways: BTreeSet<String> = operation["security"]
            .as_array()
            .expect("the ways to call it")
            .iter()
            .map(ToString::to_string)
            .collect();
        let expected: &[&str] = match row.access {
            Access::Public => &["{}"],
            Access::PublicOrMore(_) => &["{}", r#"{"token":[]}"#, r#"{"session":[]}"#],
            Access::Right(_) | Access::Holder => &[r#"{"token":[]}"#, r#"{"session":[]}"#],
            Access::Database | Access::DatabaseAndAdministrator => {
                panic!("{}: no operation of HTTP is for it", row.name)
            }
        };
        assert_eq!(
            ways,
            expected.iter().map(ToString::to_string).collect(),
            "{}",
            row.name
        );
    }
    house.end().await;
}

/// Every path of the router is in the document, and so has a row: also a route that bypasses the document.
#[tokio::test]
async fn every_route_is_documented() {
    let house = House::open().await;
    let catalogue = Arc::new(Catalogue::compiled_in().expect("our own paytables are well"));
    let engine = house.server.engine.clone();
    let router = meterhouse_http::router(engine, catalogue, Options::default());
    // A router lists its paths only in its form for debugging; its fallback comes after them.
    let shown = format!("{router:?}");
    let (_, paths) = shown.split_once("Node { paths: {").expect("the paths");
    let (paths, _) = paths.split_once("} }").expect("their end");
    let found: BTreeSet<&str> = paths.split('"').skip(1).step_by(2).collect();
    let document = meterhouse_http::document();
    let paths = document["paths"].as_object().expect("paths");
    let documented: BTreeSet<&str> = paths.keys().map(String::as_str).collect();
    assert_eq!(found, documented, "{shown}");
    house.end().await;
}

/// Every operation refuses and allows each token as its row says.
#[tokio::test]
async fn every_operation_answers_every_token_as_its_row_says() {
    let ground = Ground::new().await;
    let holders = Holder::all(&ground.house).await;
    let document = ground.house.nobody().get("/openapi.json").await.is(200);
    let operations = documented(&document.body);
    let mut differences = Vec::new();
    for row in HTTP {
        let operation = operations.get(row.name).expect(row.name);
        let request = ground.request(row, operation);
        let mut allowed = 0;
        for holder in &holders {
            let answer = request.send(&holder.caller).await;
            let expected = holder.expected(row.access);
            if let Some(difference) = difference(row, expected, &answer) {
                differences.push(format!("{}: {difference}", holder.label));
            }
            allowed += usize::from(expected == Expected::Allowed);
        }
        assert!(allowed > 0, "{}: no token may", row.name);
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    ground.house.server.stop().await;
}

/// The answer that a row of the policy promises to a token.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Expected {
    /// Neither 401 nor 403.
    Allowed,
    /// 401, `unauthenticated`.
    Unauthenticated,
    /// 403, `forbidden`.
    Forbidden,
}

impl Expected {
    /// Returns the expectation that a status of HTTP meets.
    fn of_status(status: u16) -> Self {
        match status {
            401 => Self::Unauthenticated,
            403 => Self::Forbidden,
            _ => Self::Allowed,
        }
    }

    /// Returns the expectation that a status of gRPC meets.
    fn of_code(code: Code) -> Self {
        match code {
            Code::Unauthenticated => Self::Unauthenticated,
            Code::PermissionDenied => Self::Forbidden,
            _ => Self::Allowed,
        }
    }
}

/// Returns every method of the services in the files of `proto/`.
fn methods(folder: &Path, into: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            methods(&path, into);
            continue;
        }
        let text = fs::read_to_string(&path).expect("a file");
        let word = |line: &str, before: &str| {
            let rest = line.trim().strip_prefix(before)?;
            let end = rest
                .find(|letter: char| !letter.is_alphanumeric() && letter != '.' && letter != '_');
            Some(rest[..end.unwrap_or(rest.len())].to_owned())
        };
        let (mut package, mut service) = (String::new(), String::new());
        for line in text.lines() {
            if let Some(name) = word(line, "package ") {
                package = name;
            } else if let Some(name) = word(line, "service ") {
                service = name;
            } else if let Some(name) = word(line, "rpc ") {
                into.insert(format!("{package}.{service}/{name}"));
            }
        }
    }
}

/// Every method of gRPC has a row, and answers each token as the row says.
#[tokio::test]
async fn every_method_of_grpc_answers_every_token_as_its_row_says() {
    let mut found = BTreeSet::new();
    methods(Path::new(PROTO), &mut found);
    assert_eq!(found, names(GRPC), "give each method a row in GRPC");
    let ground = Ground::new().await;
    let holders = Holder::all(&ground.house).await;
    let mut differences = Vec::new();
    for row in GRPC {
        for holder in &holders {
            let code = match row.name {
                "meterhouse.table.v1.TableGateway/Play" => attached(&ground.house, holder).await,
                "meterhouse.feed.v1.MeterFeed/Watch" => watched(&ground.house, holder).await,
                "meterhouse.round.v1.RoundSettlement/Settle" => {
                    settled(&ground.house, holder).await
                }
                other => panic!("call {other} here"),
            };
            let expected = holder.expected(row.access);
            if Expected::of_code(code) != expected {
                differences.push(format!(
                    "{}: {}: {code:?} instead of {expected:?}",
                    holder.label, row.name
                ));
            }
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    ground.house.server.stop().await;
}

/// Attaches the table T1, and returns the status.
async fn attached(house: &House, holder: &Holder) -> Code {
    let mut stream = Stream::open(house.server.grpc).await;
    stream.ask_to_attach("T1", holder.caller.token()).await;
    match stream.hear().await {
        Ok(_) => Code::Ok,
        Err(status) => status.expect("a status that says why").code(),
    }
}

/// Opens the feed of the link `main`, and returns the status.
async fn watched(house: &House, holder: &Holder) -> Code {
    let token = Some(holder.caller.token()).filter(|token| !token.is_empty());
    match Feed::watch_as(house.server.grpc, "main", None, token).await {
        Ok(_) => Code::Ok,
        Err(status) => status.code(),
    }
}

/// Asks for the settlement of an empty round, and returns the status.
async fn settled(house: &House, holder: &Holder) -> Code {
    let request = SettleRequest::default();
    match settle_over_grpc(house.server.grpc, holder.caller.token(), request).await {
        Ok(_) => Code::Ok,
        Err(status) => status.code(),
    }
}
