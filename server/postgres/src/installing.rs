//! The line that installs Postgres, by operating system. Nothing is fetched by the program itself: the packages of a
//! distribution are signed, and get their security updates from it.

use std::fmt;
use std::fs;

use nix::unistd::geteuid;

/// File that names a Linux distribution.
const OS_RELEASE: &str = "/etc/os-release";

/// A system with the commands that install Postgres there.
struct System {
    name: &'static str,
    /// Names in the fields `ID` and `ID_LIKE` of [`OS_RELEASE`].
    ids: &'static [&'static str],
    commands: &'static [&'static str],
    needs_root: bool,
}

/// The systems with a known line.
const SYSTEMS: [System; 4] = [
    System {
        name: "Debian",
        ids: &["debian", "ubuntu"],
        // A fresh container has no list of packages.
        commands: &["apt-get update", "apt-get install -y postgresql"],
        needs_root: true,
    },
    System {
        name: "Fedora",
        ids: &["fedora"],
        commands: &["dnf install -y postgresql-server"],
        needs_root: true,
    },
    System {
        name: "Alpine",
        ids: &["alpine"],
        commands: &["apk add postgresql"],
        needs_root: true,
    },
    System {
        name: "macOS",
        ids: &["macos"],
        commands: &["brew install postgresql@17"],
        needs_root: false,
    },
];

/// The line of this system; the lines of all systems if this one is unknown.
pub(crate) struct InstallLine;

impl fmt::Display for InstallLine {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let release = if cfg!(target_os = "macos") {
            "ID=macos".to_owned()
        } else {
            fs::read_to_string(OS_RELEASE).unwrap_or_default()
        };
        out.write_str(&lines(&release, geteuid().is_root()))
    }
}

/// Returns the line for the system that this text describes, or the lines of all systems.
fn lines(os_release: &str, is_root: bool) -> String {
    let fields = os_release.lines().filter_map(|line| line.split_once('='));
    let ids: Vec<&str> = fields
        .filter(|(key, _)| matches!(*key, "ID" | "ID_LIKE"))
        .flat_map(|(_, value)| value.trim_matches(['"', '\'']).split_whitespace())
        .collect();
    let line = |system: &System| {
        let sudo = if system.needs_root && !is_root {
            "sudo "
        } else {
            ""
        };
        let commands: Vec<String> = system
            .commands
            .iter()
            .map(|command| format!("{sudo}{command}"))
            .collect();
        format!("`{}` ({})", commands.join(" && "), system.name)
    };
    let is_this = |system: &&System| ids.iter().any(|id| system.ids.contains(id));
    match SYSTEMS.iter().find(is_this) {
        Some(system) => line(system),
        None => SYSTEMS.iter().map(line).collect::<Vec<_>>().join(" or "),
    }
}

#[cfg(test)]
mod tests {
    use super::lines;

    #[test]
    fn each_system_has_its_line_and_an_unknown_one_has_all() {
        let debian =
            "PRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nVERSION_ID=\"12\"\nID=debian\n";
        let ubuntu = "ID=ubuntu\nID_LIKE=debian\n";
        let mint = "ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n";
        let apt = "`apt-get update && apt-get install -y postgresql` (Debian)";
        for release in [debian, ubuntu, mint] {
            assert_eq!(lines(release, true), apt);
        }
        assert_eq!(
            lines(debian, false),
            "`sudo apt-get update && sudo apt-get install -y postgresql` (Debian)"
        );
        assert_eq!(
            lines("NAME=\"Fedora Linux\"\nID=fedora\n", false),
            "`sudo dnf install -y postgresql-server` (Fedora)"
        );
        assert_eq!(lines("ID=alpine\n", true), "`apk add postgresql` (Alpine)");
        let brew = "`brew install postgresql@17` (macOS)";
        assert_eq!(lines("ID=macos", false), brew);
        // `ID` alone counts, not every field that ends so.
        let unknown = "VERSION_ID=debian\nID=plan9\n";
        assert_eq!(
            lines(unknown, true),
            format!(
                "{apt} or `dnf install -y postgresql-server` (Fedora) or `apk add postgresql` (Alpine) or {brew}"
            )
        );
        assert_eq!(lines("", true), lines(unknown, true));
    }
}
