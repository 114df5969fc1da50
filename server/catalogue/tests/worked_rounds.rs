//! The worked rounds of the crate `domain`, settled by the compiled-in tables instead of typed ones. Tables that the
//! sources leave out stay the invented ones.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a text of these tests that can't be read fails them"
)]

#[path = "../../domain/tests/settled_rounds/dice_and_wheel.rs"]
mod dice_and_wheel;
#[path = "../../domain/tests/settled_rounds/story.rs"]
mod story;
#[path = "../../domain/tests/settled_rounds/tables.rs"]
mod typed;
#[path = "../../domain/tests/settled_rounds/worked.rs"]
mod worked;

mod tables {
    use std::sync::LazyLock;

    use meterhouse_catalogue::Catalogue;
    use meterhouse_domain::fixed::table::FixedTable;

    use super::typed;

    static CATALOGUE: LazyLock<Catalogue> =
        LazyLock::new(|| Catalogue::compiled_in().expect("the compiled-in files are right"));

    /// Returns the compiled-in tables with these ids.
    pub(crate) fn tables(ids: &[&str]) -> Vec<FixedTable> {
        let table = |id: &&str| match CATALOGUE.fixed(&id.parse().unwrap()) {
            Some(table) => table.clone(),
            None if id.starts_with("own-") => typed::tables(&[*id]).remove(0),
            None => panic!("{id} is not compiled in"),
        };
        ids.iter().map(table).collect()
    }
}
