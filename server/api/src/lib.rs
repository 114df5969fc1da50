//! The JSON of the HTTP API: every request, response and feed message, once.
//!
//! # Shape
//! One file a subject. Each type is read, written and described (`Deserialize`, `Serialize`, `ToSchema`) by one
//! definition, which the server, the programs that call it, and the tests share. Values of the rules are
//! [`Text`](text::Text), named in [`values`] and written as [`forms`] says. Requests are read strictly ([`request`]); responses may gain fields.

pub mod access;
pub mod alteration;
pub mod change;
pub mod closing;
pub mod command;
pub mod decision;
pub mod dry_run;
pub mod evaluation;
pub mod evidence;
pub mod exception;
pub mod feed;
pub mod fixed;
pub mod forms;
pub mod given;
pub mod history;
pub mod hit;
pub mod hit_detail;
pub mod journal;
pub mod large_win;
pub mod level;
pub mod link;
pub mod manual;
pub mod operation;
pub mod outcome;
pub mod paytable;
pub mod presentation;
pub mod problem;
pub mod proof;
pub mod push;
pub mod refused_command;
pub mod report;
pub mod request;
pub mod returns;
pub mod round_settlement;
pub mod round_wagers;
pub mod screen;
pub mod sequence;
pub mod signature;
pub mod slip;
pub mod table;
pub mod text;
pub mod theme;
pub mod time;
pub mod values;
pub mod witness;
pub mod words;
