//! One property a law.

use std::hash::{BuildHasher as _, RandomState};

use meterhouse_domain::apply::apply;
use meterhouse_domain::command::{Command, TableCommand};
use meterhouse_domain::decide::{Decision, Fence, Inputs, Stop, decide, fence};
use meterhouse_domain::event::{Draws, Event};
use meterhouse_domain::ids::{Sequence, TableNo};
use meterhouse_domain::lifetime::Lifetime;
use meterhouse_domain::repeat::is_repeat;
use meterhouse_domain::state::LinkState;
use proptest::prelude::*;
use proptest::test_runner::{FileFailurePersistence, RngSeed};

use crate::auditor::Verdict;
use crate::commands::{Turn, setups, turn, turns};
use crate::dry_runs::foretold;
use crate::evidence::{
    Stand, Sums, add, claim, entries, may_lower, may_raise, paths_stop, told_by,
};
use crate::play::{Audit, Game, Step};
use crate::same::{Same, same_content};
use crate::setup::Setup;
use crate::world::{Answer, first};

/// Where failing cases are kept.
const REGRESSIONS: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/properties/regressions/laws.txt"
);

/// Cases of ordinary length for which one is played through a night.
const NIGHT: u32 = 20;

/// As many cases as `PROPTEST_CASES` says, 256 by itself, from a seed that is printed.
pub(crate) fn config() -> ProptestConfig {
    let config = ProptestConfig::default();
    let seed = match config.rng_seed {
        RngSeed::Fixed(seed) => seed,
        RngSeed::Random => RandomState::new().hash_one("properties"),
    };
    println!("PROPTEST_RNG_SEED={seed}");
    ProptestConfig {
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct(REGRESSIONS))),
        rng_seed: RngSeed::Fixed(seed),
        ..config
    }
}

/// Fewer cases, and of a long one only the beginnings of an explanation.
fn nights() -> ProptestConfig {
    let config = config();
    ProptestConfig {
        cases: config.cases.div_ceil(NIGHT),
        max_shrink_iters: 100,
        ..config
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
    let mut game = Game::open(setup, audit, &mut see).map_err(TestCaseError::fail)?;
    for turn in turns {
        game.play(turn, &mut see).map_err(TestCaseError::fail)?;
    }
    Ok(game)
}

proptest! {
    #![proptest_config(nights())]

    /// The same over a night: many hundred turns on one link, so that hits are forgotten and amounts grow.
    #[test]
    fn the_auditor_agrees_for_a_night(
        setup in setups(),
        turns in prop::collection::vec(turn(), 600..900),
    ) {
        audited(&setup, &turns, Audit::Strict, |_| Ok(()))?;
    }
}

proptest! {
    #![proptest_config(config())]

    /// Every answer and every balance is the one that the auditor finds by docs/RULES.md.
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
            | Answer::Faulted
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
        for it in &game.world.journal {
            let (recorded, at) = (&it.recorded, it.at);
            let draws = match &recorded.event {
                Event::CoinInAccepted(coin_in) => coin_in.draws,
                _ => Draws::default(),
            };
            // The server itself faults a link: no command tells that.
            if !matches!(recorded.event, Event::LinkFaulted { .. }) {
                let envelope = told_by(&state, recorded);
                let envelope = envelope.ok_or_else(|| TestCaseError::fail("an event of no command"))?;
                match (decide(&state, &envelope, &Inputs { at, draws }), &recorded.event) {
                    (Ok(Decision::Event(event)), recorded) => prop_assert_eq!(&event, recorded),
                    (Err(Stop::Refused(refusal)), Event::Refused { refusal: recorded, .. }) => {
                        prop_assert_eq!(&refusal, recorded);
                    }
                    (other, recorded) => prop_assert!(false, "{:?}, not {:?}", other, recorded),
                }
            }
            apply(&mut state, recorded, at);
        }
        prop_assert_eq!(&state, &game.world.state);
    }

    /// A meter goes down only by a hit on it, the reversal or correction of one, an adjustment by two people,
    /// or a void; it goes up by nothing but a coin-in and those; and never above its ceiling.
    #[test]
    fn law_6_a_meter_goes_down_only_by_a_hit_a_reversal_an_adjustment_or_a_void(
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
                let ceilings = &step.before.terms.settings.ceilings;
                let ceiling = ceilings.get(level).copied().flatten();
                claim(ceiling.is_none_or(|it| after <= it.micros()), || {
                    format!("{after} is over {ceiling:?} by {:?}", step.answer)
                })?;
            }
            Ok(())
        })?;
    }

    /// The path of a meter leads from no beginning above its ceiling.
    #[test]
    fn no_path_leads_above_its_ceiling(setup in setups(), turns in turns()) {
        played(&setup, &turns, |step| paths_stop(&step.world.state))?;
    }

    /// Per round, hand wagered on and kind, at most one hit stands, in time or late: kept from the answers alone.
    #[test]
    fn law_7_at_most_one_hit_stands(setup in setups(), turns in turns()) {
        let mut stand = Stand::default();
        played(&setup, &turns, |step| stand.see(step))?;
    }

    /// A dry run of a proposal is what its approval then does, or the refusal that it then gets.
    #[test]
    fn a_dry_run_is_what_the_approval_does(setup in setups(), turns in turns()) {
        played(&setup, &turns, foretold)?;
    }

    /// What counts events only grows; what counts standing hits falls only when one is taken back. That the
    /// counts are right, the auditor says.
    #[test]
    fn lifetime_meters_only_grow(setup in setups(), turns in turns()) {
        played(&setup, &turns, |step| {
            let (before, after) = (&step.before.lifetime, &step.world.state.lifetime);
            let counted = |it: &Lifetime| (it.rounds, it.wagers, it.wagers_voided);
            let (old, new) = (counted(before), counted(after));
            let grown = old.0 <= new.0 && old.1 <= new.1 && old.2 <= new.2;
            claim(grown, || format!("{old:?} became {new:?}"))?;
            for (old, new) in before.books.iter().zip(&after.books) {
                let grown = old.attendant_paid <= new.attendant_paid
                    && old.adjusted_up <= new.adjusted_up
                    && old.adjusted_down <= new.adjusted_down;
                claim(grown, || format!("{old:?} became {new:?} by {:?}", step.answer))?;
            }
            Ok(())
        })?;
    }
}

/// What a table's numbers were used up by, in their order, and the events.
fn used_up(game: &Game, table: TableNo) -> Vec<(&TableCommand, &Event)> {
    let journal = game.world.journal.iter();
    let of_table = journal.filter_map(|it| match &it.envelope.command {
        Command::Table {
            table: at, command, ..
        } if *at == table => Some((command, &it.recorded.event)),
        Command::Table { .. } | Command::Person(_) => None,
    });
    of_table.collect()
}
