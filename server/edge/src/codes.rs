//! The codes of errors that the rules do not decide.
//!
//! # Shape
//! One list has the code, its status, its title and its advice. The codes of refusals by the rules
//! are the words of [`RefusalCode`](meterhouse_domain::refusal::RefusalCode).

use core::time::Duration;

/// Time after which a caller may retry if a queue is full: the queue of a link holds two seconds of
/// work.
const RETRY_BUSY: Duration = Duration::from_secs(1);
/// Time after which a caller may retry if the database is unavailable: the server tries to connect
/// once a second.
const RETRY_DATABASE: Duration = Duration::from_secs(2);
/// Time after which a caller may retry if the provider of logins can't be asked: a failure is remembered for as long.
const RETRY_PROVIDER: Duration = Duration::from_secs(2);
/// Time after which a code may be asked for or typed again if there were too many.
const RETRY_CODE: Duration = Duration::from_secs(30);
/// Time after which a caller may retry if an access was not announced.
const RETRY_ANNOUNCEMENT: Duration = Duration::from_secs(2);

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $status:literal $code:literal $title:literal $advice:literal,)+) => {
        /// A stable code of an error: it never changes.
        #[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
        pub enum EdgeCode { $($(#[$doc])* $name,)+ }

        impl EdgeCode {
            /// All codes, by status.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            /// Returns the code on the wire.
            pub const fn code(self) -> &'static str {
                match self { $(Self::$name => $code),+ }
            }

            /// Returns the variant with this word.
            pub fn from_code(code: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|variant| variant.code() == code)
            }

            /// Returns the HTTP status.
            pub const fn status(self) -> u16 {
                match self { $(Self::$name => $status),+ }
            }

            /// Returns the title, in a few words.
            pub const fn title(self) -> &'static str {
                match self { $(Self::$name => $title),+ }
            }

            /// Returns the remedy.
            pub const fn advice(self) -> &'static str {
                match self { $(Self::$name => $advice),+ }
            }
        }
    };
}

codes! {
    /// A body that is no JSON, has another shape, or does not hold exactly one command.
    MalformedBody = 400 "malformed_body" "The body can't be read"
        "send one JSON object of the documented shape",
    /// A field that is unknown.
    UnknownField = 400 "unknown_field" "Unknown field"
        "leave the field out or correct its name",
    /// A value that the field does not take.
    InvalidValue = 400 "invalid_value" "Invalid value"
        "correct the value: the detail says what the field takes",
    /// An amount of money that is no decimal string.
    InvalidAmount = 400 "invalid_amount" "Invalid amount"
        "write dollars as a string of digits with at most six decimals, such as \"1.00\"",
    /// A sequence number that no table can use.
    InvalidSequence = 400 "invalid_sequence" "Invalid sequence"
        "number the commands of a table from 1 to 9223372036854775807, without leading zeros",
    /// A request with no `Host` header, or several.
    InvalidHost = 400 "invalid_host" "Not one Host header"
        "send the header Host exactly once",
    /// A name of an invalid form.
    InvalidName = 400 "invalid_name" "Invalid name"
        "a name is 1 to 32 letters, digits or hyphens; a hit is TABLE.NUMBER or TABLE.NUMBER.N",
    /// A time that is not RFC 3339.
    InvalidTime = 400 "invalid_time" "Invalid time"
        "write an RFC 3339 time, such as \"2026-11-21T12:00:00.000000Z\"",
    /// A moment that has not passed.
    TimeInFuture = 400 "time_in_future" "The time is still to come"
        "ask for a time up to the field now, the server's clock",
    /// A query parameter that is unknown or has an invalid value.
    InvalidParameter = 400 "invalid_parameter" "Invalid parameter"
        "correct the parameter behind the question mark or leave it out",
    /// A hand that is unknown.
    UnknownHand = 400 "unknown_hand" "Unknown hand"
        "write the hand as the paytable does, such as \"royal-flush\"",
    /// A card of an invalid form.
    InvalidCard = 400 "invalid_card" "Invalid card"
        "write the rank and the suit, such as \"As\" or \"Td\"",
    /// A new password that does not follow the rules.
    WeakPassword = 400 "weak_password" "The password is too weak"
        "choose several words that don't belong together: 12 to 128 characters, at least five different ones, without the name of the owner",
    /// A new PIN that does not follow the rules.
    WeakPin = 400 "weak_pin" "The PIN is too weak"
        "choose 4 to 8 digits: not one digit again and again, and no row up or down such as 1234",
    /// A code that does not belong to the secret of a second factor.
    WrongCode = 400 "wrong_code" "The code does not belong to the secret"
        "add the secret to the authenticator app, and send the code that it shows now",
    /// A theme whose texts don't stand out from their ground.
    LowContrast = 400 "low_contrast" "The contrast is too low"
        "take a lighter colour for the text, or a darker one for its ground",
    /// A picture that can't be decoded.
    PictureBroken = 400 "picture_broken" "The picture can't be read"
        "open it in an image editor, export it again as PNG, JPEG or WebP, and send the new file",
    /// A missing token, or a token that is unknown, expired or revoked.
    Unauthenticated = 401 "unauthenticated" "A valid token or session is needed"
        "log in again, or send the header Authorization: Bearer TOKEN with a token that is neither expired nor revoked",
    /// A name, password or code that is not right.
    LoginFailed = 401 "login_failed" "The login failed"
        "correct the name, the password or the code",
    /// A login without the code of the second factor.
    SecondFactorMissing = 401 "second_factor_missing" "A code is needed"
        "send the code that the authenticator app shows: as code of a login, as second_factor with a new password, as old with another factor",
    /// A PIN that is not the person's.
    PinWrong = 401 "pin_wrong" "The PIN is wrong"
        "correct the name or the PIN; the field tries_left counts down until the PIN is blocked",
    /// A provider's answer that does not prove who a person is.
    OpenIdNotProven = 401 "openid_not_proven" "The provider's answer proves nothing"
        "log in again by /v1/login/openid; if it stays, the administrator compares the settings with the provider's",
    /// A login by OpenID Connect that was not begun in this browser.
    OpenIdNotBegun = 403 "openid_not_begun" "This login was not begun here"
        "begin it by /v1/login/openid in this browser, and finish it within ten minutes",
    /// A login that the provider refused.
    OpenIdRefused = 403 "openid_refused" "The provider refused the login"
        "log in at the provider with another account, or let the person who runs it look",
    /// A subject of OpenID Connect without a person who may come in.
    OpenIdNotAdmitted = 403 "openid_not_admitted" "Nobody here has this identity"
        "let an administrator give the subject to a person, or restore the person's access",
    /// A request with a session's cookie that another site may have made.
    CsrfMissing = 403 "csrf_missing" "This request may be forged"
        "send the header Meterhouse-Csrf with the value of the field csrf of GET /v1/session",
    /// A WebSocket with a session's cookie that another site opened.
    ForeignOrigin = 403 "foreign_origin" "Another site opened this connection"
        "open it from a page of this server; behind a proxy, let the proxy keep the header Host",
    /// A token whose role, table or link does not allow the request.
    Forbidden = 403 "forbidden" "You may not do this"
        "log in as somebody of the role that may, or use a token of it, bound to this table or link",
    /// A person who signs after too many wrong PINs.
    PinBlocked = 403 "pin_blocked" "The PIN is blocked"
        "its person sets a new PIN with the password; an administrator may remove the old one",
    /// A new PIN of a person without a password, whose login is too old.
    FreshLoginNeeded = 403 "fresh_login_needed" "The login is too long ago"
        "log in again, and set the PIN within five minutes; a person with a password sends the password",
    /// A table's token on a connection without a client certificate.
    CertificateMissing = 403 "certificate_missing" "A client certificate is needed"
        "connect with the client certificate of this table",
    /// A table's token on a connection with the client certificate of another.
    CertificateMismatch = 403 "certificate_mismatch" "The client certificate is another's"
        "connect with a certificate that has this table's name as a DNS name in subjectAltName",
    /// An unknown path.
    NotFound = 404 "not_found" "No such path"
        "see /openapi.json for the paths that there are",
    /// An unknown link.
    UnknownLink = 404 "unknown_link" "Unknown link"
        "open the link first, or correct its name",
    /// An unknown table.
    UnknownTable = 404 "unknown_table" "Unknown table"
        "let the table join a link first, or correct its name",
    /// An unknown hit.
    UnknownHit = 404 "unknown_hit" "Unknown hit"
        "correct the name of the hit: TABLE.NUMBER, the number of the command that keyed it, .N behind it for one of several",
    /// An unknown proposal.
    UnknownProposal = 404 "unknown_proposal" "Unknown proposal"
        "correct the link or the proposal's UUID; see the link's proposals",
    /// An unknown person or program.
    UnknownPerson = 404 "unknown_person" "Nobody has this name"
        "correct the name; see /v1/people and /v1/tokens",
    /// A position without an exception.
    UnknownException = 404 "unknown_exception" "Unknown exception"
        "correct the link, the batch or the position; see the link's exceptions",
    /// An unknown slip.
    UnknownSlip = 404 "unknown_slip" "Unknown slip"
        "correct the number of the slip; see the list of slips",
    /// A code that no screen shows.
    UnknownPairing = 404 "unknown_pairing" "No screen shows this code"
        "compare the code with the screen, which shows a new one after ten minutes",
    /// A name that no screen has.
    UnknownScreen = 404 "unknown_screen" "Unknown screen"
        "correct the name; see /v1/screens for the screens that are paired",
    /// An unknown theme of the house.
    UnknownTheme = 404 "unknown_theme" "Unknown theme"
        "make the theme first, or correct its name; see /v1/themes",
    /// An unknown picture.
    UnknownArtwork = 404 "unknown_artwork" "Unknown picture"
        "read the theme again: it has the digests of its pictures",
    /// An unknown paytable.
    UnknownPaytable = 404 "unknown_paytable" "Unknown paytable"
        "see /v1/paytables for the paytables that there are; `meterhouse paytable list` has the tables of fixed wagers too",
    /// An unknown game.
    UnknownGame = 404 "unknown_game" "Unknown game"
        "see /v1/manual for the games that there are",
    /// A moment before a link was opened.
    NotOpenYet = 404 "not_open_yet" "The link was not open yet"
        "ask for a time from the field opened on",
    /// A proof of a batch or head that no signed head covers.
    NotSigned = 404 "not_signed" "No signed head covers it"
        "a head follows within the interval of signing if this server has a key; the fields name the newest head",
    /// A method that the path does not have.
    MethodNotAllowed = 405 "method_not_allowed" "Method not allowed"
        "use one of the methods that the header Allow lists",
    /// A body that arrived too slowly.
    BodyTooSlow = 408 "body_too_slow" "The body came too slowly"
        "nothing was counted; send it again",
    /// A sequence number after a missing one.
    SequenceGap = 409 "sequence_gap" "A command is missing"
        "send the command with the expected number first",
    /// A sequence number that was used for another command.
    SequenceReused = 409 "sequence_reused" "This number was used for another command"
        "read the table for its last number, and give every new command the next one",
    /// A day to which batches may still be added.
    DayNotOver = 409 "day_not_over" "The day is not over"
        "sign the day a minute after its end",
    /// A day with exceptions that nobody cleared.
    ExceptionsOpen = 409 "exceptions_open" "Exceptions are open"
        "clear the exceptions of the day first",
    /// A day whose books don't balance.
    DayUnbalanced = 409 "day_unbalanced" "The books of the day don't balance"
        "run meterhouse verify; nobody signs books that differ",
    /// A document of a payout that is another hit's.
    DocumentUsed = 409 "document_used" "The document is another hit's"
        "correct the number: one document may cover several payouts of one hit, and of no other",
    /// A name that another screen has.
    ScreenExists = 409 "screen_exists" "There is a screen of this name"
        "choose another name, or send replaces: the other screen shows a code then",
    /// A name or id that exists with other content.
    RequestReused = 409 "request_reused" "It exists already with other content"
        "choose another name, or send what it was made with",
    /// A theme that links present themselves by.
    ThemeUsed = 409 "theme_used" "Links use this theme"
        "choose another theme for these links first",
    /// A house with as many themes as it may have.
    TooManyThemes = 409 "too_many_themes" "There are too many themes"
        "delete one that no link uses",
    /// A head of another house behind missing ones.
    HeadGap = 409 "head_gap" "A head is missing before it"
        "send the head with the expected number first",
    /// A head of another house that contradicts an earlier one.
    HeadForks = 409 "head_forks" "The head contradicts another one"
        "both are kept as evidence; ask the house why it signed two histories, and send the next head",
    /// A house without a provider of logins.
    OpenIdNotConfigured = 409 "openid_not_configured" "There is no login by OpenID Connect"
        "log in by name and password; the settings openid.issuer and its neighbours name a provider",
    /// A house that sends no notices.
    PushNotConfigured = 409 "push_not_configured" "This house sends no notices"
        "leave the notices off; the setting push.subject and its neighbours turn them on",
    /// A subject of OpenID Connect that another person has.
    OpenIdTaken = 409 "openid_taken" "Another person has this identity"
        "remove it there first: a subject belongs to one person",
    /// A credential for somebody whose access has ended.
    AccessEnded = 409 "access_ended" "The access of this name has ended"
        "restore the access first, if the person or program is to come in again",
    /// The end of the access of the last administrator.
    LastAdministrator = 409 "last_administrator" "This is the last administrator"
        "admit another administrator first, who sets a password or logs in by OpenID Connect",
    /// What an administrator logs in by, replaced by the own session or token.
    OwnAccess = 403 "own_access" "This is your own access"
        "let another administrator do it; you change your password with the old one, and your second factor with its code",
    /// A request that is about the caller's session, by a token.
    NoSession = 409 "no_session" "There is no session"
        "log in first: this is about a session, and a token has none",
    /// A repeat of a command whose outcome is in the file of an archived month.
    SequenceArchived = 410 "sequence_archived" "The outcome is archived"
        "nothing was counted; read the table for its last number, and the outcome in the file of the archived month",
    /// A read that needs events of an archived month.
    PositionArchived = 410 "position_archived" "The journal is archived there"
        "read on after the position in the field through, and the rest in the files of the archived months",
    /// A body that is too large.
    BodyTooLarge = 413 "body_too_large" "The body is too large"
        "send at most 65536 bytes",
    /// A picture with too many bytes or pixels.
    PictureTooLarge = 413 "picture_too_large" "The picture is too large"
        "send at most 4 MiB, 8192 pixels a side and 16777216 pixels in all",
    /// A picture of another form.
    UnsupportedPicture = 415 "unsupported_picture" "Not a PNG, JPEG or WebP"
        "export the picture as PNG, JPEG or WebP, and send that file: drawings such as SVG are not taken, because they may contain programs",
    /// A body whose header names another type than JSON.
    UnsupportedMediaType = 415 "unsupported_media_type" "The body has to be JSON"
        "send the header Content-Type: application/json",
    /// A request without an upgrade to a path that speaks WebSocket.
    UpgradeRequired = 426 "upgrade_required" "This path speaks WebSocket"
        "connect with a WebSocket client (version 13)",
    /// A login that comes too soon after too many wrong ones.
    LoginDelayed = 429 "login_delayed" "Too many wrong logins"
        "wait as long as Retry-After says; an administrator may end the delay",
    /// A screen that asks for a code while too many are open, or a person who typed too many wrong ones.
    TooManyCodes = 429 "too_many_codes" "Too many codes"
        "wait as long as Retry-After says; a code ends after ten minutes",
    /// A table with more journaled refusals than allowed.
    TooManyRequests = 429 "too_many_requests" "Too many refused commands"
        "wait as long as Retry-After says; look at the keypad",
    /// An endpoint at a host that is none of the listed push services.
    PushEndpointRefused = 422 "push_endpoint_refused" "No listed push service"
        "use a browser whose push service is in the setting push.hosts",
    /// A paytable whose file lacks a value.
    IncompletePaytable = 422 "incomplete_paytable" "This paytable is incomplete"
        "its source doesn't print all of it; put a file with this id that says the rest into the folder of own paytables",
    /// A paytable whose source has no line for a hand, while the operator has not decided what the
    /// hand pays.
    LineNotDecided = 422 "line_not_decided" "A hand without a line has to be decided"
        "its source has no line for this hand; after the operator's decision send pays_nothing with it, or add a file with a line to the folder of own paytables",
    /// A paytable with an inferred value that the operator has not confirmed.
    InferredNotConfirmed = 422 "inferred_not_confirmed" "What is inferred has to be confirmed"
        "its source doesn't print all of it; send confirm_inferred true if the operator's filed rules say the same",
    /// A round with mistakes, which is therefore not settled.
    RoundRefused = 422 "round_refused" "The round can't be settled"
        "correct every field that the detail names: fields has the code of each mistake",
    /// A level that would open or restart with less than its jurisdiction allows.
    SeedBelowMinimum = 422 "seed_below_minimum" "The seed is below the minimum"
        "choose a greater wager, or file a greater seed and reseed",
    /// A head without a valid signature.
    HeadNotSigned = 422 "head_not_signed" "The signature is not the key's"
        "send the signature of this public key over exactly these bytes",
    /// A head of the house that is asked to be the witness.
    OwnHead = 422 "own_head" "No house is its own witness"
        "send the heads to a server of somebody else, on another database",
    /// A head by a key that no known key vouches for.
    UnknownSigningKey = 422 "unknown_signing_key" "No known key vouches for this one"
        "introduce a new key with the old one, and send the vouches with the head",
    /// An exception that the caller caused.
    CausedByCaller = 422 "caused_by_caller" "Caused by the person who clears it"
        "let another person clear it",
    /// A fault of the server.
    Internal = 500 "internal" "Internal error"
        "send it again; if it stays, report the request's id to the operator",
    /// A full queue.
    Busy = 503 "busy" "Too much is waiting"
        "nothing was counted; send it again after Retry-After",
    /// A database that does not answer.
    DatabaseUnavailable = 503 "database_unavailable" "The database can't be reached"
        "nothing was counted; send it again after Retry-After",
    /// A signing key in a device that does not sign.
    SigningKeyUnavailable = 503 "signing_key_unavailable" "The signing key can't be used"
        "nothing was changed; send it again after Retry-After, and look at the device if it stays",
    /// A link that was just loaded, while its books are compared.
    BooksNotChecked = 503 "books_not_checked" "The books are being checked"
        "nothing was counted; send the coin-in again after Retry-After",
    /// A database that answers, but whose disk is full or which is read-only.
    DatabaseNotWritable = 503 "database_not_writable" "The database takes no writes"
        "nothing was counted; mend what the detail says, then send it again",
    /// A provider of logins that can't be asked.
    OpenIdUnavailable = 503 "openid_unavailable" "The provider can't be asked"
        "log in again after Retry-After, or by name and password",
    /// An access that may configure, whose announcement was not confirmed.
    NotAnnounced = 503 "not_announced" "The access was not announced"
        "nothing was granted; try again after Retry-After, and look at the address of announcement.url if it stays",
    /// A command whose outcome is unknown.
    OutcomeUnknown = 503 "outcome_unknown" "The outcome isn't known yet"
        "send exactly the same again: it counts once",
    /// A stored row of a hit that differs from the journal.
    HitDiffers = 503 "hit_differs" "The hit is stored differently from the journal"
        "the hit is neither shown nor paid until meterhouse verify was run and its row is put right",
    /// A faulted link, which accepts nothing.
    LinkFaulted = 503 "link_faulted" "The link is faulted"
        "nothing is accepted and no number used up until people have cleared the fault",
}

impl EdgeCode {
    /// Returns the time after which the same request may be sent again, if waiting alone can help.
    pub const fn retry_after(self) -> Option<Duration> {
        if matches!(
            self,
            Self::Busy
                | Self::BooksNotChecked
                | Self::OutcomeUnknown
                | Self::LoginDelayed
                | Self::TooManyRequests
        ) {
            Some(RETRY_BUSY)
        } else if matches!(
            self,
            Self::DatabaseUnavailable | Self::DatabaseNotWritable | Self::SigningKeyUnavailable
        ) {
            Some(RETRY_DATABASE)
        } else if matches!(self, Self::OpenIdUnavailable) {
            Some(RETRY_PROVIDER)
        } else if matches!(self, Self::TooManyCodes) {
            Some(RETRY_CODE)
        } else if matches!(self, Self::NotAnnounced) {
            Some(RETRY_ANNOUNCEMENT)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::EdgeCode;

    /// Waiting helps if the server can't do it now, and not if somebody has to mend a hit or a link first.
    #[test]
    fn what_may_be_sent_again_says_when() {
        for code in EdgeCode::ALL {
            let is_mended = matches!(code, EdgeCode::HitDiffers | EdgeCode::LinkFaulted);
            let may_help = matches!(code.status(), 429 | 503) && !is_mended;
            assert_eq!(code.retry_after().is_some(), may_help, "{}", code.code());
        }
    }
}
