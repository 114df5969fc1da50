//! One felt: its players, its cards, and the one or two tables that play them.

use std::num::NonZeroU64;
use std::sync::Arc;

use futures_util::future::try_join_all;
use rand::rngs::StdRng;
use tokio::sync::watch;
use tokio::time::{Duration, Instant, sleep_until};

use crate::books::add;
use crate::chances::generator;
use crate::error::SimulatorError;
use crate::plan::FeltPlan;
use crate::play::TableSeat;
use crate::script::{RoundScript, next_round};
use crate::seating::Seating;
use crate::table::Controller;
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
}

impl Felt {
    /// Switches the controllers of a felt on and finishes what they left open.
    pub(crate) async fn open(world: Arc<World>, plan: FeltPlan) -> Result<Self, SimulatorError> {
        let tables = try_join_all(plan.tables.iter().map(|(link, table)| {
            let world = &world;
            async move {
                let (controller, found) = Controller::resume(world, table).await?;
                let mut seat = TableSeat {
                    controller,
                    link: *link,
                };
                if found.round.is_some() {
                    tracing::info!(table.name = table, "finishing a round that was left open");
                    seat.finish().await?;
                }
                Ok::<_, SimulatorError>(seat)
            }
        }))
        .await?;
        let name = plan.tables.first().map_or("", |(_, table)| table);
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
        })
    }

    /// Plays this felt's share of the rounds, every so many of all, until they are over or it is told to stop.
    pub(crate) async fn play(
        mut self,
        started: Instant,
        felts: u64,
        mut stop: watch::Receiver<bool>,
    ) -> Result<(), SimulatorError> {
        let rounds = self.world.plan.rounds;
        let mut round = self.plan.place as u64 + 1;
        while (rounds == 0 || round <= rounds) && self.in_time(started, round, &mut stop).await {
            self.play_round(round).await?;
            round += felts;
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

    async fn play_round(&mut self, round: u64) -> Result<(), SimulatorError> {
        let world = Arc::clone(&self.world);
        let supervisors = &world.tokens.supervisors;
        // A single supervisor can't stand in: nobody could validate what he keyed.
        let relief: Vec<String> = match supervisors.len() {
            0 | 1 => Vec::new(),
            _ => supervisors.iter().map(|(name, _)| name.clone()).collect(),
        };
        let script = next_round(
            &mut self.rng,
            &world.plan,
            &self.plan,
            &self.seating,
            round,
            &relief,
        )
        .ok_or(SimulatorError::NotDealt { round })?;
        self.announce(round, &script);
        let tables = self.tables.iter_mut().zip(&script.tables);
        try_join_all(tables.map(|(table, told)| table.play(&script, told))).await?;
        add(&world.books.rounds, 1);
        self.seating.turn_over(&mut self.rng);
        Ok(())
    }

    fn announce(&self, round: u64, script: &RoundScript) {
        if let Some(staged) = &script.staged {
            let table = self.plan.tables.first().map_or("", |(_, table)| table);
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

/// Waits until told to stop; for ever if nobody is left who could.
pub(crate) async fn stopped(stop: &mut watch::Receiver<bool>) {
    if stop.wait_for(|stop| *stop).await.is_err() {
        std::future::pending::<()>().await;
    }
}
