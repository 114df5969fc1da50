//! Links: state, displayed amounts, journal, reports, and the changes that people make.

mod alterations;
mod displayed;
mod hits;
mod journal;
mod large_wins;
mod last_hits;
mod levels;
mod liability;
mod lifetime;
mod list;
mod meters;
mod open;
pub(crate) mod proposals;
mod read;
mod reconciliation;
mod settings;
mod suspension;
mod values;
mod variance;

pub(crate) use alterations::{__path_alterations, alterations};
pub(crate) use displayed::{__path_displayed, displayed};
pub(crate) use hits::{__path_hits, hits};
pub(crate) use journal::{__path_journal, journal};
pub(crate) use large_wins::{__path_large_wins, large_wins};
pub(crate) use last_hits::{__path_last_hits, last_hits};
pub(crate) use levels::{__path_disable, __path_enable, disable, enable};
pub(crate) use liability::{__path_liability, liability};
pub(crate) use lifetime::{__path_lifetime, lifetime};
pub(crate) use list::{__path_list, list};
pub(crate) use meters::{__path_meters, meters};
pub(crate) use open::{__path_open, open};
pub(crate) use read::{__path_read, read};
pub(crate) use reconciliation::{__path_reconciliation, reconciliation};
pub(crate) use suspension::{__path_resume, __path_suspend, resume, suspend};
pub(crate) use values::{__path_accept, accept};
pub(crate) use variance::{__path_variance, variance};
