//! One source of values: the environment, or the flags. The file has a reader of its own.

use std::collections::BTreeMap;
use std::ffi::OsString;

use super::key::Setting;
use super::mistake::{Mistake, Origin};

/// A text with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// Value, as the setting reads it.
    pub(crate) text: String,
    /// Place of the value.
    pub(crate) origin: Origin,
}

/// The values of one source, by the names of settings and of files with secrets.
pub(crate) type Layer = BTreeMap<&'static str, Found>;

/// Reads the environment. An empty variable is as good as none.
pub(crate) fn of_environment(
    all: &[&dyn Setting],
    variable: impl Fn(&str) -> Option<OsString>,
    mistakes: &mut Vec<Mistake>,
) -> Layer {
    let mut layer = Layer::new();
    let mut add = |name, variable_name: &'static str| {
        let Some(value) = variable(variable_name).filter(|value| !value.is_empty()) else {
            return;
        };
        let origin = Origin::Variable(variable_name);
        match value.into_string() {
            Ok(text) => drop(layer.insert(name, Found { text, origin })),
            Err(_) => mistakes.push(Mistake {
                origin,
                message: "the value is not UTF-8".to_owned(),
            }),
        }
    };
    for setting in all {
        let described = setting.described();
        add(described.name, described.variable);
        if let Some(secret) = &described.secret_file {
            add(secret.name, secret.variable);
        }
    }
    layer
}
