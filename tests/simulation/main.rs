//! Simulations: the real engine on a real database (or on a journal that lies), with everything that can go wrong
//! going wrong at random, and books kept by those who were told.
//!
//! # What counts as failure
//! A command that was acknowledged and is not in the journal, or is there twice, or elsewhere than it was said to
//! be; a caller who hears nothing in time; a link that does not go on by itself once the fault is over; anything
//! that `verify` finds.
//!
//! # What does not
//! A caller who hears "send it again": the command may have been counted or not, and sending it again tells.
//!
//! # How to play one again
//! Each test prints its seed; see [`chance`].
#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "in tests the panic is the message"
)]

mod cancelled;
mod chance;
mod clocks;
mod committers;
mod disk;
mod displays;
mod felts;
mod killed;
mod law_5;
mod ledger;
mod liar;
mod lies;
mod outage;
mod people;
mod proxy;
mod rounds;
mod rush;
mod script;
mod wire;
mod worker;
