//! A link with two tables, whose commands are carried out one after the other.

use meterhouse_catalogue::Catalogue;
use meterhouse_domain::apply::{apply, opened};
use meterhouse_domain::command::{
    CoinIn, Command, Envelope, Holder, JoinTable, LevelValue, PersonCommand, TableCommand, Wager,
    WageredHand,
};
use meterhouse_domain::decide::{Decision, Inputs, Stop, decide, open};
use meterhouse_domain::event::{Draws, Event, Origin, Recorded};
use meterhouse_domain::ids::{ActorId, Sequence, TableNo, Timestamp};
use meterhouse_domain::link::{LinkSettings, LinkTerms, ReservePolicy};
use meterhouse_domain::money::Money;
use meterhouse_domain::paytable::{Paytable, TableLimits};
use meterhouse_domain::seat::Seat;
use meterhouse_domain::state::LinkState;
use meterhouse_edge::wire_error::of_refusal;

/// A link and the next number of each of its tables.
pub(crate) struct Link {
    state: LinkState,
    next: [u64; 2],
}

/// The table that the page's columns are about.
pub(crate) const TABLE: TableNo = TableNo(1);
/// Another table of the link.
pub(crate) const OTHER: TableNo = TableNo(2);
/// The server's time in all of this.
const NOW: Timestamp = Timestamp(1_795_262_400_000_000);

fn paytable(id: &str) -> Paytable {
    let catalogue = Catalogue::compiled_in().expect("our own files");
    let id = id.parse().expect("a name");
    catalogue.find(&id).expect("our own").clone()
}

impl Link {
    /// A link with this paytable, which draws a lucky position in every round where its paytable pays one.
    pub(crate) fn open(id: &str) -> Self {
        let paytable = paytable(id);
        let lucky = paytable.content.lucky_bonus.map(|_| 1);
        let terms = LinkTerms {
            name: "main".parse().expect("a name"),
            paytable: paytable.clone(),
            wager: Money::DOLLAR,
            decks: 1,
            reserve_policy: ReservePolicy::Add,
            settings: LinkSettings {
                lucky_bonus_one_in: lucky,
                ..LinkSettings::default()
            },
            limits: TableLimits::default(),
            counts_draws_and_envy: true,
            must_accept_values: true,
        };
        let Ok(Event::LinkOpened { terms, moves }) = open(terms) else {
            panic!("opens")
        };
        let mut link = Self {
            state: opened(&terms, &moves).expect("exact shares"),
            next: [1; 2],
        };
        // Two people know that a lucky position in every round is more than the wager.
        link.state.unacknowledged = false;
        let values = (0_u8..).zip(link.state.displayed());
        let values = values.map(|(level, amount)| LevelValue { level, amount });
        link.person(PersonCommand::AcceptValues {
            values: values.collect(),
        });
        for name in ["C4P-07", "C4P-08"] {
            let join = JoinTable {
                name: name.parse().expect("a name"),
                game: "crazy-4-poker".parse().expect("a name"),
                seats: 6,
                paytable: paytable.clone(),
                wager: Money::DOLLAR,
                decks: 1,
            };
            link.person(PersonCommand::JoinTable(Box::new(join)));
        }
        link
    }

    /// The last number that the table used up.
    pub(crate) fn last(&self, table: TableNo) -> u64 {
        self.next[index(table)] - 1
    }

    /// What a person or the server does, which has to be accepted.
    pub(crate) fn person(&mut self, command: PersonCommand) {
        let command = Command::Person(command);
        self.carry_out(command, Origin::Person).expect("accepted");
    }

    /// A table's command under the next number; on a refusal its code.
    pub(crate) fn command(
        &mut self,
        table: TableNo,
        command: TableCommand,
    ) -> Result<(), &'static str> {
        let sequence = Sequence(self.next[index(table)]);
        let asked = Command::Table {
            table,
            sequence,
            command,
        };
        self.carry_out(asked, Origin::Table { table, sequence })?;
        self.next[index(table)] += 1;
        Ok(())
    }

    fn carry_out(&mut self, command: Command, origin: Origin) -> Result<(), &'static str> {
        let actor = ActorId(7);
        let is_coin_in = matches!(
            &command,
            Command::Table {
                command: TableCommand::CoinIn(_),
                ..
            }
        );
        let lucky = self.state.terms.settings.lucky_bonus_one_in;
        let draws = Draws {
            magic_card: None,
            lucky_position: lucky.filter(|_| is_coin_in).map(|_| Holder::Seat(Seat(1))),
        };
        let envelope = Envelope {
            actor,
            by: None,
            device_time: None,
            command,
        };
        match decide(&self.state, &envelope, &Inputs { at: NOW, draws }) {
            Ok(Decision::Event(event)) => {
                let recorded = Recorded {
                    origin,
                    actor,
                    by: None,
                    device_time: None,
                    event,
                };
                apply(&mut self.state, &recorded, NOW);
                Ok(())
            }
            Ok(Decision::AlreadyDone) => Ok(()),
            Err(Stop::Refused(refusal)) => Err(of_refusal(refusal.code).code),
            Err(Stop::Broken(what)) => panic!("{what}"),
        }
    }
}

fn index(table: TableNo) -> usize {
    usize::from(table != TABLE)
}

/// Wagers on seats 1 and 3; seat 2 is dealt in without one.
pub(crate) fn coin_in() -> TableCommand {
    let wager = |seat| Wager {
        seat: Seat(seat),
        on: WageredHand::Own,
        amount: Money::DOLLAR,
        player: None,
    };
    TableCommand::CoinIn(CoinIn {
        wagers: vec![wager(1), wager(3)],
        dealt: vec![Seat(1), Seat(2), Seat(3)],
    })
}
