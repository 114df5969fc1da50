// The audit log: acts of people and programs, and requests that contradict an earlier one.

import { useEffect, useState } from "preact/hooks";
import { api, dataOf, type Schema } from "../../api/client.js";
import { aboutOf, decidedHit, decisionOf, detailsOf } from "../acts.js";
import { Filter, LinkFilter, PeriodFilters, asked } from "../filters.js";
import { named, when } from "../format.js";
import { usePages } from "../load.js";
import { useOffice } from "../office.js";
import { Card, Head, Segments } from "../parts.js";
import { query, setQuery, to } from "../router.js";
import { Empty, List } from "../table.js";

type Act = Schema<"RecordedAct">;
type Attempt = Schema<"Attempt">;
type Hit = Schema<"HitDetail">;

/** Hits that are read for their decisions, at most of one list and at once. */
const HITS_MOST = 200;
const HITS_AT_ONCE = 6;

/** Reads the hits that a list of acts decided about: an act has the request, the hit has the decision. */
function useDecided(acts: readonly Act[] | null): ReadonlyMap<string, Hit> {
  const { may } = useOffice();
  const [hits, setHits] = useState<ReadonlyMap<string, Hit>>(new Map());
  const names = may("read_floor") ? [...new Set((acts ?? []).flatMap((act) => decidedHit(act) ?? []))] : [];
  useEffect(() => {
    let gone = false;
    async function read(): Promise<void> {
      const wanted = names.filter((name) => !hits.has(name)).slice(0, HITS_MOST);
      for (let start = 0; start < wanted.length && !gone; start += HITS_AT_ONCE) {
        const some = wanted.slice(start, start + HITS_AT_ONCE);
        const read = some.map((hit) => dataOf(api.GET("/v1/hits/{hit}", { params: { path: { hit } } })));
        const found = (await Promise.allSettled(read)).flatMap((one) =>
          one.status === "fulfilled" ? [one.value] : [],
        );
        if (!gone) setHits((before) => new Map([...before, ...found.map((hit) => [hit.hit, hit] as const)]));
      }
    }
    void read();
    return () => {
      gone = true;
    };
  }, [names.join(" ")]);
  return hits;
}

/** What an act was about: a request in words, with the way to its hit. */
function Subject({ act }: { act: Act }) {
  const { t, may } = useOffice();
  const a = t.proof.audit;
  const about = act.act === "request" ? aboutOf(act.subject) : null;
  if (!about) return <>{act.subject ?? ""}</>;
  const text = a.requests[about.kind](about.name);
  const isHit = about.kind === "decision" || about.kind === "payment" || about.kind === "slip";
  return isHit && may("read_floor") ? (
    <a href={to("hits", about.name)} title={act.subject ?? ""}>
      {text}
    </a>
  ) : (
    <span title={act.subject ?? ""}>{text}</span>
  );
}

function Acts() {
  const { t, locale } = useOffice();
  const a = t.proof.audit;
  const filters = asked("act", "name", "from", "until");
  const acts = usePages<Act>(`acts ${JSON.stringify(filters)}`, async (after) => {
    const page = await dataOf(api.GET("/v1/acts", { params: { query: { ...filters, after } as never } }));
    return { rows: page.acts, more: page.more, next: page.next ?? null };
  });
  const decided = useDecided(acts.data);
  const outcome = (act: Act) => {
    const decision = decisionOf(act, decided.get(decidedHit(act) ?? ""));
    return decision === null ? detailsOf(act, a) : a.decisions[decision];
  };
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
            { head: a.subject, wide: true, cell: (act) => <Subject act={act} /> },
            { head: a.outcome, wide: true, cell: outcome },
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
      <Head title={a.title} under={part === "attempts" ? a.underAttempts : a.under}>
        {parts.length > 1 && (
          <Segments label={a.kinds} options={parts} value={part ?? ""} choose={(name) => setQuery({ part: name })} />
        )}
      </Head>
      {part === "acts" && <Acts />}
      {part === "attempts" && <Attempts />}
    </>
  );
}
