//! Lines of text as pages of PDF.
//!
//! # Shape
//! The font is Courier, which every reader of PDF has, so that no font is embedded and each character has one width. Its
//! encoding has the characters of Western Europe. Any other character is written as its code point, such as `\u{4e8c}`, so
//! that two names that differ look different.

use pdf_writer::{Content, Name, Pdf, Rect, Ref, Str, TextStr};

use super::table::Table;
use super::text::{encoded, printable, wrapped};

/// Lower left corner of a page.
const ORIGIN: u16 = 0;
/// Longer side of a page in points: US Letter.
const LONG: u16 = 792;
/// Shorter side of a page in points.
const SHORT: u16 = 612;
/// Space around the text in points.
const MARGIN: u16 = 54;
/// Size of a title in points.
const TITLE_SIZE: u16 = 15;
/// Characters of a title.
const TITLE_CHARS: usize = 56;
/// Characters before the value of a field.
const LABEL_CHARS: usize = 24;
/// Names of the fonts on a page.
const PLAIN: Name<'static> = Name(b"F1");
const BOLD: Name<'static> = Name(b"F2");

/// The form of a sheet's pages. A character of Courier is six tenths as wide as its size.
#[derive(Copy, Clone, Debug)]
struct Form {
    /// Width in points.
    width: u16,
    /// Height in points.
    height: u16,
    /// Size of the text in points.
    size: u16,
    /// Distance between two lines in points.
    leading: u16,
    /// Characters of a line.
    line_chars: usize,
}

impl Form {
    /// Upright, to read and to sign.
    const PORTRAIT: Self = Self {
        width: SHORT,
        height: LONG,
        size: 10,
        leading: 14,
        line_chars: 84,
    };
    /// Lying, for tables.
    const LANDSCAPE: Self = Self {
        width: LONG,
        height: SHORT,
        size: 8,
        leading: 11,
        line_chars: 142,
    };

    /// Returns the lines of text on a page, without the line of its number.
    const fn lines_a_page(self) -> usize {
        ((self.height - 2 * MARGIN) / self.leading) as usize - 1
    }
}

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
    form: Form,
    title: String,
    /// Text before the number of each page.
    footer: String,
    lines: Vec<(Look, String)>,
}

impl Sheet {
    /// Begins an upright sheet with its title.
    pub(crate) fn new(title: &str) -> Self {
        Self::with_form(Form::PORTRAIT, title)
    }

    /// Begins a sheet that lies, with its title.
    pub(crate) fn landscape(title: &str) -> Self {
        Self::with_form(Form::LANDSCAPE, title)
    }

    fn with_form(form: Form, title: &str) -> Self {
        let title = printable(title);
        let mut sheet = Self {
            form,
            title: title.clone(),
            footer: String::new(),
            lines: Vec::new(),
        };
        sheet.add(Look::Title, &title, TITLE_CHARS);
        sheet
    }

    /// Names the sheet in the last line of each page.
    pub(crate) fn name_pages(&mut self, name: &str) {
        self.footer = format!("{}, ", printable(name));
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
        self.add(Look::Bold, &printable(text), self.form.line_chars);
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
        let line = "_".repeat(self.form.line_chars - LABEL_CHARS);
        self.field(who, &line);
    }

    /// Adds a table under its heading, with the names of its columns on each page. False, and nothing is added, if a row is
    /// longer than a line.
    pub(crate) fn table(&mut self, heading: Option<&str>, table: &Table) -> bool {
        if table.width() > self.form.line_chars {
            return false;
        }
        let page = self.form.lines_a_page();
        let names = table.names();
        // A heading is on the page of its first row.
        let needed = names.len() + 3;
        if page - self.lines.len() % page < needed {
            while !self.lines.len().is_multiple_of(page) {
                self.space();
            }
        }
        match heading {
            Some(heading) => self.heading(heading),
            None => self.space(),
        }
        let names = names.into_iter().map(|line| (Look::Bold, line));
        let names: Vec<(Look, String)> = names.collect();
        self.lines.extend_from_slice(&names);
        for line in table.rows() {
            if self.lines.len().is_multiple_of(page) {
                self.lines.extend_from_slice(&names);
            }
            self.lines.push((Look::Plain, line));
        }
        true
    }

    fn labelled(&mut self, look: Look, label: &str, value: &str) {
        let value = printable(value);
        let mut label = printable(label);
        for part in wrapped(&value, self.form.line_chars - LABEL_CHARS) {
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
        let pages: Vec<&[(Look, String)]> = self.lines.chunks(self.form.lines_a_page()).collect();
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
                self.form.width.into(),
                self.form.height.into(),
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
            let number_of_all = format!("{}page {number} of {}", self.footer, places.len());
            pdf.stream(*content, &text_of(self.form, lines, &number_of_all));
        }
        pdf.finish()
    }
}

/// Returns the content of a page.
fn text_of(form: Form, lines: &[(Look, String)], page: &str) -> Vec<u8> {
    let mut content = Content::new();
    let mut show = |look: Look, y: u16, text: &str| {
        let (font, size) = match look {
            Look::Plain => (PLAIN, form.size),
            Look::Bold => (BOLD, form.size),
            Look::Title => (BOLD, TITLE_SIZE),
        };
        content.begin_text();
        content.set_font(font, size.into());
        content.next_line(MARGIN.into(), y.into());
        content.show(Str(&encoded(text)));
        content.end_text();
    };
    let mut y = form.height - MARGIN - form.leading;
    for (look, text) in lines {
        show(*look, y, text);
        y = y.saturating_sub(form.leading);
    }
    show(Look::Plain, MARGIN, page);
    content.finish().to_vec()
}
