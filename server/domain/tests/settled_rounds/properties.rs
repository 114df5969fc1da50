//! Properties of settled rounds, on rounds made at random.
//!
//! A round is dealt from a shuffled deck. Wagers, folds and amounts are random, and legal by construction.

use std::collections::BTreeMap;

use meterhouse_domain::card::Card;
use meterhouse_domain::fixed::limit::LimitReading;
use meterhouse_domain::fixed::settle::{
    Irregularity, PlacedWager, PlayedRound, SeatEnd, SeatPlayed, SettledRound, TableTerms,
    WagerResult, settle,
};
use meterhouse_domain::fixed::table::FixedTable;
use meterhouse_domain::fixed::wager::FixedWager;
use meterhouse_domain::money::Money;
use meterhouse_domain::seat::Seat;
use proptest::prelude::{Just, Strategy, prop, prop_assert, prop_assert_eq, proptest};

use super::story::money;
use super::tables::tables;

/// A game as the rounds at random have it.
struct Game {
    name: &'static str,
    jurisdiction: &'static str,
    /// Cards of a player, the dealer, the community and the bonus wager.
    dealt: [usize; 4],
    required: &'static [FixedWager],
    raises: &'static [FixedWager],
    optional: &'static [FixedWager],
    tables: &'static [&'static str],
}

const GAMES: [Game; 4] = [
    Game {
        name: "crazy-4-poker",
        jurisdiction: "PA",
        dealt: [5, 5, 0, 1],
        required: &[FixedWager::Ante, FixedWager::SuperBonus],
        raises: &[FixedWager::Play],
        optional: &[FixedWager::QueensUp, FixedWager::SixCardBonus],
        tables: &[
            "pa-657a-ante-play",
            "pa-657a-super-bonus",
            "pa-657a-queens-up-a",
            "pa-657a-six-card-bonus-e",
        ],
    },
    Game {
        name: "crazy-4-poker",
        jurisdiction: "MA",
        dealt: [5, 5, 0, 0],
        required: &[FixedWager::Ante, FixedWager::SuperBonus],
        raises: &[FixedWager::Play],
        optional: &[FixedWager::QueensUp],
        tables: &["ma-ante-play", "ma-super-bonus", "ma-queens-up-b"],
    },
    Game {
        name: "cajun-stud",
        jurisdiction: "PA",
        dealt: [2, 0, 3, 4],
        required: &[FixedWager::Ante],
        raises: &[
            FixedWager::FirstRaise,
            FixedWager::SecondRaise,
            FixedWager::ThirdRaise,
        ],
        optional: &[
            FixedWager::PocketBonus,
            FixedWager::BoardBonus,
            FixedWager::LoBall,
            FixedWager::AllSix,
        ],
        tables: &[
            "pa-683a-ante-raise-b",
            "pa-683a-pocket-bonus-a",
            "pa-683a-board-bonus-a",
            "pa-683a-lo-ball-b",
            "pa-683a-all-six-a",
        ],
    },
    Game {
        name: "four-card-frenzy",
        jurisdiction: "PA",
        dealt: [5, 5, 0, 1],
        required: &[FixedWager::Ante, FixedWager::Odds],
        raises: &[FixedWager::Raise],
        optional: &[
            FixedWager::Prime,
            FixedWager::FourCardBonus,
            FixedWager::AllSix,
        ],
        tables: &[
            "pa-684a-ante-raise",
            "pa-684a-odds",
            "pa-684a-odds-bad-beat-b",
            "pa-684a-prime-a",
            "pa-684a-four-card-bonus-a",
            "pa-684a-all-six-a",
        ],
    },
];

/// The choices of one seat: its Ante Wager in steps, its Raise Wagers, its optional wagers in steps.
type Choices = (u16, usize, [u16; 4], bool);

fn seats() -> impl Strategy<Value = Vec<Choices>> {
    let optional = prop::array::uniform4(0_u16..2_000);
    prop::collection::vec(
        (
            10_u16..2_000,
            0_usize..4,
            optional,
            prop::bool::weighted(0.7),
        ),
        1..=6,
    )
}

fn decks() -> impl Strategy<Value = Vec<Card>> {
    Just(Card::all().collect::<Vec<_>>()).prop_shuffle()
}

fn voids() -> impl Strategy<Value = Option<Irregularity>> {
    prop::option::weighted(0.2, prop::sample::select(Irregularity::ALL))
}

fn steps(count: u16) -> Money {
    money("0.50").times(count.into()).unwrap()
}

fn dealt(
    game: &Game,
    deck: &[Card],
    choices: &[Choices],
    void: Option<Irregularity>,
) -> PlayedRound {
    let mut deck = deck.iter().copied();
    let mut deal = |count: usize| deck.by_ref().take(count).collect::<Vec<_>>();
    let [own, dealer, community, bonus] = game.dealt;
    let seats = choices
        .iter()
        .zip(1..)
        .map(|((ante, raises, optional, stays), seat)| {
            let count = if *stays {
                game.raises.len()
            } else {
                (*raises).min(game.raises.len() - 1)
            };
            let needed = game.required.iter().chain(game.raises.iter().take(count));
            let needed = needed.map(|wager| (*wager, *ante));
            let optional = game.optional.iter().copied().zip(optional.iter().copied());
            let all = needed.chain(optional.filter(|(_, steps)| *steps > 0));
            SeatPlayed {
                seat: Seat(seat),
                player: (seat > 3).then(|| "p-1".parse().unwrap()),
                cards: deal(own),
                wagers: all
                    .map(|(wager, count)| PlacedWager {
                        wager,
                        amount: steps(count),
                    })
                    .collect(),
                end: if *stays {
                    SeatEnd::Stayed
                } else {
                    SeatEnd::Folded
                },
            }
        });
    let seats = if game.jurisdiction == "MA" {
        seats.take(3).collect()
    } else {
        seats.collect()
    };
    PlayedRound {
        game: game.name.parse().unwrap(),
        jurisdiction: game.jurisdiction.to_owned(),
        terms: TableTerms {
            minimum: money("5"),
            step: money("0.50"),
            limit: None,
            reading: Some(LimitReading::Subsections),
            most_at_minimum: None,
        },
        seats,
        dealer: deal(dealer),
        community: deal(community),
        bonus: deal(bonus),
        void,
    }
}

fn settled(round: &PlayedRound, tables: &[FixedTable]) -> SettledRound {
    let tables: Vec<&FixedTable> = tables.iter().collect();
    settle(round, &tables).unwrap_or_else(|findings| panic!("{findings:#?}\n{round:#?}"))
}

/// Returns what each seat has of each wager: result, paid, returned, collected.
type BySeat = BTreeMap<(u8, u8), (WagerResult, Money, Money, Money)>;

fn by_seat(round: &SettledRound) -> BySeat {
    let wagers = round.seats.iter().flat_map(|seat| {
        let wagers = seat.wagers.iter();
        wagers.map(move |wager| {
            let key = (seat.seat.0, wager.wager.code());
            (
                key,
                (wager.result, wager.paid, wager.returned, wager.collected),
            )
        })
    });
    wagers.collect()
}

proptest! {
    /// Every wager that was placed is settled once; it is returned or collected, and only a win is paid.
    #[test]
    fn no_chip_appears_or_vanishes(
        game in prop::sample::select((0..GAMES.len()).collect::<Vec<_>>()),
        deck in decks(), choices in seats(), void in voids(),
    ) {
        let game = &GAMES[game];
        let round = dealt(game, &deck, &choices, void);
        let settled = settled(&round, &tables(game.tables));
        let mut placed: Vec<(u8, u8, Money)> = Vec::new();
        for seat in &round.seats {
            placed.extend(seat.wagers.iter().map(|wager| (seat.seat.0, wager.wager.code(), wager.amount)));
        }
        let mut found: Vec<(u8, u8, Money)> = Vec::new();
        for seat in &settled.seats {
            for wager in &seat.wagers {
                found.push((seat.seat.0, wager.wager.code(), wager.amount));
                prop_assert_eq!(wager.collected.plus(wager.returned), Ok(wager.amount));
                prop_assert_eq!(wager.collected == Money::ZERO, wager.returned == wager.amount);
                prop_assert_eq!(wager.paid > Money::ZERO, wager.result == WagerResult::Win);
                prop_assert_eq!(wager.result == WagerResult::Loss, wager.collected == wager.amount);
                prop_assert_eq!(wager.paid, wager.payout, "no limit is set");
                prop_assert!(void.is_some() || wager.result != WagerResult::Returned);
            }
        }
        placed.sort_unstable();
        found.sort_unstable();
        prop_assert_eq!(placed, found);
        let totals = settled.totals().unwrap();
        prop_assert_eq!(totals.collected.plus(totals.returned), Ok(totals.wagered));
    }

    /// The order in which a round lists its seats, and a seat its wagers and cards, changes nothing.
    #[test]
    fn the_order_of_the_list_changes_nothing(
        game in prop::sample::select((0..GAMES.len()).collect::<Vec<_>>()),
        deck in decks(), choices in seats(), by in 0_usize..6,
    ) {
        let game = &GAMES[game];
        let tables = tables(game.tables);
        let mut round = dealt(game, &deck, &choices, None);
        let before = settled(&round, &tables);
        let count = round.seats.len();
        round.seats.rotate_left(by % count);
        for seat in &mut round.seats {
            seat.wagers.reverse();
            seat.cards.rotate_left(1);
        }
        prop_assert_eq!(before, settled(&round, &tables));
    }

    /// Two players who change seats take their results with them.
    #[test]
    fn the_seat_of_a_hand_changes_nothing(
        game in prop::sample::select((0..GAMES.len()).collect::<Vec<_>>()),
        deck in decks(), choices in seats(),
    ) {
        let game = &GAMES[game];
        let tables = tables(game.tables);
        let mut round = dealt(game, &deck, &choices, None);
        let before = by_seat(&settled(&round, &tables));
        let highest = u8::try_from(round.seats.len()).unwrap();
        let mirrored = |seat: u8| highest + 1 - seat;
        for seat in &mut round.seats {
            seat.seat = Seat(mirrored(seat.seat.0));
        }
        let after = by_seat(&settled(&round, &tables));
        let after: BySeat = after.into_iter().map(|((seat, wager), of)| ((mirrored(seat), wager), of)).collect();
        prop_assert_eq!(before, after);
    }

    /// A limit raises no pay, touches no chip but pays, and leaves each player at most the limit on the wagers it cuts.
    #[test]
    fn a_limit_never_raises_a_pay(
        game in 2_usize..4, deck in decks(), choices in seats(), times in 1_u64..400,
    ) {
        let game = &GAMES[game];
        let tables = tables(game.tables);
        let mut round = dealt(game, &deck, &choices, None);
        for placed in round.seats.iter_mut().flat_map(|seat| &mut seat.wagers) {
            placed.amount = placed.amount.times(times).unwrap();
        }
        let before = settled(&round, &tables);
        round.terms.limit = Some(money("50000"));
        let after = settled(&round, &tables);
        let mut of_player = BTreeMap::new();
        for (before, after) in before.seats.iter().zip(&after.seats) {
            let player = if after.seat.0 > 3 { 0 } else { after.seat.0 };
            for (before, after) in before.wagers.iter().zip(&after.wagers) {
                prop_assert!(after.paid <= before.paid);
                prop_assert_eq!(after.payout, before.payout);
                prop_assert_eq!((after.returned, after.collected), (before.returned, before.collected));
                if game.required.contains(&after.wager) || game.raises.contains(&after.wager) {
                    let paid: &mut (Money, Money) = of_player.entry(player).or_default();
                    *paid = (paid.0.plus(before.paid).unwrap(), paid.1.plus(after.paid).unwrap());
                } else {
                    prop_assert_eq!(after.paid, before.paid, "optional wagers are left whole");
                }
            }
        }
        for (whole, cut) in of_player.into_values() {
            prop_assert_eq!(cut, whole.min(money("50000")));
        }
    }
}
