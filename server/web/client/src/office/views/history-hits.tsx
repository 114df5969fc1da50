// Beside the plot of a level: the hits in view, the entries of the journal, and how the amount of one hit arose.

import { api, dataOf, type Schema } from "../../api/client.js";
import { Status } from "../../staff/controls.js";
import { amount, exact, named, when } from "../format.js";
import { isResettled, movesOf } from "../hit-moves.js";
import { useLoad } from "../load.js";
import { useOffice } from "../office.js";
import { Card, Facts, State } from "../parts.js";
import type { History } from "../plot/history-data.js";
import { type Mark, type Step, undone } from "../plot/history.js";
import { to } from "../router.js";
import { Empty, Ready, Table } from "../table.js";

type Hit = Schema<"HitDetail">;

function Books({ hit, level }: { hit: Hit; level: string }) {
  const { t, locale } = useOffice();
  const h = t.links.history;
  const slip = hit.payouts.map((payout) => payout.payment?.document).find(Boolean);
  const place = t.seatNamed(hit.seat ?? null, hit.dealer);
  const moves = movesOf(hit, level);
  return (
    <Card
      title={`${t.hands[hit.hand ?? ""] ?? t.kinds[hit.kind] ?? hit.kind}, ${hit.table} ${place}`}
      side={<State of={hit.state} />}
    >
      <p class="secondary">
        {when(hit.keyed_at, locale)}
        {slip && ` · ${slip}`}
      </p>
      <div class="sum">
        <Facts
          rows={[
            [h.before, amount(hit.before ?? "0", locale, "money")],
            ...moves.map(
              (move) =>
                [
                  move.taken && move.account === "pending"
                    ? h.paidShare(hit.percent ? `${hit.percent}%` : "")
                    : (h.moves[move.account] ?? move.account),
                  amount(move.amount, locale, "signed"),
                ] as const,
            ),
            [h.after, amount(hit.after ?? "0", locale, "money")],
          ]}
        />
      </div>
      {isResettled(hit) && <p class="hint">{h.settledAnew}</p>}
      <p class="card-foot">
        <a href={to("hits", hit.hit)}>{h.open}</a>
      </p>
    </Card>
  );
}

export function HitBooks({ hit, level }: { hit: string | null; level: string }) {
  const { t } = useOffice();
  const detail = useLoad(hit, () => dataOf(api.GET("/v1/hits/{hit}", { params: { path: { hit: hit ?? "" } } })));
  if (hit === null)
    return (
      <Card>
        <p class="secondary">{t.links.history.chooseHit}</p>
      </Card>
    );
  return <Ready of={detail}>{(found) => <Books hit={found} level={level} />}</Ready>;
}

/** Says if the books of the level agree in the period. */
function Agreement({ link, level, data }: { link: string; level: string; data: History }) {
  const { t, locale } = useOffice();
  const h = t.links.history;
  const query = { from: new Date(data.span.from).toISOString(), to: new Date(data.span.until).toISOString() };
  const books = useLoad(`books ${link} ${query.from} ${query.to}`, () =>
    dataOf(api.GET("/v1/links/{link}/reconciliation", { params: { path: { link }, query } })),
  );
  const line = books.data?.levels.find((one) => one.level === level);
  if (!line) return null;
  const agrees = /^0(\.0+)?$/.test(line.difference);
  return agrees ? (
    <Status icon="done" tone="teal">
      {h.agree(exact(line.difference, locale))}
    </Status>
  ) : (
    <Status icon="error" tone="vermilion">
      {h.differ(exact(line.difference, locale))}
    </Status>
  );
}

interface HitsProps {
  link: string;
  level: string;
  data: History;
  chosen: string | null;
  choose(hit: string): void;
}

export function HitsInView({ link, level, data, chosen, choose }: HitsProps) {
  const { t, locale } = useOffice();
  const h = t.links.history;
  const count = data.marks.length;
  return (
    <Card
      title={data.moreHits ? h.hitsMore(count) : h.hits(count)}
      side={<Agreement link={link} level={level} data={data} />}
    >
      {count === 0 ? (
        <Empty title={h.noHits}>{h.noHitsHint}</Empty>
      ) : (
        <Table<Mark>
          caption={h.hits(count)}
          rows={data.marks}
          rowKey={(mark) => mark.hit}
          chosen={(mark) => mark.hit === chosen}
          onChoose={(mark) => choose(mark.hit)}
          columns={[
            { head: t.when, cell: (mark) => when(mark.at, locale) },
            {
              head: t.hand,
              name: true,
              cell: (mark) => (
                <button type="button" class="plain-link" onClick={() => choose(mark.hit)}>
                  {t.hands[mark.hand ?? ""] ?? named(mark.hand ?? "")}
                </button>
              ),
            },
            { head: t.table, cell: (mark) => mark.table },
            { head: h.before, figure: true, cell: (mark) => amount(mark.before, locale, "money") },
            {
              head: h.paid,
              figure: true,
              cell: (mark) =>
                undone(mark) ? <span class="word">{t.states[mark.state]}</span> : amount(mark.due, locale, "money"),
            },
            { head: h.after, figure: true, cell: (mark) => amount(mark.after, locale, "money") },
          ]}
        />
      )}
    </Card>
  );
}

export function StepsInView({ steps }: { steps: readonly Step[] }) {
  const { t, locale } = useOffice();
  const h = t.links.history;
  return (
    <Card title={h.steps}>
      <Table<Step>
        caption={h.steps}
        rows={[...steps].reverse()}
        rowKey={(step) => step.position}
        columns={[
          { head: t.when, cell: (step) => when(step.at, locale) },
          { head: h.stepKind, name: true, cell: (step) => h.kinds[step.kind] },
          { head: t.table, cell: (step) => step.round ?? step.table ?? "" },
          { head: h.change, figure: true, cell: (step) => exact(step.change, locale) },
          { head: h.after, figure: true, cell: (step) => exact(step.meter, locale) },
        ]}
      />
    </Card>
  );
}
