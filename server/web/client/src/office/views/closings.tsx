// The closings of days: those that are signed off, the report of one, and its sign-off.

import { api, dataOf, type Schema } from "../../api/client.js";
import { Status } from "../../staff/controls.js";
import { amount, bookNamed, exact, when } from "../format.js";
import { Form, Input, useForm } from "../form.js";
import { Linked } from "../linked.js";
import { usePages, useLoad } from "../load.js";
import { useOffice } from "../office.js";
import { Card, Facts, Head, Hero, type Link, LinkChoice, OnlyFor } from "../parts.js";
import { Files } from "../printed-files.js";
import { go, query, setQuery, to } from "../router.js";
import { Empty, List, Ready } from "../table.js";
import { decreasesOf } from "./report-kinds.js";
import { type ReportSection, SectionTable } from "./report-page.js";

type Day = Schema<"Closing">;

/** Returns the day before a moment, in UTC. */
export function dayBefore(now: Date): string {
  return new Date(now.getTime() - 86_400_000).toISOString().slice(0, 10);
}

function Signed({ link }: { link: Link }) {
  const { t, locale } = useOffice();
  const c = t.reports.closings;
  const days = usePages(link.link, async (after) => {
    const page = await dataOf(
      api.GET("/v1/links/{link}/closings", {
        params: { path: { link: link.link }, query: after ? { after } : {} },
      }),
    );
    return { rows: page.closings, more: page.more, next: page.next ?? null };
  });
  return (
    <List
      of={days}
      caption={c.title(link.link)}
      rowKey={(day) => day.date}
      href={(day) => to("reports", "closings", link.link, day.date)}
      empty={<Empty title={c.none}>{c.noneHint}</Empty>}
      columns={[
        { head: c.day, name: true, cell: (day) => day.date },
        { head: c.signedBy, cell: (day) => day.by },
        { head: c.signedAt, cell: (day) => when(day.at, locale) },
        { head: t.note, wide: true, cell: (day) => day.note ?? "" },
        { head: c.digest, cell: (day) => <span class="code">{day.sha256.slice(0, 16)}…</span> },
      ]}
    />
  );
}

function OpenDay({ link }: { link: Link }) {
  const { t } = useOffice();
  const c = t.reports.closings;
  const form = useForm({ date: dayBefore(new Date()) }, async ({ date }) => {
    go(to("reports", "closings", link.link, date));
  });
  return (
    <Card title={c.open}>
      <Form form={form} action={c.openAction} kind="plain">
        <Input form={form} name="date" label={c.day} type="date" required />
      </Form>
    </Card>
  );
}

export function Closings() {
  const { t } = useOffice();
  const c = t.reports.closings;
  return (
    <Linked title={t.reports.title} name={query("link")}>
      {(link, links) => (
        <>
          <Head title={c.title(link.link)} under={c.under} above={<a href={to("reports")}>{t.reports.title}</a>}>
            <LinkChoice links={links} value={link.link} choose={(other) => setQuery({ link: other })} />
          </Head>
          <div class="columns decision">
            <Card>
              <Signed link={link} />
            </Card>
            <OpenDay link={link} />
          </div>
        </>
      )}
    </Linked>
  );
}

/** The tables of a day: books, decreases, hits, payments, exceptions. */
function useSections(day: Day): ReportSection[] {
  const { t, locale } = useOffice();
  const { c, sections } = t.reports;
  const { report } = day;
  const money = (text: string) => exact(text, locale);
  return [
    {
      title: sections.levels,
      heads: [c.level, c.opening, c.contributions, c.house, c.paid, c.adjustments, c.closing, c.pending, c.difference],
      figures: [1, 2, 3, 4, 5, 6, 7, 8],
      rows: report.levels.map((row) => [
        bookNamed(row.level, t),
        money(row.opening.meter),
        money(row.contributions),
        money(row.house),
        money(row.paid),
        money(row.adjustments),
        money(row.closing.meter),
        money(row.closing.pending),
        money(row.difference),
      ]),
    },
    decreasesOf(report, t, locale),
    {
      title: sections.hits,
      heads: [c.at, c.hit, c.level, c.before, c.due, c.after],
      figures: [3, 4, 5],
      links: { column: 1, to: "hits" },
      rows: report.hits.map((row) => [
        when(row.at, locale),
        row.hit,
        row.level ? t.levelNamed(row.level) : "",
        row.before ? money(row.before) : "",
        amount(row.due, locale),
        row.after ? money(row.after) : "",
      ]),
    },
    {
      title: sections.payments,
      heads: [c.at, c.hits, c.document, c.amount],
      figures: [3],
      rows: report.payments.map((row) => [
        when(row.at, locale),
        row.hits.join(", "),
        row.document ?? "",
        amount(row.amount, locale),
      ]),
    },
    {
      title: sections.exceptions,
      heads: [c.at, c.kind, c.subject, c.reason],
      wide: [3],
      rows: report.exceptions.map((row) => [
        when(row.at, locale),
        t.books.exceptions.kinds[row.kind] ?? row.kind,
        row.table ?? row.level ?? "",
        row.clearance?.reason ?? row.reason ?? "",
      ]),
    },
  ];
}

function SignOff({ day, done }: { day: Day; done(): void }) {
  const { t, locale, may } = useOffice();
  const c = t.reports.closings;
  const { link, date } = day.report;
  const form = useForm({ note: "" }, async ({ note }) => {
    await api.POST("/v1/links/{link}/closings/{date}/sign-off", {
      params: { path: { link, date } },
      body: note === "" ? {} : { note },
    });
    done();
  });
  if (day.sign_off)
    return (
      <>
        <Status icon="done" tone="teal">
          {c.signed(day.sign_off.by, when(day.sign_off.at, locale))}
        </Status>
        <p class="secondary">{day.sign_off.note}</p>
        <p class="secondary">
          {day.sign_off.matches === true ? c.matches : day.sign_off.matches === false ? c.differs : c.archived}
        </p>
      </>
    );
  if (!may("close")) return <OnlyFor right="close" />;
  return (
    <Form form={form} action={c.signOff}>
      <p class="secondary">{c.signOffHint}</p>
      <Input form={form} name="note" label={t.note} long />
    </Form>
  );
}

function Found({ day, done }: { day: Day; done(): void }) {
  const { t, locale } = useOffice();
  const c = t.reports.closings;
  const { report } = day;
  const sections = useSections(day);
  return (
    <div class="columns decision">
      <div class="stack">
        <Hero
          icon={report.balanced ? "done" : "error"}
          tone={report.balanced ? "teal" : "vermilion"}
          title={report.balanced ? c.balanced : c.unbalanced}
        >
          {report.complete ? t.reports.complete : t.reports.incomplete}
        </Hero>
        {sections.map((section) => (
          <Card key={section.title} title={section.title}>
            <SectionTable section={section} caption={section.title} />
          </Card>
        ))}
      </div>
      <Card title={day.sign_off ? "" : c.notSigned}>
        <SignOff day={day} done={done} />
        <Facts
          rows={[
            [c.openExceptions, report.open_exceptions],
            [
              c.coveredBy,
              day.covered_by ? `${day.covered_by.number}, ${when(day.covered_by.signed_at, locale)}` : c.notCovered,
            ],
            [c.chain, <span class="code">{report.chain_hash}</span>],
            ...(day.sign_off ? [[c.digest, <span class="code">{day.sign_off.sha256}</span>] as const] : []),
          ]}
        />
      </Card>
    </div>
  );
}

export function Closing({ link, date }: { link: string; date: string }) {
  const { t } = useOffice();
  const c = t.reports.closings;
  const params = { path: { link, date } };
  const day = useLoad(`${link} ${date}`, () => dataOf(api.GET("/v1/links/{link}/closings/{date}", { params })));
  return (
    <>
      <Head
        title={c.titleOf(date, link)}
        above={<a href={`${to("reports", "closings")}?link=${link}`}>{t.reports.names["closings"]?.[0]}</a>}
      >
        {day.data && <Files path={`/v1/links/${link}/closings/${date}`} name={`${link}-${date}`} />}
      </Head>
      <Ready of={day}>{(found) => <Found day={found} done={day.reload} />}</Ready>
    </>
  );
}
