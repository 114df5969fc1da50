//! What two people change, in the auditor's books: corrections, adjustments, late hits.

use meterhouse_domain::adopted::AdoptedTable;
use meterhouse_domain::change::{AdjustedAccount, Change, LateHit, Resettled};
use meterhouse_domain::command::Holder;
use meterhouse_domain::event::{HitKind, HitRecorded};
use meterhouse_domain::ids::HitId;
use meterhouse_domain::money::Money;
use meterhouse_domain::refusal::RefusalCode as Code;

use super::answers::{same_hit, same_payouts, taken_of};
use super::books::{Account, Entry};
use super::hit::{Hit, Name, Status};
use super::keyed::Keyed;
use super::life::Fact;
use super::reasons::when;
use super::round::{Closed, Person, Who};
use super::{Auditor, Reasons, Verdict, agree, texts};

/// The whole wager, in millionths of it.
const WHOLE: u32 = 1_000_000;
/// The largest adjustment in micro-dollars: a hundred million dollars.
const ADJUSTMENT: i128 = 100_000_000_000_000;

impl Auditor {
    /// Why a change can't be.
    pub(super) fn of_change(&self, change: &Change) -> Reasons {
        match change {
            Change::Correct { hit } => self.of_correction(Name::of(*hit)),
            Change::Adjust {
                level,
                account,
                amount,
            } => {
                let level = usize::from(*level);
                let mut reasons = when(!self.values_accepted, Code::ValuesNotAccepted);
                if level >= self.sheet.levels.len() {
                    reasons.push(Code::NoSuchLevel);
                    return reasons;
                }
                let micros = i128::from(amount.micros());
                let out = micros == 0 || micros.abs() > ADJUSTMENT;
                reasons.extend(when(out, Code::OutOfRange));
                let held = self.books.of(level, account_of(*account));
                reasons.extend(when(held + micros < 0, Code::BalanceTooLow));
                reasons
            }
            Change::LateHit(late) => self.of_late_hit(late),
            Change::ClearFault => when(self.fault.is_none(), Code::NotFaulted),
            Change::AcknowledgeReturns => when(!self.unacknowledged, Code::NothingToAcknowledge),
            Change::AdoptTable(asked) => {
                let (table, now) = of_adoption(asked);
                let as_printed = now.0.is_none() && now.1 <= WHOLE;
                let same = match self.adopted.get(&table) {
                    Some(known) => *known == now,
                    None => as_printed,
                };
                when(same, Code::NothingToAdopt)
            }
        }
    }

    /// A table of fixed wagers is adopted, or pays its print again.
    pub(super) fn adopt(&mut self, asked: &AdoptedTable, before: Option<&AdoptedTable>) -> Verdict {
        let (table, now) = of_adoption(asked);
        let known = self.adopted.remove(&table);
        agree(
            "adopted before",
            &known,
            &before.map(|it| of_adoption(it).1),
        )?;
        if now.0.is_some() || now.1 > WHOLE {
            self.adopted.insert(table, now);
        }
        Ok(())
    }

    /// Why two people can't withdraw a hit.
    fn of_correction(&self, name: Name) -> Reasons {
        let Some(place) = self.place(name) else {
            return vec![Code::UnknownHit, Code::TooOld];
        };
        let hit = &self.hits[place];
        let mut reasons = when(self.reachable(name).is_none(), Code::TooOld);
        let forgotten = hit.level().map_or(0, |level| self.forgotten[level]);
        reasons.extend(when(hit.order < forgotten, Code::TooOld));
        reasons.extend(when(!hit.stands(), Code::HitNotPending));
        let by_one = matches!(hit.status, Status::Pending | Status::ByRule) && !hit.paid();
        let by_one = by_one && !self.later(hit).any(Hit::paid);
        reasons.extend(when(by_one, Code::NotValidated));
        reasons
    }

    /// Why a winner can't be found late.
    fn of_late_hit(&self, late: &LateHit) -> Reasons {
        let (table, who) = (late.table.0 as usize - 1, Who::of(late.holder));
        let felt = &self.felts[table];
        let open = felt.round.as_ref().filter(|it| it.number == late.round.0);
        let mut reasons = when(open.is_some(), Code::RoundStillOpen);
        let round = self
            .closed_round(table, late.round.0)
            .map(|it| &it.round)
            .or(open);
        let Some(round) = round else {
            return vec![Code::NoRound];
        };
        let number = late_number(late.holder);
        let stood = self.hits.iter().any(|hit| {
            let here = hit.name.table == table && hit.round == round.number && hit.who == who;
            let again = hit.name.number == round.number && hit.name.nth == number;
            here && hit.by_rank() && (hit.stands() || again)
        });
        reasons.extend(when(stood, Code::AlreadyHit));
        reasons.extend(self.of_wager(round, late.holder));
        reasons.extend(when(self.sheet.line(late.hand).is_none(), Code::NotAWinner));
        reasons.extend(self.of_cards(late.hand, late.cards.as_deref()));
        reasons
    }

    /// A round of a table that GAME OVER closed.
    pub(crate) fn closed_round(&self, table: usize, number: u64) -> Option<&Closed> {
        let mut closed = self.felts[table].closed.iter();
        closed.find(|it| it.round.number == number)
    }

    pub(super) fn correct(&mut self, hit: HitId, resettled: &[Resettled]) -> Verdict {
        let place = self.reachable(Name::of(hit)).ok_or("no such hit")?;
        let again = self.withdraw(place, Status::Withdrawn, resettled)?;
        self.same_resettled(&again, resettled)
    }

    /// The later hits got the amounts that the auditor found.
    pub(super) fn same_resettled(&self, again: &[Again], said: &[Resettled]) -> Verdict {
        agree("resettled hits", &again.len(), &said.len())?;
        for (again, said) in again.iter().zip(said) {
            let hit = &self.hits[again.place];
            agree("resettled hit", &hit.name, &Name::of(said.hit))?;
            let taken = hit.took.as_ref().map(|took| took.taken);
            agree("taken now", &taken, &Some(taken_of(&said.taken)))?;
            same_payouts(&hit.due, &said.payouts)?;
            let back = hit.status == Status::Pending && again.was != Status::Pending;
            agree("back to pending", &back, &said.back_to_pending)?;
        }
        Ok(())
    }

    /// Adds to a balance, or takes from it. Answers it before and after, a ceiling included.
    pub(super) fn adjust(
        &mut self,
        level: u8,
        account: AdjustedAccount,
        amount: Money,
    ) -> (i128, i128) {
        let (level, account) = (usize::from(level), account_of(account));
        let micros = i128::from(amount.micros());
        let before = self.books.of(level, account);
        let entries = vec![Entry {
            book: level,
            from: Account::House,
            to: account,
            micros,
        }];
        self.counts.up[level] += micros.max(0);
        self.counts.down[level] -= micros.min(0);
        self.books.write(&entries);
        self.facts.push(Fact::Entries(entries));
        self.put_in_bounds();
        (before, self.books.of(level, account))
    }

    /// A winner found after GAME OVER: nobody but the two has to validate it, and all of it is paid with a
    /// document, for no GAME OVER comes any more.
    pub(super) fn found_late(
        &mut self,
        by: &Person,
        late: &LateHit,
        said: HitId,
        event: &HitRecorded,
        from_meter: bool,
    ) -> Verdict {
        let table = late.table.0 as usize - 1;
        let name = Name {
            table,
            number: late.round.0,
            nth: late_number(late.holder),
        };
        agree("late hit", &name, &Name::of(said))?;
        let closed = self
            .closed_round(table, late.round.0)
            .ok_or("no closed round")?;
        let cards = late.cards.as_deref().map(texts).unwrap_or_default();
        let keyed = Keyed {
            name,
            by,
            who: Who::of(late.holder),
            cards: &cards,
        };
        let hit = self.line(&closed.round, keyed, late.hand, Some(closed))?;
        agree("from the meter", &hit.took.is_some(), &from_meter)?;
        agree("kind", &HitKind::Line, &event.kind)?;
        same_hit(&hit, false, event)?;
        let place = self.hits.len();
        self.record(hit);
        self.keep(place);
        Ok(())
    }
}

/// What is adopted of which table.
fn of_adoption(adopted: &AdoptedTable) -> (String, (Option<String>, u32)) {
    let reading = adopted.reading.as_ref().map(|it| it.name.to_string());
    (adopted.table.to_string(), (reading, adopted.returns.ppm))
}

/// A hit that got new amounts, and where it stood before.
#[derive(Clone, Copy, Debug)]
pub(super) struct Again {
    pub(super) place: usize,
    pub(super) was: Status,
}

const fn account_of(account: AdjustedAccount) -> Account {
    match account {
        AdjustedAccount::Meter => Account::Meter,
        AdjustedAccount::Reserve => Account::Reserve,
    }
}

/// A late hit's number: that of its seat, and the one behind the last possible seat for the dealer.
const fn late_number(holder: Holder) -> u8 {
    match holder {
        Holder::Seat(seat) => seat.0,
        Holder::Dealer => 16,
    }
}
