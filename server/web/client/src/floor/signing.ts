// Who signs: a person by PIN, or the session's own person who has set none.

import { signal } from "@preact/signals";
import { Problem, type Schema, api, dataOf } from "../api/client.js";
import type { Holder } from "./model.js";

/** Signature of a person: a token with the person's rights, or the session itself (`token` is null). */
export interface Signature {
  name: string;
  token: string | null;
  expiresAt: number;
}

/** Rest of a signature's time below which it is asked for anew. */
const LEAST_LEFT_MS = 10_000;

/** State of the session's own PIN: unknown until the server was asked. */
export const ownPin = signal<"unknown" | "unset" | "set" | "blocked">("unknown");

function readPin({ set, blocked }: Schema<"PinState">): void {
  ownPin.value = blocked ? "blocked" : set ? "set" : "unset";
}

/** Asks if the session's person has a PIN. */
export async function findPin(): Promise<void> {
  readPin(await dataOf(api.GET("/v1/session/pin")));
}

/** Sets the PIN of the session's person, who proves to be the person by the password. */
export async function setPin(pin: string, password: string): Promise<void> {
  readPin(await dataOf(api.PUT("/v1/session/pin", { body: { pin, password } })));
}

/** Returns if a person signs with the session: its own person, who has no PIN. */
export function signsBySession(name: string, holder: Pick<Holder, "name">): boolean {
  return name === holder.name && ownPin.value === "unset";
}

/** Returns the session's own signature. */
export function ownSignature(holder: Holder): Signature {
  return { name: holder.name, token: null, expiresAt: Number.POSITIVE_INFINITY };
}

/** Signs by PIN. */
export async function signByPin(name: string, pin: string): Promise<Signature> {
  const made = await dataOf(api.POST("/v1/signatures", { body: { name, pin } }));
  return { name, token: made.token, expiresAt: Date.parse(made.expires_at) };
}

/** Returns if a signature is still good for one more request. */
export function isGood(signature: Signature | null, current: number): signature is Signature {
  return signature !== null && signature.expiresAt - current > LEAST_LEFT_MS;
}

/** Returns the headers of a request that a signature signs. */
export function headersOf(signature: Signature): Record<string, string> {
  return signature.token === null ? {} : { authorization: `Bearer ${signature.token}` };
}

/** How a PIN was refused: tries that are left, or blocked. */
export function pinRefusal(error: unknown): { kind: "wrong"; left: number | null } | { kind: "blocked" } | null {
  if (!(error instanceof Problem)) return null;
  if (error.code === "pin_blocked") return { kind: "blocked" };
  if (error.code !== "pin_wrong") return null;
  const left = Number.parseInt(error.fields["tries_left"] ?? "", 10);
  return { kind: "wrong", left: Number.isNaN(left) ? null : left };
}
