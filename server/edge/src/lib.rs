//! What every way in shares: who asks, whether he may, how values are written, and what an error says.
//!
//! # Shape
//! Plain functions of values. [`wire_error`] is the one table from every refusal and every denial to a status
//! and a stable code; [`problem`] is what the caller reads; [`authenticate`] and [`authorize`] say who may;
//! [`amount`], [`moment`] and [`value`] read and write what the wire carries; [`hit`] puts a hit into words, [`feed`]
//! a feed into messages, [`seldom`] keeps the log short;
//! [`paytables`] finds what may be played by, [`evaluation`] says what a hand pays, [`returns`] what a paytable is worth,
//! [`link_returns`] what a link returns, [`manual`] is both as pages.
//!
//! # What bounds it
//! Nothing here waits, except [`authenticate::caller`] for the engine. A value is read from a text that the way
//! in has bounded already; what is repeated in an error is cut to [`value::SHOWN_MAX`] characters.

pub mod amount;
pub mod authenticate;
pub mod authorize;
pub mod codes;
pub mod compared;
pub mod evaluation;
pub mod feed;
pub mod hit;
pub mod link_returns;
pub mod manual;
pub mod moment;
pub mod offer;
pub mod paytables;
pub mod problem;
pub mod returns;
pub mod seldom;
pub mod share;
pub mod strangers;
pub mod value;
pub mod wire_error;
