//! What a rule has found, and how it says so.

use std::fmt;

/// A place that breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    /// The file, from the root of the tree.
    pub(crate) path: String,
    /// The line, from 1.
    pub(crate) line: usize,
    /// What is wrong there.
    pub(crate) what: String,
}

impl Finding {
    /// A finding.
    pub(crate) fn new(path: &str, line: usize, what: impl Into<String>) -> Self {
        Self {
            path: path.to_owned(),
            line,
            what: what.into(),
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}: {}", self.path, self.line, self.what)
    }
}

/// A place that a rule leaves out.
pub(crate) struct Exception {
    /// The file.
    pub(crate) path: &'static str,
    /// What the finding says, or part of it.
    pub(crate) what: &'static str,
    /// Why it is left out.
    pub(crate) why: &'static str,
}

impl Exception {
    fn covers(&self, finding: &Finding) -> bool {
        finding.path == self.path && finding.what.contains(self.what)
    }
}

/// The findings that are no exceptions, and the exceptions that nothing needs any more.
pub(crate) fn except(findings: Vec<Finding>, exceptions: &[Exception]) -> Vec<Finding> {
    let idle = exceptions
        .iter()
        .filter(|it| !findings.iter().any(|found| it.covers(found)));
    let idle = idle.map(|it| {
        let what = format!(
            "take `{}` ({}) off the rule's exceptions: it is gone",
            it.what, it.why
        );
        Finding::new(it.path, 1, what)
    });
    let idle: Vec<Finding> = idle.collect();
    let kept = findings
        .into_iter()
        .filter(|found| !exceptions.iter().any(|it| it.covers(found)));
    kept.chain(idle).collect()
}

/// Fails with all findings and what to do about them.
#[track_caller]
pub(crate) fn assert_none(findings: &[Finding], advice: &str) {
    let lines: Vec<String> = findings.iter().map(ToString::to_string).collect();
    assert!(findings.is_empty(), "\n{}\n\n{advice}\n", lines.join("\n"));
}

/// Lines and words of findings, for the tests of rules.
pub(crate) fn brief(findings: &[Finding]) -> Vec<(usize, &str)> {
    findings
        .iter()
        .map(|it| (it.line, it.what.as_str()))
        .collect()
}

/// An exception hides its finding only, and is one itself when it hides nothing.
#[test]
fn exceptions_only_shrink() {
    let exception = |what| Exception {
        path: "a.rs",
        what,
        why: "history",
    };
    let found = vec![
        Finding::new("a.rs", 3, "`sleep` here"),
        Finding::new("b.rs", 4, "`sleep` here"),
    ];
    let kept = except(found.clone(), &[exception("sleep")]);
    assert_eq!(kept, [found[1].clone()]);
    let kept = except(found, &[exception("sleep"), exception("wait")]);
    assert_eq!(kept.len(), 2);
    assert!(kept[1].what.contains("take `wait` (history) off"));
}
