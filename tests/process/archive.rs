//! `meterhouse archive`: the events of a past month are in a file, while tables play.
//!
//! # Shape
//! A server plays on two links. Then a committer whose clock is a month ahead commits on both, so that the first month
//! is over: the month of a link never goes back. The program archives the first month.

mod decisions;
mod interrupted;
mod play;
mod refused;

use std::path::{Path, PathBuf};

use meterhouse_api::text::Text;
use meterhouse_domain::command::{Command, Envelope, PersonCommand};
use meterhouse_domain::ids::{ActorId, LinkId, Timestamp};
use meterhouse_engine::clock::{now, period_of};
use meterhouse_engine::simulation::Simulated;
use meterhouse_store::Month;
use meterhouse_tests::{Database, Dealer, FIVE_CARD_A, FIVE_CARD_C, House};
use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions as _, Row as _};
use tempfile::TempDir;

use crate::program::{PROGRAM, ProgramOutput, command, folder, run_to_end};

/// The longest month, in microseconds.
const MONTH: i64 = 31 * 86_400 * 1_000_000;
/// A royal flush.
const ROYAL: &str = "As Ks Qs Js Ts";

/// A house that has played for two months.
struct Played {
    house: House,
    /// T1 and T2 of the link `main`, T9 of the link `other`.
    dealers: Vec<Dealer>,
    /// First month.
    month: Month,
    /// Folder of the files.
    files: TempDir,
}

impl Played {
    /// The time of a batch of the link `main`, as the API writes it.
    async fn time_of_batch(&self, batch: u64) -> String {
        let asked = format!("SELECT at FROM batch WHERE link_id = 1 AND batch = {batch}");
        let rows = self.house.database.rows(&asked).await;
        Text(Timestamp(rows[0].get(0))).to_string()
    }

    /// Plays a month on two links with a paid hit and an adjustment, and begins the next month.
    async fn begin() -> Self {
        let (house, mut dealers) = House::playing(FIVE_CARD_C, &["T1", "T2"]).await;
        house.link("other", FIVE_CARD_A).await;
        dealers.push(house.table("T9", "other", FIVE_CARD_A).await);
        dealers[0].rounds(70, &[1, 2]).await;
        let sam = house.supervisor("sam").await;
        drop(dealers[0].coin_in(&[3]).await.created());
        drop(dealers[0].hit(3, "royal-flush", ROYAL).await.created());
        drop(sam.approve("T1.142").await.created());
        drop(sam.pay("T1.142", 1, "JP-1").await.created());
        drop(dealers[0].close().await.created());
        let both = house.two_people().await;
        drop(both.adjust("main", "mega", "meter", "1.00").await);
        dealers[1].rounds(3, &[4]).await;
        dealers[2].rounds(2, &[1]).await;
        let played = Self {
            house,
            dealers,
            month: Month(period_of(now())),
            files: folder(),
        };
        played.next_month(1).await;
        played
    }

    /// Moves both links into a later month.
    async fn next_month(&self, months: i64) {
        for link in [1, 2] {
            let journal = self.house.server.store.journal(LinkId(link));
            let clock = move || Timestamp(now().0 + months * MONTH);
            let later = Simulated::start(LinkId(link), "later", journal, clock).await;
            let later = later.expect("the link is loaded");
            let reason = "the month ends".parse().expect("a note");
            for command in [
                PersonCommand::SuspendLink { reason },
                PersonCommand::ResumeLink,
            ] {
                let envelope = Envelope {
                    actor: ActorId(1),
                    by: None,
                    device_time: None,
                    command: Command::Person(command),
                };
                drop(later.submit(envelope).await.expect("a commit"));
            }
            later.stop().await;
        }
    }

    /// Runs `meterhouse archive` as the owner.
    async fn archive(&self, arguments: &[&str]) -> ProgramOutput {
        archive_as(&self.house.database.superuser, arguments).await
    }

    /// Runs a step on the first month, with the folder behind `flag`.
    async fn step(&self, step: &str, flag: &str) -> ProgramOutput {
        let month = self.month.to_string();
        let files = self.files.path().display().to_string();
        self.archive(&[step, "--month", &month, flag, &files]).await
    }

    async fn write(&self) -> ProgramOutput {
        self.step("write", "--to").await
    }

    async fn detach(&self) -> ProgramOutput {
        self.step("detach", "--from").await
    }

    /// Writes and detaches the first month.
    async fn archived(self) -> Self {
        drop(self.write().await.with_code(0));
        drop(self.detach().await.with_code(0));
        self
    }

    fn file(&self) -> PathBuf {
        self.files
            .path()
            .join(format!("meterhouse-{}.archive", self.month))
    }

    async fn verify(&self, arguments: &[&str]) -> ProgramOutput {
        verify(&self.house.database, arguments).await
    }

    /// Verifies with the files.
    async fn verify_all(&self) -> ProgramOutput {
        let files = self.files.path().display().to_string();
        self.verify(&["--archive", &files]).await
    }

    async fn end(self) {
        self.house.server.stop().await;
    }
}

async fn archive_as(role: &PgConnectOptions, arguments: &[&str]) -> ProgramOutput {
    let mut program = command(PROGRAM);
    program.arg("archive").args(arguments);
    program.env("DATABASE_URL", role.to_url_lossy().to_string());
    run_to_end(program).await
}

async fn verify(database: &Database, arguments: &[&str]) -> ProgramOutput {
    let mut program = command(PROGRAM);
    program.arg("verify").args(arguments);
    program.env(
        "DATABASE_URL",
        database.application.to_url_lossy().to_string(),
    );
    run_to_end(program).await
}

/// Changes one bit of a file.
fn flip(path: &Path, byte: usize) {
    let mut bytes = std::fs::read(path).expect("the file");
    bytes[byte] ^= 1;
    std::fs::write(path, bytes).expect("the file");
}
