// The money of a hit: what is due, how the amount arose, and what else is due. Every amount is the server's.

import type { Hit } from "./model.js";
import { HitStatus } from "./parts.js";
import { links, payoffs } from "./store.js";
import { type SumLine, amountOf, envyOf, mainPayout, sumLines } from "./sum.js";
import { useWords, type Words } from "./words.js";

/** The head of the panel: who gets it and how, the state, the amount. */
export function Due({ hit, title, dim = false }: { hit: Hit; title?: string; dim?: boolean }) {
  const words = useWords();
  const { t } = words;
  const payout = mainPayout(hit);
  const way = t.money.ways[payout?.handed_over ?? "rack"];
  const say = payout?.payment?.paid ? t.money.paidTo : t.money.due;
  const forWhom = hit.kind === "envy" ? t.money.envyFor : say(words.seat(hit), way);
  return (
    <>
      <p class="panel-head">
        <span class="secondary">{title ?? forWhom}</span>
        <HitStatus hit={hit} />
      </p>
      <p class={`amount figure ${dim ? "dim" : ""}`}>{words.money(amountOf(hit))}</p>
    </>
  );
}

function lineText(line: SumLine, { t, level, date, count }: Words): string {
  switch (line.kind) {
    case "opening":
      return (line.afterHit ? t.money.restarted : t.money.opened)(level(line.level), date(line.since));
    case "contribution":
      return t.money.contributions(line.table, count(line.wagers));
    case "before":
      return t.money.before(level(line.level));
    default:
      return t.money.entries[line.kind](date(line.at));
  }
}

/** The lines that add up to the amount, a rule, and the total. */
export function Arose({ hit }: { hit: Hit }) {
  const words = useWords();
  const { t, money } = words;
  const payoff = payoffs.value[hit.hit];
  const charged = mainPayout(hit)?.charged_to;
  const wager = links.value.find((row) => row.link === hit.link)?.wager;
  // A hand without a wager wins nothing itself.
  if (hit.kind === "envy") return null;
  return (
    <section class="sum">
      <h2>{t.money.arose}</h2>
      <dl>
        {payoff && hit.level ? (
          sumLines(payoff).map((line, index) => (
            <div key={index} class={line.kind === "before" ? "rule" : ""}>
              <dt>{lineText(line, words)}</dt>
              <dd class="figure">{money(line.amount, false)}</dd>
            </div>
          ))
        ) : (
          <div>
            <dt>{hit.level ? t.shell.loading : t.money.odds(wager ? money(wager) : "")}</dt>
            <dd class="figure">{hit.level ? "" : money(hit.due, false)}</dd>
          </div>
        )}
        <div class="total">
          <dt>
            {words.takes(hit)}
            {charged && <span class="secondary">, {charged === "meter" ? t.money.fromMeter : t.money.fromHouse}</span>}
          </dt>
          <dd class="figure">{money(hit.due)}</dd>
        </div>
      </dl>
      {payoff && !/^-?0+(\.0+)?$/.test(payoff.difference) && (
        <p class="pin-wrong" role="alert">
          {t.money.difference(money(payoff.difference))}
        </p>
      )}
    </section>
  );
}

/** Envy and supplements, with the way they are handed over. */
export function AlsoDue({ hit }: { hit: Hit }) {
  const { t, money, count, locale } = useWords();
  const envy = envyOf(hit);
  const supplements = hit.payouts.filter((row) => row.kind === "supplement");
  if (!envy && supplements.length === 0) return null;
  const way = hit.payouts.find((row) => row.kind === "envy")?.handed_over;
  const seats = new Intl.ListFormat(locale, { type: "conjunction" }).format(envy?.seats.map(String) ?? []);
  return (
    <section class="sum">
      <h2>{way ? t.money.envyWay(t.money.ways[way]) : t.money.also}</h2>
      <dl>
        {supplements.map((row) => (
          <div key={row.payout}>
            <dt>{t.money.supplement(row.seat)}</dt>
            <dd class="figure">{money(row.amount)}</dd>
          </div>
        ))}
        {envy && (
          <>
            <div>
              <dt>{t.money.envyTo(seats, envy.seats.length)}</dt>
              <dd class="figure">
                {count(envy.seats.length)} × {money(envy.each, false)}
              </dd>
            </div>
            <div class="total">
              <dt>{t.money.envyTotal}</dt>
              <dd class="figure">{money(hit.envy_due)}</dd>
            </div>
          </>
        )}
      </dl>
    </section>
  );
}
