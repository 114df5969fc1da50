// The outbox against a server that answers, repeats, refuses and falls silent, with a crash between any two steps.

import { describe, expect, test } from "vitest";
import {
  EMPTY,
  type Kept,
  append,
  answered,
  contradicted,
  decided,
  dismissed,
  nextNumber,
  read,
  refused,
  toSend,
} from "../src/keypad/outbox.js";
import type { Command, Outcome } from "../src/keypad/state.js";
import { PLAY, tableAt } from "./keypad-table.js";
import { seeded } from "./random.js";

const COMMANDS: readonly Command[] = [
  { command: "coin_in", wagers: [{ seat: 1, amount: "1.00" }], dealt: [1, 2] },
  { command: "fold", seats: [1] },
  { command: "close" },
  { command: "count", chips: 1 },
];

type Reply = { status: 201 | 200 | 422; outcome?: Outcome } | { status: 409 } | null;

/** A server as the API describes it: numbers without a gap, repeats by equal commands, refusals that use a number up. */
class Server {
  readonly accepted: { text: string; refused: boolean }[] = [];

  send(sequence: number, command: Command): Reply {
    const text = JSON.stringify(command);
    const before = this.accepted[sequence - 1];
    if (before) return before.text === text ? this.reply(sequence, command, 200) : { status: 409 };
    if (sequence !== this.accepted.length + 1) return { status: 409 };
    this.accepted.push({ text, refused: command.command === "count" });
    return this.reply(sequence, command, 201);
  }

  reply(sequence: number, command: Command, status: 201 | 200): Reply {
    if (this.accepted[sequence - 1]?.refused) return { status: 422 };
    const common = { table: "T-1", sequence, levels: [], at: "2026-11-21T13:44:45Z", position: `${sequence}.0` };
    const own =
      command.command === "coin_in"
        ? { command: "coin_in", round: `T-1.${sequence}`, seats: [1], dealer_seats: [], wagers: 1 }
        : command.command === "fold"
          ? { command: "fold", seats: command.seats }
          : { command: "close", hits: [] };
    return { status, outcome: { ...common, ...own } as Outcome };
  }
}

const REUSED = { code: "sequence_reused", detail: "another command has the number", fields: {}, requestId: null };
const REFUSAL = { code: "no_round", detail: "no round is open", fields: {}, requestId: null };

/** A tablet: what is on its disk is all that a crash leaves. */
class Tablet {
  disk: Kept = read(EMPTY, tableAt(0), 0);
  readonly acknowledged: string[] = [];
  readonly shown: number[] = [];
  #count = 0;

  constructor(readonly name: string) {}

  /** Taps a command. A crash before the write loses a tap that was not shown as taken; one after it loses nothing. */
  tap(random: () => number): void {
    const command = {
      ...(COMMANDS[Math.floor(random() * COMMANDS.length)] as Command),
      by: `${this.name}-${this.#count++}`,
    };
    const next = append(this.disk, command);
    if (!next || random() < 0.1) return;
    this.disk = next;
    this.acknowledged.push(JSON.stringify(command));
  }

  /** Sends the first command. The answer may be lost, and so may the step that takes it. */
  send(server: Server, random: () => number): void {
    const entry = toSend(this.disk);
    if (!entry || random() < 0.2) return;
    const reply = server.send(entry.sequence, entry.command);
    if (random() < 0.3) return;
    this.take(entry.sequence, reply);
    // An answer may come twice, after a repeat over another connection.
    if (random() < 0.2) this.take(entry.sequence, reply);
  }

  take(sequence: number, reply: Reply): void {
    if (reply === null) return;
    if (reply.status === 409) this.disk = contradicted(this.disk, sequence, REUSED);
    else if (reply.status === 422) this.disk = refused(this.disk, sequence, REFUSAL);
    else if (reply.outcome) this.disk = answered(this.disk, sequence, reply.outcome);
  }
}

describe("the outbox", () => {
  test("loses no acknowledged tap and counts none twice, whatever is lost and wherever it crashes", () => {
    for (let seed = 1; seed <= 150; seed += 1) {
      const random = seeded(seed);
      const server = new Server();
      const tablet = new Tablet("d");
      for (let step = 0; step < 80; step += 1) {
        if (random() < 0.4) tablet.tap(random);
        else tablet.send(server, random);
        // The crash: nothing but the disk, which is a copy without any object of before.
        if (random() < 0.2) tablet.disk = structuredClone(tablet.disk);
        if (random() < 0.1) tablet.disk = read(tablet.disk, tableAt(server.accepted.length), 1);
      }
      for (let entry = toSend(tablet.disk); entry; entry = toSend(tablet.disk))
        tablet.take(entry.sequence, server.send(entry.sequence, entry.command));
      expect(tablet.disk.contradiction).toBeNull();
      expect(
        server.accepted.map(({ text }) => text),
        `seed ${seed}`,
      ).toEqual(tablet.acknowledged);
    }
  });

  test("two tablets of one table: each tap counts once, waits, or was dropped by its dealer", () => {
    for (let seed = 1; seed <= 100; seed += 1) {
      const random = seeded(seed);
      const server = new Server();
      const tablets = [new Tablet("a"), new Tablet("b")];
      const dropped: string[] = [];
      for (let step = 0; step < 120; step += 1) {
        const tablet = tablets[Math.floor(random() * 2)] as Tablet;
        if (tablet.disk.contradiction) {
          const choice = random() < 0.5 ? "again" : "drop";
          if (choice === "drop") dropped.push(JSON.stringify(tablet.disk.entries[0]?.command));
          tablet.disk = decided(tablet.disk, choice, tableAt(server.accepted.length));
        } else if (random() < 0.4) tablet.tap(random);
        else tablet.send(server, random);
      }
      // A command whose answer was lost is counted and waits; the server says so when it is sent again.
      for (const { disk } of tablets)
        for (const entry of disk.entries.slice(0, 1))
          expect([200, 201, 409, 422]).toContain(server.send(entry.sequence, entry.command)?.status);
      const counted = server.accepted.map(({ text }) => text);
      const waiting = tablets.flatMap(({ disk }) => disk.entries.map(({ command }) => JSON.stringify(command)));
      for (const text of tablets.flatMap(({ acknowledged }) => acknowledged)) {
        const times = counted.filter((one) => one === text).length;
        expect(times, `seed ${seed}: ${text}`).toBeLessThanOrEqual(1);
        expect(times === 1 || waiting.includes(text) || dropped.includes(text), `seed ${seed}: ${text}`).toBe(true);
        expect(times === 1 && dropped.includes(text), `seed ${seed}: ${text}`).toBe(false);
      }
    }
  });

  test("numbers go up by one from the server's next, and a refusal uses its number up", () => {
    let kept = read(EMPTY, tableAt(6), 0);
    expect(nextNumber(kept)).toBe(7);
    kept = append(kept, { command: "close" }) as Kept;
    kept = append(kept, { command: "fold", seats: [2] }) as Kept;
    expect(kept.entries.map(({ sequence }) => sequence)).toEqual([7, 8]);
    kept = refused(kept, 7, REFUSAL);
    expect(kept.entries.map(({ sequence }) => sequence)).toEqual([8]);
    expect(kept.refused).toHaveLength(1);
    expect(dismissed(kept, 7).refused).toHaveLength(0);
    expect(kept.table?.next_sequence).toBe(8);
  });

  test("nothing is taken before the table is known, nor sent while the server contradicts", () => {
    expect(append(EMPTY, { command: "close" })).toBeNull();
    let kept = append(read(EMPTY, tableAt(0), 0), { command: "close" }) as Kept;
    kept = contradicted(kept, 1, REUSED);
    expect(toSend(kept)).toBeNull();
    expect(append(kept, { command: "close" })).toBeNull();
    expect(decided(kept, "drop", tableAt(3)).entries).toEqual([]);
    expect(decided(kept, "again", tableAt(3)).entries).toEqual([{ sequence: 4, command: { command: "close" } }]);
    // Only the server's word about the number lets another number be given.
    const archived = contradicted({ ...kept, contradiction: null }, 1, { ...REUSED, code: "sequence_archived" });
    expect(decided(archived, "again", tableAt(3)).entries).toEqual([]);
  });

  test("the paytable stays where a heartbeat leaves it out, and goes with another paytable", () => {
    const kept = read(EMPTY, { ...tableAt(1), play: PLAY }, 0);
    expect(read(kept, tableAt(1), 0)).toBe(kept);
    expect(read(kept, tableAt(2), 0).table?.play).toEqual(PLAY);
    expect(read(kept, { ...tableAt(2), table_paytable: "q" }, 0).table?.play).toBeNull();
  });

  test("a state that was read before an outcome does not undo it", () => {
    let kept = append(read(EMPTY, tableAt(0), 0), COMMANDS[0] as Command) as Kept;
    const outcome = new Server().send(1, COMMANDS[0] as Command);
    kept = answered(kept, 1, (outcome as { outcome: Outcome }).outcome);
    expect(kept.table?.round?.seats).toEqual([1]);
    expect(read(kept, tableAt(0), 1).table?.round?.seats).toEqual([1]);
    // A server that was restored from a backup says the same again without an outcome between.
    expect(read(kept, tableAt(0), 0).table?.round).toBeNull();
  });
});
