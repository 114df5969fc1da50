//! The bonuses that a paytable lets the table game system draw (§ 657a.12(f)(3)): what each pays. How often one
//! is drawn is for the link to say.

use meterhouse_domain::command::Bonus;
use meterhouse_domain::paytable::WagerKind;

use crate::reader::{Section, Value};

const EXAMPLE: &str = "a [[draw]] section with kind and for_one";

/// What each bonus pays for 1, where it is offered.
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
        let place = section.required("kind", "\"magic_card\"");
        let kind = place.and_then(|it| it.word(Bonus::ALL));
        let odds = section.required("for_one", "20");
        let odds = odds.and_then(|it| it.whole(1..=u32::MAX));
        section.finish();
        if let Some(other) = wager_kind.filter(|it| *it != WagerKind::FiveCardHandBonus) {
            let message = format!(
                "a [[draw]] section with wager_kind = \"{other}\": write none, \
                 or wager_kind = \"{}\"",
                WagerKind::FiveCardHandBonus
            );
            section.report.say(section.at, message);
        }
        if let Some((kind, place)) = kind.zip(place) {
            if let Some((_, first)) = seen.iter().find(|(it, _)| *it == kind) {
                place.wrong::<()>(format!(
                    "each kind once: line {} has it already",
                    first.line()
                ));
            }
            seen.push((kind, place));
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
