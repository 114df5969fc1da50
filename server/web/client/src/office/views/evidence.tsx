// Evidence: the hits of the house, each of which has a file that proves itself.

import { api, dataOf, type Schema } from "../../api/client.js";
import { Filter, LinkFilter, PeriodFilters, asked } from "../filters.js";
import { amount, when } from "../format.js";
import { Form, Input, useForm } from "../form.js";
import { usePages } from "../load.js";
import { useOffice } from "../office.js";
import { Card, Head, State } from "../parts.js";
import { go, query, to } from "../router.js";
import { Empty, List } from "../table.js";

type Hit = Schema<"HitDetail">;

const STATES = ["pending", "validated_by_rule", "validated", "paid", "cancelled", "rejected", "void", "withdrawn"];

function Find() {
  const { t } = useOffice();
  const e = t.proof.evidence;
  const form = useForm({ hit: "" }, async ({ hit }) => go(to("hits", hit.trim())));
  return (
    <Card title={e.find}>
      <Form form={form} action={e.findAction} kind="plain">
        <Input form={form} name="hit" label={t.hit} hint={e.findHint} required />
      </Form>
    </Card>
  );
}

/** Loads the hits of one link, the newest first, or those of all links in the order of entry. */
function useHits() {
  const filters = asked("link", "state", "from", "until");
  const { link, state, ...period } = filters;
  return usePages<Hit>(`hits ${JSON.stringify(filters)}`, async (after) => {
    const given = { ...period, ...(after ? { after } : {}) };
    // The list of a link has the newest first, and no filter of states.
    const page =
      link && !state
        ? await dataOf(api.GET("/v1/links/{link}/hits", { params: { path: { link }, query: given } }))
        : await dataOf(api.GET("/v1/hits", { params: { query: { ...filters, ...given } as never } }));
    return { rows: page.hits, more: page.more, next: page.next ?? null };
  });
}

export function Evidence() {
  const { t, locale } = useOffice();
  const e = t.proof.evidence;
  const hits = useHits();
  return (
    <>
      <Head title={e.title} under={e.under} />
      <div class="filters">
        <LinkFilter />
        <Filter
          label={e.state}
          name="state"
          options={[["", t.all], ...STATES.map((state) => [state, t.states[state] ?? state] as const)]}
        />
        <PeriodFilters />
      </div>
      <div class="columns decision">
        <Card>
          <p class="secondary">{query("link") !== "" && query("state") === "" ? e.newestFirst : e.oldestFirst}</p>
          <List<Hit>
            of={hits}
            caption={e.title}
            rowKey={(hit) => hit.hit}
            href={(hit) => to("hits", hit.hit)}
            empty={<Empty title={e.none}>{e.noneHint}</Empty>}
            columns={[
              { head: t.hit, name: true, cell: (hit) => hit.hit },
              { head: t.when, cell: (hit) => when(hit.keyed_at, locale) },
              { head: t.hand, cell: (hit) => t.hands[hit.hand ?? ""] ?? t.kinds[hit.kind] ?? "" },
              { head: t.level, cell: (hit) => (hit.level ? t.levelNamed(hit.level) : "") },
              { head: t.amount, figure: true, cell: (hit) => amount(hit.due, locale) },
              { head: t.state, cell: (hit) => <State of={hit.state} /> },
            ]}
          />
        </Card>
        <Find />
      </div>
    </>
  );
}
