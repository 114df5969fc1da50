// Opening a link step by step: paytable, wager and seeds, returns, gaps to confirm, and the request itself.

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import { api, dataOf, type Schema } from "../../api/client.js";
import { readAmount, withAmounts } from "../../staff/amount.js";
import { Button, Status } from "../../staff/controls.js";
import { type FormState, useForm } from "../form.js";
import { type Loaded, allPages, useLoad } from "../load.js";
import { useOffice } from "../office.js";
import { Card, Head } from "../parts.js";
import { Printed } from "../printed.js";
import { go, to } from "../router.js";
import { Ready } from "../table.js";
import { type Draft, dropDraft, keepDraft, readDraft, requestOf } from "./open-draft.js";
import { ReturnsStep } from "./open-returns.js";
import { GapsStep, OpenStep, PaytableStep, WagerStep } from "./open-steps.js";

export type Paytable = Schema<"Paytable">;

/** What the steps share. */
export interface StepProps {
  form: FormState<Draft>;
  paytable: Paytable;
}

/** Returns true for the fields of a draft that are amounts. */
function isAmount(name: string): boolean {
  return name === "wager" || name.startsWith("ceiling-");
}

/** Says why the next step can't begin yet, or null. */
function lacks(
  step: number,
  draft: Draft,
  paytable: Paytable | null,
  locale: string,
): "paytable" | "amount" | "missing" | "confirm" | null {
  if (!paytable) return "paytable";
  const wrong = Object.keys(draft).some(
    (name) => isAmount(name) && draft[name]?.trim() && readAmount(draft[name] ?? "", locale) === null,
  );
  if (step >= 1 && wrong) return "amount";
  if (!paytable.complete) return step >= 3 ? "missing" : null;
  const inferred = paytable.not_in_source.some((gap) => gap.inferred_from);
  return step === 3 && inferred && draft["confirm"] !== "yes" ? "confirm" : null;
}

function Steps({ step, reach, choose }: { step: number; reach: number; choose(step: number): void }) {
  const { t } = useOffice();
  const o = t.links.opening;
  return (
    <ol class="steps">
      {o.steps.map((name, index) => (
        <li key={name} class={index === step ? "now" : index < step ? "past" : ""}>
          <button
            type="button"
            disabled={index > reach}
            aria-current={index === step ? "step" : undefined}
            onClick={() => choose(index)}
          >
            {index < step ? (
              <Status icon="done" tone="teal">
                <span class="step-name">{name}</span>
              </Status>
            ) : (
              <>
                <span class="figure">{index + 1}</span>
                <span>{name}</span>
              </>
            )}
          </button>
        </li>
      ))}
    </ol>
  );
}

/** The paytable at the left and the step at the right. */
function Beside({ paytable, children }: { paytable: Paytable; children: ComponentChildren }) {
  return (
    <div class="columns opening">
      <Card>
        <Printed paytable={paytable} />
      </Card>
      <div class="stack">{children}</div>
    </div>
  );
}

function Step({ step, form, paytable }: { step: number; form: FormState<Draft>; paytable: Loaded<Paytable> }) {
  if (step === 0) return <PaytableStep form={form} chosen={paytable} />;
  return (
    <Ready of={paytable}>
      {(found) => (
        <Beside paytable={found}>
          {step === 1 && <WagerStep form={form} paytable={found} />}
          {step === 2 && <ReturnsStep form={form} paytable={found} />}
          {step === 3 && <GapsStep form={form} paytable={found} />}
          {step === 4 && <OpenStep form={form} paytable={found} />}
        </Beside>
      )}
    </Ready>
  );
}

export function OpenLink() {
  const { t, locale } = useOffice();
  const o = t.links.opening;
  const form = useForm<Draft>(readDraft(), async (typed) => {
    const draft = withAmounts(typed, Object.keys(typed).filter(isAmount), locale);
    const link = (draft["link"] ?? "").trim();
    const levels = paytable.data?.levels.map(({ level }) => level) ?? [];
    const body = requestOf(draft, levels);
    await api.PUT("/v1/links/{link}", { params: { path: { link } }, body });
    dropDraft();
    go(to("links", link));
  });
  // Before the browser goes on: a reload right after a key, or a lost session, loses nothing that was typed.
  useLayoutEffect(() => keepDraft(form.values), [form.values]);
  const [asked, setAsked] = useState(false);
  const draft = form.values;
  const step = Number(draft["step"] ?? "0");
  const id = draft["paytable"] ?? "";
  const paytable = useLoad(id === "" ? null : id, () =>
    dataOf(api.GET("/v1/paytables/{paytable}", { params: { path: { paytable: id } } })),
  );
  const lack = lacks(step, draft, paytable.data, locale);
  const reach = lack === null ? step + 1 : step;
  function choose(next: number): void {
    setAsked(false);
    form.set("step", String(next));
    scrollTo(0, 0);
  }
  return (
    <>
      <Head
        title={o.title(draft["link"] ?? "")}
        under={o.step(step + 1, o.steps.length)}
        above={<a href={to("links")}>{t.links.title}</a>}
      >
        <span class="secondary">{o.draft}</span>
        <Button
          kind="quiet"
          small
          onClick={() => {
            dropDraft();
            go(to("links"));
          }}
        >
          {o.discard}
        </Button>
      </Head>
      <Steps step={step} reach={reach} choose={choose} />
      <Step step={step} form={form} paytable={paytable} />
      {step < o.steps.length - 1 && (
        <div class="step-buttons">
          {step > 0 && (
            <Button kind="quiet" onClick={() => choose(step - 1)}>
              {t.back}
            </Button>
          )}
          <div class="step-next">
            {asked && lack && (
              <p role="alert" class="wrong-text">
                {o.need[lack]}
              </p>
            )}
            <Button class="dark" onClick={() => (lack ? setAsked(true) : choose(step + 1))}>
              {o.next(o.steps[step + 1] ?? "")}
            </Button>
          </div>
        </div>
      )}
    </>
  );
}

/** Loads the list of paytables. */
export function usePaytables(): Loaded<Schema<"ListedPaytable">[]> {
  return useLoad("paytables", () =>
    allPages(async (after) => {
      const page = await dataOf(api.GET("/v1/paytables", { params: { query: after ? { after } : {} } }));
      return { rows: page.paytables, more: page.more, next: page.next ?? null };
    }),
  );
}
