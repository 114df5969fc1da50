//! Sequences on which the auditor and the rules once disagreed, as short as they get.

use std::iter;

use crate::commands::{Cards, Flaw, Intent, Matter, Pick, Turn};
use crate::evidence::paths_stop;
use crate::play::{Audit, Game};
use crate::setup::{Game as Paytable, Limits, Restart, Setup, Values};

/// A link with a ceiling one cent above what its levels open with.
fn with_a_ceiling(game: Paytable, small: bool, restart: Restart) -> Setup {
    Setup {
        game,
        cents: 100,
        decks: 1,
        restart,
        small,
        tables: 3,
        limits: Limits {
            ceiling: Some(1),
            rounds_a_minute: None,
            magic_card: false,
            lucky_bonus: false,
            badge: Some(true),
        },
        values: Values::Accepted,
    }
}

/// One wager on each of so many seats.
const fn coin_in(seats: u8) -> Intent {
    Intent::CoinIn {
        own: (1 << seats) - 1,
        dealer: 0,
        more: 0,
        names: 0,
        flaw: Flaw::None,
    }
}

/// The next hand in turn, by its place among the game's.
const fn hit(hand: u8) -> Intent {
    Intent::Hit {
        pick: Pick::Next(0),
        hand,
        cards: Cards::None,
    }
}

const ROYAL: u8 = 0;
const STRAIGHT_FLUSH: u8 = 4;

/// Plays these at these tables; the auditor has to agree.
fn play(setup: &Setup, turns: Vec<(u8, Intent)>) -> Result<Game, String> {
    play_drawing([0; 4], setup, turns)
}

/// The same, with what the draws of each coin-in are made of.
fn play_drawing(chance: [u64; 4], setup: &Setup, turns: Vec<(u8, Intent)>) -> Result<Game, String> {
    let mut game = Game::open(setup, Audit::Strict, &mut |_| Ok(()))?;
    for (table, intent) in turns {
        let turn = Turn {
            table,
            lead: 0,
            wait: 1,
            chance,
            badge: true,
            intent,
        };
        game.play(&turn, &mut |_| Ok(()))?;
    }
    Ok(game)
}

/// A royal came and went while the ceiling was reached, and left something in the overflow. Without the straight flush
/// before it the next one finds the meter at its ceiling: what is below a ceiling is never kept out.
#[test]
fn a_resettled_level_keeps_out_only_what_is_over_its_ceiling() -> Result<(), String> {
    let setup = with_a_ceiling(Paytable::Stud, false, Restart::Add);
    let turns = vec![
        (0, coin_in(1)),
        (0, hit(STRAIGHT_FLUSH)),
        (1, coin_in(1)),
        (1, hit(ROYAL)),
        (2, coin_in(1)),
        (
            1,
            Intent::Cancel {
                back: 0,
                number: None,
            },
        ),
        (2, hit(STRAIGHT_FLUSH)),
        (
            0,
            Intent::Reject {
                back: 2,
                by: 0,
                resettle: true,
            },
        ),
    ];
    let game = play(&setup, turns)?;
    let due: Vec<i128> = game
        .auditor
        .hits
        .iter()
        .map(|hit| hit.due[0].micros)
        .collect();
    assert_eq!(
        due[2], 1_000_000_000,
        "a tenth of what the meter holds without the first"
    );
    Ok(())
}

/// What a reset took out of the overflow is not there any more once a hit before it is withdrawn; a void round's part of
/// it is covered by the house, and the lifetime overflow stays what was kept out.
#[test]
fn a_lifetime_overflow_is_never_below_zero() -> Result<(), String> {
    let setup = with_a_ceiling(Paytable::FourCardB, true, Restart::FundKeep);
    let turns = vec![
        (2, coin_in(6)),
        (2, hit(ROYAL)),
        (1, coin_in(1)),
        (2, hit(ROYAL)),
        (
            0,
            Intent::Reject {
                back: 1,
                by: 0,
                resettle: true,
            },
        ),
        (1, Intent::Void { reason: 0 }),
    ];
    let game = play(&setup, turns)?;
    let overflow = game
        .world
        .state
        .lifetime
        .books
        .iter()
        .map(|book| book.overflow.micros());
    assert_eq!(overflow.filter(|it| *it < 0).count(), 0);
    Ok(())
}

/// The house covers what a void round's royal left too little of. From a higher beginning the meter would have had that
/// itself, and the path stopped at the ceiling no more: an open round kept out more than it had added.
#[test]
fn a_path_stops_at_its_ceiling_after_the_house_covered_an_amount() -> Result<(), String> {
    let mut setup = with_a_ceiling(Paytable::FourCardB, true, Restart::FundKeep);
    setup.cents = 500;
    setup.limits.ceiling = Some(151);
    setup.limits.badge = None;
    let mut game = Game::open(&setup, Audit::Strict, &mut |_| Ok(()))?;
    // Each with a coin-in before it, if the table has no round.
    for (table, lead, intent) in [
        (0, 4, Intent::Finish),
        (2, 1, hit(ROYAL)),
        (0, 1, Intent::Count { chips: 0 }),
        (2, 0, Intent::Void { reason: 0 }),
    ] {
        let turn = Turn {
            table,
            lead,
            wait: 0,
            chance: [0; 4],
            badge: false,
            intent,
        };
        game.play(&turn, &mut |step| paths_stop(&step.world.state))?;
    }
    Ok(())
}

/// Who was paid too much keeps it, and again when his own hit is withdrawn after that: nothing of it is pending.
#[test]
fn an_overpaid_hit_is_withdrawn_like_any_other() -> Result<(), String> {
    let mut setup = with_a_ceiling(Paytable::FourCardB, true, Restart::Add);
    setup.limits.ceiling = None;
    let turns = vec![
        (0, coin_in(6)),
        (0, hit(ROYAL)),
        (1, coin_in(4)),
        (1, hit(ROYAL)),
        (1, Intent::Finish),
        (
            0,
            Intent::Validate {
                back: 1,
                by: 0,
                cards: Cards::None,
            },
        ),
        (
            0,
            Intent::Both {
                id: 1,
                matter: Matter::Correct { back: 1 },
            },
        ),
        (
            1,
            Intent::Both {
                id: 2,
                matter: Matter::Correct { back: 0 },
            },
        ),
    ];
    let game = play(&setup, turns)?;
    let stand = game.auditor.hits.iter().filter(|hit| hit.stands()).count();
    assert_eq!(stand, 0, "both were withdrawn");
    Ok(())
}

/// What draws the card with this number of 52, and no position.
fn drawing(card: u8) -> [u64; 4] {
    let below = (u128::from(card) * 2 + 1) << 64;
    [0, u64::try_from(below / 104).unwrap_or(0), u64::MAX, 0]
}

/// `As`, in numbers of cards.
const ACE_OF_SPADES: u8 = 51;
/// Its royal and another, by their places among the known ones.
const SPADES: u8 = 0;
const HEARTS: u8 = 1;

/// The hand whose cards lack the Magic Card, another one than the hand that showed it, a second one that shows nothing:
/// each claimed it without cards and was paid. And a hand that was paid for it showed other cards then.
#[test]
fn a_magic_card_is_in_one_hand() -> Result<(), String> {
    let mut setup = with_a_ceiling(Paytable::HandBonus, false, Restart::Add);
    setup.limits.ceiling = None;
    setup.limits.magic_card = true;
    let royal = |seat, nth| Intent::Hit {
        pick: Pick::Seat(seat),
        hand: ROYAL,
        cards: Cards::Right(nth),
    };
    let claim = |seat| Intent::Bonus {
        lucky: false,
        pick: Pick::Seat(seat),
        cards: Cards::None,
    };
    for (first, then, paid) in [
        (royal(1, HEARTS), claim(1), 1),
        (royal(1, SPADES), claim(1), 2),
        (royal(1, SPADES), claim(2), 1),
        (royal(1, HEARTS), claim(2), 2),
        (claim(1), claim(2), 1),
        (claim(1), royal(1, HEARTS), 1),
        (claim(1), royal(1, SPADES), 2),
        (claim(1), royal(2, SPADES), 1),
    ] {
        // A card drawn in every other round is more than the wager.
        let acknowledge = Intent::Both {
            id: 1,
            matter: Matter::Acknowledge,
        };
        let round = [coin_in(2), first.clone(), then.clone()];
        let turns = iter::once(acknowledge).chain(round);
        let turns = turns.map(|intent| (0, intent)).collect();
        let game = play_drawing(drawing(ACE_OF_SPADES), &setup, turns)?;
        let standing = game.auditor.standing(0).count();
        assert_eq!(standing, paid, "{first:?}, then {then:?}");
    }
    Ok(())
}
