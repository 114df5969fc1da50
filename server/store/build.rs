//! Rebuilds the crate when a migration changes: `sqlx::migrate!` reads them while compiling.

fn main() {
    println!("cargo:rerun-if-changed=../../migrations");
}
