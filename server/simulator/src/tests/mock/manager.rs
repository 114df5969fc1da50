//! The operations of managers and of two people.

use std::collections::BTreeSet;

use meterhouse_api::change::{
    Adjust, Adjusted, Approval, Change, Correct, Corrected, Effect, LateHit, LateHitRecorded,
    ProposalDecisionRequest, ProposalRequest,
};
use meterhouse_api::level::LinkLevel;
use meterhouse_api::link::{self, AcceptValuesRequest, OpenLinkRequest, ReasonRequest};
use meterhouse_api::table::JoinTableRequest;
use meterhouse_api::text::Text;
use meterhouse_api::values::Amount;
use meterhouse_api::words::{LinkState, ProposalDecision};
use meterhouse_domain::event::HitKind;
use meterhouse_domain::money::Money;
use meterhouse_domain::paytable::HandedOver;
use meterhouse_journal::hit::HitState;

use super::round::NewHit;
use super::{Link, Mock, MockResponse, Table, written};

/// The levels of every link, all of them at [`FIRST_VALUE`].
const LEVELS: [&str; 3] = ["mega", "major", "minor"];
const FIRST_VALUE: Amount = Text(Money::from_micros(250_000_000));

impl Mock {
    pub(super) fn open(&mut self, link: &str, request: OpenLinkRequest) -> MockResponse {
        if let Some(known) = self.links.get(link) {
            if known.request != request {
                return (409, false, Err("request_reused"));
            }
            return written(true, &());
        }
        let opened = Link {
            request,
            wagers: 0,
            paid: 0,
            adjusted: 0,
            accepted: false,
            suspended: false,
            disabled: BTreeSet::new(),
            draws: 0,
        };
        self.links.insert(link.to_owned(), opened);
        written(false, &())
    }

    pub(super) fn join(&mut self, table: &str, request: JoinTableRequest) -> MockResponse {
        if let Some(known) = self.tables.get(table) {
            if known.request != request {
                return (409, false, Err("request_reused"));
            }
            return written(true, &());
        }
        let joined = Table {
            request,
            commands: Vec::new(),
            round: None,
            last_contact: None,
            is_lost: false,
        };
        self.tables.insert(table.to_owned(), joined);
        written(false, &())
    }

    pub(super) fn link(&self, link: &str) -> link::Link {
        let Link {
            request, disabled, ..
        } = &self.links[link];
        link::Link {
            link: link.parse().expect("a name"),
            title: None,
            paytable: request.paytable.clone(),
            paytable_version: String::new(),
            wager: Text(request.wager.0.0),
            decks: request.decks,
            boxes_max: None,
            state: if self.links[link].suspended {
                LinkState::Suspended
            } else {
                LinkState::Open
            },
            reason: None,
            values_accepted: Some(self.links[link].accepted),
            adopted: Vec::new(),
            settings: None,
            returns: None,
            presentation: None,
            batch: self.requests,
            levels: LEVELS
                .map(|level| LinkLevel {
                    level: level.parse().expect("a name"),
                    amount: FIRST_VALUE,
                    ceiling: None,
                    disabled: disabled.contains(level),
                    hands: Vec::new(),
                })
                .to_vec(),
            tables: Vec::new(),
        }
    }

    pub(super) fn accept(&mut self, link: &str, request: &AcceptValuesRequest) -> MockResponse {
        let values = request.values.iter();
        let values = values.map(|value| (value.level.as_str(), value.amount.0.0));
        assert!(values.eq(LEVELS.map(|level| (level, *FIRST_VALUE))));
        let entry = self.links.get_mut(link).expect("a link");
        assert!(!entry.accepted, "accepted once");
        entry.accepted = true;
        written(false, &())
    }

    pub(super) fn suspend(&mut self, link: &str, _: &ReasonRequest) -> MockResponse {
        self.set_suspended(link, true)
    }

    pub(super) fn set_suspended(&mut self, link: &str, suspended: bool) -> MockResponse {
        self.observed.insert("suspension");
        let entry = self.links.get_mut(link).expect("a link");
        let is_replay = entry.suspended == suspended;
        entry.suspended = suspended;
        written(is_replay, &())
    }

    pub(super) fn disable(&mut self, link: &str, level: &str, _: &ReasonRequest) -> MockResponse {
        self.set_disabled(link, level, true)
    }

    pub(super) fn set_disabled(&mut self, link: &str, level: &str, disabled: bool) -> MockResponse {
        self.observed.insert("level");
        let entry = self.links.get_mut(link).expect("a link");
        let changed = if disabled {
            entry.disabled.insert(level.to_owned())
        } else {
            entry.disabled.remove(level)
        };
        written(!changed, &())
    }

    pub(super) fn propose(
        &mut self,
        id: &str,
        token: &str,
        request: &ProposalRequest,
    ) -> MockResponse {
        let known = self.proposals.contains_key(id);
        let proposed = (request.clone(), token.to_owned(), false);
        let entry = self.proposals.entry(id.to_owned()).or_insert(proposed);
        if entry.0 != *request {
            return (409, false, Err("request_reused"));
        }
        written(known, &())
    }

    pub(super) fn approve(
        &mut self,
        link: &str,
        id: &str,
        token: &str,
        request: &ProposalDecisionRequest,
    ) -> MockResponse {
        assert_eq!(request.decision, ProposalDecision::Approve);
        let (proposal, by, approved) = self.proposals[id].clone();
        assert_ne!(by, token, "a second person");
        self.proposals.get_mut(id).expect("a proposal").2 = true;
        let effect = match &proposal.change {
            Change::Adjust(change) => Effect::Adjusted(self.adjust(link, change, approved)),
            Change::Correct(change) => Effect::Corrected(self.correct(change)),
            Change::LateHit(change) => {
                let recorded = self.late_hit(link, change, approved);
                Effect::LateHitRecorded(Box::new(recorded))
            }
            other => panic!("unknown change {other:?}"),
        };
        let approval = Approval {
            proposal: id.parse().expect("a UUID"),
            link: link.parse().expect("a name"),
            decision: request.decision,
            by: None,
            department: None,
            at: None,
            note: None,
            effect: Some(effect),
        };
        written(approved, &approval)
    }

    /// Leaves incidents open, as a killed run does: a suspended link, a disabled level, and an unpaid late hit.
    pub(in crate::tests) fn leave_incidents_open(&mut self, late: &LateHit) {
        drop(self.set_suspended("main", true));
        drop(self.set_disabled("main", "minor", true));
        self.late_hit("main", late, false);
    }

    fn adjust(&mut self, link: &str, change: &Adjust, approved: bool) -> Adjusted {
        self.observed.insert("adjustment");
        if !approved {
            let link = self.links.get_mut(link).expect("a link");
            link.adjusted += change.amount.micros();
        }
        Adjusted {
            level: change.level.clone(),
            account: change.account,
            before: FIRST_VALUE,
            after: FIRST_VALUE,
        }
    }

    fn correct(&mut self, change: &Correct) -> Corrected {
        self.observed.insert("correction");
        let hit = self.hits.get_mut(&change.hit.to_string());
        hit.expect("a hit").hit.summary.state = Text(HitState::Withdrawn);
        Corrected {
            hit: change.hit.clone(),
            resettled: Vec::new(),
        }
    }

    fn late_hit(&mut self, link: &str, change: &LateHit, approved: bool) -> LateHitRecorded {
        self.observed.insert("late hit");
        let table = change.table.as_str();
        assert!(
            self.tables[table].round.is_none(),
            "a late hit follows GAME OVER"
        );
        let round = change.round.0.0;
        let seat = change.seat.expect("a seat");
        let name = format!("{table}.{round}.{seat}");
        if !approved {
            let by = "m-ana".parse().expect("a name");
            let cards = change.cards.as_deref();
            let new = NewHit::new(HitKind::Line, Some(seat), cards, Some(&by)).of(change.hand);
            let (due, way) = (Money::from_micros(1_000_000_000), HandedOver::Slip);
            let state = HitState::Validated;
            self.insert_hit(&name, link, round, new, (due, way, state));
        }
        LateHitRecorded {
            hit: self.hits[&name].hit.clone(),
            from_meter: true,
        }
    }
}
