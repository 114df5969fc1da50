#!/usr/bin/env python3
"""Verifies a file of `meterhouse export`. Written from docs/JOURNAL.md and docs/RULES.md alone, not from the program's code.

    python3 verifier.py FILE [--key HEX|PEM-FILE]... [--witness FILE] [--json]

Needs Python 3.11 and the package `cryptography`. Exit code 0: everything that is recomputed agrees. 1: something differs.
2: wrong usage, or a file that can't be read. A comment such as JOURNAL 11 names the section that the code follows.

Recomputed are: the file's form, counts and hash; the chains of hashes, the hash trees and the signed heads; the balances from the
moves of every event; the opening, every coin-in, and every hit that is recorded at its turn. All else that an event states is not
recomputed. The output counts these events by kind (table KINDS). Their moves are applied to the balances all the same.
"""

import argparse
import hashlib
import json
import mmap
import re
import struct
import sys
from collections import Counter
from datetime import datetime, timedelta, timezone
from math import inf
from pathlib import Path
from types import SimpleNamespace

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

RULE_VERSIONS = (7, 8)  # RULES.md describes 8; 7 differs from it only in paths (JOURNAL 7), which are not recomputed
SNAPSHOT_FORMATS = (b"\x00\x03", b"\x00\x04", b"\x00\x05")  # the second byte less 1 is the version of their forms
NAMED_DIFFERENCES_MAX = 100

# ---- JOURNAL 1: primitive forms. A form is a function that reads one value from a Reader. ----

DEALER = 16  # stands for the dealer's hand where seats are 1 to 15
ABSENT = b"\xff\xff\xff\xff"  # the length of a text, bytes or list that is absent
UNREADABLE = (ValueError, LookupError)  # raised for bytes that lack their form, or name what is not there


class Reader:
    """Bytes or a mapped file, with a position. `version` is the version of the record that the bytes belong to."""

    __slots__ = ("data", "at", "version")

    def __init__(self, data, version=3):
        self.data, self.at, self.version = data, 0, version

    def take(self, length):
        """Returns the next bytes."""
        end = self.at + length
        if end > len(self.data):
            raise ValueError(f"the bytes end at {len(self.data)}, within a field")
        start, self.at = self.at, end
        return self.data[start:end]

    def count(self):
        """Returns a length or count, of no more than the bytes can hold."""
        count = u32(self)
        if count > len(self.data) - self.at:
            raise ValueError(f"a list or text says that it has {count} items or bytes")
        return count

    def whole(self, form):
        """Returns a value of a form, and refuses bytes that are left over."""
        value = form(self)
        if self.at != len(self.data):
            raise ValueError(f"{len(self.data) - self.at} bytes are left over")
        return value


def number(form):
    """Returns the form of a number, named as by the module `struct`."""
    size, unpack = struct.calcsize(">" + form), struct.Struct(">" + form).unpack_from

    def read(reader):
        at = reader.at
        reader.at = at + size
        if reader.at > len(reader.data):
            raise ValueError(f"the bytes end at {len(reader.data)}, within a number")
        return unpack(reader.data, at)[0]

    return read


def limited(form, least, most, what):
    """Returns the form of a number within limits."""

    def read(reader):
        value = form(reader)
        if not least <= value <= most:
            raise ValueError(f"{value} is no {what}")
        return value

    return read


u8, u16, u32, u64, i32, i64 = map(number, "BHIQiq")
boolean, seat = limited(u8, 0, 1, "bool"), limited(u8, 1, 15, "seat")
FORMS = {
    "u8": u8, "u16": u16, "u32": u32, "u64": u64, "i32": i32, "i64": i64, "money": i64, "time": i64,
    "bool": boolean, "seat": seat, "seats": limited(u16, 0, 0x7FFF, "set of seats"), "card": limited(u8, 0, 51, "card"),
    "account": limited(u8, 0, 7, "account"), "rate": limited(u32, 0, 1_000_000, "rate"),
    "...": lambda reader: reader.take(len(reader.data) - reader.at), "bytes": lambda reader: reader.take(reader.count()),
    "text": lambda reader: reader.take(reader.count()).decode("utf-8"),
    "holder": lambda reader: seat(reader) if limited(u8, 1, 2, "holder")(reader) == 1 else DEALER,
}  # fmt: skip

# ---- JOURNAL 2 to 11: composed forms, described as data ----
#
# A form is a list of `field:form` and gives a dict; without field names it gives a tuple. `[x]` is a list of x. `x?` may be
# absent. `x^` stands in records from version 3 on. `codeN` is a code from 1 to N. A number alone is so many bytes. `|` divides
# the variants of a form that begins with a `u8` from 1 on; each begins with its name. `...` skips the rest, which is not needed.
# Names, notes and documents are read as texts.

COMPOSED = """
    head = magic:8 version:u8 identity:16 link:i32 name:text number:u64 previous:32 batch:u64 chain:32 root:32 at:time;
    vouched = 32 64; key introduced = older:bool key:32 at:time vouched:vouched?;
    key ended = older:bool key:32 at:time compromised:time?;
    move = u8 account account money; hit = u32 u64 u8; player = seat text; over = u8 money; seat_cards = seat [card];
    draws = magic_card:card? lucky_position:holder?; reset = house:money reserve:money overflow:money;
    taken = level:u8 percent:u8? before:money after:money reserve_before:money overflow_before:money reset:reset?;
    payout = seat:seat player:text? kind:code4 amount:money charged_to:code2 handed_over:code3;
    recorded = order:u64 round:u64 kind:code4 holder:holder hand:code12? cards:[card]? taken:taken? payouts:[payout]
        needs_validation:bool moves:[move]; resettled = hit:hit taken:taken payouts:[payout] back_to_pending:bool moves:[move];
    reading = name:text letter:text; adopted = table:text reading:reading? returns:u32;
    effect = correct hit:hit resettled:[resettled] | adjust level:u8 account:code2 before:money after:money
        | late_hit hit:hit recorded:recorded from_meter:bool | clear_fault fault:text | acknowledge_returns
        | adopt_table adopted:adopted before:adopted?;
    game = text u8; rules = hand_rule:code7 fold_award:code2 folded_gives_envy:bool; validation = every | by_rule odds:u32;
    level = name:text seed:u32 reseed:u32 rate:rate reserve_rate:rate; settled_by = code2 code3;
    pays = percent percent:u8 level:u64 | odds odds:u32 | odds_off_level odds:u32 level:u64;
    line = hand:code12 pays:pays envy:u32?; limits = u8? u8?; counts = u64 u64 u64 u64; numbers = i64? i64? i64? i64?;
    paytable = id:text title:text jurisdiction:text citation:text effective:text wager_kind:code4 games:[game] rules:rules
        linkable:bool ranking:code3 bet_on_dealer:bool validation:validation levels:[level] lines:[line] magic_card:u32?
        lucky_bonus:u32? percentages:settled_by fixed:settled_by envy:settled_by envy_printed_for:[u32];
    settings = ceilings:[money?] rounds_a_minute:u32? silence:u32? magic_card:u32? lucky_position:u32? badge_required:bool?^;
    terms = link:text paytable:paytable wager:money decks:u8 policy:code3 settings:settings limits:limits^
        counts_draws_and_envy:bool^ values_to_accept:bool^; in_round = u32 u64; kept_out = money money? in_round?;
    payment = i32 text?; payout_made = payout:payout payment:payment?; path = begun:money added:money kept_out:[kept_out];
    status = pending | by_rule | validated actor:i32 badge:text? | cancelled | rejected actor:i32 | withdrawn;
    round_hit = sequence:u64 number:u8 order:u64 keyed_by:i32 badge:text? kind:code4 holder:holder hand:code12? cards:[card]?
        taken:taken? payouts:[payout_made] status:status moves:[move] path:path?^;
    round = sequence:u64 own:seats dealers:seats dealt:seats players:[player] folded:seats order:u64 added:[money] over:[over]
        draws:draws hits:[round_hit];
    lost = time bool; minute = i64 u32; book = money money money money money money money money; standing = u64 hit bool bool;
    table = name:text game:text seats:u8 rules:rules sequence:u64 round:round? lost:lost? minute:minute disabled:text?^
        left:bool^ bet_on_dealer:bool?^;
    snapshot = batch:u64 chain:32 epoch:i64 period:i32 terms:terms fault:text? balances:[book] standing:[[standing]]
        last_order:u64 tables:[table] suspended:text? unacknowledged:bool disabled:u8 ...;
    export = magic:8 version:u16 identity:16 written_at:time until:time? program:text;
    part entry = number:u64 at:time kind:u8 body:bytes stated:32; part head = head:bytes key:32 signature:64;
    part link = link:i32 name:text before:u64 hash:32; part start = snapshot:bytes nodes:[32]; part batch = batch:bytes hash:32;
    row = table:u32? sequence:u64? actor:i32 kind:u8 refusal:code64? own:seats? dealers:seats? numbers:numbers record:bytes?;
    batch = version:u8 link:i32 number:u64 at:time node:text epoch:i64 rules:u16 period:i32 deltas:[money] after:[money]
        count:u32
"""


def form_of(word):
    """Returns the form that a word of COMPOSED names."""
    if word.endswith("^"):
        since_3 = form_of(word[:-1])
        return lambda reader: since_3(reader) if reader.version >= 3 else None
    if word.endswith("?"):
        present = form_of(word[:-1])

        def sized(reader):
            absent = reader.data[reader.at : reader.at + 4] == ABSENT
            reader.at += 4 * absent
            return None if absent else present(reader)

        is_sized = word[0] == "[" or word in ("text?", "bytes?")
        return sized if is_sized else lambda reader: present(reader) if boolean(reader) else None
    if word == "[money]":  # in one step, since each batch has two long ones
        return lambda reader: list(struct.unpack(f">{(count := reader.count())}q", reader.take(8 * count)))
    if word.startswith("["):
        item = form_of(word[1:-1])
        return lambda reader: [item(reader) for _ in range(reader.count())]
    if word.startswith("code"):
        return limited(u8, 1, int(word[4:]), "known code")
    return (lambda reader: reader.take(int(word))) if word.isdigit() else FORMS[word]


def composed(description, variant=None):
    """Returns the form that a list of fields or of variants describes. The name of a variant stands in `is`."""
    if "|" in description:
        parts = (part.split() for part in description.split("|"))
        choices = [composed(" ".join(fields), title) for title, *fields in parts]
        choice = limited(u8, 1, len(choices), "known variant")
        return lambda reader: choices[choice(reader) - 1](reader)
    forms = [(key, form_of(word)) for key, _, word in (field.rpartition(":") for field in description.split())]
    if variant is not None:
        forms.insert(0, ("is", lambda reader: variant))
    if variant is not None or ":" in description or description in ("", "..."):
        return lambda reader: {key: form(reader) for key, form in forms}
    return lambda reader: tuple(form(reader) for _, form in forms)


for one in COMPOSED.split(";"):
    title, _, description = one.partition("=")
    FORMS[title.strip()] = composed(description)

KINDS = {  # JOURNAL 3: the name of a kind of event, the rest of its record, and what of it is not recomputed
    1: ("coin-in accepted", "dealt:seats players:[player] more:[money] over:[over] draws:draws",
        "that it was to be accepted, and that what it drew was random"), 2: ("chips counted", "...", "the count"),
    3: ("seats folded", "...", "that they folded"), 4: ("round closed, no hits paid", "moves:[move]", "that nothing was due"),
    5: ("round settled, nobody won", "...", "that no hand won"), 15: ("refused", "...", "that the refusal was right"),
    16: ("link opened", "terms:terms moves:[move]", "that its terms and paytable are those that were approved"),
    17: ("table joined", "table:u32 name:text game:text seats:u8 paytable:text rules:rules ...", "that its terms are the link's"),
    18: ("hit recorded", "hit:recorded", "the hand from its cards, its turn and order, that it was allowed, its validation"),
    19: ("hit cancelled", "hit:hit moves:[move]", "that it was allowed, and what is given back"),
    20: ("hit validated", "...", "that another person validated it"), 25: ("link faulted", "...", "the fault"),
    21: ("hit rejected", "hit:hit note:text? resettle:bool resettled:[resettled] moves:[move]",
         "that it was allowed, what is given back, and the new amounts of later hits"),
    22: ("payout paid", "hit:hit number:u32 document:text moves:[move]", "that amount, validation and document are right"),
    23: ("round voided", "reason:code7 hits:[hit] moves:[move]", "that it was allowed, and how the money is given back"),
    24: ("round closed, hits paid", "hits:[hit] moves:[move]", "that the amounts are those of the round's payouts"),
    26: ("round settled", "dealer:[card] shared:[card] seats:[seat_cards] hits:[recorded]",
         "the hands from their cards, their turns and orders, that they were allowed, their validation"),
    27: ("link suspended", "...", "the link's state"), 28: ("link resumed", "...", "the link's state"),
    29: ("level disabled", "level:u8 ...", "that it was allowed"), 30: ("level enabled", "level:u8 ...", "that it was allowed"),
    31: ("table lost", "...", "the table's state"), 32: ("table back", "...", "the table's state"),
    33: ("change proposed", "...", "who proposed what"), 35: ("change declined", "...", "that it waited"),
    34: ("change approved", "proposal:16 department:text effect:effect moves:[move]",
         "that two people of two departments agreed, and all amounts of the change"),
    36: ("table disabled", "...", "the table's state"), 37: ("table enabled", "...", "the table's state"),
    38: ("table left", "...", "that nothing of it was open"), 39: ("first values accepted", "...", "that they are the opening's"),
}  # fmt: skip
RECORDS = {kind: composed("badge:text? device_time:time? " + form) for kind, (_, form, _) in KINDS.items()}


def read_event(reader):
    """Reads one row of a batch, and its record as a dict."""
    event = FORMS["row"](reader)
    kind, data = event["kind"], event["record"]
    if kind not in KINDS or (data is None and kind > 4):
        raise ValueError(f"kind of event {kind} is unknown, or has no record")
    wrong = (event["table"] is None) != (event["sequence"] is None) or (event["refusal"] is None) != (kind != 15)
    if wrong or (event["own"] is None) != (kind not in (1, 3)):
        raise ValueError(f"an event of kind {kind} has wrong columns")
    if data is not None:
        if data[:1] not in (b"\x02", b"\x03"):
            raise ValueError("unknown version of a record")
        event["record"] = Reader(data[1:], data[0]).whole(RECORDS[kind])
    return event


# ---- differences, and their texts ----


class Report:
    """Differences, and counts of what is not recomputed."""

    def __init__(self):
        self.named, self.count, self.following, self.not_recomputed = [], 0, Counter(), Counter()
        self.newest = (-inf, "")  # the latest time that the file contains, and what has it

    def differs(self, place, what, group=None):
        """Records a difference. Of a group, whose members follow from its first one, only the first one is named."""
        if group is not None:
            self.following[group] += 1
            if self.following[group] > 1:
                return
        self.count += 1
        if len(self.named) < NAMED_DIFFERENCES_MAX:
            self.named.append({"place": place, "what": what})


def reason(error):
    """Returns the text of an error for people: this script's own, and the system's."""
    own = str(error) if type(error) is ValueError else "a part lacks its form, or names what is not there"
    return error.strerror if isinstance(error, OSError) else own


def dollars(*amounts):
    """Returns amounts with their signs, at least two decimals and no needless ones."""
    parts = [(amount < 0, *divmod(abs(amount), 1_000_000)) for amount in amounts]
    return " ".join(f"{'-' * below}{whole:,}.{f'{part:06}'.rstrip('0').ljust(2, '0')}" for below, whole, part in parts)


def moment(at, form="%Y-%m-%d %H:%M:%S UTC"):
    """Returns a time as text in UTC, or None if there is none."""
    if at is None or at >= 1 << 57:  # more than a calendar has
        return None
    return (datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(microseconds=max(at, 0))).strftime(form)


# ---- JOURNAL 9 and 11: trees, signed heads, the house's chain and its keys ----

NOTHING = bytes(32)
ALLOWED_BEHIND_END = 5 * 60 * 1_000_000  # microseconds: a key after its end, a part of a file after its time of writing
FIELD = 2**255 - 19  # the field of Ed25519
ORDER_8 = 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD83D3D706A17C7
WEAK_Y = (0, 1, FIELD - 1, ORDER_8, FIELD - ORDER_8)  # the points of small order


def sha256(*parts):
    """Returns the SHA-256 of these bytes, one after the other."""
    return hashlib.sha256(b"".join(parts)).digest()


class Tree:
    """A hash tree that grows leaf by leaf: the roots of its whole subtrees, the largest first."""

    def __init__(self, leaves=0, nodes=()):
        self.leaves, self.nodes = leaves, list(nodes)

    def add(self, data):
        """Adds a leaf."""
        node, left = sha256(b"\x00", data), self.leaves
        while left & 1:
            node, left = sha256(b"\x01", self.nodes.pop(), node), left >> 1
        self.nodes.append(node)
        self.leaves += 1

    def root(self):
        """Returns the root."""
        root = self.nodes[-1] if self.nodes else sha256()
        for node in reversed(self.nodes[:-1]):
            root = sha256(b"\x01", node, root)
        return root


def signature_fits(key, signature, message):
    """Verifies an Ed25519 signature strictly: key and point are canonical and not of small order. OpenSSL checks the rest."""
    points = (int.from_bytes(point, "little") & (1 << 255) - 1 for point in (key, signature[:32]))
    if any(y >= FIELD or y in WEAK_Y for y in points):
        return False
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
        return True
    except (InvalidSignature, ValueError):
        return False


def read_witness(lines, identity):
    """Returns the heads that a witness kept, one or a page a line, by link (None: of another database) and by batch."""
    chains = {}
    for count, line in ((count, line) for count, line in enumerate(lines, 1) if line.strip()):
        try:
            kept = json.loads(line)
            for one in kept["heads"] if "heads" in kept else (kept,):
                data, key, signature = (bytes.fromhex(one[part]) for part in ("bytes", "public_key", "signature"))
                head = Reader(data).whole(FORMS["head"])
                if not signature_fits(key, signature, data):
                    raise ValueError("its signature is wrong")
                link = head["link"] if head["identity"] == identity else None
                chains.setdefault(link, {}).setdefault(head["batch"], {}).setdefault(data, (count, head))
        except (TypeError, *UNREADABLE) as error:
            raise ValueError(f"line {count} of the witness is no signed head: {reason(error)}") from None
    return chains


class Chain:
    """The house's chain or a link's: its newest hash, its tree, and its signed heads."""

    def __init__(self, report, link, title, count=0, newest=NOTHING):
        self.report, self.link, self.title, self.begun_at, self.count, self.newest = report, link, title, count, count, newest
        self.what, self.noun = ("the link", "batch") if link else ("the house's chain", "entry")
        self.tree, self.members, self.heads, self.proven = Tree(), 0, 0, 0
        self.head_number, self.head_hash = (None, None) if count else (0, NOTHING)
        self.unproven = None  # the first head behind the last one that proves: its place and key
        self.waiting = []  # heads of the house's chain, whose keys are judged once all entries were read
        self.witnessed, self.confirmed = {}, 0  # heads of a witness by batch and bytes, and how far they confirm it
        self.confirming, self.reached = 0, None  # how many confirm it, and the last batch of later ones beyond the file's end

    def add(self, count, data, stated):
        """Adds an entry or batch. If its hash differs, the stated one counts from there on."""
        if count != self.count + 1:
            raise ValueError(f"{self.noun} {count} follows {self.noun} {self.count}")
        if sha256(self.newest, data) != stated:
            self.report.differs(f"{self.noun} {count}", "its chain hash is not that of the hash before and its bytes")
        self.newest, self.count, self.members = stated, self.count + 1, self.members + 1
        self.tree.add(stated)
        self.compare_witness()

    def take_head(self, house, head, key, signature):
        """Takes a signed head that stands behind its entry or batch, and notes how far it proves the chain."""
        data, head = head, Reader(head).whole(FORMS["head"])
        self.report.newest = max(self.report.newest, (head["at"], "signed head"))
        place = f"signed head {head['number']} of {self.what}, {self.noun} {self.count}"
        differs, self.heads, fits = self.report.differs, self.heads + 1, False
        statement = tuple(head[part] for part in ("magic", "version", "identity", "link", "name"))
        if statement != (b"MHHEAD\r\n", 1, house.identity, self.link, self.title):
            differs(place, "it is no head of version 1, or one of another database or chain")
        elif head["batch"] != self.count or head["chain"] != self.newest:
            differs(place, f"it states another {self.noun} or hash than stand before it", ("hash", self.what))
        elif head["root"] != self.tree.root():
            differs(place, "its root is not that of the tree", ("root", self.what))
        else:
            fits = True
        if self.head_number is not None and (head["number"], head["previous"]) != (self.head_number + 1, self.head_hash):
            differs(place, f"it does not follow head {self.head_number} by its number and hash of the head before")
        self.head_number, self.head_hash = head["number"], sha256(data)
        if not signature_fits(key, signature, data):
            differs(place, "its signature is wrong", ("signature", self.what))
        else:
            self.waiting.append((place, key, head["batch"], fits, head["at"]))
            if self.link:
                self.judge_waiting(house)

    def judge_waiting(self, house):
        """Notes how far heads prove the chain. An untrusted one is no difference if a later, trusted one fits the chain."""
        for place, key, count, fits, at in self.waiting:
            if house.judge(place, key, at):
                self.proven, self.unproven = count if fits else self.proven, None
            elif self.unproven is None:
                self.unproven = (place, key)
        self.waiting.clear()

    def compare_witness(self):
        """Compares the heads that a witness kept of the newest batch or entry with the file."""
        for line, head in self.witnessed.pop(self.count, {}).values():
            if (head["chain"], head["root"], head["name"]) == (self.newest, self.tree.root(), self.title):
                self.confirmed, self.confirming = self.count, self.confirming + 1
            else:
                self.report.differs(f"{self.what}, {self.noun} {self.count}",
                                    f"the witness kept another head of it (line {line})", ("witness", self.what))  # fmt: skip

    def finish(self, limit):
        """Names the first head that no trusted one follows, and a witness's heads beyond the end that the file should reach."""
        if self.unproven is not None and ("key", self.unproven[1]) not in self.report.following:
            place, key = self.unproven
            self.report.differs(place, f"no trusted key signed this head or a later one; this one is by {key.hex()}")
        for count, kept in sorted(self.witnessed.items()):
            for line, head in kept.values():
                if count <= self.begun_at:
                    self.report.not_recomputed["heads of the witness: from before the file's batches"] += 1
                elif head["at"] >= limit:
                    self.reached = count
                else:
                    self.report.differs(f"{self.what}, {self.noun} {self.count}", f"the file ends here, the witness kept a head "
                                        f"of {self.noun} {count} (line {line})", ("rolled back", self.what))  # fmt: skip


class House:
    """The house's chain, and its signing keys: trusted are the given ones, and those that a trusted one vouches for."""

    def __init__(self, report, identity, given):
        self.report, self.identity, self.given, self.keys = report, identity, given, {}
        self.chain = Chain(report, 0, "")

    def add(self, number, at, kind, body, stated):
        """Adds an entry (JOURNAL 9)."""
        self.report.newest = max(self.report.newest, (at, "entry of the house's chain"))
        self.chain.add(number, struct.pack(">BQqBI", 1, number, at, kind, len(body)) + body, stated)
        place = f"entry {number}"
        if kind not in (6, 7):
            self.report.not_recomputed[f"house's chain, entries of kind {kind}: their content"] += 1
            return
        try:
            value = Reader(body).whole(FORMS["key introduced" if kind == 6 else "key ended"])
        except UNREADABLE as error:
            self.report.differs(place, f"its body can't be read: {reason(error)}")
            return
        key, voucher = self.keys.get(value["key"]), None
        if (key is None) != (kind == 6):
            self.report.differs(place, f"the key {value['key'].hex()} was introduced before, or ends but never was")
        elif kind == 6:
            if value["vouched"] is not None:
                voucher, signature = value["vouched"]
                statement = b"MHSKEY\r\n\x01" + self.identity + value["key"] + struct.pack(">q", value["at"])
                if voucher not in self.keys or not signature_fits(voucher, signature, statement):
                    self.report.differs(place, "the earlier key that vouches for a new key is unknown, or its signature is wrong")
                    voucher = None
            known = {"introduced": value["at"], "voucher": voucher, "proves_until": inf, "trusted": False, "heads": 0}
            self.keys[value["key"]] = SimpleNamespace(**known)
        else:  # of several ends the earliest counts
            compromised = inf if value["compromised"] is None else value["compromised"]
            key.proves_until = min(key.proves_until, value["at"] + ALLOWED_BEHIND_END, compromised - 1)

    def finish(self):
        """Decides which keys are trusted, and judges those of the house's heads, once all entries were read."""
        for value, key in self.keys.items():
            voucher = self.keys.get(key.voucher)
            vouched = voucher is not None and voucher.trusted and key.introduced <= voucher.proves_until
            key.trusted = vouched or value in self.given or not self.given
        self.chain.judge_waiting(self)

    def judge(self, place, value, signed_at):
        """Judges the key of a head. Returns true if the head proves something."""
        key = self.keys.get(value)
        if key is None:
            self.report.differs(place, f"the house's chain does not introduce its key {value.hex()}", ("key", value))
            return False
        proves, key.heads = signed_at <= key.proves_until, key.heads + 1
        self.report.not_recomputed["signed heads that prove nothing: behind the end or compromise of their key"] += not proves
        return proves and key.trusted


# ---- RULES: the books of a link, its rounds and hits ----

CENT = 10_000  # in micro-dollars
ACCOUNTS = ("players", "house", "meter", "reserve", "overflow", "pending", "paid", "in_transit")
PLAYERS, HOUSE, METER, RESERVE, OVERFLOW, PENDING, PAID, _ = range(8)
NEVER_NEGATIVE = (METER, RESERVE, OVERFLOW, PENDING)  # RULES law 2
LINE, ENVY, MAGIC_CARD, LUCKY_BONUS = 1, 2, 3, 4  # kinds of hits
PAYS_LINE, PAYS_ENVY, PAYS_BONUS, PAYOUT_KINDS = 1, 2, 3, ("", "line", "envy", "bonus", "supplement")
ADD, FUND_KEEP = 1, 3  # reserve policies; the other one is "greater of"
BY_HOUSE, GAME_ACCOUNT, FORFEITED = 2, 3, 1  # charged to the house, handed over by game account, award of a fold
CHARGED_TO, WAYS = ("", "meter", "house"), ("", "slip", "rack", "game account")


def seats_of(mask):
    """Returns the seats of a set in turn order (RULES 1.3)."""
    return [place for place in range(15, 0, -1) if mask >> place - 1 & 1]


def payouts_as_text(payouts):
    """Returns payouts as text."""
    return ", ".join(f"{PAYOUT_KINDS[kind]} {dollars(amount)} to seat {place} {player or ''} ({CHARGED_TO[charged]}, {WAYS[way]})"
                     for place, player, kind, amount, charged, way in payouts) or "none"  # fmt: skip


class Link:
    """The journal of a link: its terms, balances and open rounds. It compares each batch with the rules."""

    def __init__(self, report, link, title, before, newest):
        self.report, self.chain = report, Chain(report, link, title, before, newest)
        self.balances, self.terms = [], None
        self.rules, self.rounds = {}, {}  # by table: the game's rules, and the open round
        self.disabled, self.batch, self.position, self.first, self.last, self.counts = 0, before, 0, None, None, Counter()

    def differs(self, what, of_rules=True):
        """Records a difference at the event. One of the rules is only counted in a batch of another version of them."""
        if of_rules and self.rule_version not in RULE_VERSIONS:
            self.report.not_recomputed[f"differences from rule version {RULE_VERSIONS[-1]} in batches of other versions"] += 1
        else:
            self.report.differs(f"batch {self.batch}, position {self.position}", what)

    def account(self, index):
        """Returns the name of an account by its place in the balances."""
        levels = self.terms["paytable"]["levels"] if self.terms else ()
        names = [level["name"] for level in levels] + ["fixed" if levels else f"book {index // 8}"]
        return f"{ACCOUNTS[index % 8]} of {names[min(index // 8, len(levels))]}"

    def add(self, data, stated):
        """Takes a batch (JOURNAL 2). If events can't be read, what they may have changed is forgotten."""
        reader, self.batch, readable = Reader(data), self.chain.count + 1, True
        self.chain.add(int.from_bytes(data[5:13], "big"), data, stated)
        batch = FORMS["batch"](reader)
        deltas, after = batch["deltas"], batch["after"]
        same_books = len(deltas) == len(after) and len(after) % 8 == 0 and len(self.balances) in (0, len(after))
        if (batch["version"], batch["link"]) != (1, self.chain.link) or not same_books:
            raise ValueError("the batch is of another version or link, or has other books")
        self.balances = self.balances or [0 if self.batch == 1 else new - delta for new, delta in zip(after, deltas)]
        before, self.first, self.last = list(self.balances), batch["at"] if self.first is None else self.first, batch["at"]
        self.counts["events"] += batch["count"]
        self.report.newest, self.rule_version = max(self.report.newest, (batch["at"], "batch")), batch["rules"]
        if self.rule_version not in RULE_VERSIONS:
            self.report.not_recomputed[f"batches of rule version {batch['rules']}: if they follow that version"] += 1
        try:
            for self.position in range(batch["count"]):
                self.take(read_event(reader))
            reader.whole(lambda reader: None)
        except UNREADABLE as error:
            self.differs(f"it can't be read: {reason(error)}", of_rules=False)
            readable = False
            self.rounds.clear()
        self.check_books(before, deltas, after, readable and self.terms is not None)
        self.balances = after

    def check_books(self, before, deltas, after, comparable):
        """Checks the deltas and the balances of a batch against the moves of its events."""
        place, differs = f"batch {self.batch}", self.report.differs
        for index, (old, delta, new) in enumerate(zip(before, deltas, after)):
            if old + delta != new:
                differs(place, f"{self.account(index)}: {dollars(old)} + {dollars(delta)} is not {dollars(new)}")
            elif self.balances[index] != new and comparable:
                differs(place, f"{self.account(index)}: {dollars(new)}, by its moves {dollars(self.balances[index])}")
            if new < 0 and index % 8 in NEVER_NEGATIVE:
                differs(place, f"{self.account(index)} is below zero: {dollars(new)}", ("negative", index))
        for book in range(0, len(before), 8):
            if sum(deltas[book : book + 8]):
                differs(place, f"the deltas of book {book // 8} do not sum to zero")

    def take(self, event):
        """Takes an event. Kinds that no branch names only move money, or nothing."""
        kind, table, record = event["kind"], event["table"], event["record"] or {}
        self.counts[kind] += 1
        if kind == 16:
            self.link_opened(record)
        elif self.terms is None:
            self.report.not_recomputed["events of a link whose terms are unknown"] += 1
        elif kind == 1:
            self.coin_in(event, record)
        elif kind == 3 and table in self.rounds:
            self.rounds[table]["folded"] |= event["own"]
        elif kind == 17:
            self.rules[record["table"]] = record["rules"]
        elif kind in (18, 26):
            for hit in record["hits"] if kind == 26 else [record["hit"]]:
                self.record_hit(table, hit, event["numbers"] if kind == 18 else None)
        elif kind in (29, 30):
            self.disabled = self.disabled & ~(1 << record["level"]) | (kind == 29) << record["level"]
        else:
            self.apply(record.get("moves", ()))
            if kind in (4, 22, 24) and any(move[1:3] != (PENDING, PAID) for move in record.get("moves", ())):
                self.differs("a payment moves money otherwise than from pending to paid")
            if kind in (4, 23, 24):
                self.rounds.pop(table, None)
            if kind in (21, 34):
                effect, skipped = record.get("effect", record), self.report.not_recomputed
                skipped["hits with new amounts after an earlier one was withdrawn"] += len(effect.get("resettled", ()))
                skipped[f"changes approved: of the kind {effect.get('is')}"] += kind == 34

    def apply(self, moves, expected=None):
        """Applies moves, and compares what each account gains by them with what is expected, if that is known."""
        net, balances = Counter(), self.balances
        for book, origin, target, amount in moves:
            if amount < 0 or 8 * book >= len(balances):
                raise ValueError("a move of less than nothing, or in a book that the link does not have")
            net[8 * book + origin] -= amount
            net[8 * book + target] += amount
        for index, amount in net.items():
            balances[index] += amount
            if amount < 0 and balances[index] < 0 and index % 8 in NEVER_NEGATIVE:
                self.differs(f"{self.account(index)} is below zero: {dollars(balances[index])}", of_rules=False)
        for index in sorted(set(net) | set(expected or ())) if expected is not None else ():
            if net[index] != expected[index]:
                self.differs(f"{self.account(index)} gains {dollars(net[index])}, by the rules {dollars(expected[index])}")
                break

    def load(self, snapshot):
        """Takes the state before the first batch (JOURNAL 7)."""
        if (snapshot["batch"], snapshot["chain"]) != (self.chain.count, self.chain.newest):
            raise ValueError("it is of another batch")
        self.balances, self.disabled = [amount for book in snapshot["balances"] for amount in book], snapshot["disabled"]
        self.set_terms(snapshot["terms"])
        for table, one in enumerate(snapshot["tables"], 1):
            self.rules[table] = one["rules"]
            if one["round"] is not None:
                self.rounds[table] = {**one["round"], "players": dict(one["round"]["players"])}

    def set_terms(self, terms):
        """Takes the terms that the link opened with."""
        paytable, self.ceilings = terms["paytable"], terms["settings"]["ceilings"]
        self.levels, self.fixed, self.wager = paytable["levels"], len(paytable["levels"]), terms["wager"]
        named = [line["pays"].get("level", 0) for line in paytable["lines"]] + [len(self.ceilings) - 1]
        if len(self.balances) != 8 * self.fixed + 8 or max(named) >= self.fixed:
            raise ValueError("the terms, their lines, ceilings and the balances name other levels")
        self.ceilings = [inf if ceiling is None else ceiling for ceiling in self.ceilings]
        self.ceilings += [inf] * (self.fixed - len(self.ceilings))
        self.terms, self.lines = terms, {line["hand"]: line for line in paytable["lines"]}
        rates = ((METER, "rate"), (RESERVE, "reserve_rate"))
        self.shares = [(book, which, level[rate] * self.wager // 1_000_000)
                       for book, level in enumerate(self.levels) for which, rate in rates if level[rate]]  # fmt: skip

    def link_opened(self, record):
        """Takes kind 16: the house puts seed × wager on each meter."""
        if (self.batch, self.position) != (1, 0):
            self.differs("a link opens in its first event only", of_rules=False)
        self.set_terms(record["terms"])
        expected = Counter()
        for book, level in enumerate(self.levels):
            expected[8 * book + METER] += level["seed"] * self.wager
            expected[8 * book + HOUSE] -= level["seed"] * self.wager
        self.apply(record["moves"], expected)

    def coin_in(self, event, record):
        """Takes kind 1: the shares of the wagers, and what goes over a ceiling (RULES 2.2, 2.5, 4.6)."""
        own, dealers, over = event["own"], event["dealers"] or 0, record.get("over", [])
        wagers = own.bit_count() + dealers.bit_count()
        amounts = [amount for amount in event["numbers"] if amount is not None] + record.get("more", [])
        due = [0 if self.disabled >> book & 1 else amount * wagers for book, _, amount in self.shares]
        if amounts != due:
            self.differs(f"{wagers} wagers add {dollars(*amounts)}, by the rates it is {dollars(*due)}")
        self.apply([(book, PLAYERS, which, amount) for (book, which, _), amount in zip(self.shares, amounts)])
        expected = [(book, meter - ceiling) for book, (meter, ceiling)
                    in enumerate(zip(self.balances[METER::8], self.ceilings)) if meter > ceiling]  # fmt: skip
        if over != expected:
            stated, ruled = (dollars(*(amount for _, amount in parts)) or "nothing" for parts in (over, expected))
            self.differs(f"over a ceiling goes {stated}, by the rules it is {ruled}")
        self.apply([(book, METER, OVERFLOW, amount) for book, amount in over])
        self.counts["wagers"] += wagers
        self.rounds[event["table"]] = {"sequence": event["sequence"], "own": own, "dealers": dealers, "folded": 0,
                                       "players": dict(record.get("players", ())), "draws": record.get("draws", {})}  # fmt: skip

    def record_hit(self, table, hit, columns):
        """Takes a hit at its turn: its payouts, what it takes from a level, its moves, and the columns that repeat it."""
        self.counts["hits"] += 1
        round_, rules, taken = self.rounds.get(table), self.rules.get(table), hit["taken"]
        if round_ is None or rules is None or round_["sequence"] != hit["round"]:
            self.differs("the hit is of no open round of its table, or its round could not be read", of_rules=False)
            self.apply(hit["moves"])
            return
        line, total = self.lines.get(hit["hand"]), sum(payout["amount"] for payout in hit["payouts"])
        if hit["kind"] not in (LINE, ENVY):
            line = None
        elif line is None:
            self.differs("the paytable has no line for the hit's hand")
        pays = line["pays"] if hit["kind"] == LINE and line else {}
        self.check_payouts(hit, pays, line, round_, rules)
        level, expected = pays.get("level"), Counter()
        on_level = sum(payout["amount"] for payout in hit["payouts"] if payout["kind"] == PAYS_LINE) if level is not None else 0
        expected.update({8 * self.fixed + PENDING: total - on_level, 8 * self.fixed + HOUSE: on_level - total})
        if level is not None and taken and taken["level"] == level:
            self.expect_taken(taken, level, pays.get("percent"), on_level, expected)
        elif level is not None or taken:
            self.differs("the hit does not take from the level of its line, or takes without one")
        self.apply(hit["moves"], expected)
        if columns and columns != (hit["order"], total, *((taken["before"], taken["after"]) if taken else (None, None))):
            self.differs("the columns of the hit do not repeat its record", of_rules=False)

    def check_payouts(self, hit, pays, line, round_, rules):
        """Compares the payouts of a hit with those of the rules: who, what kind, how much, charged to and handed over."""
        holder, expected = hit["holder"], []
        wagered = seats_of(round_["dealers"] if holder == DEALER else round_["own"] & 1 << holder - 1)
        folded = holder != DEALER and round_["folded"] >> holder - 1 & 1
        if hit["kind"] in (MAGIC_CARD, LUCKY_BONUS):
            expected = self.bonus(hit, round_, wagered)
        elif pays:
            expected = self.line_payouts(pays, round_["players"], wagered)
            if not wagered or (folded and rules["fold_award"] == FORFEITED):
                self.differs("nothing was wagered on the hand that hit, or its fold forfeits the award")
        if line and line["envy"] and holder != DEALER and not (folded and not rules["folded_gives_envy"]):
            expected += self.envy(holder, line["envy"], round_)
        stated = [tuple(payout.values()) for payout in hit["payouts"]]
        if stated != expected:
            self.differs(f"the hit has the payouts {payouts_as_text(stated)}, by the rules they are {payouts_as_text(expected)}")

    def bonus(self, hit, round_, wagered):
        """Returns the payouts of a Magic Card or a Lucky Bonus, and compares it with the round's draw."""
        drawn_by, odds_by = ("magic_card",) * 2 if hit["kind"] == MAGIC_CARD else ("lucky_position", "lucky_bonus")
        drawn, amount = round_["draws"].get(drawn_by), (self.terms["paytable"][odds_by] or 0) * self.wager
        if drawn is None or (hit["kind"] == LUCKY_BONUS and drawn != hit["holder"]):
            self.differs("the round drew no such bonus for this hand")
        return [(place, round_["players"].get(place), PAYS_BONUS, amount, BY_HOUSE, GAME_ACCOUNT) for place in wagered]

    def line_payouts(self, pays, players, wagered):
        """Returns the payouts of a line: odds for each wager, or equal shares of a percentage of the displayed amount, one for
        each player and cut to the cent (RULES 2.2, figure G). Seats without names are different players."""
        ways, amount = self.terms["paytable"]["fixed"], pays.get("odds", 0) * self.wager
        if pays["is"] == "percent" and wagered:
            wagered = sorted({players.get(place, place): place for place in reversed(wagered)}.values(), reverse=True)
            shown, ways = self.balances[8 * pays["level"] + METER] // CENT * CENT, self.terms["paytable"]["percentages"]
            amount = shown * pays["percent"] // (100 * len(wagered)) // CENT * CENT
        return [(place, players.get(place), PAYS_LINE, amount, *ways) for place in wagered]

    def envy(self, holder, odds, round_):
        """Returns the envy of a hit: for each other wager, unless it is of the holder's own player (figure I)."""
        players, ways = round_["players"], self.terms["paytable"]["envy"]
        return [(place, players.get(place), PAYS_ENVY, odds * self.wager, *ways) for place in seats_of(round_["own"])
                if place != holder and players.get(place, place) != players.get(holder, holder)]  # fmt: skip

    def expect_taken(self, taken, level, percent, due, expected):
        """Adds what a hit should take from its level, and checks what it states of the level (RULES 2.4, 2.5, figure D)."""
        base = 8 * level
        meter, reserve, overflow = (self.balances[base + which] for which in (METER, RESERVE, OVERFLOW))
        stated = tuple(taken[key] for key in ("percent", "before", "reserve_before", "overflow_before"))
        if stated != (percent, meter, reserve, overflow):
            self.differs(f"the hit states {stated[0]}% of meter, reserve, overflow {dollars(*stated[1:])}, "
                         f"it is {percent}% of {dollars(meter, reserve, overflow)}")  # fmt: skip
        house, from_reserve, from_overflow = sources = (0, 0, 0)
        if percent == 100:
            reseed, policy = self.levels[level]["reseed"] * self.wager, self.terms["policy"]
            house = reseed if policy == ADD else max(0, reseed - reserve)
            from_reserve, from_overflow = min(reserve, reseed) if policy == FUND_KEEP else reserve, overflow
            sources = (house, from_reserve, from_overflow)
        stated = tuple(taken["reset"].values()) if taken["reset"] else (0, 0, 0)
        if stated != sources or (taken["reset"] is None) != (percent != 100):
            self.differs(f"the level restarts from house, reserve, overflow {dollars(*stated)}, by the rules {dollars(*sources)}")
        from_meter = min(due, meter // CENT * CENT)
        filled = meter - from_meter + sum(sources)
        after = min(filled, self.ceilings[level])
        expected.update({base + METER: after - meter, base + RESERVE: -from_reserve, base + PENDING: due})
        expected.update({base + OVERFLOW: filled - after - from_overflow, base + HOUSE: from_meter - due - house})
        if taken["after"] != after:
            self.differs(f"the level keeps {dollars(taken['after'])} after the hit, by the rules it is {dollars(after)}")


# ---- JOURNAL 12: the file ----

PARTS = {1: "part link", 2: "part batch", 3: "counts", 4: "part entry", 5: "part head", 6: "part start"}


class Verifier:
    """Reads the file of an export, part by part, and hands each part to the chain or link that checks it."""

    def __init__(self, data, given, witness=None):
        self.file, self.report, self.link, self.given, self.ended = Reader(data), Report(), None, given, False
        self.header = FORMS["export"](self.file)
        self.house = House(self.report, self.header["identity"], given)
        self.witness_given, self.witness = witness is not None, read_witness(witness or (), self.header["identity"])
        self.house.chain.witnessed = self.witness.pop(0, {})

    def run(self):
        """Reads the rest of the file."""
        try:
            while not self.ended:
                kind = u8(self.file)
                self.part(PARTS.get(kind, f"of kind {kind}"), self.link.chain if self.link else self.house.chain)
        except UNREADABLE as error:
            chain = self.link.chain if self.link else self.house.chain
            self.report.differs(f"{chain.noun} {chain.count} or behind it", f"the file can't be read further: {reason(error)}")
        if self.link is None:
            self.house.finish()
        self.finish()

    def part(self, kind, chain):
        """Reads one part, which has to belong here: before the link, before the link's start, or behind it."""
        started = self.link is not None and chain.tree.leaves == chain.count
        allowed = ("part entry", "part head", "part link") if self.link is None else ("part start",)
        if kind not in (("part batch", "part head", "counts") if started else allowed):
            raise ValueError(f"a part {kind.removeprefix('part ')} does not belong before byte {self.file.at}")
        part = FORMS[kind](self.file)
        if kind == "part entry":
            self.house.add(**part)
        elif kind == "part head":
            chain.take_head(self.house, **part)
        elif kind == "part link":
            self.house.finish()
            self.link = Link(self.report, part["link"], part["name"], part["before"], part["hash"])
            self.link.chain.witnessed = self.witness.pop(part["link"], {})
            if part["before"] == 0 and part["hash"] != NOTHING:
                self.report.differs("the link", "before its first batch stand not 32 zero bytes")
        elif kind == "part start":
            self.start(chain, part["snapshot"], part["nodes"])
        elif kind == "part batch":
            self.link.add(part["batch"], part["hash"])
        else:
            self.end(part)

    def start(self, chain, data, nodes):
        """Takes a start: the state and the tree before the first batch."""
        if len(nodes) != chain.count.bit_count():
            raise ValueError(f"a tree of {chain.count} leaves has {chain.count.bit_count()} nodes, not {len(nodes)}")
        chain.tree = Tree(chain.count, nodes)
        chain.compare_witness()
        try:
            if sha256(data[:-32]) != data[-32:] or data[:2] not in SNAPSHOT_FORMATS:
                raise ValueError("it is of another format, or its hash is wrong")
            self.link.load(Reader(data[2:-32], data[1] - 1).whole(FORMS["snapshot"]))
        except UNREADABLE as error:
            self.report.differs("the start", f"its snapshot can't be read: {reason(error)}")

    def end(self, stated):
        """Takes the end, whose counts and hash are those of the file."""
        house, link, file = self.house.chain, self.link.chain, self.file
        expected = (house.members, house.heads + link.heads, link.members, self.link.counts["events"])
        if stated != expected:
            self.report.differs("the end", f"it counts entries, heads, batches, events {stated}, the file has {expected}")
        with memoryview(file.data) as data, data[: file.at] as before:
            digest = hashlib.sha256(before).digest()
        if file.take(32) != digest or file.at != len(file.data):
            self.report.differs("the end", "its hash is not that of the file, or bytes follow it")
        self.ended = True

    def finish(self):
        """Adds what only the whole file shows."""
        link, differs, skipped = self.link, self.report.differs, self.report.not_recomputed
        chains = [self.house.chain, link.chain] if link else [self.house.chain]
        until = inf if self.header["until"] is None else self.header["until"]
        for chain in chains:
            chain.finish(min(until, self.header["written_at"]))
        at, what = self.report.newest
        if self.header["written_at"] + ALLOWED_BEHIND_END < at:
            written, newest = (moment(one, "%Y-%m-%d %H:%M:%S.%f UTC") or one for one in (self.header["written_at"], at))
            differs("the header", f"the file says that it was written at {written}, before its newest {what} of {newest}")
        for kept in self.witness.values():
            skipped["heads of the witness: of another link or database"] += sum(map(len, kept.values()))
        if self.witness_given and not any(chain.confirmed for chain in chains):
            differs("the file", "the witness confirms none of its batches and entries")
        for key in self.given - set(self.house.keys):
            differs("the file", f"the given key {key.hex()} is not in the house's chain")
        if link is None:
            differs("the file", "it has no link")
            return
        if link.last is not None and link.last >= until:
            differs("the file", "its last batch is not before the end of the day that the header names")
        if self.given and link.chain.members and not link.chain.proven and not link.chain.unproven:
            differs("the file", "no signed head of the link is by a trusted key")
        for kind, (title, _, what) in KINDS.items():
            skipped[f"{title}: {what}"] += link.counts[kind]


# ---- the result ----

NEVER_RECOMPUTED = (
    "that terms and paytable are those of the law or of the approved submission",
    "that what people and tables entered is true: wagers, folds, cards, reasons, documents, badges, their devices' times",
    "that the actor of an event was allowed to cause it; the numbers of tables' commands, epochs and months",
    "that nothing is left out behind the last signed head, and nothing before it that the house never wrote down",
    "the header's program and exact time of writing, and the state of a start except its balances: no signature covers them",
)


def summary(verifier):
    """Returns the result as values for JSON and for the text."""
    link, house, report, given, header = verifier.link, verifier.house, verifier.report, verifier.given, verifier.header
    keys = []
    for value, key in house.keys.items():
        trust = "trusted" if value in given else "trusted, by the word of an earlier key" if key.trusted else "not trusted"
        keys.append({"key": value.hex(), "trust": trust if given else "from the file itself", "heads": key.heads,
                     "proves_until": moment(key.proves_until)})  # fmt: skip
    return {
        "verdict": "differs" if report.count else "agrees", "database": header["identity"].hex(),
        "written_at": moment(header["written_at"]), "until": moment(header["until"]), "program": header["program"],
        "keys_given": len(given), "witness_given": verifier.witness_given, "house": chain_summary(house.chain), "keys": keys,
        "link": link and {
            **chain_summary(link.chain), "number": link.chain.link, "name": link.chain.title, "from": moment(link.first),
            "to": moment(link.last), **{word: link.counts[word] for word in ("events", "wagers", "hits")},
            "events_by_kind": {KINDS[kind][0]: link.counts[kind] for kind in KINDS if link.counts[kind]},
            "levels": [{"level": level["name"], "displayed": dollars(link.balances[8 * book + METER] // CENT * CENT),
                        **dict(zip(ACCOUNTS, map(dollars, link.balances[8 * book : 8 * book + 8])))}
                       for book, level in enumerate(link.levels if link.terms and link.balances else ())],
        },
        "not_recomputed": {what: count for what, count in report.not_recomputed.items() if count},
        "never_recomputed": NEVER_RECOMPUTED, "differences": report.named, "differences_counted": report.count,
        "differences_that_follow": sum(count - 1 for count in report.following.values()),
    }  # fmt: skip


def chain_summary(chain):
    """Returns what is known of a chain."""
    return {"first": chain.begun_at + 1, "last": chain.count, "last_hash": chain.newest.hex(), "signed_heads": chain.heads,
            "proven": chain.proven, "witnessed": chain.confirmed, "witness_heads": chain.confirming,
            "witness_last": chain.reached}  # fmt: skip


def print_summary(result):
    """Prints the result for people."""
    house, link, columns = result["house"], result["link"], ("level", "displayed", "reserve", "overflow", "pending")
    day = f"\nThe file of one day: it ends before {result['until']}." if result["until"] else ""
    print(f"Meterhouse export, written {result['written_at']} by {result['program']}, database {result['database']}{day}")
    print(f"House's chain: entries 1 to {house['last']}, {house['signed_heads']} signed heads")
    if link:
        print(f"Link {link['number']}, {link['name']}: batches {link['first']} to {link['last']}, {link['from']} to {link['to']}")
        print(f"  {link['signed_heads']} signed heads, the last hash is {link['last_hash']}")
        print(f"  Recomputed: the balances after {link['events']:,} events, {link['wagers']:,} wagers and {link['hits']:,} hits")
        for level in [dict(zip(columns, columns)), *link["levels"]]:
            print(f"  {level['level']:<12}" + "".join(f"{level[column]:>18}" for column in columns[1:]))
    print("Signing keys:")
    for key in result["keys"]:
        until = f", proves nothing after {key['proves_until']}" if key["proves_until"] else ""
        print(f"  {key['key']}: {key['trust']}, {key['heads']} heads{until}")
    if not result["keys_given"]:
        print("  No key was given. The signatures are by keys from the file itself and prove nothing about who signed.")
    for chain, noun, nouns in ((link, "batch", "batches"), (house, "entry", "entries")) if link else ():
        if result["keys_given"]:
            print(f"Signed by a trusted key: {nouns} up to {chain['proven']} of {chain['last']}")
        if result["witness_given"]:
            print(f"The witness confirms {nouns} up to {chain['witnessed']}, by {chain['witness_heads']} heads")
        if far := chain["witness_last"]:
            print(f"The witness has signed heads up to {noun} {far}: the file ends before, with {noun} {chain['last']}")
    print("Not recomputed:", *(f"  {count:,} × {what}" for what, count in result["not_recomputed"].items()), sep="\n")
    print(*(f"  never: {what}" for what in result["never_recomputed"]), sep="\n")
    for difference in result["differences"]:
        print(f"{difference['place']}: {difference['what']}")
    count, follow = result["differences_counted"], result["differences_that_follow"]
    unnamed = count - len(result["differences"])
    more = [f"{unnamed:,} more differences are not named"] if unnamed else []
    more += [f"{follow:,} follow{'s' * (follow == 1)} from a named one"] if follow else []
    if more:
        print(f"{', and '.join(more)}.")
    print(f"DIFFERS: {count:,} difference{'s' * (count != 1)}." if count else "Everything that is recomputed agrees.")


def read_key(value):
    """Reads a public key: 64 hexadecimal digits, or the name of a PEM file."""
    if re.fullmatch(r"[0-9a-fA-F]{64}", value):
        return bytes.fromhex(value)
    try:
        key = serialization.load_pem_public_key(Path(value).read_bytes())
        if not isinstance(key, Ed25519PublicKey):
            raise ValueError(f"a key of the kind {type(key).__name__}")
        return key.public_bytes_raw()
    except (OSError, ValueError) as error:
        raise argparse.ArgumentTypeError(f"{value} is no Ed25519 key: {error}") from None


def main():
    """Verifies the file that the command line names. Returns the exit code."""
    parser = argparse.ArgumentParser(description="Verifies a file of `meterhouse export`.")
    parser.add_argument("file")
    parser.add_argument("--key", type=read_key, action="append", default=[], help="a key of the house: hexadecimal or a PEM file")
    parser.add_argument("--witness", help="a file with the heads that a witness kept, one a line as JSON")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    arguments = parser.parse_args()
    try:
        witness = None if arguments.witness is None else Path(arguments.witness).read_text("utf-8", "replace").splitlines()
        with open(arguments.file, "rb") as file:
            if file.read(10) != b"MHXPRT\r\n\x00\x01":
                raise ValueError("this is no export: it does not begin with 4d485850 52540d0a 0001 (MHXPRT, version 1)")
            verifier = Verifier(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ), frozenset(arguments.key), witness)
            verifier.run()
    except (OSError, *UNREADABLE) as error:
        print(f"{getattr(error, 'filename', None) or arguments.file}: {reason(error)}", file=sys.stderr)
        return 2
    result = summary(verifier)
    if arguments.json:
        print(json.dumps(result, indent=1))
    else:
        print_summary(result)
    return 1 if result["verdict"] == "differs" else 0


if __name__ == "__main__":
    sys.exit(main())
