// Who signs: the person by PIN, or the session's own person where the server has no PIN for it.

import { signal } from "@preact/signals";
import { Problem, api } from "../api/client.js";
import { type Holder } from "./model.js";

/** Signature of a person: a token with the person's rights, or the session itself (`token` is null). */
export interface Signature {
  name: string;
  token: string | null;
  expiresAt: number;
}

/** Rest of a signature's time below which it is asked for anew. */
const LEAST_LEFT_MS = 10_000;

/** Unknown until the server was asked; false on a server that has no signatures by PIN. */
export const hasSignatures = signal<boolean | null>(null);

/** Asks if the server has signatures by PIN: a path that exists refuses the method, another one is not found. */
export async function findSignatures(): Promise<void> {
  try {
    await api.GET("/v1/signatures" as never);
  } catch (error) {
    if (!(error instanceof Problem)) return;
    hasSignatures.value = error.status !== 404;
  }
}

/** Returns the session's own signature. */
export function ownSignature(holder: Holder): Signature {
  return { name: holder.name, token: null, expiresAt: Number.POSITIVE_INFINITY };
}

/** Signs by PIN. */
export async function signByPin(name: string, pin: string): Promise<Signature> {
  const call = api.POST as unknown as (
    path: string,
    options: { body: { name: string; pin: string } },
  ) => Promise<{ data: { token: string; expires_at: string } }>;
  const { data } = await call("/v1/signatures", { body: { name, pin } });
  return { name, token: data.token, expiresAt: Date.parse(data.expires_at) };
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
