//! What the laws are judged by: the entries of an event, which events may move a meter, which hits stand.

use meterhouse_domain::change::Effect;
use meterhouse_domain::command::{Command, Envelope, Holder};
use meterhouse_domain::event::{Event, HitKind, HitRecorded, Origin, Recorded};
use meterhouse_domain::ids::{HitId, Sequence, TableNo};
use meterhouse_domain::link::{Account, Move};
use meterhouse_domain::repeat::{person_command_of, table_command_of};
use meterhouse_domain::state::LinkState;

use crate::auditor::Verdict;
use crate::play::Step;
use crate::world::Answer;

/// The command that an event tells of.
pub(crate) fn told_by(state: &LinkState, recorded: &Recorded) -> Option<Envelope> {
    let command = match recorded.origin {
        Origin::Table { table, sequence } => Command::Table {
            table,
            sequence,
            command: table_command_of(&state.terms, &recorded.event)?,
        },
        Origin::Person => Command::Person(person_command_of(&state.terms, &recorded.event)?),
    };
    Some(Envelope {
        actor: recorded.actor,
        by: recorded.by.clone(),
        device_time: recorded.device_time,
        command,
    })
}

/// Whether what happened may lower the meter of a level.
pub(crate) fn may_lower(step: &Step<'_>, level: usize) -> bool {
    let Answer::Caused(event) = step.answer else {
        return false;
    };
    let took = |hit: &HitRecorded| hit.taken.is_some_and(|it| usize::from(it.level) == level);
    let of_level = |hit: HitId| {
        let taken = step.before.hit(hit).and_then(|it| it.taken);
        taken.filter(|it| usize::from(it.level) == level)
    };
    match event {
        Event::HitRecorded(hit) => took(hit),
        Event::RoundSettled { hits, .. } => hits.iter().any(took),
        Event::HitCancelled { hit, .. } => of_level(*hit).is_some_and(|it| it.reset.is_some()),
        Event::HitRejected { hit, .. } => of_level(*hit).is_some(),
        Event::ChangeApproved { effect, .. } => match effect.as_ref() {
            Effect::Corrected { hit, .. } => of_level(*hit).is_some(),
            Effect::Adjusted {
                level: adjusted,
                before,
                after,
                ..
            } => usize::from(*adjusted) == level && after < before,
            Effect::LateHitRecorded { recorded, .. } => took(recorded),
            Effect::FaultCleared { .. }
            | Effect::ReturnsAcknowledged
            | Effect::TableAdopted { .. } => false,
        },
        Event::RoundVoided { .. } => true,
        _ => false,
    }
}

/// Whether what happened may raise a meter.
pub(crate) const fn may_raise(step: &Step<'_>) -> bool {
    matches!(
        step.answer,
        Answer::Caused(
            Event::CoinInAccepted(_)
                | Event::HitRecorded(_)
                | Event::RoundSettled { .. }
                | Event::HitCancelled { .. }
                | Event::HitRejected { .. }
                | Event::RoundVoided { .. }
                | Event::ChangeApproved { .. }
        )
    )
}

/// The balances of all books.
pub(crate) type Sums = Vec<[i128; 8]>;

/// Adds entries up.
pub(crate) fn add(sums: &mut Sums, moves: &[Move]) {
    for it in moves {
        let book = &mut sums[it.book.index()];
        book[it.from.index()] -= i128::from(it.amount.micros());
        book[it.to.index()] += i128::from(it.amount.micros());
    }
}

/// The entries of an event: as it lists them, and what the wagers added share by share.
pub(crate) fn entries(state: &LinkState, event: &Event) -> Vec<Move> {
    match event {
        Event::LinkOpened { moves, .. }
        | Event::HitCancelled { moves, .. }
        | Event::HitRejected { moves, .. }
        | Event::PayoutPaid { moves, .. }
        | Event::RoundClosed { moves, .. }
        | Event::RoundVoided { moves, .. }
        | Event::ChangeApproved { moves, .. } => moves.clone(),
        Event::HitRecorded(hit) => hit.moves.clone(),
        Event::RoundSettled { hits, .. } => hits.iter().flat_map(|hit| hit.moves.clone()).collect(),
        Event::CoinInAccepted(coin_in) => {
            let shares = state.shares.iter().zip(coin_in.added.amounts());
            let added = shares.map(|(share, amount)| Move {
                book: share.book,
                from: Account::Players,
                to: share.account,
                amount: *amount,
            });
            let over = coin_in.over_ceiling.iter().map(|(book, amount)| Move {
                book: *book,
                from: Account::Meter,
                to: Account::Overflow,
                amount: *amount,
            });
            added.chain(over).collect()
        }
        _ => Vec::new(),
    }
}

/// A claim, and why it doesn't hold.
pub(crate) fn claim(holds: bool, why: impl FnOnce() -> String) -> Verdict {
    if holds { Ok(()) } else { Err(why()) }
}

/// A hit that stands: its name, and where it may stand alone.
type Standing = (HitId, (TableNo, Sequence, Holder, HitKind));

/// The hits that stand, of all rounds.
#[derive(Default)]
pub(crate) struct Stand(Vec<Standing>);

impl Stand {
    /// Sees what happened, and that no second hit stands where one does.
    pub(crate) fn see(&mut self, step: &Step<'_>) -> Verdict {
        let Answer::Caused(event) = step.answer else {
            return Ok(());
        };
        match (event, &step.envelope.command) {
            (
                Event::HitRecorded(hit),
                Command::Table {
                    table, sequence, ..
                },
            ) => {
                self.enter(*table, *sequence, 0, hit)?;
            }
            (
                Event::RoundSettled { hits, .. },
                Command::Table {
                    table, sequence, ..
                },
            ) => {
                for (number, hit) in (1..).zip(hits) {
                    self.enter(*table, *sequence, number, hit)?;
                }
            }
            (Event::HitCancelled { hit, .. } | Event::HitRejected { hit, .. }, _) => {
                self.0.retain(|(id, _)| id != hit);
            }
            (Event::RoundVoided { hits, .. }, _) => self.0.retain(|(id, _)| !hits.contains(id)),
            (Event::ChangeApproved { effect, .. }, _) => match effect.as_ref() {
                Effect::Corrected { hit, .. } => self.0.retain(|(id, _)| id != hit),
                Effect::LateHitRecorded { hit, recorded, .. } => {
                    self.enter(hit.table, hit.sequence, hit.number, recorded)?;
                }
                Effect::Adjusted { .. }
                | Effect::FaultCleared { .. }
                | Effect::ReturnsAcknowledged
                | Effect::TableAdopted { .. } => {}
            },
            _ => {}
        }
        let tables = (1..).map(TableNo).zip(&step.world.state.tables);
        let open = tables.filter_map(|(table, felt)| Some((table, felt.round.as_ref()?)));
        for (table, round) in open {
            let stored = round.standing_hits().count();
            let of_it = |(_, (at, of, _, _)): &&Standing| (*at, *of) == (table, round.sequence);
            let ours = self.0.iter().filter(of_it).count();
            claim(stored == ours, || format!("{stored} stand, not {ours}"))?;
        }
        Ok(())
    }

    fn enter(
        &mut self,
        table: TableNo,
        sequence: Sequence,
        number: u8,
        hit: &HitRecorded,
    ) -> Verdict {
        let alone = (table, hit.round, hit.holder, hit.kind);
        let twice = self.0.iter().any(|(_, it)| *it == alone);
        claim(!twice, || format!("a second hit stands: {hit:?}"))?;
        let id = HitId {
            table,
            sequence,
            number,
        };
        self.0.push((id, alone));
        Ok(())
    }
}

/// Where the path of a meter leads from the highest beginnings, it stops at the ceiling.
pub(crate) fn paths_stop(state: &LinkState) -> Verdict {
    for (path, ceiling) in state.paths.iter().zip(&state.terms.settings.ceilings) {
        let (Some(path), Some(ceiling)) = (path, ceiling) else {
            continue;
        };
        let Some(last) = path.kept_out.last().filter(|last| last.to.is_none()) else {
            continue;
        };
        let bounded = path.kept_out.iter();
        let kept = bounded.filter_map(|it| Some(it.to?.micros() - it.from.micros()));
        let highest = path.added.micros() + last.from.micros() - kept.sum::<i64>();
        claim(highest <= ceiling.micros(), || {
            format!("a path leads to {highest}, over {ceiling:?}: {path:?}")
        })?;
    }
    Ok(())
}
