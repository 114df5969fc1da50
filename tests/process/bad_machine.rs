//! A clock that is off by an hour, a disk that is nearly full, and a lookup of names that hangs. The program is told all
//! three by a library that stands between it and the system's, because no test may change the machine.

use std::fs;
use std::path::PathBuf;

use meterhouse_tests::{Answer, Caller, Database};
use nix::sys::signal::Signal;
use sqlx::ConnectOptions as _;
use tempfile::TempDir;

use crate::program::{Running, command, folder, run_to_end, serve_command};

/// The library: `OFF_SECONDS` moves the clock, `FREE_BYTES` is what a disk has left, `LOOKUP_SECONDS` delays a lookup.
const LIBRARY: &str = r#"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <netdb.h>
#include <stdlib.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *time) {
  int failed = syscall(SYS_clock_gettime, clock, time);
  const char *off = getenv("OFF_SECONDS");
  if (!failed && clock == CLOCK_REALTIME && off) time->tv_sec += atol(off);
  return failed;
}

int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **found) {
  const char *seconds = getenv("LOOKUP_SECONDS");
  if (seconds) sleep(atoi(seconds));
  int (*real)(const char *, const char *, const struct addrinfo *, struct addrinfo **) = dlsym(RTLD_NEXT, "getaddrinfo");
  return real(node, service, hints, found);
}

static int disk(const char *name, const char *path, struct statvfs *free) {
  int (*real)(const char *, struct statvfs *) = dlsym(RTLD_NEXT, name);
  int failed = real(path, free);
  const char *bytes = getenv("FREE_BYTES");
  if (!failed && bytes) free->f_bavail = atoll(bytes) / free->f_frsize;
  return failed;
}

int statvfs(const char *path, struct statvfs *free) { return disk("statvfs", path, free); }
int statvfs64(const char *path, struct statvfs64 *free) {
  return disk("statvfs64", path, (struct statvfs *)free);
}
"#;

/// Builds the library with the C compiler that the program needs as well.
async fn library() -> (TempDir, PathBuf) {
    let folder = folder();
    let (source, built) = (
        folder.path().join("machine.c"),
        folder.path().join("machine.so"),
    );
    fs::write(&source, LIBRARY).expect("a file");
    let mut compiler = command("cc");
    compiler
        .args(["-shared", "-fPIC", "-o"])
        .arg(&built)
        .arg(&source)
        .arg("-ldl");
    drop(run_to_end(compiler).await.with_code(0));
    (folder, built)
}

/// Starts `serve` on a machine of which this is told. Returns a caller as well.
async fn serve(told: &[(&str, &str)], database: &[&str]) -> (Running, Caller) {
    let (_folder, library) = library().await;
    let mut program = serve_command();
    program
        .args(database)
        .env("LD_PRELOAD", library)
        .envs(told.iter().copied());
    let mut running = Running::spawn(program);
    let anonymous = Caller::nobody(running.line_after("listening on ").await);
    (running, anonymous)
}

fn says(ready: &Answer, status: &str, sentence: &str) {
    assert_eq!(ready["status"], status, "{}", ready.text);
    assert!(ready.text.contains(sentence), "{}", ready.text);
}

/// The server plays on with a clock that is off, and readiness names the difference.
#[tokio::test]
async fn a_clock_that_is_off_by_an_hour() {
    let database = Database::new().await;
    let url = database.application.to_url_lossy().to_string();
    for (off, sentence) in [
        ("3600", " s ahead of the database's: set both right"),
        ("-3600", " s behind the database's: set both right"),
    ] {
        let (running, anonymous) = serve(&[("OFF_SECONDS", off)], &["--database-url", &url]).await;
        let ready = anonymous.get("/readyz").await.is(200);
        // At the turn of a month the clock is in another one as well, which is said instead.
        if !ready.text.contains("the clock says") {
            says(&ready, "degraded", sentence);
        }
        assert_eq!(running.stop(Signal::SIGTERM).await.0, Some(0));
    }
}

/// A disk that is nearly full degrades the readiness, and a full one fails it, before Postgres does.
#[tokio::test]
async fn a_disk_that_is_nearly_full() {
    for (free, status, ready, sentence) in [
        (
            "314572800",
            200,
            "degraded",
            "300 MiB are free on the disk of",
        ),
        ("16777216", 503, "not_ready", ": make room now"),
    ] {
        let data = folder();
        let path = data.path().display().to_string();
        let (running, anonymous) = serve(&[("FREE_BYTES", free)], &["--data-dir", &path]).await;
        says(&anonymous.get("/readyz").await.is(status), ready, sentence);
        assert_eq!(running.stop(Signal::SIGTERM).await.0, Some(0));
    }
}

/// A name server that hangs keeps neither the start nor the end waiting for the collector's name.
#[tokio::test]
async fn a_lookup_that_hangs() {
    let data = folder();
    let path = data.path().display().to_string();
    let told = [
        ("LOOKUP_SECONDS", "600"),
        (
            "OTEL_EXPORTER_OTLP_ENDPOINT",
            "http://collector.invalid:4317",
        ),
        ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"),
        ("OTEL_METRIC_EXPORT_INTERVAL", "50"),
    ];
    let (running, anonymous) = serve(&told, &["--data-dir", &path]).await;
    drop(anonymous.get("/readyz").await.is(200));
    assert_eq!(running.stop(Signal::SIGTERM).await.0, Some(0));
}
