// The audit log: acts of people and programs, and attempts that were refused before the rules saw them.

import { api, dataOf, type Schema } from "../../api/client.js";
import { Filter, LinkFilter, PeriodFilters, asked } from "../filters.js";
import { named, when } from "../format.js";
import { usePages } from "../load.js";
import { useOffice } from "../office.js";
import { Card, Head, OnlyFor, Segments } from "../parts.js";
import { query, setQuery, to } from "../router.js";
import { Empty, List } from "../table.js";

type Act = Schema<"RecordedAct">;
type Attempt = Schema<"Attempt">;

function Acts() {
  const { t, locale } = useOffice();
  const a = t.proof.audit;
  const filters = asked("act", "name", "from", "until");
  const acts = usePages<Act>(`acts ${JSON.stringify(filters)}`, async (after) => {
    const page = await dataOf(api.GET("/v1/acts", { params: { query: { ...filters, after } as never } }));
    return { rows: page.acts, more: page.more, next: page.next ?? null };
  });
  return (
    <>
      <div class="filters">
        <Filter label={a.act} name="act" options={[["", t.all], ...Object.entries(a.actKinds)]} />
        <Filter label={a.name} name="name" />
        <PeriodFilters />
      </div>
      <Card>
        <List<Act>
          of={acts}
          caption={a.acts}
          rowKey={(act) => String(act.number)}
          empty={<Empty title={a.noActs}>{a.noActsHint}</Empty>}
          columns={[
            { head: a.number, figure: true, cell: (act) => act.number },
            { head: t.when, cell: (act) => when(act.at, locale) },
            { head: a.act, name: true, cell: (act) => a.actKinds[act.act] ?? named(act.act) },
            {
              head: a.name,
              cell: (act) => (act.name ? (act.known ? act.name : `${act.name} (${a.unknownName})`) : ""),
            },
            { head: a.proof, cell: (act) => a.proofs[act.proof] ?? named(act.proof) },
            { head: a.address, cell: (act) => act.address ?? "" },
            { head: a.subject, wide: true, cell: (act) => act.subject ?? "" },
            {
              head: a.outcome,
              wide: true,
              cell: (act) => act.details.map(({ name, value }) => `${name} ${value}`).join(", "),
            },
          ]}
        />
      </Card>
    </>
  );
}

function Attempts() {
  const { t, locale } = useOffice();
  const a = t.proof.audit;
  const filters = asked("link", "from", "until");
  const attempts = usePages<Attempt>(`attempts ${JSON.stringify(filters)}`, async (after) => {
    const page = await dataOf(api.GET("/v1/attempts", { params: { query: { ...filters, after } as never } }));
    return { rows: page.attempts, more: page.more, next: page.next ?? null };
  });
  return (
    <>
      <div class="filters">
        <LinkFilter />
        <PeriodFilters />
      </div>
      <Card>
        <List<Attempt>
          of={attempts}
          caption={a.attempts}
          rowKey={(attempt) => String(attempt.attempt)}
          empty={<Empty title={a.noAttempts}>{a.noAttemptsHint}</Empty>}
          columns={[
            { head: t.when, cell: (attempt) => when(attempt.at, locale) },
            { head: a.act, name: true, cell: (attempt) => a.attemptKinds[attempt.kind] ?? named(attempt.kind) },
            { head: a.actor, cell: (attempt) => attempt.actor ?? "" },
            { head: t.link, cell: (attempt) => <a href={to("links", attempt.link)}>{attempt.link}</a> },
            {
              head: t.table,
              cell: (attempt) => [attempt.table, attempt.sequence].filter((part) => part !== null).join("."),
            },
            { head: a.node, cell: (attempt) => attempt.node },
            {
              head: a.outcome,
              wide: true,
              cell: (attempt) => `${attempt.detail} ${attempt.suppressed > 0 ? a.suppressed(attempt.suppressed) : ""}`,
            },
          ]}
        />
      </Card>
    </>
  );
}

export function Audit() {
  const { t, may } = useOffice();
  const a = t.proof.audit;
  const parts = [
    ...(may("read_acts") ? [["acts", a.acts] as const] : []),
    ...(may("read_floor") ? [["attempts", a.attempts] as const] : []),
  ];
  const part = parts.find(([name]) => name === query("part"))?.[0] ?? parts[0]?.[0];
  return (
    <>
      <Head title={a.title} under={a.under}>
        {parts.length > 1 && (
          <Segments label={a.kinds} options={parts} value={part ?? ""} choose={(name) => setQuery({ part: name })} />
        )}
      </Head>
      {!may("read_acts") && (
        <p class="secondary">
          {a.acts}: <OnlyFor right="read_acts" />
        </p>
      )}
      {part === "acts" && <Acts />}
      {part === "attempts" && <Attempts />}
    </>
  );
}
