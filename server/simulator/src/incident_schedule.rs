//! The schedule of incidents: rare errors at tables, staged so that every longer demo has each of them.
//!
//! # Reproducibility
//! The seed and the plan alone decide the round of each incident.

use std::collections::BTreeMap;

use meterhouse_domain::hand::Hand;
use rand::RngExt;

use crate::plan::{LinkPlan, PaysPlan, Plan};
use crate::probabilities::generator;

/// Minimum number of rounds of a demo with incidents.
const ROUNDS_MIN: u64 = 500;
/// Number of rounds over which the incidents of an unlimited demo are spread.
const UNLIMITED_ROUNDS: u64 = 1_000;
/// Minimum number of rounds at each physical table, so that incidents don't collide.
const ROUNDS_EACH_MIN: u64 = 20;
/// Percentage of the rounds before the first incident.
const BEGIN_PERCENT: u64 = 10;
/// Percentage of the rounds before the end of the last incident.
const END_PERCENT: u64 = 70;

/// An incident at the first table of a physical table in one round.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Incident {
    /// The network is partitioned while a locked round has a royal flush.
    NetworkPartition,
    /// One chip too few is counted.
    Miscount,
    /// A level is disabled and enabled, and the link is suspended and resumed.
    Suspension,
    /// A royal flush is keyed by mistake, and rejected after another table has hit one.
    MistakenHit,
    /// The other table's royal flush, which is resettled.
    ResettledHit,
    /// The dealer misses a winner, who is found after GAME OVER.
    LateHit,
    /// Two people adjust a meter, and reverse the adjustment.
    Adjustment,
    /// Two people withdraw a hit that is paid.
    Correction,
}

/// The order of the incidents. A mistaken hit adds the resettled hit at another table.
const ORDER: [Incident; 7] = [
    Incident::NetworkPartition,
    Incident::Miscount,
    Incident::Suspension,
    Incident::MistakenHit,
    Incident::LateHit,
    Incident::Adjustment,
    Incident::Correction,
];

/// The incidents of a run, by round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct IncidentSchedule {
    rounds: BTreeMap<u64, Incident>,
}

impl Incident {
    /// Returns the hand that must be dealt for the incident.
    pub(crate) const fn hand(self) -> Option<Hand> {
        match self {
            Self::NetworkPartition | Self::ResettledHit => Some(Hand::RoyalFlush),
            Self::MistakenHit => Some(Hand::Flush),
            Self::LateHit => Some(Hand::FourOfAKind),
            Self::Correction => Some(Hand::StraightFlush),
            Self::Miscount | Self::Suspension | Self::Adjustment => None,
        }
    }

    /// Returns `true` if the paytable of a link has the lines that the incident needs.
    fn can_happen_on(self, link: &LinkPlan) -> bool {
        let takes_from_level = |hand| {
            let found = link.line(hand);
            found.is_some_and(|line| line.pays == PaysPlan::Percent)
        };
        match self {
            Self::NetworkPartition | Self::ResettledHit => takes_from_level(Hand::RoyalFlush),
            Self::MistakenHit => {
                takes_from_level(Hand::RoyalFlush)
                    && link.line(Hand::Flush).is_some()
                    && link.tables.len() > 1
            }
            Self::LateHit | Self::Correction => self.hand().is_none_or(takes_from_level),
            Self::Miscount | Self::Suspension | Self::Adjustment => true,
        }
    }
}

impl IncidentSchedule {
    /// Returns the schedule of a plan. A short plan has no incidents.
    pub(crate) fn of(plan: &Plan) -> Self {
        let mut schedule = Self::default();
        let Some(link) = plan.links.first().filter(|link| !link.tables.is_empty()) else {
            return schedule;
        };
        let count = plan.physical_tables().len() as u64;
        let rounds = match plan.rounds {
            0 => UNLIMITED_ROUNDS,
            rounds => rounds,
        };
        let rounds_each = rounds / count;
        if rounds < ROUNDS_MIN || rounds_each < ROUNDS_EACH_MIN {
            return schedule;
        }
        // The text is part of the seed: another text schedules other rounds.
        let mut rng = generator(plan.seed, "shift");
        let begin = rounds_each * BEGIN_PERCENT / 100;
        let span = rounds_each * (END_PERCENT - BEGIN_PERCENT) / 100;
        let span_each = (span / ORDER.len() as u64).max(1);
        for (position, incident) in (0..).zip(ORDER) {
            let rounds_before = begin + position * span_each + rng.random_range(0..span_each);
            let index = rng.random_range(0..link.tables.len() as u64);
            if incident.can_happen_on(link) {
                schedule.insert(plan, incident, rounds_before * count + index + 1, count);
            }
        }
        schedule
    }

    /// Returns the incident of a round.
    pub(crate) fn at(&self, round: u64) -> Option<Incident> {
        self.rounds.get(&round).copied()
    }

    /// Returns all incidents with their rounds, in order of rounds.
    pub(crate) fn all(&self) -> impl Iterator<Item = (u64, Incident)> {
        self.rounds
            .iter()
            .map(|(round, incident)| (*round, *incident))
    }

    /// Inserts an incident at a round of a physical table, or at the next free round of the same physical table.
    fn insert(&mut self, plan: &Plan, incident: Incident, round: u64, count: u64) {
        let tables = plan
            .links
            .first()
            .map_or(1, |link| link.tables.len() as u64);
        let at_next_table = |round: u64| {
            let index = (round - 1) % count;
            round - index + (index + 1) % tables
        };
        let mut round = round;
        while self.is_taken(plan, round)
            || (incident == Incident::MistakenHit && self.is_taken(plan, at_next_table(round)))
        {
            round += count;
        }
        if incident == Incident::MistakenHit {
            self.rounds
                .insert(at_next_table(round), Incident::ResettledHit);
        }
        self.rounds.insert(round, incident);
    }

    fn is_taken(&self, plan: &Plan, round: u64) -> bool {
        self.rounds.contains_key(&round) || plan.staged(round).is_some()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Incident, IncidentSchedule, ORDER};
    use crate::defaults::default_links;
    use crate::plan::Plan;

    fn plan(seed: u64, rounds: u64, stages: &[&str]) -> Plan {
        Plan {
            base: String::new(),
            seed,
            rounds,
            speed: 0,
            stages: stages
                .iter()
                .map(|stage| stage.parse().expect("a stage"))
                .collect(),
            links: default_links(),
        }
    }

    /// Every longer demo has each incident once, in a round that is played, and always in the same round.
    #[test]
    fn a_schedule_has_every_incident() {
        for (seed, rounds) in (0..200).flat_map(|seed| [(seed, 500), (seed, 5_000), (seed, 0)]) {
            let plan = plan(seed, rounds, &[]);
            let schedule = IncidentSchedule::of(&plan);
            let count = plan.physical_tables().len() as u64;
            assert_eq!(schedule, IncidentSchedule::of(&plan));
            assert_eq!(schedule.all().count(), ORDER.len() + 1, "{schedule:?}");
            for incident in ORDER {
                let mut scheduled = schedule.all();
                let found = scheduled.any(|(_, scheduled)| scheduled == incident);
                assert!(found, "{incident:?}");
            }
            let last = if rounds == 0 { 1_000 } else { rounds };
            assert!(
                schedule.all().all(|(round, _)| (1..=last).contains(&round)),
                "{schedule:?}"
            );
            let before = |wanted| {
                let found = schedule.all().find(|(_, incident)| *incident == wanted);
                found.map(|(round, _)| round - 1)
            };
            let pair = [Incident::MistakenHit, Incident::ResettledHit]
                .map(|incident| before(incident).expect("a round"));
            assert_eq!(
                pair[0] / count,
                pair[1] / count,
                "the same round of each physical table"
            );
            assert_ne!(pair[0] % count, pair[1] % count, "two physical tables");
        }
        let schedules: BTreeSet<String> = (0..20)
            .map(|seed| format!("{:?}", IncidentSchedule::of(&plan(seed, 5_000, &[]))))
            .collect();
        assert!(schedules.len() > 15);
    }

    /// A short demo has no incidents. An incident moves to another round if its round has a staged hand.
    #[test]
    fn a_staged_hand_takes_precedence() {
        assert_eq!(
            IncidentSchedule::of(&plan(7, 499, &[])),
            IncidentSchedule::default()
        );
        let free = IncidentSchedule::of(&plan(7, 600, &[]));
        let (taken, _) = free.all().next().expect("an incident");
        let staged = format!("royal-flush@{taken}");
        let moved = IncidentSchedule::of(&plan(7, 600, &[&staged]));
        assert_eq!(moved.at(taken), None);
        assert_eq!(moved.all().count(), ORDER.len() + 1);
    }
}
