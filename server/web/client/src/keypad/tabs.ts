// One tab at a time commands a table: a Web Lock, which a tab may take from another one on request.

export interface TabLock {
  /** Takes the table from the tab that has it. */
  take(): void;
}

/**
 * Asks for a table's lock. `held` is called when this tab has it, `lost` when another one has. A tab without the lock gets
 * it by itself once the other tab is closed, if it is seen then: a forgotten tab takes no table. Without Web Locks (a page
 * over plain HTTP) each tab begins as the holder, and the owner number of the store tells the older one.
 */
export function holdTable(table: string, held: () => void, lost: () => void): TabLock {
  const locks = navigator.locks as LockManager | undefined;
  if (!locks) {
    held();
    return { take: held };
  }
  const name = `meterhouse keypad ${table}`;
  let waiting: AbortController | null = null;
  let isLost = false;
  const keep = () => {
    waiting = null;
    isLost = false;
    held();
    return new Promise<never>(() => {});
  };
  const wait = () => {
    const controller = new AbortController();
    waiting = controller;
    // A wait that `take` has ended is no loss.
    locks.request(name, { signal: controller.signal }, keep).catch(() => controller.signal.aborted || lose());
  };
  const lose = () => {
    isLost = true;
    lost();
    if (document.visibilityState === "visible") wait();
  };
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") {
      if (isLost && waiting === null) wait();
    } else {
      waiting?.abort();
      waiting = null;
    }
  });
  void locks.request(name, { ifAvailable: true }, (lock) => (lock ? keep() : lose())).catch(lose);
  return {
    take() {
      const ended = waiting;
      locks.request(name, { steal: true }, keep).catch(lose);
      ended?.abort();
    },
  };
}
