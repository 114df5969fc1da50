//! Where functions begin and end.

use crate::source::{Source, closing};

/// A function with a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Function {
    /// Its name.
    pub(crate) name: String,
    /// From its `fn`, in bytes.
    pub(crate) from: usize,
    /// To its closing brace, in bytes.
    pub(crate) to: usize,
}

/// All functions with bodies, methods and functions inside functions too.
pub(crate) fn functions(source: &Source) -> Vec<Function> {
    let named = source
        .words()
        .filter(|it| it.text == "fn")
        .filter_map(|word| {
            let rest = source.after(word);
            let length =
                rest.find(|it: char| !it.is_alphanumeric() && !matches!(it, '_' | '$' | '#'))?;
            // `fn(…)` is a type.
            let name = (length > 0).then(|| rest[..length].to_owned())?;
            let open = body(rest)?;
            let open = source.code.len() - rest.len() + open;
            Some(Function {
                name,
                from: word.at,
                to: closing(&source.code, open),
            })
        });
    named.collect()
}

/// Where the body of a signature opens; none where it ends without one.
fn body(signature: &str) -> Option<usize> {
    let mut depth = 0_i32;
    for (at, byte) in signature.bytes().enumerate() {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth -= 1,
            b'{' if depth == 0 => return Some(at),
            b';' if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

/// The innermost function around a place.
pub(crate) fn around(source: &Source, at: usize) -> Option<Function> {
    let inside = |it: &Function| (it.from..it.to).contains(&at);
    functions(source)
        .into_iter()
        .filter(inside)
        .max_by_key(|it| it.from)
}

/// Signatures with braces in comments, arrays in arguments and no body are told apart.
#[test]
fn functions_are_found() {
    let text = "fn a<T: Fn() -> u8>(x: [u8; 2]) -> T where T: Copy {\n  fn b() {}\n}\n\
                trait C { fn d(&self); }\nlet e: fn(u8) = f;\n";
    let source = Source::new("x.rs", text);
    let found = functions(&source);
    let names: Vec<&str> = found.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["a", "b"]);
    assert_eq!(
        (source.line(found[0].from), source.line(found[0].to)),
        (1, 3)
    );
    assert_eq!(around(&source, found[1].from + 1).unwrap().name, "b");
    assert_eq!(around(&source, 3).unwrap().name, "a");
    assert_eq!(around(&source, text.len() - 1), None);
}
