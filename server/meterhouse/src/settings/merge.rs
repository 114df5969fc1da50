//! The value of each setting: flags over the environment over the file over the default.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::key::{Described, Key, Preset, SecretFile, Setting};
use super::layer::{Found, Layer};
use super::mistake::{Mistake, Origin};

/// Size of the longest secret, in bytes.
const SECRET_BYTES_MAX: usize = 65_536;

/// The values of all settings, each checked.
#[derive(Debug)]
pub(crate) struct Values(BTreeMap<&'static str, Found>);

/// Merges the layers, the first one first, and checks every value. A value that a higher layer replaces is checked
/// too: it would surprise on the day that the replacement is gone.
pub(crate) fn merge(layers: &[Layer], all: &[&dyn Setting], mistakes: &mut Vec<Mistake>) -> Values {
    let mut values = BTreeMap::new();
    for setting in all {
        let described = setting.described();
        let mut chosen: Option<Found> = None;
        for layer in layers {
            let found = of_layer(layer, described, mistakes);
            if let Some(found) = &found
                && let Err(message) = setting.check(&found.text)
            {
                mistakes.push(Mistake {
                    origin: found.origin.clone(),
                    message: format!("{}: {message}", described.name),
                });
            }
            chosen = chosen.or(found);
        }
        let preset = match described.preset {
            Preset::Value(text) => Some(Found {
                text: text.to_owned(),
                origin: Origin::Preset,
            }),
            Preset::Unset { .. } => None,
        };
        if let Some(found) = chosen.or(preset) {
            values.insert(described.name, found);
        }
    }
    Values(values)
}

/// Returns a layer's value of a setting, read from a file if it is a secret that a file has.
fn of_layer(layer: &Layer, described: &Described, mistakes: &mut Vec<Mistake>) -> Option<Found> {
    let value = layer.get(described.name);
    let Some(secret) = &described.secret_file else {
        return value.cloned();
    };
    match (value, layer.get(secret.name)) {
        (value, None) => value.cloned(),
        (Some(_), Some(file)) => {
            mistakes.push(Mistake {
                origin: file.origin.clone(),
                message: format!("`{}` and `{}`: keep one", described.name, secret.name),
            });
            None
        }
        (None, Some(file)) => match read_secret(Path::new(&file.text), secret) {
            Ok(text) => Some(Found {
                text,
                origin: file.origin.clone(),
            }),
            Err(message) => {
                mistakes.push(Mistake {
                    origin: file.origin.clone(),
                    message,
                });
                None
            }
        },
    }
}

/// Reads a secret, without the newline at its end.
fn read_secret(path: &Path, secret: &SecretFile) -> Result<String, String> {
    let unread = |what: &str| format!("{}: {what}: {}", secret.name, path.display());
    let text = fs::read_to_string(path)
        .map_err(|error| unread(&format!("the file can't be read ({error})")))?;
    let text = text.trim_end_matches(['\r', '\n']);
    if text.is_empty() {
        return Err(unread("the file is empty"));
    }
    if text.len() > SECRET_BYTES_MAX {
        return Err(unread(&format!(
            "the file is longer than {SECRET_BYTES_MAX} bytes"
        )));
    }
    Ok(text.to_owned())
}

impl Values {
    /// Returns the text of a setting with its place.
    pub(crate) fn found(&self, described: &Described) -> Option<&Found> {
        self.0.get(described.name)
    }

    /// Returns the value of a setting; `None` if it has none, or a wrong one, which is a mistake already.
    pub(crate) fn value<T>(&self, key: &'static Key<T>) -> Option<T> {
        let found = self.found(&key.described)?;
        (key.read)(&found.text).ok()
    }
}
