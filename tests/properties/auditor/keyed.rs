//! Hits in the auditor's books: what a keyed hand is worth, and how it is taken back.

use meterhouse_domain::change::Resettled;
use meterhouse_domain::command::{Bonus, Settle, TableCommand};
use meterhouse_domain::event::{HitKind, HitRecorded};
use meterhouse_domain::hand::Hand;

use super::answers::{same_hit, taken_of};
use super::books::{Account, Entry};
use super::changes::Again;
use super::hit::{Due, For, Hit, Name, Status, Taken, Way};
use super::known::named_by_a_person;
use super::level::Pot;
use super::life::Fact;
use super::of_hits::envious;
use super::round::{Closed, Person, Round, Who};
use super::sheet::Prize;
use super::{Auditor, Verdict, agree, texts};

/// What is keyed.
#[derive(Clone, Copy)]
pub(super) struct Keyed<'a> {
    pub(super) name: Name,
    pub(super) by: &'a Person,
    pub(super) who: Who,
    pub(super) cards: &'a [String],
}

impl Auditor {
    /// What a command that keys one hand is worth.
    pub(super) fn keyed(
        &self,
        name: Name,
        by: &Person,
        command: &TableCommand,
    ) -> Result<Hit, String> {
        let round = self.felts[name.table].round.as_ref().ok_or("no round")?;
        let (who, cards) = match command {
            TableCommand::Hit(hit) => (Who::of(hit.holder), &hit.cards),
            TableCommand::Envy { seat, cards, .. } => (Who::Seat(seat.0), cards),
            TableCommand::Bonus(bonus) => (Who::of(bonus.holder), &bonus.cards),
            other => return Err(format!("{other:?} keys no hand")),
        };
        let cards = cards.as_deref().map(texts).unwrap_or_default();
        let keyed = Keyed {
            name,
            by,
            who,
            cards: &cards,
        };
        match command {
            TableCommand::Hit(hit) => self.line(round, keyed, hit.hand, None),
            TableCommand::Envy { hand, .. } => Ok(self.envy_alone(round, keyed, *hand)),
            TableCommand::Bonus(bonus) => Ok(self.bonus(round, keyed, bonus.kind)),
            other => Err(format!("{other:?} keys no hand")),
        }
    }

    fn blank(&self, round: &Round, keyed: Keyed<'_>, kind: HitKind, hand: Option<Hand>) -> Hit {
        Hit {
            name: keyed.name,
            round: round.number,
            at: self.clock,
            order: self.order + 1,
            keyed_by: keyed.by.clone(),
            who: keyed.who,
            kind,
            hand,
            cards: keyed.cards.to_vec(),
            took: None,
            due: Vec::new(),
            status: Status::Pending,
            beside: Vec::new(),
            closed: false,
        }
    }

    /// A line: what it takes, who is due what, and the envy of the others; as of now, or of a GAME OVER.
    pub(super) fn line(
        &self,
        round: &Round,
        keyed: Keyed<'_>,
        hand: Hand,
        late: Option<&Closed>,
    ) -> Result<Hit, String> {
        let (_, prize, envy) = *self.sheet.line(hand).ok_or("a hit of no line")?;
        let mut hit = self.blank(round, keyed, HitKind::Line, Some(hand));
        match prize {
            Prize::Fixed(odds) => {
                let seats = round.wagers_on(keyed.who);
                self.owe(round, &mut hit, &seats, odds, self.fixed_way(), For::Line);
            }
            Prize::Share(_, level) | Prize::Metered(_, level) => {
                self.win_off(round, &mut hit, prize, level, late);
            }
        }
        if let Who::Seat(holder) = keyed.who
            && round.lies_there(&self.sheet, holder)
        {
            self.owe_envy(round, &mut hit, holder, envy);
        }
        let by_rule = match prize {
            Prize::Share(..) => false,
            Prize::Fixed(odds) | Prize::Metered(odds, _) => odds < self.sheet.person_from,
        };
        if by_rule {
            hit.status = Status::ByRule;
        }
        if late.is_some() {
            hit.due.iter_mut().for_each(|due| due.way = Way::Slip);
            hit.status = Status::Validated(keyed.by.0);
            hit.closed = true;
        }
        Ok(hit)
    }

    /// A prize off a level: divided among players where it is a share, one a wager where it is fixed. Found
    /// after the level was won again, all of it is the house's.
    fn win_off(
        &self,
        round: &Round,
        hit: &mut Hit,
        prize: Prize,
        level: usize,
        late: Option<&Closed>,
    ) {
        let (seats, way) = match prize {
            Prize::Share(..) => (round.players_on(hit.who), Way::Slip),
            Prize::Fixed(_) | Prize::Metered(..) => (round.wagers_on(hit.who), self.fixed_way()),
        };
        let shares = seats.iter().map(|_| 1_i128).sum();
        let then = late.map(|closed| {
            let pot = Pot {
                meter: closed.displayed[level],
                ..self.pot(level)
            };
            self.win(pot, level, prize, shares, None).0
        });
        let (each, took) = self.win(self.pot(level), level, prize, shares, then);
        let won_since = late.is_some_and(|closed| {
            let mut resets = self
                .hits
                .iter()
                .filter(|it| it.stands() && it.at > closed.at);
            resets.any(|it| {
                it.took
                    .as_ref()
                    .is_some_and(|took| took.taken.level == level && took.taken.reset.is_some())
            })
        });
        for seat in seats {
            hit.due.push(Due {
                seat,
                player: round.names.get(&seat).cloned(),
                what: For::Line,
                micros: each,
                way,
                metered: !won_since,
                paid: None,
            });
        }
        if won_since {
            hit.beside.push(self.house_owes(each * shares));
        } else {
            hit.took = Some(took);
        }
    }

    /// How a fixed pay reaches the player.
    const fn fixed_way(&self) -> Way {
        if self.sheet.hand_bonus {
            Way::Account
        } else {
            Way::Rack
        }
    }

    const fn house_owes(&self, micros: i128) -> Entry {
        Entry {
            book: self.sheet.levels.len(),
            from: Account::House,
            to: Account::Pending,
            micros,
        }
    }

    /// A hand that is worth nothing to its holder, and envy to others.
    fn envy_alone(&self, round: &Round, keyed: Keyed<'_>, hand: Hand) -> Hit {
        let mut hit = self.blank(round, keyed, HitKind::Envy, Some(hand));
        if let Who::Seat(seat) = keyed.who {
            self.owe_envy(round, &mut hit, seat, self.sheet.envy(hand));
        }
        hit
    }

    /// A bonus of the draw: one a wager on the hand, to the game account, for nobody to validate.
    fn bonus(&self, round: &Round, keyed: Keyed<'_>, bonus: Bonus) -> Hit {
        let (kind, odds) = match bonus {
            Bonus::MagicCard => (HitKind::MagicCard, self.sheet.magic_card),
            Bonus::LuckyBonus => (HitKind::LuckyBonus, self.sheet.lucky_bonus),
        };
        let mut hit = self.blank(round, keyed, kind, None);
        let seats = round.wagers_on(keyed.who);
        let odds = odds.unwrap_or(0);
        self.owe(round, &mut hit, &seats, odds, Way::Account, For::Bonus);
        hit.status = Status::ByRule;
        hit
    }

    fn owe(&self, round: &Round, hit: &mut Hit, seats: &[u8], odds: i128, way: Way, what: For) {
        for seat in seats {
            hit.due.push(Due {
                seat: *seat,
                player: round.names.get(seat).cloned(),
                what,
                micros: odds * self.wager,
                way,
                metered: false,
                paid: None,
            });
            hit.beside.push(self.house_owes(odds * self.wager));
        }
    }

    /// Envy for the others who made the wager, folded or not, and never for the holder.
    fn owe_envy(&self, round: &Round, hit: &mut Hit, holder: u8, envy: i128) {
        if envy > 0 {
            self.owe(
                round,
                hit,
                &envious(round, holder),
                envy,
                Way::Rack,
                For::Envy,
            );
        }
    }

    /// Enters a hit.
    pub(super) fn record(&mut self, hit: Hit) {
        self.order = hit.order;
        self.books.write(&hit.beside);
        if let Some(took) = &hit.took {
            self.books.write(&took.entries);
            self.seen.short_meter += u32::from(took.from_house > 0);
        }
        if let Some(round) = &mut self.felts[hit.name.table].round
            && round.number == hit.round
        {
            round.keyed = true;
        }
        self.facts.push(Fact::Hit(self.hits.len()));
        self.hits.push(hit);
    }

    /// All cards at once: whatever hands win is keyed as by single commands, the lines in turn order. Every
    /// hit that was answered is one of those, and none of those is missing.
    pub(super) fn settle(
        &mut self,
        name: Name,
        by: &Person,
        settle: &Settle,
        answered: &[HitRecorded],
    ) -> Verdict {
        let round = self.felts[name.table].round.clone().ok_or("no round")?;
        let mut hands: Vec<(Who, Vec<String>)> = Vec::new();
        for (seat, cards) in &settle.seats {
            hands.push((Who::Seat(seat.0), texts(cards)));
        }
        hands.push((Who::Dealer, texts(&settle.dealer)));
        let mut expected: Vec<(Who, HitKind)> = Vec::new();
        for (who, cards) in &hands {
            expected.extend(
                self.wins(&round, *who, cards)
                    .into_iter()
                    .map(|kind| (*who, kind)),
            );
        }
        let mut last = i32::MIN;
        for (nth, event) in (1..).zip(answered) {
            let who = Who::of(event.holder);
            let found = expected.iter().position(|it| *it == (who, event.kind));
            let found = found.ok_or_else(|| format!("{who:?} wins no {:?}", event.kind))?;
            expected.remove(found);
            let hand = hands.iter().find(|(it, _)| *it == who);
            let (_, cards) = hand.ok_or("a hand without cards won")?;
            let keyed = Keyed {
                name: Name { nth, ..name },
                by,
                who,
                cards,
            };
            let rank = named_by_a_person(cards, self.sheet.four_cards).ok_or("unknown cards")?;
            let hit = match event.kind {
                HitKind::Line => {
                    agree("in turn order", &true, &(round.turn(who) > last))?;
                    last = round.turn(who);
                    self.line(&round, keyed, rank, None)?
                }
                HitKind::Envy => self.envy_alone(&round, keyed, rank),
                HitKind::MagicCard => self.bonus(&round, keyed, Bonus::MagicCard),
                HitKind::LuckyBonus => self.bonus(&round, keyed, Bonus::LuckyBonus),
            };
            same_hit(&hit, hit.status == Status::Pending, event)?;
            self.record(hit);
            self.clock += 1;
        }
        agree("wins that were not answered", &Vec::new(), &expected)
    }

    /// What a hand wins of which all cards are known.
    pub(super) fn wins(&self, round: &Round, who: Who, cards: &[String]) -> Vec<HitKind> {
        let mut wins = Vec::new();
        let hand = named_by_a_person(cards, self.sheet.four_cards);
        let wagered = match who {
            Who::Seat(seat) => round.plays(&self.sheet, seat),
            Who::Dealer => !round.dealer.is_empty(),
        };
        if let Who::Seat(seat) = who
            && round.gives_envy_alone(&self.sheet, seat)
            && hand.is_some_and(|hand| self.sheet.envy(hand) > 0)
            && !envious(round, seat).is_empty()
        {
            wins.push(HitKind::Envy);
        }
        if wagered && hand.is_some_and(|hand| self.sheet.line(hand).is_some()) {
            wins.push(HitKind::Line);
        }
        if wagered
            && round
                .magic_card
                .as_ref()
                .is_some_and(|card| cards.contains(card))
        {
            wins.push(HitKind::MagicCard);
        }
        if wagered && round.lucky == Some(who) {
            wins.push(HitKind::LuckyBonus);
        }
        wins
    }

    /// Takes a hit back: its entries the other way round, its envy with them. What was paid of it stays paid,
    /// by the house.
    pub(super) fn give_back(&mut self, place: usize, status: Status) {
        let hit = &mut self.hits[place];
        hit.status = status;
        let hit = self.hits[place].clone();
        self.books.write_back(&hit.beside);
        for due in hit
            .due
            .iter()
            .filter(|due| due.paid.is_some() && !due.metered)
        {
            self.books.write(&[self.house_owes(due.micros)]);
        }
        if let Some(took) = &hit.took {
            let level = took.taken.level;
            self.books.write_back(&took.entries);
            self.set_level(level, self.pot(level));
        }
    }

    /// Withdraws a hit and gives those that took from its level since the amounts that they have without it.
    /// Answers which; the rules said this of them.
    pub(super) fn withdraw(
        &mut self,
        place: usize,
        status: Status,
        said: &[Resettled],
    ) -> Result<Vec<Again>, String> {
        let hit = self.hits[place].clone();
        let later = self.later(&hit).filter_map(|it| {
            Some(Again {
                place: self.place(it.name)?,
                was: it.status,
            })
        });
        let later: Vec<Again> = later.collect();
        self.give_back(place, status);
        if later.is_empty() {
            self.put_in_bounds();
        } else {
            let said: Vec<Taken> = said.iter().map(|it| taken_of(&it.taken)).collect();
            self.play_again(place, &said)?;
        }
        Ok(later)
    }
}
