// One hit: cards, payouts, how its amount arose, the entries of the journal, and its evidence.

import { Problem, api, dataOf, type Schema } from "../../api/client.js";
import { Button, ErrorNotice, Status } from "../../staff/controls.js";
import { amount, bookNamed, exact, named, when } from "../format.js";
import { useLoad } from "../load.js";
import { useOffice } from "../office.js";
import { Card, Facts, Head, State } from "../parts.js";
import { useDownload } from "../printed-files.js";
import { to } from "../router.js";
import type { OfficeTexts } from "../../text/office.js";
import { Ready, Table } from "../table.js";
import { Cards } from "./proposal-before.js";

type Hit = Schema<"HitDetail">;

/** The button that saves the evidence of a hit, a file that `meterhouse verify` checks. */
function EvidenceButton({ hit }: { hit: string }) {
  const { t } = useOffice();
  const { busy, error, download } = useDownload();
  const path = `/v1/hits/${encodeURIComponent(hit)}/evidence`;
  const unsigned = error instanceof Problem && error.code === "not_signed";
  return (
    <>
      <Button kind="quiet" small busy={busy !== null} onClick={() => void download(path, `${hit}-evidence`, "json")}>
        {t.books.hit.evidence}
      </Button>
      {unsigned ? <p class="secondary">{t.books.hit.notSigned}</p> : <ErrorNotice error={error} />}
    </>
  );
}

function Evaluated({ hit }: { hit: Hit }) {
  const { t } = useOffice();
  const h = t.books.hit;
  const cards = hit.validated_cards ?? hit.cards ?? [];
  return (
    <Card
      title={h.cards}
      side={
        hit.evaluation && (
          <Status icon={hit.evaluation.agrees ? "done" : "error"} tone={hit.evaluation.agrees ? "teal" : "vermilion"}>
            {hit.evaluation.agrees ? h.agrees : h.differs}
          </Status>
        )
      }
    >
      {cards.length === 0 ? <p class="secondary">{t.proposals.noCards}</p> : <Cards cards={cards} width={56} />}
      {hit.evaluation && (
        <p class="secondary card-foot">{h.reads(t.hands[hit.evaluation.hand] ?? named(hit.evaluation.hand))}</p>
      )}
    </Card>
  );
}

function Payouts({ hit }: { hit: Hit }) {
  const { t, locale } = useOffice();
  const h = t.books.hit;
  return (
    <Card title={h.payouts}>
      <Table
        caption={h.payouts}
        rows={hit.payouts}
        rowKey={(payout) => String(payout.payout)}
        columns={[
          { head: "", name: true, cell: (payout) => t.kinds[payout.kind] ?? named(payout.kind) },
          { head: h.player, cell: (payout) => payout.player ?? t.seatNamed(payout.seat, false) },
          { head: t.amount, figure: true, cell: (payout) => amount(payout.amount, locale) },
          { head: h.charged, cell: (payout) => t.accounts[payout.charged_to] ?? payout.charged_to },
          { head: h.handed, cell: (payout) => h.handedOver[payout.handed_over] ?? payout.handed_over },
          {
            head: h.payment,
            cell: (payout) =>
              payout.payment?.paid ? (
                <>
                  <State of="paid" />{" "}
                  {[
                    payout.payment.document && h.document(payout.payment.document),
                    payout.payment.by && h.byName(payout.payment.by),
                  ]
                    .filter(Boolean)
                    .join(", ")}
                </>
              ) : (
                h.notPaid
              ),
          },
        ]}
      />
    </Card>
  );
}

function PayoffCard({ hit }: { hit: Hit }) {
  const { t, locale } = useOffice();
  const h = t.books.hit;
  const payoff = useLoad(hit.level ? hit.hit : null, () =>
    dataOf(api.GET("/v1/hits/{hit}/payoff", { params: { path: { hit: hit.hit } } })),
  );
  const money = (text: string) => exact(text, locale);
  if (!hit.level)
    return (
      <Card title={h.payoff}>
        <p class="secondary">{h.noPayoff}</p>
      </Card>
    );
  return (
    <Card title={h.payoff}>
      <Ready of={payoff}>
        {(found) => (
          <>
            <p class="secondary">{h.since(found.since_hit ?? when(found.since, locale))}</p>
            <div class="sum">
              <Facts
                rows={[
                  [h.opening, money(found.opening)],
                  ...found.contributions.map(
                    (row) => [h.contributionsOf(row.table, String(row.wagers)), money(row.amount)] as const,
                  ),
                  ...found.entries.map(
                    (row) =>
                      [`${h.kinds[row.kind] ?? row.kind} ${row.hit ?? row.position}`, money(row.amount)] as const,
                  ),
                  [h.before, money(found.before)],
                  [h.after, money(found.after)],
                  [h.difference, money(found.difference)],
                ]}
              />
            </div>
          </>
        )}
      </Ready>
    </Card>
  );
}

/** Names an entry. One of another hit, such as its rejection, settled this hit anew. */
function entryName(entry: NonNullable<Hit["entries"]>[number], hit: string, t: OfficeTexts): string {
  const { kind } = entry.event;
  const name = t.eventKinds[kind] ?? named(kind);
  const other = "hit" in entry.event && typeof entry.event.hit === "string" ? entry.event.hit : hit;
  return other === hit ? name : t.books.hit.ofOther(name, other);
}

function Journal({ hit }: { hit: Hit }) {
  const { t, locale } = useOffice();
  return (
    <Card title={t.books.hit.journal}>
      <p class="secondary">{t.books.hit.journalHint}</p>
      <Table
        caption={t.books.hit.journal}
        rows={hit.entries ?? []}
        rowKey={(entry) => entry.position}
        columns={[
          { head: t.reports.c.position, name: true, cell: (entry) => entry.position },
          { head: t.when, cell: (entry) => when(entry.at, locale) },
          { head: t.reports.c.kind, wide: true, cell: (entry) => entryName(entry, hit.hit, t) },
          { head: t.by, cell: (entry) => entry.by ?? entry.actor },
          {
            head: t.reports.c.account,
            wide: true,
            cell: (entry) =>
              entry.moves.map((move, index) => (
                <div key={index}>
                  {bookNamed(move.book, t)}: {t.accounts[move.from]} → {t.accounts[move.to]}{" "}
                  <span class="figure">{exact(move.amount, locale)}</span>
                </div>
              )),
          },
        ]}
      />
    </Card>
  );
}

function Found({ hit }: { hit: Hit }) {
  const { t, locale } = useOffice();
  const h = t.books.hit;
  return (
    <div class="columns decision">
      <div class="stack">
        <Evaluated hit={hit} />
        <Payouts hit={hit} />
        <Journal hit={hit} />
      </div>
      <div class="stack">
        <Card title={t.hands[hit.hand ?? ""] ?? t.kinds[hit.kind] ?? ""} side={<State of={hit.state} />}>
          <Facts
            rows={[
              [t.link, <a href={to("links", hit.link)}>{hit.link}</a>],
              [h.place, `${hit.table}, ${t.seatNamed(hit.seat ?? null, hit.dealer)}`],
              [h.round, hit.round],
              [t.level, hit.level ? `${t.levelNamed(hit.level)}${hit.percent ? `, ${hit.percent}%` : ""}` : t.none],
              [h.due, <span class="figure">{amount(hit.due, locale, "money")}</span>],
              [h.envy, <span class="figure">{amount(hit.envy_due, locale, "money")}</span>],
              [h.keyed, `${hit.keyed_by ?? ""} ${when(hit.keyed_at, locale)}`],
              [h.decided, hit.decided_at ? `${hit.decided_by ?? ""} ${when(hit.decided_at, locale)}` : t.none],
              ...(hit.note ? [[t.note, hit.note] as const] : []),
            ]}
          />
        </Card>
        <PayoffCard hit={hit} />
      </div>
    </div>
  );
}

export function HitView({ hit: name }: { hit: string }) {
  const { t, may } = useOffice();
  const h = t.books.hit;
  const hit = useLoad(name, () => dataOf(api.GET("/v1/hits/{hit}", { params: { path: { hit: name } } })));
  const found = hit.data;
  const correctable = found && ["validated", "validated_by_rule", "paid"].includes(found.state);
  return (
    <>
      <Head title={h.title(name)} above={<a href={to("evidence")}>{t.nav.evidence}</a>}>
        {found && <EvidenceButton hit={name} />}
        {correctable && may("adjust") && (
          <a class="button quiet small" href={`${to("proposals", found.link, "new")}?change=correct&hit=${name}`}>
            {h.correct}
          </a>
        )}
      </Head>
      <Ready of={hit} missing={h.none(name)}>
        {(data) => <Found hit={data} />}
      </Ready>
    </>
  );
}
