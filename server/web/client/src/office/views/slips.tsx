// The slips: documents of payouts, their reprints and copies.

import { api, dataOf, type Schema } from "../../api/client.js";
import { PeriodFilters, asked } from "../filters.js";
import { amount, when } from "../format.js";
import { AskReason } from "../form.js";
import { useLoad, usePages } from "../load.js";
import { useOffice } from "../office.js";
import { Card, Facts, Head } from "../parts.js";
import { Files } from "../printed-files.js";
import { to } from "../router.js";
import { Empty, List, Ready, Table } from "../table.js";

type Slip = Schema<"PayoutSlip">;

/** Says if a slip still stands, or which one took its place. */
function standing(slip: Slip, texts: { valid: string; replaced(by: number): string }): string {
  return slip.replaced_by ? texts.replaced(slip.replaced_by) : texts.valid;
}

export function Slips() {
  const { t, locale } = useOffice();
  const s = t.books.slips;
  const filters = asked("from", "until");
  const slips = usePages(`slips ${JSON.stringify(filters)}`, async (after) => {
    const page = await dataOf(api.GET("/v1/slips", { params: { query: { ...filters, after } as never } }));
    return { rows: page.slips, more: page.more, next: page.next ? String(page.next) : null };
  });
  return (
    <>
      <Head title={s.title} under={s.under} />
      <div class="filters">
        <PeriodFilters />
      </div>
      <Card>
        <List<Slip>
          of={slips}
          caption={s.title}
          rowKey={(slip) => String(slip.slip)}
          href={(slip) => to("slips", String(slip.slip))}
          empty={<Empty title={s.none}>{s.noneHint}</Empty>}
          columns={[
            { head: s.number, name: true, cell: (slip) => slip.slip },
            { head: t.when, cell: (slip) => when(slip.at, locale) },
            { head: t.hit, cell: (slip) => <a href={to("hits", slip.hit)}>{slip.hit}</a> },
            { head: t.hand, cell: (slip) => t.hands[slip.hand ?? ""] ?? t.kinds[slip.hit_kind] ?? "" },
            { head: t.amount, figure: true, cell: (slip) => amount(slip.amount, locale, "money") },
            { head: s.madeBy, cell: (slip) => slip.made_by },
            { head: t.state, cell: (slip) => standing(slip, s.state) },
          ]}
        />
      </Card>
    </>
  );
}

function Reprints({ slip, done }: { slip: Slip; done(): void }) {
  const { t, locale, may } = useOffice();
  const s = t.books.slips;
  const params = { path: { slip: slip.slip, reprint: (slip.reprints.at(-1)?.number ?? 0) + 1 } };
  return (
    <Card title={s.reprints}>
      {slip.reprints.length === 0 ? (
        <p class="secondary">{s.noReprints}</p>
      ) : (
        <Table
          caption={s.reprints}
          rows={slip.reprints}
          rowKey={(reprint) => String(reprint.number)}
          columns={[
            { head: s.number, name: true, cell: (reprint) => reprint.number },
            { head: t.when, cell: (reprint) => when(reprint.at, locale) },
            { head: t.by, cell: (reprint) => reprint.by },
            { head: t.reason, wide: true, cell: (reprint) => reprint.reason },
          ]}
        />
      )}
      {may("pay") && !slip.replaced_by && (
        <p class="card-foot">
          <AskReason
            label={s.reprint}
            title={s.reprintTitle}
            text={s.reprintText}
            action={s.reprintAction}
            send={(body) => api.PUT("/v1/slips/{slip}/reprints/{reprint}", { params, body })}
            done={done}
          />
        </p>
      )}
    </Card>
  );
}

export function SlipView({ slip: number }: { slip: string }) {
  const { t, locale } = useOffice();
  const s = t.books.slips;
  const slip = useLoad(number, () =>
    dataOf(api.GET("/v1/slips/{slip}", { params: { path: { slip: Number(number) } } })),
  );
  return (
    <>
      <Head title={s.titleOf(Number(number))} above={<a href={to("slips")}>{s.title}</a>}>
        {slip.data && <Files path={`/v1/slips/${number}`} name={`slip-${number}`} kinds={["pdf"]} />}
      </Head>
      <Ready of={slip} missing={s.unknown(number)}>
        {(found) => (
          <div class="columns halves">
            <Card title={amount(found.amount, locale, "money")} side={standing(found, s.state)}>
              <Facts
                rows={[
                  [t.hit, <a href={to("hits", found.hit)}>{found.hit}</a>],
                  [t.hand, t.hands[found.hand ?? ""] ?? t.kinds[found.hit_kind] ?? ""],
                  [t.table, `${found.table}, ${t.seatNamed(found.seat, false)}`],
                  [s.round, found.round],
                  [t.level, found.level ? t.levelNamed(found.level) : t.none],
                  [s.charged, t.accounts[found.charged_to] ?? found.charged_to],
                  [s.keyed, `${found.keyed_by ?? ""} ${when(found.keyed_at, locale)}`],
                  [
                    s.validated,
                    `${found.validated_by ?? ""} ${found.validated_at ? when(found.validated_at, locale) : ""}`,
                  ],
                  [s.madeBy, `${found.made_by} ${when(found.at, locale)}`],
                  ...(found.replaces ? [[s.replaces, found.replaces] as const] : []),
                ]}
              />
            </Card>
            <Reprints slip={found} done={slip.reload} />
          </div>
        )}
      </Ready>
    </>
  );
}
