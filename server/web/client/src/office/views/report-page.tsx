// The tables of a report: texts in rows under heads, with figures at the right.

import { useOffice } from "../office.js";
import { Card } from "../parts.js";
import { to } from "../router.js";
import { type Column, Empty, Table } from "../table.js";

export interface ReportSection {
  title: string;
  heads: readonly string[];
  rows: readonly (readonly string[])[];
  /** Columns of amounts and counts. */
  figures?: readonly number[];
  wide?: readonly number[];
  /** Column whose text leads to a view of the office. */
  links?: { column: number; to: string };
  foot?: readonly string[];
  note?: string;
}

type Row = readonly string[];

export function SectionTable({ section, caption }: { section: ReportSection; caption: string }) {
  const { t } = useOffice();
  const columns = section.heads.map((head, index): Column<Row> => {
    const leads = section.links?.column === index ? section.links.to : null;
    return {
      head,
      figure: section.figures?.includes(index) ?? false,
      wide: section.wide?.includes(index) ?? false,
      name: index === 0 && !section.figures?.includes(0),
      whole: head === t.reports.c.at,
      cell: (row) => {
        const text = row[index] ?? "";
        return leads !== null && text !== "" ? <a href={to(leads, text)}>{text}</a> : text;
      },
    };
  });
  if (section.rows.length === 0)
    return <Empty title={t.reports.nothing}>{section.title === "" ? t.reports.nothingHint : null}</Empty>;
  return (
    <>
      <Table<Row>
        caption={section.title || caption}
        columns={columns}
        rows={section.rows}
        rowKey={(row) => row.join("\u0000")}
        foot={section.foot ? [section.foot] : []}
      />
      {section.note && <p class="hint">{section.note}</p>}
    </>
  );
}

export function ReportPage({ sections, caption }: { sections: readonly ReportSection[]; caption: string }) {
  return (
    <>
      {sections.map((section) => (
        <Card key={section.title} {...(section.title ? { title: section.title } : {})}>
          <SectionTable section={section} caption={caption} />
        </Card>
      ))}
    </>
  );
}
