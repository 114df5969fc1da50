// A table of fixed wagers before and after its adoption.

import type { Schema } from "../../api/client.js";
import { useOffice } from "../office.js";
import { type Column, Table } from "../table.js";
import { type AdoptedTable, readingText } from "./adoption.js";

/** Returns the columns that say how a table pays: its reading, the letter that chose it, its return. */
export function usePayColumns<Row>(of: (row: Row) => AdoptedTable | null | undefined): Column<Row>[] {
  const a = useOffice().t.proposals.adoption;
  return [
    { head: a.reading, cell: (row) => readingText(of(row), a) },
    { head: a.letter, wide: true, cell: (row) => of(row)?.letter ?? "" },
    { head: a.returns, figure: true, cell: (row) => of(row)?.returns ?? "" },
  ];
}

interface AdoptionProps {
  of: Schema<"TableAdopted">;
  /** What the rows of before and after are called. */
  names: readonly [before: string, after: string];
}

export function Adoption({ of: { adopted, before }, names }: AdoptionProps) {
  const { t } = useOffice();
  const rows = [
    { name: names[0], table: before },
    { name: names[1], table: adopted },
  ];
  const pays = usePayColumns<(typeof rows)[number]>((row) => row.table);
  return (
    <>
      <p class="statement">{adopted.table}</p>
      <Table
        caption={adopted.table}
        rows={rows}
        rowKey={(row) => row.name}
        columns={[{ head: t.when, name: true, cell: (row) => row.name }, ...pays]}
      />
    </>
  );
}
