//! The auditor's own lifetime meters: what was locked, voided and adjusted is counted, the rest is read off the books
//! and the hits.

use meterhouse_domain::event::HitKind;
use meterhouse_domain::lifetime::Lifetime;

use super::books::{Account, Entry};
use super::hit::{For, Hit};
use super::round::Round;
use super::{Auditor, Verdict, agree};

/// What is counted as it happens; by share or by book.
#[derive(Debug, Default)]
pub(super) struct Counts {
    rounds: u64,
    wagers: usize,
    wagers_voided: usize,
    contributions: Vec<i128>,
    contributions_voided: Vec<i128>,
    /// Adjustments upwards.
    pub(super) up: Vec<i128>,
    /// And downwards.
    pub(super) down: Vec<i128>,
}

impl Counts {
    pub(super) fn new(books: usize) -> Self {
        Self {
            up: vec![0; books],
            down: vec![0; books],
            ..Self::default()
        }
    }

    pub(super) fn lock(&mut self, added: &[Entry], wagers: usize) {
        self.rounds += 1;
        self.wagers += wagers;
        add(&mut self.contributions, added);
    }

    pub(super) fn void(&mut self, round: &Round) {
        self.wagers_voided += round.own.len() + round.dealer.len();
        add(&mut self.contributions_voided, &round.added);
    }
}

fn add(sums: &mut Vec<i128>, added: &[Entry]) {
    sums.resize(added.len(), 0);
    for (sum, entry) in sums.iter_mut().zip(added) {
        *sum += entry.micros;
    }
}

impl Auditor {
    /// The link's lifetime meters count what the auditor counts.
    pub(super) fn compare_lifetime(&self, lifetime: &Lifetime) -> Verdict {
        let counts = &self.counts;
        agree("rounds", &counts.rounds, &lifetime.rounds)?;
        agree("wagers", &counts.wagers, &count(lifetime.wagers))?;
        let voided = count(lifetime.wagers_voided);
        agree("wagers of void rounds", &counts.wagers_voided, &voided)?;
        let micros = |added: &meterhouse_domain::link::Added| {
            let amounts = added.amounts().iter();
            amounts
                .map(|it| i128::from(it.micros()))
                .collect::<Vec<_>>()
        };
        let said = micros(&lifetime.contributions);
        agree("contributions", &counts.contributions, &said)?;
        let said = micros(&lifetime.contributions_voided);
        agree(
            "contributions of void rounds",
            &counts.contributions_voided,
            &said,
        )?;
        for (book, said) in lifetime.books.iter().enumerate() {
            let [paid, funded, over, up, down] = [
                said.attendant_paid,
                said.house_funded,
                said.overflow,
                said.adjusted_up,
                said.adjusted_down,
            ]
            .map(|it| i128::from(it.micros()));
            agree(
                "paid by attendants",
                &self.books.of(book, Account::Paid),
                &paid,
            )?;
            agree(
                "adjusted",
                &(counts.up[book], counts.down[book]),
                &(up, down),
            )?;
            // All that the house gave, but for adjustments.
            let gave = counts.down[book] - counts.up[book] - self.books.of(book, Account::House);
            agree("funded by the house", &gave, &funded)?;
            let won = |hit: &&Hit| {
                let took = hit.took.as_ref().map(|took| took.taken);
                hit.stands() && took.is_some_and(|it| it.level == book && it.reset.is_some())
            };
            let resets = self.hits.iter().filter(won).count();
            agree("times won", &resets, &count(said.resets))?;
            // What ceilings keep out now, and what came back at resets that stand.
            let back = self
                .hits
                .iter()
                .filter(won)
                .filter_map(|hit| hit.took.as_ref());
            let back = back
                .filter_map(|took| took.taken.reset)
                .map(|(_, _, overflow)| overflow);
            let kept_out = self.books.of(book, Account::Overflow) + back.sum::<i128>();
            agree("overflow", &kept_out, &over)?;
        }
        self.compare_lines(lifetime)
    }

    /// Hits that stand, line by line, then the bonuses of the draw; envy is another's pay.
    fn compare_lines(&self, lifetime: &Lifetime) -> Verdict {
        let mut ours = vec![(0_u64, 0_i128); self.sheet.lines.len() + 2];
        for hit in self.hits.iter().filter(|hit| hit.stands()) {
            let mut lines = self.sheet.lines.iter();
            let place = match hit.kind {
                HitKind::Line => lines.position(|(hand, _, _)| hit.hand == Some(*hand)),
                HitKind::MagicCard => Some(self.sheet.lines.len()),
                HitKind::LuckyBonus => Some(self.sheet.lines.len() + 1),
                HitKind::Envy => None,
            };
            if let Some(place) = place {
                let own = hit.due.iter().filter(|due| due.what != For::Envy);
                ours[place].0 += 1;
                ours[place].1 += own.map(|due| due.micros).sum::<i128>();
            }
        }
        let said = lifetime.lines.iter();
        let said = said.map(|line| (line.hits, i128::from(line.due.micros())));
        agree("hits and dues by line", &ours, &said.collect())
    }
}

fn count(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
