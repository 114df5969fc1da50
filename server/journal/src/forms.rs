//! Canonical forms of structs and enums: one list of fields gives both directions, so that they can't differ.

/// Writes both directions of structs from the list of their fields. Fields that were added in a later version are
/// last, behind `; since VERSION:`. Older bytes lack these fields, and reading gives their type's default.
macro_rules! structs {
    ($($name:ident {
        $($field:ident),+ $(,)? $(; since $version:literal: $($later:ident),+ $(,)?)*
    })+) => {$(
        impl Canonical for $name {
            fn write(&self, out: &mut Writer<'_>) {
                let Self { $($field,)+ $($($later,)+)* } = self;
                $($field.write(out);)+
                $(if out.version() >= $version { $($later.write(out);)+ })*
            }

            fn read(input: &mut Reader<'_>) -> Result<Self, DecodeError> {
                Ok(Self {
                    $($field: Canonical::read(input)?,)+
                    $($($later: if input.version() >= $version {
                        Canonical::read(input)?
                    } else {
                        Default::default()
                    },)+)*
                })
            }
        }
    )+};
}

/// Writes both directions of enums that carry values: a code, then the values.
macro_rules! variants {
    ($($name:ident $what:literal {
        $($code:literal $variant:ident $({ $($field:ident),+ })? $(($item:ident: $type:ty))?,)+
    })+) => {$(
        impl Canonical for $name {
            fn write(&self, out: &mut Writer<'_>) {
                match self {
                    $(Self::$variant $({ $($field),+ })? $(($item))? => {
                        out.u8($code);
                        $($($field.write(out);)+)?
                        $($item.write(out);)?
                    })+
                }
            }

            fn read(input: &mut Reader<'_>) -> Result<Self, DecodeError> {
                let offset = input.offset();
                match input.u8()? {
                    $($code => Ok(Self::$variant
                        $({ $($field: Canonical::read(input)?),+ })?
                        $((<$type as Canonical>::read(input)?))?),)+
                    code => Err(Reader::refuse(offset, Problem::UnknownCode { what: $what, code })),
                }
            }
        }
    )+};
}

pub(crate) use {structs, variants};
