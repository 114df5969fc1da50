//! Canonical bytes: one way to write each value, and a reader that accepts no other.
//!
//! # Shape
//! [`Writer`] and [`Reader`] handle the primitive forms. [`Canonical`] composes the form of a type from them. The
//! macros of `forms` write both directions from one list of fields.
//!
//! # Bounds
//! A text or list has at most `u32::MAX - 1` bytes or items. The reader never trusts a count: a list grows as its
//! items are read, and each item takes at least one byte.
//!
//! # Order
//! Fields in the order of their list, integers big-endian.

/// The length that marks a text or list as absent.
pub const ABSENT: u32 = u32::MAX;

/// The version of the forms that this release writes. A field that was added later is marked with its version in
/// [`structs`].
pub const FORM_VERSION: u8 = 3;
/// The oldest version of the forms that is still read. Fields missing from it get their type's default.
pub const FORM_VERSION_OLDEST: u8 = 2;

/// Bytes that are not the canonical form of the expected value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("at byte {offset}: {problem}")]
pub struct DecodeError {
    /// Offset of the refused field, in bytes from the beginning.
    pub offset: usize,
    /// Reason for the refusal.
    pub problem: Problem,
}

/// Defect of a field.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// The field needs more bytes than are left.
    #[error("the bytes end inside the field")]
    EndsEarly,
    /// Bytes are left after the last field.
    #[error("{count} bytes follow the last field")]
    Trailing {
        /// Number of bytes left.
        count: usize,
    },
    /// A code byte that is not assigned.
    #[error("no {what} has the code {code}")]
    UnknownCode {
        /// Name of the type that the code belongs to.
        what: &'static str,
        /// The byte that was read.
        code: u8,
    },
    /// A presence byte or a boolean that is neither 0 nor 1.
    #[error("the byte is {0}; only 0 and 1 mean something here")]
    NotZeroOrOne(u8),
    /// A required text or list that is marked absent.
    #[error("the field is marked absent, which it can't be")]
    Absent,
    /// A text that is not UTF-8.
    #[error("the text is not UTF-8")]
    NotUtf8,
    /// Well-formed bytes for which no value exists.
    #[error("the value is no {what}")]
    Not {
        /// Name of the expected type.
        what: &'static str,
    },
}

/// A value with one canonical form.
pub trait Canonical: Sized {
    /// Writes the canonical form.
    fn write(&self, out: &mut Writer<'_>);

    /// Reads the canonical form.
    ///
    /// # Errors
    /// [`DecodeError`] if the bytes are no canonical form.
    fn read(input: &mut Reader<'_>) -> Result<Self, DecodeError>;

    /// Writes an optional value: a presence byte, then the value. A type whose form begins with a length overrides
    /// this and writes [`ABSENT`] as the length.
    fn write_option(value: Option<&Self>, out: &mut Writer<'_>) {
        out.u8(u8::from(value.is_some()));
        if let Some(value) = value {
            value.write(out);
        }
    }

    /// Reads an optional value.
    ///
    /// # Errors
    /// [`DecodeError`] if the bytes are no canonical form.
    fn read_option(input: &mut Reader<'_>) -> Result<Option<Self>, DecodeError> {
        if input.zero_or_one()? {
            Self::read(input).map(Some)
        } else {
            Ok(None)
        }
    }
}

/// Returns the canonical bytes of a value.
pub fn to_bytes<T: Canonical>(value: &T) -> Vec<u8> {
    let mut bytes = Vec::new();
    value.write(&mut Writer::new(&mut bytes));
    bytes
}

/// Returns the value with these canonical bytes.
///
/// # Errors
/// [`DecodeError`] if the bytes are not the canonical form of any value.
pub fn from_bytes<T: Canonical>(bytes: &[u8]) -> Result<T, DecodeError> {
    let mut input = Reader::new(bytes);
    let value = T::read(&mut input)?;
    input.finish()?;
    Ok(value)
}

/// Writer that appends canonical forms to a buffer.
pub struct Writer<'a> {
    out: &'a mut Vec<u8>,
    version: u8,
}

impl<'a> Writer<'a> {
    /// Creates a writer of the newest forms.
    pub const fn new(out: &'a mut Vec<u8>) -> Self {
        Self::of_version(out, FORM_VERSION)
    }

    /// Creates a writer of the forms of a version.
    pub const fn of_version(out: &'a mut Vec<u8>, version: u8) -> Self {
        Self { out, version }
    }

    /// Returns the version of the forms.
    pub const fn version(&self) -> u8 {
        self.version
    }

    /// Writes bytes as they are, without a length.
    pub fn fixed(&mut self, bytes: &[u8]) {
        self.out.extend_from_slice(bytes);
    }

    /// Writes one byte.
    pub fn u8(&mut self, value: u8) {
        self.out.push(value);
    }

    /// Writes two bytes.
    pub fn u16(&mut self, value: u16) {
        self.fixed(&value.to_be_bytes());
    }

    /// Writes four bytes.
    pub fn u32(&mut self, value: u32) {
        self.fixed(&value.to_be_bytes());
    }

    /// Writes eight bytes.
    pub fn u64(&mut self, value: u64) {
        self.fixed(&value.to_be_bytes());
    }

    /// Writes four bytes, two's complement.
    pub fn i32(&mut self, value: i32) {
        self.fixed(&value.to_be_bytes());
    }

    /// Writes eight bytes, two's complement.
    pub fn i64(&mut self, value: i64) {
        self.fixed(&value.to_be_bytes());
    }

    /// Writes the length of a text or the count of a list. A length that exceeds a `u32` becomes [`ABSENT`], which
    /// the reader refuses. The rules make no value near that size.
    pub fn length(&mut self, length: usize) {
        self.u32(u32::try_from(length).unwrap_or(ABSENT));
    }

    /// Writes length and bytes.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.length(bytes.len());
        self.fixed(bytes);
    }

    /// Writes length and bytes, or [`ABSENT`].
    pub fn optional_bytes(&mut self, bytes: Option<&[u8]>) {
        match bytes {
            Some(bytes) => self.bytes(bytes),
            None => self.u32(ABSENT),
        }
    }

    /// Writes count and items.
    pub fn list<T: Canonical>(&mut self, items: &[T]) {
        self.length(items.len());
        for item in items {
            item.write(self);
        }
    }
}

/// Reader of canonical forms from untrusted bytes.
pub struct Reader<'a> {
    rest: &'a [u8],
    total: usize,
    version: u8,
}

impl<'a> Reader<'a> {
    /// Creates a reader of the newest forms at the beginning of these bytes.
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self {
            rest: bytes,
            total: bytes.len(),
            version: FORM_VERSION,
        }
    }

    /// Reads the rest in the forms of a version.
    #[must_use]
    pub const fn of_version(mut self, version: u8) -> Self {
        self.version = version;
        self
    }

    /// Returns the version of the forms.
    pub const fn version(&self) -> u8 {
        self.version
    }

    /// Returns the number of bytes read.
    pub const fn offset(&self) -> usize {
        self.total - self.rest.len()
    }

    /// Returns an error about the field that began at `offset`.
    pub const fn refuse(offset: usize, problem: Problem) -> DecodeError {
        DecodeError { offset, problem }
    }

    /// Checks that everything was read.
    ///
    /// # Errors
    /// [`Problem::Trailing`] if bytes are left.
    pub fn finish(self) -> Result<(), DecodeError> {
        match self.rest.len() {
            0 => Ok(()),
            count => Err(Self::refuse(self.offset(), Problem::Trailing { count })),
        }
    }

    /// Reads a fixed number of bytes as they are.
    ///
    /// # Errors
    /// [`Problem::EndsEarly`] if fewer bytes are left.
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], DecodeError> {
        let Some((taken, rest)) = self.rest.split_first_chunk::<N>() else {
            return Err(Self::refuse(self.offset(), Problem::EndsEarly));
        };
        self.rest = rest;
        Ok(*taken)
    }

    /// Reads one byte.
    ///
    /// # Errors
    /// [`Problem::EndsEarly`].
    pub fn u8(&mut self) -> Result<u8, DecodeError> {
        self.array().map(u8::from_be_bytes)
    }

    /// Reads four bytes.
    ///
    /// # Errors
    /// [`Problem::EndsEarly`].
    pub fn u32(&mut self) -> Result<u32, DecodeError> {
        self.array().map(u32::from_be_bytes)
    }

    /// Reads a byte that is 0 or 1.
    ///
    /// # Errors
    /// [`Problem::EndsEarly`], [`Problem::NotZeroOrOne`].
    pub fn zero_or_one(&mut self) -> Result<bool, DecodeError> {
        let offset = self.offset();
        match self.u8()? {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(Self::refuse(offset, Problem::NotZeroOrOne(other))),
        }
    }

    /// Reads length and bytes, if present.
    ///
    /// # Errors
    /// [`Problem::EndsEarly`].
    pub fn optional_bytes(&mut self) -> Result<Option<&'a [u8]>, DecodeError> {
        let offset = self.offset();
        let length = self.u32()?;
        if length == ABSENT {
            return Ok(None);
        }
        let split = usize::try_from(length)
            .ok()
            .and_then(|length| self.rest.split_at_checked(length));
        let (taken, rest) = split.ok_or(Self::refuse(offset, Problem::EndsEarly))?;
        self.rest = rest;
        Ok(Some(taken))
    }

    /// Reads a text, if present.
    ///
    /// # Errors
    /// [`Problem::EndsEarly`], [`Problem::NotUtf8`].
    pub fn optional_text(&mut self) -> Result<Option<&'a str>, DecodeError> {
        let offset = self.offset();
        let Some(bytes) = self.optional_bytes()? else {
            return Ok(None);
        };
        let text = core::str::from_utf8(bytes);
        text.map(Some)
            .map_err(|_| Self::refuse(offset, Problem::NotUtf8))
    }

    /// Reads a list, if present.
    ///
    /// # Errors
    /// [`Problem::EndsEarly`], and those of the items.
    pub fn optional_list<T: Canonical>(&mut self) -> Result<Option<Vec<T>>, DecodeError> {
        let count = self.u32()?;
        if count == ABSENT {
            return Ok(None);
        }
        let mut items = Vec::new();
        for _ in 0..count {
            items.push(T::read(self)?);
        }
        Ok(Some(items))
    }

    /// Reads a required value with a function for optional ones.
    ///
    /// # Errors
    /// [`Problem::Absent`], and those of the function.
    pub fn present<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<Option<T>, DecodeError>,
    ) -> Result<T, DecodeError> {
        let offset = self.offset();
        read(self)?.ok_or(Self::refuse(offset, Problem::Absent))
    }
}
