//! The store against a real Postgres: each test in its own database on one private server.

#[cfg(test)]
mod cancellation;
#[cfg(test)]
mod commit;
#[cfg(test)]
mod common;
#[cfg(test)]
mod guards;
#[cfg(test)]
mod journal;
#[cfg(test)]
mod migration;
#[cfg(test)]
mod people;
#[cfg(test)]
mod proxy;
#[cfg(test)]
mod unknown;
#[cfg(test)]
mod whole;
