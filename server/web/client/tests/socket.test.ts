// The layer over WebSocket: it connects again after an end, a silence and a text that is no message, and ends for good.

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FeedSocket } from "../src/feed/socket.js";

class FakeSocket {
  static made: FakeSocket[] = [];
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  closed = false;
  constructor(
    readonly address: string,
    readonly protocols: readonly string[],
  ) {
    FakeSocket.made.push(this);
  }
  end(code = 1006): void {
    this.onclose?.({ code });
  }
  close(): void {
    this.closed = true;
  }
  say(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

const last = () => FakeSocket.made.at(-1) as FakeSocket;

beforeEach(() => {
  FakeSocket.made = [];
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", FakeSocket);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function start() {
  const seen = { messages: 0, ends: [] as boolean[], attempts: 0 };
  const feed = new FeedSocket({
    address: () => `attempt ${(seen.attempts += 1)}`,
    message: () => (seen.messages += 1),
    closed: (opened) => seen.ends.push(opened),
  });
  return { feed, seen };
}

test("a connection that ends is made again, with a new address", () => {
  const { feed, seen } = start();
  last().say({ type: "snapshot" });
  last().end();
  expect(FakeSocket.made.length).toBe(1);
  vi.advanceTimersByTime(500);
  expect(last().address).toBe("attempt 2");
  last().end();
  expect(seen.ends).toEqual([true, false]);
  feed.close();
});

test("a silent connection is given up, and heartbeats keep one", () => {
  const { feed } = start();
  for (let second = 0; second < 30; second += 1) {
    last().say({ type: "heartbeat" });
    vi.advanceTimersByTime(1_000);
  }
  expect(FakeSocket.made.length).toBe(1);
  vi.advanceTimersByTime(7_000);
  expect(FakeSocket.made[0]?.closed).toBe(true);
  expect(FakeSocket.made.length).toBe(2);
  feed.close();
});

test("attempts that fail come more seldom, and a snapshot ends that", () => {
  const { feed } = start();
  for (let failure = 0; failure < 8; failure += 1) {
    last().end();
    vi.advanceTimersByTime(10_000);
  }
  const before = FakeSocket.made.length;
  last().end();
  vi.advanceTimersByTime(4_999);
  expect(FakeSocket.made.length).toBe(before);
  vi.advanceTimersByTime(5_001);
  expect(FakeSocket.made.length).toBe(before + 1);
  last().say({ type: "snapshot" });
  last().end();
  vi.advanceTimersByTime(500);
  expect(FakeSocket.made.length).toBe(before + 2);
  feed.close();
});

test("a text that is no message ends the connection, one of a later release does not", () => {
  const { feed, seen } = start();
  last().say({ type: "weather" });
  expect([seen.messages, seen.ends.length]).toEqual([0, 0]);
  last().onmessage?.({ data: "{" });
  expect(seen.ends.length).toBe(1);
  feed.close();
});

test("a token is offered as a subprotocol, and its end is told", () => {
  const plain = start();
  expect(last().protocols).toEqual([]);
  plain.feed.close();
  let refused = 0;
  const feed = new FeedSocket({
    address: () => "here",
    message: () => {},
    closed: () => {},
    token: "5e5e",
    refused: () => (refused += 1),
  });
  expect(last().protocols).toEqual(["meterhouse.v1.json", "meterhouse.token.5e5e"]);
  last().end();
  expect(refused).toBe(0);
  vi.advanceTimersByTime(500);
  last().end(1008);
  expect(refused).toBe(1);
  feed.close();
});

test("a closed feed leaves no timer and no socket", () => {
  const { feed } = start();
  feed.close();
  expect([last().closed, vi.getTimerCount()]).toEqual([true, 0]);
  vi.advanceTimersByTime(60_000);
  expect(FakeSocket.made.length).toBe(1);
});
