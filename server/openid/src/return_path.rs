//! A path of this server that a person goes on to after a login.

use std::str::FromStr;

/// Maximum length of a path in bytes.
const PATH_BYTES_MAX: usize = 200;

/// A path of this server with its query. Nothing in it leads to another server, and no HTML can be in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReturnPath(String);

/// A text that is no such path.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a path of this server begins with one slash, and has letters, digits and -._~/?=&% only, at most 200"
)]
pub struct NotAPath;

impl Default for ReturnPath {
    fn default() -> Self {
        Self("/".to_owned())
    }
}

impl ReturnPath {
    /// Returns the path.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for ReturnPath {
    type Err = NotAPath;

    fn from_str(text: &str) -> Result<Self, NotAPath> {
        let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/?=&%".contains(&byte);
        let is_path = text.starts_with('/') && !text.starts_with("//");
        if is_path && text.len() <= PATH_BYTES_MAX && text.bytes().all(is_allowed) {
            return Ok(Self(text.to_owned()));
        }
        Err(NotAPath)
    }
}

#[cfg(test)]
mod tests {
    use super::ReturnPath;

    #[test]
    fn a_path_leads_to_this_server_only() {
        for path in [
            "/",
            "/manual/crazy-4-poker",
            "/?link=main&x=%C3%A4",
            "/a//b",
        ] {
            assert!(path.parse::<ReturnPath>().is_ok(), "{path}");
        }
        let long = format!("/{}", "a".repeat(200));
        for path in [
            "",
            "manual",
            "//evil.example/",
            "/\\evil.example",
            "https://evil.example",
            "/\"><script>",
            "/a b",
            "/\r\nset-cookie: x",
            "/ä",
            &long,
        ] {
            assert!(path.parse::<ReturnPath>().is_err(), "{path}");
        }
    }
}
