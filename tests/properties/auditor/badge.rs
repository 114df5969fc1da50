//! The badge of who keyed a hit: asked for where a person has to validate it, and the link says so.

use meterhouse_domain::command::{Settle, TableCommand};
use meterhouse_domain::event::HitKind;
use meterhouse_domain::hand::Hand;
use meterhouse_domain::refusal::RefusalCode as Code;

use super::known::named_by_a_person;
use super::reasons::when;
use super::round::{Person, Round, Who};
use super::sheet::Prize;
use super::{Auditor, Reasons, texts};

impl Auditor {
    /// Why a command that nothing else speaks against needs a badge.
    pub(super) fn of_badge(&self, table: usize, by: &Person, command: &TableCommand) -> Reasons {
        let Some(round) = &self.felts[table].round else {
            return Vec::new();
        };
        let waits = match command {
            TableCommand::Hit(hit) => self.needs_a_person(hit.hand),
            TableCommand::Envy { .. } => true,
            TableCommand::Settle(settle) => self.waits_of(round, settle),
            TableCommand::SettleWagers(settle) => self.waits_of(round, &settle.cards),
            _ => false,
        };
        when(
            waits && by.1.is_none() && self.limits.badge == Some(true),
            Code::BadgeMissing,
        )
    }

    /// Whether a person has to validate anything that these cards win.
    fn waits_of(&self, round: &Round, settle: &Settle) -> bool {
        let seats = settle.seats.iter();
        let hands = seats.map(|(seat, cards)| (Who::Seat(seat.0), texts(cards)));
        let mut hands = hands.chain([(Who::Dealer, texts(&settle.dealer))]);
        hands.any(|(who, cards)| {
            let hand = named_by_a_person(&cards, self.sheet.four_cards);
            let mut wins = self.wins(round, who, &cards).into_iter();
            wins.any(|kind| match kind {
                HitKind::Line => hand.is_some_and(|hand| self.needs_a_person(hand)),
                HitKind::Envy => true,
                HitKind::MagicCard | HitKind::LuckyBonus => false,
            })
        })
    }

    /// Whether a person validates the line of a hand: a share of a level, or odds from those on that the law names.
    fn needs_a_person(&self, hand: Hand) -> bool {
        self.sheet.line(hand).is_some_and(|line| match line.1 {
            Prize::Share(..) => true,
            Prize::Fixed(odds) | Prize::Metered(odds, _) => odds >= self.sheet.person_from,
        })
    }
}
