// A round over openapi-fetch, with the types that openapi-typescript generates from the document of a running server.
//
// The round and its amounts are those of the README's first steps. `play.js open` opens the link and lets the table join,
// `play.js round` plays: the token of the controller can only be created between the two. Environment: METERHOUSE_URL,
// METERHOUSE_LINK, METERHOUSE_TABLE, and the tokens METERHOUSE_MANAGER, METERHOUSE_SUPERVISOR and METERHOUSE_CONTROLLER.

import assert from "node:assert/strict";
import createClient, { type Client } from "openapi-fetch";

import type { paths } from "./schema.js";

const LINK = setting("LINK");
const TABLE = setting("TABLE");
const PAYTABLE = "pa-657a-five-card-c";
const ROYAL_FLUSH = ["As", "Ks", "Qs", "Js", "Ts"];
// The levels of the paytable with what each opens with.
const OPENING = { mega: "10000.00", major: "1000.00", minor: "250.00" };

type Meterhouse = Client<paths>;

function setting(name: string): string {
  const value = process.env[`METERHOUSE_${name}`];
  assert(value, `METERHOUSE_${name} is not set`);
  return value;
}

/** Returns a client with the token of a role. */
function client(role: string): Meterhouse {
  const headers = { authorization: `Bearer ${setting(role)}` };
  return createClient<paths>({ baseUrl: setting("URL"), headers });
}

/** Returns the body of a reply, which has to have this status. */
function body<T>(reply: { data?: T; error?: unknown; response: Response }, status: number): NonNullable<T> {
  assert.equal(reply.response.status, status, JSON.stringify(reply.error));
  assert(reply.data);
  return reply.data;
}

/** Returns the displayed amount of each level. */
function amounts(levels: { level: string; amount: string }[]): Record<string, string> {
  return Object.fromEntries(levels.map((level) => [level.level, level.amount]));
}

/** Returns an amount in micro-dollars: binary fractions are no money. */
function micros(amount: string): bigint {
  const [dollars = "", decimals = ""] = amount.split(".");
  return BigInt(dollars + decimals.padEnd(6, "0"));
}

/** Opens the link, accepts its values, and lets the table join. */
async function openAndJoin(manager: Meterhouse): Promise<void> {
  const params = { path: { link: LINK } };
  const terms = { paytable: PAYTABLE, wager: "1.00", decks: 1 };
  const opened = body(await manager.PUT("/v1/links/{link}", { params, body: terms }), 201);
  const openedWith = opened.levels.map((level) => [level.level, level.opened_with]);
  assert.deepEqual(Object.fromEntries(openedWith), OPENING);
  const values = Object.entries(OPENING).map(([level, amount]) => ({ level, amount }));
  const accepted = await manager.PUT("/v1/links/{link}/values", { params, body: { values } });
  assert.equal(body(accepted, 201).values.length, values.length);
  const joined = await manager.PUT("/v1/tables/{table}", {
    params: { path: { table: TABLE } },
    body: { link: LINK, game: "crazy-4-poker", seats: 6, ...terms },
  });
  assert.equal(body(joined, 201).link, LINK);
}

/** Sends a coin-in of three seats, sends it again, and sends a command out of sequence. */
async function lockBets(controller: Meterhouse): Promise<void> {
  const at = new Date().toISOString();
  const send = () =>
    controller.PUT("/v1/tables/{table}/commands/{sequence}", {
      params: { path: { table: TABLE, sequence: 1 } },
      body: {
        command: "coin_in",
        wagers: [1, 3, 5].map((seat) => ({ seat, amount: "1.00" })),
        dealt: [1, 3, 5],
        at,
      },
    });
  const answer = body(await send(), 201);
  assert(answer.command === "coin_in");
  assert.deepEqual(answer.seats, [1, 3, 5]);
  assert.deepEqual(amounts(answer.levels), { mega: "10000.27", major: "1000.21", minor: "250.09" });
  const again = await send();
  assert.deepEqual(body(again, 200), answer);
  assert.equal(again.response.headers.get("Meterhouse-Replayed"), "true");
  const gap = await controller.PUT("/v1/tables/{table}/commands/{sequence}", {
    params: { path: { table: TABLE, sequence: 3 } },
    body: { command: "close" },
  });
  assert.equal(gap.response.status, 409);
  assert.equal(gap.error?.code, "sequence_gap");
  assert.equal(gap.error?.fields["expected"], "2");
}

/** Enters a royal flush of seat 3 and returns the name of the hit. */
async function hit(controller: Meterhouse): Promise<string> {
  const sent = await controller.PUT("/v1/tables/{table}/commands/{sequence}", {
    params: { path: { table: TABLE, sequence: 2 } },
    body: { command: "hit", seat: 3, hand: "royal-flush", cards: ROYAL_FLUSH, by: "d-12" },
  });
  const answer = body(sent, 201);
  assert(answer.command === "hit");
  assert.equal(answer.hit.level, "mega");
  assert.deepEqual([answer.hit.due, answer.hit.envy_due], ["10000.27", "2000.00"]);
  const payouts = answer.hit.payouts.map((payout) => [payout.kind, payout.seat, payout.amount]);
  const envy = [5, 1].map((seat) => ["envy", seat, "1000.00"]);
  assert.deepEqual(payouts, [["line", 3, "10000.27"], ...envy]);
  assert.equal(amounts(answer.levels)["mega"], "10000.00");
  const table = await controller.GET("/v1/tables/{table}", { params: { path: { table: TABLE } } });
  assert.equal(body(table, 200).next_sequence, 3);
  return answer.hit.hit;
}

/** Validates the hit and documents the payment of its slip. */
async function pay(supervisor: Meterhouse, name: string): Promise<void> {
  const params = { path: { hit: name } };
  const validated = await supervisor.PUT("/v1/hits/{hit}/validation", {
    params,
    body: { decision: "approve", cards: ROYAL_FLUSH },
  });
  assert.equal(body(validated, 201).by, "sam");
  const paid = await supervisor.PUT("/v1/hits/{hit}/payouts/{payout}/payment", {
    params: { path: { hit: name, payout: 1 } },
    body: { document: `JP-${name}` },
  });
  assert.equal(body(paid, 201).amount, "10000.27");
  const detail = body(await supervisor.GET("/v1/hits/{hit}", { params }), 200);
  assert.deepEqual([detail.state, detail.due], ["validated", "10000.27"]);
}

/** Adds up the journal's moves and compares them with the displayed meters and the payouts. */
async function audit(manager: Meterhouse): Promise<void> {
  const path = { link: LINK };
  const read = await manager.GET("/v1/links/{link}/journal", { params: { path, query: { after: "0" } } });
  const { entries } = body(read, 200);
  assert.deepEqual(
    entries.map((entry) => entry.event.kind),
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
  );
  const meters = new Map(Object.keys(OPENING).map((level) => [level, 0n]));
  let paid = 0n;
  for (const { book, from, to, amount } of entries.flatMap((entry) => entry.moves)) {
    const meter = meters.get(book) ?? 0n;
    if (to === "meter") meters.set(book, meter + micros(amount));
    if (from === "meter") meters.set(book, meter - micros(amount));
    if (to === "paid") paid += micros(amount);
  }
  assert.equal(paid, micros("12000.27"));
  const shown = body(await manager.GET("/v1/links/{link}/meters", { params: { path } }), 200);
  assert.deepEqual(new Map(shown.levels.map((level) => [level.level, micros(level.amount)])), meters);
  assert.deepEqual(amounts(shown.levels), { mega: "10000.00", major: "1000.21", minor: "250.09" });
}

/** Plays the round from the coin-in to the audit of the journal. */
async function playRound(): Promise<void> {
  const controller = client("CONTROLLER");
  await lockBets(controller);
  const name = await hit(controller);
  await pay(client("SUPERVISOR"), name);
  const closed = await controller.PUT("/v1/tables/{table}/commands/{sequence}", {
    params: { path: { table: TABLE, sequence: 3 } },
    body: { command: "close" },
  });
  const answer = body(closed, 201);
  assert(answer.command === "close");
  assert.deepEqual(answer.hits, [name]);
  await audit(client("MANAGER"));
  console.log(`TypeScript: ${name} paid 10000.27 and envy 2000.00, the journal agrees`);
}

switch (process.argv[2]) {
  case "open":
    await openAndJoin(client("MANAGER"));
    break;
  case "round":
    await playRound();
    break;
  default:
    assert.fail("play.js open or play.js round");
}
