//! The pays of the bonuses that the table game system draws (§ 657a.12(f)(3)). The link sets the frequency of the
//! draws.

use meterhouse_domain::command::Bonus;
use meterhouse_domain::paytable::WagerKind;

use crate::reader::{Section, Value};

const EXAMPLE: &str = "a [[draw]] section with kind and for_one";

/// The pay of each offered bonus, for 1.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct Draws {
    pub(crate) magic_card: Option<u32>,
    pub(crate) lucky_bonus: Option<u32>,
}

/// Reads the draws; a file without any offers none.
pub(crate) fn read(root: &Section<'_>, wager_kind: Option<WagerKind>) -> Option<Draws> {
    let Some(value) = root.optional("draw") else {
        return Some(Draws::default());
    };
    let mut seen: Vec<(Bonus, Value<'_>)> = Vec::new();
    let mut draws = Some(Draws::default());
    for item in value.list(Bonus::ALL.len(), EXAMPLE)? {
        let section = item.section("[[draw]]", EXAMPLE)?;
        let kind_value = section.required("kind", "\"magic_card\"");
        let kind = kind_value.and_then(|value| value.word(Bonus::ALL));
        let odds = section.required("for_one", "20");
        let odds = odds.and_then(|value| value.whole(1..=u32::MAX));
        section.finish();
        if let Some(other) = wager_kind.filter(|kind| *kind != WagerKind::FiveCardHandBonus) {
            let message = format!(
                "a [[draw]] section with wager_kind = \"{other}\": write none, \
                 or wager_kind = \"{}\"",
                WagerKind::FiveCardHandBonus
            );
            section.report.record(section.at, message);
        }
        if let Some((kind, kind_value)) = kind.zip(kind_value) {
            if let Some((_, first)) = seen.iter().find(|(earlier, _)| *earlier == kind) {
                kind_value.wrong::<()>(format!(
                    "each kind once: line {} has it already",
                    first.line()
                ));
            }
            seen.push((kind, kind_value));
        }
        draws = draws.and_then(|draws| Some(draws.with(kind?, odds?)));
    }
    draws
}

impl Draws {
    const fn with(mut self, kind: Bonus, odds: u32) -> Self {
        match kind {
            Bonus::MagicCard => self.magic_card = Some(odds),
            Bonus::LuckyBonus => self.lucky_bonus = Some(odds),
        }
        self
    }
}
