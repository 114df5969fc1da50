//! Days of a link: their reports, and the signature of a person under one.
//!
//! # Order
//! The first signature of a day stays. The same person's same note is a replay. Another person or note is refused.

use meterhouse_domain::ids::{LinkId, LinkName, Note};
use meterhouse_store::{CLOSINGS_MAX, ClosingRow, NewClosing};

use crate::answer::{Idempotent, NotExecuted, unavailable};
use crate::clock::now;
use crate::context::Engine;
use crate::own_thread::to_the_end;
use crate::reports::closing::closing_of;
use crate::reports::period::is_over;
use crate::view::{ClosingView, Day, DayClosing, Page, Person, WriteClosing};

impl Engine {
    /// Returns a day of a link: the report as it is now, the signed head over its end, and the signature.
    ///
    /// # Errors
    /// [`NotExecuted`] if there is no such link, the day is in the future or before the opening, events of an unsigned
    /// day are archived, or the database can't be queried.
    pub async fn closing(&self, link: &LinkName, day: Day) -> Result<DayClosing, NotExecuted> {
        let now = now();
        if day.begin() > now {
            return Err(NotExecuted::TimeInFuture { now });
        }
        let id = self.context.registry.find_link(link).await?;
        let signed = self.signed_day(id, day).await?;
        let report = match self.report_of(id, day).await {
            Err(NotExecuted::PositionArchived { .. }) if signed.is_some() => None,
            // Only a day that is over is signed, whatever the clock of this node says.
            report if signed.is_some() => Some(report?.completed()),
            report => Some(report?),
        };
        let (from, to) = (Some(day.begin()), Some(day.end()));
        let (_, to_batch) = self.batches_between(id, from, to, 0).await?;
        let covered_by = self.context.store.covering_head(id, to_batch).await;
        Ok(DayClosing {
            report,
            covered_by: covered_by.map_err(unavailable)?,
            signed,
        })
    }

    /// Returns signed days of a link, newest first and without their reports: those from one day on, before another.
    ///
    /// # Errors
    /// [`NotExecuted`] if there is no such link or the database can't be queried.
    pub async fn closings(
        &self,
        link: &LinkName,
        (from, before): (Day, Day),
        limit: u32,
    ) -> Result<Page<ClosingRow, Day>, NotExecuted> {
        let id = self.context.registry.find_link(link).await?;
        let limit = usize::try_from(limit).unwrap_or(CLOSINGS_MAX);
        let store = &self.context.store;
        let found = store.list_closings(id, (from.0, before.0), limit).await;
        let items = found.map_err(unavailable)?;
        let last = items.last().filter(|_| items.len() == limit);
        Ok(Page {
            next: last.map(|closing| Day(closing.day)),
            items,
        })
    }

    /// Signs off a day, in the name of a person, with the report as `write` writes it. A replay if the same person had
    /// signed it with the same note.
    ///
    /// # Errors
    /// [`NotExecuted`] if the day is not over, an exception is open, the books don't balance, or the day was signed
    /// otherwise.
    pub async fn sign_off(
        &self,
        person: &Person,
        link: &LinkName,
        day: Day,
        note: Option<Note>,
        write: WriteClosing,
    ) -> Result<Idempotent<()>, NotExecuted> {
        let id = self.context.registry.find_link(link).await?;
        let note = note.map(|note| note.to_string());
        if let Some(signed) = self.signed_day(id, day).await? {
            return signed_before(&signed, person, note.as_deref());
        }
        if !is_over(day.end()) {
            let end = day.end();
            return Err(NotExecuted::DayNotOver { end });
        }
        let report = self.report_of(id, day).await?;
        let open = report.open_exceptions();
        if open > 0 {
            return Err(NotExecuted::ExceptionsOpen { open });
        }
        if !report.is_balanced() {
            let unmatched = report.unmatched;
            return Err(NotExecuted::DayUnbalanced { unmatched });
        }
        let new = NewClosing {
            link: id,
            day: day.0,
            actor: person.actor,
            at: now(),
            note: note.clone(),
            report: write(&report),
        };
        let store = self.context.store.clone();
        let signing = to_the_end(async move || store.sign_closing(&new).await).await;
        let signing = signing.map_err(|_| NotExecuted::OutcomeUnknown)?;
        if signing.map_err(unavailable)? {
            return Ok(Idempotent::first(()));
        }
        let signed = self.signed_day(id, day).await?;
        let signed = signed.ok_or(NotExecuted::OutcomeUnknown)?;
        signed_before(&signed, person, note.as_deref())
    }

    async fn signed_day(&self, link: LinkId, day: Day) -> Result<Option<ClosingRow>, NotExecuted> {
        let found = self.context.store.find_closing(link, day.0).await;
        found.map_err(unavailable)
    }

    async fn report_of(&self, link: LinkId, day: Day) -> Result<ClosingView, NotExecuted> {
        let known = self.context.registry.confirmed_state(link).await?;
        match closing_of(&self.context.store, link, &known.state, day).await? {
            Some(report) => Ok(report),
            None => Err(self.not_open_yet(link).await),
        }
    }
}

/// Returns a replay if a day was signed by the same person with the same note, or the differences of the request.
fn signed_before(
    signed: &ClosingRow,
    person: &Person,
    note: Option<&str>,
) -> Result<Idempotent<()>, NotExecuted> {
    let by = signed.actor_name.as_deref().unwrap_or_default();
    let there = signed.note.as_deref();
    let mut differences = Vec::new();
    if signed.actor != person.actor {
        let text = format!("signed by {by}, asked by {}", person.name);
        differences.push(("by".to_owned(), text));
    }
    if there != note {
        let shown = |note: Option<&str>| note.unwrap_or("nothing").to_owned();
        let text = format!("signed with {}, asked with {}", shown(there), shown(note));
        differences.push(("note".to_owned(), text));
    }
    if differences.is_empty() {
        Ok(Idempotent::repeat(()))
    } else {
        Err(NotExecuted::RequestReused(differences))
    }
}
