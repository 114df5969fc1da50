//! A setting: one key of the file, one environment variable, one flag.

/// A setting with the function that reads its text.
pub(crate) struct Key<T> {
    /// Names, help and default.
    pub(crate) described: Described,
    /// Reads the text of the value. The error says what to write instead.
    pub(crate) read: fn(&str) -> Result<T, String>,
}

/// Names, help and default of a setting.
#[derive(Debug)]
pub(crate) struct Described {
    /// Section and key of the file: `http.listen`.
    pub(crate) name: &'static str,
    /// Flag without its dashes.
    pub(crate) flag: &'static str,
    /// Environment variable.
    pub(crate) variable: &'static str,
    /// Sentence for the help, the example file and the documents.
    pub(crate) help: &'static str,
    /// Placeholder of the value in the help: `ADDR`.
    pub(crate) placeholder: &'static str,
    /// Form of the value in the file.
    pub(crate) form: Form,
    /// Value if no source has one.
    pub(crate) preset: Preset,
    /// Commands that have the flag.
    pub(crate) scope: Scope,
    /// Names of the file with the value, for a secret. A secret is never printed.
    pub(crate) secret_file: Option<SecretFile>,
}

/// Names of the setting that names a file with a secret.
#[derive(Debug)]
pub(crate) struct SecretFile {
    /// Section and key of the file.
    pub(crate) name: &'static str,
    /// Flag without its dashes.
    pub(crate) flag: &'static str,
    /// Environment variable.
    pub(crate) variable: &'static str,
}

/// The form of a value in the file. Flags and variables are texts.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// A text in quotes.
    Text,
    /// A path in quotes, absolute in the file.
    Path,
    /// `true` or `false`.
    Boolean,
    /// A list of texts in brackets; separated by commas elsewhere.
    List,
}

/// The value of a setting that no source has.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Preset {
    /// This value.
    Value(&'static str),
    /// No value.
    Unset {
        /// What happens then.
        then: &'static str,
        /// Value to show in the example file.
        example: &'static str,
    },
}

/// The commands that have a setting's flag.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// All commands.
    All,
    /// `serve` only.
    Serve,
}

/// A setting of any type.
pub(crate) trait Setting: Sync {
    /// Returns names, help and default.
    fn described(&self) -> &'static Described;

    /// Checks the text of a value. The error says what to write instead.
    fn check(&self, text: &str) -> Result<(), String>;
}

impl<T> Setting for &'static Key<T> {
    fn described(&self) -> &'static Described {
        &self.described
    }

    fn check(&self, text: &str) -> Result<(), String> {
        (self.read)(text).map(drop)
    }
}

impl Described {
    /// Returns the section of the file.
    pub(crate) fn section(&self) -> &'static str {
        self.name.split_once('.').map_or("", |(section, _)| section)
    }

    /// Returns the key in its section.
    pub(crate) fn key(&self) -> &'static str {
        self.name.split_once('.').map_or(self.name, |(_, key)| key)
    }

    /// Returns the default as people read it.
    pub(crate) fn preset_text(&self) -> &'static str {
        match self.preset {
            Preset::Value(text) | Preset::Unset { then: text, .. } => text,
        }
    }
}
