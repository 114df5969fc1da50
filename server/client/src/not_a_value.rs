//! The error of a text that can't be parsed as a value.

/// Maximum length of the quoted text: enough to find it again.
const TEXT_SHOWN: usize = 40;

/// A text that can't be parsed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not {wanted}")]
pub struct NotAValue {
    text: String,
    wanted: &'static str,
}

impl NotAValue {
    pub(crate) fn new(text: &str, wanted: &'static str) -> Self {
        let text = text.chars().take(TEXT_SHOWN).collect();
        Self { text, wanted }
    }
}
