// The parts of a view: its head, cards, facts, segments, the choice of a link, and a secret that is shown once.

import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { api, dataOf, type Schema } from "../api/client.js";
import { Button, Status } from "../staff/controls.js";
import { Icon, type IconName } from "../staff/icons.js";
import { type Loaded, allPages, useLoad } from "./load.js";
import { useOffice } from "./office.js";
import type { Right } from "./rights.js";

interface HeadProps {
  title: string;
  /** One line below the title. */
  under?: ComponentChildren;
  /** The way back, above the title. */
  above?: ComponentChildren;
  children?: ComponentChildren;
}

/** The head of a view. The title takes the focus when the view opens, so that a screen reader says where it is. */
export function Head({ title, under, above, children }: HeadProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Meterhouse`;
  }, [title]);
  useEffect(() => {
    if (document.activeElement === document.body || document.activeElement === null) heading.current?.focus();
  }, []);
  return (
    <header class="head">
      <div>
        {above && <p class="secondary">{above}</p>}
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {under && <p class="secondary">{under}</p>}
      </div>
      <div class="head-side">{children}</div>
    </header>
  );
}

export function Card(props: { title?: string; side?: ComponentChildren; class?: string; children: ComponentChildren }) {
  const id = useId();
  return (
    <section class={`card ${props.class ?? ""}`} aria-labelledby={props.title ? id : undefined}>
      {(props.title || props.side) && (
        <div class="card-head">
          {props.title && <h2 id={id}>{props.title}</h2>}
          <div class="card-side">{props.side}</div>
        </div>
      )}
      {props.children}
    </section>
  );
}

interface FactsProps {
  rows: readonly (readonly [name: string, value: ComponentChildren])[];
  /** A few large figures stand side by side, each with its name above. */
  large?: boolean;
}

/** Facts in two columns: a name and its value. */
export function Facts({ rows, large }: FactsProps) {
  return (
    <dl class={large ? "figures" : "facts"}>
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd class={large ? "figure" : undefined}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface HeroProps {
  icon: IconName;
  tone: string;
  title: string;
  children: ComponentChildren;
}

/** The verdict at the top of a view: an icon in its colour, a sentence, and what stands behind it. */
export function Hero({ icon, tone, title, children }: HeroProps) {
  return (
    <section class="card hero">
      <span style={{ color: `var(--${tone})` }}>
        <Icon name={icon} />
      </span>
      <div>
        <p class="hero-title">{title}</p>
        {children && <p class="secondary">{children}</p>}
      </div>
    </section>
  );
}

interface SegmentsProps {
  label: string;
  options: readonly (readonly [value: string, label: string])[];
  value: string;
  choose(value: string): void;
}

/** A choice of a few: arrow keys move within it. */
export function Segments({ label, options, value, choose }: SegmentsProps) {
  const name = useId();
  return (
    <fieldset class="segments">
      <legend class="unseen">{label}</legend>
      {options.map(([option, text]) => (
        <label key={option} class={option === value ? "chosen" : ""}>
          <input
            type="radio"
            class="unseen"
            name={name}
            checked={option === value}
            onChange={() => option !== value && choose(option)}
          />
          {text}
        </label>
      ))}
    </fieldset>
  );
}

export type Link = Schema<"Link">;

/** Loads all links of the house. */
export function useLinks(everyMs?: number): Loaded<Link[]> {
  return useLoad(
    "links",
    () =>
      allPages(async (after) => {
        const page = await dataOf(api.GET("/v1/links", { params: { query: after ? { after } : {} } }));
        return { rows: page.links, more: page.more, next: page.next ?? null };
      }),
    everyMs,
  );
}

/** Chooses one of the links; says nothing if there is one only. */
export function LinkChoice({ links, value, choose }: { links: Link[]; value: string; choose(link: string): void }) {
  const { t } = useOffice();
  const id = useId();
  if (links.length < 2) return null;
  return (
    <div class="choice">
      <label for={id} class="unseen">
        {t.link}
      </label>
      <select id={id} value={value} onChange={(event) => choose(event.currentTarget.value)}>
        {links.map((link) => (
          <option value={link.link} key={link.link}>
            {t.linkNamed(link.link)}
          </option>
        ))}
      </select>
    </div>
  );
}

const STATES: Readonly<Record<string, readonly [IconName, "amber" | "teal" | "vermilion" | "blue" | "text-2"]>> = {
  open: ["done", "teal"],
  suspended: ["locked", "blue"],
  closed: ["locked", "blue"],
  faulted: ["error", "vermilion"],
  unavailable: ["lost", "vermilion"],
  in_service: ["done", "teal"],
  enabled: ["done", "text-2"],
  lost: ["lost", "vermilion"],
  disabled: ["disabled", "text-2"],
  left: ["disabled", "text-2"],
  pending: ["pending", "amber"],
  validated: ["done", "teal"],
  validated_by_rule: ["done", "teal"],
  paid: ["paid", "teal"],
  rejected: ["rejected", "vermilion"],
  cancelled: ["disabled", "text-2"],
  void: ["disabled", "text-2"],
  withdrawn: ["disabled", "text-2"],
  approved: ["done", "teal"],
  declined: ["rejected", "vermilion"],
  expired: ["disabled", "text-2"],
  proposed: ["people", "blue"],
  ok: ["done", "teal"],
  degraded: ["pending", "amber"],
  failed: ["error", "vermilion"],
};

/** The state of a link, table, hit, proposal or check. */
export function State({ of }: { of: string }) {
  const { t } = useOffice();
  const [icon, tone] = STATES[of] ?? (["open", "text-2"] as const);
  return (
    <Status icon={icon} tone={tone}>
      {t.states[of] ?? of}
    </Status>
  );
}

/** What stands in the place of something that this person may not do. */
export function OnlyFor({ right }: { right: Right }) {
  const { whoMay } = useOffice();
  return <p class="secondary only-for">{whoMay(right)}</p>;
}

/** The button that copies a text. Browsers copy over TLS and on their own machine only. */
function Copy({ text, quiet = false }: { text: string; quiet?: boolean }) {
  const { t } = useOffice();
  const [copied, setCopied] = useState(false);
  async function copy(): Promise<void> {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  }
  return (
    <Button small kind={quiet ? "quiet" : "plain"} onClick={() => void copy().catch(() => setCopied(false))}>
      {copied ? t.copied : t.copy}
    </Button>
  );
}

/** A command line to copy. */
export function Command({ text }: { text: string }) {
  return (
    <div class="command">
      <code tabIndex={0}>{text}</code>
      <Copy text={text} quiet />
    </div>
  );
}

/** A code or token that is shown once: to copy, and gone when it is put away. */
export function Once(props: { title: string; secret: string; hint: string; done(): void }) {
  const { t } = useOffice();
  return (
    <section class="once" role="status">
      <h2>{props.title}</h2>
      <p class="secret" tabIndex={0}>
        {props.secret}
      </p>
      <p class="secondary">{props.hint}</p>
      <div class="form-buttons">
        <Copy text={props.secret} />
        <Button small kind="quiet" onClick={props.done}>
          {t.putAway}
        </Button>
      </div>
    </section>
  );
}
