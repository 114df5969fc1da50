//! Settings as TOML: the example file with every key, and the values in force.

use super::file::LIST_SEPARATOR;
use super::key::{Described, Form, Preset, SecretFile, Setting};
use super::merge::Values;

/// Columns of a line of the example.
const COLUMNS: usize = 100;
/// Stands for a secret.
const MASK: &str = "********";

/// First lines of the example.
const INTRODUCTION: &str = "\
# Settings of Meterhouse. `meterhouse config example` prints this file.
#
# An environment variable is stronger than this file, a flag is stronger than both. Paths are absolute.
# `meterhouse config check` finds every mistake. `meterhouse config print` shows the values in force.
";

/// Returns the example file: every key once, with its default, commented out.
pub(crate) fn example(all: &[&dyn Setting]) -> String {
    let mut lines = vec![INTRODUCTION.to_owned()];
    let mut section = "";
    for setting in all {
        let described = setting.described();
        if described.section() != section {
            section = described.section();
            lines.push(format!("\n[{section}]\n"));
        }
        let Described { flag, variable, .. } = described;
        let preset = described.preset_text();
        lines.push(comment(&format!("{}.", described.help)));
        lines.push(comment(&format!(
            "Variable {variable}, flag --{flag}, default: {preset}."
        )));
        let value = example_value(described);
        lines.push(format!("#{} = {value}\n", described.key()));
        if let Some(SecretFile { flag, variable, .. }) = &described.secret_file {
            lines.push(comment(&format!(
                "A file with the value instead. Variable {variable}, flag --{flag}."
            )));
            lines.push(format!("#{}_file = \"/path\"\n", described.key()));
        }
    }
    lines.concat()
}

/// Returns the values in force as a file, each with its place. Secrets are masked.
pub(crate) fn print(values: &Values, all: &[&dyn Setting]) -> String {
    let mut lines = Vec::new();
    let mut section = "";
    for setting in all {
        let described = setting.described();
        if described.section() != section {
            let gap = if section.is_empty() { "" } else { "\n" };
            section = described.section();
            lines.push(format!("{gap}[{section}]\n"));
        }
        let key = described.key();
        lines.push(match values.found(described) {
            None => format!("#{key} = unset: {}\n", described.preset_text()),
            Some(found) => {
                let is_secret = described.secret_file.is_some();
                let shown = if is_secret {
                    MASK.to_owned()
                } else {
                    without_query(&found.text)
                };
                let shown = written(&shown, described.form);
                format!("{key} = {shown} # {}\n", found.origin)
            }
        });
    }
    lines.concat()
}

/// Returns a value without the query of an address, which may be a secret.
fn without_query(text: &str) -> String {
    match text.split_once('?') {
        Some((address, _)) if address.contains("://") => format!("{address}?{MASK}"),
        _ => text.to_owned(),
    }
}

/// Returns a value to show in the example: the default, or the placeholder of a value without one.
fn example_value(described: &Described) -> String {
    match described.preset {
        Preset::Value(text) | Preset::Unset { example: text, .. } => written(text, described.form),
    }
}

/// Returns a value as the file has it.
fn written(text: &str, form: Form) -> String {
    let quoted = |text: &str| toml::Value::String(text.to_owned());
    match form {
        Form::Text | Form::Path => quoted(text).to_string(),
        Form::Boolean => text.to_owned(),
        Form::List => {
            let items = text.split(LIST_SEPARATOR).filter(|item| !item.is_empty());
            toml::Value::Array(items.map(quoted).collect()).to_string()
        }
    }
}

/// Returns a text as lines of comment.
fn comment(text: &str) -> String {
    let mut lines = String::new();
    let mut line = "#".to_owned();
    for word in text.split(' ') {
        if line.chars().count() + 1 + word.chars().count() > COLUMNS {
            lines += &line;
            lines.push('\n');
            "#".clone_into(&mut line);
        }
        line.push(' ');
        line += word;
    }
    lines + &line + "\n"
}
