//! Helpers of the supervisor's tests: a data directory, a second process, waiting for conditions.

use std::fs::{self, Permissions};
use std::io::{BufRead as _, BufReader, Lines};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use meterhouse_postgres::{Options, Server};
use nix::unistd::{User, geteuid};
use sqlx::{Connection as _, PgConnection};
use tempfile::TempDir;

/// Time limit for any condition of a test.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);
/// Environment variable with the data directory of the second process.
pub(crate) const OWNER_DATA_DIR: &str = "METERHOUSE_TEST_OWNER_DATA_DIR";
/// User that the tests run as once more.
const ORDINARY_USER: &str = "nobody";

/// Creates a temporary directory that the user Postgres runs as can walk through.
pub(crate) fn folder() -> TempDir {
    let folder = tempfile::Builder::new().prefix("mh-").tempdir().unwrap();
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
    folder
}

pub(crate) async fn start(data_dir: &Path) -> Server {
    Server::start(&Options::small(data_dir)).await.unwrap()
}

pub(crate) async fn connect(server: &Server) -> PgConnection {
    PgConnection::connect_with(&server.connect_options())
        .await
        .unwrap()
}

/// Returns the number of rows in the table `acknowledged`.
pub(crate) async fn count(server: &Server) -> i64 {
    let mut connection = connect(server).await;
    sqlx::query_scalar("SELECT count(*) FROM acknowledged")
        .fetch_one(&mut connection)
        .await
        .unwrap()
}

pub(crate) async fn create_table(server: &Server) {
    let mut connection = connect(server).await;
    sqlx::query("CREATE TABLE IF NOT EXISTS acknowledged (row_number bigint PRIMARY KEY)")
        .execute(&mut connection)
        .await
        .unwrap();
}

/// Adds one row; it is acknowledged when this returns.
pub(crate) async fn add_row(connection: &mut PgConnection) -> i64 {
    sqlx::query_scalar(
        "INSERT INTO acknowledged SELECT count(*) + 1 FROM acknowledged RETURNING row_number",
    )
    .fetch_one(connection)
    .await
    .unwrap()
}

/// Waits for a condition, with a limit.
pub(crate) fn until(what: &str, mut condition: impl FnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !condition() {
        assert!(Instant::now() < deadline, "still not: {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

pub(crate) fn is_alive(pid: i32) -> bool {
    // A zombie has no working directory.
    fs::read_link(format!("/proc/{pid}/cwd")).is_ok()
}

/// A second process that owns the server, a copy of this test binary running `owner_process`. Killed when dropped.
pub(crate) struct Owner {
    pub(crate) process: Child,
    pub(crate) lines: Lines<BufReader<ChildStdout>>,
}

impl Owner {
    pub(crate) fn spawn(data_dir: &Path, environment: &[(&str, &str)]) -> Self {
        Self::spawn_with(data_dir, |command| {
            command.envs(environment.iter().copied());
        })
    }

    pub(crate) fn spawn_with(data_dir: &Path, adjust: impl FnOnce(&mut Command)) -> Self {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command
            .args(["--exact", "owner_process", "--ignored", "--nocapture"])
            .env(OWNER_DATA_DIR, data_dir)
            .current_dir("/")
            .stdout(Stdio::piped());
        adjust(&mut command);
        let mut process = command.spawn().unwrap();
        let lines = BufReader::new(process.stdout.take().unwrap()).lines();
        Self { process, lines }
    }

    /// Reads until a line contains `what`.
    pub(crate) fn read_until(&mut self, what: &str) {
        assert!(
            self.lines
                .by_ref()
                .map_while(Result::ok)
                .any(|line| line.contains(what)),
            "no {what}"
        );
    }

    /// Kills with SIGKILL and returns the rest of the output. The output ends while the kernel still takes the
    /// process apart, so the next step meets a dying owner.
    pub(crate) fn kill(&mut self) -> Vec<String> {
        self.process.kill().unwrap();
        self.lines.by_ref().map_while(Result::ok).collect()
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Runs as [`Owner`]: owns a server and adds rows until it is killed.
pub(crate) async fn run_owner() {
    let Some(data_dir) = std::env::var_os(OWNER_DATA_DIR) else {
        return;
    };
    let server = match Server::start(&Options::small(data_dir)).await {
        Ok(server) => server,
        Err(error) => return println!("refused: {error}"),
    };
    create_table(&server).await;
    println!("ready: {:?} {}", server.role(), server.pid());
    let mut connection = connect(&server).await;
    loop {
        println!("row {}", add_row(&mut connection).await);
    }
}

/// Starts `postgres` without any supervisor, as the owner of the cluster.
pub(crate) fn start_by_hand(data_dir: &Path, settings: &[&str]) -> ByHand {
    let cluster = data_dir.join("postgres");
    let owner = fs::metadata(&cluster).unwrap();
    let folder = meterhouse_postgres::find_binaries(None).unwrap().folder;
    let mut command = Command::new(folder.join("postgres"));
    command
        .arg("-D")
        .arg(&cluster)
        .arg("-k")
        .arg(data_dir.join("run"))
        .args(["-c", "listen_addresses="]);
    command.args(settings.iter().flat_map(|setting| ["-c", setting]));
    command
        .current_dir("/")
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    if geteuid().is_root() {
        command.uid(owner.uid()).gid(owner.gid());
    }
    let by_hand = ByHand(command.spawn().unwrap());
    let socket = data_dir.join("run/.s.PGSQL.5432");
    until("the socket of the server started by hand", || {
        socket.exists()
    });
    by_hand
}

/// A process that is killed when dropped.
pub(crate) struct ByHand(pub(crate) Child);

impl Drop for ByHand {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Runs the other tests of this binary once more, as a user without root's rights.
pub(crate) fn run_as_ordinary_user(this_test: &str) {
    if !geteuid().is_root() {
        println!("skipped: the tests run as an ordinary user already");
        return;
    }
    let home = folder();
    let Some(user) = User::from_name(ORDINARY_USER).unwrap() else {
        println!("skipped: this system has no user {ORDINARY_USER}");
        return;
    };
    let (uid, gid) = (user.uid.as_raw(), user.gid.as_raw());
    std::os::unix::fs::chown(home.path(), Some(uid), Some(gid)).unwrap();
    let program: PathBuf = std::env::current_exe().unwrap();
    let mut command = Command::new(&program);
    command
        .args(["--skip", this_test])
        .env("TMPDIR", home.path())
        .current_dir("/");
    command.uid(uid).gid(gid);
    match command.output() {
        Ok(output) => {
            let text = String::from_utf8_lossy(&output.stdout);
            assert!(output.status.success(), "as an ordinary user:\n{text}");
            assert!(
                text.contains("test result: ok") && !text.contains("running 0 tests"),
                "{text}"
            );
        }
        Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => {
            println!(
                "skipped: an ordinary user may not execute {}",
                program.display()
            );
        }
        Err(error) => panic!("could not run {}: {error}", program.display()),
    }
}
