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

/// The sender of one witness.
pub(super) struct Sender {
    store: Store,
    witness: Witness,
    vouches: Vouches,
    unsent: Gauge<u64>,
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
        let mut refused = None;
        let mut unsent = 0;
        let mut after = LinkId(-1);
        loop {
            let page = self.store.witness_chains(self.key(), after).await?;
            let Some(last) = page.last() else { break };
            after = last.chain.link;
            for chain in page {
                match self.send_chain(&chain).await {
                    Ok(left) => unsent += left,
                    Err(error @ SendError::Refused { .. }) => {
                        unsent += 1;
                        refused = Some(error);
                    }
                    Err(error) => {
                        self.unsent.record(unsent.max(1), &self.labels());
                        return Err(error);
                    }
                }
            }
        }
        self.unsent.record(unsent, &self.labels());
        refused.map_or(Ok(()), Err)
    }

    /// Returns the name under which the database keeps the positions.
    fn key(&self) -> &str {
        match &self.witness {
            Witness::File(_) => "",
            Witness::Url(url) => url.address(),
        }
    }

    /// Sends the heads of one chain. Returns the number of those that are left for the next time.
    async fn send_chain(&mut self, chain: &WitnessChain) -> Result<u64, SendError> {
        let mut sent = self.position(chain).await?;
        while sent < chain.newest {
            let heads = self.store.signed_heads(&chain.chain, sent).await?;
            let Some(last) = heads.last().map(|signed| signed.head.number) else {
                return Ok(chain.newest - sent);
            };
            for signed in heads {
                let number = signed.head.number;
                match self.send(&signed).await {
                    Ok(Receipt::Kept) => {}
                    Ok(Receipt::Contradicts) => self.contradicted(&signed),
                    Ok(Receipt::Lacks { expected }) => {
                        tracing::warn!(
                            witness = self.name(),
                            expected,
                            "the witness lacks heads that were sent: they are sent again"
                        );
                        let expected = expected.max(1) - 1;
                        self.keep_position(chain, expected, true).await?;
                        return Ok(chain.newest.saturating_sub(expected).max(1));
                    }
                    Err(error) => {
                        self.keep_position(chain, number - 1, false).await?;
                        return Err(error);
                    }
                }
            }
            self.keep_position(chain, last, false).await?;
            sent = last;
        }
        Ok(0)
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

    async fn keep_position(
        &self,
        chain: &WitnessChain,
        number: u64,
        is_lowered: bool,
    ) -> Result<(), StoreError> {
        let Witness::Url(url) = &self.witness else {
            return Ok(());
        };
        let (link, address) = (chain.chain.link, url.address());
        let kept = self
            .store
            .set_witness_position(address, link, number, is_lowered);
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
