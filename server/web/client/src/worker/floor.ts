// The worker of the floor console: shows the notice of a hit that waits, and opens the hit at a tap. It keeps no page.

import { addressOf, noticeOf, readMessage, showsConsole } from "./notice.js";

const worker = self as unknown as ServiceWorkerGlobalScope;

worker.addEventListener("install", (event) => event.waitUntil(worker.skipWaiting()));

worker.addEventListener("push", (event) => {
  const { title, options } = noticeOf(readMessage(event.data?.text() ?? ""), worker.navigator.language);
  event.waitUntil(worker.registration.showNotification(title, options));
});

/** Opens a hit in the console that is open, or in a new one. */
async function open(hit: string | null): Promise<void> {
  const windows = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const shown = windows.find((one) => showsConsole(one.url));
  if (!shown) {
    await worker.clients.openWindow(addressOf(hit));
    return;
  }
  shown.postMessage({ openHit: hit });
  await shown.focus();
}

worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open((event.notification.data as { hit: string | null } | null)?.hit ?? null));
});
