//! A physical table: its players, its cards, and its tables, at most one for each link.

use std::num::NonZeroU64;
use std::sync::Arc;

use futures_util::future::{try_join, try_join_all};
use rand::rngs::StdRng;
use tokio::sync::{oneshot, watch};
use tokio::time::{Duration, Instant, sleep_until};

use crate::context::RunContext;
use crate::error::SimulatorError;
use crate::incident::{self, IncidentRound, TableLoan, receive_loan, resettled_pair};
use crate::incident_schedule::Incident;
use crate::plan::PhysicalTablePlan;
use crate::probabilities::generator;
use crate::script::{RoundScript, next_round};
use crate::seating::Seating;
use crate::simulated_table::SimulatedTable;
use crate::stop::stopped;
use crate::table_controller::TableController;

/// Nanoseconds of a second, to start rounds at equal intervals.
const NANOS_PER_SECOND: u64 = 1_000_000_000;

/// A physical table.
pub(crate) struct PhysicalTable {
    context: Arc<RunContext>,
    plan: PhysicalTablePlan,
    tables: Vec<SimulatedTable>,
    seating: Seating,
    rng: StdRng,
    /// Lends the first table to another physical table, once.
    loan_sender: Option<oneshot::Sender<TableLoan>>,
    /// Borrows the first table of another physical table, once.
    loan_receiver: Option<oneshot::Receiver<TableLoan>>,
}

impl PhysicalTable {
    /// Opens the controllers of a physical table, and finishes the rounds that an earlier run left open.
    pub(crate) async fn open(
        context: Arc<RunContext>,
        plan: PhysicalTablePlan,
    ) -> Result<Self, SimulatorError> {
        let tables = try_join_all(plan.tables.iter().map(|(link, table)| {
            let context = &context;
            async move {
                let name = &table.table;
                let (controller, standing) = TableController::open(context, name).await?;
                let mut table = SimulatedTable {
                    controller,
                    link: *link,
                };
                if standing.round.is_some() {
                    tracing::info!(table.name = name, "finishing a round that was left open");
                    table.finish_open_round().await?;
                }
                Ok::<_, SimulatorError>(table)
            }
        }))
        .await?;
        let name = plan.name();
        // The text is part of the seed: another text deals other cards.
        let mut rng = generator(context.plan.seed, &format!("felt {name}"));
        let links = plan
            .tables
            .iter()
            .filter_map(|(link, _)| context.plan.links.get(*link));
        let seats = links.map(|link| link.seats).min().unwrap_or(1);
        let seating = Seating::new(&mut rng, plan.index, seats);
        Ok(Self {
            context,
            plan,
            tables,
            seating,
            rng,
            loan_sender: None,
            loan_receiver: None,
        })
    }

    /// Connects the two physical tables that play a resettled pair, if the schedule has a pair.
    pub(crate) fn connect_resettled_pair(context: &RunContext, physical_tables: &mut [Self]) {
        let count = physical_tables.len() as u64;
        let index_of = |wanted| {
            let mut scheduled = context.incident_schedule.all();
            let (round, _) = scheduled.find(|(_, incident)| *incident == wanted)?;
            usize::try_from((round - 1) % count).ok()
        };
        let (sender, receiver) = oneshot::channel();
        let borrower = index_of(Incident::MistakenHit);
        if let Some(borrower) = borrower.and_then(|index| physical_tables.get_mut(index)) {
            borrower.loan_receiver = Some(receiver);
        }
        let lender = index_of(Incident::ResettledHit);
        if let Some(lender) = lender.and_then(|index| physical_tables.get_mut(index)) {
            lender.loan_sender = Some(sender);
        }
    }

    /// Plays this physical table's share of the rounds: one of every `count` rounds, until the last round or `stop`. The
    /// controllers stay connected.
    pub(crate) async fn play(
        mut self,
        started: Instant,
        count: u64,
        mut stop: watch::Receiver<bool>,
    ) -> Result<Self, SimulatorError> {
        let rounds = self.context.plan.rounds;
        let mut round = self.plan.index as u64 + 1;
        while (rounds == 0 || round <= rounds)
            && self.wait_for_round(started, round, &mut stop).await
        {
            if !self.play_round(round, &mut stop).await? {
                break;
            }
            round += count;
        }
        Ok(self)
    }

    /// Closes the controllers.
    pub(crate) async fn close(self) -> Result<(), SimulatorError> {
        for table in self.tables {
            table.controller.close().await?;
        }
        Ok(())
    }

    /// Waits until a round may begin. Returns `false` after `stop`.
    async fn wait_for_round(
        &self,
        started: Instant,
        round: u64,
        stop: &mut watch::Receiver<bool>,
    ) -> bool {
        if let Some(speed) = NonZeroU64::new(self.context.plan.speed) {
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

    /// Plays a round. Returns `false` if the lent table is not returned, because the run is stopping.
    async fn play_round(
        &mut self,
        round: u64,
        stop: &mut watch::Receiver<bool>,
    ) -> Result<bool, SimulatorError> {
        let incident = self.context.incident_schedule.at(round);
        let script = self.draw_script(round, incident)?;
        self.log_staged_hand(round, &script);
        for table in &mut self.tables {
            table.controller.begin_round(round);
        }
        match incident {
            None => self.play_tables(&script).await?,
            Some(Incident::ResettledHit) => {
                if !self.play_lending(&script).await? {
                    return Ok(false);
                }
            }
            Some(incident) => self.play_incident(incident, round, &script, stop).await?,
        }
        self.context.counters.count_round(self.plan.game());
        self.seating.replace_players(&mut self.rng);
        Ok(true)
    }

    /// Draws the script of a round.
    fn draw_script(
        &mut self,
        round: u64,
        incident: Option<Incident>,
    ) -> Result<RoundScript, SimulatorError> {
        let plan = &self.context.plan;
        let supervisors = &self.context.tokens.supervisors;
        // A single supervisor never deals: no other supervisor could validate the hits.
        let dealing_supervisors: Vec<String> = match supervisors.len() {
            0 | 1 => Vec::new(),
            _ => supervisors.iter().map(|(name, _)| name.clone()).collect(),
        };
        let staged = plan.staged(round).or(incident.and_then(Incident::hand));
        let rng = &mut self.rng;
        let script = next_round(
            rng,
            plan,
            &self.plan,
            &self.seating,
            staged,
            &dealing_supervisors,
        );
        script.ok_or(SimulatorError::NotDealt { round })
    }

    /// Plays the round at all tables concurrently.
    async fn play_tables(&mut self, script: &RoundScript) -> Result<(), SimulatorError> {
        let tables = self.tables.iter_mut().zip(&script.tables);
        try_join_all(tables.map(|(table, script_of_table)| table.play(script, script_of_table)))
            .await?;
        Ok(())
    }

    /// Plays an incident at the first table, and the usual round at the others.
    async fn play_incident(
        &mut self,
        incident: Incident,
        number: u64,
        script: &RoundScript,
        stop: &mut watch::Receiver<bool>,
    ) -> Result<(), SimulatorError> {
        let loan = match self
            .loan_receiver
            .take_if(|_| incident == Incident::MistakenHit)
        {
            Some(receiver) => receive_loan(receiver, stop).await,
            None => None,
        };
        let mut tables = self.tables.iter_mut().zip(&script.tables);
        let Some((first, first_script)) = tables.next() else {
            return Ok(());
        };
        let incident_round = IncidentRound {
            number,
            round: script,
            script: first_script,
        };
        let others = try_join_all(
            tables.map(|(table, script_of_table)| table.play(script, script_of_table)),
        );
        if let Some(mut loan) = loan {
            let pair = resettled_pair(first, &incident_round, &mut loan.table, &loan.round);
            try_join(pair, others).await?;
            // The lender waits for the table. If the lender failed, the run ends with its error.
            drop(loan.return_to.send(loan.table));
        } else {
            try_join(incident::play(incident, first, &incident_round), others).await?;
        }
        Ok(())
    }

    /// Lends the first table to another physical table for this round, and plays at the others. Returns `false` if the
    /// table is not returned, because the borrower was stopped.
    async fn play_lending(&mut self, script: &RoundScript) -> Result<bool, SimulatorError> {
        let Some(sender) = self.loan_sender.take().filter(|_| !self.tables.is_empty()) else {
            self.play_tables(script).await?;
            return Ok(true);
        };
        let (return_to, returned) = oneshot::channel();
        let loan = TableLoan {
            table: self.tables.remove(0),
            round: script.clone(),
            return_to,
        };
        if let Err(unsent) = sender.send(loan) {
            self.tables.insert(0, unsent.table);
            self.play_tables(script).await?;
            return Ok(true);
        }
        let others = self.tables.iter_mut().zip(script.tables.iter().skip(1));
        try_join_all(others.map(|(table, script_of_table)| table.play(script, script_of_table)))
            .await?;
        let Ok(table) = returned.await else {
            return Ok(false);
        };
        self.tables.insert(0, table);
        Ok(true)
    }

    fn log_staged_hand(&self, round: u64, script: &RoundScript) {
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
