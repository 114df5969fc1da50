// Slips of payouts: the page to print, and what is known of a slip that was made.

import { signal } from "@preact/signals";
import { type Schema, api, dataOf } from "../api/client.js";
import type { Hit } from "./model.js";
import { type Signature, headersOf } from "./signing.js";

export type Slip = Schema<"PayoutSlip">;

/** Slips that are read at once to find those of a hit. */
const SLIPS_MOST = 200;

/** Slips by hit and payout. */
export const slips = signal<Readonly<Record<string, Slip>>>({});
/** Addresses of the printed pages that came to this tablet, by hit and payout. */
export const pages = signal<Readonly<Record<string, string>>>({});

export function slipKey(hit: string, payout: number): string {
  return `${hit} ${payout}`;
}

/** Reads the slips that were made for a hit. A slip is no older than the decision about its hit. */
export async function findSlips(hit: Hit): Promise<void> {
  if (!hit.payouts.some((row) => row.handed_over === "slip")) return;
  const query = { from: hit.decided_at ?? hit.keyed_at, limit: SLIPS_MOST };
  const page = await dataOf(api.GET("/v1/slips", { params: { query } }));
  const found = page.slips.filter((slip) => slip.hit === hit.hit && slip.replaced_by == null);
  slips.value = {
    ...slips.value,
    ...Object.fromEntries(found.map((slip) => [slipKey(slip.hit, slip.payout), slip])),
  };
}

const PDF = { accept: "application/pdf" };

/** Page of a slip, and if it is the slip itself or only a copy of it. */
export interface PrintedPage {
  blob: Blob;
  isCopy: boolean;
}

interface BlobAnswer {
  data?: unknown;
  response: Response;
}

function printed({ data, response }: BlobAnswer): PrintedPage {
  // Only the first answer is the slip: 201 made it, 200 is a repeat.
  return { blob: data as Blob, isCopy: response.status !== 201 };
}

/** Makes the slip of a payout. */
export async function makeSlip(hit: string, payout: number, signature: Signature): Promise<PrintedPage> {
  const answer = await api.PUT("/v1/hits/{hit}/payouts/{payout}/slip", {
    params: { path: { hit, payout } },
    headers: { ...PDF, ...headersOf(signature) },
    parseAs: "blob",
  });
  return printed(answer as BlobAnswer);
}

/** Prints a slip again, with the reason. */
export async function printAgain(slip: Slip, reason: string, signature: Signature): Promise<PrintedPage> {
  const reprint = slip.reprints.length + 1;
  const answer = await api.PUT("/v1/slips/{slip}/reprints/{reprint}", {
    params: { path: { slip: slip.slip, reprint } },
    body: { reason },
    headers: { ...PDF, ...headersOf(signature) },
    parseAs: "blob",
  });
  return printed(answer as BlobAnswer);
}

/** Opens a page, from which the tablet prints. Its address stays for a link, in case the browser opens no window. */
export function openPage(key: string, page: PrintedPage): void {
  const address = URL.createObjectURL(page.blob);
  pages.value = { ...pages.value, [key]: address };
  window.open(address, "_blank");
}
