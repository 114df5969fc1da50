//! `meterhouse openapi`: the document that the server serves, without a server.

use crate::program::run;

/// The program prints the committed document and needs no database.
#[tokio::test]
async fn the_document_is_printed() {
    let printed = run(&["openapi"]).await.with_code(0);
    let committed = include_str!("../../docs/openapi.json");
    assert!(
        printed.stdout == committed,
        "docs/openapi.json is not current: run `cargo run -- openapi > docs/openapi.json`"
    );
    assert_eq!(printed.stderr, "");
}
