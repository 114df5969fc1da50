// The fields of the proposal to adopt a table of fixed wagers.

import { Problem } from "../../api/client.js";
import { type FormState, Input, type Values } from "../form.js";
import { useOffice } from "../office.js";
import { missingOf } from "./adoption.js";

/** Says if the server's problem is about the table: it may name the table as well as the field. */
function isOfTable(error: unknown): boolean {
  return error instanceof Problem && ("table" in error.fields || error.fields["field"] === "table");
}

export function AdoptFields({ form }: { form: FormState<Values> }) {
  const { t } = useOffice();
  const a = t.proposals.adoption;
  const missing = missingOf(form.values);
  const pair = (name: "reading" | "letter") => ({
    form,
    name,
    required: missing === name,
    missing: missing === name ? a.missing[name] : null,
  });
  return (
    <>
      <Input form={form} name="paytable" label={a.table} hint={a.tableHint} required wrong={isOfTable(form.error)} />
      <div class="form-row">
        <Input {...pair("reading")} label={a.reading} hint={a.readingHint} />
        <Input {...pair("letter")} label={a.letter} hint={a.letterHint} />
      </div>
      <p class="hint">{a.pairHint}</p>
    </>
  );
}
