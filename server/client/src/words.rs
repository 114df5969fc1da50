//! Words of the wire as enums: those that a controller says are a closed list, those that it hears may grow.

/// Enums of words that a controller says. Only these can be written, so that none can be misspelt.
macro_rules! said {
    ($($(#[$doc:meta])* $name:ident { $($(#[$word:meta])* $variant:ident = $text:literal,)+ })+) => {$(
        $(#[$doc])*
        #[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$word])* $variant,)+
        }

        impl $name {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$variant,)+];

            /// The word on the wire.
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
                let found = Self::ALL.iter().copied().find(|it| it.name() == text);
                found.ok_or_else(|| $crate::not_a_value::NotAValue::new(text, concat!("one of ", $("`", $text, "` ",)+)))
            }
        }
    )+};
}

/// Enums of words that a controller hears. A word that this release does not know is kept as it came.
macro_rules! heard {
    ($($(#[$doc:meta])* $name:ident { $($(#[$word:meta])* $variant:ident = $text:literal,)+ })+) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$word])* $variant,)+
            /// A word of a later release.
            Other(String),
        }

        impl $name {
            /// The word on the wire.
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

pub(crate) use {heard, said};
