// What the API and the browser call the same thing: keys and subscriptions of web push.

import type { Schema } from "../api/client.js";

/** Reads base64url. */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

/** Returns the request for a browser's subscription; null for one without keys. */
export function requestOf(subscription: PushSubscriptionJSON): Schema<"PushRequest"> | null {
  const { endpoint, keys } = subscription;
  const [p256dh, auth] = [keys?.["p256dh"], keys?.["auth"]];
  return endpoint && p256dh && auth ? { endpoint, p256dh, auth } : null;
}

/** Returns the name of a subscription: the SHA-256 of its endpoint. */
export async function nameOf(endpoint: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(endpoint));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Checks if a subscription was made with the house's key. */
export function isOfKey(options: Pick<PushSubscriptionOptions, "applicationServerKey">, publicKey: string): boolean {
  const key = options.applicationServerKey;
  if (!key) return false;
  const [one, other] = [new Uint8Array(key), bytesOf(publicKey)];
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}
