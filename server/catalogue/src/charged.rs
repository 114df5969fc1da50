//! A copy of a paytable file with its upper fixed pays charged to a level, for an operator to keep.

use meterhouse_domain::charging::{Charged, charge_upper_pays};
use meterhouse_domain::hand::Hand;
use meterhouse_domain::ids::{LevelName, PaytableId, TEXT_LENGTH_MAX};
use meterhouse_domain::paytable::Paytable;
use toml_edit::{DocumentMut, Item, TableLike, Value, value};

use crate::catalogue::Catalogue;
use crate::sheet::Sheet;

/// Suffix of the copy's id.
const ENDING: &str = "-charged";
/// Characters of an id that are kept before its suffix and a digit; an id has at most 32.
const KEPT: usize = 23;
/// Number of suffixes that are tried if an id is taken.
const ENDINGS: u8 = 9;

/// A paytable file that returns no more than the wager on average.
#[derive(Clone, Debug)]
pub struct ChargedFile {
    /// Id of the file, whose name is the id with `.toml`.
    pub id: PaytableId,
    /// Level that the pays come off.
    pub level: LevelName,
    /// Hands whose pays come off the level, highest first, and the content.
    pub charged: Charged,
    /// Text of the file, which this catalogue accepts.
    pub text: String,
}

impl Catalogue {
    /// Returns the file of a paytable that returns more than the wager, with its upper fixed pays charged to a level.
    /// Returns nothing if there is nothing to charge, or if charging is not enough.
    pub fn charged(&self, paytable: &Paytable) -> Option<ChargedFile> {
        let charged = charge_upper_pays(&paytable.content)?;
        let level = paytable.content.levels.get(charged.level)?.name.clone();
        let id = self.free_id(&paytable.id)?;
        let text = self.edited(paytable, &charged, &level, &id)?;
        // The offered file is read back and compared with the intended content.
        let read = self.check(&format!("{id}.toml"), &text).ok()?;
        (read.paytable()?.content == charged.content).then_some(ChargedFile {
            id,
            level,
            charged,
            text,
        })
    }

    /// Returns an id that no paytable has yet.
    fn free_id(&self, id: &PaytableId) -> Option<PaytableId> {
        let kept: String = id.as_str().chars().take(KEPT).collect();
        let mut ids = (1..=ENDINGS).filter_map(|number| {
            let number = if number == 1 {
                String::new()
            } else {
                number.to_string()
            };
            format!("{kept}{ENDING}{number}").parse().ok()
        });
        ids.find(|id: &PaytableId| self.sheet(id).is_none())
    }

    fn edited(
        &self,
        paytable: &Paytable,
        charged: &Charged,
        level: &LevelName,
        id: &PaytableId,
    ) -> Option<String> {
        let mut document: DocumentMut = self.source(&paytable.id)?.parse().ok()?;
        set(document.get_mut("id")?, id.as_str())?;
        let title = titled(&paytable.title, level);
        set(document.get_mut("title")?, &title)?;
        for line in sections(document.get_mut("line")?) {
            if is_of(line, &charged.hands) {
                let pays = line.get_mut("pays")?.as_table_like_mut()?;
                pays.insert("of", value(level.as_str()));
                pays.fmt();
            }
        }
        // The copy's id no longer leads to the minimum that the jurisdiction asks for.
        let printed = self.sheet(&paytable.id)?;
        let levels = sections(document.get_mut("level")?);
        for (level, printed) in levels.into_iter().zip(&printed.outline.levels) {
            if let (Some(least), false) = (printed.seed_least, level.contains_key("seed_least")) {
                level.insert("seed_least", value(i64::from(least)));
            }
        }
        Some(what_it_is(printed, &charged.hands, level) + &document.to_string())
    }
}

/// Writes the first lines: the original file and the differences from it.
fn what_it_is(printed: &Sheet, hands: &[Hand], level: &LevelName) -> String {
    let hands: Vec<&str> = hands.iter().map(|hand| hand.name()).collect();
    format!(
        "# {}, with these fixed pays off the {level} instead of paid by the house:\n# {}.\n#\n",
        printed.id,
        hands.join(", ")
    )
}

/// Returns the title with the difference, truncated if it would be too long.
fn titled(title: &str, level: &LevelName) -> String {
    let ending = format!(", upper fixed pays charged to the {level}");
    let room = TEXT_LENGTH_MAX.saturating_sub(ending.len());
    let kept = title
        .char_indices()
        .map(|(at, character)| at + character.len_utf8());
    let kept = kept.take_while(|end| *end <= room).last().unwrap_or(0);
    format!("{}{ending}", title.get(..kept).unwrap_or_default())
}

/// Returns the sections of a list in any notation.
fn sections(item: &mut Item) -> Vec<&mut dyn TableLike> {
    match item {
        Item::ArrayOfTables(them) => them
            .iter_mut()
            .map(|table| table as &mut dyn TableLike)
            .collect(),
        Item::Value(Value::Array(them)) => them
            .iter_mut()
            .filter_map(|item| item.as_inline_table_mut())
            .map(|table| table as &mut dyn TableLike)
            .collect(),
        Item::None | Item::Value(_) | Item::Table(_) => Vec::new(),
    }
}

fn is_of(line: &dyn TableLike, hands: &[Hand]) -> bool {
    let hand = line.get("hand").and_then(Item::as_str);
    hands.iter().any(|known| Some(known.name()) == hand)
}

/// Sets a text and keeps the formatting around it.
fn set(item: &mut Item, text: &str) -> Option<()> {
    let old = item.as_value_mut()?;
    let around = old.decor().clone();
    *old = Value::from(text);
    *old.decor_mut() = around;
    Some(())
}
