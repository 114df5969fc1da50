//! What tables and people ask for.

use crate::card::Card;
use crate::change::Propose;
use crate::hand::Hand;
use crate::ids::{
    ActorId, Badge, Department, Document, GameName, HitId, Note, PlayerName, ProposalId, Sequence,
    TableName, TableNo, Timestamp,
};
use crate::money::Money;
use crate::paytable::{Paytable, words};
use crate::seat::Seat;

pub use crate::seat::Holder;

/// A command with who sent it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Envelope {
    /// Whose token it was.
    pub actor: ActorId,
    /// The dealer's badge as the controller names it, or the name of the person.
    pub by: Option<Badge>,
    /// The controller's own time: evidence, never orders anything.
    pub device_time: Option<Timestamp>,
    /// What is asked for.
    pub command: Command,
}

/// A command to a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// A numbered command of a table.
    Table {
        /// The table.
        table: TableNo,
        /// Its number: identity and fence.
        sequence: Sequence,
        /// What the table asks for.
        command: TableCommand,
    },
    /// What a person asks for.
    Person(PersonCommand),
}

/// What a table controller asks for, in the order of a round's life.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableCommand {
    /// The dealer locks the bets.
    CoinIn(CoinIn),
    /// The dealer counted the chips.
    Count {
        /// How many.
        chips: u32,
    },
    /// Players gave up their hands.
    Fold {
        /// Their seats.
        seats: Vec<Seat>,
    },
    /// The dealer's hand button: a winning hand, in turn order.
    Hit(HitCommand),
    /// A qualifying hand whose holder made no progressive wager.
    Envy {
        /// The holder's seat.
        seat: Seat,
        /// The hand.
        hand: Hand,
        /// The cards, where the table knows them.
        cards: Option<Vec<Card>>,
    },
    /// A Magic Card or Lucky Bonus (§ 657a.11(f)).
    Bonus(BonusCommand),
    /// The whole round from all cards: the server forms, orders and evaluates the hands itself.
    Settle(Box<Settle>),
    /// The hand button pressed again.
    CancelHit {
        /// The command that keyed the hit.
        hit: Sequence,
        /// Which of that command's hits; 0 where it keyed one.
        number: u8,
    },
    /// GAME OVER.
    Close,
    /// All wagers of the round go back (§ 657a.13).
    Void {
        /// Why.
        reason: VoidReason,
    },
}

/// The wagers of one round, seat by seat, and who was dealt in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoinIn {
    /// The accepted progressive wagers.
    pub wagers: Vec<Wager>,
    /// The seats that get cards.
    pub dealt: Vec<Seat>,
}

/// One progressive wager.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Wager {
    /// The seat.
    pub seat: Seat,
    /// The hand it is on.
    pub on: WageredHand,
    /// How much.
    pub amount: Money,
    /// Who sits there; seats without are different players.
    pub player: Option<PlayerName>,
}

/// A winning hand as the dealer keys it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HitCommand {
    /// Whose hand it is.
    pub holder: Holder,
    /// The hand button.
    pub hand: Hand,
    /// The cards, where the table knows them.
    pub cards: Option<Vec<Card>>,
}

/// A bonus that the draw of the round gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BonusCommand {
    /// Which one.
    pub kind: Bonus,
    /// Whose hand has the card, or sits at the position.
    pub holder: Holder,
    /// The cards of that hand, where the table knows them.
    pub cards: Option<Vec<Card>>,
}

/// All cards of a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settle {
    /// The dealer's; empty where nobody can wager on them and the table doesn't say.
    pub dealer: Vec<Card>,
    /// Those that all hands share; empty in games without.
    pub community: Vec<Card>,
    /// Each seat's.
    pub seats: Vec<(Seat, Vec<Card>)>,
}

words! {
    /// The hand that a wager is on (§ 657a.7(d)(5)).
    WageredHand {
        /// The player's own.
        Own = 1 "own",
        /// The dealer's.
        Dealer = 2 "dealer",
    }

    /// A bonus that the table game system draws (§ 657a.12(f)(3)).
    Bonus {
        /// One of the hand's cards is the drawn card.
        MagicCard = 1 "magic_card",
        /// The hand is at the drawn position.
        LuckyBonus = 2 "lucky_bonus",
    }

    /// Why a round is void.
    VoidReason {
        /// Any other error of the deal.
        Misdeal = 1 "misdeal",
        /// The chips counted differ from the accepted wagers.
        CountMismatch = 2 "count_mismatch",
        /// More than one card face up (§ 657a.13(a)).
        CardsFaceUp = 3 "cards_face_up",
        /// A wrong number of cards was dealt (§ 657a.13(c)).
        WrongNumberOfCards = 4 "wrong_number_of_cards",
        /// The dealer's cards were exposed before all had acted (§ 657a.13(d)).
        DealerCardsExposed = 5 "dealer_cards_exposed",
        /// A dealing shoe jammed (§ 657a.13(f)).
        ShoeJam = 6 "shoe_jam",
        /// The count of the stub is wrong (§ 657a.8(h)).
        StubCount = 7 "stub_count",
    }
}

/// What a person asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PersonCommand {
    /// A table joins the link with what it has.
    JoinTable(Box<JoinTable>),
    /// A supervisor validates a hit.
    ValidateHit {
        /// The hit.
        hit: HitId,
        /// The cards that the supervisor saw.
        cards: Option<Vec<Card>>,
        /// What should be remembered.
        note: Option<Note>,
    },
    /// A supervisor rejects a hit.
    RejectHit {
        /// The hit.
        hit: HitId,
        /// What should be remembered.
        note: Option<Note>,
        /// Whether later pending hits of its level get the amounts that they have without it (figure N).
        resettle: bool,
    },
    /// The documentation of a payout is complete.
    PayPayout {
        /// The hit.
        hit: HitId,
        /// The payout's number, from 1.
        number: u32,
        /// The document's number.
        document: Document,
    },
    /// A manager accepts what each level opened with: the link may play.
    AcceptValues {
        /// Each level with its amount.
        values: Vec<LevelValue>,
    },
    /// No coin-in until the link resumes.
    SuspendLink {
        /// Why.
        reason: Note,
    },
    /// Coin-in again.
    ResumeLink,
    /// A level takes no coin-in and is not won, except by rounds that are locked.
    DisableLevel {
        /// The level, as an index into the paytable's.
        level: u8,
        /// Why.
        reason: Note,
    },
    /// The level plays again, with the amounts that it had.
    EnableLevel {
        /// The level.
        level: u8,
    },
    /// The server itself: a table was silent for longer than the link's limit.
    LoseTable {
        /// The table.
        table: TableNo,
        /// When it was last heard.
        heard_at: Timestamp,
        /// Whether it sends heartbeats, and so has to resume before its next coin-in.
        must_resume: bool,
    },
    /// The server itself: a lost table was heard again.
    ResumeTable {
        /// The table.
        table: TableNo,
    },
    /// A table takes no coin-in; an open round there goes on.
    DisableTable {
        /// The table.
        table: TableNo,
        /// Why.
        reason: Note,
    },
    /// A disabled table plays again.
    EnableTable {
        /// The table.
        table: TableNo,
    },
    /// A table leaves its link for good: its id never joins one again (RULES §1.1).
    LeaveLink {
        /// The table.
        table: TableNo,
        /// Why.
        reason: Note,
    },
    /// The server itself: what is stored does not fit together.
    FaultLink {
        /// What.
        reason: String,
    },
    /// The first of two people (RULES §1.5).
    Propose(Box<Propose>),
    /// The second of two people, of another department.
    Approve {
        /// What.
        proposal: ProposalId,
        /// The person's department.
        department: Department,
    },
    /// A proposal is not to be approved any more.
    Decline {
        /// Which.
        proposal: ProposalId,
        /// The person's department.
        department: Department,
        /// Why.
        reason: Note,
    },
}

/// What a level should have opened with.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct LevelValue {
    /// The level, as an index into the paytable's.
    pub level: u8,
    /// The amount.
    pub amount: Money,
}

/// What a table that wants to join has (RULES §4.1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JoinTable {
    /// Its name.
    pub name: TableName,
    /// Its game.
    pub game: GameName,
    /// Seats on its layout.
    pub seats: u8,
    /// Its paytable.
    pub paytable: Paytable,
    /// Its wager.
    pub wager: Money,
    /// Its decks.
    pub decks: u8,
}
