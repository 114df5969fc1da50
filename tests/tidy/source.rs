//! Rust text, taken apart as far as the rules need it: code, texts, comments, words.
//!
//! # Why no parser
//! Rules look at words and braces. A lexer of a hundred lines knows comments, texts, characters and lifetimes
//! apart, works on what doesn't compile yet, and needs no dependency.

/// A text literal or a comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    /// Where it begins, in bytes.
    pub(crate) at: usize,
    /// What it says, without its delimiters.
    pub(crate) text: String,
}

/// A Rust file.
pub(crate) struct Source {
    /// Where it is, from the root.
    pub(crate) path: String,
    /// The text with every comment and the inside of every literal blank; byte for byte as long.
    pub(crate) code: String,
    /// The text literals.
    pub(crate) literals: Vec<Piece>,
    /// The comments.
    pub(crate) comments: Vec<Piece>,
    /// Where `#[cfg(test)]` modules are, in bytes.
    tests: Vec<(usize, usize)>,
    /// How many lines it has.
    pub(crate) lines: usize,
}

/// A word of the code: a name, a keyword or a number.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word<'a> {
    /// Where it begins, in bytes.
    pub(crate) at: usize,
    /// The word.
    pub(crate) text: &'a str,
}

impl Source {
    /// Takes a text apart.
    pub(crate) fn new(path: &str, text: &str) -> Self {
        let mut lexer = Lexer::new(text);
        lexer.run();
        let code = String::from_utf8(lexer.code).unwrap();
        let tests = test_modules(&code);
        let (literals, comments) = (lexer.literals, lexer.comments);
        Self {
            path: path.to_owned(),
            code,
            literals,
            comments,
            tests,
            lines: text.lines().count(),
        }
    }

    /// The line, from 1, of a place in bytes.
    pub(crate) fn line(&self, at: usize) -> usize {
        1 + self.code[..at].matches('\n').count()
    }

    /// The words of the code, in order.
    pub(crate) fn words(&self) -> impl Iterator<Item = Word<'_>> {
        words(&self.code)
    }

    /// The code after a word.
    pub(crate) fn after(&self, word: Word<'_>) -> &str {
        self.code[word.at + word.text.len()..].trim_start()
    }

    /// The code before a place.
    pub(crate) fn before(&self, at: usize) -> &str {
        self.code[..at].trim_end()
    }

    /// Whether a place is only there for tests: by its file, or in a `#[cfg(test)]` module.
    pub(crate) fn is_test(&self, at: usize) -> bool {
        self.is_test_file()
            || self
                .tests
                .iter()
                .any(|(from, to)| (*from..*to).contains(&at))
    }

    /// Whether the whole file is only there for tests and measurements.
    pub(crate) fn is_test_file(&self) -> bool {
        let mut parts = self.path.split('/');
        parts.any(|it| matches!(it, "tests" | "tests.rs" | "benches"))
    }

    /// Lines that are not in `#[cfg(test)]` modules.
    pub(crate) fn lines_without_tests(&self) -> usize {
        let of_tests = self
            .tests
            .iter()
            .map(|(from, to)| self.line(*to) - self.line(*from) + 1);
        self.lines - of_tests.sum::<usize>().min(self.lines)
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The words of blanked code.
pub(crate) fn words(code: &str) -> impl Iterator<Item = Word<'_>> {
    let bytes = code.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        at += bytes[at..].iter().position(|it| is_word(*it))?;
        let length = bytes[at..].iter().take_while(|it| is_word(**it)).count();
        let word = Word {
            at,
            text: &code[at..at + length],
        };
        at += length;
        Some(word)
    })
}

/// The place after the brace that closes the one at `open`, or the end.
pub(crate) fn closing(code: &str, open: usize) -> usize {
    let mut depth = 0_usize;
    for (offset, byte) in code.as_bytes()[open..].iter().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            _ => continue,
        }
        if depth == 0 {
            return open + offset + 1;
        }
    }
    code.len()
}

/// From `#[cfg(test)]` to the closing brace of the module it stands on.
fn test_modules(code: &str) -> Vec<(usize, usize)> {
    let begins = code
        .match_indices("#[cfg(test)]")
        .filter_map(|(at, attribute)| {
            let rest = &code[at + attribute.len()..];
            let module = rest.trim_start().strip_prefix("mod ")?;
            let open = module
                .find(['{', ';'])
                .filter(|it| module.as_bytes()[*it] == b'{')?;
            let open = code.len() - module.len() + open;
            Some((at, closing(code, open)))
        });
    begins.collect()
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    code: Vec<u8>,
    literals: Vec<Piece>,
    comments: Vec<Piece>,
}

impl<'a> Lexer<'a> {
    fn new(text: &'a str) -> Self {
        let code = text.as_bytes().to_vec();
        Self {
            text,
            at: 0,
            code,
            literals: Vec::new(),
            comments: Vec::new(),
        }
    }

    fn run(&mut self) {
        while self.at < self.text.len() {
            let rest = &self.text.as_bytes()[self.at..];
            match rest[0] {
                b'/' if rest.starts_with(b"//") => self.line_comment(),
                b'/' if rest.starts_with(b"/*") => self.block_comment(),
                b'"' => self.literal(1, "\"", true),
                b'\'' => self.character(),
                first if is_word(first) => self.word(),
                _ => self.at += 1,
            }
        }
    }

    /// A name or number, unless it is the beginning of a raw or byte literal.
    fn word(&mut self) {
        let rest = &self.text[self.at..];
        let length = rest.bytes().take_while(|it| is_word(*it)).count();
        let (word, next) = rest.split_at(length);
        let hashes = next.bytes().take_while(|it| *it == b'#').count();
        let is_text = next[hashes..].starts_with('"');
        match word {
            "r" | "br" | "cr" if is_text => {
                let end = format!("\"{}", "#".repeat(hashes));
                self.literal(length + hashes + 1, &end, false);
            }
            "b" | "c" if is_text && hashes == 0 => self.literal(length + 1, "\"", true),
            _ => self.at += length,
        }
    }

    fn line_comment(&mut self) {
        let rest = &self.text[self.at..];
        let end = self.at + rest.find('\n').unwrap_or(rest.len());
        self.comment(end);
    }

    fn block_comment(&mut self) {
        let (mut depth, mut end) = (0_usize, self.at);
        let bytes = self.text.as_bytes();
        while end < bytes.len() {
            if bytes[end..].starts_with(b"/*") {
                depth += 1;
                end += 2;
            } else if bytes[end..].starts_with(b"*/") {
                depth -= 1;
                end += 2;
            } else {
                end += 1;
            }
            if depth == 0 {
                break;
            }
        }
        self.comment(end.min(bytes.len()));
    }

    fn comment(&mut self, end: usize) {
        let text = self.text[self.at..end].to_owned();
        self.comments.push(Piece { at: self.at, text });
        self.blank(self.at, end);
        self.at = end;
    }

    fn literal(&mut self, opening: usize, end: &str, escapes: bool) {
        let begin = self.at + opening;
        let bytes = self.text.as_bytes();
        let mut close = begin;
        while close < bytes.len() && !bytes[close..].starts_with(end.as_bytes()) {
            close += if escapes && bytes[close] == b'\\' {
                2
            } else {
                1
            };
        }
        let close = close.min(bytes.len());
        let text = self.text.get(begin..close).unwrap_or_default().to_owned();
        self.literals.push(Piece { at: self.at, text });
        self.blank(begin, close);
        self.at = (close + end.len()).min(bytes.len());
    }

    /// A character, or the quote of a lifetime.
    fn character(&mut self) {
        let inside = &self.text[self.at + 1..];
        let mut characters = inside.char_indices();
        let first = characters.next().map(|it| it.1);
        let length = match (first, characters.next()) {
            (Some('\\'), _) => inside
                .get(2..)
                .and_then(|it| it.find('\''))
                .map(|it| it + 2),
            (Some(_), Some((length, '\''))) => Some(length),
            _ => None,
        };
        let Some(length) = length else {
            self.at += 1;
            return;
        };
        self.blank(self.at + 1, self.at + 1 + length);
        self.at += length + 2;
    }

    fn blank(&mut self, from: usize, to: usize) {
        for byte in &mut self.code[from..to] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
    }
}

#[cfg(test)]
mod checks {
    use super::{Source, words};

    fn blanked(text: &str) -> String {
        Source::new("x.rs", text).code
    }

    /// Every kind of literal and comment is blank, what is around them is not, and no byte has moved.
    #[test]
    fn words_are_not_code() {
        let cases = [
            (r#"a("b\"c" + d)"#, r#"a("    " + d)"#),
            (r##"a(r#"b"c"#, d)"##, r##"a(r#"   "#, d)"##),
            (r#"a(b"b", br"\", c"d")"#, r#"a(b" ", br" ", c" ")"#),
            (
                "a // b\nc /* d /* e */ f */ g",
                "a     \nc                   g",
            ),
            (
                r"'{' '\'' '\u{7b}' 'é' &'a b 'static",
                r"' ' '  ' '      ' '  ' &'a b 'static",
            ),
            (
                "r#type + \"// no\" + '\"' + x",
                "r#type + \"     \" + ' ' + x",
            ),
        ];
        for (text, code) in cases {
            assert_eq!(blanked(text), code);
            assert_eq!(text.len(), code.len());
        }
    }

    /// Literals and comments are kept with their places.
    #[test]
    fn pieces_have_lines() {
        let source = Source::new("x.rs", "one\n\"two\" // three\n");
        assert_eq!(source.line(source.literals[0].at), 2);
        assert_eq!(source.literals[0].text, "two");
        assert_eq!(source.comments[0].text, "// three");
        let found: Vec<&str> = words("a_1::b(2f64)").map(|it| it.text).collect();
        assert_eq!(found, ["a_1", "b", "2f64"]);
    }

    /// A test module is known by its attribute, to its closing brace.
    #[test]
    fn test_modules_are_apart() {
        let text = "fn a() {}\n#[cfg(test)]\nmod tests {\n  fn b() { '{'; }\n}\nfn c() {}\n";
        let source = Source::new("server/x/src/y.rs", text);
        let place = |what| source.code.find(what).unwrap();
        assert!(!source.is_test(place("fn a")));
        assert!(source.is_test(place("fn b")));
        assert!(!source.is_test(place("fn c")));
        assert_eq!(source.lines_without_tests(), 2);
        assert!(Source::new("server/x/tests/y.rs", "").is_test_file());
        assert!(Source::new("server/x/src/y/tests.rs", "").is_test_file());
        assert!(!Source::new("server/x/src/tested.rs", "").is_test_file());
    }
}
