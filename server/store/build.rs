//! Rebuilds the crate when a migration changes: `sqlx::migrate!` reads the files while compiling.

fn main() {
    println!("cargo:rerun-if-changed=../../migrations");
}
