//! What an accepted command of a table does to the auditor's own books, and that the answer says the same.

use std::collections::{BTreeMap, BTreeSet};

use meterhouse_domain::card::Card;
use meterhouse_domain::command::{CoinIn, TableCommand, WageredHand};
use meterhouse_domain::event::{CoinInAccepted, Event};

use super::answers::{bits, same_hit};
use super::books::{Account, Entry};
use super::hit::{Name, Paid, Status};
use super::life::Fact;
use super::round::{Person, Round, Who};
use super::{Auditor, Verdict, agree};
use crate::setup::SEATS;

impl Auditor {
    /// Does what the command asks for, and compares.
    pub(super) fn accept(
        &mut self,
        table: usize,
        number: u64,
        by: &Person,
        command: &TableCommand,
        event: &Event,
    ) -> Verdict {
        let name = Name {
            table,
            number,
            nth: 0,
        };
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
                let round = self.felts[table].round.as_mut().ok_or("no round")?;
                round.folded.extend(seats);
                Ok(())
            }
            (
                TableCommand::Hit(_) | TableCommand::Envy { .. } | TableCommand::Bonus(_),
                Event::HitRecorded(event),
            ) => {
                let hit = self.keyed(name, by, command)?;
                same_hit(&hit, hit.status == Status::Pending, event)?;
                self.record(hit);
                Ok(())
            }
            (
                TableCommand::Settle(settle),
                Event::RoundSettled {
                    cards,
                    hits,
                    wagers: None,
                },
            ) => {
                agree("cards", settle, cards)?;
                self.settle(name, by, settle, hits)
            }
            (
                TableCommand::SettleWagers(settle),
                Event::RoundSettled {
                    cards,
                    hits,
                    wagers: Some(wagers),
                },
            ) => {
                agree("cards", &settle.cards, cards)?;
                self.same_wagers(settle, wagers)?;
                self.settle(name, by, &settle.cards, hits)
            }
            (command, event) => self.accept_ending(name, command, event),
        }
    }

    /// What takes back or ends.
    fn accept_ending(&mut self, name: Name, command: &TableCommand, event: &Event) -> Verdict {
        let table = name.table;
        match (command, event) {
            (
                TableCommand::CancelHit { hit, number: nth },
                Event::HitCancelled { hit: said, .. },
            ) => {
                let asked = Name {
                    number: hit.0,
                    nth: *nth,
                    ..name
                };
                agree("cancelled hit", &asked, &Name::of(*said))?;
                let place = self.place(asked).ok_or("an unknown hit was cancelled")?;
                self.give_back(place, Status::Cancelled);
                self.put_in_bounds();
                Ok(())
            }
            (TableCommand::Close, Event::RoundClosed { hits, .. }) => {
                let said: Vec<Name> = hits.iter().map(|hit| Name::of(*hit)).collect();
                let paid = self.close(table)?;
                agree("hits paid at GAME OVER", &paid, &said)
            }
            (
                TableCommand::Void { reason },
                Event::RoundVoided {
                    reason: said, hits, ..
                },
            ) => {
                agree("reason", reason, said)?;
                let said: Vec<Name> = hits.iter().map(|hit| Name::of(*hit)).collect();
                let undone = self.void(table)?;
                agree("hits undone by the void", &undone, &said)
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

        let wagers = own.len() + dealer.len();
        let added = self.shares(wagers)?;
        let amounts = event.added.amounts().iter();
        let amounts: Vec<i128> = amounts.map(|it| i128::from(it.micros())).collect();
        let ours: Vec<i128> = added.iter().map(|entry| entry.micros).collect();
        agree("added", &ours, &amounts)?;
        self.books.write(&added);
        self.facts
            .push(Fact::Locked((table, number), added.clone()));
        let mut over = Vec::new();
        for level in 0..self.sheet.levels.len() {
            over.extend(self.pot(level).excess(level, self.ceilings[level]));
        }
        self.books.write(&over);
        let said = event.over_ceiling.iter();
        let said = said.map(|(book, amount)| (book.index(), i128::from(amount.micros())));
        let ours = over.iter().map(|entry| (entry.book, entry.micros));
        agree("over a ceiling", &ours.collect::<Vec<_>>(), &said.collect())?;

        self.counts.lock(&added, wagers);
        self.count_in_minute(table);
        self.felts[table].round = Some(Round {
            number,
            locked_at: self.clock,
            own,
            dealer,
            dealt,
            folded: BTreeSet::new(),
            names,
            added,
            over,
            magic_card: event.draws.magic_card.as_ref().map(Card::to_string),
            lucky: event.draws.lucky_position.map(Who::of),
            keyed: false,
        });
        self.fair_draw(table)
    }

    /// What so many wagers add, meter and reserve of each level, a level that is off included with nothing.
    fn shares(&self, wagers: usize) -> Result<Vec<Entry>, String> {
        let wagers = i128::try_from(wagers).map_err(|it| it.to_string())?;
        let mut added = Vec::new();
        for (book, level) in self.sheet.levels.iter().enumerate() {
            let on = i128::from(!self.disabled.contains(&book));
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
                        micros: on * hundredths / 100,
                    });
                }
            }
        }
        Ok(added)
    }

    /// Nothing is drawn that is not offered, and a position is one of the layout's or the dealer.
    fn fair_draw(&mut self, table: usize) -> Verdict {
        let round = self.felts[table].round.as_ref().ok_or("no round")?;
        let card = round.magic_card.is_none() || self.sheet.magic_card.is_some();
        let lucky = match round.lucky {
            None => true,
            Some(Who::Dealer) => self.sheet.lucky_bonus.is_some() && self.sheet.hand_bonus,
            Some(Who::Seat(seat)) => {
                self.sheet.lucky_bonus.is_some() && (1..=SEATS).contains(&seat)
            }
        };
        agree("a draw that is offered", &(true, true), &(card, lucky))
    }

    /// GAME OVER pays what was not paid by slip, and names the hits of which it paid something.
    fn close(&mut self, table: usize) -> Result<Vec<Name>, String> {
        let round = self.felts[table].round.take().ok_or("no round")?;
        let mut paid = Vec::new();
        let places: Vec<usize> = self.places_of(table, round.number).collect();
        for place in &places {
            if !self.hits[*place].stands() {
                continue;
            }
            let open = self.hits[*place].due.iter().enumerate();
            let open: Vec<usize> = open
                .filter(|(_, due)| due.paid.is_none())
                .map(|(index, _)| index)
                .collect();
            if !open.is_empty() {
                paid.push(self.hits[*place].name);
            }
            for index in open {
                self.pay(*place, index, None)?;
            }
        }
        for place in places {
            self.hits[place].closed = true;
            if self.hits[place].stands() {
                self.keep(place);
            }
        }
        let displayed = (0..self.sheet.levels.len()).map(|level| self.displayed(level));
        let closed = super::round::Closed {
            round,
            displayed: displayed.collect(),
            order: self.order,
            at: self.clock,
        };
        self.felts[table].closed.push(closed);
        Ok(paid)
    }

    /// Marks a payout as paid, with a document or by GAME OVER.
    pub(super) fn pay(&mut self, place: usize, index: usize, document: Option<&str>) -> Verdict {
        let fixed = self.sheet.levels.len();
        let hit = &mut self.hits[place];
        let level = hit.level();
        let due = hit.due.get_mut(index).ok_or("no such payout")?;
        due.paid = Some(document.map_or(Paid::GameOver, |it| Paid::Document(it.to_owned())));
        self.books.write(&[Entry {
            book: level.filter(|_| due.metered).unwrap_or(fixed),
            from: Account::Pending,
            to: Account::Paid,
            micros: due.micros,
        }]);
        Ok(())
    }

    /// All wagers go back: first the round's own hits, newest first, then what the wagers added, from where
    /// it went or, where a standing hit took from there since, from the house. Names the hits.
    fn void(&mut self, table: usize) -> Result<Vec<Name>, String> {
        let round = self.felts[table].round.take().ok_or("no round")?;
        let places = self.places_of(table, round.number);
        let standing = places.filter(|place| self.hits[*place].stands());
        let own: Vec<usize> = standing.collect();
        for place in own.iter().rev() {
            self.give_back(*place, Status::Cancelled);
        }
        let mut back = Vec::new();
        for entry in &round.added {
            let of_it = |over: &&Entry| over.book == entry.book && entry.to == Account::Meter;
            let over: i128 = round.over.iter().filter(of_it).map(|it| it.micros).sum();
            for (to, micros) in [(entry.to, entry.micros - over), (Account::Overflow, over)] {
                let since = self.hits.iter().any(|hit| {
                    let took = hit.stands() && hit.level() == Some(entry.book);
                    let emptied = match to {
                        Account::Reserve => hit.emptied_reserve(),
                        Account::Overflow => hit.emptied_overflow(),
                        _ => true,
                    };
                    took && hit.at > round.locked_at && emptied
                });
                let charged = since && micros > 0;
                self.seen.charged_to_house += u32::from(charged);
                self.seen.overflow_back +=
                    u32::from(!since && to == Account::Overflow && micros > 0);
                back.push(Entry {
                    book: entry.book,
                    from: if since { Account::House } else { to },
                    to: Account::Players,
                    micros,
                });
            }
        }
        self.counts.void(&round);
        self.books.write(&back);
        self.facts.push(Fact::Void((table, round.number), back));
        self.put_in_bounds();
        for place in self.places_of(table, round.number).collect::<Vec<_>>() {
            self.hits[place].closed = true;
        }
        Ok(own
            .iter()
            .rev()
            .map(|place| self.hits[*place].name)
            .collect())
    }
}
