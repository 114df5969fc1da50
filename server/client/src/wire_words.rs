//! Words of the wire as enums. Words in requests are a closed list. Words in responses may grow with later releases.

/// Defines enums of words in requests. Only these words can be written, so none can be misspelt.
macro_rules! request_words {
    ($($(#[$doc:meta])* $name:ident { $($(#[$word:meta])* $variant:ident = $text:literal,)+ })+) => {$(
        $(#[$doc])*
        #[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$word])* $variant,)+
        }

        impl $name {
            /// All words.
            pub const ALL: &[Self] = &[$(Self::$variant,)+];

            /// Returns the word on the wire.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)+
                }
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, out: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                out.pad(self.name())
            }
        }

        impl ::std::str::FromStr for $name {
            type Err = $crate::not_a_value::NotAValue;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                let found = Self::ALL.iter().copied().find(|word| word.name() == text);
                found.ok_or_else(|| $crate::not_a_value::NotAValue::new(text, concat!("one of ", $("`", $text, "` ",)+)))
            }
        }
    )+};
}

/// Defines enums of words in responses. An unknown word is kept as text.
macro_rules! response_words {
    ($($(#[$doc:meta])* $name:ident { $($(#[$word:meta])* $variant:ident = $text:literal,)+ })+) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$word])* $variant,)+
            /// A word of a later release.
            Other(String),
        }

        impl $name {
            /// Returns the word on the wire.
            pub fn name(&self) -> &str {
                match self {
                    $(Self::$variant => $text,)+
                    Self::Other(text) => text,
                }
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                match text.as_str() {
                    $($text => Self::$variant,)+
                    _ => Self::Other(text),
                }
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, out: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                out.pad(self.name())
            }
        }
    )+};
}

pub(crate) use {request_words, response_words};
