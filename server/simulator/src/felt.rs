//! One felt: its players, its cards, and the tables that play them, one of each link at most.

use std::num::NonZeroU64;
use std::sync::Arc;

use futures_util::future::{try_join, try_join_all};
use rand::rngs::StdRng;
use tokio::sync::{oneshot, watch};
use tokio::time::{Duration, Instant, sleep_until};

use crate::chances::generator;
use crate::error::SimulatorError;
use crate::incident::{self, Loan, Scene, borrowed, resettled_pair};
use crate::plan::FeltPlan;
use crate::script::{RoundScript, next_round};
use crate::seating::Seating;
use crate::shift::Incident;
use crate::stop::stopped;
use crate::table::TableController;
use crate::table_seat::TableSeat;
use crate::world::World;

/// Nanoseconds of a second: rounds begin at even distances.
const NANOS_PER_SECOND: u64 = 1_000_000_000;

/// One felt.
pub(crate) struct Felt {
    world: Arc<World>,
    plan: FeltPlan,
    tables: Vec<TableSeat>,
    seating: Seating,
    rng: StdRng,
    /// To whom this felt lends its first table, once.
    lend: Option<oneshot::Sender<Loan>>,
    /// Whose first table this felt borrows, once.
    borrow: Option<oneshot::Receiver<Loan>>,
}

impl Felt {
    /// Switches the controllers of a felt on and finishes what they left open.
    pub(crate) async fn open(world: Arc<World>, plan: FeltPlan) -> Result<Self, SimulatorError> {
        let tables = try_join_all(plan.tables.iter().map(|(link, table)| {
            let world = &world;
            async move {
                let (controller, standing) = TableController::open(world, &table.table).await?;
                let mut seat = TableSeat {
                    controller,
                    link: *link,
                };
                if standing.round.is_some() {
                    tracing::info!(
                        table.name = table.table,
                        "finishing a round that was left open"
                    );
                    seat.finish().await?;
                }
                Ok::<_, SimulatorError>(seat)
            }
        }))
        .await?;
        let name = plan.name();
        let mut rng = generator(world.plan.seed, &format!("felt {name}"));
        let links = plan
            .tables
            .iter()
            .filter_map(|(link, _)| world.plan.links.get(*link));
        let seats = links.map(|link| link.seats).min().unwrap_or(1);
        let seating = Seating::new(&mut rng, plan.place, seats);
        Ok(Self {
            world,
            plan,
            tables,
            seating,
            rng,
            lend: None,
            borrow: None,
        })
    }

    /// Introduces the two felts to each other that play a resettled pair, if there are such.
    pub(crate) fn introduce(world: &World, felts: &mut [Self]) {
        let count = felts.len() as u64;
        let place = |wanted| {
            let (round, _) = world.shift.all().find(|(_, it)| *it == wanted)?;
            usize::try_from((round - 1) % count).ok()
        };
        let (lend, borrow) = oneshot::channel();
        if let Some(felt) = place(Incident::Mistake).and_then(|it| felts.get_mut(it)) {
            felt.borrow = Some(borrow);
        }
        if let Some(felt) = place(Incident::Resettled).and_then(|it| felts.get_mut(it)) {
            felt.lend = Some(lend);
        }
    }

    /// Plays this felt's share of the rounds, every so many of all, until they are over or it is told to stop. Its
    /// controllers stay on.
    pub(crate) async fn play(
        mut self,
        started: Instant,
        felts: u64,
        mut stop: watch::Receiver<bool>,
    ) -> Result<Self, SimulatorError> {
        let rounds = self.world.plan.rounds;
        let mut round = self.plan.place as u64 + 1;
        while (rounds == 0 || round <= rounds) && self.in_time(started, round, &mut stop).await {
            if !self.play_round(round, &mut stop).await? {
                break;
            }
            round += felts;
        }
        Ok(self)
    }

    /// Switches the controllers off.
    pub(crate) async fn close(self) -> Result<(), SimulatorError> {
        for table in self.tables {
            table.controller.close().await?;
        }
        Ok(())
    }

    /// Waits until a round may begin; `false` if it is not to begin at all.
    async fn in_time(
        &self,
        started: Instant,
        round: u64,
        stop: &mut watch::Receiver<bool>,
    ) -> bool {
        if let Some(speed) = NonZeroU64::new(self.world.plan.speed) {
            let before = round - 1;
            let nanos = before % speed * NANOS_PER_SECOND / speed;
            let due = started + Duration::from_secs(before / speed) + Duration::from_nanos(nanos);
            tokio::select! {
                () = sleep_until(due) => {}
                () = stopped(stop) => {}
            }
        }
        !*stop.borrow()
    }

    /// Plays a round; `false` if this felt's table was lent and doesn't come back, because everybody is to stop.
    async fn play_round(
        &mut self,
        round: u64,
        stop: &mut watch::Receiver<bool>,
    ) -> Result<bool, SimulatorError> {
        let incident = self.world.shift.at(round);
        let script = self.draw(round, incident)?;
        self.announce(round, &script);
        for table in &mut self.tables {
            table.controller.begin(round);
        }
        match incident {
            None => self.play_tables(&script).await?,
            Some(Incident::Resettled) => {
                if !self.play_lending(&script).await? {
                    return Ok(false);
                }
            }
            Some(incident) => self.play_incident(incident, round, &script, stop).await?,
        }
        self.world.books.played(self.plan.game());
        self.seating.turn_over(&mut self.rng);
        Ok(true)
    }

    /// What will happen in a round.
    fn draw(
        &mut self,
        round: u64,
        incident: Option<Incident>,
    ) -> Result<RoundScript, SimulatorError> {
        let plan = &self.world.plan;
        let supervisors = &self.world.tokens.supervisors;
        // A single supervisor can't stand in: nobody could validate what he keyed.
        let relief: Vec<String> = match supervisors.len() {
            0 | 1 => Vec::new(),
            _ => supervisors.iter().map(|(name, _)| name.clone()).collect(),
        };
        let staged = plan.staged(round).or(incident.and_then(Incident::hand));
        let rng = &mut self.rng;
        let script = next_round(rng, plan, &self.plan, &self.seating, staged, &relief);
        script.ok_or(SimulatorError::NotDealt { round })
    }

    /// Plays the round at all tables, side by side.
    async fn play_tables(&mut self, script: &RoundScript) -> Result<(), SimulatorError> {
        let tables = self.tables.iter_mut().zip(&script.tables);
        try_join_all(tables.map(|(table, told)| table.play(script, told))).await?;
        Ok(())
    }

    /// An incident happens to the first table; the others play as ever.
    async fn play_incident(
        &mut self,
        incident: Incident,
        number: u64,
        script: &RoundScript,
        stop: &mut watch::Receiver<bool>,
    ) -> Result<(), SimulatorError> {
        let loan = match self.borrow.take_if(|_| incident == Incident::Mistake) {
            Some(lender) => borrowed(lender, stop).await,
            None => None,
        };
        let mut tables = self.tables.iter_mut().zip(&script.tables);
        let Some((first, told)) = tables.next() else {
            return Ok(());
        };
        let scene = Scene {
            number,
            round: script,
            script: told,
        };
        let others = try_join_all(tables.map(|(table, told)| table.play(script, told)));
        if let Some(mut loan) = loan {
            let pair = resettled_pair(first, &scene, &mut loan.table, &loan.round);
            try_join(pair, others).await?;
            // The lender waits for it; where it failed, the whole run does.
            drop(loan.back.send(loan.table));
        } else {
            try_join(incident::play(incident, first, &scene), others).await?;
        }
        Ok(())
    }

    /// The first table is lent to another felt for this round; the others play as ever. `false` if it doesn't come
    /// back: the other felt was told to stop.
    async fn play_lending(&mut self, script: &RoundScript) -> Result<bool, SimulatorError> {
        let Some(borrower) = self.lend.take().filter(|_| !self.tables.is_empty()) else {
            self.play_tables(script).await?;
            return Ok(true);
        };
        let (back, returned) = oneshot::channel();
        let loan = Loan {
            table: self.tables.remove(0),
            round: script.clone(),
            back,
        };
        if let Err(refused) = borrower.send(loan) {
            self.tables.insert(0, refused.table);
            self.play_tables(script).await?;
            return Ok(true);
        }
        let others = self.tables.iter_mut().zip(script.tables.iter().skip(1));
        try_join_all(others.map(|(table, told)| table.play(script, told))).await?;
        let Ok(table) = returned.await else {
            return Ok(false);
        };
        self.tables.insert(0, table);
        Ok(true)
    }

    fn announce(&self, round: u64, script: &RoundScript) {
        if let Some(staged) = &script.staged {
            let table = self.plan.name();
            tracing::info!(
                table.name = table,
                round,
                "staged {} dealt to seat {} of {table} in round {round}",
                staged.hand,
                staged.seat,
            );
        }
    }
}
