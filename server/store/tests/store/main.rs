//! The store against a real Postgres: one private server, one database per test.

#[cfg(test)]
mod cancellation;
#[cfg(test)]
mod check;
#[cfg(test)]
mod combined;
#[cfg(test)]
mod commit;
#[cfg(test)]
mod common;
#[cfg(test)]
mod compact;
#[cfg(test)]
mod contacts;
#[cfg(test)]
mod growing;
#[cfg(test)]
mod guards;
#[cfg(test)]
mod held_batches;
#[cfg(test)]
mod hits;
#[cfg(test)]
mod hot_path;
#[cfg(test)]
mod journal;
#[cfg(test)]
mod logins;
#[cfg(test)]
mod meter_falls;
#[cfg(test)]
mod migration;
#[cfg(test)]
mod people;
#[cfg(test)]
mod proxy;
#[cfg(test)]
mod range;
#[cfg(test)]
mod servers;
#[cfg(test)]
mod silence;
#[cfg(test)]
mod themes;
#[cfg(test)]
mod unknown;
#[cfg(test)]
mod upgrade;
#[cfg(test)]
mod whole;
