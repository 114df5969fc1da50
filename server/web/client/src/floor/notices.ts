// Notices on this tablet of hits that wait: whether there are any, and how they are turned on and off.

import { signal } from "@preact/signals";
import { type Schema, api, dataOf } from "../api/client.js";
import { bytesOf, isOfKey, nameOf, requestOf } from "./push-keys.js";
import { go } from "./route.js";

const WORKER = "/built/floor-worker.js";
const SCOPE = "/floor";

/** State of the notices: `never` if the house sends none or the browser shows none, null until that is known. */
export const notices = signal<"never" | "blocked" | "off" | "on" | null>(null);
let publicKey = "";

/** Returns the manager of subscriptions of the worker; null without one. */
async function managerOf(): Promise<PushManager | null> {
  const registered = await navigator.serviceWorker.getRegistration(SCOPE);
  return registered?.pushManager ?? null;
}

async function read(state: Schema<"PushState">, subscription: PushSubscription | null): Promise<void> {
  if (Notification.permission === "denied") {
    notices.value = "blocked";
    return;
  }
  const name = subscription && (await nameOf(subscription.endpoint));
  notices.value = state.subscriptions.some((row) => row.subscription === name) ? "on" : "off";
}

/** Asks if this tablet is told of hits. Browsers have notices over TLS and on their own machine only. */
export async function findNotices(): Promise<void> {
  const can = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
  const state = can ? await dataOf(api.GET("/v1/session/push")) : null;
  if (!state?.public_key) {
    notices.value = "never";
    return;
  }
  publicKey = state.public_key;
  await read(state, (await (await managerOf())?.getSubscription()) ?? null);
}

/** Turns the notices on: asks the person for permission, subscribes the browser, and tells the server. */
export async function turnOn(): Promise<void> {
  if ((await Notification.requestPermission()) !== "granted") {
    notices.value = Notification.permission === "denied" ? "blocked" : "off";
    return;
  }
  const registered = await navigator.serviceWorker.register(WORKER, { scope: SCOPE, updateViaCache: "none" });
  await untilActive(registered);
  const manager = registered.pushManager;
  const before = await manager.getSubscription();
  // A browser refuses another key while it has a subscription.
  if (before && !isOfKey(before.options, publicKey)) await before.unsubscribe();
  const subscription = await manager.subscribe({ userVisibleOnly: true, applicationServerKey: bytesOf(publicKey) });
  const body = requestOf(subscription.toJSON());
  if (!body) throw new Error("a subscription without keys");
  await read(await dataOf(api.PUT("/v1/session/push", { body })), subscription);
}

/** Waits until a worker is active; rejects if it can't be installed. */
async function untilActive({ active, installing, waiting }: ServiceWorkerRegistration): Promise<void> {
  const coming = active ? null : (installing ?? waiting);
  if (!coming) return;
  await new Promise<void>((done, failed) =>
    coming.addEventListener("statechange", () => {
      if (coming.state === "activated") done();
      if (coming.state === "redundant") failed(new Error("the worker of the console can't be installed"));
    }),
  );
}

/** Turns the notices off, at the server and in the browser. */
export async function turnOff(): Promise<void> {
  const subscription = await (await managerOf())?.getSubscription();
  if (subscription) {
    const path = { subscription: await nameOf(subscription.endpoint) };
    await dataOf(api.DELETE("/v1/session/push/{subscription}", { params: { path } }));
    await subscription.unsubscribe();
  }
  notices.value = "off";
}

/** Opens the hit of a notice that a person taps; returns what ends it. */
export function followNotices(): () => void {
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  const opened = (event: MessageEvent<{ openHit?: string | null } | null>) => {
    if (event.data?.openHit !== undefined) go("hits", event.data.openHit);
  };
  workers?.addEventListener("message", opened);
  return () => workers?.removeEventListener("message", opened);
}
