//! The opening of links and the joining of tables.

use meterhouse_domain::RULE_VERSION;
use meterhouse_domain::apply::opened;
use meterhouse_domain::command::{JoinTable, PersonCommand};
use meterhouse_domain::decide::{Stop, open};
use meterhouse_domain::event::{Event, Origin, Recorded};
use meterhouse_domain::ids::{LinkId, LinkName};
use meterhouse_domain::link::{Book, LinkTerms};
use meterhouse_domain::paytable::TableLimits;
use meterhouse_journal::batch::{Batch, ChainHash};
use meterhouse_journal::chain::chain_hash;
use meterhouse_journal::codec::to_bytes;
use meterhouse_journal::record::to_row;
use meterhouse_journal::terms::content_hash;
use meterhouse_store::{AttemptKind, NewBatch, NewLink, StoreError};

use crate::answer::{Idempotent, NotExecuted, unavailable};
use crate::clock::{now, period_of};
use crate::committer::commit::STATUS_OPEN;
use crate::committer::replica::flat_balances;
use crate::context::Engine;
use crate::own_thread::to_the_end;
use crate::view::{LinkView, Person, TableView};

/// The fencing epoch of a link's first batch.
const FIRST_EPOCH: i64 = 1;

impl Engine {
    /// Opens a link, with its levels at their seeds. A replay if the link exists with the same terms. Other terms under
    /// the same name are refused.
    ///
    /// # Errors
    /// [`NotExecuted`] if nothing was opened.
    pub async fn open_link(
        &self,
        person: &Person,
        terms: LinkTerms,
    ) -> Result<Idempotent<LinkView>, NotExecuted> {
        let asked = terms.clone();
        let event = match open(terms.clone()) {
            Ok(event) => event,
            // The link may have been opened before this refusal applied.
            Err(Stop::Refused(refusal)) => {
                return match self.opened_before(&asked).await {
                    Err(NotExecuted::UnknownLink(_)) => Err(NotExecuted::Refused(refusal)),
                    answer => answer,
                };
            }
            Err(Stop::Broken(what)) => {
                return Err(NotExecuted::LinkFaulted {
                    reason: what.to_owned(),
                });
            }
        };
        let recorded = Recorded {
            origin: Origin::Person,
            actor: person.actor,
            by: Some(person.name.clone()),
            device_time: None,
            event,
        };
        let store = self.context.store.clone();
        let opening = to_the_end(async move || {
            let new = new_link(&terms);
            let first = |link| first_batch(link, &recorded);
            store.open_link(&new, &first).await
        });
        match opening.await.map_err(|_| NotExecuted::OutcomeUnknown)? {
            Ok(_) => Ok(Idempotent::first(self.link(&asked.name).await?)),
            Err(StoreError::LinkExists { .. }) => {
                let answer = self.opened_before(&asked).await;
                let subject = (self.context.registry.find_link(&asked.name).await?, None);
                let attempts = &self.context.attempts;
                attempts.note_request(subject, AttemptKind::TermsChanged, person, &answer);
                answer
            }
            Err(error) => Err(unavailable(error)),
        }
    }

    /// Compares the terms with those of an existing link of the same name.
    async fn opened_before(&self, asked: &LinkTerms) -> Result<Idempotent<LinkView>, NotExecuted> {
        let view = self.link(&asked.name).await?;
        let there = &view.terms;
        let mut differences = Vec::new();
        let mut compare = |field: &str, there: String, asked: String| {
            if there != asked {
                differences.push((field.to_owned(), format!("link {there}, asked {asked}")));
            }
        };
        compare(
            "paytable",
            there.paytable.id.to_string(),
            asked.paytable.id.to_string(),
        );
        compare("wager", there.wager.to_string(), asked.wager.to_string());
        compare("decks", there.decks.to_string(), asked.decks.to_string());
        let boxes = |terms: &LinkTerms| {
            let most = terms.limits.boxes_max;
            most.map_or_else(|| "not limited".to_owned(), |most| most.to_string())
        };
        // A link of an older journal has no limits, even if the paytable's law now has them.
        if there.limits != TableLimits::default() {
            compare("boxes_max", boxes(there), boxes(asked));
        }
        compare(
            "reserve_policy",
            there.reserve_policy.to_string(),
            asked.reserve_policy.to_string(),
        );
        let badge = |terms: &LinkTerms| terms.settings.requires_badge().to_string();
        // A link of an older journal does not require a badge either.
        if there.settings.badge_required.is_some() {
            compare("badge_required", badge(there), badge(asked));
        }
        for (field, there, asked) in settings(there, asked) {
            compare(field, there, asked);
        }
        if differences.is_empty() {
            Ok(Idempotent::repeat(view))
        } else {
            Err(NotExecuted::RequestReused(differences))
        }
    }

    /// Adds a table to a link. A replay if the table is on the link already, with the same game and seats.
    ///
    /// # Errors
    /// [`NotExecuted`] if the table did not join. A refusal lists every difference.
    pub async fn join_table(
        &self,
        person: &Person,
        link: &LinkName,
        join: JoinTable,
    ) -> Result<Idempotent<TableView>, NotExecuted> {
        let id = self.context.registry.find_link(link).await?;
        let name = join.name.clone();
        if let Ok(table_ref) = self.context.registry.find_table(&name).await
            && table_ref.link != id
        {
            let why = format!(
                "a table of this name is on another link, where it stays for life; asked {link}"
            );
            let answer = Err(NotExecuted::RequestReused(vec![("table".to_owned(), why)]));
            let subject = (table_ref.link, Some(table_ref.number));
            let attempts = &self.context.attempts;
            attempts.note_request(subject, AttemptKind::TableMoved, person, &answer);
            return answer;
        }
        let command = PersonCommand::JoinTable(Box::new(join));
        let done = self.submit_for(person, id, command).await?;
        let view = self.table(&name).await?;
        Ok(done.map(|()| view))
    }
}

/// Returns the operator's settings of a link, field by field: the link's value, then the requested one.
fn settings(there: &LinkTerms, asked: &LinkTerms) -> Vec<(&'static str, String, String)> {
    let number =
        |value: Option<u32>| value.map_or_else(|| "none".to_owned(), |number| number.to_string());
    let ceilings = |terms: &LinkTerms| {
        let levels = (0..).zip(&terms.content().levels);
        let set = levels.filter_map(|(index, level)| {
            let ceiling = terms.settings.ceiling(Book::level(index))?;
            Some(format!("{} {ceiling}", level.name))
        });
        set.collect::<Vec<_>>().join(", ")
    };
    let (one, other) = (&there.settings, &asked.settings);
    let fields = [
        (
            "rounds_a_minute_max",
            one.rounds_a_minute_max,
            other.rounds_a_minute_max,
        ),
        (
            "silence_seconds_max",
            one.silence_seconds_max,
            other.silence_seconds_max,
        ),
        (
            "magic_card_one_in",
            one.magic_card_one_in,
            other.magic_card_one_in,
        ),
        (
            "lucky_bonus_one_in",
            one.lucky_bonus_one_in,
            other.lucky_bonus_one_in,
        ),
    ];
    let fields = fields.map(|(field, there, asked)| (field, number(there), number(asked)));
    let ceilings = ("ceilings", ceilings(there), ceilings(asked));
    [ceilings].into_iter().chain(fields).collect()
}

fn new_link(terms: &LinkTerms) -> NewLink {
    NewLink {
        name: terms.name.to_string(),
        paytable_id: terms.paytable.id.to_string(),
        content_hash: content_hash(terms.content()),
        document: to_bytes(&terms.paytable),
        wager_micros: terms.wager.micros(),
        decks: terms.decks,
        reserve_policy: terms.reserve_policy.name().to_owned(),
        created_at: now(),
    }
}

/// Returns the first batch of a link, which contains only its opening.
fn first_batch(link: LinkId, recorded: &Recorded) -> NewBatch {
    let balances = match &recorded.event {
        Event::LinkOpened { terms, moves } => {
            opened(terms, moves).map(|state| flat_balances(&state))
        }
        _ => None,
    };
    let after = balances.unwrap_or_default();
    let at = now();
    let batch = Batch {
        link,
        number: 1,
        at,
        node: String::new(),
        epoch: FIRST_EPOCH,
        rule_version: RULE_VERSION,
        period: period_of(at),
        events: vec![to_row(recorded)],
        deltas: after.clone(),
        after,
    };
    NewBatch {
        previous_hash: ChainHash::GENESIS,
        chain_hash: chain_hash(ChainHash::GENESIS, &batch),
        batch,
        status: STATUS_OPEN,
        marks: Vec::new(),
        hits: Vec::new(),
        tables: Vec::new(),
    }
}
