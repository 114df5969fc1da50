//! Generates messages and services from `proto/` without `protoc`.
//!
//! # Shape
//! Generates all packages, and the server sides of the streams a second time for encoded messages: a feed's message
//! is encoded once and sent to thousands of displays, and a table's outcomes are encoded one by one.

use std::env::var;
use std::error::Error;
use std::fs::create_dir_all;
use std::path::Path;

use tonic_prost_build::configure;

/// Folder of the proto files.
const ROOT: &str = "../../proto";
/// File of the table controllers' streams.
const TABLE: &str = "meterhouse/table/v1/table_gateway.proto";
/// File of the settlement of rounds.
const ROUND: &str = "meterhouse/round/v1/round_settlement.proto";
/// Package of the settlement of rounds.
const SETTLEMENT: &str = ".meterhouse.round.v1";
/// File of the displays' feed.
const FEED: &str = "meterhouse/feed/v1/meter_feed.proto";

#[expect(
    clippy::disallowed_methods,
    reason = "cargo says only so where a build script may write"
)]
fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={ROOT}");
    let table = protox::compile([TABLE], [ROOT])?;
    // The streams' messages have some of the settlement, whose own module is generated last. Commands are a few words long
    // but for the wagers of a round, which are boxed.
    configure()
        .boxed(".meterhouse.table.v1.Settle.wagers")
        .extern_path(SETTLEMENT, "crate::round")
        .compile_fds(table.clone())?;
    configure().compile_fds(protox::compile([ROUND], [ROOT])?)?;
    let feed = protox::compile([FEED], [ROOT])?;
    configure().build_server(false).compile_fds(feed.clone())?;
    let encoded = Path::new(&var("OUT_DIR")?).join("encoded");
    create_dir_all(&encoded)?;
    let server = |package: &str, module: &str, message: &str, codec: &str| {
        configure()
            .build_client(false)
            .out_dir(&encoded)
            .extern_path(SETTLEMENT, "crate::round")
            .extern_path(package, module)
            .extern_path(format!("{package}.{message}"), "crate::encoded::Encoded")
            .codec_path(codec)
    };
    server(
        ".meterhouse.table.v1",
        "crate::table",
        "PlayResponse",
        "crate::encoded::TableCodec",
    )
    .compile_fds(table)?;
    server(
        ".meterhouse.feed.v1",
        "crate::feed",
        "FeedMessage",
        "crate::encoded::FeedCodec",
    )
    .compile_fds(feed)?;
    Ok(())
}
