//! Reading a file of fixed wagers into a checked [`FixedSheet`].
//!
//! # Bounds
//! Lines and wagers as in the domain, [`PLAYERS_MAX`] players.

use meterhouse_domain::fixed::seen::Look;
use meterhouse_domain::fixed::table::WAGERS_MAX;
use meterhouse_domain::ids::{PaytableId, WagerName};

use crate::file::{id, text};
use crate::fixed::filed::{Content, Filed, Unread};
use crate::fixed::printed;
use crate::fixed::sheet::FixedSheet;
use crate::fixed::{lines, reading};
use crate::gaps::{self, FixedPart, Gap, is_missing};
use crate::reader::{Section, Value};

/// The word of these files at the key `kind`.
const KIND: &str = "fixed";
/// Players of the largest round that a table may be for.
const PLAYERS_MAX: u32 = 15;

const WAGERS_EXAMPLE: &str = "[\"ante\", \"play\"]";

/// Files that are already loaded.
#[derive(Copy, Clone)]
pub(crate) struct Known<'a> {
    /// Returns the loaded sheet of fixed wagers with an id.
    pub(crate) find: &'a dyn Fn(&PaytableId) -> Option<&'a FixedSheet>,
    /// Sheets of the compiled-in files; empty while these are read.
    pub(crate) ours: &'a [FixedSheet],
    /// True for the id of a paytable of progressive wagers.
    pub(crate) is_paytable: &'a dyn Fn(&PaytableId) -> bool,
}

/// Reads the content of one file and checks it against the known ones.
pub(crate) fn sheet(root: &Section<'_>, stem: &str, known: Known<'_>) -> Option<FixedSheet> {
    let kind = root.required("kind", "\"fixed\"");
    let kind = kind.and_then(|value| value.word(&[KIND]));
    let id_value = root.required("id", &format!("\"{stem}\""));
    let id = id_value.and_then(|value| id(value, stem));
    let gaps = gaps::read(root);
    let is_paytable = id.as_ref().is_some_and(known.is_paytable);
    let filed = facts(root, id, gaps);
    root.finish();
    if let Some(value) = id_value.filter(|_| is_paytable) {
        return value
            .wrong("another id and rename the file: a paytable with this id is there already");
    }
    if let Some((id, value)) = filed.id.as_ref().zip(id_value) {
        match (known.find)(id) {
            Some(printed) => printed::completes(root, value, printed, &filed),
            None => printed::is_free(root, value, &filed, known.ours),
        }
    }
    kind?;
    filed.whole()
}

fn facts(root: &Section<'_>, id: Option<PaytableId>, gaps: Vec<Gap<FixedPart>>) -> Filed {
    let title = text(
        root,
        "title",
        "\"Crazy 4 Poker, Queens Up Wager, Paytable A\"",
    );
    let jurisdiction = text(root, "jurisdiction", "\"PA\"");
    let citation = text(root, "citation", "\"58 Pa. Code § 657a.12(c)\"");
    let effective = if is_missing(&gaps, FixedPart::Effective) {
        Ok(None)
    } else {
        let day = root.required("effective", "2019-08-31");
        day.and_then(Value::day).map(Some).ok_or(Unread)
    };
    let game = root
        .required("game", "\"crazy-4-poker\"")
        .and_then(Value::name);
    let wagers = root.required("wagers", WAGERS_EXAMPLE).and_then(wagers);
    let letter = root.optional("letter").map(letter);
    let players = root.optional("players");
    let players = players.map(|value| value.whole(1..=PLAYERS_MAX)?.try_into().ok());
    let look = if is_missing(&gaps, FixedPart::Look) {
        Ok(None)
    } else {
        let value = root.required("look", "\"four-card\"");
        let look = value.and_then(|value| value.word(&Look::ALL));
        look.map(Some).ok_or(Unread)
    };
    Filed {
        id,
        title,
        jurisdiction,
        citation,
        effective,
        game,
        wagers,
        letter: letter.map_or(Ok(None), |letter| letter.map(Some).ok_or(Unread)),
        players: players.map_or(Ok(None), |players| players.map(Some).ok_or(Unread)),
        look,
        content: content(root, look, &gaps),
        gaps,
    }
}

fn wagers(value: Value<'_>) -> Option<Vec<WagerName>> {
    let mut wagers: Vec<Option<WagerName>> = Vec::new();
    for item in value.list(WAGERS_MAX, WAGERS_EXAMPLE)? {
        let wager = item.name();
        if wager.is_some() && wagers.contains(&wager) {
            item.wrong::<()>("each wager once");
        }
        wagers.push(wager);
    }
    wagers.into_iter().collect()
}

fn letter(value: Value<'_>) -> Option<String> {
    let mut letters = value.as_str().unwrap_or_default().chars();
    match (letters.next(), letters.next()) {
        (Some(letter), None) if letter.is_ascii_uppercase() => Some(letter.to_string()),
        _ => value.wrong("a capital letter in quotes, such as \"A\""),
    }
}

/// Reads lines and reading. Parts that are declared missing stay unread, so that they are refused.
fn content(
    root: &Section<'_>,
    look: Result<Option<Look>, Unread>,
    gaps: &[Gap<FixedPart>],
) -> Option<Content> {
    if is_missing(gaps, FixedPart::Lines) {
        return Some(Content {
            basis: None,
            lines: Vec::new(),
            reading: None,
        });
    }
    let line = root.required_section("line", "at least one [[line]] section");
    let reading = root.optional("reading");
    if let Ok(None) = look {
        let instead = "look = \"four-card\", or a gap for \"lines\" as well";
        root.missing::<()>("look", instead);
    }
    let (look, line) = (look.ok().flatten(), line?);
    let printed = lines::read(line, look, is_missing(gaps, FixedPart::Pays))?;
    let basis = lines::together(line, &printed, look);
    let reading = match reading {
        Some(value) => Some(reading::read(value, look, &printed)?),
        None => None,
    };
    let printed = printed.into_iter().map(|line| line.line);
    Some(Content {
        basis: Some(basis?),
        lines: printed.collect::<Option<_>>()?,
        reading,
    })
}
