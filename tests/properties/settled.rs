//! `settle` is the same as the single commands in turn order (RULES §5.7): all cards at once change no amount.

use meterhouse_domain::card::Card;
use meterhouse_domain::command::{
    Bonus, BonusCommand, Command, Envelope, HitCommand, Holder, TableCommand,
};
use meterhouse_domain::event::{Event, HitKind, HitRecorded};
use meterhouse_domain::ids::{Sequence, TableNo, Timestamp};
use proptest::prelude::*;

use crate::auditor::Verdict;
use crate::commands::{Intent, Miss, Turn, setups, turns};
use crate::evidence::claim;
use crate::play::{Audit, Game, Step};
use crate::world::{Answer, World};

/// Long after everything that was played.
const LATER: Timestamp = Timestamp(2_000_000_000_000_000);

/// The command that keys this hit by itself.
fn single(hit: &HitRecorded) -> Result<TableCommand, String> {
    let cards: Option<Vec<Card>> = hit.cards.clone();
    let bonus = |kind| {
        TableCommand::Bonus(BonusCommand {
            kind,
            holder: hit.holder,
            cards: cards.clone(),
        })
    };
    match (hit.kind, hit.holder) {
        (HitKind::MagicCard, _) => Ok(bonus(Bonus::MagicCard)),
        (HitKind::LuckyBonus, _) => Ok(bonus(Bonus::LuckyBonus)),
        (HitKind::Line, holder) => Ok(TableCommand::Hit(HitCommand {
            holder,
            hand: hit.hand.ok_or("a line without a hand")?,
            cards,
        })),
        (HitKind::Envy, Holder::Seat(seat)) => Ok(TableCommand::Envy {
            seat,
            hand: hit.hand.ok_or("envy without a hand")?,
            cards,
        }),
        (HitKind::Envy, Holder::Dealer) => Err("envy for the dealer's hand".to_owned()),
    }
}

/// Keys the hits of a settle one after another on the link as it was before: each is the same, and so is the end.
fn keyed_singly(before: &World, step: &Step<'_>, table: TableNo, hits: &[HitRecorded]) -> Verdict {
    let mut world = before.clone();
    for hit in hits {
        let felt = world.state.table(table).ok_or("no such table")?;
        let envelope = Envelope {
            command: Command::Table {
                table,
                sequence: Sequence(felt.last_sequence.0 + 1),
                command: single(hit)?,
            },
            ..step.envelope.clone()
        };
        match world.submit(&envelope, LATER, [0; 4])? {
            Answer::Caused(Event::HitRecorded(one)) => {
                claim(*one == *hit, || {
                    format!("{one:?} by itself, {hit:?} of all")
                })?;
            }
            other => return Err(format!("{hit:?} by itself: {other:?}")),
        }
    }
    let (one, all) = (&world.state, &step.world.state);
    claim(one.balances == all.balances, || {
        format!(
            "{:?} by single hits, {:?} at once",
            one.balances, all.balances
        )
    })?;
    claim(one.lifetime == all.lifetime, || {
        "other lifetime meters".to_owned()
    })
}

proptest! {
    #![proptest_config(crate::laws::config())]

    /// After any play, a round of known cards settled at once is what its hits are one by one.
    #[test]
    fn settle_is_the_single_hits_in_turn_order(
        setup in setups(),
        turns in turns(),
        deals in prop::collection::vec((0_u8..3, any::<[u8; 7]>(), any::<[u64; 4]>()), 1..6),
    ) {
        let mut game = Game::open(&setup, Audit::Aside, &mut |_| Ok(())).map_err(TestCaseError::fail)?;
        for turn in &turns {
            game.play(turn, &mut |_| Ok(())).map_err(TestCaseError::fail)?;
        }
        for (table, deal, chance) in deals {
            let turn = |intent, lead| Turn { table, lead, wait: 70, chance, badge: true, intent };
            let mut before = game.world.clone();
            let all = turn(Intent::Settle { deal, miss: Miss::Nothing }, 2);
            game.play(&turn(Intent::Finish, 0), &mut |_| Ok(())).map_err(TestCaseError::fail)?;
            game.play(&all, &mut |step| {
                let verdict = match (step.answer, &step.envelope.command) {
                    (Answer::Caused(Event::RoundSettled { hits, .. }), Command::Table { table, .. }) => {
                        keyed_singly(&before, step, *table, hits)
                    }
                    _ => Ok(()),
                };
                before = step.world.clone();
                verdict
            }).map_err(TestCaseError::fail)?;
        }
    }
}
