// The reports: a list of them, and each one on a plain page with its parameters and files.

import { Filter, asked } from "../filters.js";
import { Linked } from "../linked.js";
import { useLoad } from "../load.js";
import { useOffice } from "../office.js";
import { Head, type Link, LinkChoice } from "../parts.js";
import { Files } from "../printed-files.js";
import { query, setQuery, to } from "../router.js";
import { Empty, Ready } from "../table.js";
import { KINDS } from "./report-kinds.js";
import { ReportPage } from "./report-page.js";

export function Reports() {
  const { t } = useOffice();
  return (
    <>
      <Head title={t.reports.title} under={t.reports.under} />
      <ul class="report-list">
        {Object.entries(t.reports.names).map(([name, [title, hint]]) => (
          <li key={name} class="card">
            <h2>
              <a href={to("reports", name)}>{title}</a>
            </h2>
            <p class="secondary">{hint}</p>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Reads the parameters of a report from the address. */
function parameters(fields: readonly string[]): Record<string, string> {
  const given = asked(...fields);
  // A period of its own takes the place of the day.
  if (given["from"] || given["to"]) delete given["day"];
  return given;
}

function Fields({ fields }: { fields: readonly string[] }) {
  const { t } = useOffice();
  const r = t.reports;
  const labels: Readonly<Record<string, string>> = {
    day: r.day,
    from: r.from,
    to: r.until,
    at: r.at,
    threshold: r.threshold,
    tax_threshold: r.taxThreshold,
  };
  const type = (field: string) =>
    field === "day" ? "date" : ["from", "to", "at"].includes(field) ? "datetime-local" : "text";
  if (fields.length === 0) return null;
  return (
    <div class="filters">
      {fields.map((field) => (
        <Filter key={field} label={labels[field] ?? field} name={field} type={type(field)} />
      ))}
    </div>
  );
}

function Report({ name, link, links }: { name: string; link: Link; links: Link[] }) {
  const office = useOffice();
  const { t, locale } = office;
  const kind = KINDS[name];
  const [title = name] = t.reports.names[name] ?? [];
  const given = parameters(kind?.fields ?? []);
  const search = new URLSearchParams(given).toString();
  const report = useLoad(kind ? `${name} ${link.link} ${search}` : null, async () => {
    if (!kind) return null;
    return kind.load({ link: link.link, query: given, t, locale });
  });
  if (!kind) return <Empty title={t.notFound}>{t.notFoundHint}</Empty>;
  return (
    <>
      <Head
        title={t.reports.of(title, link.link)}
        under={report.data?.under}
        above={<a href={to("reports")}>{t.reports.title}</a>}
      >
        <LinkChoice links={links} value={link.link} choose={(other) => setQuery({ link: other })} />
        <Files path={`/v1/links/${link.link}/${name}?${search}`} name={`${link.link}-${name}`} />
      </Head>
      <Fields fields={kind.fields} />
      <Ready of={report}>{(found) => found && <ReportPage sections={found.sections} caption={title} />}</Ready>
    </>
  );
}

export function ReportView({ report }: { report: string }) {
  const { t } = useOffice();
  return (
    <Linked title={t.reports.title} name={query("link")}>
      {(link, links) => <Report name={report} link={link} links={links} />}
    </Linked>
  );
}
