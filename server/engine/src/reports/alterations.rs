//! The alterations: every change of people on a link in a period, with both people, the reason, and the balances around it.
//!
//! # Shape
//! The events of these kinds are read newest first. An approval is read before its proposal, which may be older than the
//! period. No event has the balances around a withdrawn hit. They are the balances before its batch, with the entries of
//! the batch's events up to the withdrawal.
//!
//! # Limits
//! [`ALTERATIONS_MAX`] changes. A period with more is refused.

use std::collections::BTreeMap;

use meterhouse_domain::change::Effect;
use meterhouse_domain::entries::entries;
use meterhouse_domain::event::{Event, Recorded};
use meterhouse_domain::ids::{LinkId, LinkName, ProposalId, Timestamp};
use meterhouse_domain::link::{ACCOUNTS, Account, Book, Move};
use meterhouse_domain::money::Money;
use meterhouse_domain::refusal::{Refusal, RefusalCode};
use meterhouse_domain::state::LinkState;
use meterhouse_journal::kind;
use meterhouse_journal::position::Position;
use meterhouse_journal::record::from_row;
use meterhouse_store::{NOTABLE_MAX, PositionedEvent};

use crate::answer::{NotExecuted, damaged, unavailable};
use crate::context::Engine;
use crate::operations::proposal_history::{LinkNames, act};
use crate::reports::displayed::on_meter;
use crate::reports::sums::too_much;
use crate::reports::variance::adjusted::account_of;
use crate::view::{Alteration, AlterationKind, AlterationsView, public_reason};

/// Maximum number of changes in one report.
const ALTERATIONS_MAX: usize = 10_000;
/// The kinds of events that are read: changes, and the proposals of changes.
const KINDS: &[u8] = &[
    kind::VALUES_ACCEPTED,
    kind::LINK_SUSPENDED,
    kind::LINK_RESUMED,
    kind::LEVEL_DISABLED,
    kind::LEVEL_ENABLED,
    kind::TABLE_DISABLED,
    kind::TABLE_ENABLED,
    kind::TABLE_LEFT,
    kind::CHANGE_PROPOSED,
    kind::CHANGE_APPROVED,
];

impl Engine {
    /// Returns the changes of people from one time on, up to another.
    ///
    /// # Errors
    /// [`NotExecuted`] if there is no such link, the period has too many changes or begins in an archived month, or the
    /// database can't be queried.
    pub async fn alterations(
        &self,
        link: &LinkName,
        from: Option<Timestamp>,
        to: Option<Timestamp>,
    ) -> Result<AlterationsView, NotExecuted> {
        let id = self.context.registry.find_link(link).await?;
        let known = self.context.registry.confirmed_state(id).await?;
        let (from_batch, to_batch) = self.batches_between(id, from, to, known.batch).await?;
        let mut report = Report::of(&known.state);
        let mut before = Position::behind(to_batch);
        'pages: loop {
            let store = &self.context.store;
            let page = store.notable(id, KINDS, Some(before), NOTABLE_MAX).await;
            let page = page.map_err(unavailable)?;
            for happening in &page {
                let is_inside = happening.position.batch > from_batch;
                if !is_inside && report.unproposed.is_empty() {
                    break 'pages;
                }
                report.read(happening, is_inside)?;
            }
            match page.last() {
                Some(last) if page.len() == NOTABLE_MAX => before = last.position,
                Some(_) | None => break,
            }
        }
        let first = Position::behind(from_batch);
        let archived = self.context.store.refuse_archived(id, first, Some(KINDS));
        archived.await.map_err(unavailable)?;
        let mut alterations = report.found;
        alterations.reverse();
        for alteration in &mut alterations {
            if alteration.kind == AlterationKind::Corrected {
                self.add_balances(id, &known.state, alteration).await?;
            }
        }
        Ok(AlterationsView {
            link: known.state.terms.name.clone(),
            from_batch,
            to_batch,
            alterations,
        })
    }

    /// Adds level and balances of the meter that a withdrawn hit had taken from, if it took from one.
    async fn add_balances(
        &self,
        link: LinkId,
        state: &LinkState,
        alteration: &mut Alteration,
    ) -> Result<(), NotExecuted> {
        let Position { batch, index } = alteration.position;
        let store = &self.context.store;
        let missing = || damaged(&format!("batch {batch} or the one before is missing"));
        let stored = store.batch(link, batch).await.map_err(unavailable)?;
        let stored = stored.ok_or_else(missing)?;
        let before = store.balances_after(link, batch.saturating_sub(1)).await;
        let before = before.map_err(unavailable)?.ok_or_else(missing)?.after;
        let mut moves: Vec<Vec<Move>> = Vec::new();
        let through = usize::try_from(index).unwrap_or(usize::MAX);
        for row in stored.batch.events.iter().take(through.saturating_add(1)) {
            let recorded = from_row(row);
            let recorded = recorded.map_err(|error| damaged(&format!("batch {batch}: {error}")))?;
            moves.push(entries(&state.shares, &recorded.event));
        }
        let own = moves.pop().unwrap_or_default();
        let levels = 0..state.terms.content().levels.len();
        let mut touched = levels.filter(|level| {
            let mut own = own.iter();
            own.any(|entry| entry.book == Book::level(*level))
        });
        let Some(level) = touched.next() else {
            return Ok(());
        };
        let meter = level * ACCOUNTS + Account::Meter.index();
        let earlier: i128 = moves.iter().map(|moves| on_meter(moves, level)).sum();
        let before = i128::from(before.get(meter).copied().unwrap_or_default()) + earlier;
        let money = |micros: i128| i64::try_from(micros).map(Money::from_micros);
        let after = before + on_meter(&own, level);
        alteration.before = Some(money(before).map_err(|_| too_much())?);
        alteration.after = Some(money(after).map_err(|_| too_much())?);
        let level = state.terms.content().levels.get(level);
        alteration.level = level.map(|level| level.name.clone());
        Ok(())
    }
}

/// The changes of a period, newest first.
struct Report<'a> {
    names: LinkNames<'a>,
    found: Vec<Alteration>,
    /// The changes whose proposals are still to be read.
    unproposed: BTreeMap<ProposalId, usize>,
}

impl<'a> Report<'a> {
    fn of(state: &'a LinkState) -> Self {
        Self {
            names: LinkNames::of(state),
            found: Vec::new(),
            unproposed: BTreeMap::new(),
        }
    }

    /// Reads the next older event. Before the period, only proposals count.
    fn read(&mut self, happening: &PositionedEvent, is_inside: bool) -> Result<(), NotExecuted> {
        let batch = happening.position.batch;
        let recorded = from_row(&happening.event);
        let recorded = recorded.map_err(|error| damaged(&format!("batch {batch}: {error}")))?;
        if let Event::ChangeProposed { propose, .. } = &recorded.event {
            if let Some(index) = self.unproposed.remove(&propose.proposal)
                && let Some(alteration) = self.found.get_mut(index)
            {
                let by = recorded.by.as_ref();
                alteration.proposed = Some(act(by, &propose.department, happening.at));
                alteration.reason = Some(propose.reason.clone());
            }
            return Ok(());
        }
        if is_inside {
            self.add(happening, &recorded)?;
        }
        Ok(())
    }

    fn add(&mut self, happening: &PositionedEvent, recorded: &Recorded) -> Result<(), NotExecuted> {
        let by = recorded.by.as_ref().map(ToString::to_string);
        let blank = Alteration {
            position: happening.position,
            at: happening.at,
            kind: AlterationKind::Adjusted,
            by: by.unwrap_or_default(),
            department: None,
            level: None,
            account: None,
            table: None,
            hit: None,
            before: None,
            after: None,
            reason: None,
            fault: None,
            adoption: None,
            proposal: None,
            proposed: None,
        };
        let added = match &recorded.event {
            Event::ValuesAccepted { values } => {
                let level = |(level, value): (u8, &Money)| Alteration {
                    kind: AlterationKind::ValuesAccepted,
                    level: self.names.level(level),
                    after: Some(*value),
                    ..blank.clone()
                };
                // Read backwards: the first level comes last.
                let values: Vec<_> = (0_u8..).zip(values).map(level).collect();
                values.into_iter().rev().collect()
            }
            Event::ChangeApproved {
                proposal,
                department,
                effect,
                ..
            } => {
                let index = self.found.len();
                self.unproposed.insert(*proposal, index);
                vec![Alteration {
                    department: Some(department.clone()),
                    proposal: Some(*proposal),
                    ..self.effect(blank, effect)
                }]
            }
            event => self.switch(&blank, event).into_iter().collect(),
        };
        if self.found.len() + added.len() > ALTERATIONS_MAX {
            let refusal = Refusal::new(RefusalCode::OutOfRange);
            let refusal = refusal.with("alterations", format_args!("more than {ALTERATIONS_MAX}"));
            let advice = "ask for a shorter period with from and to";
            return Err(NotExecuted::Refused(refusal.with("period", advice)));
        }
        self.found.extend(added);
        Ok(())
    }

    /// Returns an approved change.
    fn effect(&self, blank: Alteration, effect: &Effect) -> Alteration {
        match effect {
            Effect::Adjusted {
                level,
                account,
                before,
                after,
            } => Alteration {
                kind: AlterationKind::Adjusted,
                level: self.names.level(*level),
                account: Some(account_of(*account)),
                before: Some(*before),
                after: Some(*after),
                ..blank
            },
            Effect::Corrected { hit, .. } => Alteration {
                kind: AlterationKind::Corrected,
                hit: self.names.hit(*hit),
                ..blank
            },
            Effect::LateHitRecorded { hit, recorded, .. } => {
                let taken = recorded.taken.as_ref();
                Alteration {
                    kind: AlterationKind::LateHitRecorded,
                    hit: self.names.hit(*hit),
                    level: taken.and_then(|taken| self.names.level(taken.level)),
                    before: taken.map(|taken| taken.before),
                    after: taken.map(|taken| taken.after),
                    ..blank
                }
            }
            Effect::FaultCleared { fault } => Alteration {
                kind: AlterationKind::FaultCleared,
                fault: Some(public_reason(fault).to_owned()),
                ..blank
            },
            Effect::ReturnsAcknowledged => Alteration {
                kind: AlterationKind::ReturnsAcknowledged,
                ..blank
            },
            Effect::TableAdopted { adopted, before } => Alteration {
                kind: AlterationKind::TableAdopted,
                adoption: Some((adopted.clone(), before.clone())),
                ..blank
            },
        }
    }

    /// Returns a change of one person that switched something on or off.
    fn switch(&self, blank: &Alteration, event: &Event) -> Option<Alteration> {
        let of_link = |kind, reason: Option<&_>| Alteration {
            kind,
            reason: reason.cloned(),
            ..blank.clone()
        };
        let of_level = |kind, level: u8, reason: Option<&_>| Alteration {
            level: self.names.level(level),
            ..of_link(kind, reason)
        };
        let of_table = |kind, table, reason: Option<&_>| Alteration {
            table: self.names.table(table),
            ..of_link(kind, reason)
        };
        Some(match event {
            Event::LinkSuspended { reason } => of_link(AlterationKind::LinkSuspended, Some(reason)),
            Event::LinkResumed => of_link(AlterationKind::LinkResumed, None),
            Event::LevelDisabled { level, reason } => {
                of_level(AlterationKind::LevelDisabled, *level, Some(reason))
            }
            Event::LevelEnabled { level } => of_level(AlterationKind::LevelEnabled, *level, None),
            Event::TableDisabled { table, reason } => {
                of_table(AlterationKind::TableDisabled, *table, Some(reason))
            }
            Event::TableEnabled { table } => of_table(AlterationKind::TableEnabled, *table, None),
            Event::TableLeft { table, reason } => {
                of_table(AlterationKind::TableLeft, *table, Some(reason))
            }
            _ => return None,
        })
    }
}
