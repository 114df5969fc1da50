// What runs while a tab commands its table: sending, heartbeats, waiting for decisions, and reading the terms.

import { NoAnswer, Problem } from "../api/client.js";
import { waitAfter } from "../staff/wait.js";
import { answered, contradicted, read, refused, toSend } from "./outbox.js";
import type { Session } from "./session.js";
import type { Table } from "./state.js";
import { type Answer, readLink, readTable, sendCommand, sendHeartbeat } from "./wire.js";

/** Wait before a command is sent again, and the longest one. */
const WAITS = { firstMs: 500, mostMs: 4_000 };

async function retryIn(session: Session, run: AbortSignal, ms: number): Promise<void> {
  session.retryAt.value = Date.now() + ms;
  await session.changed(run, ms);
}

/** Takes a final answer to the first command; returns false if the disk did not take it. */
async function take(session: Session, sequence: number, answer: Exclude<Answer, { kind: "again" }>): Promise<boolean> {
  session.heard();
  session.trouble.value = null;
  session.outcomes += 1;
  switch (answer.kind) {
    case "outcome":
      return session.step((kept) => answered(kept, sequence, answer.outcome));
    case "refused": {
      const entry = session.kept.value.entries[0];
      const taken = await session.step((kept) => refused(kept, sequence, answer.refusal));
      if (taken && entry) session.chipsBack(entry.command);
      return taken;
    }
    case "contradicted":
      return session.step((kept) => contradicted(kept, sequence, answer.refusal));
    case "credential":
      session.credential.value = answer.problem;
      return true;
  }
}

/** Sends the commands strictly in the order of their numbers, each until it is answered. */
export async function send(session: Session, run: AbortSignal): Promise<void> {
  let failures = 0;
  while (!run.aborted) {
    const entry = toSend(session.kept.value);
    const { token } = session.device.value;
    if (!entry || token === null || session.credential.value) {
      failures = 0;
      await session.changed(run);
      continue;
    }
    const answer = await sendCommand(session.table, token, entry);
    if (run.aborted) return;
    if (answer.kind === "again") {
      session.failed(answer.error instanceof Problem ? answer.error : new NoAnswer("no answer"));
      await retryIn(session, run, waitAfter((failures += 1), answer.error, WAITS));
      continue;
    }
    if (await take(session, entry.sequence, answer)) failures = 0;
    else await retryIn(session, run, waitAfter((failures += 1), null, WAITS));
  }
}

/** Notes what an error of a read means: the token, or an outage. */
function unread(session: Session, error: unknown): void {
  if (error instanceof Problem && (error.status === 401 || error.status === 403)) session.credential.value = error;
  else session.failed(error);
}

let reads = 0;
let newest = 0;

/** Reads the state of the table and keeps it. A read that began before a newer one that was kept is dropped. */
async function readInto(session: Session, run: AbortSignal, ask: () => Promise<Table>): Promise<boolean> {
  const began = ++reads;
  const { outcomes } = session;
  try {
    const table = await ask();
    if (run.aborted) return false;
    session.heard();
    if (began < newest) return true;
    newest = began;
    await session.step((kept) => read(kept, table, session.outcomes - outcomes));
    return true;
  } catch (error) {
    if (!run.aborted) unread(session, error);
    return false;
  }
}

/** Sends heartbeats, each of which brings the state of the table; the seal goes with the first one after an outage. */
export async function beat(session: Session, run: AbortSignal): Promise<void> {
  let seals = true;
  while (!run.aborted) {
    const { token } = session.device.value;
    if (token === null || session.credential.value) {
      await session.changed(run);
      continue;
    }
    const seal = seals ? session.kept.value.seal : null;
    const began = Date.now();
    const done = await readInto(session, run, () => sendHeartbeat(session.table, token, seal));
    seals = !done;
    await session.checkOwner();
    await waitUntil(session, run, began + (done ? session.beatEvery() : WAITS.firstMs * 2));
  }
}

/** Waits for a time whatever changes, but for the end of the run, a new token, and an outage that is to be tried now. */
async function waitUntil(session: Session, run: AbortSignal, at: number): Promise<void> {
  const silent = session.silentSince.value !== null;
  while (!run.aborted && Date.now() < at) {
    await session.changed(run, at - Date.now());
    if (silent || session.credential.value) return;
  }
}

/** Waits for decisions about the hits of the open round, so that they are shown the moment they are made. */
export async function follow(session: Session, run: AbortSignal): Promise<void> {
  while (!run.aborted) {
    const { table } = session.kept.value;
    const { token } = session.device.value;
    const waits = table?.round?.hits.some((hit) => hit.state === "pending" || hit.state.startsWith("validated"));
    if (!table || !waits || token === null || session.credential.value || session.silentSince.value !== null) {
      await session.changed(run, session.beatEvery());
      continue;
    }
    const done = await readInto(session, run, () => readTable(session.table, token, table.position));
    if (!done) await session.changed(run, session.beatEvery());
  }
}

/** Reads the link's settings and the table with its paytable, once for each link and paytable. */
export async function loadTerms(session: Session, run: AbortSignal): Promise<void> {
  let loaded = "";
  while (!run.aborted) {
    const { table } = session.kept.value;
    const { token } = session.device.value;
    const wanted = table ? `${table.link} ${table.paytable} ${table.table_paytable}` : "";
    if (!table || token === null || session.credential.value || wanted === loaded) {
      await session.changed(run);
      continue;
    }
    try {
      session.link.value = await readLink(table.link);
      await readInto(session, run, () => readTable(session.table, token));
      if (session.play.value) loaded = wanted;
    } catch {
      // The heartbeats tell an outage.
    }
    if (wanted !== loaded) await session.changed(run, WAITS.mostMs);
  }
}
