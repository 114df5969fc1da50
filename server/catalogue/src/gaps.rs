//! What the source of a paytable doesn't print: what of it the file takes from another place, and what it lacks.
//!
//! # What follows
//! What is inferred is a default that the operator confirms before a table plays by it. What is lacking makes the
//! paytable incomplete, until an operator's file of the same id completes it. A hand above the highest line is neither: a
//! link opens once the operator has decided what it pays.

use core::fmt;

use crate::reader::{Section, Value};

/// Entries that one file may have.
const GAPS_MAX: usize = 16;

const EXAMPLE: &str = "a [[not_in_source]] section with what and place";

macro_rules! parts {
    ($($(#[$doc:meta])* $variant:ident $word:literal $may_lack:literal,)+) => {
        /// Something that a source prints, or doesn't.
        #[derive(Copy, Clone, Debug, PartialEq, Eq)]
        pub enum Part { $($(#[$doc])* $variant,)+ }

        impl Part {
            /// Every one.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The word for it in files and on the wire.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }

            /// Whether a file may do without it.
            const fn may_lack(self) -> bool {
                match self { $(Self::$variant => $may_lack),+ }
            }
        }
    };
}

parts! {
    /// The most betting positions of the layout.
    Seats "seats" false,
    /// What can be wagered on.
    BetOn "bet-on" false,
    /// How the hand is formed.
    HandRule "hand-rule" false,
    /// How hands are ranked.
    Ranking "ranking" false,
    /// Whether tables of several games may share meters.
    Linkable "linkable" false,
    /// What a fold does.
    Fold "fold" false,
    /// Who validates.
    Validation "validation" false,
    /// Who owes what, and how it is handed over.
    Settlement "settlement" false,
    /// What the bonuses of the draw pay.
    Draws "draws" false,
    /// The envy schedule.
    Envy "envy" true,
    /// What the lines pay.
    Pays "pays" true,
    /// The incrementation rates.
    Rates "rates" true,
    /// Seeds and reseeds.
    Seeds "seeds" true,
    /// The decks in play in one round.
    Decks "decks" false,
    /// What a royal flush pays, where the highest line is a lower hand: the operator decides it when a link opens.
    RoyalFlush "royal-flush" true,
    /// Since when it is in force.
    Effective "effective" true,
}

impl fmt::Display for Part {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

/// Something that the source doesn't print.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// What.
    pub what: Part,
    /// Where it would stand.
    pub place: String,
    /// Where the same is printed, if it was taken from there; else the file lacks it.
    pub inferred_from: Option<String>,
}

/// Whether the file lacks this.
pub(crate) fn lacks(gaps: &[Gap], what: Part) -> bool {
    gaps.iter()
        .any(|it| it.what == what && it.inferred_from.is_none())
}

/// Reads what the file says that its source doesn't print; a file without such sections has all from there.
/// What can't be read has its finding, and hides nothing else.
pub(crate) fn read(root: &Section<'_>) -> Vec<Gap> {
    let value = root.optional("not_in_source");
    let items = value.and_then(|it| it.list(GAPS_MAX, EXAMPLE));
    let mut seen: Vec<(Part, Value<'_>)> = Vec::new();
    let mut gaps = Vec::new();
    for item in items.unwrap_or_default() {
        let Some(section) = item.section("[[not_in_source]]", EXAMPLE) else {
            continue;
        };
        let place_of = section.required("what", "\"envy\"");
        let what = place_of.and_then(|it| it.word(Part::ALL));
        let place = section.required("place", "\"58 Pa. Code § 639a.12(d)(6)\"");
        let place = place.and_then(Value::text);
        let from = section.optional("inferred_from");
        let from_text = from.map(Value::text);
        section.finish();
        if let Some((what, at)) = what.zip(place_of) {
            if let Some((_, first)) = seen.iter().find(|(it, _)| *it == what) {
                at.wrong::<()>(format!("each once: line {} has it already", first.line()));
            }
            if from.is_none() && !what.may_lack() {
                let example =
                    "inferred_from = \"58 Pa. Code § 657a.2(a)\", the place that it is taken from";
                section.missing::<()>("inferred_from", example);
            }
            seen.push((what, at));
        }
        let gap = || {
            Some(Gap {
                what: what?,
                place: place?.to_owned(),
                inferred_from: from_text
                    .map_or(Some(None), |it| it.map(|it| Some(it.to_owned())))?,
            })
        };
        gaps.extend(gap());
    }
    gaps
}
