//! A shift's incidents: what goes wrong at tables once in a long while, staged so that every longer demo has it.
//!
//! # What is reproducible
//! Which incident comes in which round follows from the seed and the plan alone.

use std::collections::BTreeMap;

use meterhouse_domain::hand::Hand;
use rand::RngExt;

use crate::chances::generator;
use crate::plan::{LinkPlan, PaysPlan, Plan};

/// Rounds of a demo that is long enough for incidents.
const ROUNDS_MIN: u64 = 500;
/// Rounds over which the incidents of a demo without an end are spread.
const ROUNDS_OF_ENDLESS: u64 = 1_000;
/// Rounds of each felt that incidents need to keep out of each other's way.
const ROUNDS_A_FELT_MIN: u64 = 20;
/// The incidents come after this percentage of the rounds and before another one.
const BEGIN_PERCENT: u64 = 10;
const END_PERCENT: u64 = 70;

/// What happens to the first table of a felt in one round.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Incident {
    /// The cable is cut while a royal lies in a locked round.
    CutCable,
    /// The chips are counted one too few.
    Miscount,
    /// A level is switched off and on, the link suspended and resumed.
    Switches,
    /// A royal is keyed by mistake; it is rejected once another table has hit one.
    Mistake,
    /// The other table's royal.
    Resettled,
    /// A winner is missed, and found after GAME OVER.
    LateHit,
    /// Two people adjust a meter, and reverse it.
    Adjustment,
    /// Two people withdraw a hit that is paid.
    Correction,
}

/// The order of a shift; a mistake brings the other table's royal with it.
const ORDER: [Incident; 7] = [
    Incident::CutCable,
    Incident::Miscount,
    Incident::Switches,
    Incident::Mistake,
    Incident::LateHit,
    Incident::Adjustment,
    Incident::Correction,
];

/// Which incident comes in which round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shift {
    rounds: BTreeMap<u64, Incident>,
}

impl Incident {
    /// The hand that has to be dealt for it.
    pub(crate) const fn hand(self) -> Option<Hand> {
        match self {
            Self::CutCable | Self::Resettled => Some(Hand::RoyalFlush),
            Self::Mistake => Some(Hand::Flush),
            Self::LateHit => Some(Hand::FourOfAKind),
            Self::Correction => Some(Hand::StraightFlush),
            Self::Miscount | Self::Switches | Self::Adjustment => None,
        }
    }

    /// Whether the paytable of a link has what it needs: the pair its royals, all others their hands.
    fn can_happen_on(self, link: &LinkPlan) -> bool {
        let takes_from_level = |hand| {
            let found = link.line(hand);
            found.is_some_and(|line| line.pays == PaysPlan::Percent)
        };
        match self {
            Self::CutCable | Self::Resettled => takes_from_level(Hand::RoyalFlush),
            Self::Mistake => {
                takes_from_level(Hand::RoyalFlush)
                    && link.line(Hand::Flush).is_some()
                    && link.tables.len() > 1
            }
            Self::LateHit | Self::Correction => self.hand().is_none_or(takes_from_level),
            Self::Miscount | Self::Switches | Self::Adjustment => true,
        }
    }
}

impl Shift {
    /// The shift of a plan; none where it is too short.
    pub(crate) fn of(plan: &Plan) -> Self {
        let mut shift = Self::default();
        let Some(link) = plan.links.first().filter(|link| !link.tables.is_empty()) else {
            return shift;
        };
        let felts = plan.felts().len() as u64;
        let rounds = match plan.rounds {
            0 => ROUNDS_OF_ENDLESS,
            rounds => rounds,
        };
        let rows = rounds / felts;
        if rounds < ROUNDS_MIN || rows < ROUNDS_A_FELT_MIN {
            return shift;
        }
        let mut rng = generator(plan.seed, "shift");
        let count = ORDER.len() as u64;
        let begin = rows * BEGIN_PERCENT / 100;
        let each = (rows * (END_PERCENT - BEGIN_PERCENT) / 100 / count).max(1);
        for (place, incident) in (0..).zip(ORDER) {
            let row = begin + place * each + rng.random_range(0..each);
            let felt = rng.random_range(0..link.tables.len() as u64);
            if incident.can_happen_on(link) {
                shift.put(plan, incident, row * felts + felt + 1, felts);
            }
        }
        shift
    }

    /// What happens in a round.
    pub(crate) fn at(&self, round: u64) -> Option<Incident> {
        self.rounds.get(&round).copied()
    }

    /// Every incident with its round.
    pub(crate) fn all(&self) -> impl Iterator<Item = (u64, Incident)> {
        self.rounds
            .iter()
            .map(|(round, incident)| (*round, *incident))
    }

    /// Puts an incident into this round of a felt, or into the felt's next one that is free.
    fn put(&mut self, plan: &Plan, incident: Incident, round: u64, felts: u64) {
        let tables = plan
            .links
            .first()
            .map_or(1, |link| link.tables.len() as u64);
        let beside = |round: u64| {
            let felt = (round - 1) % felts;
            round - felt + (felt + 1) % tables
        };
        let mut round = round;
        while self.is_taken(plan, round)
            || (incident == Incident::Mistake && self.is_taken(plan, beside(round)))
        {
            round += felts;
        }
        if incident == Incident::Mistake {
            self.rounds.insert(beside(round), Incident::Resettled);
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

    use super::{Incident, ORDER, Shift};
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
                .map(|it| it.parse().expect("a stage"))
                .collect(),
            links: default_links(),
        }
    }

    /// Every longer demo has every incident once, in rounds that are played, the same whenever it is played again.
    #[test]
    fn a_shift_has_every_incident() {
        for (seed, rounds) in (0..200).flat_map(|seed| [(seed, 500), (seed, 5_000), (seed, 0)]) {
            let plan = plan(seed, rounds, &[]);
            let (shift, felts) = (Shift::of(&plan), plan.felts().len() as u64);
            assert_eq!(shift, Shift::of(&plan));
            assert_eq!(shift.all().count(), ORDER.len() + 1, "{shift:?}");
            for incident in ORDER {
                assert!(shift.all().any(|(_, it)| it == incident), "{incident:?}");
            }
            let last = if rounds == 0 { 1_000 } else { rounds };
            assert!(
                shift.all().all(|(round, _)| (1..=last).contains(&round)),
                "{shift:?}"
            );
            let place = |wanted| {
                shift
                    .all()
                    .find(|(_, it)| *it == wanted)
                    .map(|(round, _)| round - 1)
            };
            let pair =
                [Incident::Mistake, Incident::Resettled].map(|it| place(it).expect("a round"));
            assert_eq!(
                pair[0] / felts,
                pair[1] / felts,
                "the pair comes at about the same time"
            );
            assert_ne!(pair[0] % felts, pair[1] % felts, "at two felts");
        }
        let shifts: BTreeSet<String> = (0..20)
            .map(|seed| format!("{:?}", Shift::of(&plan(seed, 5_000, &[]))))
            .collect();
        assert!(shifts.len() > 15);
    }

    /// A short demo has none, and a hand that somebody staged stays what it is.
    #[test]
    fn what_was_asked_for_comes_first() {
        assert_eq!(Shift::of(&plan(7, 499, &[])), Shift::default());
        let free = Shift::of(&plan(7, 600, &[]));
        let (taken, _) = free.all().next().expect("an incident");
        let staged = format!("royal-flush@{taken}");
        let moved = Shift::of(&plan(7, 600, &[&staged]));
        assert_eq!(moved.at(taken), None);
        assert_eq!(moved.all().count(), ORDER.len() + 1);
    }
}
