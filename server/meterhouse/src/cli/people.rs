//! The command line of `meterhouse user` and `meterhouse token`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};

/// The administrator who does it. Needed once there is one.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Administrator")]
pub(crate) struct AdministratorArgs {
    /// Administrator who does this; the password is asked for
    #[arg(long = "as", value_name = "NAME")]
    pub(crate) administrator: Option<String>,
    /// File with the administrator's password instead
    #[arg(long, value_name = "FILE", requires = "administrator")]
    pub(crate) password_file: Option<PathBuf>,
    /// Code of the administrator's second factor
    #[arg(long = "code", value_name = "CODE", requires = "administrator")]
    pub(crate) administrator_code: Option<String>,
    /// Do it without an administrator, for this reason; it is recorded and raises an alarm
    #[arg(long, value_name = "REASON", conflicts_with = "administrator", value_parser = reason)]
    pub(crate) break_glass: Option<String>,
}

/// Reads a reason, which the record keeps.
fn reason(text: &str) -> Result<String, &'static str> {
    if text.trim().is_empty() {
        return Err("a reason has words");
    }
    Ok(text.to_owned())
}

/// `meterhouse user`
#[derive(Debug, Subcommand)]
pub(crate) enum UserCommand {
    /// Admit a person and print a code with which the person sets a password; for a known person, print a new code
    Create {
        /// Name of the person
        #[arg(long, value_name = "N")]
        name: String,
        /// Role: supervisor, manager, auditor or administrator
        #[arg(long, value_name = "ROLE")]
        role: String,
        /// Department of a supervisor or manager: changes by two people need two departments
        #[arg(long, value_name = "D")]
        department: Option<String>,
        /// Rights of a supervisor or manager who shall have fewer than the role, as in validate,pay [default: all
        /// rights of the role]
        #[arg(long, value_name = "RIGHTS")]
        rights: Option<String>,
        /// Subject by which the person logs in by OpenID Connect, as the provider of openid.issuer names the person;
        /// instead of a code
        #[arg(long, value_name = "SUB")]
        openid_subject: Option<String>,
        #[command(flatten)]
        by: AdministratorArgs,
    },
    /// Set a person's password: asks for the code, or with --old for the old password, then for the new one
    Password {
        /// Name of the person
        name: String,
        /// Ask for the old password instead of a code
        #[arg(long)]
        old: bool,
        /// Code of the second factor, beside the old password, if the person has one
        #[arg(long, value_name = "CODE", requires = "old")]
        second_factor: Option<String>,
    },
    /// List the people
    List,
    /// End the access of a person or program, with all sessions and tokens
    End {
        /// Name of the person or program
        name: String,
        /// Reason, which the record keeps
        #[arg(long, value_name = "REASON", value_parser = reason)]
        reason: String,
        #[command(flatten)]
        by: AdministratorArgs,
    },
    /// Restore the access of a person or program; old sessions and tokens stay ended
    Restore {
        /// Name of the person or program
        name: String,
        #[command(flatten)]
        by: AdministratorArgs,
    },
    /// End all sessions of a person
    EndSessions {
        /// Name of the person
        name: String,
        #[command(flatten)]
        by: AdministratorArgs,
    },
    /// Take a person's second factor away, as after the loss of a phone
    RemoveSecondFactor {
        /// Name of the person
        name: String,
        #[command(flatten)]
        by: AdministratorArgs,
    },
    /// Take a person's login by OpenID Connect away, with all sessions
    RemoveOpenid {
        /// Name of the person
        name: String,
        #[command(flatten)]
        by: AdministratorArgs,
    },
}

/// `meterhouse token`
#[derive(Debug, Subcommand)]
pub(crate) enum TokenCommand {
    /// Create a token and print it, once only
    Create {
        /// Owner of the token: the name of a person or a controller
        #[arg(long, value_name = "N")]
        name: String,
        /// Role: controller, display, supervisor, manager, auditor, administrator or witnessed
        #[arg(long, value_name = "ROLE")]
        role: String,
        /// Table that a controller commands
        #[arg(long, value_name = "T")]
        table: Option<String>,
        /// Link that a display shows
        #[arg(long, value_name = "L", conflicts_with = "table")]
        link: Option<String>,
        /// Department of a supervisor or manager: changes by two people need two departments
        #[arg(long, value_name = "D")]
        department: Option<String>,
        /// Rights of a supervisor or manager who shall have fewer than the role, as in validate,pay; `meterhouse policy`
        /// lists them [default: all rights of the role]
        #[arg(long, value_name = "RIGHTS")]
        rights: Option<String>,
        /// Validity, as in 90d, 12h or 1h30m [default: until it is revoked]
        #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
        expires: Option<Duration>,
        #[command(flatten)]
        by: AdministratorArgs,
    },
    /// List the owners of tokens; never shows a token
    List,
    /// Revoke all tokens of a name
    Revoke {
        /// Owner of the tokens
        name: String,
        #[command(flatten)]
        by: AdministratorArgs,
    },
    /// Let the signing key vouch for the tokens, passwords and codes that were made before the house had one
    Vouch {
        #[command(flatten)]
        by: AdministratorArgs,
    },
}
