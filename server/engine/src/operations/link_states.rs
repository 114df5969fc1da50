//! The decisions of one manager on the state of a link, and the heartbeats of controllers.
//!
//! # Order
//! Each decision is a command to the link's committer. Repeating a decision is safe: a link that is suspended already,
//! or a level that is off already, is returned unchanged.

use meterhouse_domain::command::{Command, Envelope, LevelValue, PersonCommand};
use meterhouse_domain::event::Event;
use meterhouse_domain::ids::{LevelName, LinkId, LinkName, Note, TableName, TableNo};
use meterhouse_domain::money::Money;
use meterhouse_domain::refusal::{Refusal, RefusalCode};
use tokio::time::Instant;

use crate::answer::{Idempotent, NotExecuted};
use crate::clock::now;
use crate::committer::request::CommandResult;
use crate::context::Engine;
use crate::server_command::by_server;
use crate::view::{LinkView, Person, TableView};

impl Engine {
    /// Records a heartbeat of a controller and returns the state from which the controller continues. A lost table is
    /// back in service.
    ///
    /// # Errors
    /// [`NotExecuted`] if there is no such table or the database can't confirm the state.
    pub async fn heartbeat(&self, table: &TableName) -> Result<TableView, NotExecuted> {
        let table_ref = self.context.registry.find_table(table).await?;
        table_ref.last_seen.record_heartbeat(Instant::now(), now());
        let view = self.table(table).await?;
        if view.lost().is_none() || view.state.fault.is_some() {
            return Ok(view);
        }
        let command = PersonCommand::ResumeTable {
            table: table_ref.number,
        };
        self.context
            .registry
            .submit(table_ref.link, by_server(command), Instant::now())
            .await?;
        self.table(table).await
    }

    /// Accepts the opening values of all levels, so that the link may play. A replay if the values were accepted
    /// already.
    ///
    /// # Errors
    /// [`NotExecuted`] if nothing was accepted. A refusal names the first level that differs.
    pub async fn accept_values(
        &self,
        person: &Person,
        link: &LinkName,
        values: &[(LevelName, Money)],
    ) -> Result<Idempotent<LinkView>, NotExecuted> {
        let id = self.context.registry.find_link(link).await?;
        let mut named = Vec::with_capacity(values.len());
        for (level, amount) in values {
            let level = self.level_index(id, level).await?;
            named.push(LevelValue {
                level,
                amount: *amount,
            });
        }
        let command = PersonCommand::AcceptValues { values: named };
        self.change_state(person, id, link, command).await
    }

    /// Suspends a link: no coin-in until it is resumed. A replay if the link was suspended already.
    ///
    /// # Errors
    /// [`NotExecuted`] if the link is unchanged.
    pub async fn suspend_link(
        &self,
        person: &Person,
        link: &LinkName,
        reason: Note,
    ) -> Result<Idempotent<LinkView>, NotExecuted> {
        let id = self.context.registry.find_link(link).await?;
        let command = PersonCommand::SuspendLink { reason };
        self.change_state(person, id, link, command).await
    }

    /// Resumes a suspended link. A replay if the link was not suspended.
    ///
    /// # Errors
    /// [`NotExecuted`] if the link is unchanged.
    pub async fn resume_link(
        &self,
        person: &Person,
        link: &LinkName,
    ) -> Result<Idempotent<LinkView>, NotExecuted> {
        let id = self.context.registry.find_link(link).await?;
        self.change_state(person, id, link, PersonCommand::ResumeLink)
            .await
    }

    /// Disables a level, which then takes no coin-in. A replay if the level was off already.
    ///
    /// # Errors
    /// [`NotExecuted`] if the level is unchanged.
    pub async fn disable_level(
        &self,
        person: &Person,
        link: &LinkName,
        level: &LevelName,
        reason: Note,
    ) -> Result<Idempotent<LinkView>, NotExecuted> {
        let id = self.context.registry.find_link(link).await?;
        let level = self.level_index(id, level).await?;
        let command = PersonCommand::DisableLevel { level, reason };
        self.change_state(person, id, link, command).await
    }

    /// Enables a level. A replay if the level was not off.
    ///
    /// # Errors
    /// [`NotExecuted`] if the level is unchanged.
    pub async fn enable_level(
        &self,
        person: &Person,
        link: &LinkName,
        level: &LevelName,
    ) -> Result<Idempotent<LinkView>, NotExecuted> {
        let id = self.context.registry.find_link(link).await?;
        let level = self.level_index(id, level).await?;
        let command = PersonCommand::EnableLevel { level };
        self.change_state(person, id, link, command).await
    }

    /// Disables a table, which then takes no coin-in. A replay if the table was disabled already.
    ///
    /// # Errors
    /// [`NotExecuted`] if the table is unchanged.
    pub async fn disable_table(
        &self,
        person: &Person,
        table: &TableName,
        reason: Note,
    ) -> Result<Idempotent<TableView>, NotExecuted> {
        let command = |table| PersonCommand::DisableTable { table, reason };
        self.change_table(person, table, command).await
    }

    /// Enables a disabled table. A replay if the table was not disabled.
    ///
    /// # Errors
    /// [`NotExecuted`] if the table is unchanged.
    pub async fn enable_table(
        &self,
        person: &Person,
        table: &TableName,
    ) -> Result<Idempotent<TableView>, NotExecuted> {
        let command = |table| PersonCommand::EnableTable { table };
        self.change_table(person, table, command).await
    }

    /// Removes a table from its link for good. A replay if the table left before.
    ///
    /// # Errors
    /// [`NotExecuted`] if the table is unchanged.
    pub async fn leave_link(
        &self,
        person: &Person,
        table: &TableName,
        reason: Note,
    ) -> Result<Idempotent<TableView>, NotExecuted> {
        let command = |table| PersonCommand::LeaveLink { table, reason };
        self.change_table(person, table, command).await
    }

    async fn change_table(
        &self,
        person: &Person,
        table: &TableName,
        command: impl FnOnce(TableNo) -> PersonCommand,
    ) -> Result<Idempotent<TableView>, NotExecuted> {
        let table_ref = self.context.registry.find_table(table).await?;
        let command = command(table_ref.number);
        let done = self.submit_for(person, table_ref.link, command).await?;
        let view = self.table(table).await?;
        Ok(done.map(|()| view))
    }

    async fn change_state(
        &self,
        person: &Person,
        id: LinkId,
        link: &LinkName,
        command: PersonCommand,
    ) -> Result<Idempotent<LinkView>, NotExecuted> {
        let done = self.submit_for(person, id, command).await?;
        let view = self.link(link).await?;
        Ok(done.map(|()| view))
    }

    /// Returns the index of a level in the link's paytable.
    pub(crate) async fn level_index(
        &self,
        link: LinkId,
        level: &LevelName,
    ) -> Result<u8, NotExecuted> {
        let terms = self.context.registry.terms(link).await?;
        let mut levels = (0_u8..).zip(&terms.content().levels);
        let found = levels.find(|(_, known)| known.name == *level);
        found.map(|(index, _)| index).ok_or_else(|| {
            let refusal = Refusal::new(RefusalCode::NoSuchLevel);
            NotExecuted::Refused(refusal.with("level", level))
        })
    }

    /// Sends a person's command. A command that the same person executed before is a replay. A refusal is an error.
    pub(crate) async fn submit_for(
        &self,
        person: &Person,
        link: LinkId,
        command: PersonCommand,
    ) -> Result<Idempotent<()>, NotExecuted> {
        let envelope = Envelope {
            actor: person.actor,
            by: Some(person.name.clone()),
            device_time: None,
            command: Command::Person(command),
        };
        match self
            .context
            .registry
            .submit(link, envelope, Instant::now())
            .await?
        {
            CommandResult::Answer(answer) => match &answer.outcome.recorded.event {
                Event::Refused { refusal, .. } => Err(NotExecuted::Refused(refusal.clone())),
                _ => Ok(Idempotent {
                    value: (),
                    replayed: answer.replayed,
                }),
            },
            CommandResult::DoneBefore => Ok(Idempotent::repeat(())),
        }
    }
}
