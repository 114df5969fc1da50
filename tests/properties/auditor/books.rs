//! The auditor's own double entry: whole micro-dollars in `i128`, never a type of the rules.

/// The accounts, in the order in which the rules store their balances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Account {
    /// Outside.
    Players = 0,
    /// The operator's own money.
    House = 1,
    /// Displayed.
    Meter = 2,
    /// Hidden.
    Reserve = 3,
    /// Kept out of the meter by a ceiling.
    Overflow = 4,
    /// Won, not yet paid.
    Pending = 5,
    /// Paid.
    Paid = 6,
}

/// Accounts that the rules store for a book, those included that nothing uses yet.
pub(crate) const ACCOUNTS: usize = 8;

/// Money from one account of a book to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The book: a level's, or the last one.
    pub(crate) book: usize,
    /// Where it comes from.
    pub(crate) from: Account,
    /// Where it goes.
    pub(crate) to: Account,
    /// How much.
    pub(crate) micros: i128,
}

/// The balances of all books.
#[derive(Debug)]
pub(crate) struct Books(Vec<[i128; ACCOUNTS]>);

impl Books {
    /// So many books of nothing.
    pub(crate) fn new(count: usize) -> Self {
        Self(vec![[0; ACCOUNTS]; count])
    }

    /// Writes entries.
    pub(crate) fn write(&mut self, entries: &[Entry]) {
        for entry in entries {
            let book = &mut self.0[entry.book];
            book[entry.from as usize] -= entry.micros;
            book[entry.to as usize] += entry.micros;
        }
    }

    /// Writes the opposite of entries.
    pub(crate) fn write_back(&mut self, entries: &[Entry]) {
        for entry in entries {
            let back = Entry {
                from: entry.to,
                to: entry.from,
                ..*entry
            };
            self.write(&[back]);
        }
    }

    /// A balance.
    pub(crate) fn of(&self, book: usize, account: Account) -> i128 {
        self.0[book][account as usize]
    }

    /// All balances.
    pub(crate) fn all(&self) -> &[[i128; ACCOUNTS]] {
        &self.0
    }
}
