// What to know before a proposal is decided: what it changes and why.

import { api, dataOf } from "../../api/client.js";
import { PlayingCard } from "../../staff/controls.js";
import { amount, named } from "../format.js";
import { useLoad } from "../load.js";
import { useOffice } from "../office.js";
import { Card, State } from "../parts.js";
import { to } from "../router.js";
import { Ready } from "../table.js";
import type { Proposal } from "./proposal-parts.js";

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

/** The table that a link is to adopt, and how it would pay. */
function ToAdopt({ proposal }: { proposal: Extract<Proposal, { change: "adopt_table" }> }) {
  const a = useOffice().t.proposals.adoption;
  const { table, reading, letter, returns } = proposal;
  return (
    <>
      <p class="statement">{table}</p>
      <p class="secondary">{reading ? a.byReading(reading) : a.byPrint}</p>
      {letter && <p class="secondary">{a.byLetter(letter)}</p>}
      {returns && <p class="secondary">{a.wagerReturns(returns)}</p>}
    </>
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
  if (proposal.change === "adopt_table") return <ToAdopt proposal={proposal} />;
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

/** What a change of the link's state is about: the fault that it clears, the returns that it acknowledges. */
export function Occasion({ proposal }: { proposal: Proposal }) {
  const { t } = useOffice();
  const ofState = proposal.change === "clear_fault" || proposal.change === "acknowledge_returns";
  const link = useLoad(ofState ? proposal.link : null, () =>
    dataOf(api.GET("/v1/links/{link}", { params: { path: { link: proposal.link } } })),
  );
  if (proposal.change === "clear_fault" && link.data?.reason)
    return (
      <Card title={t.proposals.fault}>
        <p class="statement">{link.data.reason}</p>
      </Card>
    );
  if (proposal.change === "acknowledge_returns" && link.data?.returns)
    return (
      <Card>
        <p class="statement">{t.proposals.returns(link.data.returns.total.percent)}</p>
      </Card>
    );
  return null;
}
