// The table of the office: columns with a head, rows with a key, figures to the right, and words for an empty one.

import type { ComponentChildren } from "preact";
import { NoAnswer, Problem, isPassing } from "../api/client.js";
import { Button, ErrorNotice } from "../staff/controls.js";
import type { Loaded, Pages } from "./load.js";
import { useOffice } from "./office.js";
import { go } from "./router.js";

export interface Column<Row> {
  head: string;
  cell(row: Row): ComponentChildren;
  /** Amounts and counts stand at the right, in the font of figures. */
  figure?: boolean;
  /** The column that names the row. */
  name?: boolean;
  wide?: boolean;
  /** A name that is never broken, such as a time. */
  whole?: boolean;
}

interface TableProps<Row> {
  /** What the table holds, for a screen reader. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey(row: Row): string;
  /** Address that a row leads to; its name is the link. */
  href?(row: Row): string | null;
  chosen?(row: Row): boolean;
  onChoose?(row: Row): void;
  /** Rows that sum up the others. */
  foot?: readonly Row[];
}

function Cells<Row>({ row, columns, href }: { row: Row; columns: readonly Column<Row>[]; href: string | null }) {
  return (
    <>
      {columns.map((column) => {
        const content = column.cell(row);
        const kind = `${column.figure ? "figure" : ""} ${column.wide ? "wide" : ""} ${column.whole ? "whole" : ""}`;
        if (!column.name) return <td class={kind}>{content}</td>;
        return (
          <th scope="row" class={kind}>
            {href === null ? content : <a href={href}>{content}</a>}
          </th>
        );
      })}
    </>
  );
}

/** Opens a row's address unless the click was on a control of the row. */
function open(event: MouseEvent, address: string | null): void {
  if (address === null || (event.target as Element).closest("a, button, input, summary") !== null) return;
  if (getSelection()?.toString()) return;
  go(address);
}

export function Table<Row>(props: TableProps<Row>) {
  const { columns, href, chosen, onChoose } = props;
  return (
    <div class="table-scroll">
      <table>
        <caption class="unseen">{props.caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th scope="col" class={column.figure ? "figure" : ""}>
                {column.head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {props.rows.map((row) => {
            const address = href?.(row) ?? null;
            const active = chosen?.(row) ?? false;
            return (
              <tr
                key={props.rowKey(row)}
                class={`${address !== null || onChoose ? "leads" : ""} ${active ? "chosen" : ""}`}
                aria-selected={onChoose ? active : undefined}
                onClick={(event) => (onChoose ? onChoose(row) : open(event, address))}
              >
                <Cells row={row} columns={columns} href={address} />
              </tr>
            );
          })}
        </tbody>
        {props.foot && props.foot.length > 0 && (
          <tfoot>
            {props.foot.map((row) => (
              <tr key={props.rowKey(row)}>
                <Cells row={row} columns={columns} href={null} />
              </tr>
            ))}
          </tfoot>
        )}
      </table>
    </div>
  );
}

/** What an empty list says: what is so, and what comes next. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children && <p class="secondary">{children}</p>}
    </div>
  );
}

/** Returns what a reader is told: what passes by itself says that the page asks again, and keeps its cause in the details. */
function readable(error: unknown): unknown {
  return error instanceof Problem && isPassing(error) ? new NoAnswer(`${error.code}: ${error.message}`) : error;
}

interface ReadyProps<Data> {
  of: Loaded<Data>;
  /** What is said where the server knows no such thing. */
  missing?: string;
  children(data: Data): ComponentChildren;
}

/** A view's content once it is loaded; until then that it loads, or what is wrong. */
export function Ready<Data>(props: ReadyProps<Data>) {
  const { t } = useOffice();
  const { data, error, loading } = props.of;
  if (props.missing && error instanceof Problem && (error.status === 404 || error.code === "invalid_name"))
    return <Empty title={props.missing}>{t.missingHint}</Empty>;
  return (
    <>
      {error !== null && error !== undefined && <ErrorNotice error={readable(error)} />}
      {data !== null && props.children(data)}
      {data === null && loading && (error === null || error === undefined) && (
        <p class="loading secondary" role="status">
          {t.loading}
        </p>
      )}
    </>
  );
}

interface ListProps<Row> extends Omit<TableProps<Row>, "rows"> {
  of: Pages<Row>;
  empty: ComponentChildren;
}

/** A list that grows by pages: table, words for the empty one, and the button for more. */
export function List<Row>({ of, empty, ...table }: ListProps<Row>) {
  const { t } = useOffice();
  return (
    <Ready of={of}>
      {(rows) => (
        <>
          {rows.length === 0 && !of.more ? empty : <Table {...table} rows={rows} />}
          {of.more && (
            <div class="more">
              <Button kind="quiet" small busy={of.busy} onClick={of.loadMore}>
                {t.more}
              </Button>
            </div>
          )}
        </>
      )}
    </Ready>
  );
}
