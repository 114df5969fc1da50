//! A signing key in a device of PKCS#11, over the real program: Debian's `softhsm2`, a device in software.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use meterhouse_journal::tree_head::SigningKey;
use meterhouse_tests::{Caller, Dealer, eventually};
use nix::sys::signal::Signal;
use serde_json::Value;
use tempfile::TempDir;

use crate::export::text;
use crate::program::{
    PROGRAM, Running, command, folder, give_to_server, run, run_on, run_to_end, serve_command,
};
use crate::serve::{open_table, token};

/// Modules of the package, by the architecture's folder or without.
const MODULES: [&str; 3] = [
    "/usr/lib/softhsm/libsofthsm2.so",
    "/usr/lib/x86_64-linux-gnu/softhsm/libsofthsm2.so",
    "/usr/lib/aarch64-linux-gnu/softhsm/libsofthsm2.so",
];

/// A device with a token `house` and its PIN in a file.
struct Device {
    folder: TempDir,
    module: &'static str,
}

impl Device {
    async fn new() -> Self {
        let module = MODULES.into_iter().find(|path| Path::new(path).exists());
        let this = Self {
            folder: folder(),
            module: module.expect("the package softhsm2: apt-get install softhsm2"),
        };
        let tokens = this.path("tokens");
        fs::create_dir(&tokens).expect("a folder");
        let settings = format!("directories.tokendir = {}\n", text(&tokens));
        fs::write(this.path("softhsm2.conf"), settings).expect("a file");
        fs::write(this.path("pin"), "1234\n").expect("a file");
        let made = "--init-token --free --label house --pin 1234 --so-pin 5678";
        this.tool(&made.split(' ').collect::<Vec<_>>()).await;
        this
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    async fn tool(&self, arguments: &[&str]) {
        let mut tool = command("softhsm2-util");
        tool.args(arguments);
        tool.env("SOFTHSM2_CONF", self.path("softhsm2.conf"));
        drop(run_to_end(tool).await.with_code(0));
        for token in fs::read_dir(self.path("tokens")).expect("a folder") {
            let token = token.expect("a token").path();
            give_to_server(&token);
            for file in fs::read_dir(&token).expect("a folder") {
                give_to_server(&file.expect("a file").path());
            }
        }
        give_to_server(&self.path("tokens"));
    }

    /// Imports the key of a file under a label.
    async fn import(&self, key: &Path, label: &str) {
        self.import_as(key, label, "01").await;
    }

    async fn import_as(&self, key: &Path, label: &str, id: &str) {
        let import = ["--import", text(key), "--token", "house", "--label", label];
        let rest = ["--id", id, "--pin", "1234"];
        self.tool(&[&import[..], &rest].concat()).await;
    }

    /// Returns the files of the token's objects, each with its class: 2 of a public key, 3 of a private one.
    fn objects(&self) -> BTreeMap<PathBuf, u64> {
        let mut found = BTreeMap::new();
        for token in fs::read_dir(self.path("tokens")).expect("a folder") {
            for file in fs::read_dir(token.expect("a token").path()).expect("a folder") {
                let path = file.expect("a file").path();
                let bytes = fs::read(&path).expect("a file");
                for class in [2_u64, 3] {
                    // The attribute CKA_CLASS: its type, the kind of its value, and the value.
                    let attribute = [0, 2, class].map(u64::to_be_bytes).concat();
                    if bytes.windows(attribute.len()).any(|part| part == attribute) {
                        found.insert(path.clone(), class);
                    }
                }
            }
        }
        found
    }

    /// Names the device to a command.
    fn name_to(&self, program: &mut tokio::process::Command) {
        program.env("SOFTHSM2_CONF", self.path("softhsm2.conf"));
        for (name, value) in [
            ("MODULE", self.module),
            ("TOKEN", "house"),
            ("KEY", "heads"),
            ("PIN_FILE", text(&self.path("pin"))),
        ] {
            program.env(format!("METERHOUSE_PKCS11_{name}"), value);
        }
    }
}

/// Creates a key in a file, and the file of its public key.
async fn created(folder: &Path, name: &str) -> (PathBuf, PathBuf, String) {
    let (key, public) = (
        folder.join(format!("{name}.pem")),
        folder.join(format!("{name}.pub.pem")),
    );
    let create = ["key", "create", "--to", text(&key)];
    drop(run(&create).await.with_code(0));
    let secret = fs::read_to_string(&key).expect("a key");
    let of_key = SigningKey::from_pem(&secret).expect("a key").public();
    fs::write(&public, of_key.to_pem().expect("PEM")).expect("a file");
    (key, public, of_key.to_string())
}

/// Plays a round, and returns the head over it.
async fn signed(auditor: &Caller, dealer: &Dealer) -> Value {
    dealer.rounds(1, &[1]).await;
    eventually("everything is signed", async || {
        let told = auditor.get("/v1/links/main/proof").await.is(200);
        (told["head"]["batch"] == told["batch"]).then(|| told["head"].clone())
    })
    .await
}

/// A key in a device follows one in a file, signs, and vouches for the next one. Who knows the first key trusts all.
#[tokio::test]
async fn a_key_in_a_device_signs_and_vouches() {
    let (device, data) = (Device::new().await, folder());
    let serve = || {
        let mut program = serve_command();
        program.args(["--sign-every", "1s", "--data-dir"]);
        program.arg(data.path());
        program
    };
    let mut server = Running::spawn(serve());
    let base = server.line_after("listening on ").await;
    let (_, dealer) = open_table(&data, &Caller::nobody(base.clone())).await;
    let ada = ["create", "--role", "auditor", "--name", "ada"];
    let ada = token(&data, &ada).await.with_code(0).stdout;
    let ada = Caller::nobody(base).with_token(ada.trim());
    let first = signed(&ada, &dealer).await;
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));

    let (key, public, of_device) = created(device.folder.path(), "second").await;
    device.import(&key, "heads").await;
    fs::remove_file(&key).expect("a file");
    let old = data.path().join("signing-key.pem");
    let introduce = ["key", "introduce", text(&public), "--old", text(&old)];
    drop(run_on(data.path(), &introduce).await.with_code(0));
    let mut program = serve();
    device.name_to(&mut program);
    let older = first["public_key"].as_str().expect("a key");
    program.args(["--signing-older-keys", older]);
    let mut server = Running::spawn(program);
    let base = server.line_after("listening on ").await;
    let (ada, dealer) = (
        ada.at(base.clone()),
        Dealer::new(dealer.caller.at(base), "T1"),
    );
    drop(dealer.resume().await);
    let second = signed(&ada, &dealer).await;
    assert_eq!(second["public_key"], of_device);
    assert_eq!(server.stop(Signal::SIGTERM).await.0, Some(0));

    let (third, _, of_file) = created(device.folder.path(), "third").await;
    let mut program = command(PROGRAM);
    program.args([
        "key",
        "introduce",
        text(&third),
        "--old-device",
        "--data-dir",
    ]);
    program.arg(data.path());
    device.name_to(&mut program);
    let told = run_to_end(program).await.with_code(0).stdout;
    let vouches = format!("{of_file} is introduced, and {of_device} vouches for it");
    assert!(told.contains(&vouches), "{told}");

    let path = data.path().join("main.mhx");
    let export = ["export", "--link", "main", "--to", text(&path)];
    drop(run_on(data.path(), &export).await.with_code(0));
    let given = first["public_key"].as_str().expect("a key");
    let told = run(&["verify", text(&path), "--key", given]).await;
    let told = told.with_code(0).stdout;
    assert!(
        told.contains(&format!("heads are signed by {of_device}")),
        "{told}"
    );
    assert!(
        told.contains("; 0 batches behind it are not signed yet"),
        "{told}"
    );
}

/// What is wrong about a device is said at the start, and nothing listens.
#[tokio::test]
async fn a_device_that_does_not_fit_is_refused() {
    let (device, data) = (Device::new().await, folder());
    let (key, _, _) = created(device.folder.path(), "key").await;
    device.import(&key, "heads").await;
    fs::write(device.path("wrong-pin"), "0000").expect("a file");
    let wrong_pin = device.path("wrong-pin");
    for (name, value, sentence) in [
        (
            "METERHOUSE_PKCS11_MODULE",
            "/nowhere.so",
            "the module can't be loaded",
        ),
        (
            "METERHOUSE_PKCS11_TOKEN",
            "other",
            "0 tokens have the label \"other\"",
        ),
        (
            "METERHOUSE_PKCS11_KEY",
            "other",
            "0 public keys on the token have the label \"other\"",
        ),
        (
            "METERHOUSE_PKCS11_PIN_FILE",
            text(&wrong_pin),
            "the token does not take the PIN",
        ),
        ("METERHOUSE_PKCS11_KEY", "", "need each other"),
        (
            "METERHOUSE_SIGNING_KEY_FILE",
            text(&key),
            "signing.key_file is for a key in a file",
        ),
    ] {
        let mut program = serve_command();
        program.arg("--data-dir").arg(data.path());
        device.name_to(&mut program);
        program.env(name, value);
        let told = run_to_end(program).await;
        assert_eq!(told.code, Some(3), "{name}: {}", told.stderr);
        assert!(told.stderr.contains(sentence), "{name}: {}", told.stderr);
    }
}

/// A label with the public key of one pair and the private key of another signs nothing.
#[tokio::test]
async fn keys_that_are_no_pair_are_refused() {
    let (device, data) = (Device::new().await, folder());
    let (one, _, _) = created(device.folder.path(), "one").await;
    let (other, _, _) = created(device.folder.path(), "other").await;
    device.import(&one, "heads").await;
    let of_one = device.objects();
    device.import_as(&other, "heads", "02").await;
    let of_both = device.objects();
    assert_eq!((of_one.len(), of_both.len()), (2, 4));
    for (path, class) in of_both {
        let is_private = class == 3;
        if of_one.contains_key(&path) == is_private {
            fs::remove_file(path).expect("a file");
        }
    }
    let mut program = serve_command();
    program.arg("--data-dir").arg(data.path());
    device.name_to(&mut program);
    let told = run_to_end(program).await.with_code(3);
    let sentence = "the private key \"heads\" does not sign for the public key of this label";
    drop(told.with_error(sentence));
}
