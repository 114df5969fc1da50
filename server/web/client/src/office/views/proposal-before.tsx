// What to know before a proposal is decided: what it changes, the balances of now, and the hits that depend on it.

import { api, dataOf, type Schema } from "../../api/client.js";
import { PlayingCard, Status } from "../../staff/controls.js";
import { sum } from "../exact.js";
import { amount, count, exact, named, when } from "../format.js";
import { useLoad } from "../load.js";
import { useOffice } from "../office.js";
import { Card, Facts, State } from "../parts.js";
import { to } from "../router.js";
import { Empty, Ready, Table } from "../table.js";
import type { Proposal } from "./proposal-parts.js";

type Hit = Schema<"HitDetail">;

const BOOKS_EVERY_MS = 5_000;
/** Later hits that are shown. */
const LATER_MOST = 25;

export function Cards({ cards, width = 43 }: { cards: readonly string[]; width?: number }) {
  return (
    <div class="hand-of-cards">
      {cards.map((card) => (
        <PlayingCard key={card} card={card} width={width} />
      ))}
    </div>
  );
}

function useHit(name: string | null) {
  return useLoad(name, () => dataOf(api.GET("/v1/hits/{hit}", { params: { path: { hit: name ?? "" } } })));
}

/** The hit that a correction withdraws. */
function WithdrawnHit({ name }: { name: string }) {
  const { t, locale } = useOffice();
  const p = t.proposals;
  return (
    <Ready of={useHit(name)}>
      {(hit) => {
        const place = `${hit.table}, ${t.seatNamed(hit.seat ?? null, hit.dealer)}`;
        const cards = hit.validated_cards ?? hit.cards ?? [];
        const paid = hit.payouts.some((payout) => payout.payment?.paid);
        const due = amount(hit.due, locale, "money");
        return (
          <>
            <p class="statement">{p.withdrawn(t.hands[hit.hand ?? ""] ?? t.kinds[hit.kind] ?? "", place)}</p>
            <p class="secondary">{paid ? p.paidStays(due) : p.nothingPaid(due)}</p>
            {cards.length > 0 ? (
              <div class="with-cards">
                <Cards cards={cards} />
                {hit.evaluation && (
                  <p class="secondary">{p.cardsRead(t.hands[hit.evaluation.hand] ?? named(hit.evaluation.hand))}</p>
                )}
              </div>
            ) : (
              <p class="secondary">{p.noCards}</p>
            )}
            <p class="card-foot with-state">
              <State of={hit.state} />
              <a href={to("hits", hit.hit)}>{t.links.history.open}</a>
            </p>
          </>
        );
      }}
    </Ready>
  );
}

function Subject({ proposal }: { proposal: Proposal }) {
  const { t, locale } = useOffice();
  const p = t.proposals;
  if (proposal.change === "correct") return <WithdrawnHit name={proposal.hit} />;
  if (proposal.change === "adjust") {
    const account = t.accounts[proposal.account] ?? proposal.account;
    return (
      <>
        <p class="statement">{p.adjusts(t.levelNamed(proposal.level), account)}</p>
        <p class="figure statement-amount">{amount(proposal.amount, locale, "signed")}</p>
      </>
    );
  }
  if (proposal.change === "late_hit") {
    const place = `${proposal.table}, ${t.seatNamed(proposal.seat ?? null, proposal.dealer ?? false)}`;
    return (
      <>
        <p class="statement">{p.late(t.hands[proposal.hand] ?? named(proposal.hand), place)}</p>
        <p class="secondary">{p.lateRound(`${proposal.table}.${proposal.round}`)}</p>
        {proposal.cards && <Cards cards={proposal.cards} />}
      </>
    );
  }
  return <p class="statement">{t.linkNamed(proposal.link)}</p>;
}

export function WhatChanges({ proposal }: { proposal: Proposal }) {
  const { t } = useOffice();
  const p = t.proposals;
  return (
    <Card>
      <div class="columns halves">
        <div>
          <h2 class="label">{p.whatChanges}</h2>
          <Subject proposal={proposal} />
        </div>
        <div>
          <h2 class="label">{p.reasonGiven}</h2>
          <p class="statement">{proposal.reason}</p>
          <p class="secondary">{p.hints[proposal.change]}</p>
        </div>
      </div>
    </Card>
  );
}

/** The account of an adjustment: now, the change, and after it. */
function Adjustment({ proposal }: { proposal: Extract<Proposal, { change: "adjust" }> }) {
  const { t, locale } = useOffice();
  const b = t.proposals.before;
  const { link, level, account } = proposal;
  const books = useLoad(
    `liability ${link}`,
    () => dataOf(api.GET("/v1/links/{link}/liability", { params: { path: { link } } })),
    BOOKS_EVERY_MS,
  );
  return (
    <Ready of={books}>
      {(now) => {
        const balances = now.levels.find((one) => one.level === level);
        const before = balances?.[account] ?? "0.00";
        const after = sum(before, proposal.amount);
        return (
          <Card title={b.title} side={b.computed(count(now.batch, locale), when(now.at, locale, "time"))}>
            <Table
              caption={b.title}
              rows={[{ account, before, change: proposal.amount, after }]}
              rowKey={(row) => row.account}
              columns={[
                {
                  head: b.account,
                  name: true,
                  cell: () => `${t.levelNamed(level)}, ${t.accounts[account] ?? account}`,
                },
                { head: b.now, figure: true, cell: (row) => exact(row.before, locale) },
                { head: b.change, figure: true, cell: (row) => amount(row.change, locale, "signed") },
                { head: b.after, figure: true, cell: (row) => (row.after ? exact(row.after, locale) : "") },
              ]}
            />
            <div class="outcome">
              <Facts
                large
                rows={[
                  [b.nowOf(`${t.levelNamed(level)} ${t.accounts[account] ?? ""}`), amount(before, locale, "money")],
                  [b.after, after ? amount(after, locale, "money") : ""],
                ]}
              />
              <Status icon={account === "meter" ? "pending" : "done"} tone={account === "meter" ? "amber" : "teal"}>
                {account === "meter" ? b.signs : b.signsStay}
              </Status>
            </div>
          </Card>
        );
      }}
    </Ready>
  );
}

/** Hits of a level that were entered after another one and did not come undone, oldest first. */
async function laterHits(link: string, hit: Hit): Promise<Hit[]> {
  if (!hit.level) return [];
  const query = { level: hit.level, from: hit.keyed_at, limit: 200 };
  const page = await dataOf(api.GET("/v1/links/{link}/hits", { params: { path: { link }, query } }));
  const stays = ["pending", "validated", "validated_by_rule", "paid"];
  return page.hits.filter((other) => other.order > hit.order && stays.includes(other.state)).reverse();
}

function LaterHits({ link, hit }: { link: string; hit: Hit }) {
  const { t, locale } = useOffice();
  const b = t.proposals.before;
  const later = useLoad(`later ${hit.hit}`, () => laterHits(link, hit), BOOKS_EVERY_MS);
  return (
    <Card title={b.laterTitle(t.levelNamed(hit.level ?? ""))}>
      <Ready of={later}>
        {(hits) =>
          hits.length === 0 ? (
            <Empty title={b.noLater}>{b.noLaterHint}</Empty>
          ) : (
            <>
              <Table<Hit>
                caption={b.laterTitle(hit.level ?? "")}
                rows={hits.slice(0, LATER_MOST)}
                rowKey={(row) => row.hit}
                href={(row) => to("hits", row.hit)}
                columns={[
                  { head: t.hit, name: true, cell: (row) => row.hit },
                  { head: t.hand, cell: (row) => t.hands[row.hand ?? ""] ?? "" },
                  { head: t.when, cell: (row) => when(row.keyed_at, locale) },
                  { head: b.paid, figure: true, cell: (row) => amount(row.due, locale) },
                  { head: t.state, cell: (row) => <State of={row.state} /> },
                ]}
              />
              <p class="hint">{b.laterHint}</p>
            </>
          )
        }
      </Ready>
    </Card>
  );
}

function Correction({ link, name }: { link: string; name: string }) {
  const hit = useHit(name);
  return <Ready of={hit}>{(found) => <LaterHits link={link} hit={found} />}</Ready>;
}

export function BeforeDecision({ proposal }: { proposal: Proposal }) {
  const { t } = useOffice();
  const link = useLoad(proposal.link, () =>
    dataOf(api.GET("/v1/links/{link}", { params: { path: { link: proposal.link } } })),
  );
  if (proposal.change === "adjust") return <Adjustment proposal={proposal} />;
  const b = t.proposals.before;
  if (proposal.change === "correct")
    return (
      <>
        <Correction link={proposal.link} name={proposal.hit} />
        <p class="secondary">{b.noDryRun}</p>
      </>
    );
  return (
    <Card title={b.title}>
      {proposal.change === "clear_fault" && link.data?.reason && (
        <>
          <h3 class="label">{t.proposals.fault}</h3>
          <p class="statement">{link.data.reason}</p>
        </>
      )}
      {proposal.change === "acknowledge_returns" && link.data?.returns && (
        <p class="statement">{t.proposals.returns(link.data.returns.total.percent)}</p>
      )}
      <p class="secondary">{b.noDryRun}</p>
    </Card>
  );
}
