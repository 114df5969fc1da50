//! Pairing of new screens, the screens of the house, and what they show.

mod list;
mod pairing;
mod shown;

pub(crate) use list::{__path_list, list};
pub(crate) use pairing::{__path_open, __path_pair, __path_unpair, open, pair, unpair};
pub(crate) use shown::{__path_acknowledge, __path_shown, acknowledge, shown};
