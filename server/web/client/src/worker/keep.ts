// The part of a worker that keeps a page: fills the cache of its build, drops those of others, and answers requests.

import { type Shell, cacheOf, fileAnswer, keptAddress, outdated, pageAnswer } from "./shell.js";

/** Keeps the page of a build under a name, for all addresses of the worker's scope. */
export function keepPage(worker: ServiceWorkerGlobalScope, name: string, shell: Shell): void {
  const cache = cacheOf(name, shell.build);

  // One file that is missing or differs, as while a server is replaced, fails the installation. The browser tries again
  // at the next load, and the build before stays.
  const install = async () => {
    const files = Object.entries(shell.files);
    const requests = files.map(([address, integrity]) => new Request(address, { integrity, cache: "no-cache" }));
    await (await caches.open(cache)).addAll(requests);
    await worker.skipWaiting();
  };
  worker.addEventListener("install", (event) => event.waitUntil(install()));

  const tidy = async () => {
    for (const old of outdated(await caches.keys(), name, shell.build)) await caches.delete(old);
  };
  worker.addEventListener("activate", (event) => event.waitUntil(tidy()));

  worker.addEventListener("fetch", (event) => {
    const { request } = event;
    const address = keptAddress(shell, worker.registration.scope, request);
    if (address === null) return;
    const kept = async () => (await caches.open(cache)).match(address, { ignoreVary: true });
    const answer = request.mode === "navigate" ? pageAnswer : fileAnswer;
    event.respondWith(answer(() => fetch(request), kept));
  });
}
