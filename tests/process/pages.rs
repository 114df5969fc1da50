//! The commands of the documents, word for word, and the output that the pages show.
//!
//! # Shape
//! The marked blocks of a page run in one shell and one folder, as a reader would type them: `meterhouse_tests::page`
//! has the marks. A page that goes on where another one ended runs after that one.
//!
//! # Difference
//! The ports: other processes may use 8080 and 8081, so free ones take their place. A command that fails ends the page.

use std::fs::{self, File};
use std::os::unix::fs::{MetadataExt as _, chown, symlink};
use std::path::Path;
use std::time::Duration;

use meterhouse_tests::page::{Mark, commands, first_difference};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use tokio::process::Command;
use tokio::time::timeout;

use crate::program::{PROGRAM, command, folder, own_address};

/// Maximum time of a page's commands.
const PAGE_MAX: Duration = Duration::from_mins(5);
/// Time for a shell that is stopped to stop its server.
const STOP_MAX: Duration = Duration::from_secs(30);
/// User and group without rights.
const NOBODY: u32 = 65_534;
/// Line before the output of each block.
const NEXT: &str = "==> next block";

/// Default addresses, with the variable that sets each.
const ADDRESSES: [(&str, &str); 2] = [
    ("127.0.0.1:8080", "METERHOUSE_HTTP_LISTEN"),
    ("127.0.0.1:8081", "METERHOUSE_GRPC_LISTEN"),
];

/// A block that is run.
struct Block {
    place: String,
    text: String,
    /// The output that the page shows, or an empty text.
    output: String,
}

/// Returns the blocks of a page that this test runs.
fn blocks(page: &str) -> Vec<Block> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(page);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{page}: {error}"));
    let here = commands(&text).into_iter();
    let here = here.filter(|block| block.mark == Mark::Run);
    here.map(|block| Block {
        place: format!("{page}:{}", block.line),
        text: block.text,
        output: block.output.unwrap_or_default(),
    })
    .collect()
}

/// Puts the program into `bin` of a folder. Root's pages are those of an ordinary user, as a reader would be one.
fn give_program(home: &Path, bash: &mut Command) {
    let program = home.join("bin/meterhouse");
    fs::create_dir(home.join("bin")).expect("a folder");
    if fs::metadata(home).expect("the folder").uid() == 0 {
        // Other users may not get to the program's own folder.
        fs::copy(PROGRAM, program).expect("a copy");
        chown(home, Some(NOBODY), Some(NOBODY)).expect("another owner");
        bash.uid(NOBODY).gid(NOBODY);
    } else {
        symlink(PROGRAM, program).expect("a link");
    }
}

/// Runs pages one after another, and compares their output.
async fn run(pages: &[&str]) {
    let mut blocks: Vec<Block> = pages.iter().flat_map(|page| blocks(page)).collect();
    assert!(!blocks.is_empty(), "{pages:?} have no commands");
    // The demo leaves nothing that a later page needs, and its own page has a test.
    blocks.retain(|block| pages.len() == 1 || !block.text.starts_with("meterhouse demo"));
    let folder = folder();
    let home = folder.path();
    let mut bash = command("bash");
    give_program(home, &mut bash);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = format!("{}:{}", home.join("bin").display(), path.display());
    bash.env("PATH", path)
        .env("HOME", home)
        .env("NO_PROXY", "127.0.0.1")
        .current_dir(home)
        .process_group(0);
    for (shown, variable) in ADDRESSES {
        let address = own_address().to_string();
        for block in &mut blocks {
            block.text = block.text.replace(shown, &address);
            block.output = block.output.replace(shown, &address);
        }
        bash.env(variable, address);
    }
    // A server that a page leaves running ends with the shell.
    let begin = "set -e\ntrap 'kill $(jobs -p) 2>/dev/null || true; wait' EXIT\n".to_owned();
    let script = blocks.iter().fold(begin, |script, block| {
        format!(
            "{script}echo '{NEXT}'; echo '{NEXT}: {}' >&2\n{}",
            block.place, block.text
        )
    });
    fs::write(home.join("commands"), script).expect("a script");
    let [out, err] = ["out", "err"].map(|name| home.join(name));
    bash.arg("./commands")
        .stdout(File::create(&out).expect("a file"))
        .stderr(File::create(&err).expect("a file"));

    let mut child = bash.spawn().expect("a shell");
    let ended = timeout(PAGE_MAX, child.wait()).await;
    let code = if let Ok(status) = ended {
        status.expect("an end").code()
    } else {
        let pid = child.id().and_then(|id| i32::try_from(id).ok());
        killpg(Pid::from_raw(pid.expect("a process")), Signal::SIGTERM).expect("a signal");
        let _ = timeout(STOP_MAX, child.wait()).await;
        None
    };
    let [out, err] = [out, err].map(|file| fs::read_to_string(file).expect("its output"));
    let log = fs::read_to_string(home.join("mh.log")).unwrap_or_default();
    assert_eq!(code, Some(0), "{pages:?}\n{out}\n{err}\n{log}");
    let outputs = out.split(NEXT).skip(1);
    for (block, output) in blocks.iter().zip(outputs) {
        let difference = first_difference(&block.output, output);
        if let Some(line) = difference.filter(|_| !block.output.is_empty()) {
            panic!("{} shows\n{line}\nbut prints{output}", block.place);
        }
    }
}

/// The README's commands about paytables and games print something.
#[tokio::test]
async fn the_readme() {
    run(&["README.md"]).await;
}

/// The first half hour, from the demo to the checked books.
#[tokio::test]
async fn the_first_half_hour() {
    run(&["docs/first-half-hour.md"]).await;
}

/// The recipes, which go on where the first half hour ended.
#[tokio::test]
async fn the_recipes() {
    run(&["docs/first-half-hour.md", "docs/recipes.md"]).await;
}

/// Certificates, authorities and tokens are replaced while the server runs.
#[tokio::test]
async fn key_rotation() {
    run(&["docs/first-half-hour.md", "docs/operating/key-rotation.md"]).await;
}

/// A fault is practised: seen, kept as evidence, put right and cleared by two people.
#[tokio::test]
async fn incidents() {
    run(&["docs/first-half-hour.md", "docs/operating/incident.md"]).await;
}

/// The first administrator, a login, and nobody past them.
#[tokio::test]
async fn people() {
    run(&["docs/first-half-hour.md", "docs/operating/people.md"]).await;
}

/// A proof, a witness, an export that is checked, and a new key.
#[tokio::test]
async fn proofs() {
    run(&["docs/first-half-hour.md", "docs/operating/proofs.md"]).await;
}
