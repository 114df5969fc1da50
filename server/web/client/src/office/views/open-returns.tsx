// The step of the returns: what the wager is worth, against the meter of one level.

import { useState } from "preact/hooks";
import { api, dataOf, type Schema } from "../../api/client.js";
import { withAmounts } from "../../staff/amount.js";
import { Status } from "../../staff/controls.js";
import { amount, count } from "../format.js";
import { useLoad } from "../load.js";
import { useOffice } from "../office.js";
import { Card, Facts, Segments } from "../parts.js";
import { ReturnPlot } from "../plot/return-plot.js";
import { type ReturnCurve, greatestMeter, percentOf, returnAt } from "../plot/returns.js";
import { Ready } from "../table.js";
import type { Draft } from "./open-draft.js";
import type { StepProps } from "./open-link.js";
import { amountOr } from "./open-steps.js";

type Returns = Schema<"PaytableReturns">;

/** Asks for the returns with one level displaying an amount, the others at their seeds. */
async function returnsWith(paytable: string, draft: Draft, meter: string | null): Promise<Returns> {
  const query = {
    wager: (draft["wager"] ?? "").trim(),
    ...(meter === null ? {} : { meter }),
    ...(draft["magic"] ? { magic_card_one_in: Number(draft["magic"]) } : {}),
    ...(draft["lucky"] ? { lucky_bonus_one_in: Number(draft["lucky"]) } : {}),
  };
  return dataOf(api.GET("/v1/paytables/{paytable}/returns", { params: { path: { paytable }, query } }));
}

interface Curve {
  at: Returns;
  level: Returns["levels"][number];
  curve: ReturnCurve;
}

/** Draws the line through two of the server's points: at the seeds, and at the end of the axis. */
async function curveOf(paytable: string, draft: Draft, chosen: string): Promise<Curve | null> {
  const at = await returnsWith(paytable, draft, null);
  const level = at.levels.find((found) => found.level === chosen) ?? at.levels[0];
  if (!level) return null;
  const number = (text: string | null | undefined) => (text ? Number(text) : null);
  const [seed, even, mean] = [Number(level.displayed), number(level.break_even), number(level.mean_jackpot)];
  const until = Math.ceil(greatestMeter(seed, even, mean));
  const end = await returnsWith(paytable, draft, `${level.level}:${until}.00`);
  const first = { meter: seed, percent: percentOf(at.at_displayed.percent) };
  const last = { meter: until, percent: percentOf(end.at_displayed.percent) };
  return {
    at,
    level,
    curve: {
      line: [first, last],
      seed: first,
      mean: mean === null ? null : { meter: mean, percent: returnAt(mean, first, last) },
      breakEven: even,
      longRun: percentOf(at.long_run.percent),
      until,
    },
  };
}

function Plot({ found, draft }: { found: Curve; draft: Draft }) {
  const { t, locale } = useOffice();
  const o = t.links.opening;
  const { at, level, curve } = found;
  const name = t.levelNamed(level.level);
  const others = at.levels.filter((other) => other.level !== level.level).map((other) => t.levelNamed(other.level));
  const dollars = (text: string) => amount(text, locale, "money");
  const title = o.returnsTitle(amountOr(draft["wager"] ?? "", locale), name);
  return (
    <>
      <h2>{title}</h2>
      <p class="secondary">{o.returnsUnder(name, others.join(", "))}</p>
      <ReturnPlot
        curve={curve}
        name={title}
        summary={
          level.break_even
            ? o.returnSummary(name, at.at_displayed.percent, dollars(level.break_even))
            : o.noBreakEven(name)
        }
        texts={{
          breakEven: level.break_even ? o.breakEven(dollars(level.break_even)) : null,
          mean: level.mean_jackpot ? o.mean(dollars(level.mean_jackpot)) : null,
          seed: o.atSeeds(at.at_displayed.percent),
          longRun: o.inLongRun(at.long_run.percent),
          paysMore: o.paysMore,
        }}
      />
    </>
  );
}

function Worth({ at }: { at: Returns }) {
  const { t, locale } = useOffice();
  const o = t.links.opening;
  const top = at.lines[0];
  return (
    <Card>
      <Facts
        large
        rows={[
          [o.longRun, at.long_run.percent],
          [o.hold, at.hold.percent],
          [o.fixed, at.fixed.percent],
          ...(top ? [[o.oneIn(t.hands[top.hand] ?? top.hand), count(top.one_in, locale)] as const] : []),
        ]}
      />
    </Card>
  );
}

export function ReturnsStep({ form, paytable }: StepProps) {
  const { t, locale } = useOffice();
  const o = t.links.opening;
  const draft = form.values;
  const [level, setLevel] = useState(paytable.levels[0]?.level ?? "");
  const key = `${paytable.paytable} ${draft["wager"]} ${draft["magic"] ?? ""} ${draft["lucky"] ?? ""} ${level}`;
  const curve = useLoad(key, () => curveOf(paytable.paytable, withAmounts(draft, ["wager"], locale), level));
  return (
    <Ready of={curve}>
      {(found) =>
        found && (
          <>
            <Card
              side={
                paytable.levels.length > 1 && (
                  <Segments
                    label={o.whichLevel}
                    options={paytable.levels.map((one) => [one.level, t.levelNamed(one.level)])}
                    value={level}
                    choose={setLevel}
                  />
                )
              }
            >
              <Plot found={found} draft={draft} />
            </Card>
            <Worth at={found.at} />
            <p>
              {found.at.on_a_link.two_people ? (
                <Status icon="people" tone="blue">
                  {o.above}
                </Status>
              ) : (
                <Status icon="done" tone="teal">
                  {o.below}
                </Status>
              )}{" "}
              <span class="secondary">
                {o.onLink(found.at.on_a_link.total.percent, found.at.on_a_link.full_table)} {found.at.warning ?? ""}
              </span>
            </p>
          </>
        )
      }
    </Ready>
  );
}
