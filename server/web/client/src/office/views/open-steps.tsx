// The steps of opening a link but for the returns: the choice of a paytable, wager and seeds, gaps, and the request.

import { useState } from "preact/hooks";
import type { Schema } from "../../api/client.js";
import { readAmount } from "../../staff/amount.js";
import { Status } from "../../staff/controls.js";
import { amount } from "../format.js";
import { Check, Form, type FormState, Input } from "../form.js";
import type { Loaded } from "../load.js";
import { useOffice } from "../office.js";
import { Card, Facts } from "../parts.js";
import { Printed, citationOf } from "../printed.js";
import { Empty, Ready, Table } from "../table.js";
import type { Draft } from "./open-draft.js";
import { type Paytable, type StepProps, usePaytables } from "./open-link.js";

type Listed = Schema<"ListedPaytable">;

/** Words of a search up to this length have to be whole: "C" is Paytable C, not each word with a "c". */
const WHOLE_MOST = 2;

/** Returns the paytables that have all words of a search, in title, citation or id. */
export function found(paytables: readonly Listed[], search: string): Listed[] {
  const wanted = search.toLowerCase().split(/\s+/).filter(Boolean);
  return paytables.filter((paytable) => {
    const text = `${paytable.title} ${paytable.citation} ${paytable.paytable} ${paytable.jurisdiction}`.toLowerCase();
    // Citations are full of single letters.
    const words = `${paytable.title} ${paytable.paytable}`.toLowerCase().split(/[^\p{L}\p{N}]+/u);
    return wanted.every((word) => (word.length > WHOLE_MOST ? text.includes(word) : words.includes(word)));
  });
}

function Choices({ form, words }: { form: FormState<Draft>; words: string }) {
  const { t } = useOffice();
  const o = t.links.opening;
  const paytables = usePaytables();
  return (
    <Ready of={paytables}>
      {(all) => {
        const rows = found(all, words);
        if (rows.length === 0) return <Empty title={o.noPaytable}>{o.noPaytableHint}</Empty>;
        return (
          <ul class="choices">
            {rows.map((paytable) => (
              <li key={paytable.paytable}>
                <label class={form.values["paytable"] === paytable.paytable ? "chosen" : ""}>
                  <input
                    type="radio"
                    name="paytable"
                    checked={form.values["paytable"] === paytable.paytable}
                    onChange={() => form.set("paytable", paytable.paytable)}
                  />
                  <span>
                    <b>{paytable.title}</b>
                    <span class="secondary">
                      {citationOf(paytable.citation)} · {paytable.paytable}
                    </span>
                  </span>
                  <span class="secondary">
                    {!paytable.complete
                      ? o.incomplete
                      : paytable.not_in_source.length === 0
                        ? o.noGaps
                        : o.gaps(paytable.not_in_source.length)}
                    {!paytable.linkable && <br />}
                    {!paytable.linkable && o.oneGame}
                  </span>
                </label>
              </li>
            ))}
          </ul>
        );
      }}
    </Ready>
  );
}

export function PaytableStep({ form, chosen }: { form: FormState<Draft>; chosen: Loaded<Paytable> }) {
  const { t } = useOffice();
  const o = t.links.opening;
  const [words, setWords] = useState("");
  return (
    <div class="columns opening">
      <Card>
        {form.values["paytable"] === "" ? (
          <Empty title={o.choosePaytable} />
        ) : (
          <Ready of={chosen}>{(paytable) => <Printed paytable={paytable} />}</Ready>
        )}
      </Card>
      <Card title={o.paytable}>
        <div class="field">
          <label for="find">{o.find}</label>
          <input
            id="find"
            type="search"
            placeholder={o.findHint}
            value={words}
            onInput={(event) => setWords(event.currentTarget.value)}
          />
        </div>
        <Choices form={form} words={words} />
      </Card>
    </div>
  );
}

function Seeds({ form, paytable }: StepProps) {
  const { t, locale } = useOffice();
  const o = t.links.opening;
  const dollars = (value: number | null | undefined) =>
    value === null || value === undefined ? t.none : amount(String(value), locale, "money");
  return (
    <Card title={o.seeds}>
      <Table
        caption={o.seeds}
        rows={paytable.levels}
        rowKey={(level) => level.level}
        columns={[
          { head: t.level, name: true, cell: (level) => t.levelNamed(level.level) },
          { head: o.seed, figure: true, cell: (level) => dollars(level.seed) },
          { head: o.reseed, figure: true, cell: (level) => dollars(level.reseed) },
          { head: o.rate1, figure: true, cell: (level) => level.primary ?? t.none },
          { head: o.rate2, figure: true, cell: (level) => level.reserve ?? t.none },
        ]}
      />
      <p class="hint">{o.seedsHint(amountOr(form.values["wager"] ?? "", locale))}</p>
    </Card>
  );
}

/** Formats what was typed if it is an amount. */
export function amountOr(text: string, locale: string): string {
  const read = readAmount(text, locale);
  return read === null ? text : amount(read, locale, "money");
}

export function WagerStep({ form, paytable }: StepProps) {
  const { t } = useOffice();
  const o = t.links.opening;
  const reserve = paytable.levels.some((level) => level.reserve && level.reserve !== "0%");
  const draws = [
    ...(paytable.magic_card ? [["magic", o.magic] as const] : []),
    ...(paytable.lucky_bonus ? [["lucky", o.lucky] as const] : []),
  ];
  return (
    <>
      <Card title={o.steps[1] ?? ""}>
        <div class="form">
          <div class="form-row">
            <Input form={form} name="wager" label={o.wager} required amount />
            <Input form={form} name="decks" label={o.decks} required numeric hint={o.decksHint} />
            {reserve && (
              <Input form={form} name="policy" label={o.reservePolicy} options={Object.entries(o.policies)} />
            )}
          </div>
          <div class="form-row">
            {paytable.levels.map(({ level }) => (
              <Input
                key={level}
                form={form}
                name={`ceiling-${level}`}
                field={`ceilings.${level}`}
                label={o.ceiling(level)}
                amount
                placeholder={t.none}
              />
            ))}
          </div>
          <p class="hint">{o.ceilingHint}</p>
          <div class="form-row">
            <Input form={form} name="boxes" label={o.boxes} numeric hint={o.boxesHint} />
            <Input form={form} name="rate" label={o.rate} numeric hint={o.rateHint} />
            <Input form={form} name="silence" label={o.silence} numeric placeholder="5" />
          </div>
          {draws.length > 0 && (
            <div class="form-row">
              {draws.map(([name, label]) => (
                <Input key={name} form={form} name={name} label={label} numeric hint={o.drawHint} />
              ))}
            </div>
          )}
          <Check form={form} name="badge">
            {o.badge}
          </Check>
        </div>
      </Card>
      <Seeds form={form} paytable={paytable} />
    </>
  );
}

/** Says if a hand of the ranking has no line, which the operator decides about. */
function undecided(paytable: Paytable): boolean {
  return paytable.not_in_source.some((gap) => !gap.inferred_from && gap.what.includes("royal"));
}

export function GapsStep({ form, paytable }: StepProps) {
  const { t } = useOffice();
  const o = t.links.opening;
  const gaps = paytable.not_in_source;
  return (
    <Card title={gaps.length === 0 ? o.noGapsTitle : o.gapsTitle}>
      {gaps.length === 0 ? (
        <p class="secondary">{o.noGapsHint}</p>
      ) : (
        <>
          <p class="secondary">{o.gapsHint}</p>
          <Table
            caption={o.gapsTitle}
            rows={gaps}
            rowKey={(gap) => `${gap.what} ${gap.place}`}
            columns={[
              { head: o.gapWhat, wide: true, cell: (gap) => <b>{gap.what}</b> },
              { head: o.gapPlace, wide: true, cell: (gap) => gap.place },
              {
                head: o.gapFrom,
                wide: true,
                cell: (gap) =>
                  gap.inferred_from ?? (
                    <Status icon="error" tone="vermilion">
                      {o.gapMissing}
                    </Status>
                  ),
              },
            ]}
          />
          <div class="form confirm">
            {gaps.some((gap) => gap.inferred_from) && (
              <Check form={form} name="confirm">
                {o.confirm}
              </Check>
            )}
            {undecided(paytable) && (
              <Check form={form} name="nothing">
                {o.paysNothing(t.hands["royal-flush"] ?? "")}
              </Check>
            )}
          </div>
        </>
      )}
    </Card>
  );
}

export function OpenStep({ form, paytable }: StepProps) {
  const { t, locale } = useOffice();
  const o = t.links.opening;
  const draft = form.values;
  const name = (draft["link"] ?? "").trim();
  return (
    <Card title={o.summary}>
      <Facts
        rows={[
          [t.links.paytable, paytable.title],
          [t.links.wager, amountOr(draft["wager"] ?? "", locale)],
          [t.links.decks, draft["decks"] ?? ""],
          ...paytable.levels.map(
            ({ level, seed }) =>
              [
                t.levelNamed(level),
                `${seed ? amount(String(seed), locale, "money") : t.none}${draft[`ceiling-${level}`] ? ` · ${t.links.ceiling} ${amountOr(draft[`ceiling-${level}`] ?? "", locale)}` : ""}`,
              ] as const,
          ),
          [t.links.badge, draft["badge"] === "yes" ? t.links.needed : t.links.notNeeded],
        ]}
      />
      <p class="hint before-form">{o.openHint}</p>
      <Form form={form} action={o.openAction(name)} disabled={name === ""}>
        <Input form={form} name="link" label={o.name} hint={o.nameHint} required />
      </Form>
    </Card>
  );
}
