//! Reading sections and values of a TOML file by hand, so that one mistake doesn't hide the next.
//!
//! # Shape
//! A [`Section`] is a table: it records the keys that were read, and finally refuses all others. A [`Value`] is read
//! as its expected type. If the type is wrong, the report gets the position and the text to write instead, and the
//! reader `None`. A caller reads every key first and returns (`?`) last.

use core::fmt::Display;
use core::ops::RangeInclusive;
use core::str::FromStr;
use std::cell::RefCell;

use meterhouse_domain::ids::{NAME_LENGTH_MAX, TEXT_LENGTH_MAX};
use meterhouse_domain::rate::{PPM, PPM_PER_PERCENT, Rate};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::report::{Finding, Report};

/// Decimals of a percentage that is a whole number of parts per million.
const RATE_DECIMALS: usize = 4;
/// Characters of a wrong value that a message repeats.
const SHOWN_MAX: usize = 40;

/// A table of the file.
pub(crate) struct Section<'a> {
    /// Receiver of the findings.
    pub(crate) report: &'a Report<'a>,
    /// Offset of its first byte.
    pub(crate) at: usize,
    name: &'static str,
    table: &'a DeTable<'a>,
    asked: RefCell<Vec<&'static str>>,
}

/// A value of the file with its key.
#[derive(Copy, Clone)]
pub(crate) struct Value<'a> {
    key: &'static str,
    spanned: &'a Spanned<DeValue<'a>>,
    report: &'a Report<'a>,
}

impl<'a> Section<'a> {
    /// Returns the section of the file itself.
    pub(crate) fn root(report: &'a Report<'a>, table: &'a DeTable<'a>) -> Self {
        Self {
            report,
            at: 0,
            name: "the file",
            table,
            asked: RefCell::default(),
        }
    }

    /// Checks if a key is there, without reading it.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    /// Returns the value at an optional key.
    pub(crate) fn optional(&self, key: &'static str) -> Option<Value<'a>> {
        let mut asked = self.asked.borrow_mut();
        if !asked.contains(&key) {
            asked.push(key);
        }
        let spanned = self.table.get(key)?;
        Some(Value {
            key,
            spanned,
            report: self.report,
        })
    }

    /// Returns the value at a required key; the message for a missing one shows `example`.
    pub(crate) fn required(&self, key: &'static str, example: &str) -> Option<Value<'a>> {
        self.optional(key)
            .or_else(|| self.missing(key, &format!("{key} = {example}")))
    }

    /// Returns the required section of this name; the message for a missing one shows `instead`.
    pub(crate) fn required_section(&self, key: &'static str, instead: &str) -> Option<Value<'a>> {
        self.optional(key).or_else(|| self.missing(key, instead))
    }

    /// Records that a key is missing, with the text to write.
    pub(crate) fn missing<T>(&self, key: &'static str, instead: &str) -> Option<T> {
        let message = format!("`{key}` is missing in {}: write {instead}", self.name);
        self.report.record_missing(self.at, message);
        None
    }

    /// Refuses every key that was not read.
    pub(crate) fn finish(&self) {
        let asked = self.asked.borrow();
        for (key, _) in self.table {
            if !asked.contains(&key.get_ref().as_ref()) {
                let message = format!(
                    "unknown key `{}` in {}: write one of {}",
                    key.get_ref(),
                    self.name,
                    asked.join(", ")
                );
                self.report.record(key.span().start, message);
            }
        }
    }
}

impl<'a> Value<'a> {
    /// Returns the offset of its first byte.
    pub(crate) fn at(self) -> usize {
        self.spanned.span().start
    }

    /// Returns its line, from 1.
    pub(crate) fn line(self) -> usize {
        self.report.line(self.at())
    }

    /// Records that the value is wrong, with the text to write instead.
    pub(crate) fn wrong<T>(self, instead: impl Display) -> Option<T> {
        let (at, message) = self.finding(instead);
        self.report.record(at, message);
        None
    }

    /// Records a mistake that begins at the value.
    pub(crate) fn report(self, message: &str) {
        self.report.record(self.at(), message.to_owned());
    }

    /// Returns the finding that the value is wrong, with the text to write instead.
    pub(crate) fn finding(self, instead: impl Display) -> Finding {
        let text = self.report.text(self.spanned.span());
        let line = text.lines().next().unwrap_or_default();
        let mut shown: String = line.chars().take(SHOWN_MAX).collect();
        if shown.len() < text.len() {
            shown.push('…');
        }
        let message = format!("`{}` is {shown}: write {instead}", self.key);
        (self.at(), message)
    }

    /// Reads a text of at least one character.
    pub(crate) fn text(self) -> Option<&'a str> {
        match self.spanned.get_ref().as_str() {
            Some(text)
                if !text.trim().is_empty()
                    && text.len() <= TEXT_LENGTH_MAX
                    && !text.chars().any(char::is_control) =>
            {
                Some(text)
            }
            _ => self.wrong(format!("a text in quotes, of 1 to {TEXT_LENGTH_MAX} bytes")),
        }
    }

    /// Reads a name.
    pub(crate) fn name<T: FromStr>(self) -> Option<T> {
        let name = self
            .spanned
            .get_ref()
            .as_str()
            .and_then(|text| text.parse().ok());
        name.or_else(|| {
            self.wrong(format!(
                "1 to {NAME_LENGTH_MAX} letters, digits or hyphens, in quotes"
            ))
        })
    }

    /// Reads one of these words.
    pub(crate) fn word<T: Copy + Display>(self, all: &[T]) -> Option<T> {
        let words: Vec<String> = all.iter().map(ToString::to_string).collect();
        let text = self.spanned.get_ref().as_str().unwrap_or_default();
        match words.iter().position(|word| word == text) {
            Some(index) => all.get(index).copied(),
            None => self.wrong(format!("one of \"{}\"", words.join("\", \""))),
        }
    }

    /// Reads a text in a form of its own; `instead` shows the form.
    pub(crate) fn parsed<T: FromStr>(self, instead: impl Display) -> Option<T> {
        let text = self.spanned.get_ref().as_str();
        text.and_then(|text| text.parse().ok())
            .or_else(|| self.wrong(instead))
    }

    /// Checks if the value is this number.
    pub(crate) fn is_whole(self, number: u32) -> bool {
        self.as_whole() == Some(number)
    }

    /// Reads a whole number in this range.
    pub(crate) fn whole(self, range: RangeInclusive<u32>) -> Option<u32> {
        self.as_whole()
            .filter(|number| range.contains(number))
            .or_else(|| {
                self.wrong(format!(
                    "a whole number from {} to {}",
                    range.start(),
                    range.end()
                ))
            })
    }

    /// Reads `true` or `false`.
    pub(crate) fn flag(self) -> Option<bool> {
        self.spanned
            .get_ref()
            .as_bool()
            .or_else(|| self.wrong("true or false"))
    }

    /// Reads a day.
    pub(crate) fn day(self) -> Option<String> {
        let moment = self.spanned.get_ref().as_datetime();
        match moment.map(|datetime| (datetime.date, datetime.time)) {
            Some((Some(date), None)) => Some(date.to_string()),
            _ => self.wrong("a real day without quotes, such as 2019-08-31"),
        }
    }

    /// Reads a rate in percent.
    pub(crate) fn rate(self) -> Option<Rate> {
        let text = self.spanned.get_ref().as_str().unwrap_or_default();
        let Some((whole, decimals)) = percentage(text) else {
            return self
                .wrong("digits with a percent sign in quotes, such as \"9%\" or \"0.125%\"");
        };
        if decimals.trim_end_matches('0').len() > RATE_DECIMALS {
            return self.wrong("at most four decimals: a rate is whole parts per million");
        }
        let fraction = format!("{decimals:0<RATE_DECIMALS$}");
        let ppm = whole
            .parse::<u32>()
            .ok()
            .and_then(|whole| whole.checked_mul(PPM_PER_PERCENT));
        let ppm = ppm.zip(
            fraction
                .get(..RATE_DECIMALS)
                .and_then(|digits| digits.parse::<u32>().ok()),
        );
        ppm.and_then(|(whole, fraction)| Rate::from_ppm(whole.checked_add(fraction)?))
            .or_else(|| self.wrong(format!("at most \"{}%\"", PPM / PPM_PER_PERCENT)))
    }

    /// Reads a list of at most `max` values.
    pub(crate) fn list(self, max: usize, example: &str) -> Option<Vec<Value<'a>>> {
        let Some(list) = self.spanned.get_ref().as_array() else {
            return self.wrong(example);
        };
        if list.len() > max {
            self.report.record(
                self.at(),
                format!("{} times `{}`: write at most {max}", list.len(), self.key),
            );
            return None;
        }
        if list.is_empty() {
            return self.wrong(format!("at least one: {example}"));
        }
        self.as_list()
    }

    /// Reads a table that messages call `name`.
    pub(crate) fn section(self, name: &'static str, example: &str) -> Option<Section<'a>> {
        let section = self.as_section();
        section
            .map(|section| Section { name, ..section })
            .or_else(|| self.wrong(example))
    }

    /// Returns the whole number, if the value is one.
    pub(crate) fn as_whole(self) -> Option<u32> {
        let number = self.spanned.get_ref().as_integer()?;
        u32::from_str_radix(number.as_str(), number.radix()).ok()
    }

    /// Returns the values of the list, if the value is one.
    pub(crate) fn as_list(self) -> Option<Vec<Value<'a>>> {
        let list = self.spanned.get_ref().as_array()?.iter();
        Some(list.map(|spanned| Value { spanned, ..self }).collect())
    }

    /// Returns the table, if the value is one.
    pub(crate) fn as_section(self) -> Option<Section<'a>> {
        Some(Section {
            report: self.report,
            at: self.at(),
            name: "",
            table: self.spanned.get_ref().as_table()?,
            asked: RefCell::default(),
        })
    }

    /// Returns the text, if the value is one.
    pub(crate) fn as_str(self) -> Option<&'a str> {
        self.spanned.get_ref().as_str()
    }
}

/// Splits a percentage into the digits before and behind the point.
fn percentage(text: &str) -> Option<(&str, &str)> {
    let number = text.strip_suffix('%')?;
    let (whole, decimals) = number.split_once('.').unwrap_or((number, "0"));
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    (digits(whole) && digits(decimals)).then_some((whole, decimals))
}
