//! What an intent means at the moment when it is played: commands with their numbers, seats and cards.

use meterhouse_domain::card::Card;
use meterhouse_domain::command::{
    Command, Envelope, HitCommand, Holder, PersonCommand, TableCommand, VoidReason,
};
use meterhouse_domain::hand::Hand;
use meterhouse_domain::name::{ActorId, HitId, Sequence, TableNo};
use meterhouse_domain::seat::Seat;

use crate::auditor::round::{Round, Status, Way, Who};
use crate::auditor::sheet::KNOWN;
use crate::commands::{Cards, Intent, Pick};
use crate::play::Game;
use crate::wagers::seats_of;

/// The badge that comes with the commands of a table.
const DEALER_BADGE: &str = "d-1";
/// Who may decide: token and badge. The third is the controllers' token, the fourth the dealer himself.
const PEOPLE: [(i32, &str); 4] = [(2, "ana"), (3, "sam"), (1, "eve"), (4, DEALER_BADGE)];

impl Game {
    /// The commands that an intent means now.
    pub(crate) fn meant(&self, table: usize, intent: &Intent) -> Vec<Envelope> {
        let felt = &self.auditor.felts[table];
        let next = |command| vec![keyed(table, felt.last + 1, command)];
        match intent {
            Intent::CoinIn { .. } => next(self.coin_in(intent)),
            Intent::Count { chips } => next(TableCommand::Count {
                chips: u32::from(*chips),
            }),
            Intent::Fold { seats, twice } => {
                let mut seats = seats_of(*seats);
                seats.extend(twice.then_some(Seat(1)));
                next(TableCommand::Fold { seats })
            }
            Intent::Hit { pick, hand, cards } => {
                let hand = self.hand(*hand);
                next(TableCommand::Hit(HitCommand {
                    holder: self.holder(table, *pick),
                    hand,
                    cards: self.cards(hand, *cards),
                }))
            }
            Intent::Envy { seat, hand, cards } => {
                let hand = self.hand(*hand);
                next(TableCommand::Envy {
                    seat: Seat(self.seat_without_wager(table, *seat)),
                    hand,
                    cards: self.cards(hand, *cards),
                })
            }
            Intent::Cancel { back, number } => {
                let hits = felt.round.iter().flat_map(|round| round.hits.iter().rev());
                let hit = hits.map(|hit| hit.number).nth(usize::from(*back));
                let number = number.map(u64::from).or(hit).map(Sequence);
                number.map_or_else(Vec::new, |hit| next(TableCommand::CancelHit { hit }))
            }
            Intent::Close => next(TableCommand::Close),
            Intent::Void { reason } => {
                let reasons = VoidReason::ALL;
                next(TableCommand::Void {
                    reason: reasons[usize::from(*reason) % reasons.len()],
                })
            }
            Intent::Validate { .. } | Intent::Reject { .. } | Intent::Pay { .. } => {
                vec![self.person(intent)]
            }
            Intent::Finish => self.finish(table),
            Intent::Again { back, other } => self.again(table, *back, *other),
            Intent::AgainInOtherOrder { back } => self.other_order(table, *back),
            Intent::Gap { missing } => {
                let number = felt.last + 1 + u64::from(*missing);
                vec![keyed(table, number, TableCommand::Close)]
            }
        }
    }

    /// One of the seats that were dealt in and made no wager, or, for 6 and more, that seat itself.
    fn seat_without_wager(&self, table: usize, nth: u8) -> u8 {
        let round = self.auditor.felts[table].round.as_ref();
        let idle = round
            .into_iter()
            .flat_map(|it| it.dealt.difference(&it.own));
        let idle: Vec<u8> = idle.copied().collect();
        let found = idle.get(usize::from(nth) % idle.len().max(1));
        found.copied().filter(|_| nth < 6).unwrap_or(nth)
    }

    fn hand(&self, index: u8) -> Hand {
        use Hand::{
            Flush, FourAces, FourOfAKind, FullHouse, HighCard, RoyalFlush, Straight, StraightFlush,
            ThreeOfAKind, TwoPair,
        };
        let hands = match (self.auditor.sheet.four_cards, self.auditor.sheet.hand_bonus) {
            (true, _) => [
                FourAces,
                FourAces,
                FourAces,
                FourAces,
                FourAces,
                FourAces,
                FourOfAKind,
                FourOfAKind,
                FourOfAKind,
                StraightFlush,
                StraightFlush,
                ThreeOfAKind,
                ThreeOfAKind,
                Flush,
                TwoPair,
                RoyalFlush,
            ],
            (false, true) => [
                RoyalFlush,
                RoyalFlush,
                RoyalFlush,
                RoyalFlush,
                StraightFlush,
                StraightFlush,
                StraightFlush,
                StraightFlush,
                StraightFlush,
                FourOfAKind,
                FourOfAKind,
                FullHouse,
                Flush,
                Flush,
                ThreeOfAKind,
                HighCard,
            ],
            (false, false) => [
                RoyalFlush,
                RoyalFlush,
                RoyalFlush,
                StraightFlush,
                StraightFlush,
                StraightFlush,
                FourOfAKind,
                FourOfAKind,
                FourOfAKind,
                FourOfAKind,
                FullHouse,
                Flush,
                Straight,
                ThreeOfAKind,
                TwoPair,
                FourAces,
            ],
        };
        hands[usize::from(index) % hands.len()]
    }

    fn holder(&self, table: usize, pick: Pick) -> Holder {
        match pick {
            Pick::Dealer => Holder::Dealer,
            Pick::Seat(seat) => Holder::Seat(Seat(seat)),
            Pick::Next(nth) => {
                let round = self.auditor.felts[table].round.as_ref();
                let turns = round.map(|it| it.open_turns(&self.auditor.sheet));
                let turns = turns.unwrap_or_default();
                match turns.get(usize::from(nth) % turns.len().max(1)) {
                    Some(Who::Dealer) => Holder::Dealer,
                    Some(Who::Seat(seat)) => Holder::Seat(Seat(*seat)),
                    None => Holder::Seat(Seat(1)),
                }
            }
        }
    }

    fn cards(&self, hand: Hand, cards: Cards) -> Option<Vec<Card>> {
        let known = |index: u8| known_cards(KNOWN[usize::from(index) % KNOWN.len()].0);
        match cards {
            Cards::None => None,
            Cards::Right(nth) => {
                let four_cards = self.auditor.sheet.four_cards;
                let made = |five, four| if four_cards { four } else { five };
                let right = KNOWN.iter();
                let right = right.filter(|(_, five, four)| made(*five, *four) == hand);
                let right: Vec<&str> = right.map(|(text, _, _)| *text).collect();
                let text = right.get(usize::from(nth) % right.len().max(1))?;
                Some(known_cards(text))
            }
            Cards::Known(index) => Some(known(index)),
            Cards::Four(index) => Some(known(index).into_iter().skip(1).collect()),
            Cards::Thrice(index) => {
                let mut cards = known(index);
                let first = cards.first().copied();
                for (card, first) in cards.iter_mut().zip([first; 3].into_iter().flatten()) {
                    *card = first;
                }
                Some(cards)
            }
        }
    }

    /// What a person does to the n-th newest hit of all open rounds; or to an unknown one.
    fn person(&self, intent: &Intent) -> Envelope {
        let mut hits: Vec<(u64, HitId, Hand)> = Vec::new();
        for (table, felt) in self.auditor.felts.iter().enumerate() {
            for hit in felt.round.iter().flat_map(|round| &round.hits) {
                hits.push((hit.at, named(table, hit.number), hit.hand));
            }
        }
        hits.sort_unstable_by_key(|(at, _, _)| std::cmp::Reverse(*at));
        let nth = |back: &u8| {
            let found = hits.get(usize::from(*back) % (hits.len() + 1)).copied();
            found.map_or((named(0, 9_999), Hand::HighCard), |(_, id, hand)| {
                (id, hand)
            })
        };
        match intent {
            Intent::Validate { back, by, cards } => {
                let (hit, hand) = nth(back);
                let cards = self.cards(hand, *cards);
                asked(
                    *by,
                    PersonCommand::ValidateHit {
                        hit,
                        cards,
                        note: None,
                    },
                )
            }
            Intent::Pay {
                back,
                payout,
                document,
                by,
            } => asked(*by, payment(nth(back).0, u32::from(*payout), *document)),
            Intent::Reject { back, by } => asked(
                *by,
                PersonCommand::RejectHit {
                    hit: nth(back).0,
                    note: None,
                },
            ),
            _ => asked(
                0,
                PersonCommand::RejectHit {
                    hit: nth(&0).0,
                    note: None,
                },
            ),
        }
    }

    fn finish(&self, table: usize) -> Vec<Envelope> {
        let felt = &self.auditor.felts[table];
        let mut all = Vec::new();
        for hit in felt.round.iter().flat_map(Round::standing) {
            let id = named(table, hit.number);
            if hit.status == Status::Pending {
                let validate = PersonCommand::ValidateHit {
                    hit: id,
                    cards: None,
                    note: None,
                };
                all.push(asked(0, validate));
            }
            for (number, due) in (1..).zip(&hit.due) {
                if due.way == Way::Slip && due.document.is_none() {
                    all.push(asked(1, payment(id, number, 0)));
                }
            }
        }
        all.push(keyed(table, felt.last + 1, TableCommand::Close));
        all
    }

    /// The n-th newest command of this table once more, as it was, or under another's number.
    fn again(&self, table: usize, back: u8, other: u8) -> Vec<Envelope> {
        let felt = &self.auditor.felts[table];
        let said = felt.said.iter().rev().nth(usize::from(back));
        let number = felt.last.saturating_sub(u64::from(back) + u64::from(other));
        let again = said.filter(|_| number > 0);
        let again = again.map(|(command, _)| keyed(table, number, command.clone()));
        again.into_iter().collect()
    }

    fn other_order(&self, table: usize, back: u8) -> Vec<Envelope> {
        let mut all = self.again(table, back, 0);
        for envelope in &mut all {
            envelope.by = None;
            match &mut envelope.command {
                Command::Table {
                    command: TableCommand::CoinIn(coin_in),
                    ..
                } => {
                    coin_in.wagers.reverse();
                    coin_in.dealt.reverse();
                }
                Command::Table {
                    command: TableCommand::Fold { seats },
                    ..
                } => seats.reverse(),
                _ => {}
            }
        }
        all
    }
}

fn named(table: usize, number: u64) -> HitId {
    HitId {
        table: TableNo(u32::try_from(table + 1).unwrap_or(u32::MAX)),
        sequence: Sequence(number),
    }
}

/// A command under a number of a table, with the dealer's badge.
fn keyed(table: usize, number: u64, command: TableCommand) -> Envelope {
    let id = named(table, number);
    Envelope {
        actor: ActorId(1),
        by: DEALER_BADGE.parse().ok(),
        device_time: None,
        command: Command::Table {
            table: id.table,
            sequence: id.sequence,
            command,
        },
    }
}

fn asked(by: u8, command: PersonCommand) -> Envelope {
    let (actor, badge) = PEOPLE[usize::from(by) % PEOPLE.len()];
    Envelope {
        actor: ActorId(actor),
        by: badge.parse().ok(),
        device_time: None,
        command: Command::Person(command),
    }
}

/// The commands that never parse are never sent: a document is always this text.
fn payment(hit: HitId, number: u32, document: u8) -> PersonCommand {
    match format!("JP-{document}").parse() {
        Ok(document) => PersonCommand::PayPayout {
            hit,
            number,
            document,
        },
        Err(_) => PersonCommand::RejectHit { hit, note: None },
    }
}

fn known_cards(text: &str) -> Vec<Card> {
    let cards = text.split(' ').map(str::parse);
    cards.filter_map(Result::ok).collect()
}
