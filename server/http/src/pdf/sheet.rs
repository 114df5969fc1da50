//! Lines of text as pages of PDF.
//!
//! # Shape
//! The font is Courier, which every reader of PDF has, so that no font is embedded and each character has one width. Its
//! encoding has the characters of Western Europe. Any other character is written as its code point, such as `\u{4e8c}`, so
//! that two names that differ look different.

use pdf_writer::{Content, Name, Pdf, Rect, Ref, Str, TextStr};

/// Lower left corner of a page.
const ORIGIN: u16 = 0;
/// Width of a page in points: US Letter.
const WIDTH: u16 = 612;
/// Height of a page in points.
const HEIGHT: u16 = 792;
/// Space around the text in points.
const MARGIN: u16 = 54;
/// Size of the text in points. A character of Courier is six tenths as wide.
const SIZE: u16 = 10;
/// Size of a title in points.
const TITLE_SIZE: u16 = 15;
/// Distance between two lines in points.
const LEADING: u16 = 14;
/// Lines on a page; the last one is its number.
const LINES_A_PAGE: usize = ((HEIGHT - 2 * MARGIN) / LEADING) as usize - 1;
/// Characters of a line.
const LINE_CHARS: usize = 84;
/// Characters of a title.
const TITLE_CHARS: usize = 56;
/// Characters before the value of a field.
const LABEL_CHARS: usize = 24;
/// Names of the fonts on a page.
const PLAIN: Name<'static> = Name(b"F1");
const BOLD: Name<'static> = Name(b"F2");

/// The look of a line.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Look {
    Plain,
    Bold,
    Title,
}

/// Text to print.
#[derive(Debug)]
pub(crate) struct Sheet {
    title: String,
    lines: Vec<(Look, String)>,
}

impl Sheet {
    /// Begins a sheet with its title.
    pub(crate) fn new(title: &str) -> Self {
        let title = printable(title);
        let mut sheet = Self {
            title: title.clone(),
            lines: Vec::new(),
        };
        sheet.add(Look::Title, &title, TITLE_CHARS);
        sheet
    }

    /// Adds an empty line.
    pub(crate) fn space(&mut self) {
        self.lines.push((Look::Plain, String::new()));
    }

    /// Adds a mark: one line that nobody overlooks.
    pub(crate) fn mark(&mut self, text: &str) {
        self.space();
        self.add(Look::Title, &printable(text), TITLE_CHARS);
    }

    /// Adds the heading of a part.
    pub(crate) fn heading(&mut self, text: &str) {
        self.space();
        self.add(Look::Bold, &printable(text), LINE_CHARS);
    }

    /// Adds a field with its value. A long value goes on under itself.
    pub(crate) fn field(&mut self, label: &str, value: &str) {
        self.labelled(Look::Plain, label, value);
    }

    /// Adds a field that stands out.
    pub(crate) fn bold_field(&mut self, label: &str, value: &str) {
        self.labelled(Look::Bold, label, value);
    }

    /// Adds a line to sign.
    pub(crate) fn signature(&mut self, who: &str) {
        self.space();
        self.space();
        let line = "_".repeat(LINE_CHARS - LABEL_CHARS);
        self.field(who, &line);
    }

    fn labelled(&mut self, look: Look, label: &str, value: &str) {
        let value = printable(value);
        let mut label = printable(label);
        for part in wrapped(&value, LINE_CHARS - LABEL_CHARS) {
            self.lines
                .push((look, format!("{label:LABEL_CHARS$}{part}")));
            label.clear();
        }
    }

    fn add(&mut self, look: Look, text: &str, width: usize) {
        let lines = wrapped(text, width).into_iter();
        self.lines.extend(lines.map(|line| (look, line)));
    }

    /// Writes the pages.
    pub(crate) fn into_pdf(self) -> Vec<u8> {
        let pages: Vec<&[(Look, String)]> = self.lines.chunks(LINES_A_PAGE).collect();
        let mut next = 0;
        let mut id = || {
            next += 1;
            Ref::new(next)
        };
        let (catalog, tree, info) = (id(), id(), id());
        let fonts = [(PLAIN, "Courier", id()), (BOLD, "Courier-Bold", id())];
        let places: Vec<(Ref, Ref)> = pages.iter().map(|_| (id(), id())).collect();
        let mut pdf = Pdf::new();
        pdf.catalog(catalog).pages(tree);
        let count = i32::try_from(places.len()).unwrap_or(i32::MAX);
        let kids = places.iter().map(|(page, _)| *page);
        pdf.pages(tree).kids(kids).count(count);
        pdf.document_info(info).title(TextStr(&self.title));
        for (_, name, font) in fonts {
            let mut written = pdf.type1_font(font);
            written.base_font(Name(name.as_bytes()));
            written.encoding_predefined(Name(b"WinAnsiEncoding"));
        }
        for (number, (lines, (page, content))) in (1..).zip(pages.iter().zip(&places)) {
            let mut written = pdf.page(*page);
            written.media_box(Rect::new(
                ORIGIN.into(),
                ORIGIN.into(),
                WIDTH.into(),
                HEIGHT.into(),
            ));
            written.parent(tree).contents(*content);
            let mut resources = written.resources();
            let mut used = resources.fonts();
            for (name, _, font) in fonts {
                used.pair(name, font);
            }
            drop(used);
            drop(resources);
            drop(written);
            let number_of_all = format!("page {number} of {}", places.len());
            pdf.stream(*content, &text_of(lines, &number_of_all));
        }
        pdf.finish()
    }
}

/// Returns the content of a page.
fn text_of(lines: &[(Look, String)], page: &str) -> Vec<u8> {
    let mut content = Content::new();
    let mut show = |look: Look, y: u16, text: &str| {
        let (font, size) = match look {
            Look::Plain => (PLAIN, SIZE),
            Look::Bold => (BOLD, SIZE),
            Look::Title => (BOLD, TITLE_SIZE),
        };
        content.begin_text();
        content.set_font(font, size.into());
        content.next_line(MARGIN.into(), y.into());
        content.show(Str(&encoded(text)));
        content.end_text();
    };
    let mut y = HEIGHT - MARGIN - LEADING;
    for (look, text) in lines {
        show(*look, y, text);
        y = y.saturating_sub(LEADING);
    }
    show(Look::Plain, MARGIN, page);
    content.finish().to_vec()
}

/// Returns a text of characters that the font has, and code points of the others.
fn printable(text: &str) -> String {
    let mut printable = String::with_capacity(text.len());
    for character in text.chars() {
        if code(character).is_some() {
            printable.push(character);
        } else {
            printable.extend(character.escape_unicode());
        }
    }
    printable
}

/// Returns the bytes of a text in the font's encoding.
fn encoded(text: &str) -> Vec<u8> {
    text.chars()
        .map(|character| code(character).unwrap_or(b'?'))
        .collect()
}

/// Returns the code of a character in the encoding `WinAnsiEncoding`, if it has one.
fn code(character: char) -> Option<u8> {
    match character {
        ' '..='~' | '\u{a1}'..='\u{ac}' | '\u{ae}'..='\u{ff}' => u8::try_from(character).ok(),
        '\u{20ac}' => Some(0x80),
        '\u{2026}' => Some(0x85),
        '\u{2018}' => Some(0x91),
        '\u{2019}' => Some(0x92),
        '\u{201c}' => Some(0x93),
        '\u{201d}' => Some(0x94),
        '\u{2013}' => Some(0x96),
        '\u{2014}' => Some(0x97),
        _ => None,
    }
}

/// Returns the lines of a text: broken behind words, and inside a word that is longer than a line.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut room = width;
    for word in text.split_inclusive(' ') {
        let length = word.trim_end_matches(' ').chars().count();
        if length > room && room < width {
            lines.push(String::new());
            room = width;
        }
        for character in word.chars() {
            if room == 0 {
                lines.push(String::new());
                room = width;
            }
            if let Some(line) = lines.last_mut() {
                line.push(character);
            }
            room -= 1;
        }
    }
    lines
}
