//! A link as the tests of the rules play it: opened, decided and applied, nothing else.
//!
//! Every step checks that each book sums to zero and that nothing is below zero or above its ceiling. A refusal must
//! change nothing but the table's number.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a command of these tests that is answered in another way than they say fails them"
)]

use std::sync::Arc;

use meterhouse_domain::apply::{apply, opened};
use meterhouse_domain::command::{
    CoinIn, Command, Envelope, HitCommand, Holder, JoinTable, PersonCommand, TableCommand,
    VoidReason, Wager, WageredHand,
};
use meterhouse_domain::decide::{Decision, Fence, Inputs, Stop, decide, fence, open};
use meterhouse_domain::event::{Draws, Event, Origin, Recorded};
use meterhouse_domain::hand::Hand;
use meterhouse_domain::ids::{ActorId, Badge, HitId, Sequence, TableNo, Timestamp};
use meterhouse_domain::link::{Account, Book, LinkTerms};
use meterhouse_domain::money::Money;
use meterhouse_domain::paytable::Paytable;
use meterhouse_domain::refusal::Refusal;
use meterhouse_domain::seat::Seat;
use meterhouse_domain::state::{Hit, LinkState};

mod commands;
pub(crate) mod paytables;

use commands::envelope;
pub(crate) use commands::{
    Keyed, accept, cancel, cards, coin_in_of, dollars, first_values, hit_of, is, own, pay, reject,
    terms, validate,
};

/// The token of the table controllers.
pub(crate) const CONTROLLER: ActorId = ActorId(1);
/// The token of the supervisor who validates.
pub(crate) const SUPERVISOR: ActorId = ActorId(2);
/// Time at which every link of these tests opens.
pub(crate) const OPENED_AT: Timestamp = Timestamp(1_750_000_000_000_000);
/// Seats on every layout of these tests.
pub(crate) const SEATS: u8 = 6;

/// A link in play.
pub(crate) struct Link {
    /// State that the rules read and change.
    pub(crate) state: LinkState,
    /// Server time; only a test moves it.
    pub(crate) at: Timestamp,
    /// Draws of the next coin-in.
    pub(crate) draws: Draws,
    /// Controllers' own time: evidence only, it orders nothing.
    pub(crate) device_time: Option<Timestamp>,
    /// Badge that the controllers send.
    pub(crate) badge: Option<Badge>,
}

impl Link {
    /// Opens a link with this paytable and wager, reserves added at a reset.
    pub(crate) fn open(paytable: Paytable, wager: &str) -> Self {
        Self::open_with(terms(paytable, wager))
    }

    /// Opens a link with these terms and accepts its first values.
    pub(crate) fn open_with(terms: LinkTerms) -> Self {
        let mut link = Self::just_opened(terms);
        link.person(SUPERVISOR, accept(first_values(&link.state.terms)));
        // Two people have acknowledged the returns of some paytables here.
        link.state.unacknowledged = false;
        link
    }

    /// Opens a link with these terms, before any person's command.
    pub(crate) fn just_opened(terms: LinkTerms) -> Self {
        let Ok(Event::LinkOpened { terms, moves }) = open(terms) else {
            panic!("the link did not open");
        };
        let link = Self {
            state: opened(&terms, &moves).unwrap(),
            at: OPENED_AT,
            draws: Draws::default(),
            device_time: None,
            badge: None,
        };
        link.check_books();
        link
    }

    /// Returns the properties of a table of this link.
    pub(crate) fn join(&self, name: &str) -> JoinTable {
        JoinTable {
            name: name.parse().unwrap(),
            game: "crazy-4-poker".parse().unwrap(),
            seats: SEATS,
            paytable: self.state.terms.paytable.clone(),
            wager: self.state.terms.wager,
            decks: self.state.terms.decks,
        }
    }

    /// A table of six seats joins.
    pub(crate) fn table(&mut self) -> TableNo {
        let number = TableNo(u32::try_from(self.state.tables.len() + 1).unwrap());
        let join = self.join(&format!("T{number}"));
        self.person(SUPERVISOR, PersonCommand::JoinTable(Box::new(join)));
        number
    }

    /// Makes one balance this amount, the house giving or taking the difference.
    pub(crate) fn set(&mut self, level: usize, account: Account, amount: &str) {
        let change = dollars(amount).micros() - self.balance(level, account).micros();
        let balances = &mut self.state.balances[level].0;
        for (account, change) in [(account, change), (Account::House, -change)] {
            let balance = &mut balances[account.index()];
            *balance = Money::from_micros(balance.micros() + change);
        }
        self.check_books();
    }

    /// Makes the meter of the first level this amount.
    pub(crate) fn set_meter(&mut self, amount: &str) {
        self.set(0, Account::Meter, amount);
    }

    /// Returns one balance of a level; the book after the levels is the one of fixed pays.
    pub(crate) fn balance(&self, level: usize, account: Account) -> Money {
        self.state.balance(Book::level(level), account)
    }

    /// Returns one balance of the first level, as text.
    pub(crate) fn of(&self, account: Account) -> String {
        self.balance(0, account).to_string()
    }

    /// Returns the exact meter of the first level, as text.
    pub(crate) fn meter(&self) -> String {
        self.of(Account::Meter)
    }

    /// Returns the exact meters of all levels, as text.
    pub(crate) fn meters(&self) -> Vec<String> {
        let levels = 0..self.state.terms.content().levels.len();
        levels
            .map(|level| self.balance(level, Account::Meter).to_string())
            .collect()
    }

    /// Returns a hit of an open round.
    pub(crate) fn hit_state(&self, hit: HitId) -> &Hit {
        self.state.hit(hit).unwrap()
    }

    /// Decides a command of a table under its next number.
    pub(crate) fn ask(&self, table: TableNo, command: &TableCommand) -> Result<Event, Stop> {
        let sequence = self.next(table);
        let command = Command::Table {
            table,
            sequence,
            command: command.clone(),
        };
        let envelope = Envelope {
            device_time: self.device_time,
            ..envelope(CONTROLLER, self.badge.clone(), command)
        };
        match decide(&self.state, &envelope, &self.inputs())? {
            Decision::Event(event) => Ok(event),
            Decision::AlreadyDone => panic!("a table's command is never done already"),
        }
    }

    /// Returns the next number of a table.
    pub(crate) fn next(&self, table: TableNo) -> Sequence {
        let felt = self.state.table(table).unwrap();
        let sequence = Sequence(felt.last_sequence.0 + 1);
        assert_eq!(fence(felt, sequence), Fence::Next);
        sequence
    }

    /// Plays a command of a table that the rules accept.
    pub(crate) fn play(&mut self, table: TableNo, command: &TableCommand) -> Event {
        let event = self.ask(table, command).unwrap();
        let sequence = self.next(table);
        let origin = Origin::Table { table, sequence };
        self.apply(origin, CONTROLLER, self.badge.clone(), event.clone());
        event
    }

    /// Plays a person's command that the rules accept.
    pub(crate) fn person(&mut self, actor: ActorId, command: PersonCommand) -> Decision {
        self.person_as(actor, None, command)
    }

    /// Plays the command of a person with a name.
    pub(crate) fn person_as(
        &mut self,
        actor: ActorId,
        by: Option<&str>,
        command: PersonCommand,
    ) -> Decision {
        let by: Option<Badge> = by.map(|name| name.parse().unwrap());
        let envelope = envelope(actor, by.clone(), Command::Person(command));
        let decision = decide(&self.state, &envelope, &self.inputs()).unwrap();
        if let Decision::Event(event) = &decision {
            self.apply(Origin::Person, actor, by, event.clone());
        }
        decision
    }

    /// Plays a command of a table that the rules refuse: the refusal uses its number and changes nothing else.
    pub(crate) fn refuse(&mut self, table: TableNo, command: &TableCommand) -> Refusal {
        let Err(Stop::Refused(refusal)) = self.ask(table, command) else {
            panic!("not refused: {command:?}");
        };
        let mut before = self.state.clone();
        let sequence = self.next(table);
        let refused = Event::Refused {
            refusal: refusal.clone(),
            command: Box::new(Command::Table {
                table,
                sequence,
                command: command.clone(),
            }),
        };
        let origin = Origin::Table { table, sequence };
        self.apply(origin, CONTROLLER, self.badge.clone(), refused);
        let index = usize::try_from(table.0 - 1).unwrap();
        let felt = Arc::make_mut(&mut before.tables[index]);
        felt.last_sequence = sequence;
        felt.lost = felt.lost.filter(|lost| lost.must_resume);
        assert_eq!(self.state, before, "a refusal changed something");
        refusal
    }

    /// Plays a person's command that the rules refuse.
    pub(crate) fn refuse_person(&mut self, actor: ActorId, command: PersonCommand) -> Refusal {
        self.refuse_person_as(actor, None, command)
    }

    /// Plays the refused command of a person with a name.
    pub(crate) fn refuse_person_as(
        &mut self,
        actor: ActorId,
        by: Option<&str>,
        command: PersonCommand,
    ) -> Refusal {
        let by: Option<Badge> = by.map(|name| name.parse().unwrap());
        let command = Command::Person(command);
        let envelope = envelope(actor, by.clone(), command.clone());
        let Err(Stop::Refused(refusal)) = decide(&self.state, &envelope, &self.inputs()) else {
            panic!("not refused: {command:?}");
        };
        let before = self.state.clone();
        let refused = Event::Refused {
            refusal: refusal.clone(),
            command: Box::new(command),
        };
        self.apply(Origin::Person, actor, by, refused);
        assert_eq!(self.state, before, "a refusal changed something");
        refusal
    }

    /// Plays a coin-in of nameless players on their own hands, all six seats dealt in.
    pub(crate) fn coin_in(&mut self, table: TableNo, seats: &[u8]) {
        let command = coin_in_of(seats, self.state.terms.wager);
        self.play(table, &command);
    }

    /// Plays a coin-in of seat, hand wagered on and player, all six seats dealt in.
    pub(crate) fn coin_in_of(
        &mut self,
        table: TableNo,
        wagers: &[(u8, WageredHand, Option<&str>)],
    ) {
        let amount = self.state.terms.wager;
        let wagers = wagers.iter().map(|(seat, on, player)| Wager {
            on: *on,
            player: player.map(|name| name.parse().unwrap()),
            ..own(*seat, amount)
        });
        let command = TableCommand::CoinIn(CoinIn {
            wagers: wagers.collect(),
            dealt: (1..=SEATS).map(Seat).collect(),
        });
        self.play(table, &command);
    }

    /// Plays whole rounds of coin-in and GAME OVER.
    pub(crate) fn rounds(&mut self, table: TableNo, count: u32, seats: &[u8]) {
        for _ in 0..count {
            self.coin_in(table, seats);
            self.play(table, &TableCommand::Close);
        }
    }

    /// Plays a fold of these seats.
    pub(crate) fn fold(&mut self, table: TableNo, seats: &[u8]) {
        let seats = seats.iter().copied().map(Seat).collect();
        self.play(table, &TableCommand::Fold { seats });
    }

    /// Plays a hit on a seat's own hand.
    pub(crate) fn hit(&mut self, table: TableNo, seat: u8, hand: Hand) -> Keyed {
        self.keyed(table, &hit_of(seat, hand))
    }

    /// Plays a hit on the dealer's hand.
    pub(crate) fn dealer_hit(&mut self, table: TableNo, hand: Hand) -> Keyed {
        let hit = HitCommand {
            holder: Holder::Dealer,
            hand,
            cards: None,
        };
        self.keyed(table, &TableCommand::Hit(hit))
    }

    /// Plays a command that records a hit.
    pub(crate) fn keyed(&mut self, table: TableNo, command: &TableCommand) -> Keyed {
        let sequence = self.next(table);
        let Event::HitRecorded(recorded) = self.play(table, command) else {
            panic!("no hit: {command:?}");
        };
        Keyed {
            id: HitId {
                table,
                sequence,
                number: 0,
            },
            recorded: *recorded,
        }
    }

    /// Presses the hand button again.
    pub(crate) fn cancel(&mut self, hit: HitId) {
        self.play(hit.table, &cancel(hit));
    }

    /// Voids the round.
    pub(crate) fn void(&mut self, table: TableNo) {
        let reason = VoidReason::Misdeal;
        self.play(table, &TableCommand::Void { reason });
    }

    /// Validates a hit as a supervisor.
    pub(crate) fn validate(&mut self, hit: HitId) {
        self.person(SUPERVISOR, validate(hit));
    }

    /// Records a payout's document.
    pub(crate) fn pay(&mut self, hit: HitId, number: u32) {
        self.person(SUPERVISOR, pay(hit, number, "JP-000001"));
    }

    /// Returns the rules' inputs in addition to state and command.
    pub(crate) const fn inputs(&self) -> Inputs {
        Inputs {
            at: self.at,
            draws: self.draws,
        }
    }

    fn apply(&mut self, origin: Origin, actor: ActorId, by: Option<Badge>, event: Event) {
        let recorded = Recorded {
            origin,
            actor,
            by,
            device_time: self.device_time,
            event,
        };
        apply(&mut self.state, &recorded, self.at);
        self.check_books();
    }

    /// Checks laws 1 and 2 at every step: a book sums to zero over all its accounts, and no account is forbiddenly
    /// below zero. No meter is above its ceiling.
    fn check_books(&self) {
        let settings = &self.state.terms.settings;
        for (index, book) in self.state.balances.iter().enumerate() {
            let sum: i64 = book.0.iter().map(|amount| amount.micros()).sum();
            assert_eq!(sum, 0, "a book does not sum to zero: {book:?}");
            assert!(book.stand(), "a balance is below zero: {book:?}");
            let ceiling = settings.ceiling(Book::level(index));
            let meter = book.of(Account::Meter);
            assert!(
                ceiling.is_none_or(|ceiling| meter <= ceiling),
                "{meter} is too much"
            );
        }
    }
}
