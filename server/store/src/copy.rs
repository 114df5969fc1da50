//! A strict reader of Postgres' binary COPY format: a copy that deviates from the format is
//! refused.
//!
//! # Shape
//! [`CopyReader::feed`] takes bytes in pieces of any size and passes on complete rows. Bytes of an
//! incomplete row are kept until more arrive. The server sends one row per message, so that few
//! bytes are ever kept.
//!
//! # Limits
//! One row and one message.

use crate::error::StoreError;

/// Start of every binary copy: signature, no flags, no extension.
const HEADER: &[u8; 19] = b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0";
/// Type number of `bigint`, the element type of all arrays in the schema.
const BIGINT: i32 = 20;

/// A reader of one copy.
#[derive(Debug)]
pub(crate) struct CopyReader {
    columns: i16,
    state: State,
    rest: Vec<u8>,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum State {
    Header,
    Rows,
    Ended,
}

impl CopyReader {
    /// Creates a reader of rows with this many columns.
    pub(crate) fn new(columns: i16) -> Self {
        Self {
            columns,
            state: State::Header,
            rest: Vec::new(),
        }
    }

    /// Takes the next bytes and calls `row` for each complete row.
    pub(crate) fn feed(
        &mut self,
        chunk: &[u8],
        mut row: impl FnMut(Fields<'_>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        if self.rest.is_empty() {
            let used = self.take(chunk, &mut row)?;
            self.rest.extend_from_slice(&chunk[used..]);
            return Ok(());
        }
        let mut rest = std::mem::take(&mut self.rest);
        rest.extend_from_slice(chunk);
        let used = self.take(&rest, &mut row)?;
        rest.drain(..used);
        self.rest = rest;
        Ok(())
    }

    /// Checks that the copy ended properly.
    pub(crate) fn finish(&self) -> Result<(), StoreError> {
        let is_whole = self.state == State::Ended && self.rest.is_empty();
        if is_whole {
            Ok(())
        } else {
            Err(StoreError::Copy {
                what: "it stops in the middle",
            })
        }
    }

    /// Reads the complete rows and returns the number of bytes used.
    fn take(
        &mut self,
        bytes: &[u8],
        row: &mut impl FnMut(Fields<'_>) -> Result<(), StoreError>,
    ) -> Result<usize, StoreError> {
        let mut used = 0;
        if self.state == State::Header {
            let Some(header) = bytes.first_chunk() else {
                return Ok(0);
            };
            if header != HEADER {
                return Err(StoreError::Copy {
                    what: "it does not begin as one",
                });
            }
            self.state = State::Rows;
            used = HEADER.len();
        }
        while self.state == State::Rows {
            let Some((count, fields)) = bytes[used..].split_first_chunk() else {
                return Ok(used);
            };
            used = match i16::from_be_bytes(*count) {
                -1 => {
                    self.state = State::Ended;
                    used + count.len()
                }
                count if count != self.columns => {
                    return Err(StoreError::Copy {
                        what: "a row has another number of columns",
                    });
                }
                _ => {
                    let Some(length) = self.row_length(fields)? else {
                        return Ok(used);
                    };
                    row(Fields {
                        rest: &fields[..length],
                    })?;
                    used + count.len() + length
                }
            };
        }
        if used < bytes.len() {
            return Err(StoreError::Copy {
                what: "it goes on behind its end",
            });
        }
        Ok(used)
    }

    /// Returns the length of the first row, or `None` if the row is not complete.
    fn row_length(&self, bytes: &[u8]) -> Result<Option<usize>, StoreError> {
        let mut rest = bytes;
        for _ in 0..self.columns {
            let Some((length, behind)) = rest.split_first_chunk() else {
                return Ok(None);
            };
            let length = match i32::from_be_bytes(*length) {
                -1 => 0,
                length => usize::try_from(length).map_err(|_| StoreError::Copy {
                    what: "a column has a negative length",
                })?,
            };
            let Some(behind) = behind.get(length..) else {
                return Ok(None);
            };
            rest = behind;
        }
        Ok(Some(bytes.len() - rest.len()))
    }
}

/// The columns of one row, read in sequence.
#[derive(Debug)]
pub(crate) struct Fields<'a> {
    rest: &'a [u8],
}

impl<'a> Fields<'a> {
    /// Returns the next column's bytes, or `None` for NULL.
    pub(crate) fn bytes(&mut self) -> Result<Option<&'a [u8]>, StoreError> {
        let cut = || StoreError::Copy {
            what: "a row ends early",
        };
        let (length, rest) = self.rest.split_first_chunk().ok_or_else(cut)?;
        let Ok(length) = usize::try_from(i32::from_be_bytes(*length)) else {
            self.rest = rest;
            return Ok(None);
        };
        let (field, rest) = rest.split_at_checked(length).ok_or_else(cut)?;
        self.rest = rest;
        Ok(Some(field))
    }

    /// Reads the next column, a `smallint`.
    pub(crate) fn maybe_i16(&mut self) -> Result<Option<i16>, StoreError> {
        Ok(self.fixed()?.map(i16::from_be_bytes))
    }

    /// Reads the next column, an `integer`.
    pub(crate) fn maybe_i32(&mut self) -> Result<Option<i32>, StoreError> {
        Ok(self.fixed()?.map(i32::from_be_bytes))
    }

    /// Reads the next column, a `bigint`.
    pub(crate) fn maybe_i64(&mut self) -> Result<Option<i64>, StoreError> {
        Ok(self.fixed()?.map(i64::from_be_bytes))
    }

    /// Reads the next column, a `smallint NOT NULL`.
    pub(crate) fn i16(&mut self) -> Result<i16, StoreError> {
        present(self.maybe_i16()?)
    }

    /// Reads the next column, an `integer NOT NULL`.
    pub(crate) fn i32(&mut self) -> Result<i32, StoreError> {
        present(self.maybe_i32()?)
    }

    /// Reads the next column, a `bigint NOT NULL`.
    pub(crate) fn i64(&mut self) -> Result<i64, StoreError> {
        present(self.maybe_i64()?)
    }

    /// Reads the next column, `N` bytes that are never NULL.
    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N], StoreError> {
        present(self.fixed()?)
    }

    /// Reads the next column, a `text NOT NULL`.
    pub(crate) fn text(&mut self) -> Result<&'a str, StoreError> {
        let bytes = present(self.bytes()?)?;
        std::str::from_utf8(bytes).map_err(|_| StoreError::Copy {
            what: "a text is not UTF-8",
        })
    }

    /// Reads the next column, a `bigint[] NOT NULL` of one dimension without NULL.
    pub(crate) fn bigints(&mut self) -> Result<Vec<i64>, StoreError> {
        let wrong = || StoreError::Copy {
            what: "an array is not one of bigints",
        };
        let bytes = present(self.bytes()?)?;
        let (words, elements) = bytes.split_at_checked(12).ok_or_else(wrong)?;
        let word = |index: usize| {
            let word = words.get(index..).and_then(<[u8]>::first_chunk);
            word.map_or(-1, |word| i32::from_be_bytes(*word))
        };
        let (dimensions, has_null, element) = (word(0), word(4), word(8));
        if element != BIGINT || has_null != 0 || !(0..=1).contains(&dimensions) {
            return Err(wrong());
        }
        if dimensions == 0 {
            return if elements.is_empty() {
                Ok(Vec::new())
            } else {
                Err(wrong())
            };
        }
        let (count, elements) = elements.split_first_chunk().ok_or_else(wrong)?;
        let (first, elements) = elements.split_first_chunk().ok_or_else(wrong)?;
        let mut fields = Fields { rest: elements };
        let mut all = Vec::with_capacity(elements.len() / 12);
        while !fields.rest.is_empty() {
            all.push(fields.i64()?);
        }
        let is_whole = i32::from_be_bytes(*first) == 1
            && usize::try_from(i32::from_be_bytes(*count)) == Ok(all.len());
        if is_whole { Ok(all) } else { Err(wrong()) }
    }

    fn fixed<const N: usize>(&mut self) -> Result<Option<[u8; N]>, StoreError> {
        let Some(bytes) = self.bytes()? else {
            return Ok(None);
        };
        let wrong = |_| StoreError::Copy {
            what: "a column has another length",
        };
        bytes.try_into().map(Some).map_err(wrong)
    }
}

fn present<T>(field: Option<T>) -> Result<T, StoreError> {
    field.ok_or_else(|| StoreError::Copy {
        what: "a column is NULL",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn copy(rows: &[&[Option<&[u8]>]]) -> Vec<u8> {
        let mut bytes = HEADER.to_vec();
        for row in rows {
            bytes.extend(i16::try_from(row.len()).unwrap().to_be_bytes());
            for field in *row {
                let length = field.map_or(-1, |bytes| i32::try_from(bytes.len()).unwrap());
                bytes.extend(length.to_be_bytes());
                bytes.extend(field.unwrap_or_default());
            }
        }
        bytes.extend((-1_i16).to_be_bytes());
        bytes
    }

    fn read(chunks: &[&[u8]]) -> Result<Vec<(i32, Option<i64>)>, StoreError> {
        let mut reader = CopyReader::new(2);
        let mut rows = Vec::new();
        for chunk in chunks {
            reader.feed(chunk, |mut fields| {
                rows.push((fields.i32()?, fields.maybe_i64()?));
                Ok(())
            })?;
        }
        reader.finish().map(|()| rows)
    }

    #[test]
    fn rows_come_out_whole_wherever_the_bytes_are_cut() {
        let seven = 7_i64.to_be_bytes();
        let one = 1_i32.to_be_bytes();
        let bytes = copy(&[&[Some(&one), Some(&seven)], &[Some(&one), None]]);
        let expected = vec![(1, Some(7)), (1, None)];
        assert_eq!(read(&[&bytes]).unwrap(), expected);
        for first in 0..bytes.len() {
            for second in first..bytes.len() {
                let chunks = [&bytes[..first], &bytes[first..second], &bytes[second..]];
                assert_eq!(read(&chunks).unwrap(), expected);
            }
        }
    }

    #[test]
    fn bytes_outside_the_copy_format_are_refused() {
        let one = 1_i32.to_be_bytes();
        let whole = copy(&[&[Some(&one), None]]);
        for length in 0..whole.len() {
            read(&[&whole[..length]]).unwrap_err();
        }
        let mut longer = whole.clone();
        longer.push(0);
        read(&[&longer]).unwrap_err();
        read(&[&whole, &[0]]).unwrap_err();
        read(&[&copy(&[&[Some(&one)]])]).unwrap_err();
        read(&[&copy(&[&[None, None]])]).unwrap_err();
        read(&[&copy(&[&[Some(&one), Some(&one)]])]).unwrap_err();
        let mut other = whole;
        other[14] = 1;
        read(&[&other]).unwrap_err();
    }

    #[test]
    fn arrays_are_of_bigints_without_null() {
        let array = |words: &[i32], elements: &[i64]| {
            let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_be_bytes()).collect();
            for element in elements {
                bytes.extend(8_i32.to_be_bytes());
                bytes.extend(element.to_be_bytes());
            }
            let mut field = i32::try_from(bytes.len()).unwrap().to_be_bytes().to_vec();
            field.extend(bytes);
            field
        };
        let read = |bytes: Vec<u8>| Fields { rest: &bytes }.bigints();
        assert_eq!(
            read(array(&[1, 0, 20, 2, 1], &[-1, 5])).unwrap(),
            vec![-1, 5]
        );
        assert_eq!(read(array(&[0, 0, 20], &[])).unwrap(), Vec::<i64>::new());
        read(array(&[1, 0, 23, 2, 1], &[-1, 5])).unwrap_err();
        read(array(&[1, 1, 20, 2, 1], &[-1, 5])).unwrap_err();
        read(array(&[1, 0, 20, 3, 1], &[-1, 5])).unwrap_err();
        read(array(&[1, 0, 20, 2, 0], &[-1, 5])).unwrap_err();
    }
}
