//! The flags of the settings, made from their descriptions.

use std::collections::BTreeMap;

use clap::{Arg, ArgMatches, Command, Error, FromArgMatches};

use super::key::{Described, Form, Scope};
use super::keys::ALL;
use super::layer::{Found, Layer};
use super::mistake::Origin;

/// The flags of one scope.
#[derive(Clone, Debug, Default)]
pub(crate) struct Flags<const SERVE: bool>(pub(crate) Layer);

/// The flags that every command has.
pub(crate) type GlobalFlags = Flags<false>;

/// The flags of `serve`.
pub(crate) type ServeFlags = Flags<true>;

impl<const SERVE: bool> Flags<SERVE> {
    const SCOPE: Scope = if SERVE { Scope::Serve } else { Scope::All };
}

impl<const SERVE: bool> clap::Args for Flags<SERVE> {
    fn augment_args(command: Command) -> Command {
        command.args(arguments(Self::SCOPE))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<const SERVE: bool> FromArgMatches for Flags<SERVE> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        Ok(Self(layer(matches, Self::SCOPE)))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Returns the descriptions of a scope.
fn of_scope(scope: Scope) -> impl Iterator<Item = &'static Described> {
    let all = ALL.iter().map(|setting| setting.described());
    all.filter(move |described| described.scope == scope)
}

/// Returns the heading of a section's flags.
fn heading(section: &str) -> &'static str {
    match section {
        "database" => "Database",
        "log" => "Log",
        _ => "Settings",
    }
}

fn arguments(scope: Scope) -> Vec<Arg> {
    let mut arguments = Vec::new();
    for described in of_scope(scope) {
        let flag = |name, flag, placeholder, help: String, form| {
            let argument = Arg::new(name)
                .long(flag)
                .value_name(placeholder)
                .help(help)
                .help_heading(heading(described.section()))
                .global(scope == Scope::All);
            match form {
                Form::Path => argument.value_hint(clap::ValueHint::AnyPath),
                Form::Boolean => argument
                    .num_args(0..=1)
                    .require_equals(true)
                    .default_missing_value("true"),
                Form::Text | Form::List => argument,
            }
        };
        let help = format!(
            "{} [env: {}] [default: {}]",
            described.help,
            described.variable,
            described.preset_text()
        );
        let (name, form) = (described.name, described.form);
        arguments.push(flag(
            name,
            described.flag,
            described.placeholder,
            help,
            form,
        ));
        if let Some(secret) = &described.secret_file {
            let help = format!(
                "File with the value of --{} [env: {}]",
                described.flag, secret.variable
            );
            arguments.push(flag(secret.name, secret.flag, "FILE", help, Form::Path));
        }
    }
    arguments
}

fn layer(matches: &ArgMatches, scope: Scope) -> Layer {
    let mut layer = BTreeMap::new();
    for described in of_scope(scope) {
        let secret = described.secret_file.as_ref();
        let secret = secret.map(|secret| (secret.name, secret.flag));
        let named = [Some((described.name, described.flag)), secret];
        for (name, flag) in named.into_iter().flatten() {
            if let Some(text) = matches.get_one::<String>(name) {
                let (text, origin) = (text.clone(), Origin::Flag(flag));
                layer.insert(name, Found { text, origin });
            }
        }
    }
    layer
}
