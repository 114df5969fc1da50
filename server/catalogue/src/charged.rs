//! A paytable file with its upper fixed pays charged to a level, for an operator to keep as his own.

use meterhouse_domain::charging::{Charged, charge_upper_pays};
use meterhouse_domain::hand::Hand;
use meterhouse_domain::ids::{LevelName, PaytableId, TEXT_LENGTH_MAX};
use meterhouse_domain::paytable::Paytable;
use toml_edit::{DocumentMut, Item, TableLike, Value, value};

use crate::catalogue::Catalogue;
use crate::sheet::Sheet;

/// What follows the id of the paytable that it is made from.
const ENDING: &str = "-charged";
/// Characters that an id keeps before its ending and a digit; an id has at most 32.
const KEPT: usize = 23;
/// Endings that are tried where an id is taken.
const ENDINGS: u8 = 9;

/// A file that returns no more than the wager on the average.
#[derive(Clone, Debug)]
pub struct ChargedFile {
    /// Its id: the file is called as it, with `.toml`.
    pub id: PaytableId,
    /// The level that the pays come off.
    pub level: LevelName,
    /// Whose pays come off it, highest first, and the content.
    pub charged: Charged,
    /// What stands in it: a file that these paytables take.
    pub text: String,
}

impl Catalogue {
    /// The file of a paytable that returns more than the wager, with its upper fixed pays charged to a level; nothing
    /// where there is nothing to charge, or where that is not enough.
    pub fn charged(&self, paytable: &Paytable) -> Option<ChargedFile> {
        let charged = charge_upper_pays(&paytable.content)?;
        let level = paytable.content.levels.get(charged.level)?.name.clone();
        let id = self.free_id(&paytable.id)?;
        let text = self.edited(paytable, &charged, &level, &id)?;
        // What is offered is taken, and says what was meant.
        let read = self.check(&format!("{id}.toml"), &text).ok()?;
        (read.paytable()?.content == charged.content).then_some(ChargedFile {
            id,
            level,
            charged,
            text,
        })
    }

    /// An id that no paytable has yet.
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
        // Its own id no longer says which least amount the jurisdiction asks for.
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

/// The first lines: what it was made from, and what is different.
fn what_it_is(printed: &Sheet, hands: &[Hand], level: &LevelName) -> String {
    let hands: Vec<&str> = hands.iter().map(|it| it.name()).collect();
    format!(
        "# {}, with these fixed pays off the {level} instead of paid by the house:\n# {}.\n#\n",
        printed.id,
        hands.join(", ")
    )
}

/// The title with what is different, cut where it would be too long.
fn titled(title: &str, level: &LevelName) -> String {
    let ending = format!(", upper fixed pays charged to the {level}");
    let room = TEXT_LENGTH_MAX.saturating_sub(ending.len());
    let kept = title.char_indices().map(|(at, it)| at + it.len_utf8());
    let kept = kept.take_while(|end| *end <= room).last().unwrap_or(0);
    format!("{}{ending}", title.get(..kept).unwrap_or_default())
}

/// The sections of a list, however it is written.
fn sections(item: &mut Item) -> Vec<&mut dyn TableLike> {
    match item {
        Item::ArrayOfTables(them) => them.iter_mut().map(|it| it as &mut dyn TableLike).collect(),
        Item::Value(Value::Array(them)) => them
            .iter_mut()
            .filter_map(|it| it.as_inline_table_mut())
            .map(|it| it as &mut dyn TableLike)
            .collect(),
        Item::None | Item::Value(_) | Item::Table(_) => Vec::new(),
    }
}

fn is_of(line: &dyn TableLike, hands: &[Hand]) -> bool {
    let hand = line.get("hand").and_then(Item::as_str);
    hands.iter().any(|it| Some(it.name()) == hand)
}

/// Sets a text and leaves what stands around it.
fn set(item: &mut Item, text: &str) -> Option<()> {
    let old = item.as_value_mut()?;
    let around = old.decor().clone();
    *old = Value::from(text);
    *old.decor_mut() = around;
    Some(())
}
