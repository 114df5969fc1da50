// The registration of the worker that keeps a page for the time without a server.

import { signal } from "@preact/signals";

/** True once the page is kept, false if the browser keeps none, as over plain HTTP; null until that is known. */
export const pageKept = signal<boolean | null>(null);

/** Wait before a page that could not be kept is asked for again. */
const RETRY_MS = 10_000;

/** Registers the built worker of a name for the addresses below `scope`. The page works the same without it. */
export function registerWorker(name: string, scope: string): void {
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  if (!import.meta.env.PROD || !location.pathname.startsWith(scope)) return;
  if (!workers) {
    pageKept.value = false;
    return;
  }
  const register = async () => {
    const ready = workers.ready.then(() => true);
    while (!pageKept.value) {
      try {
        const registered = await workers.register(`/built/${name}-worker.js`, { scope, updateViaCache: "none" });
        // A browser puts off looking for a new worker while requests go through the old one, which heartbeats do for ever.
        await registered.update();
      } catch {
        // A server that is away: an older worker may keep the page all the same.
      }
      // The browser tries a failed installation again at the next load, and this page may stay open for a shift.
      const late = new Promise<boolean>((done) => setTimeout(done, RETRY_MS, false));
      pageKept.value = await Promise.race([ready, late]);
    }
  };
  // What the page itself loads comes first.
  const begin = () => void register();
  if (document.readyState === "complete") begin();
  else addEventListener("load", begin, { once: true });
}
