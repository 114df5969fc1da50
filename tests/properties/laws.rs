//! One property a law.

use meterhouse_domain::apply::apply;
use meterhouse_domain::command::{Command, Envelope, Holder, TableCommand};
use meterhouse_domain::decide::{Decision, Fence, Stop, decide, fence};
use meterhouse_domain::event::{Event, HitKind, Origin, Recorded};
use meterhouse_domain::link::Move;
use meterhouse_domain::name::{HitId, Sequence, TableNo};
use meterhouse_domain::repeat::{is_repeat, person_command_of, table_command_of};
use meterhouse_domain::state::LinkState;
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;

use crate::auditor::Verdict;
use crate::commands::{Turn, setups, turns};
use crate::play::{Audit, Game, Step};
use crate::same::{Same, same_content};
use crate::setup::Setup;
use crate::world::{Answer, first};

/// Where failing cases are kept.
const REGRESSIONS: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/properties/regressions/laws.txt"
);

/// As many cases as `PROPTEST_CASES` says, 256 by itself.
fn config() -> ProptestConfig {
    ProptestConfig {
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct(REGRESSIONS))),
        ..ProptestConfig::default()
    }
}

/// Plays a case and shows every step, the auditor aside.
fn played(
    setup: &Setup,
    turns: &[Turn],
    see: impl FnMut(&Step<'_>) -> Verdict,
) -> Result<Game, TestCaseError> {
    audited(setup, turns, Audit::Aside, see)
}

fn audited(
    setup: &Setup,
    turns: &[Turn],
    audit: Audit,
    mut see: impl FnMut(&Step<'_>) -> Verdict,
) -> Result<Game, TestCaseError> {
    let mut game = Game::open(setup, audit).map_err(TestCaseError::fail)?;
    for turn in turns {
        game.play(turn, &mut see).map_err(TestCaseError::fail)?;
    }
    Ok(game)
}

proptest! {
    #![proptest_config(config())]

    /// Every answer and every balance is the one that the auditor finds by the rules page.
    #[test]
    fn the_auditor_agrees(setup in setups(), turns in turns()) {
        audited(&setup, &turns, Audit::Strict, |_| Ok(()))?;
    }

    /// Adding up the entries of all events gives the balances, and each book sums to zero after each event.
    #[test]
    fn law_1_every_event_sums_to_zero_and_balances_are_sums(
        setup in setups(),
        turns in turns(),
    ) {
        let mut sums: Option<Sums> = None;
        played(&setup, &turns, |step| {
            let books = step.world.state.balances.len();
            let sums = sums.get_or_insert_with(|| {
                let mut sums = vec![[0; 8]; books];
                add(&mut sums, &entries(step.before, &step.world.opening));
                sums
            });
            if let Answer::Caused(event) = step.answer {
                add(sums, &entries(step.before, event));
            }
            let stored = step.world.state.balances.iter();
            let stored: Sums = stored.map(|it| it.0.map(|it| i128::from(it.micros()))).collect();
            for book in &stored {
                claim(book.iter().sum::<i128>() == 0, || format!("{book:?} is not zero"))?;
            }
            claim(stored == *sums, || format!("{stored:?}, by its entries {sums:?}"))
        })?;
    }

    /// Meter, reserve, overflow and pending are never below zero, whatever is cancelled or void, and the
    /// rules never have to stop in order to prevent it.
    #[test]
    fn law_2_no_balance_below_zero(setup in setups(), turns in turns()) {
        played(&setup, &turns, |step| {
            if let Answer::Broken(why) = step.answer {
                return Err(format!("{why}: {:?}", step.envelope));
            }
            for book in &step.world.state.balances {
                let [_, _, meter, reserve, overflow, pending, ..] = book.0;
                let least = meter.min(reserve).min(overflow).min(pending).micros();
                claim(least >= 0, || format!("below zero: {book:?}"))?;
            }
            Ok(())
        })?;
    }

    /// Under every number used up, the command that used it up is a repeat and every other one is told
    /// apart; a repeat and a gap leave the state as it was.
    #[test]
    fn law_3_a_repeat_changes_nothing_and_other_content_is_told_apart(
        setup in setups(),
        turns in turns(),
    ) {
        let game = played(&setup, &turns, |step| match step.answer {
            Answer::Repeated
            | Answer::Reused
            | Answer::Gap { .. }
            | Answer::Done
            | Answer::Broken(_) => {
                claim(step.world.state == *step.before, || "a repeat changed something".to_owned())
            }
            Answer::Caused(_) | Answer::Refused(_) => Ok(()),
        })?;
        let state = &game.world.state;
        for (table, felt) in (1..).map(TableNo).zip(&state.tables) {
            let said = used_up(&game, table);
            let next = Sequence(felt.last_sequence.0 + 1);
            prop_assert_eq!(said.len().try_into(), Ok(felt.last_sequence.0));
            prop_assert_eq!(fence(felt, next), Fence::Next);
            prop_assert_eq!(fence(felt, Sequence(next.0 + 1)), Fence::Gap { expected: next });
            for (number, (first, event)) in (1..).map(Sequence).zip(&said) {
                prop_assert_eq!(fence(felt, number), Fence::Used);
                prop_assert_eq!(game.world.under(table, number), Some(*event));
                let accepted = !matches!(event, Event::Refused { .. });
                for (other, _) in &said {
                    let repeat = is_repeat(&state.terms, event, other);
                    match same_content(first, other, accepted) {
                        Same::Yes => prop_assert!(repeat, "{:?} again", other),
                        Same::No => prop_assert!(!repeat, "{:?} is not {:?}", other, first),
                        Same::Unsaid => {}
                    }
                }
            }
        }
    }

    /// Replaying the journal gives the state, and deciding every command again, as its event alone tells it,
    /// gives the event.
    #[test]
    fn law_4_replay_gives_the_same_state(setup in setups(), turns in turns()) {
        let game = played(&setup, &turns, |_| Ok(()))?;
        let replayed = game.world.replayed();
        prop_assert_eq!(replayed.as_ref(), Some(&game.world.state));

        let mut state = first(&game.world.opening)
            .ok_or_else(|| TestCaseError::fail("no opening"))?;
        for recorded in game.world.journal.iter().map(|(_, recorded)| recorded) {
            let envelope = told_by(&state, recorded);
            let envelope = envelope.ok_or_else(|| TestCaseError::fail("an event of no command"))?;
            match (decide(&state, &envelope), &recorded.event) {
                (Ok(Decision::Event(event)), recorded) => prop_assert_eq!(&event, recorded),
                (Err(Stop::Refused(refusal)), Event::Refused { refusal: recorded, .. }) => {
                    prop_assert_eq!(&refusal, recorded);
                }
                (other, recorded) => prop_assert!(false, "{:?}, not {:?}", other, recorded),
            }
            apply(&mut state, recorded);
        }
        prop_assert_eq!(&state, &game.world.state);
    }

    /// A meter goes down only by a hit on it, the reversal of one, or a void; it goes up by nothing but a
    /// coin-in and those.
    #[test]
    fn law_6_a_meter_goes_down_only_by_a_hit_a_reversal_or_a_void(
        setup in setups(),
        turns in turns(),
    ) {
        played(&setup, &turns, |step| {
            let levels = step.before.terms.content().levels.len();
            for level in 0..levels {
                let meter = |state: &LinkState| state.balances[level].0[2].micros();
                let (before, after) = (meter(step.before), meter(&step.world.state));
                claim(after >= before || may_lower(step, level), || {
                    format!("{before} became {after} by {:?}", step.answer)
                })?;
                claim(after <= before || may_raise(step), || {
                    format!("{before} became {after} by {:?}", step.answer)
                })?;
            }
            Ok(())
        })?;
    }

    /// Per round, seat and hand wagered on, at most one hit stands: kept from the answers alone.
    #[test]
    fn law_7_at_most_one_hit_stands(setup in setups(), turns in turns()) {
        let mut standing: Vec<(HitId, Holder, HitKind)> = Vec::new();
        played(&setup, &turns, |step| {
            let Answer::Caused(event) = step.answer else { return Ok(()) };
            match (event, &step.envelope.command) {
                (Event::HitRecorded(hit), Command::Table { table, sequence, .. }) => {
                    let twice = standing.iter().any(|(id, holder, _)| {
                        id.table == *table && *holder == hit.holder
                    });
                    claim(!twice, || format!("a second hit stands: {hit:?}"))?;
                    let id = HitId { table: *table, sequence: *sequence };
                    standing.push((id, hit.holder, hit.kind));
                }
                (Event::HitCancelled { hit, .. } | Event::HitRejected { hit, .. }, _) => {
                    standing.retain(|(id, _, _)| id != hit);
                }
                (Event::RoundClosed { .. } | Event::RoundVoided { .. }, Command::Table { table, .. }) => {
                    standing.retain(|(id, _, _)| id.table != *table);
                }
                _ => {}
            }
            let tables = step.world.state.tables.iter();
            let stored = tables.filter_map(|it| it.round.as_ref());
            let stored: usize = stored.map(|it| it.standing_hits().count()).sum();
            claim(stored == standing.len(), || format!("{stored} stand, not {standing:?}"))
        })?;
    }
}

/// What a table's numbers were used up by, in their order, and the events.
fn used_up(game: &Game, table: TableNo) -> Vec<(&TableCommand, &Event)> {
    let journal = game.world.journal.iter();
    let of_table = journal.filter_map(|(envelope, recorded)| match &envelope.command {
        Command::Table {
            table: at, command, ..
        } if *at == table => Some((command, &recorded.event)),
        Command::Table { .. } | Command::Person(_) => None,
    });
    of_table.collect()
}

/// The command that an event tells of.
fn told_by(state: &LinkState, recorded: &Recorded) -> Option<Envelope> {
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
fn may_lower(step: &Step<'_>, level: usize) -> bool {
    let Answer::Caused(event) = step.answer else {
        return false;
    };
    match event {
        Event::HitRecorded(hit) => hit.taken.is_some_and(|it| usize::from(it.level) == level),
        Event::HitCancelled { hit, .. } | Event::HitRejected { hit, .. } => {
            let hit = step.before.hit(*hit);
            let taken = hit.and_then(|it| it.taken);
            taken.is_some_and(|it| usize::from(it.level) == level && it.reset.is_some())
        }
        Event::RoundVoided { .. } => true,
        _ => false,
    }
}

/// Whether what happened may raise a meter.
fn may_raise(step: &Step<'_>) -> bool {
    matches!(
        step.answer,
        Answer::Caused(
            Event::CoinInAccepted(_)
                | Event::HitRecorded(_)
                | Event::HitCancelled { .. }
                | Event::HitRejected { .. }
                | Event::RoundVoided { .. }
        )
    )
}

/// The balances of all books.
type Sums = Vec<[i128; 8]>;

fn add(sums: &mut Sums, moves: &[Move]) {
    for it in moves {
        let book = &mut sums[it.book.index()];
        book[it.from.index()] -= i128::from(it.amount.micros());
        book[it.to.index()] += i128::from(it.amount.micros());
    }
}

/// The entries of an event: as it lists them, and what the wagers added share by share.
fn entries(state: &LinkState, event: &Event) -> Vec<Move> {
    match event {
        Event::LinkOpened { moves, .. }
        | Event::HitCancelled { moves, .. }
        | Event::HitRejected { moves, .. }
        | Event::PayoutPaid { moves, .. }
        | Event::RoundClosed { moves, .. }
        | Event::RoundVoided { moves, .. } => moves.clone(),
        Event::HitRecorded(hit) => hit.moves.clone(),
        Event::CoinInAccepted(coin_in) => {
            let shares = state.shares.iter().zip(coin_in.added.amounts());
            let added = shares.map(|(share, amount)| Move {
                book: share.book,
                from: meterhouse_domain::link::Account::Players,
                to: share.account,
                amount: *amount,
            });
            added.collect()
        }
        _ => Vec::new(),
    }
}

fn claim(holds: bool, why: impl FnOnce() -> String) -> Verdict {
    if holds { Ok(()) } else { Err(why()) }
}
