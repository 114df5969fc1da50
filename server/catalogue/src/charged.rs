//! A paytable file with its upper fixed pays charged to a level, for an operator to keep as his own.

use meterhouse_domain::charging::{Charged, charge_upper_pays};
use meterhouse_domain::hand::Hand;
use meterhouse_domain::name::{LevelName, PaytableId};
use meterhouse_domain::paytable::Paytable;
use toml_edit::{DocumentMut, Table, Value};

/// What follows the id of the paytable that it is made from.
const ENDING: &str = "-charged";
/// Characters that an id keeps before its ending; an id has at most 32.
const KEPT: usize = 24;

/// A file that returns no more than the wager.
#[derive(Clone, Debug)]
pub struct ChargedFile {
    /// Its id: the file is called as it, with `.toml`.
    pub id: PaytableId,
    /// The level that the pays come off.
    pub level: LevelName,
    /// Whose pays come off it, highest first, and the content.
    pub charged: Charged,
    /// What stands in it.
    pub text: String,
}

/// The file of a paytable that returns more than the wager, with its upper fixed pays charged to a level; nothing where
/// there is nothing to charge, or where that is not enough.
pub fn charged(paytable: &Paytable, source: &str) -> Option<ChargedFile> {
    let charged = charge_upper_pays(&paytable.content)?;
    let level = paytable.content.levels.get(charged.level)?.name.clone();
    let kept: String = paytable.id.as_str().chars().take(KEPT).collect();
    let id: PaytableId = [&kept, ENDING].concat().parse().ok()?;
    let mut document: DocumentMut = source.parse().ok()?;
    say_what_it_is(&mut document, paytable, &charged.hands);
    set(&mut document, "id", id.as_str())?;
    let title = format!(
        "{}, upper fixed pays charged to the {level}",
        paytable.title
    );
    set(&mut document, "title", &title)?;
    let lines = document.get_mut("line")?.as_array_of_tables_mut()?;
    for line in lines.iter_mut().filter(|it| is_of(it, &charged.hands)) {
        let pays = line.get_mut("pays")?.as_inline_table_mut()?;
        pays.insert("of", level.as_str().into());
        pays.fmt();
    }
    Some(ChargedFile {
        id,
        level,
        charged,
        text: document.to_string(),
    })
}

fn is_of(line: &Table, hands: &[Hand]) -> bool {
    let hand = line.get("hand").and_then(|it| it.as_str());
    hands.iter().any(|it| Some(it.name()) == hand)
}

/// Sets a text and leaves what stands around it.
fn set(document: &mut DocumentMut, key: &str, text: &str) -> Option<()> {
    let value = document.get_mut(key)?.as_value_mut()?;
    let around = value.decor().clone();
    *value = Value::from(text);
    *value.decor_mut() = around;
    Some(())
}

/// The first comment: what it was made from, and what is different.
fn say_what_it_is(document: &mut DocumentMut, paytable: &Paytable, hands: &[Hand]) {
    let hands: Vec<&str> = hands.iter().map(|it| it.name()).collect();
    let comment = format!(
        "# {}, with these fixed pays off the meter instead of paid by the house:\n# {}.\n",
        paytable.id,
        hands.join(", ")
    );
    if let Some((mut first, _)) = document.iter_mut().next() {
        first.leaf_decor_mut().set_prefix(comment);
    }
}
