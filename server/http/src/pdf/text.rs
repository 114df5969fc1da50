//! Text in the characters of the font, and in lines.

/// Returns a text of characters that the font has, and code points of the others.
pub(super) fn printable(text: &str) -> String {
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
pub(super) fn encoded(text: &str) -> Vec<u8> {
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
pub(super) fn wrapped(text: &str, width: usize) -> Vec<String> {
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
