//! A link as the tests of the rules play it: opened, decided and applied, nothing else.
//!
//! Every step checks on the way that each book sums to zero, and that a refusal changes nothing but the
//! table's number.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a command of these tests that is answered in another way than they say fails them"
)]

use std::sync::Arc;

use meterhouse_domain::apply::{apply, opened};
use meterhouse_domain::command::{
    CoinIn, Command, HitCommand, Holder, JoinTable, PersonCommand, TableCommand, VoidReason, Wager,
    WageredHand,
};
use meterhouse_domain::decide::{Decision, Fence, Stop, decide, fence, open};
use meterhouse_domain::event::{Event, Origin, Recorded};
use meterhouse_domain::hand::Hand;
use meterhouse_domain::link::{Account, Book, LinkTerms};
use meterhouse_domain::money::Money;
use meterhouse_domain::name::{ActorId, HitId, Sequence, TableNo};
use meterhouse_domain::paytable::Paytable;
use meterhouse_domain::refusal::{Refusal, RefusalCode};
use meterhouse_domain::seat::Seat;
use meterhouse_domain::state::{Hit, LinkState};

mod commands;
pub(crate) mod paytables;

use commands::envelope;
pub(crate) use commands::{Keyed, cards, dollars, hit_of, own, pay, terms, validate};

/// The token of the table controllers.
pub(crate) const CONTROLLER: ActorId = ActorId(1);
/// The token of the supervisor who validates.
pub(crate) const SUPERVISOR: ActorId = ActorId(2);
/// Seats on every layout of these tests.
pub(crate) const SEATS: u8 = 6;

/// A link in play.
pub(crate) struct Link {
    /// What the rules read and change.
    pub(crate) state: LinkState,
}

impl Link {
    /// A link with this paytable and wager, reserves added at a reset.
    pub(crate) fn open(paytable: Paytable, wager: &str) -> Self {
        Self::open_with(terms(paytable, wager))
    }

    /// A link with these terms.
    pub(crate) fn open_with(terms: LinkTerms) -> Self {
        let Ok(Event::LinkOpened { terms, moves }) = open(terms) else {
            panic!("the link did not open");
        };
        let link = Self {
            state: opened(&terms, &moves).unwrap(),
        };
        link.check_books();
        link
    }

    /// What a table of this link has.
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

    /// One balance of a level; the book after the levels is the one of fixed pays.
    pub(crate) fn balance(&self, level: usize, account: Account) -> Money {
        self.state.balance(Book::level(level), account)
    }

    /// One balance of the first level, as text.
    pub(crate) fn of(&self, account: Account) -> String {
        self.balance(0, account).to_string()
    }

    /// The exact meter of the first level, as text.
    pub(crate) fn meter(&self) -> String {
        self.of(Account::Meter)
    }

    /// The exact meters of all levels, as text.
    pub(crate) fn meters(&self) -> Vec<String> {
        let levels = 0..self.state.terms.content().levels.len();
        levels
            .map(|level| self.balance(level, Account::Meter).to_string())
            .collect()
    }

    /// A hit of an open round.
    pub(crate) fn hit_state(&self, hit: HitId) -> &Hit {
        self.state.hit(hit).unwrap()
    }

    /// What the rules answer to a command of a table under its next number.
    pub(crate) fn ask(&self, table: TableNo, command: &TableCommand) -> Result<Event, Stop> {
        let sequence = self.next(table);
        let envelope = envelope(
            CONTROLLER,
            Command::Table {
                table,
                sequence,
                command: command.clone(),
            },
        );
        match decide(&self.state, &envelope)? {
            Decision::Event(event) => Ok(event),
            Decision::AlreadyDone => panic!("a table's command is never done already"),
        }
    }

    /// The next number of a table.
    pub(crate) fn next(&self, table: TableNo) -> Sequence {
        let felt = self.state.table(table).unwrap();
        let sequence = Sequence(felt.last_sequence.0 + 1);
        assert_eq!(fence(felt, sequence), Fence::Next);
        sequence
    }

    /// A command of a table that the rules accept.
    pub(crate) fn play(&mut self, table: TableNo, command: &TableCommand) -> Event {
        let event = self.ask(table, command).unwrap();
        let sequence = self.next(table);
        self.apply(Origin::Table { table, sequence }, CONTROLLER, event.clone());
        event
    }

    /// What a person asks for and the rules accept.
    pub(crate) fn person(&mut self, actor: ActorId, command: PersonCommand) -> Decision {
        let decision = decide(&self.state, &envelope(actor, Command::Person(command))).unwrap();
        if let Decision::Event(event) = &decision {
            self.apply(Origin::Person, actor, event.clone());
        }
        decision
    }

    /// A command of a table that the rules refuse: the refusal uses its number up and changes nothing else,
    /// except that a hit which is unknown uses nothing up.
    pub(crate) fn refuse(&mut self, table: TableNo, command: &TableCommand) -> Refusal {
        let Err(Stop::Refused(refusal)) = self.ask(table, command) else {
            panic!("not refused: {command:?}");
        };
        if refusal.code == RefusalCode::UnknownHit {
            return refusal;
        }
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
        self.apply(Origin::Table { table, sequence }, CONTROLLER, refused);
        let index = usize::try_from(table.0 - 1).unwrap();
        Arc::make_mut(&mut before.tables[index]).last_sequence = sequence;
        assert_eq!(self.state, before, "a refusal changed something");
        refusal
    }

    /// What a person asks for and the rules refuse.
    pub(crate) fn refuse_person(&mut self, actor: ActorId, command: PersonCommand) -> Refusal {
        let command = Command::Person(command);
        let Err(Stop::Refused(refusal)) = decide(&self.state, &envelope(actor, command.clone()))
        else {
            panic!("not refused: {command:?}");
        };
        let before = self.state.clone();
        let refused = Event::Refused {
            refusal: refusal.clone(),
            command: Box::new(command),
        };
        self.apply(Origin::Person, actor, refused);
        assert_eq!(self.state, before, "a refusal changed something");
        refusal
    }

    /// A coin-in of nameless players on their own hands, all six seats dealt in.
    pub(crate) fn coin_in(&mut self, table: TableNo, seats: &[u8]) {
        let wagers: Vec<(u8, WageredHand, Option<&str>)> = seats
            .iter()
            .map(|seat| (*seat, WageredHand::Own, None))
            .collect();
        self.coin_in_of(table, &wagers);
    }

    /// A coin-in of seat, hand wagered on and player, all six seats dealt in.
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

    /// Whole rounds of coin-in and GAME OVER.
    pub(crate) fn rounds(&mut self, table: TableNo, count: u32, seats: &[u8]) {
        for _ in 0..count {
            self.coin_in(table, seats);
            self.play(table, &TableCommand::Close);
        }
    }

    /// Seats give up their hands.
    pub(crate) fn fold(&mut self, table: TableNo, seats: &[u8]) {
        let seats = seats.iter().copied().map(Seat).collect();
        self.play(table, &TableCommand::Fold { seats });
    }

    /// A hit on a seat's own hand.
    pub(crate) fn hit(&mut self, table: TableNo, seat: u8, hand: Hand) -> Keyed {
        self.keyed(table, &hit_of(seat, hand))
    }

    /// A hit on the dealer's hand.
    pub(crate) fn dealer_hit(&mut self, table: TableNo, hand: Hand) -> Keyed {
        let hit = HitCommand {
            holder: Holder::Dealer,
            hand,
            cards: None,
        };
        self.keyed(table, &TableCommand::Hit(hit))
    }

    /// A command that records a hit.
    pub(crate) fn keyed(&mut self, table: TableNo, command: &TableCommand) -> Keyed {
        let sequence = self.next(table);
        let Event::HitRecorded(it) = self.play(table, command) else {
            panic!("no hit: {command:?}");
        };
        Keyed {
            id: HitId { table, sequence },
            it: *it,
        }
    }

    /// The hand button pressed again.
    pub(crate) fn cancel(&mut self, hit: HitId) {
        let command = TableCommand::CancelHit { hit: hit.sequence };
        self.play(hit.table, &command);
    }

    /// The round is void.
    pub(crate) fn void(&mut self, table: TableNo) {
        let reason = VoidReason::Misdeal;
        self.play(table, &TableCommand::Void { reason });
    }

    /// A supervisor validates.
    pub(crate) fn validate(&mut self, hit: HitId) {
        self.person(SUPERVISOR, validate(hit));
    }

    /// A payout's document is recorded.
    pub(crate) fn pay(&mut self, hit: HitId, number: u32) {
        self.person(SUPERVISOR, pay(hit, number, "JP-000001"));
    }

    fn apply(&mut self, origin: Origin, actor: ActorId, event: Event) {
        let recorded = Recorded {
            origin,
            actor,
            by: None,
            device_time: None,
            event,
        };
        apply(&mut self.state, &recorded);
        self.check_books();
    }

    /// Law 1 at every step: over all its accounts a book sums to zero.
    fn check_books(&self) {
        for book in &self.state.balances {
            let sum: i64 = book.0.iter().map(|it| it.micros()).sum();
            assert_eq!(sum, 0, "a book does not sum to zero: {book:?}");
        }
    }
}
