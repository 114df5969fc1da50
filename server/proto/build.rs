//! Generates messages and services from `proto/`, without needing `protoc`.
//!
//! # Shape
//! Everything once; and the server's side of `MeterFeed` so that it sends bytes that were encoded before: one message
//! goes to thousands of displays.

use std::env::var;
use std::error::Error;
use std::fs::create_dir_all;
use std::path::Path;

use tonic_prost_build::configure;

/// The folder with the files.
const ROOT: &str = "../../proto";
/// What table controllers send.
const TABLE: &str = "meterhouse/table/v1/table_gateway.proto";
/// What displays listen to.
const FEED: &str = "meterhouse/feed/v1/meter_feed.proto";

#[expect(
    clippy::disallowed_methods,
    reason = "cargo says only so where a build script may write"
)]
fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={ROOT}");
    configure().compile_fds(protox::compile([TABLE], [ROOT])?)?;
    let feed = protox::compile([FEED], [ROOT])?;
    configure().build_server(false).compile_fds(feed.clone())?;
    let encoded = Path::new(&var("OUT_DIR")?).join("encoded");
    create_dir_all(&encoded)?;
    configure()
        .build_client(false)
        .out_dir(encoded)
        .extern_path(".meterhouse.feed.v1", "crate::feed")
        .extern_path(".meterhouse.feed.v1.FeedMessage", "crate::encoded::Encoded")
        .codec_path("crate::encoded::Codec")
        .compile_fds(feed)?;
    Ok(())
}
