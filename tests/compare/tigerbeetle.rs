//! The way of `TigerBeetle`: its own `benchmark` command, which starts one replica and a client.
//!
//! # Shape
//! Every transfer has the one hot account on its debit side. A client sends one full batch after the other.

use std::path::Path;
use std::time::Duration;

use meterhouse_tests::comparison::foreign::TigerBeetleFigures;
use tokio::process::Command;
use tokio::time::timeout;

use crate::Failure;

/// Transfers of a batch: the most that `TigerBeetle` takes, and its default.
pub(crate) const BATCH: u64 = 8_189;
/// Accounts, of which one is hot.
const ACCOUNTS: &str = "--account-count=501";
const HOT: [&str; 2] = ["--account-count-hot=1", "--transfer-hot-percent=100"];
/// Transfers for each second that is asked for. The command takes a number of transfers, not a time.
const TRANSFERS_A_SECOND: u64 = 500_000;
/// The time that it may take, times the time that is asked for, and for its start and end in addition.
const TIMES_MAX: u32 = 10;
const SLACK: Duration = Duration::from_mins(1);

/// Plays transfers for about so long, with its file in a folder. It ends with a failure if a transfer is not accepted.
pub(crate) async fn play(
    program: &Path,
    folder: &Path,
    length: Duration,
) -> Result<TigerBeetleFigures, Failure> {
    let transfers = length.as_secs().max(1) * TRANSFERS_A_SECOND;
    let transfers = transfers.next_multiple_of(BATCH);
    let mut command = Command::new(program);
    command
        .args(["benchmark", ACCOUNTS])
        .args(HOT)
        .arg(format!("--transfer-count={transfers}"))
        .current_dir(folder)
        .kill_on_drop(true);
    let most = length * TIMES_MAX + SLACK;
    let ended = timeout(most, command.output()).await??;
    let (output, log) = (
        String::from_utf8_lossy(&ended.stdout),
        String::from_utf8_lossy(&ended.stderr),
    );
    if !ended.status.success() {
        return Err(format!("tigerbeetle ended with {}:\n{log}", ended.status).into());
    }
    let figures: TigerBeetleFigures = output.parse()?;
    if figures.batch != BATCH {
        let batch = figures.batch;
        return Err(format!(
            "this tigerbeetle sends batches of {batch} transfers, not of {BATCH}: name another release"
        )
        .into());
    }
    Ok(figures)
}
