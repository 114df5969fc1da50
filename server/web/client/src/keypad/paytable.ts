// The paytable of a table, read from the manual's public page of its game: a controller may not read the operator's files.

import type { Schema } from "../api/client.js";

export interface Line {
  hand: string;
  /** The level that the hand takes from; null for fixed odds. */
  level: string | null;
  percent: number | null;
  forOne: string | null;
  envy: string | null;
}

export interface Paytable {
  /** Title of the game. */
  game: string;
  title: string;
  lines: readonly Line[];
  dealerWagers: boolean;
  magicCard: string | null;
  luckyBonus: string | null;
  /** Cards that a hand is formed of: its own, then the community's. */
  own: number;
  community: number;
  /** Cards that a round deals to the dealer; 0 if the dealer has no hand. */
  dealer: number;
  /** Cards that a round deals to all. */
  communityDealt: number;
  foldKeepsAward: boolean;
  foldedGivesEnvy: boolean;
}

/** The rule of a hand, by the words of the manual. */
const HANDS: readonly (readonly [RegExp, number, number])[] = [
  [/^the player's own five cards/, 5, 0],
  [/^the best four of the player's five cards/, 5, 0],
  [/^the player's own three cards/, 3, 0],
  [/^two own cards and the three/, 2, 3],
  [/^three own cards and the two/, 3, 2],
];

type Block = readonly (readonly string[])[];

/** Splits aligned columns into blocks of rows of cells. */
function blocksOf(columns: string): readonly Block[] {
  return columns.split(/\n\s*\n/).map((block) =>
    block
      .split("\n")
      .map((row) =>
        row
          .trim()
          .split(/ {2,}/)
          .filter((cell) => cell !== ""),
      )
      .filter((row) => row.length > 0),
  );
}

/** Returns the rows below a head with these first cells. */
function rowsBelow(blocks: readonly Block[], first: string, second: string): Block {
  const block = blocks.find(([head]) => head?.[0] === first && head[1] === second);
  return block?.slice(1) ?? [];
}

function lineOf([hand = "", pays = "", envy]: readonly string[]): Line {
  const percent = /^(\d+)% of (\S+)$/.exec(pays);
  const odds = /^([\d,]+) for 1(?: off (\S+))?$/.exec(pays);
  return {
    hand,
    percent: percent ? Number(percent[1]) : null,
    level: percent?.[2] ?? odds?.[2] ?? null,
    forOne: odds?.[1] ?? null,
    envy: envy?.replace(" for 1", "") ?? null,
  };
}

function oddsOf(draws: Block, name: string): string | null {
  return draws.find(([draw]) => draw === name)?.[1]?.replace(" for 1", "") ?? null;
}

/** Reads the cards that the game deals: "2 to each player, 2 to the dealer, 5 community cards". */
function dealtBy(page: Schema<"ManualPage">): { dealer: number; community: number } {
  const rows = page.parts.flatMap((part) => part.table ?? []);
  const text = rows.find(([name]) => name === "Cards")?.[1] ?? "";
  return {
    dealer: Number(/(\d+) to the dealer/.exec(text)?.[1] ?? 0),
    community: Number(/(\d+) community/.exec(text)?.[1] ?? 0),
  };
}

/** Reads a paytable from its game's page; null if the page has none of this id, or none that this page understands. */
export function paytableOf(page: Schema<"ManualPage">, id: string): Paytable | null {
  const columns = page.parts.find((part) => part.heading === id)?.columns;
  if (!columns) return null;
  const blocks = blocksOf(columns);
  const facts = new Map(blocks.flat().map(([name = "", ...values]) => [name, values.join("  ")] as const));
  const formed = blocks.flat().find(([name, value]) => name === "Hand" && value !== "pays")?.[1] ?? "";
  const rule = HANDS.find(([words]) => words.test(formed));
  const lines = rowsBelow(blocks, "Hand", "pays").map(lineOf);
  if (!rule || lines.length === 0) return null;
  const draws = rowsBelow(blocks, "Draw", "pays");
  const dealt = dealtBy(page);
  const fold = facts.get("A fold") ?? "";
  return {
    game: page.title,
    title: blocks[0]?.[0]?.join(" ") ?? id,
    lines,
    dealerWagers: (facts.get("Wagered on") ?? "").includes("dealer"),
    magicCard: oddsOf(draws, "magic_card"),
    luckyBonus: oddsOf(draws, "lucky_bonus"),
    own: rule[1],
    community: rule[2],
    dealer: dealt.dealer,
    communityDealt: dealt.community,
    foldKeepsAward: fold.startsWith("keeps"),
    foldedGivesEnvy: fold.endsWith("gives envy"),
  };
}
