// The filters of a list: fields whose values stand in the address, and what the API is asked for because of them.

import { useId } from "preact/hooks";
import { readAmount } from "../staff/amount.js";
import { pageLocale } from "../staff/staff.js";
import { fromLocal } from "./format.js";
import { useOffice } from "./office.js";
import { useLinks } from "./parts.js";
import { query, setQuery } from "./router.js";

const TIMES = ["from", "until", "to", "at"];
const AMOUNTS = ["threshold", "tax_threshold"];

/** Reads a filter as the API takes it: times with their zone, amounts without marks. */
function read(name: string): string {
  const text = query(name);
  if (TIMES.includes(name)) return fromLocal(text);
  return AMOUNTS.includes(name) ? (readAmount(text, pageLocale()) ?? text) : text;
}

/** Reads filters from the address as parameters of the API: those that are set. */
export function asked(...names: readonly string[]): Record<string, string> {
  const given: Record<string, string> = {};
  for (const name of names) {
    const value = read(name);
    if (value !== "") given[name === "until" ? "to" : name] = value;
  }
  return given;
}

/** A filter of a list: a field whose value stands in the address. */
export function Filter(props: {
  label: string;
  name: string;
  type?: "text" | "datetime-local" | "date";
  options?: readonly (readonly [value: string, label: string])[];
}) {
  const id = useId();
  const change = (event: { currentTarget: { value: string } }) =>
    setQuery({ [props.name]: event.currentTarget.value.trim() });
  return (
    <div class="field filter">
      <label for={id}>{props.label}</label>
      {props.options ? (
        <select id={id} value={query(props.name)} onChange={change}>
          {props.options.map(([value, text]) => (
            <option value={value} key={value}>
              {text}
            </option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          type={(props.type ?? "text") as "text"}
          value={query(props.name)}
          onChange={change}
          spellcheck={false}
        />
      )}
    </div>
  );
}

/** The filters of a period. */
export function PeriodFilters() {
  const { t } = useOffice();
  return (
    <>
      <Filter label={t.from} name="from" type="datetime-local" />
      <Filter label={t.until} name="until" type="datetime-local" />
    </>
  );
}

/** The filter of a link. */
export function LinkFilter() {
  const { t } = useOffice();
  const links = useLinks();
  const options = (links.data ?? []).map(({ link }) => [link, link] as const);
  return <Filter label={t.link} name="link" options={[["", t.all], ...options]} />;
}
