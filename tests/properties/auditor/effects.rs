//! What an accepted command of a table does to the auditor's own books, and that the answer says the same.

use std::collections::{BTreeMap, BTreeSet};

use meterhouse_domain::command::{CoinIn, TableCommand, WageredHand};
use meterhouse_domain::event::{CoinInAccepted, Event, HitKind};
use meterhouse_domain::hand::Hand;

use super::answers::{bits, same_hit};
use super::books::{Account, Entry};
use super::round::{Due, Hit, Person, Round, Status, Way, Who};
use super::sheet::{CENT, DOLLAR, Prize};
use super::{Auditor, Take, Verdict, agree, texts};
use crate::setup::Restart;

/// What a percentage took from a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Taken {
    /// The level.
    pub(super) level: usize,
    /// How much of it.
    pub(super) percent: i128,
    /// The meter before.
    pub(super) before: i128,
    /// The meter after.
    pub(super) after: i128,
    /// At 100%, what came from house and reserve.
    pub(super) reset: Option<(i128, i128)>,
}

/// Cut to the cent.
const fn cut(micros: i128) -> i128 {
    micros - micros % CENT
}

impl Auditor {
    /// Does what the command asks for, and compares.
    pub(super) fn accept(
        &mut self,
        table: usize,
        number: u64,
        by: Person,
        command: &TableCommand,
        event: &Event,
    ) -> Verdict {
        match (command, event) {
            (TableCommand::CoinIn(coin_in), Event::CoinInAccepted(event)) => {
                self.lock(table, number, coin_in, event)
            }
            (
                TableCommand::Count { chips },
                Event::ChipsCounted {
                    chips: said,
                    accepted,
                },
            ) => {
                let wagers = self.felts[table].round.as_ref();
                let wagers = wagers.map(|it| it.own.len() + it.dealer.len());
                agree("chips", chips, said)?;
                agree("accepted wagers", &wagers, &usize::try_from(*accepted).ok())
            }
            (TableCommand::Fold { seats }, Event::SeatsFolded { seats: folded }) => {
                let seats: BTreeSet<u8> = seats.iter().map(|seat| seat.0).collect();
                agree("folded seats", &bits(&seats), &folded.bits())?;
                self.round(table)?.folded.extend(seats);
                Ok(())
            }
            (TableCommand::Hit(hit), Event::HitRecorded(event)) => {
                let who = Who::of(hit.holder);
                let cards = hit.cards.as_deref().map(texts).unwrap_or_default();
                let (hit, taken) = self.key(table, (number, by), who, hit.hand, cards)?;
                self.order += 1;
                same_hit(self.order, HitKind::Line, &hit, taken, event)?;
                self.record(table, hit)
            }
            (TableCommand::Envy { seat, hand, cards }, Event::HitRecorded(event)) => {
                let cards = cards.as_deref().map(texts).unwrap_or_default();
                let hit = self.key_envy(table, (number, by), seat.0, *hand, cards)?;
                self.order += 1;
                same_hit(self.order, HitKind::Envy, &hit, None, event)?;
                self.record(table, hit)
            }
            (TableCommand::CancelHit { hit }, Event::HitCancelled { hit: said, .. }) => {
                agree("cancelled hit", &hit.0, &said.sequence.0)?;
                self.withdraw(table, hit.0, Status::Cancelled)
            }
            (TableCommand::Close, Event::RoundClosed { hits, .. }) => {
                let hits: Vec<u64> = hits.iter().map(|hit| hit.0).collect();
                let paid = self.close(table)?;
                agree("hits paid at GAME OVER", &paid, &hits)
            }
            (
                TableCommand::Void { reason },
                Event::RoundVoided {
                    reason: said, hits, ..
                },
            ) => {
                let hits: Vec<u64> = hits.iter().map(|hit| hit.0).collect();
                agree("reason", reason, said)?;
                let undone = self.void(table)?;
                agree("hits undone by the void", &undone, &hits)
            }
            (command, event) => Err(format!("{command:?} answered by {event:?}")),
        }
    }

    fn lock(
        &mut self,
        table: usize,
        number: u64,
        coin_in: &CoinIn,
        event: &CoinInAccepted,
    ) -> Verdict {
        let on = |hand: WageredHand| -> BTreeSet<u8> {
            let wagers = coin_in.wagers.iter().filter(|wager| wager.on == hand);
            wagers.map(|wager| wager.seat.0).collect()
        };
        let (own, dealer) = (on(WageredHand::Own), on(WageredHand::Dealer));
        let dealt: BTreeSet<u8> = coin_in.dealt.iter().map(|seat| seat.0).collect();
        let players = coin_in.wagers.iter().filter_map(|wager| {
            let player = wager.player.as_ref()?;
            Some((wager.seat.0, player.as_str().to_owned()))
        });
        let names: BTreeMap<u8, String> = players.collect();
        let said = event.players.iter();
        let said = said.map(|(seat, name)| (seat.0, name.as_str().to_owned()));
        agree("lit seats", &bits(&own), &event.own.bits())?;
        agree("lit for the dealer", &bits(&dealer), &event.dealer.bits())?;
        agree("dealt seats", &bits(&dealt), &event.dealt.bits())?;
        agree("players", &names, &said.collect())?;

        let wagers = i128::try_from(own.len() + dealer.len()).map_err(|it| it.to_string())?;
        let mut added = Vec::new();
        for (book, level) in self.sheet.levels.iter().enumerate() {
            for (to, percent) in [
                (Account::Meter, level.meter),
                (Account::Reserve, level.reserve),
            ] {
                let hundredths = wagers * self.wager * percent;
                agree("a share's fraction", &0, &(hundredths % 100))?;
                if percent > 0 {
                    added.push(Entry {
                        book,
                        from: Account::Players,
                        to,
                        micros: hundredths / 100,
                    });
                }
            }
        }
        self.books.write(&added);
        self.felts[table].round = Some(Round {
            number,
            locked_at: self.clock,
            own,
            dealer,
            dealt,
            folded: BTreeSet::new(),
            names,
            added,
            hits: Vec::new(),
        });
        Ok(())
    }

    /// A line: what it takes, who is due what, and the envy of the others.
    fn key(
        &mut self,
        table: usize,
        keyed: (u64, Person),
        who: Who,
        hand: Hand,
        cards: Vec<String>,
    ) -> Result<(Hit, Option<Taken>), String> {
        let (_, prize, envy) = *self.sheet.line(hand).ok_or("a hit of no line")?;
        let mut hit = self.blank(keyed, who, hand, cards);
        let round = self.felts[table].round.as_ref().ok_or("no round")?;
        let taken = match prize {
            Prize::Share(percent, level) => {
                let taken = self.take(round, &mut hit, percent, level);
                hit.took = Some((level, taken.reset.is_some_and(|(_, reserve)| reserve > 0)));
                Some(taken)
            }
            Prize::Fixed(odds) => {
                let seats: Vec<u8> = match who {
                    Who::Seat(seat) => vec![seat],
                    Who::Dealer => round.dealer.iter().rev().copied().collect(),
                };
                let way = if self.sheet.hand_bonus {
                    Way::Account
                } else {
                    Way::Rack
                };
                self.owe(round, &mut hit, &seats, odds, way, false);
                None
            }
        };
        if let Who::Seat(holder) = who {
            self.owe_envy(round, &mut hit, holder, envy);
        }
        let needs_a_person =
            !self.sheet.hand_bonus || taken.is_some() || prize == Prize::Fixed(500);
        hit.status = if needs_a_person {
            Status::Pending
        } else {
            Status::ByRule
        };
        Ok((hit, taken))
    }

    fn key_envy(
        &mut self,
        table: usize,
        keyed: (u64, Person),
        seat: u8,
        hand: Hand,
        cards: Vec<String>,
    ) -> Result<Hit, String> {
        let (_, _, envy) = *self.sheet.line(hand).ok_or("envy of no line")?;
        let mut hit = self.blank(keyed, Who::Seat(seat), hand, cards);
        hit.line = false;
        let round = self.felts[table].round.as_ref().ok_or("no round")?;
        self.owe_envy(round, &mut hit, seat, envy);
        Ok(hit)
    }

    fn blank(&self, keyed: (u64, Person), who: Who, hand: Hand, cards: Vec<String>) -> Hit {
        Hit {
            number: keyed.0,
            at: self.clock,
            keyed_by: keyed.1,
            who,
            line: true,
            hand,
            cards,
            took: None,
            due: Vec::new(),
            status: Status::Pending,
            entries: Vec::new(),
        }
    }

    /// A percentage of the displayed amount: one winner's, or divided by the players on the dealer's hand.
    fn take(&self, round: &Round, hit: &mut Hit, percent: i128, level: usize) -> Taken {
        let winners = match hit.who {
            Who::Seat(seat) => vec![seat],
            Who::Dealer => {
                let mut winners: Vec<u8> = Vec::new();
                for seat in round.dealer.iter().rev() {
                    if !winners.iter().any(|it| round.one_player(*it, *seat)) {
                        winners.push(*seat);
                    }
                }
                winners
            }
        };
        let before = self.books.of(level, Account::Meter);
        let prize = cut(cut(before) * percent / 100);
        let mut shared = 0;
        let count: i128 = winners.iter().map(|_| 1).sum();
        for seat in winners {
            let micros = cut(prize / count);
            shared += micros;
            hit.due.push(Due {
                seat,
                player: round.names.get(&seat).cloned(),
                envy: false,
                micros,
                way: Way::Slip,
                document: None,
            });
        }
        let mut enter = |from, to, micros| {
            hit.entries.push(Entry {
                book: level,
                from,
                to,
                micros,
            });
        };
        enter(Account::Meter, Account::Pending, shared);
        let reset = (percent == 100).then(|| self.restart(level));
        if let Some((house, reserve)) = reset {
            enter(Account::House, Account::Meter, house);
            enter(Account::Reserve, Account::Meter, reserve);
        }
        let back = reset.map_or(0, |(house, reserve)| house + reserve);
        Taken {
            level,
            percent,
            before,
            after: before - shared + back,
            reset,
        }
    }

    /// What house and reserve give to a level that was won.
    fn restart(&self, level: usize) -> (i128, i128) {
        let reseed = self.sheet.levels[level].reseed * self.wager;
        let reserve = self.books.of(level, Account::Reserve);
        match self.restart {
            Restart::Add => (reseed, reserve),
            Restart::GreaterOf if reserve >= reseed => (0, reserve),
            Restart::FundKeep if reserve >= reseed => (0, reseed),
            Restart::GreaterOf | Restart::FundKeep => (reseed - reserve, reserve),
        }
    }

    fn owe(&self, round: &Round, hit: &mut Hit, seats: &[u8], odds: i128, way: Way, envy: bool) {
        let micros = odds * self.wager;
        for seat in seats {
            hit.due.push(Due {
                seat: *seat,
                player: round.names.get(seat).cloned(),
                envy,
                micros,
                way,
                document: None,
            });
            hit.entries.push(Entry {
                book: self.sheet.levels.len(),
                from: Account::House,
                to: Account::Pending,
                micros,
            });
        }
    }

    /// Envy for the others who made the wager, folded or not, and never for the holder.
    fn owe_envy(&self, round: &Round, hit: &mut Hit, holder: u8, envy: i128) {
        if envy > 0 {
            let others = round.own.iter().rev().copied();
            let others: Vec<u8> = others.filter(|it| !round.one_player(*it, holder)).collect();
            self.owe(round, hit, &others, envy, Way::Rack, true);
        }
    }

    fn record(&mut self, table: usize, hit: Hit) -> Verdict {
        self.books.write(&hit.entries);
        if let Some((level, reserve)) = hit.took {
            self.takes.push(Take {
                at: hit.at,
                level,
                table,
                number: hit.number,
                reserve,
                stands: true,
            });
        }
        self.round(table)?.hits.push(hit);
        Ok(())
    }

    /// Takes a hit back: its entries the other way round, its envy with them.
    pub(super) fn withdraw(&mut self, table: usize, number: u64, status: Status) -> Verdict {
        let round = self.felts[table].round.as_mut().ok_or("no round")?;
        let hit = round.hits.iter_mut().find(|hit| hit.number == number);
        let hit = hit.ok_or("an unknown hit was undone")?;
        hit.status = status;
        self.books.write_back(&hit.entries);
        for take in &mut self.takes {
            take.stands &= !(take.table == table && take.number == number);
        }
        Ok(())
    }
}

/// So much for one, of a wager in cents.
pub(super) const fn dollars_of_cents(cents: u16) -> i128 {
    cents as i128 * DOLLAR / 100
}
