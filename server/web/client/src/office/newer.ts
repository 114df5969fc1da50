// Operations that the document of the API does not describe yet, by path. A server without one answers `not_found`.

import { Problem, api, dataOf } from "../api/client.js";

type Call = (path: string, init: object) => Promise<{ data?: unknown }>;

/** Calls an operation; null if the server has none of this path. */
async function callOf<Data>(call: unknown, path: string, init: object): Promise<Data | null> {
  try {
    return (await dataOf((call as Call)(path, init))) as Data;
  } catch (error) {
    if (error instanceof Problem && ["not_found", "method_not_allowed"].includes(error.code)) return null;
    throw error;
  }
}

export function getNewer<Data>(path: string, init: object = {}): Promise<Data | null> {
  return callOf(api.GET, path, init);
}

export function putNewer<Data>(path: string, init: object): Promise<Data | null> {
  return callOf(api.PUT, path, init);
}

export function deleteNewer<Data>(path: string, init: object = {}): Promise<Data | null> {
  return callOf(api.DELETE, path, init);
}

/** The state of a PIN. */
export interface PinState {
  set: boolean;
  set_at?: string | null;
  blocked: boolean;
}

/** What the list of people says about a person's PIN. */
export interface PersonPin {
  pin_set_at?: string | null;
  pin_blocked?: boolean;
}
