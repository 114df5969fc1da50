//! Hits: what a floorperson looks at, decides and pays.

mod evidence;
mod list;
mod pay;
mod payoff;
mod read;
mod validate;

pub(crate) use evidence::{__path_read_evidence, read_evidence};
pub(crate) use list::{__path_list, list};
pub(crate) use pay::{__path_pay, pay};
pub(crate) use payoff::{__path_payoff, payoff};
pub(crate) use read::{__path_read, read};
pub(crate) use validate::{__path_validate, validate};
