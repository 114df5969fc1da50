//! The store against a real Postgres: each test in its own database on one private server.

mod cancellation;
mod commit;
mod common;
mod guards;
mod journal;
mod measure;
mod migration;
mod people;
mod proxy;
mod unknown;
mod whole;
