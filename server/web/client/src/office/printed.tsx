// A paytable, drawn as the regulation prints it: in its own language, with its citation.

import type { Schema } from "../api/client.js";
import { count, named, when } from "./format.js";
import "./printed.css";
import { useOffice } from "./office.js";

export type Paytable = Schema<"Paytable">;
type Line = Paytable["lines"][number];

/** Returns a citation as it is printed; a paytable without one says so in its own words. */
export function citationOf(citation: string): string {
  const own = citation.replace(/^none: /, "");
  return own.charAt(0).toUpperCase() + own.slice(1);
}

/** Splits "Crazy 4 Poker, Five-Card Progressive Payout Wager, Paytable C" into the game and the lines of the title. */
export function titleLines(title: string): { game: string; lines: string[] } {
  const [game = title, ...lines] = title.split(", ");
  // A title that is a sentence is not split at its commas.
  if (lines.some((line) => !/^[\p{Lu}\p{N}]/u.test(line))) return { game: "", lines: [title] };
  return lines.length === 0 ? { game: "", lines: [game] } : { game, lines };
}

/** Writes what a line pays: "100% of mega", "50 for 1", or both. */
export function payOf(line: Pick<Line, "percent" | "level" | "for_one">): string {
  const odds = line.for_one === null || line.for_one === undefined ? "" : `${count(line.for_one, "en-US")} for 1`;
  if (line.percent === null || line.percent === undefined) return line.level ? `${odds} off ${line.level}` : odds;
  return `${line.percent}% of ${line.level ?? "meter"}${odds === "" ? "" : ` and ${odds}`}`;
}

function Lines({ paytable }: { paytable: Paytable }) {
  const envy = paytable.lines.some((line) => line.envy !== null && line.envy !== undefined);
  const draws = [["Magic Card", paytable.magic_card] as const, ["Lucky Bonus", paytable.lucky_bonus] as const];
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Hand</th>
          <th scope="col">Payout</th>
          {envy && <th scope="col">Envy Bonus</th>}
        </tr>
      </thead>
      <tbody>
        {paytable.lines.map((line) => (
          <tr key={line.hand}>
            <td>{named(line.hand)}</td>
            <td>{payOf(line)}</td>
            {envy && <td>{line.envy ? `${count(line.envy, "en-US")} for 1` : ""}</td>}
          </tr>
        ))}
        {draws.map(
          ([name, pays]) =>
            pays !== null &&
            pays !== undefined && (
              <tr key={name}>
                <td>{name}</td>
                <td>{count(pays, "en-US")} for 1</td>
                {envy && <td />}
              </tr>
            ),
        )}
      </tbody>
    </table>
  );
}

/** Writes a seed and a reseed for 1: one number if both are equal. */
function seedOf(level: Paytable["levels"][number]): string {
  const written = (value: number | null | undefined) =>
    value === null || value === undefined ? "not printed" : `${count(value, "en-US")} for 1`;
  return level.seed === level.reseed ? written(level.seed) : `${written(level.seed)}, then ${written(level.reseed)}`;
}

function Levels({ paytable }: { paytable: Paytable }) {
  const reserve = paytable.levels.some((level) => level.reserve && level.reserve !== "0%");
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Level</th>
          <th scope="col">Seed and reseed</th>
          <th scope="col">Rate</th>
          {reserve && <th scope="col">Reserve</th>}
        </tr>
      </thead>
      <tbody>
        {paytable.levels.map((level) => (
          <tr key={level.level}>
            <td>{named(level.level)}</td>
            <td>{seedOf(level)}</td>
            <td>{level.primary ?? "not printed"}</td>
            {reserve && <td>{level.reserve ?? ""}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function Printed({ paytable }: { paytable: Paytable }) {
  const { t, locale } = useOffice();
  const o = t.links.opening;
  const { game, lines } = titleLines(paytable.title);
  const notes = [
    ...(paytable.effective ? [o.effective(when(`${paytable.effective}T12:00:00`, locale, "date"))] : []),
    ...(paytable.levels.some((level) => level.reserve && level.reserve !== "0%") ? [] : [o.noReserve]),
    ...(paytable.envy_printed_for.length > 0
      ? [o.envyFor(paytable.envy_printed_for.map((wager) => `$${wager}`).join(", "))]
      : []),
  ];
  return (
    <article class="printed">
      <div lang="en">
        <hgroup>
          <p>{citationOf(paytable.citation)}</p>
          <h2>{lines.map((line, index) => (index === 0 ? line : [<br />, line]))}</h2>
          <p>{game}</p>
        </hgroup>
        <Lines paytable={paytable} />
        <Levels paytable={paytable} />
      </div>
      <p class="foot">{notes.join(" ")}</p>
    </article>
  );
}
