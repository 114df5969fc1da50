// The exceptions of a link: what someone has to look at, and the clearance of each.

import { api, dataOf, type Schema } from "../../api/client.js";
import { amount, named, when } from "../format.js";
import { AskReason } from "../form.js";
import { Linked } from "../linked.js";
import { type Pages, usePages } from "../load.js";
import { useOffice } from "../office.js";
import { Card, Head, type Link, LinkChoice, Segments } from "../parts.js";
import { query, setQuery } from "../router.js";
import { Empty, List } from "../table.js";

type Exception = Schema<"LinkException">;

function Details({ of }: { of: Exception }) {
  const { t, locale } = useOffice();
  const e = t.books.exceptions;
  if (of.kind === "count_differs") return <>{e.counted(of.counted ?? 0, of.accepted ?? 0)}</>;
  if (of.kind === "table_lost") return <>{of.heard_at && e.heard(when(of.heard_at, locale))}</>;
  if (of.kind === "meter_short") return <>{of.short && e.short(amount(of.short, locale, "money"))}</>;
  return <>{of.reason}</>;
}

function Clear({ link, of, done }: { link: string; of: Exception; done(): void }) {
  const { t, locale, may } = useOffice();
  const e = t.books.exceptions;
  if (of.clearance)
    return (
      <>
        {e.clearedBy(of.clearance.by, when(of.clearance.at, locale))}: {of.clearance.reason}
      </>
    );
  if (!may("close")) return null;
  const [batch = "", position = ""] = of.position.split(".");
  const params = { path: { link, batch: Number(batch), position: Number(position) } };
  return (
    <div class="row-actions">
      <AskReason
        label={e.clear}
        title={e.clearTitle(e.kinds[of.kind] ?? of.kind)}
        text={e.clearText}
        action={e.clearAction}
        send={(body) =>
          api.POST("/v1/links/{link}/exceptions/{batch}/{position}/clearance", { params: params as never, body })
        }
        done={done}
      />
    </div>
  );
}

function Rows({ link, of, cleared }: { link: string; of: Pages<Exception>; cleared: boolean }) {
  const { t, locale } = useOffice();
  const e = t.books.exceptions;
  return (
    <List<Exception>
      of={of}
      caption={e.title}
      rowKey={(row) => row.position}
      empty={<Empty title={cleared ? e.noneCleared : e.none}>{e.noneHint}</Empty>}
      columns={[
        { head: t.when, cell: (row) => when(row.at, locale) },
        { head: e.kind, name: true, cell: (row) => e.kinds[row.kind] ?? named(row.kind) },
        { head: e.place, cell: (row) => row.table ?? (row.level ? t.levelNamed(row.level) : "") },
        { head: t.details, wide: true, cell: (row) => <Details of={row} /> },
        { head: t.by, cell: (row) => row.by ?? "" },
        { head: "", wide: cleared, cell: (row) => <Clear link={link} of={row} done={of.reload} /> },
      ]}
    />
  );
}

function OfLink({ link, links }: { link: Link; links: Link[] }) {
  const { t } = useOffice();
  const e = t.books.exceptions;
  const cleared = query("show") === "cleared";
  const exceptions = usePages(`${link.link} ${cleared}`, async (after) => {
    const page = await dataOf(
      api.GET("/v1/links/{link}/exceptions", {
        params: { path: { link: link.link }, query: { cleared, ...(after ? { after } : {}) } },
      }),
    );
    return { rows: page.exceptions, more: page.more, next: page.next ?? null };
  });
  return (
    <>
      <Head title={`${e.title}, ${t.linkNamed(link.link).toLowerCase()}`} under={e.under}>
        <LinkChoice links={links} value={link.link} choose={(other) => setQuery({ link: other })} />
        <Segments
          label={e.show}
          options={[
            ["", e.open],
            ["cleared", e.cleared],
          ]}
          value={cleared ? "cleared" : ""}
          choose={(show) => setQuery({ show })}
        />
      </Head>
      <Card>
        <Rows link={link.link} of={exceptions} cleared={cleared} />
      </Card>
    </>
  );
}

export function Exceptions() {
  const { t } = useOffice();
  return (
    <Linked title={t.books.exceptions.title} name={query("link")}>
      {(link, links) => <OfLink link={link} links={links} />}
    </Linked>
  );
}
