//! The sending of new heads to one witness, chain by chain.

use meterhouse_api::witness::DepositHeadRequest;
use meterhouse_domain::ids::LinkId;
use meterhouse_journal::tree_head::SignedHead;
use meterhouse_store::{Store, StoreError, WitnessChain};
use opentelemetry::KeyValue;
use opentelemetry::metrics::{Counter, Gauge};

use super::file::FileWitness;
use super::receipt::{Receipt, SendError};
use super::url::UrlWitness;
use super::vouches::Vouches;

/// A witness.
pub(super) enum Witness {
    /// A file on this machine.
    File(FileWitness),
    /// An address.
    Url(UrlWitness),
}

/// A chain with heads that the witness does not have.
struct Waiting {
    chain: WitnessChain,
    /// Number of the newest head that the witness has; 0 without one.
    sent: u64,
}

impl Waiting {
    fn unsent(&self) -> u64 {
        self.chain.newest.saturating_sub(self.sent)
    }
}

/// The sender of one witness.
pub(super) struct Sender {
    store: Store,
    witness: Witness,
    vouches: Vouches,
    unsent: Gauge<u64>,
    /// Newest measure of the unsent heads.
    last_unsent: u64,
    failures: Counter<u64>,
    contradictions: Counter<u64>,
}

impl Sender {
    pub(super) fn new(store: Store, witness: Witness) -> Self {
        let meter = opentelemetry::global::meter("meterhouse");
        let counter = |name, unit, what| {
            let counter = meter.u64_counter(name);
            counter.with_unit(unit).with_description(what).build()
        };
        let unsent = meter.u64_gauge("meterhouse.witness.unsent");
        let this = Self {
            unsent: unsent
                .with_unit("{head}")
                .with_description("Signed heads that the witness does not have yet")
                .build(),
            failures: counter(
                "meterhouse.witness.failures",
                "{attempt}",
                "Failed attempts to send heads to the witness",
            ),
            contradictions: counter(
                "meterhouse.witness.contradictions",
                "{head}",
                "Heads of this house that its witness found to contradict an earlier one",
            ),
            last_unsent: 0,
            store,
            witness,
            vouches: Vouches::default(),
        };
        // An increase from 0 to 1 is seen only if 0 was there.
        for alarm in [&this.failures, &this.contradictions] {
            alarm.add(0, &this.labels());
        }
        this
    }

    /// Returns the word for the kind of the witness.
    pub(super) fn name(&self) -> &'static str {
        match self.witness {
            Witness::File(_) => "file",
            Witness::Url(_) => "url",
        }
    }

    fn labels(&self) -> [KeyValue; 1] {
        [KeyValue::new("witness", self.name())]
    }

    /// Counts a failed attempt.
    pub(super) fn record_failure(&self) {
        self.failures.add(1, &self.labels());
    }

    /// Sends all heads that the witness does not have. A chain that is refused does not hold up the others.
    pub(super) async fn send_new(&mut self) -> Result<(), SendError> {
        let mut waiting = self.waiting().await?;
        let mut refused = None;
        for chain in &mut waiting {
            let before = chain.unsent();
            let sent = self.send_chain(chain).await;
            self.change_unsent(before, chain.unsent());
            match sent {
                Err(error @ SendError::Refused { .. }) => refused = Some(error),
                sent => sent?,
            }
        }
        refused.map_or(Ok(()), Err)
    }

    /// Returns the chains that have heads that the witness does not have, and measures the number of these heads.
    async fn waiting(&mut self) -> Result<Vec<Waiting>, SendError> {
        // What is not open has heads that wait, too.
        let opened = match &mut self.witness {
            Witness::File(file) => file.open().await,
            Witness::Url(_) => Ok(()),
        };
        let mut waiting = Vec::new();
        let mut after = LinkId(-1);
        loop {
            let page = self.store.witness_chains(self.key(), after).await?;
            let Some(last) = page.last() else { break };
            after = last.chain.link;
            for chain in page {
                let sent = self.position(&chain).await?;
                waiting.push(Waiting { chain, sent });
            }
        }
        waiting.retain(|chain| chain.unsent() > 0);
        let unsent = waiting.iter().map(Waiting::unsent).sum();
        self.change_unsent(self.last_unsent, unsent);
        opened.map(|()| waiting)
    }

    /// Notes that a part of the unsent heads has become another number.
    fn change_unsent(&mut self, before: u64, now: u64) {
        self.last_unsent = (self.last_unsent + now).saturating_sub(before);
        self.unsent.record(self.last_unsent, &self.labels());
    }

    /// Returns the name under which the database keeps the positions.
    fn key(&self) -> &str {
        match &self.witness {
            Witness::File(_) => "",
            Witness::Url(url) => url.address(),
        }
    }

    /// Sends the heads of one chain, and notes how far it came.
    async fn send_chain(&mut self, waiting: &mut Waiting) -> Result<(), SendError> {
        while waiting.unsent() > 0 {
            let chain = &waiting.chain;
            let heads = self.store.signed_heads(&chain.chain, waiting.sent).await?;
            if heads.is_empty() {
                return Ok(());
            }
            for signed in heads {
                match self.send(&signed).await {
                    Ok(Receipt::Kept) => {}
                    Ok(Receipt::Contradicts) => self.contradicted(&signed),
                    Ok(Receipt::Lacks { expected }) => {
                        tracing::warn!(
                            witness = self.name(),
                            expected,
                            "the witness lacks heads that were sent: they are sent again"
                        );
                        waiting.sent = expected.max(1) - 1;
                        return Ok(self.keep_position(waiting, true).await?);
                    }
                    Err(error) => {
                        self.keep_position(waiting, false).await?;
                        return Err(error);
                    }
                }
                waiting.sent = signed.head.number;
            }
            self.keep_position(waiting, false).await?;
        }
        Ok(())
    }

    async fn position(&mut self, chain: &WitnessChain) -> Result<u64, SendError> {
        let Witness::File(file) = &mut self.witness else {
            return Ok(chain.sent);
        };
        if file.is_another_history(&self.store, chain).await? {
            let name = chain.chain.name.clone();
            tracing::error!(
                link = name,
                "the witness's file has a head that the database does not have: all heads of the chain are written again"
            );
            self.contradictions.add(1, &self.labels());
            return Ok(0);
        }
        Ok(file.last(chain.chain.link))
    }

    async fn keep_position(&self, waiting: &Waiting, is_lowered: bool) -> Result<(), StoreError> {
        let Witness::Url(url) = &self.witness else {
            return Ok(());
        };
        let (link, address) = (waiting.chain.chain.link, url.address());
        let kept = self
            .store
            .set_witness_position(address, link, waiting.sent, is_lowered);
        kept.await
    }

    async fn send(&mut self, signed: &SignedHead) -> Result<Receipt, SendError> {
        let vouches = self.vouches.of(&self.store, signed.key).await?;
        let request = DepositHeadRequest {
            bytes: hex::encode(signed.head.bytes()),
            public_key: signed.key.to_string(),
            signature: hex::encode(signed.signature),
            vouches: (!vouches.is_empty()).then(|| vouches.into()),
        };
        match &mut self.witness {
            Witness::File(file) => {
                file.append(&signed.head, &request).await?;
                Ok(Receipt::Kept)
            }
            Witness::Url(url) => url.post(&signed.head, &request).await,
        }
    }

    /// Reports that the witness has a head that contradicts this one.
    fn contradicted(&self, signed: &SignedHead) {
        self.contradictions.add(1, &self.labels());
        tracing::error!(
            witness = self.name(),
            link = signed.head.name,
            head = signed.head.number,
            "the witness has another head than this one: somebody signed two histories, or a backup was restored"
        );
    }
}
