//! The clause that a rule of a game rests on.

/// A clause of Pennsylvania, and the section of Massachusetts' rules of Crazy 4 Poker with the same rule.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Clause {
    pennsylvania: &'static str,
    massachusetts: &'static str,
}

/// A clause as it is cited: `§ 657a.11(c)(3)(i)` or `Section 10(c)(3)(i)`.
pub type Citation = &'static str;

impl Clause {
    /// The clause on players who leave, in chapters that don't print it.
    pub(super) const LEFT_UNKNOWN: Self = Self::pa("the clause on players who leave the table");

    /// Returns a clause that only Pennsylvania has.
    pub(super) const fn pa(pennsylvania: Citation) -> Self {
        Self::both(pennsylvania, "")
    }

    /// Returns a clause that only Massachusetts has.
    pub(super) const fn ma(massachusetts: Citation) -> Self {
        Self::both("", massachusetts)
    }

    /// Returns a clause that both have.
    pub(super) const fn both(pennsylvania: Citation, massachusetts: Citation) -> Self {
        Self {
            pennsylvania,
            massachusetts,
        }
    }

    /// Returns the clause of this jurisdiction.
    pub(super) fn of(self, jurisdiction: &str) -> Citation {
        match jurisdiction {
            "MA" => self.massachusetts,
            _ => self.pennsylvania,
        }
    }
}
