//! The property of `settle`: its hits, their moves and the balances are those of the single commands in turn order.
//!
//! # Method
//! A case opens a link with a random paytable, decks, meters, ceilings, fold rule and way to form hands. It locks a
//! random round, lets some seats fold and deals hands that mostly win something. The round is then played twice: by
//! `settle`, and by the commands that a dealer would key. [`keyed`] derives these from docs/RULES.md alone.

use meterhouse_domain::card::Card;
use meterhouse_domain::command::{
    Bonus, BonusCommand, CoinIn, HitCommand, Holder, Settle, TableCommand, Wager, WageredHand,
};
use meterhouse_domain::event::{Draws, Event, HitRecorded};
use meterhouse_domain::hand::evaluate;
use meterhouse_domain::ids::{Sequence, TableNo};
use meterhouse_domain::link::{Account, LinkSettings, LinkTerms, ReservePolicy};
use meterhouse_domain::money::Money;
use meterhouse_domain::paytable::{FoldAward, Paytable};
use meterhouse_domain::repeat::is_repeat;
use meterhouse_domain::seat::Seat;
use meterhouse_domain::state::{Hit, LinkState};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::deal::{Dealt, HANDS, SHAPES, Wish, dealt, is_possible, pile, shape_of, wish};
use super::support::{Link, SEATS, cancel, paytables, terms};
use super::{charged, copy, settle, wagers};

/// The parameters of a round to settle.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    paytable: usize,
    shape: usize,
    decks: u8,
    policy: usize,
    kept: bool,
    gives_envy: bool,
    /// Micro-dollars on meter, reserve and overflow of every level.
    held: (i64, i64, i64),
    /// Micro-dollars that a ceiling leaves above the seed.
    ceiling: Option<i64>,
    /// Seats with a wager on their own hand, as bits.
    own: u8,
    dealer: u8,
    more: u8,
    folded: u8,
    names: u8,
    wishes: [Wish; HANDS],
    pile: Vec<Card>,
    /// Index of the Magic Card among the cards dealt.
    magic: Option<usize>,
    /// The dealer or a seat.
    lucky: Option<u8>,
}

/// Paytables with one level and several, with envy, with the dealer's hand, with lines off the meter.
const PAYTABLES: [fn() -> Paytable; 7] = [
    paytables::four_card_a,
    paytables::four_card_b,
    paytables::five_card_a,
    paytables::five_card_c,
    paytables::hand_bonus,
    charged::on_own_hands,
    charged::on_both_hands,
];

/// Generates an amount for a meter; half of them are nearly zero.
fn amount() -> impl Strategy<Value = i64> {
    prop_oneof![0..2_000_000_i64, 0..40_000_000_000_i64]
}

pub(crate) fn case() -> impl Strategy<Value = Case> {
    let link = (
        (0..PAYTABLES.len(), 0..SHAPES.len()),
        0..3_usize,
        any::<(bool, bool)>(),
        (amount(), amount(), amount()),
        proptest::option::of(amount()),
    );
    let round = (0..64_u8, 0..64_u8, 0..64_u8, 0..64_u8, 0..3_u8);
    let hands = (1..=2_u8).prop_flat_map(|decks| (Just(decks), pile(decks)));
    let wishes = proptest::array::uniform7(wish());
    let draws = (
        proptest::option::of(0..5 * HANDS),
        proptest::option::of(0..=SEATS),
    );
    (link, round, hands, wishes, draws).prop_map(|(link, round, hands, wishes, draws)| {
        let (paytable, policy, (kept, gives_envy), held, ceiling) = link;
        let (own, dealer, more, folded, names) = round;
        Case {
            paytable: paytable.0,
            shape: paytable.1,
            decks: hands.0,
            policy,
            kept,
            gives_envy,
            held,
            ceiling,
            own,
            dealer,
            more,
            folded,
            names,
            wishes,
            pile: hands.1,
            magic: draws.0,
            lucky: draws.1,
        }
    })
}

/// Returns the seats of these bits.
fn seats(bits: u8) -> Vec<Seat> {
    let on = (1..=SEATS).filter(|seat| bits & (1 << (seat - 1)) != 0);
    on.map(Seat).collect()
}

/// A round before its showdown.
struct Locked {
    link: Link,
    table: TableNo,
    cards: Dealt,
}

impl Case {
    fn terms(&self) -> LinkTerms {
        let mut paytable = PAYTABLES[self.paytable]();
        (paytable.rules.hand_rule, ..) = shape_of(&paytable.content, self.shape);
        paytable.rules.fold.award = if self.kept {
            FoldAward::Kept
        } else {
            FoldAward::Forfeited
        };
        paytable.rules.fold.hand_gives_envy = self.gives_envy;
        let content = &paytable.content;
        let ceilings = content.levels.iter().map(|level| {
            let seed = i64::from(level.seed.max(level.reseed)) * 1_000_000;
            let cents = self.ceiling? / 10_000 * 10_000;
            Some(Money::from_micros(seed + cents))
        });
        let settings = LinkSettings {
            ceilings: ceilings.collect(),
            magic_card_one_in: content.magic_card.map(|_| 1),
            lucky_bonus_one_in: content.lucky_bonus.map(|_| 1),
            ..LinkSettings::default()
        };
        let reseeds = content.levels.iter().all(|level| level.reseed > 0);
        LinkTerms {
            decks: self.decks,
            reserve_policy: match self.policy {
                0 => ReservePolicy::Add,
                1 => ReservePolicy::GreaterOf,
                _ if reseeds => ReservePolicy::FundKeep,
                _ => ReservePolicy::Add,
            },
            settings,
            ..terms(paytable, "1.00")
        }
    }

    /// Returns a wager without a name, or with two pairs of boxes of one player each.
    fn wager(&self, seat: Seat, on: WageredHand, amount: Money) -> Wager {
        let player = match (self.names, seat.0) {
            (1, 1 | 2) | (2, 3 | 5) => "p-a".parse().ok(),
            (1, 5 | 6) | (2, 4) => "p-b".parse().ok(),
            _ => None,
        };
        Wager {
            seat,
            on,
            amount,
            player,
        }
    }

    fn locked(&self) -> Locked {
        let mut link = Link::open_with(self.terms());
        let table = link.table();
        let mut pile = self.pile.clone();
        let five = dealt(&mut pile, &self.wishes);
        assert!(is_possible(&five, self.decks));
        let content = link.state.terms.content();
        let all: Vec<Card> = five.iter().flatten().copied().collect();
        let cards = Dealt::of(shape_of(content, self.shape), five, pile.pop());
        let dealer = if content.bet_on_dealer {
            self.dealer
        } else {
            0
        };
        let own = if self.own | dealer == 0 { 1 } else { self.own };
        link.draws = Draws {
            magic_card: content.magic_card.and(self.magic).map(|index| all[index]),
            lucky_position: content.lucky_bonus.and(self.lucky).map(|seat| match seat {
                0 => Holder::Dealer,
                seat => Holder::Seat(Seat(seat)),
            }),
        };
        let amount = link.state.terms.wager;
        let on_own = seats(own).into_iter().map(|seat| (seat, WageredHand::Own));
        let on_dealer = seats(dealer).into_iter();
        let wagers = on_own.chain(on_dealer.map(|seat| (seat, WageredHand::Dealer)));
        let in_round = own | dealer | self.more;
        let coin_in = TableCommand::CoinIn(CoinIn {
            wagers: wagers
                .map(|(seat, on)| self.wager(seat, on, amount))
                .collect(),
            dealt: seats(in_round),
        });
        link.play(table, &coin_in);
        let folded = seats(self.folded & in_round);
        if !folded.is_empty() {
            link.play(table, &TableCommand::Fold { seats: folded });
        }
        self.hold(&mut link);
        Locked { link, table, cards }
    }

    /// Sets meter, reserve and overflow of every level, none above its ceiling.
    fn hold(&self, link: &mut Link) {
        let (meter, reserve, overflow) = self.held;
        for level in 0..link.state.terms.content().levels.len() {
            let ceilings = &link.state.terms.settings.ceilings;
            let ceiling = ceilings.get(level).copied().flatten();
            let meter = Money::from_micros(meter);
            let meter = ceiling.map_or(meter, |ceiling| meter.min(ceiling));
            let overflow = if ceiling.is_some() { overflow } else { 0 };
            for (account, amount) in [
                (Account::Meter, meter),
                (Account::Reserve, Money::from_micros(reserve)),
                (Account::Overflow, Money::from_micros(overflow)),
            ] {
                link.set(level, account, &amount.to_string());
            }
        }
    }
}

/// Returns a dealer's commands in turn order, from docs/RULES.md: descending seats, the dealer's hand after the hand
/// of the first seat that wagered on it.
fn keyed(state: &LinkState, table: TableNo, cards: &Dealt) -> Vec<TableCommand> {
    let felt = state
        .table(table)
        .map(|table| (table.rules.fold, table.round.clone()));
    let Some((fold, Some(round))) = felt else {
        return Vec::new();
    };
    let content = state.terms.content();
    let mut commands = Vec::new();
    let mut dealer_first = round.dealer.ascending().last();
    let mut holders = Vec::new();
    for seat in (1..=SEATS).rev().map(Seat) {
        holders.push(Holder::Seat(seat));
        if dealer_first == Some(seat) {
            holders.push(Holder::Dealer);
            dealer_first = None;
        }
    }
    for holder in holders {
        let (dealt, wagered) = match holder {
            Holder::Dealer => (cards.hand(0), true),
            Holder::Seat(seat) => {
                let lost = round.folded.contains(seat) && fold.award == FoldAward::Forfeited;
                let wagered = round.own.contains(seat) && !lost;
                (cards.hand(usize::from(seat.0)), wagered)
            }
        };
        let hand = evaluate(content.ranking, &dealt).unwrap().hand();
        let line = content.lines.iter().find(|line| line.hand == hand);
        let cards = Some(dealt.clone());
        match (line, holder) {
            (Some(_), _) if wagered => commands.push(TableCommand::Hit(HitCommand {
                holder,
                hand,
                cards: cards.clone(),
            })),
            (Some(line), Holder::Seat(seat)) if line.envy.is_some() => {
                let lies = fold.hand_gives_envy && fold.award == FoldAward::Forfeited;
                let shown = !round.folded.contains(seat) || lies;
                let mut others = round.own.ascending();
                let envied = others.any(|other| !round.same_player(other, seat));
                if round.dealt.contains(seat) && shown && envied {
                    let cards = cards.clone();
                    commands.push(TableCommand::Envy { seat, hand, cards });
                }
            }
            _ => {}
        }
        let magic = round.draws.magic_card;
        let has_magic = magic.is_some_and(|card| dealt.contains(&card));
        let is_lucky = round.draws.lucky_position == Some(holder);
        for (kind, drawn) in [(Bonus::MagicCard, has_magic), (Bonus::LuckyBonus, is_lucky)] {
            if wagered && drawn {
                let cards = cards.clone();
                commands.push(TableCommand::Bonus(BonusCommand {
                    kind,
                    holder,
                    cards,
                }));
            }
        }
    }
    commands
}

/// Returns all cards of the round.
fn all_cards(locked: &Locked) -> Settle {
    let felt = locked.link.state.table(locked.table);
    let round = felt.and_then(|table| table.round.as_ref()).unwrap();
    let of = |seat: Seat| (seat, locked.cards.own[usize::from(seat.0)].clone());
    Settle {
        dealer: locked.cards.own[0].clone(),
        community: locked.cards.community.clone(),
        seats: round.dealt.ascending().map(of).collect(),
    }
}

/// Returns the hits of the open round, without the names that distinguish the two ways.
fn unnamed(link: &Link, table: TableNo) -> Vec<Hit> {
    let table = link.state.table(table);
    let round = table.and_then(|table| table.round.as_ref());
    let hits = round.map_or(&[][..], |round| &round.hits);
    let unnamed = hits.iter().map(|hit| Hit {
        sequence: Sequence(0),
        number: 0,
        ..hit.as_ref().clone()
    });
    unnamed.collect()
}

/// Plays the round both ways and compares; returns the hits.
pub(crate) fn compare(case: &Case) -> Result<Vec<HitRecorded>, TestCaseError> {
    let locked = case.locked();
    let (before, table) = (&locked.link, locked.table);
    let commands = keyed(&before.state, table, &locked.cards);
    let mut single = copy(before);
    let mut recorded = |command| single.keyed(table, command).recorded;
    let hits: Vec<HitRecorded> = commands.iter().map(&mut recorded).collect();

    let mut settled = copy(before);
    let cards = all_cards(&locked);
    let (sequence, answered) = settle(&mut settled, table, &cards);
    prop_assert_eq!(&answered, &hits);
    prop_assert_eq!(&settled.state.balances, &single.state.balances);
    prop_assert_eq!(&settled.state.lifetime, &single.state.lifetime);
    prop_assert_eq!(&settled.state.resets, &single.state.resets);
    prop_assert_eq!(settled.state.last_order, single.state.last_order);
    prop_assert_eq!(unnamed(&settled, table), unnamed(&single, table));
    wagers::same_beside(before, table, &cards, (&settled, &answered))?;

    // The dealer presses every button again, the last one first.
    let mut undone = copy(&settled);
    for number in (1..=answered.len()).rev() {
        undone.play(
            table,
            &cancel(meterhouse_domain::ids::HitId {
                table,
                sequence,
                number: u8::try_from(number).unwrap_or(u8::MAX),
            }),
        );
    }
    prop_assert_eq!(&undone.state.balances, &before.state.balances);
    prop_assert_eq!(&undone.state.lifetime.lines, &before.state.lifetime.lines);

    // Sent again, the seats in another order.
    let event = Event::RoundSettled {
        cards: Box::new(cards.clone()),
        hits: answered.clone(),
        wagers: None,
    };
    let mut again = cards;
    again.seats.reverse();
    let terms = &before.state.terms;
    let command = |cards: &Settle| TableCommand::Settle(Box::new(cards.clone()));
    prop_assert!(is_repeat(terms, &event, &command(&again)));
    if let Some((_, cards)) = again.seats.first_mut() {
        cards.rotate_left(1);
        prop_assert!(!is_repeat(terms, &event, &command(&again)));
    }
    Ok(answered)
}

/// Returns the configuration of fixed cases: a failure is reproducible.
pub(crate) fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 1_500,
        rng_seed: RngSeed::Fixed(657),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    /// CONFORMANCE 11 to 13, 18 to 21: the same hits, moves and balances as the single commands in turn order.
    #[test]
    fn settle_equals_the_single_hits_in_turn_order(case in case()) {
        compare(&case)?;
    }
}
