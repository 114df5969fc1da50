// The reconciliation of a link: the books of each level in a period, and what else proves them.

import { api, dataOf, type Schema } from "../../api/client.js";
import { Status } from "../../staff/controls.js";
import { PeriodFilters } from "../filters.js";
import { bookNamed, count, exact, fromLocal, localDate, startOfDay, when } from "../format.js";
import { Linked } from "../linked.js";
import { useLoad } from "../load.js";
import { useOffice } from "../office.js";
import { Card, Head, Hero, type Link, LinkChoice, Segments } from "../parts.js";
import { Files } from "../printed-files.js";
import { go, query, setQuery, to } from "../router.js";
import { Ready, Table } from "../table.js";

type Books = Schema<"Reconciliation">;
type Line = Books["levels"][number];

const SHIFT_MS = 8 * 3_600_000;

/** Returns the period of a segment, as the API takes it; empty ends are open. */
export function periodOf(name: string, now: Date, from: string, until: string): { from: string; to: string } {
  if (name === "shift") return { from: new Date(now.getTime() - SHIFT_MS).toISOString(), to: "" };
  if (name === "month") return { from: startOfDay(`${localDate(now).slice(0, 8)}01`), to: "" };
  if (name === "all") return { from: "", to: "" };
  if (name === "between") return { from: fromLocal(from), to: fromLocal(until) };
  return { from: startOfDay(localDate(now)), to: "" };
}

const zero = (text: string) => /^-?0(\.0+)?$/.test(text);

function Difference({ text }: { text: string }) {
  const { locale } = useOffice();
  return (
    <Status icon={zero(text) ? "done" : "error"} tone={zero(text) ? "teal" : "vermilion"}>
      {exact(text, locale)}
    </Status>
  );
}

function Verdict({ books }: { books: Books }) {
  const { t } = useOffice();
  const r = t.books.reconciliation;
  return (
    <Hero
      icon={books.balanced ? "done" : "error"}
      tone={books.balanced ? "teal" : "vermilion"}
      title={books.balanced ? r.balanced : r.unbalanced}
    >
      {books.balanced ? r.formula : r.callVerify}
    </Hero>
  );
}

function Lines({ books }: { books: Books }) {
  const { t, locale } = useOffice();
  const r = t.books.reconciliation;
  const figure = (name: "opening" | "contributions" | "house" | "paid" | "adjustments" | "closing" | "pending") => ({
    head: r.columns[name],
    figure: true,
    cell: (line: Line) => exact(line[name], locale),
  });
  return (
    <Card>
      <Table<Line>
        caption={r.formula}
        rows={books.levels}
        rowKey={(line) => line.level}
        columns={[
          { head: r.level, name: true, cell: (line) => bookNamed(line.level, t) },
          figure("opening"),
          figure("contributions"),
          figure("house"),
          figure("paid"),
          figure("adjustments"),
          figure("closing"),
          { head: r.columns.difference, figure: true, cell: (line) => <Difference text={line.difference} /> },
          figure("pending"),
        ]}
      />
    </Card>
  );
}

/** Three further proofs: the newest signed head, the coin-in test, and the displayed amounts of today. */
function Proofs({ link }: { link: string }) {
  const { t, locale } = useOffice();
  const r = t.books.reconciliation;
  const params = { path: { link } };
  const proof = useLoad(`proof ${link}`, () => dataOf(api.GET("/v1/links/{link}/proof", { params })));
  const variance = useLoad(`variance ${link}`, () => dataOf(api.GET("/v1/links/{link}/variance", { params })));
  const displayed = useLoad(`displayed ${link}`, () => dataOf(api.GET("/v1/links/{link}/displayed", { params })));
  return (
    <div class="columns thirds">
      <Card>
        <h2 class="label">{r.head}</h2>
        <Ready of={proof}>
          {({ head }) => (
            <>
              <p class="statement">
                <a href={to("verification")}>
                  {head ? r.headOf(count(head.number, locale), count(head.batch, locale)) : r.noHead}
                </a>
              </p>
              <Status icon={head ? "done" : "pending"} tone={head ? "teal" : "amber"}>
                {head ? r.signed(when(head.signed_at, locale)) : r.unsigned}
              </Status>
            </>
          )}
        </Ready>
      </Card>
      <Card>
        <h2 class="label">{r.coinIn}</h2>
        <Ready of={variance}>
          {(found) => {
            const flagged = found.pools.filter((pool) => pool.flagged).length;
            return (
              <>
                <p class="statement">
                  <a href={`${to("reports", "variance")}?link=${link}`}>
                    {r.coinInWagers(count(found.wagers, locale))}
                  </a>
                </p>
                <Status icon={flagged === 0 ? "done" : "error"} tone={flagged === 0 ? "teal" : "vermilion"}>
                  {flagged === 0 ? r.coinInOk : r.coinInFlagged(flagged)}
                </Status>
              </>
            );
          }}
        </Ready>
      </Card>
      <Card>
        <h2 class="label">{r.displayed}</h2>
        <Ready of={displayed}>
          {(found) => (
            <>
              <p class="statement">
                <a href={`${to("reports", "displayed")}?link=${link}`}>{r.decreases(found.decreases.length)}</a>
              </p>
              <Status icon={found.flagged === 0 ? "done" : "error"} tone={found.flagged === 0 ? "teal" : "vermilion"}>
                {found.flagged === 0 ? r.displayedOk : r.displayedFlagged(found.flagged)}
              </Status>
            </>
          )}
        </Ready>
      </Card>
    </div>
  );
}

function Reconciled({ link, links }: { link: Link; links: Link[] }) {
  const { t, locale } = useOffice();
  const r = t.books.reconciliation;
  const segment = query("period") || "day";
  const period = periodOf(segment, new Date(), query("from"), query("until"));
  // A period that ends now keeps its key, so that drawing again does not load again.
  const key = `${link.link} ${segment} ${query("from")} ${query("until")}`;
  const given = {
    ...(period.from ? { from: period.from } : {}),
    ...(period.to ? { to: period.to } : {}),
  };
  const books = useLoad(key, () =>
    dataOf(api.GET("/v1/links/{link}/reconciliation", { params: { path: { link: link.link }, query: given } })),
  );
  const search = new URLSearchParams(given).toString();
  const found = books.data;
  return (
    <>
      <Head
        title={r.title(link.link)}
        under={
          found &&
          `${r.between(found.from ? when(found.from, locale) : r.opening, found.to ? when(found.to, locale) : r.now)}. ${r.batches(count(found.from_batch, locale), count(found.to_batch, locale))}`
        }
      >
        <LinkChoice
          links={links}
          value={link.link}
          choose={(other) => go(to("reconciliation", other) + location.search)}
        />
        <Segments
          label={r.period}
          options={Object.entries(r.periods)}
          value={segment}
          choose={(name) => setQuery({ period: name })}
        />
        <Files path={`/v1/links/${link.link}/reconciliation?${search}`} name={`${link.link}-reconciliation`} />
      </Head>
      {segment === "between" && (
        <div class="filters">
          <PeriodFilters />
        </div>
      )}
      <Ready of={books}>
        {(data) => (
          <>
            <Verdict books={data} />
            <Lines books={data} />
            <Proofs link={link.link} />
            <p class="secondary">{r.foot}</p>
          </>
        )}
      </Ready>
    </>
  );
}

export function ReconciliationView({ link }: { link?: string }) {
  const { t } = useOffice();
  return (
    <Linked title={t.nav.reconciliation} name={link}>
      {(found, links) => <Reconciled link={found} links={links} />}
    </Linked>
  );
}
