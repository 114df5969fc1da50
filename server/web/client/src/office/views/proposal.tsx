// One proposal: what changes and why, its dry run, and the second person's decision.

import { api, dataOf } from "../../api/client.js";
import { useState } from "preact/hooks";
import { Icon } from "../../staff/icons.js";
import { rightOf } from "../../staff/changes.js";
import { Button, ErrorNotice } from "../../staff/controls.js";
import { spanOf, when } from "../format.js";
import { Ask, Input, useForm } from "../form.js";
import { type Loaded, useLoad } from "../load.js";
import { useOffice } from "../office.js";
import { Card, Head, OnlyFor, State } from "../parts.js";
import { to } from "../router.js";
import { Ready } from "../table.js";
import { doesTheSame } from "./dry-run-changes.js";
import { Occasion, WhatChanges } from "./proposal-before.js";
import { type DryRun, DryRunCard, isRefused, readDryRun, useDryRun } from "./proposal-dry-run.js";
import { Effect } from "./proposal-effect.js";
import { type Proposal, standing, titleOf } from "./proposal-parts.js";

const EVERY_MS = 5_000;

/** One of the two people: the icon, the name, and what the person did or may do. */
function Party(props: { icon: "done" | "people" | "rejected"; tone: string; name: string; text: string }) {
  return (
    <li class="party">
      <span style={{ color: `var(--${props.tone})` }}>
        <Icon name={props.icon} />
      </span>
      <div>
        <b>{props.name}</b>
        <p class="secondary">{props.text}</p>
      </div>
    </li>
  );
}

function Second({ proposal }: { proposal: Proposal }) {
  const { t, locale, holder, may } = useOffice();
  const p = t.proposals.people;
  if (proposal.state !== "open") {
    const at = when(proposal.decided_at ?? proposal.expires_at, locale);
    const name = proposal.decided_by
      ? t.accountDepartment(proposal.decided_by, proposal.decided_department ?? null)
      : p.nobody;
    if (proposal.state === "approved") return <Party icon="done" tone="teal" name={name} text={p.approved(at)} />;
    const text = proposal.state === "declined" ? p.declined(at) : p.expired(at);
    return <Party icon="rejected" tone="vermilion" name={name} text={`${text} ${proposal.note ?? ""}`} />;
  }
  if (!may(rightOf(proposal.change)) || standing(proposal, holder) !== "mayDecide")
    return <Party icon="people" tone="blue" name={p.nobody} text={p.nobodyHint} />;
  const you = p.you(t.accountDepartment(holder.name, holder.department ?? null));
  return <Party icon="people" tone="blue" name={you} text={p.mayDecide} />;
}

interface DecisionProps {
  proposal: Proposal;
  run: Loaded<DryRun>;
  done(): void;
}

function Decision({ proposal, run, done }: DecisionProps) {
  const { t, holder, may } = useOffice();
  const p = t.proposals;
  const [moved, setMoved] = useState(false);
  const params = { path: { link: proposal.link, proposal: proposal.proposal } };
  const approval = useForm({}, async () => {
    // The person approves what is on the page: its dry run is compared with that of now.
    const now = await readDryRun(proposal);
    const differs = !run.data || !doesTheSame(run.data, now);
    setMoved(differs);
    if (differs) return run.reload();
    await api.PUT("/v1/links/{link}/proposals/{proposal}/approval", { params, body: { decision: "approve" } });
    done();
  });
  if (!may(rightOf(proposal.change))) return <OnlyFor right={rightOf(proposal.change)} />;
  const place = standing(proposal, holder);
  return (
    <div class="decide">
      {place !== "mayDecide" && <p class="secondary">{p.people[place]}</p>}
      {place === "mayDecide" && (
        <p class={moved ? "statement" : "secondary"} role={moved ? "alert" : undefined}>
          {moved ? p.moved : p.again}
        </p>
      )}
      <ErrorNotice error={approval.error} />
      {place === "mayDecide" && (
        <Button
          kind="go"
          class="tall"
          busy={approval.busy}
          disabled={run.data === null || isRefused(run)}
          onClick={() => void approval.submit()}
        >
          {p.approve[proposal.change]}
        </Button>
      )}
      <Ask
        label={p.decline}
        title={p.declineTitle}
        text={p.declineText}
        action={p.declineAction}
        kind="stop"
        buttonKind="stop"
        initial={{ note: "" }}
        send={({ note }) =>
          api.PUT("/v1/links/{link}/proposals/{proposal}/approval", { params, body: { decision: "decline", note } })
        }
        done={done}
      >
        {(form) => <Input form={form} name="note" label={t.note} long required />}
      </Ask>
    </div>
  );
}

function Found({ proposal, done }: { proposal: Proposal; done(): void }) {
  const { t, locale } = useOffice();
  const p = t.proposals;
  const run = useDryRun(proposal);
  const proposed = t.accountDepartment(proposal.proposed_by, proposal.proposed_department);
  return (
    <div class="columns decision">
      <div class="stack">
        <WhatChanges proposal={proposal} />
        {proposal.state === "open" && <Occasion proposal={proposal} />}
        {proposal.state === "open" && <DryRunCard run={run} />}
        {proposal.effect && <Effect effect={proposal.effect} />}
      </div>
      <Card title={p.people.title} class="decision-card">
        <ol class="parties">
          <Party icon="done" tone="teal" name={proposed} text={p.people.proposed(when(proposal.proposed_at, locale))} />
          <Second proposal={proposal} />
        </ol>
        {proposal.state === "open" && <Decision proposal={proposal} run={run} done={done} />}
      </Card>
    </div>
  );
}

export function ProposalView({ link, proposal: id }: { link: string; proposal: string }) {
  const { t, locale } = useOffice();
  const p = t.proposals;
  const proposal = useLoad(
    `${link} ${id}`,
    () => dataOf(api.GET("/v1/links/{link}/proposals/{proposal}", { params: { path: { link, proposal: id } } })),
    EVERY_MS,
  );
  const found = proposal.data;
  const left = found ? spanOf(Date.parse(found.expires_at) - Date.now()) : null;
  return (
    <>
      <Head
        title={found ? titleOf(found, t, locale) : p.title}
        above={
          <>
            <a href={to("proposals")}>{p.title}</a> · {t.linkNamed(link)}
          </>
        }
      >
        {found && <State of={found.state === "open" ? "proposed" : found.state} />}
        {found?.state === "open" && left && (
          <span class="secondary">{p.expiresIn(left.days, left.hours, left.minutes)}</span>
        )}
      </Head>
      <Ready of={proposal} missing={p.unknown}>
        {(data) => <Found proposal={data} done={proposal.reload} />}
      </Ready>
    </>
  );
}
