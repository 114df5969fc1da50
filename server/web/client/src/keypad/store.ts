// What the tablet keeps on its disk (IndexedDB): the outbox of each table, and the token, badge and settings of the device.
//
// A write returns after the disk has it (`durability: "strict"`). Each tab that opens a table takes a new owner number,
// and a write of an older owner fails, so that two tabs never write over each other.

import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import { EMPTY, type Kept } from "./outbox.js";

/** What belongs to the device, not to the play. */
export interface Device {
  token: string | null;
  badge: string | null;
  /** Single letters as keys: switched off where a keyboard is shared with other programs. */
  letters: boolean;
}

export const NEW_DEVICE: Device = { token: null, badge: null, letters: true };

interface Schema extends DBSchema {
  tables: { key: string; value: { owner: number; kept: Kept } };
  devices: { key: string; value: Device };
}

export type Database = IDBPDatabase<Schema>;

/** Another tab has opened the table since. */
export class Superseded extends Error {}

export function openStore(): Promise<Database> {
  return openDB<Schema>("meterhouse-keypad", 1, {
    upgrade(database) {
      database.createObjectStore("tables");
      database.createObjectStore("devices");
    },
  });
}

/** Reads what is kept of a table, and makes this tab its owner. */
export async function claim(database: Database, table: string): Promise<{ owner: number; kept: Kept }> {
  const change = database.transaction("tables", "readwrite", { durability: "strict" });
  const found = await change.store.get(table);
  const claimed = { owner: (found?.owner ?? 0) + 1, kept: { ...EMPTY, ...found?.kept } };
  await change.store.put(claimed, table);
  await change.done;
  return claimed;
}

/** Writes what is to be kept, if this tab still owns the table. */
export async function save(database: Database, table: string, owner: number, kept: Kept): Promise<void> {
  const change = database.transaction("tables", "readwrite", { durability: "strict" });
  const found = await change.store.get(table);
  if (found?.owner !== owner) {
    await change.done;
    throw new Superseded("another tab has opened this table");
  }
  await change.store.put({ owner, kept }, table);
  await change.done;
}

/** Returns true if this tab still owns the table. */
export async function owns(database: Database, table: string, owner: number): Promise<boolean> {
  return (await database.get("tables", table))?.owner === owner;
}

export async function readDevice(database: Database, table: string): Promise<Device> {
  return { ...NEW_DEVICE, ...(await database.get("devices", table)) };
}

export async function saveDevice(database: Database, table: string, device: Device): Promise<void> {
  const change = database.transaction("devices", "readwrite", { durability: "strict" });
  await change.store.put(device, table);
  await change.done;
}
