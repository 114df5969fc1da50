"""A round over the Python client that openapi-python-client generates from the document of a running server.

The round and its amounts are those of the README's first steps. `play.py open` opens the link and lets the table join,
`play.py round` plays: the token of the controller can only be created between the two. Environment: METERHOUSE_URL,
METERHOUSE_LINK, METERHOUSE_TABLE, and the tokens METERHOUSE_MANAGER, METERHOUSE_SUPERVISOR and METERHOUSE_CONTROLLER.
"""

import datetime
import os
import sys
from decimal import Decimal
from typing import Any, TypeVar

from meterhouse_client import AuthenticatedClient
from meterhouse_client.api.displays import read_meters
from meterhouse_client.api.hits import pay_payout, read_hit, validate_hit
from meterhouse_client.api.links import accept_values, open_link, read_journal
from meterhouse_client.api.tables import join_table, read_table, send_command
from meterhouse_client.models.accept_values_request import AcceptValuesRequest
from meterhouse_client.models.accepted_values import AcceptedValues
from meterhouse_client.models.close_request import CloseRequest
from meterhouse_client.models.close_request_command import CloseRequestCommand
from meterhouse_client.models.close_response import CloseResponse
from meterhouse_client.models.coin_in_request import CoinInRequest
from meterhouse_client.models.coin_in_request_command import CoinInRequestCommand
from meterhouse_client.models.coin_in_response import CoinInResponse
from meterhouse_client.models.contributed_level import ContributedLevel
from meterhouse_client.models.hand import Hand
from meterhouse_client.models.hit_decision import HitDecision
from meterhouse_client.models.hit_detail import HitDetail
from meterhouse_client.models.hit_request import HitRequest
from meterhouse_client.models.hit_request_command import HitRequestCommand
from meterhouse_client.models.hit_response import HitResponse
from meterhouse_client.models.join_table_request import JoinTableRequest
from meterhouse_client.models.joined_table import JoinedTable
from meterhouse_client.models.journal_page import JournalPage
from meterhouse_client.models.level_amount import LevelAmount
from meterhouse_client.models.level_value import LevelValue
from meterhouse_client.models.link_meters import LinkMeters
from meterhouse_client.models.open_link_request import OpenLinkRequest
from meterhouse_client.models.opened_link import OpenedLink
from meterhouse_client.models.paid_payout import PaidPayout
from meterhouse_client.models.payment_request import PaymentRequest
from meterhouse_client.models.problem import Problem
from meterhouse_client.models.problem_code import ProblemCode
from meterhouse_client.models.table import Table
from meterhouse_client.models.validation import Validation
from meterhouse_client.models.validation_request import ValidationRequest
from meterhouse_client.models.wager import Wager
from meterhouse_client.types import Response

URL = os.environ["METERHOUSE_URL"]
LINK = os.environ["METERHOUSE_LINK"]
TABLE = os.environ["METERHOUSE_TABLE"]
PAYTABLE = "pa-657a-five-card-c"
ROYAL_FLUSH = ["As", "Ks", "Qs", "Js", "Ts"]
# The levels of the paytable with what each opens with.
OPENING = {"mega": "10000.00", "major": "1000.00", "minor": "250.00"}

T = TypeVar("T")


def client(role: str) -> AuthenticatedClient:
    """Returns a client with the token of a role; a status that the document lacks raises."""
    token = os.environ[f"METERHOUSE_{role}"]
    return AuthenticatedClient(base_url=URL, token=token, raise_on_unexpected_status=True)


def parsed(response: Response[Any], kind: type[T], status: int) -> T:
    """Returns the parsed body, which has to be of this class under this status."""
    if response.status_code != status or not isinstance(response.parsed, kind):
        raise AssertionError(f"expected {status} {kind.__name__}, got {response}")
    return response.parsed


def same(name: str, found: object, expected: object) -> None:
    """Fails unless two values are equal."""
    if found != expected:
        raise AssertionError(f"{name}: expected {expected!r}, got {found!r}")


def amounts(levels: list[LevelAmount] | list[ContributedLevel]) -> dict[str, str]:
    """Returns the displayed amount of each level."""
    return {level.level: level.amount for level in levels}


def open_and_join(manager: AuthenticatedClient) -> None:
    """Opens the link, accepts its values, and lets the table join."""
    terms = OpenLinkRequest(paytable=PAYTABLE, wager="1.00", decks=1)
    opened = parsed(open_link.sync_detailed(LINK, client=manager, body=terms), OpenedLink, 201)
    same("opening values", {level.level: level.opened_with for level in opened.levels}, OPENING)
    values = AcceptValuesRequest([LevelValue(level=level, amount=amount) for level, amount in OPENING.items()])
    accepted = accept_values.sync_detailed(LINK, client=manager, body=values)
    same("accepted values", len(parsed(accepted, AcceptedValues, 201).values), len(OPENING))
    table = JoinTableRequest(link=LINK, game="crazy-4-poker", seats=6, paytable=PAYTABLE, wager="1.00", decks=1)
    joined = parsed(join_table.sync_detailed(TABLE, client=manager, body=table), JoinedTable, 201)
    same("link of the table", joined.link, LINK)


def lock_bets(controller: AuthenticatedClient) -> None:
    """Sends a coin-in of three seats, sends it again, and sends a command out of sequence."""
    coin_in = CoinInRequest(
        command=CoinInRequestCommand.COIN_IN,
        wagers=[Wager(seat=seat, amount="1.00") for seat in (1, 3, 5)],
        dealt=[1, 3, 5],
        at=datetime.datetime.now(datetime.UTC),
    )
    first = send_command.sync_detailed(TABLE, 1, client=controller, body=coin_in)
    answer = parsed(first, CoinInResponse, 201)
    same("lit seats", answer.seats, [1, 3, 5])
    same(
        "meters after the coin-in", amounts(answer.levels), {"mega": "10000.27", "major": "1000.21", "minor": "250.09"}
    )
    again = send_command.sync_detailed(TABLE, 1, client=controller, body=coin_in)
    same("the replayed answer", parsed(again, CoinInResponse, 200), answer)
    same("the header of a replay", again.headers["Meterhouse-Replayed"], "true")
    close = CloseRequest(command=CloseRequestCommand.CLOSE)
    gap = parsed(send_command.sync_detailed(TABLE, 3, client=controller, body=close), Problem, 409)
    same("the code of a gap", gap.code, ProblemCode.SEQUENCE_GAP)
    same("the expected number", gap.fields["expected"], "2")


def hit(controller: AuthenticatedClient) -> str:
    """Enters a royal flush of seat 3 and returns the name of the hit."""
    royal_flush = HitRequest(command=HitRequestCommand.HIT, seat=3, hand=Hand.ROYAL_FLUSH, cards=ROYAL_FLUSH, by="d-12")
    sent = send_command.sync_detailed(TABLE, 2, client=controller, body=royal_flush)
    answer = parsed(sent, HitResponse, 201)
    same("the level of the hit", answer.hit.level, "mega")
    same("the amount due", (answer.hit.due, answer.hit.envy_due), ("10000.27", "2000.00"))
    payouts = [(payout.kind, payout.seat, payout.amount) for payout in answer.hit.payouts]
    same("payouts", payouts, [("line", 3, "10000.27"), ("envy", 5, "1000.00"), ("envy", 1, "1000.00")])
    same("the meter after the hit", amounts(answer.levels)["mega"], "10000.00")
    now = parsed(read_table.sync_detailed(TABLE, client=controller), Table, 200)
    same("the next number", now.next_sequence, 3)
    return answer.hit.hit


def pay(supervisor: AuthenticatedClient, name: str) -> None:
    """Validates the hit and documents the payment of its slip."""
    approval = ValidationRequest(decision=HitDecision.APPROVE, cards=ROYAL_FLUSH)
    validated = validate_hit.sync_detailed(name, client=supervisor, body=approval)
    same("the validator", parsed(validated, Validation, 201).by, "sam")
    payment = PaymentRequest(document=f"JP-{name}")
    paid = parsed(pay_payout.sync_detailed(name, 1, client=supervisor, body=payment), PaidPayout, 201)
    same("the paid amount", paid.amount, "10000.27")
    detail = parsed(read_hit.sync_detailed(name, client=supervisor), HitDetail, 200)
    same("the state of the hit", (detail.state, detail.due), ("validated", "10000.27"))


def audit(manager: AuthenticatedClient) -> None:
    """Adds up the journal's moves and compares them with the displayed meters and the payouts."""
    journal = parsed(read_journal.sync_detailed(LINK, client=manager, after="0"), JournalPage, 200)
    same(
        "the journal",
        [str(entry.event.kind) for entry in journal.entries],
        [
            "link_opened",
            "values_accepted",
            "table_joined",
            "coin_in_accepted",
            "hit_recorded",
            "hit_validated",
            "payout_paid",
            "round_closed",
        ],
    )
    meters = dict.fromkeys(OPENING, Decimal(0))
    paid = Decimal(0)
    for move in [move for entry in journal.entries for move in entry.moves]:
        if move.to == "meter":
            meters[move.book] += Decimal(move.amount)
        if move.from_ == "meter":
            meters[move.book] -= Decimal(move.amount)
        if move.to == "paid":
            paid += Decimal(move.amount)
    same("the paid amounts", paid, Decimal("12000.27"))
    shown = parsed(read_meters.sync_detailed(LINK, client=manager), LinkMeters, 200)
    displayed = {level.level: Decimal(level.amount) for level in shown.levels}
    same("displayed meters", displayed, meters)
    same("displayed meters", amounts(shown.levels), {"mega": "10000.00", "major": "1000.21", "minor": "250.09"})


def play_round() -> None:
    """Plays the round from the coin-in to the audit of the journal."""
    controller = client("CONTROLLER")
    lock_bets(controller)
    name = hit(controller)
    pay(client("SUPERVISOR"), name)
    close = CloseRequest(command=CloseRequestCommand.CLOSE)
    closed = send_command.sync_detailed(TABLE, 3, client=controller, body=close)
    same("closed hits", parsed(closed, CloseResponse, 201).hits, [name])
    audit(client("MANAGER"))
    print(f"Python: {name} paid 10000.27 and envy 2000.00, the journal agrees")


match sys.argv[1:]:
    case ["open"]:
        open_and_join(client("MANAGER"))
    case ["round"]:
        play_round()
    case _:
        sys.exit("play.py open or play.py round")
