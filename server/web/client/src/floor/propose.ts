// The first of two people: sends a proposal until it is answered.

import { type Schema, api, dataOf } from "../api/client.js";
import type { Action } from "./actions.js";
import { type Signature, headersOf } from "./signing.js";
import { loadProposals } from "./store.js";

type Request = Schema<"ProposalRequest">;

/** Proposes a change under an id of the client's. Returns true once the server has it. */
export async function propose(
  action: Action,
  link: string,
  proposal: string,
  body: Request,
  signature: Signature,
): Promise<boolean> {
  const made = await action.run(signature, () =>
    dataOf(
      api.PUT("/v1/links/{link}/proposals/{proposal}", {
        params: { path: { link, proposal } },
        body,
        headers: headersOf(signature),
      }),
    ),
  );
  await loadProposals().catch(() => {});
  return made !== null;
}
