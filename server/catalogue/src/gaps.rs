//! Gaps: values that the source of a paytable omits, either inferred from another place or missing.
//!
//! # Consequences
//! An inferred value is a default that the operator confirms before a table plays by it. A missing value makes the
//! paytable incomplete, until an operator's file of the same id supplies it. A hand above the highest line is
//! neither. A link opens once the operator has decided its pay.

use core::fmt;

use crate::reader::{Section, Value};

/// Number of entries that one file may have.
const GAPS_MAX: usize = 16;

const EXAMPLE: &str = "a [[not_in_source]] section with what and place";

/// A part of a file that a source prints or omits.
pub(crate) trait GapPart: Copy + PartialEq + fmt::Display + 'static {
    /// Every part.
    const PARTS: &'static [Self];

    /// Returns true if a file may omit the part.
    fn may_be_missing(self) -> bool;
}

macro_rules! parts {
    ($(#[$of:meta])* $part:ident { $($(#[$doc:meta])* $variant:ident $word:literal $may_be_missing:literal,)+ }) => {
        $(#[$of])*
        #[derive(Copy, Clone, Debug, PartialEq, Eq)]
        pub enum $part { $($(#[$doc])* $variant,)+ }

        impl $part {
            /// Every part.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Returns the part's word in files and on the wire.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }
        }

        impl GapPart for $part {
            const PARTS: &'static [Self] = Self::ALL;

            fn may_be_missing(self) -> bool {
                match self { $(Self::$variant => $may_be_missing),+ }
            }
        }

        impl fmt::Display for $part {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str(self.name())
            }
        }
    };
}

parts! {
    /// A part of a paytable that a source prints or omits.
    Part {
    /// Most betting positions of the layout.
    Seats "seats" false,
    /// Hands that can be wagered on.
    BetOn "bet-on" false,
    /// Rule by which the hand is formed.
    HandRule "hand-rule" false,
    /// Ranking of the hands.
    Ranking "ranking" false,
    /// Permission for tables of several games to share meters.
    Linkable "linkable" false,
    /// Effect of a fold.
    Fold "fold" false,
    /// Hits that a person validates.
    Validation "validation" false,
    /// Payer of each pay, and the way of payment.
    Settlement "settlement" false,
    /// Pays of the drawn bonuses.
    Draws "draws" false,
    /// Envy schedule.
    Envy "envy" true,
    /// Pays of the lines.
    Pays "pays" true,
    /// Incrementation rates.
    Rates "rates" true,
    /// Seeds and reseeds.
    Seeds "seeds" true,
    /// Decks in play in one round.
    Decks "decks" false,
    /// Pay of a royal flush if the highest line is a lower hand: the operator decides it when a link opens.
    RoyalFlush "royal-flush" true,
    /// First day in force.
    Effective "effective" true,
    }
}

parts! {
    /// A part of a table of fixed wagers that a source prints or omits.
    FixedPart {
        /// All lines.
        Lines "lines" true,
        /// Pays of some lines.
        Pays "pays" true,
        /// Way in which the wagers are judged.
        Look "look" true,
        /// First day in force.
        Effective "effective" true,
        /// Cards of a royal flush.
        RoyalFlush "royal-flush" false,
        /// Definitions of the wagers on dice.
        Bets "bets" false,
    }
}

/// A value that the source omits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap<P = Part> {
    /// The omitted part.
    pub what: P,
    /// Clause that would print it.
    pub place: String,
    /// Clause that the value was inferred from; `None` if it is missing.
    pub inferred_from: Option<String>,
}

/// Checks if the file omits this part without inferring it.
pub(crate) fn is_missing<P: GapPart>(gaps: &[Gap<P>], what: P) -> bool {
    gaps.iter()
        .any(|gap| gap.what == what && gap.inferred_from.is_none())
}

/// Reads the gaps that the file declares. A file without gap sections has every value from its source. An unreadable
/// gap has its finding, and hides no other.
pub(crate) fn read<P: GapPart>(root: &Section<'_>) -> Vec<Gap<P>> {
    let value = root.optional("not_in_source");
    let items = value.and_then(|value| value.list(GAPS_MAX, EXAMPLE));
    let mut seen: Vec<(P, Value<'_>)> = Vec::new();
    let mut gaps = Vec::new();
    for item in items.unwrap_or_default() {
        let Some(section) = item.section("[[not_in_source]]", EXAMPLE) else {
            continue;
        };
        let part = P::PARTS.first().map(|part| format!("\"{part}\""));
        let what_value = section.required("what", &part.unwrap_or_default());
        let what = what_value.and_then(|value| value.word(P::PARTS));
        let place = section.required("place", "\"58 Pa. Code § 639a.12(d)(6)\"");
        let place = place.and_then(Value::text);
        let from = section.optional("inferred_from");
        let from_text = from.map(Value::text);
        section.finish();
        if let Some((what, at)) = what.zip(what_value) {
            if let Some((_, first)) = seen.iter().find(|(earlier, _)| *earlier == what) {
                at.wrong::<()>(format!("each once: line {} has it already", first.line()));
            }
            if from.is_none() && !what.may_be_missing() {
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
                    .map_or(Some(None), |text| text.map(|text| Some(text.to_owned())))?,
            })
        };
        gaps.extend(gap());
    }
    gaps
}
