//! A link with one table for tests of several operations, and the execution of its commands.

use meterhouse_catalogue::Catalogue;
use meterhouse_domain::apply::{apply, opened};
use meterhouse_domain::command::{Command, Envelope, JoinTable, LevelValue, PersonCommand};
use meterhouse_domain::decide::{Decision, Inputs, decide, open};
use meterhouse_domain::event::{Draws, Event, Origin, Recorded};
use meterhouse_domain::ids::{ActorId, Timestamp};
use meterhouse_domain::link::{LinkSettings, LinkTerms, ReservePolicy};
use meterhouse_domain::money::Money;
use meterhouse_domain::paytable::TableLimits;
use meterhouse_domain::state::LinkState;

/// Returns the terms of a link whose wager is one dollar.
pub(crate) fn terms(settings: LinkSettings) -> LinkTerms {
    let catalogue = Catalogue::compiled_in().expect("our own files");
    let id = "pa-657a-five-card-c".parse().expect("a name");
    LinkTerms {
        name: "main".parse().expect("a name"),
        paytable: catalogue.find(&id).expect("our own").clone(),
        wager: Money::DOLLAR,
        decks: 1,
        reserve_policy: ReservePolicy::Add,
        settings,
        limits: TableLimits::default(),
        counts_draws_and_envy: true,
        must_accept_values: true,
    }
}

/// Returns a link with the table `C4P-07`, and the event that opened the link.
pub(crate) fn link(settings: LinkSettings) -> (LinkState, Event) {
    let terms = terms(settings);
    let join = PersonCommand::JoinTable(Box::new(JoinTable {
        name: "C4P-07".parse().expect("a name"),
        game: "crazy-4-poker".parse().expect("a name"),
        seats: 6,
        paytable: terms.paytable.clone(),
        wager: Money::DOLLAR,
        decks: 1,
    }));
    let opening = open(terms).expect("opens");
    let Event::LinkOpened { terms, moves } = &opening else {
        panic!("opens")
    };
    let mut state = opened(terms, moves).expect("exact shares");
    let accept = PersonCommand::AcceptValues {
        values: first_values(&state),
    };
    for command in [accept, join] {
        drop(carry_out(
            &mut state,
            Command::Person(command),
            Origin::Person,
        ));
    }
    (state, opening)
}

/// Returns the values that the levels of a link display before the first coin-in.
fn first_values(state: &LinkState) -> Vec<LevelValue> {
    let values = (0_u8..).zip(state.displayed());
    values
        .map(|(level, amount)| LevelValue { level, amount })
        .collect()
}

/// Executes a command that the rules accept.
pub(crate) fn carry_out(state: &mut LinkState, command: Command, origin: Origin) -> Recorded {
    let envelope = Envelope {
        actor: ActorId(7),
        by: None,
        device_time: None,
        command,
    };
    let inputs = Inputs {
        at: Timestamp(0),
        draws: Draws::default(),
    };
    let Ok(Decision::Event(event)) = decide(state, &envelope, &inputs) else {
        panic!("accepted")
    };
    let recorded = recorded(event, origin);
    apply(state, &recorded, inputs.at);
    recorded
}

/// Returns an event with its origin and its actor.
pub(crate) fn recorded(event: Event, origin: Origin) -> Recorded {
    Recorded {
        origin,
        actor: ActorId(7),
        by: None,
        device_time: None,
        event,
    }
}
