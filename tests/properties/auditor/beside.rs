//! The fixed wagers beside the cards of a `settle`: what speaks against them, and that they do nothing.

use std::collections::BTreeSet;

use meterhouse_domain::command::SettleWagers;
use meterhouse_domain::fixed::settle::SeatEnd;
use meterhouse_domain::ids::PaytableId;
use meterhouse_domain::refusal::RefusalCode as Code;
use meterhouse_domain::round_wagers::{RecordedWagers, WagersResult};

use super::reasons::when;
use super::round::Round;
use super::{Auditor, Reasons, Verdict, agree};
use crate::beside::{GAME, JURISDICTION};

impl Auditor {
    /// Why a round with fixed wagers is not settled.
    pub(super) fn of_settle_wagers(
        &self,
        table: usize,
        round: &Round,
        command: &SettleWagers,
    ) -> Reasons {
        let mut reasons = self.of_settle(table, round, &command.cards);
        let seats = &command.wagers.seats;
        let sent: BTreeSet<u8> = seats.iter().map(|it| it.seat.0).collect();
        let otherwise = seats.iter().any(|it| {
            let folded = round.folded.contains(&it.seat.0);
            let end = match it.end {
                SeatEnd::Stayed => folded,
                SeatEnd::Folded => !folded,
                SeatEnd::Left => false,
            };
            let named = round.names.get(&it.seat.0);
            let sent = it.player.as_ref().map(|it| it.as_str().to_owned());
            end || named.is_some_and(|named| sent.as_ref() != Some(named))
        });
        let result = self.counts_of(command);
        let game = match result {
            WagersResult::Settled(settled) => settled.game.as_str() != GAME,
            WagersResult::Refused(_) => false,
        };
        let elsewhere = command.wagers.jurisdiction != JURISDICTION;
        let differ = sent != round.dealt || otherwise || game || elsewhere;
        reasons.extend(when(differ, Code::WagersDiffer));
        let refused = matches!(result, WagersResult::Refused(_));
        reasons.extend(when(refused, Code::WagersRefused));
        if let WagersResult::Settled(settled) = result {
            for paid in &settled.tables {
                let known = self.adopted.get(paid.id.as_str());
                let read = known.and_then(|it| it.0.clone());
                let same = read == paid.reading.as_ref().map(|it| it.as_str().to_owned());
                reasons.extend(when(!same, Code::WagersDiffer));
                let returns = paid.returns.map(|it| it.ppm);
                let seen = returns.is_none() || returns == known.map(|it| it.1);
                reasons.extend(when(!seen, Code::TableNotAdopted));
            }
        }
        reasons
    }

    /// Which of the two results counts: that of the readings, if one of the tables was adopted with a reading.
    fn counts_of<'a>(&self, command: &'a SettleWagers) -> &'a WagersResult {
        let tables = &command.wagers.tables;
        let read = |it: &&PaytableId| matches!(self.adopted.get(it.as_str()), Some((Some(_), _)));
        let any = tables.iter().find(read);
        match (&command.as_read, any) {
            (Some(as_read), Some(_)) => as_read,
            _ => &command.result,
        }
    }
}

impl Auditor {
    /// The event holds what was asked and what came out.
    pub(super) fn same_wagers(&self, command: &SettleWagers, recorded: &RecordedWagers) -> Verdict {
        agree("wagers", &command.wagers, &recorded.played)?;
        let settled = WagersResult::Settled(Box::new(recorded.settled.clone()));
        agree("settled wagers", self.counts_of(command), &settled)
    }
}
