// Parts that several places are made of: the way back, a choice, a step of a form, states and rows of hits.

import type { ComponentChildren } from "preact";
import { Button, Status } from "../staff/controls.js";
import { Icon } from "../staff/icons.js";
import { actionOf } from "./actions.js";
import { useKey } from "./keys.js";
import type { Hit } from "./model.js";
import { hitIcon, hitTone } from "./states.js";
import { amountOf, leftToPay } from "./sum.js";
import { useWords } from "./words.js";

/** The head of a place, with the way back to the place that it was opened from. */
export function Heading({ back, label, children }: { back: string; label: string; children: ComponentChildren }) {
  return (
    <div class="heading">
      <a class="button back" href={back} aria-label={label}>
        <Icon name="back" />
      </a>
      {children}
    </div>
  );
}

/** One of several, on a key. */
export function Choice(props: { chosen: boolean; choose(): void; class?: string; children: ComponentChildren }) {
  return (
    <button
      type="button"
      class={`button quiet ${props.class ?? "small"}`}
      aria-pressed={props.chosen}
      onClick={props.choose}
    >
      {props.children}
    </button>
  );
}

interface StepProps {
  /** True once there is enough to go on with. */
  ready: boolean;
  label: string;
  kind?: "go" | "stop";
  class?: string;
  next(): void;
  /** Left out where there is no step before. */
  back?: () => void;
  children: ComponentChildren;
}

/** A step in which a person writes something, and goes on. */
export function StepForm({ ready, label, kind = "go", class: more = "push", next, back, children }: StepProps) {
  const { t } = useWords();
  useKey("Escape", back ?? null);
  return (
    <form
      class="step"
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) next();
      }}
    >
      {children}
      <Button kind={kind} class={more} type="submit" disabled={!ready}>
        {label}
      </Button>
      {back && (
        <Button kind="quiet" onClick={back}>
          {t.decision.back}
        </Button>
      )}
    </form>
  );
}

export function HitStatus({ hit }: { hit: Pick<Hit, "state" | "hit" | "payouts"> }) {
  const { t } = useWords();
  const left = leftToPay(hit);
  // A decision that is still without an answer says so wherever its hit stands.
  if (actionOf(`decision ${hit.hit}`).unanswered)
    return (
      <Status icon="error" tone="vermilion">
        {t.sending.unconfirmed}
      </Status>
    );
  if (left !== null)
    return (
      <Status icon="paid" tone="teal">
        {t.leftToPay[left]}
      </Status>
    );
  return (
    <Status icon={hitIcon(hit.state)} tone={hitTone(hit.state)}>
      {t.hitStates[hit.state] ?? hit.state}
    </Status>
  );
}

/** Hits in short rows: what won and where, the amount, the state. */
export function ShortHits(props: { hits: readonly Hit[]; place(hit: Hit): string; address(hit: Hit): string }) {
  const words = useWords();
  return (
    <ul class="short-hits" data-arrows>
      {props.hits.map((hit) => (
        <li key={hit.hit}>
          <a href={props.address(hit)}>
            <span>
              {words.what(hit)}, {props.place(hit)}
            </span>
            <span class="figure">{words.money(amountOf(hit))}</span>
            <HitStatus hit={hit} />
          </a>
        </li>
      ))}
    </ul>
  );
}
