//! Commands of tables and people.

use crate::card::Card;
use crate::change::Propose;
use crate::fixed::settle::{PlayedRound, SeatPlayed};
use crate::hand::Hand;
use crate::ids::{
    ActorId, Badge, Department, Document, GameName, HitId, Note, PlayerName, ProposalId, Sequence,
    TableName, TableNo, Timestamp,
};
use crate::money::Money;
use crate::paytable::{Paytable, words};
use crate::round_wagers::{PlayedWagers, SeatWagers, WagersResult};
use crate::seat::Seat;

pub use crate::seat::Holder;

/// A command with its sender.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Envelope {
    /// Holder of the token.
    pub actor: ActorId,
    /// Dealer's badge as the controller names it, or the name of the person.
    pub by: Option<Badge>,
    /// Controller's own time: evidence only, it orders nothing.
    pub device_time: Option<Timestamp>,
    /// Command to decide.
    pub command: Command,
}

/// A command to a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// A numbered command of a table.
    Table {
        /// Table that numbered the command.
        table: TableNo,
        /// Number of the command: identity and fence.
        sequence: Sequence,
        /// Command of the table.
        command: TableCommand,
    },
    /// A command of a person.
    Person(PersonCommand),
}

/// A command of a table controller, in the order of a round's life.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableCommand {
    /// The dealer locks the bets.
    CoinIn(CoinIn),
    /// The dealer counted the chips.
    Count {
        /// Number of chips.
        chips: u32,
    },
    /// Players gave up their hands.
    Fold {
        /// Seats that folded.
        seats: Vec<Seat>,
    },
    /// The dealer's hand button: a winning hand, in turn order.
    Hit(HitCommand),
    /// A qualifying hand whose holder made no progressive wager.
    Envy {
        /// Seat of the holder.
        seat: Seat,
        /// Qualifying hand.
        hand: Hand,
        /// Cards, if the table knows them.
        cards: Option<Vec<Card>>,
    },
    /// A Magic Card or Lucky Bonus (§ 657a.11(f)).
    Bonus(BonusCommand),
    /// The whole round from all cards: the server forms, orders and evaluates the hands itself.
    Settle(Box<Settle>),
    /// The whole round from all cards, with its fixed wagers.
    SettleWagers(Box<SettleWagers>),
    /// The hand button pressed again.
    CancelHit {
        /// Command that keyed the hit.
        hit: Sequence,
        /// Number among that command's hits; 0 if the command keyed a single one.
        number: u8,
    },
    /// GAME OVER.
    Close,
    /// All wagers of the round go back (§ 657a.13).
    Void {
        /// Reason for the void.
        reason: VoidReason,
    },
}

/// The wagers of one round, seat by seat, and the seats that get cards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoinIn {
    /// Accepted progressive wagers.
    pub wagers: Vec<Wager>,
    /// Seats that get cards.
    pub dealt: Vec<Seat>,
}

/// One progressive wager.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Wager {
    /// Seat of the wagering player.
    pub seat: Seat,
    /// Hand that the wager is on.
    pub on: WageredHand,
    /// Amount; must equal the link's wager.
    pub amount: Money,
    /// Player on the seat; seats without a name count as different players.
    pub player: Option<PlayerName>,
}

/// A winning hand as the dealer keys it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HitCommand {
    /// Holder of the winning hand.
    pub holder: Holder,
    /// Hand of the pressed button.
    pub hand: Hand,
    /// Cards, if the table knows them.
    pub cards: Option<Vec<Card>>,
}

/// A bonus that the draw of the round gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BonusCommand {
    /// Magic Card or Lucky Bonus.
    pub kind: Bonus,
    /// Holder of the hand with the drawn card, or at the drawn position.
    pub holder: Holder,
    /// Cards of that hand, if the table knows them.
    pub cards: Option<Vec<Card>>,
}

/// All cards of a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settle {
    /// Dealer's cards; empty if they can't be wagered on and the table doesn't send them.
    pub dealer: Vec<Card>,
    /// Community cards; empty in games without them.
    pub community: Vec<Card>,
    /// Cards of each seat.
    pub seats: Vec<(Seat, Vec<Card>)>,
}

/// All cards of a round with its fixed wagers, which were settled from the same cards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettleWagers {
    /// Cards of the round.
    pub cards: Settle,
    /// Fixed wagers as the table sent them.
    pub wagers: PlayedWagers,
    /// Result of the fixed wagers by the prints of that moment's tables. A repeat is recognised without it.
    pub result: WagersResult,
    /// Result by the readings of doubtful prints, if a table has one. It counts if the link adopted a reading.
    pub as_read: Option<WagersResult>,
}

impl Settle {
    /// Returns the round of a game with these cards and wagers: each seat's own cards are those of the same seat.
    pub fn round(&self, game: &GameName, wagers: &PlayedWagers) -> PlayedRound {
        let seat = |sent: &SeatWagers| {
            let mut dealt = self.seats.iter();
            let dealt = dealt.find(|(seat, _)| *seat == sent.seat);
            SeatPlayed {
                seat: sent.seat,
                player: sent.player.clone(),
                cards: dealt.map(|(_, cards)| cards.clone()).unwrap_or_default(),
                wagers: sent.wagers.clone(),
                end: sent.end,
            }
        };
        PlayedRound {
            game: game.clone(),
            jurisdiction: wagers.jurisdiction.clone(),
            terms: wagers.terms,
            dealer: self.dealer.clone(),
            community: self.community.clone(),
            bonus: wagers.bonus.clone(),
            seats: wagers.seats.iter().map(seat).collect(),
            void: None,
        }
    }
}

words! {
    /// The hand that a wager is on (§ 657a.7(d)(5)).
    WageredHand {
        /// The player's own hand.
        Own = 1 "own",
        /// The dealer's hand.
        Dealer = 2 "dealer",
    }

    /// A bonus that the table game system draws (§ 657a.12(f)(3)).
    Bonus {
        /// One of the hand's cards is the drawn card.
        MagicCard = 1 "magic_card",
        /// The hand is at the drawn position.
        LuckyBonus = 2 "lucky_bonus",
    }

    /// Reason why a round is void.
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

/// A command of a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PersonCommand {
    /// A table joins the link with its own paytable and settings.
    JoinTable(Box<JoinTable>),
    /// A supervisor validates a hit.
    ValidateHit {
        /// Hit to validate.
        hit: HitId,
        /// Cards that the supervisor saw.
        cards: Option<Vec<Card>>,
        /// Note of the supervisor.
        note: Option<Note>,
    },
    /// A supervisor rejects a hit.
    RejectHit {
        /// Hit to reject.
        hit: HitId,
        /// Note of the supervisor.
        note: Option<Note>,
        /// True if later pending hits of its level get the amounts that they have without it (figure N).
        resettle: bool,
    },
    /// The documentation of a payout is complete.
    PayPayout {
        /// Hit of the payout.
        hit: HitId,
        /// Number of the payout, from 1.
        number: u32,
        /// Number of the document.
        document: Document,
    },
    /// A manager accepts the opening amount of each level: the link may play.
    AcceptValues {
        /// Each level with its amount.
        values: Vec<LevelValue>,
    },
    /// No coin-in until the link resumes.
    SuspendLink {
        /// Reason, shown while the link is suspended.
        reason: Note,
    },
    /// Coin-in is accepted again.
    ResumeLink,
    /// A level takes no coin-in and is not won, except by rounds that are locked.
    DisableLevel {
        /// Level, as an index into the paytable's.
        level: u8,
        /// Reason, shown while the level is off.
        reason: Note,
    },
    /// The level plays again, with the amounts that it had.
    EnableLevel {
        /// Level, as an index into the paytable's.
        level: u8,
    },
    /// The server itself: a table was silent for longer than the link's limit.
    LoseTable {
        /// Number of the silent table.
        table: TableNo,
        /// Time of the table's last sign of life.
        heard_at: Timestamp,
        /// True if the table sends heartbeats, and so has to resume before its next coin-in.
        must_resume: bool,
    },
    /// The server itself: a lost table has sent a message again.
    ResumeTable {
        /// Number of the table.
        table: TableNo,
    },
    /// A table takes no coin-in; an open round there goes on.
    DisableTable {
        /// Number of the table.
        table: TableNo,
        /// Reason, shown while the table is disabled.
        reason: Note,
    },
    /// A disabled table plays again.
    EnableTable {
        /// Number of the table.
        table: TableNo,
    },
    /// A table leaves its link for good: its id never joins a link again (RULES §1.1).
    LeaveLink {
        /// Number of the table.
        table: TableNo,
        /// Reason, for the journal.
        reason: Note,
    },
    /// The server itself: the stored state is inconsistent.
    FaultLink {
        /// The inconsistency, in words.
        reason: String,
    },
    /// The first of two people (RULES §1.5).
    Propose(Box<Propose>),
    /// The second of two people, of another department.
    Approve {
        /// Id of the proposal.
        proposal: ProposalId,
        /// Department of the approving person.
        department: Department,
    },
    /// A proposal is closed without approval.
    Decline {
        /// Id of the proposal.
        proposal: ProposalId,
        /// Department of the declining person.
        department: Department,
        /// Reason, for the journal.
        reason: Note,
    },
}

/// The amount that a level should have opened with.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct LevelValue {
    /// Level, as an index into the paytable's.
    pub level: u8,
    /// Amount that the manager expects.
    pub amount: Money,
}

/// The properties of a table that wants to join (RULES §4.1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JoinTable {
    /// Name of the table, unique for life.
    pub name: TableName,
    /// Game played at the table.
    pub game: GameName,
    /// Seats on the layout.
    pub seats: u8,
    /// Paytable of the table; its content must equal the link's.
    pub paytable: Paytable,
    /// Wager of the table; must equal the link's.
    pub wager: Money,
    /// Decks in play; must equal the link's.
    pub decks: u8,
}
