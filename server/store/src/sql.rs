//! Every statement of the project, each a named constant, listed in [`ALL`]. Statements without
//! parameters that name an object are built where they are sent: `admin.create_database`, `admin.build_index`,
//! `admin.drop_index`, `verify.same_moment`, and those of `archiver` that name a partition.
//!
//! # Shape
//! Each topic has a module. A statement's text begins with its name as a comment, so that
//! `pg_stat_activity` and the log of slow statements show the caller. A test prepares each
//! statement of [`ALL`] against the migrated schema.
//!
//! # Limits
//! Every statement over rows that may grow takes a `LIMIT` or a range from its caller, whose limit
//! is a named constant.

pub(crate) mod admin;
pub(crate) mod archive;
pub(crate) mod attempt;
pub(crate) mod checkpoint;
pub(crate) mod closing;
pub(crate) mod commit;
pub(crate) mod contact;
pub(crate) mod document;
pub(crate) mod feed;
pub(crate) mod history;
pub(crate) mod hit;
pub(crate) mod house;
pub(crate) mod identity;
pub(crate) mod link;
pub(crate) mod login;
pub(crate) mod measures;
pub(crate) mod people;
pub(crate) mod pin;
pub(crate) mod presentation;
pub(crate) mod purpose;
pub(crate) mod push;
pub(crate) mod range;
pub(crate) mod read;
pub(crate) mod readiness;
pub(crate) mod report;
pub(crate) mod screen;
pub(crate) mod signed_head;
pub(crate) mod slip;
pub(crate) mod statement;
pub(crate) mod theme;
pub(crate) mod verify;
pub(crate) mod witness;

pub use statement::Statement;

const LISTS: &[&[Statement]] = &[
    admin::LIST,
    archive::LIST,
    attempt::LIST,
    checkpoint::LIST,
    closing::LIST,
    commit::LIST,
    contact::LIST,
    document::LIST,
    feed::LIST,
    history::LIST,
    hit::LIST,
    house::LIST,
    identity::LIST,
    link::LIST,
    login::LIST,
    measures::LIST,
    people::LIST,
    pin::LIST,
    presentation::LIST,
    purpose::LIST,
    push::LIST,
    range::LIST,
    read::LIST,
    readiness::LIST,
    report::LIST,
    screen::LIST,
    signed_head::LIST,
    slip::LIST,
    theme::LIST,
    verify::LIST,
    witness::LIST,
];

const COUNT: usize = {
    let (mut count, mut list) = (0, 0);
    while list < LISTS.len() {
        count += LISTS[list].len();
        list += 1;
    }
    count
};

/// Every statement of the crate.
pub const ALL: &[Statement] = &{
    let mut all = [Statement { name: "", sql: "" }; COUNT];
    let (mut index, mut list) = (0, 0);
    while list < LISTS.len() {
        let mut in_list = 0;
        while in_list < LISTS[list].len() {
            all[index] = LISTS[list][in_list];
            index += 1;
            in_list += 1;
        }
        list += 1;
    }
    all
};
