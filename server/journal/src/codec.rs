//! Canonical bytes: one way to write each value, and a reader that accepts no other.
//!
//! # Shape
//! [`Writer`] and [`Reader`] know the primitive forms; [`Canonical`] says how a type is put together from
//! them; the macros of `forms` write both directions from one list of fields.
//!
//! # What bounds it
//! A text or list is at most what a `u32` counts, `u32::MAX` excepted. The reader never believes a count: a
//! list grows as its items are read, and each takes at least one byte.
//!
//! # What order holds
//! Fields in the order of their list, integers big-endian.

/// The length that says that a text or list is absent.
pub const ABSENT: u32 = u32::MAX;

/// The version of the forms that this release writes; a field that came later is named with it in [`structs`].
pub const FORM_VERSION: u8 = 3;
/// The oldest version of the forms that is still read. Its missing fields get their type's default.
pub const FORM_VERSION_OLDEST: u8 = 2;

/// Bytes that are no canonical form of what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("at byte {offset}: {problem}")]
pub struct DecodeError {
    /// Where the refused field begins.
    pub offset: usize,
    /// What is wrong with it.
    pub problem: Problem,
}

/// What is wrong with a field.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// More bytes are needed than there are.
    #[error("the bytes end inside the field")]
    EndsEarly,
    /// Everything was read, and there is more.
    #[error("{count} bytes follow the last field")]
    Trailing {
        /// How many.
        count: usize,
    },
    /// A code that names nothing.
    #[error("no {what} has the code {code}")]
    UnknownCode {
        /// What it should name.
        what: &'static str,
        /// The code.
        code: u8,
    },
    /// A presence byte or a yes-or-no that is neither 0 nor 1.
    #[error("the byte is {0}; only 0 and 1 mean something here")]
    NotZeroOrOne(u8),
    /// A text or list that can't be absent says that it is.
    #[error("the field is marked absent, which it can't be")]
    Absent,
    /// A text that is none.
    #[error("the text is not UTF-8")]
    NotUtf8,
    /// Well-formed, but no such value exists.
    #[error("the value is no {what}")]
    Not {
        /// What it should be.
        what: &'static str,
    },
}

/// A value with one canonical form.
pub trait Canonical: Sized {
    /// Writes the form.
    fn write(&self, out: &mut Writer<'_>);

    /// Reads the form.
    ///
    /// # Errors
    /// [`DecodeError`] where the bytes are no canonical form.
    fn read(input: &mut Reader<'_>) -> Result<Self, DecodeError>;

    /// Writes a value that may be absent: a presence byte, then the value. What begins with a length has
    /// [`ABSENT`] for it instead.
    fn write_option(value: Option<&Self>, out: &mut Writer<'_>) {
        out.u8(u8::from(value.is_some()));
        if let Some(value) = value {
            value.write(out);
        }
    }

    /// Reads a value that may be absent.
    ///
    /// # Errors
    /// [`DecodeError`] where the bytes are no canonical form.
    fn read_option(input: &mut Reader<'_>) -> Result<Option<Self>, DecodeError> {
        if input.zero_or_one()? {
            Self::read(input).map(Some)
        } else {
            Ok(None)
        }
    }
}

/// The canonical bytes of a value.
pub fn to_bytes<T: Canonical>(value: &T) -> Vec<u8> {
    let mut bytes = Vec::new();
    value.write(&mut Writer::new(&mut bytes));
    bytes
}

/// The value of which these are the canonical bytes.
///
/// # Errors
/// [`DecodeError`] where they are none's.
pub fn from_bytes<T: Canonical>(bytes: &[u8]) -> Result<T, DecodeError> {
    let mut input = Reader::new(bytes);
    let value = T::read(&mut input)?;
    input.finish()?;
    Ok(value)
}

/// Appends canonical forms to a buffer.
pub struct Writer<'a> {
    out: &'a mut Vec<u8>,
    version: u8,
}

impl<'a> Writer<'a> {
    /// Appends to this buffer in the newest forms.
    pub const fn new(out: &'a mut Vec<u8>) -> Self {
        Self::of_version(out, FORM_VERSION)
    }

    /// Appends to this buffer in the forms of a version.
    pub const fn of_version(out: &'a mut Vec<u8>, version: u8) -> Self {
        Self { out, version }
    }

    /// Returns the version of the forms.
    pub const fn version(&self) -> u8 {
        self.version
    }

    /// Bytes as they are, without a length.
    pub fn fixed(&mut self, bytes: &[u8]) {
        self.out.extend_from_slice(bytes);
    }

    /// One byte.
    pub fn u8(&mut self, value: u8) {
        self.out.push(value);
    }

    /// Two bytes.
    pub fn u16(&mut self, value: u16) {
        self.fixed(&value.to_be_bytes());
    }

    /// Four bytes.
    pub fn u32(&mut self, value: u32) {
        self.fixed(&value.to_be_bytes());
    }

    /// Eight bytes.
    pub fn u64(&mut self, value: u64) {
        self.fixed(&value.to_be_bytes());
    }

    /// Four bytes, two's complement.
    pub fn i32(&mut self, value: i32) {
        self.fixed(&value.to_be_bytes());
    }

    /// Eight bytes, two's complement.
    pub fn i64(&mut self, value: i64) {
        self.fixed(&value.to_be_bytes());
    }

    /// The length of a text or the count of a list. One that a `u32` can't hold, 4 GiB away from anything
    /// that the rules make, becomes [`ABSENT`], which the reader refuses.
    pub fn length(&mut self, length: usize) {
        self.u32(u32::try_from(length).unwrap_or(ABSENT));
    }

    /// Length and bytes.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.length(bytes.len());
        self.fixed(bytes);
    }

    /// Length and bytes, or [`ABSENT`].
    pub fn optional_bytes(&mut self, bytes: Option<&[u8]>) {
        match bytes {
            Some(bytes) => self.bytes(bytes),
            None => self.u32(ABSENT),
        }
    }

    /// Count and items.
    pub fn list<T: Canonical>(&mut self, items: &[T]) {
        self.length(items.len());
        for item in items {
            item.write(self);
        }
    }
}

/// Reads canonical forms from bytes that nobody vouches for.
pub struct Reader<'a> {
    rest: &'a [u8],
    total: usize,
    version: u8,
}

impl<'a> Reader<'a> {
    /// Reads these bytes, of the newest forms, from their beginning.
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

    /// How many bytes were read.
    pub const fn offset(&self) -> usize {
        self.total - self.rest.len()
    }

    /// An error about the field that began at `offset`.
    pub const fn refuse(offset: usize, problem: Problem) -> DecodeError {
        DecodeError { offset, problem }
    }

    /// Says that everything was read.
    ///
    /// # Errors
    /// [`Problem::Trailing`] where there is more.
    pub fn finish(self) -> Result<(), DecodeError> {
        match self.rest.len() {
            0 => Ok(()),
            count => Err(Self::refuse(self.offset(), Problem::Trailing { count })),
        }
    }

    /// A number of bytes as they are.
    ///
    /// # Errors
    /// [`Problem::EndsEarly`] where there are fewer.
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], DecodeError> {
        let Some((taken, rest)) = self.rest.split_first_chunk::<N>() else {
            return Err(Self::refuse(self.offset(), Problem::EndsEarly));
        };
        self.rest = rest;
        Ok(*taken)
    }

    /// One byte.
    ///
    /// # Errors
    /// [`Problem::EndsEarly`].
    pub fn u8(&mut self) -> Result<u8, DecodeError> {
        self.array().map(u8::from_be_bytes)
    }

    /// Four bytes.
    ///
    /// # Errors
    /// [`Problem::EndsEarly`].
    pub fn u32(&mut self) -> Result<u32, DecodeError> {
        self.array().map(u32::from_be_bytes)
    }

    /// A byte that is 0 or 1.
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

    /// Length and bytes, if present.
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
            .and_then(|it| self.rest.split_at_checked(it));
        let (taken, rest) = split.ok_or(Self::refuse(offset, Problem::EndsEarly))?;
        self.rest = rest;
        Ok(Some(taken))
    }

    /// A text, if present.
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

    /// A list, if present.
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

    /// What can't be absent, read by a function for what can.
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
