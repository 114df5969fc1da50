//! Verification of an export's file: no database and no network, only the pure rules.
//!
//! # Shape
//! The reader checks every hash of both chains. The link is replayed as `verify` replays the database: each event is
//! decided again and applied. Both trees are made again, and compared with each signed head and with the heads that a
//! witness kept.
//!
//! # Limits
//! One batch and one state in memory at a time.

use std::io::Read;

use meterhouse_domain::ids::{LinkId, LinkName, Timestamp};
use meterhouse_journal::export::{ExportHeader, ExportItem, ExportStart, ExportTotals};
use meterhouse_journal::export_reader::ExportReader;
use meterhouse_journal::file_parts::{FileError, LinkPart};
use meterhouse_journal::signing_keys::SigningKeys;
use meterhouse_journal::snapshot::Snapshot;
use meterhouse_journal::tree_head::{HOUSE, PublicKey, SignedHead};
use meterhouse_store::verify::pieces::Piece;
use meterhouse_store::{Head, StoredBatch};

use super::link_report::{FINDINGS_MAX, LinkReport};
use super::replay::Replay;
use super::signed::{ChainCheck, HeadsReport, WitnessReport};

/// Time by which a part of a file may be later than the time of its writing, in microseconds: that is taken before the parts are
/// read, and by one of several clocks.
const LATER_THAN_WRITTEN_MAX: i64 = 300_000_000;

/// What a reader knows besides the file.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// Keys that the reader has from the house itself.
    pub keys: Vec<PublicKey>,
    /// Heads that a witness kept. `None` without a witness.
    pub witnessed: Option<Vec<SignedHead>>,
}

impl Known {
    /// Returns the heads of a chain of the header's database that the witness kept.
    fn of_chain(&self, header: &ExportHeader, link: LinkId) -> Vec<SignedHead> {
        let is_of_chain = |signed: &&SignedHead| {
            signed.head.identity == header.identity && signed.head.link == link
        };
        let witnessed = self.witnessed.iter().flatten();
        witnessed.filter(is_of_chain).cloned().collect()
    }
}

/// The result of verifying a file.
#[derive(Clone, Debug)]
pub struct FileReport {
    /// Beginning of the file.
    pub header: ExportHeader,
    /// Counts of the file; `None` if its end was not reached.
    pub totals: Option<ExportTotals>,
    /// Number of the batch before the first one here.
    pub before: u64,
    /// The link; `None` if the file ends before it.
    pub link: Option<LinkReport>,
    /// Signed heads of both chains.
    pub heads: HeadsReport,
    /// What the witness says; `None` without one.
    pub witness: Option<WitnessReport>,
    /// Differences that are not the link's.
    pub findings: Vec<String>,
    /// Differences beyond those named.
    pub more_findings: u64,
}

impl FileReport {
    /// Returns `true` if nothing differs.
    pub fn agrees(&self) -> bool {
        let link = self.link.as_ref();
        self.findings.is_empty()
            && link.is_some_and(|link| link.findings.is_empty() && link.more_findings == 0)
    }
}

/// Verifies a file.
///
/// # Errors
/// [`FileError`] if the input is no file of an export. Differences are no error: the report contains them.
pub fn verify_file(input: impl Read, known: &Known) -> Result<FileReport, FileError> {
    let mut file = ExportReader::open(input)?;
    let header = file.header().clone();
    let house = known.of_chain(&header, HOUSE);
    let mut check = FileCheck {
        known,
        header,
        totals: None,
        link_part: None,
        house: ChainCheck::new(HOUSE, String::new(), house),
        link: None,
        keys: SigningKeys::default(),
        newest: Timestamp(i64::MIN),
        findings: Vec::new(),
    };
    loop {
        match file.next_item() {
            Ok(ExportItem::End(totals)) => {
                check.totals = Some(totals);
                break;
            }
            Ok(item) => check.item(item),
            Err(error) => {
                check.findings.push(error.to_string());
                break;
            }
        }
    }
    Ok(check.finish())
}

/// A verification under way.
struct FileCheck<'a> {
    known: &'a Known,
    header: ExportHeader,
    totals: Option<ExportTotals>,
    link_part: Option<LinkPart>,
    house: ChainCheck,
    link: Option<(Replay, ChainCheck)>,
    keys: SigningKeys,
    /// Latest time of an entry, a batch or a head.
    newest: Timestamp,
    findings: Vec<String>,
}

impl FileCheck<'_> {
    fn item(&mut self, item: ExportItem) {
        match item {
            ExportItem::HouseEntry(entry, hash) => {
                self.newest = self.newest.max(entry.at);
                self.house.leaf(hash, &mut self.findings);
                if let Err(error) = self.keys.add(&self.header.identity, &entry) {
                    let number = entry.number;
                    self.findings
                        .push(format!("entry {number} of the house's chain: {error}"));
                }
            }
            ExportItem::Head(signed) => {
                self.newest = self.newest.max(signed.head.at);
                let chain = match &mut self.link {
                    Some((_, chain)) => chain,
                    None => &mut self.house,
                };
                chain.head(&self.header.identity, &signed, &mut self.findings);
            }
            ExportItem::Link(link) => self.link(link),
            ExportItem::Start(start) => self.start(&start),
            ExportItem::Batch(batch, chain_hash) => {
                let Some((replay, chain)) = &mut self.link else {
                    return;
                };
                self.newest = self.newest.max(batch.at);
                chain.leaf(chain_hash, &mut self.findings);
                replay.piece(Piece::Batch(StoredBatch { batch, chain_hash }));
            }
            ExportItem::End(_) => {}
        }
    }

    fn link(&mut self, link: LinkPart) {
        let Ok(name) = link.name.parse::<LinkName>() else {
            self.findings
                .push(format!("the link has no valid name: {:?}", link.name));
            return;
        };
        let witnessed = self.known.of_chain(&self.header, link.link);
        let chain = ChainCheck::new(link.link, link.name.clone(), witnessed);
        self.link = Some((Replay::new(name, true), chain));
        self.link_part = Some(link);
    }

    fn start(&mut self, start: &ExportStart) {
        let (Some((replay, chain)), Some(link)) = (&mut self.link, &self.link_part) else {
            return;
        };
        let place = (link.before, link.hash_before);
        let snapshot = Snapshot::decode(&start.snapshot).and_then(Snapshot::whole);
        let snapshot = match snapshot {
            Ok(snapshot) if (snapshot.batch, snapshot.chain_hash) == place => snapshot,
            Ok(_) => return replay.find("the state before is of another batch".to_owned()),
            Err(error) => return replay.find(format!("the state before can't be read: {error}")),
        };
        let (before, hash, nodes) = (link.before, link.hash_before, &start.peaks);
        chain.begin(before, hash, nodes, &mut self.findings);
        replay.head = Head {
            batch: snapshot.batch,
            epoch: snapshot.epoch,
            chain_hash: snapshot.chain_hash,
            period: snapshot.period,
        };
        replay.state = Some(snapshot.state);
    }

    fn finish(self) -> FileReport {
        let Self {
            known,
            header,
            totals,
            link_part,
            house,
            link,
            keys,
            newest,
            mut findings,
        } = self;
        let mut heads = HeadsReport::default();
        let mut witness = known.witnessed.is_some().then(WitnessReport::default);
        let chains = [Some(&house), link.as_ref().map(|(_, chain)| chain)];
        for chain in chains.into_iter().flatten() {
            // A file without its end is not compared with the witness's last heads.
            if totals.is_some() {
                let until = header.until.map_or(header.at, |until| until.min(header.at));
                chain.end(until, header.at, &mut findings);
            }
            chain.report(&keys, &known.keys, &mut heads);
            if let Some(witness) = &mut witness {
                chain.witness(witness);
            }
        }
        let has_batches = link
            .as_ref()
            .is_some_and(|(replay, _)| replay.report.batches > 0);
        let foreign = heads.foreign_keys(&keys, &known.keys);
        let is_unsigned = foreign.is_empty() && !heads.says_something();
        if has_batches && !known.keys.is_empty() && is_unsigned {
            findings.push("no signed head of the link is by a trusted key".to_owned());
        }
        if witness.as_ref().is_some_and(WitnessReport::is_silent) {
            let what = "no head of the witness is about an entry or a batch of this file";
            findings.push(what.to_owned());
        }
        if header.at.0.saturating_add(LATER_THAN_WRITTEN_MAX) < newest.0 {
            let what = "the file says that it was written before its newest entry, batch or head";
            findings.push(what.to_owned());
        }
        findings.extend(foreign);
        let more_findings = findings.len().saturating_sub(FINDINGS_MAX);
        findings.truncate(FINDINGS_MAX);
        FileReport {
            header,
            totals,
            before: link_part.map_or(0, |link| link.before),
            link: link.map(|(replay, _)| replay.report),
            heads,
            witness,
            findings,
            more_findings: more_findings as u64,
        }
    }
}
