// The request that sets the own PIN. The document of the API of this release does not have it yet.

import { api } from "../../api/client.js";

/** Sets the PIN of the person who is logged in. */
export async function setPin(pin: string, password: string): Promise<void> {
  const put = api.PUT as unknown as (path: string, init: { body: object }) => Promise<unknown>;
  await put("/v1/session/pin", { body: { pin, password } });
}
