//! `meterhouse ready`, the health check of a container.

use std::net::TcpListener;

use meterhouse_tests::Database;
use nix::sys::signal::Signal;
use sqlx::ConnectOptions as _;

use crate::program::{PROGRAM, ProgramOutput, Running, command, run, run_to_end, serve_command};

async fn asked(address: &str) -> ProgramOutput {
    let mut program = command(PROGRAM);
    program
        .arg("ready")
        .env("METERHOUSE_METRICS_LISTEN", address);
    run_to_end(program).await
}

/// The exit code follows the server's readiness. Without a server or an address it is no success.
#[tokio::test]
async fn the_exit_code_is_the_readiness() {
    let database = Database::new().await;
    let mut program = serve_command();
    program
        .args(["--metrics-listen", "127.0.0.1:0"])
        .env("DATABASE_URL", database.application.to_url_lossy().as_str());
    let mut server = Running::spawn(program);
    let page = server.line_after("metrics on http://").await;
    let address = page.trim_end_matches("/metrics");
    let ready = asked(address).await.with_code(0).stdout;
    assert!(ready.starts_with("ready"), "{ready}");
    let changed = "UPDATE _sqlx_migrations SET checksum = '\\x00'";
    database
        .run_as_superuser(changed)
        .await
        .expect("a changed schema");
    let refused = asked(address).await.with_code(1);
    drop(refused.with_error("not ready; schema: "));
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));
    drop(
        asked(address)
            .await
            .with_code(1)
            .with_error("no server answers"),
    );
    drop(
        run(&["ready"])
            .await
            .with_code(3)
            .with_error("set metrics.listen"),
    );
}

/// An answer that is none is not taken for readiness.
#[tokio::test]
async fn a_silent_listener_is_not_ready() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    let hangs_up = std::thread::spawn(move || drop(listener.accept()));
    drop(asked(&address).await.with_code(1));
    hangs_up.join().expect("an end");
}
