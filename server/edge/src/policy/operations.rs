//! The operations of the wire, and the access that each needs.

use meterhouse_engine::tokens::Right;

use super::operation::Access::{Holder, Public, PublicOrMore, Right as Needs};
use super::operation::{Operation, change, row};

const SIGNS: &str = "signs and players see it, and no reserve is in it";
const METERS: &str =
    "signs and players see it; with `at`, a token that may read the link adds the reserves of then";
const STAFF: &str = "the page is empty until its person has logged in";
const MANUAL: &str = "players may read what a hand pays";
const PROBES: &str = "load balancers and supervisors of processes hold no token";
const BOOKS: &str = "it shows reserves, which no player may see";
const PROOF: &str = "it shows how often the house commits, which no player needs";
const FLOOR: &str = "it shows every table of the house, also what no sign shows";
const FILES: &str = "paytables of the operator are not for competitors";
const SHOWS: &str = "it decides what signs show to players, and moves no money";
const STOPS: &str = "stopping play must not wait for a second person (DECISIONS 19)";
const RESUMES: &str = "the person who may stop play may let it go on (DECISIONS 19)";
const MOVES: &str = "it moves money outside play: two people of two departments (DECISIONS 19)";
const LIFTS: &str = "it lets a link play again that a check kept out of play: two people of two departments (DECISIONS 19, 60)";

const ADOPTS: &str = "it lets a link settle by a table that a check kept out of play: two people of two departments (DECISIONS 330)";

const PAIRS: &str = "a screen shows what every player sees: the manager who runs the links names it, and no administrator \
    has to come";
const WATCHES: &str = "whoever watches the floor sees what each screen says that it shows";
const OWN: &str = "everybody may see and end the own session";
const NOTICES: &str = "a notice names a waiting hit, which only the floor sees";
const ADMITS: &str = "who may come in is decided apart from money, and each decision is recorded";

/// The operations of HTTP, by the operation id of the `OpenAPI` document.
pub const HTTP: &[Operation] = &[
    // Tables.
    row(
        "send_command",
        Needs(Right::Command),
        "only the table itself says what happened at it",
    ),
    row(
        "send_heartbeat",
        Needs(Right::Command),
        "a stranger's sign of life would hide a silent table",
    ),
    row("list_tables", Needs(Right::ReadFloor), FLOOR),
    row(
        "read_table",
        Needs(Right::ReadTable),
        "a controller resumes its round by it, and the floor looks after the table",
    ),
    row(
        "join_table",
        Needs(Right::Configure),
        "every table of a link adds to its meters and wins from them",
    ),
    row(
        "leave_link",
        Needs(Right::Configure),
        "a table leaves for good, and its id never plays again",
    ),
    row(
        "present_table",
        Needs(Right::Configure),
        "whoever sets tables up says where they stand",
    ),
    row("disable_table", Needs(Right::Run), STOPS),
    row("enable_table", Needs(Right::Run), RESUMES),
    // Screens.
    row(
        "open_pairing",
        Public,
        "a new screen has no token yet: its key is one once a person has named it",
    ),
    row("pair_screen", Needs(Right::Run), PAIRS),
    row("unpair_screen", Needs(Right::Run), PAIRS),
    row("list_screens", Needs(Right::ReadFloor), WATCHES),
    row("list_shown", Needs(Right::ReadFloor), WATCHES),
    row(
        "acknowledge_shown",
        Needs(Right::Show),
        "only the screen itself says what it shows",
    ),
    // Links.
    row("list_links", Public, SIGNS),
    row("read_link", Public, SIGNS),
    row("read_meters", PublicOrMore(Right::ReadLink), METERS),
    row(
        "listen_to_feed",
        PublicOrMore(Right::ReadLink),
        "signs and players listen to it; the floor is told the reasons as well",
    ),
    row(
        "open_link",
        Needs(Right::Configure),
        "it decides rates and seeds, and the house pays the seeds",
    ),
    row(
        "accept_values",
        Needs(Right::Configure),
        "it is the last step of opening a link (DECISIONS 97)",
    ),
    row("present_link", Needs(Right::Configure), SHOWS),
    row("suspend_link", Needs(Right::Run), STOPS),
    row("resume_link", Needs(Right::Run), RESUMES),
    row("disable_level", Needs(Right::Run), STOPS),
    row("enable_level", Needs(Right::Run), RESUMES),
    row("read_level_history", Needs(Right::ReadLink), BOOKS),
    row("read_journal", Needs(Right::ReadLink), BOOKS),
    row("reconcile_link", Needs(Right::ReadLink), BOOKS),
    row("list_link_hits", Needs(Right::ReadLink), BOOKS),
    row("read_proof", Needs(Right::ReadLink), PROOF),
    row(
        "read_house_proof",
        Needs(Right::ReadFloor),
        "it shows how often people and tokens change, which no player needs",
    ),
    row("read_lifetime", Needs(Right::ReadLink), BOOKS),
    row("read_alterations", Needs(Right::ReadLink), BOOKS),
    row("read_large_wins", Needs(Right::ReadLink), BOOKS),
    row("read_last_hits", Needs(Right::ReadLink), BOOKS),
    row("read_liability", Needs(Right::ReadLink), BOOKS),
    row("read_variance", Needs(Right::ReadLink), BOOKS),
    row("read_displayed", Needs(Right::ReadLink), BOOKS),
    // Exceptions.
    row("list_exceptions", Needs(Right::ReadLink), BOOKS),
    row(
        "clear_exception",
        Needs(Right::Close),
        "a person who did not cause it says why it is none any more",
    ),
    // Closings.
    row("list_closings", Needs(Right::ReadLink), BOOKS),
    row("read_closing", Needs(Right::ReadLink), BOOKS),
    row(
        "sign_off_closing",
        Needs(Right::Close),
        "a person answers for the day, after its end",
    ),
    // Changes by two people.
    row("list_proposals", Needs(Right::ReadLink), BOOKS),
    row("read_proposal", Needs(Right::ReadLink), BOOKS),
    row("read_dry_run", Needs(Right::ReadLink), BOOKS),
    change("propose_change", "correct", Right::Adjust, MOVES),
    change("propose_change", "adjust", Right::Adjust, MOVES),
    change("propose_change", "late_hit", Right::Adjust, MOVES),
    change("propose_change", "clear_fault", Right::Reset, LIFTS),
    change("propose_change", "acknowledge_returns", Right::Reset, LIFTS),
    change("propose_change", "adopt_table", Right::Reset, ADOPTS),
    change("decide_change", "correct", Right::Adjust, MOVES),
    change("decide_change", "adjust", Right::Adjust, MOVES),
    change("decide_change", "late_hit", Right::Adjust, MOVES),
    change("decide_change", "clear_fault", Right::Reset, LIFTS),
    change("decide_change", "acknowledge_returns", Right::Reset, LIFTS),
    change("decide_change", "adopt_table", Right::Reset, ADOPTS),
    // Hits.
    row("list_hits", Needs(Right::ReadFloor), FLOOR),
    row("read_hit", Needs(Right::ReadFloor), FLOOR),
    row("read_payoff", Needs(Right::ReadFloor), FLOOR),
    row("read_evidence", Needs(Right::ReadFloor), FLOOR),
    row(
        "validate_hit",
        Needs(Right::Validate),
        "a person of the floor looks at the cards before the house pays",
    ),
    row(
        "pay_payout",
        Needs(Right::Pay),
        "the cage hands the money over, which may be another person than the validator",
    ),
    row(
        "make_slip",
        Needs(Right::Pay),
        "a slip is money in the hand of who has it, so the cage makes it",
    ),
    row(
        "reprint_slip",
        Needs(Right::Pay),
        "a second print could be paid a second time, so the cage says why it is made",
    ),
    row("list_slips", Needs(Right::ReadFloor), FLOOR),
    row("read_slip", Needs(Right::ReadFloor), FLOOR),
    // Themes.
    row("list_themes", Public, SIGNS),
    row("read_theme", Public, SIGNS),
    row("put_theme", Needs(Right::Configure), SHOWS),
    row("put_artwork", Needs(Right::Configure), SHOWS),
    row("read_artwork", Public, SIGNS),
    row("remove_artwork", Needs(Right::Configure), SHOWS),
    row("delete_theme", Needs(Right::Configure), SHOWS),
    // Paytables and the manual.
    row("list_paytables", Needs(Right::ReadFloor), FILES),
    row("read_paytable", Needs(Right::ReadFloor), FILES),
    row("compare_paytables", Needs(Right::ReadFloor), FILES),
    row("read_returns", Needs(Right::ReadFloor), FILES),
    row("evaluate", Needs(Right::ReadFloor), FILES),
    row("settle_round", Needs(Right::ReadFloor), FILES),
    row("list_games", Public, MANUAL),
    row("read_manual", Public, MANUAL),
    // People and programs.
    row(
        "log_in",
        Public,
        "a person who logs in has no session yet; name and password decide",
    ),
    row(
        "set_password",
        Public,
        "a person without a password has no session; the administrator's code or the old password decides",
    ),
    row(
        "begin_openid_login",
        Public,
        "a person who logs in has no session yet; the provider asks who it is",
    ),
    row(
        "finish_openid_login",
        Public,
        "the provider's word, and a cookie of the same browser, decide",
    ),
    row("read_session", Holder, OWN),
    row("log_out", Holder, OWN),
    row("draw_second_factor", Holder, OWN),
    row("set_second_factor", Holder, OWN),
    row("read_pin", Holder, OWN),
    row("set_pin", Holder, OWN),
    row("remove_own_pin", Holder, OWN),
    row(
        "sign",
        Needs(Right::ReadFloor),
        "a device of the floor asks for a PIN, and the PIN says whose rights the signature has",
    ),
    row("read_push", Needs(Right::ReadFloor), NOTICES),
    row("subscribe_push", Needs(Right::ReadFloor), NOTICES),
    row("unsubscribe_push", Needs(Right::ReadFloor), NOTICES),
    row("list_people", Needs(Right::Admit), ADMITS),
    row("admit_person", Needs(Right::Admit), ADMITS),
    row("end_access", Needs(Right::Admit), ADMITS),
    row("restore_access", Needs(Right::Admit), ADMITS),
    row("end_sessions", Needs(Right::Admit), ADMITS),
    row("end_delay", Needs(Right::Admit), ADMITS),
    row("remove_second_factor", Needs(Right::Admit), ADMITS),
    row("remove_openid", Needs(Right::Admit), ADMITS),
    row("remove_pin", Needs(Right::Admit), ADMITS),
    row("list_tokens", Needs(Right::Admit), ADMITS),
    row("create_token", Needs(Right::Admit), ADMITS),
    row("revoke_tokens", Needs(Right::Admit), ADMITS),
    row(
        "list_acts",
        Needs(Right::ReadActs),
        "it names everybody who logged in, was refused or changed something, and from where",
    ),
    // Witness of other houses.
    row(
        "deposit_head",
        Needs(Right::DepositHeads),
        "the first key of a house is believed: a stranger would pin a false one",
    ),
    row(
        "list_witnessed_heads",
        Needs(Right::ReadFloor),
        "whoever judges another house reads what it signed",
    ),
    // Operation.
    row(
        "list_attempts",
        Needs(Right::ReadFloor),
        "it names the holders of tokens and what was refused to them",
    ),
    row("read_health", Public, PROBES),
    row("read_readiness", Public, PROBES),
    row(
        "read_openapi",
        Public,
        "it describes the program and nothing of the house",
    ),
];

/// The methods of gRPC.
pub const GRPC: &[Operation] = &[
    row(
        "meterhouse.table.v1.TableGateway/Play",
        Needs(Right::Command),
        "each table is attached with the token of its controller",
    ),
    row(
        "meterhouse.feed.v1.MeterFeed/Watch",
        PublicOrMore(Right::ReadLink),
        "signs and players listen to it; the floor is told the reasons as well",
    ),
    row(
        "meterhouse.round.v1.RoundSettlement/Settle",
        Needs(Right::ReadFloor),
        FILES,
    ),
];

/// The paths that are served beside the API: the pages, and those of the address of the metrics.
pub const PAGES: &[Operation] = &[
    row("/", Public, "it leads everybody to the own page"),
    row(
        "/sign",
        Public,
        "the sign of a paired screen shows a code until it has its token",
    ),
    row(
        "/sign/{link}",
        Public,
        "the sign of a link shows what its public feed has",
    ),
    row("/floor", Public, STAFF),
    row(
        "/table/{table}",
        Public,
        "the page is empty until it has the token of its table",
    ),
    row("/office", Public, STAFF),
    row("/office/{*view}", Public, STAFF),
    row("/manual", Public, MANUAL),
    row("/manual/", Public, MANUAL),
    row("/manual/{game}", Public, MANUAL),
    row(
        "/assets/{file}",
        Public,
        "they are files of the program, equal in every house",
    ),
    row(
        "/built/{file}",
        Public,
        "they are files of the program, equal in every house",
    ),
    row(
        "/demo.json",
        Public,
        "only a demo has it: people of play money, whom every visitor may be",
    ),
    row(
        "/metrics",
        Public,
        "it is on an address of its own, which the operator's network protects",
    ),
    row(
        "/readyz",
        Public,
        "on the address of the metrics, for the service manager of the machine",
    ),
];
