// The front page of a house: the places of the roles, and the signs of its links.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Icon, type IconName } from "../staff/icons.js";
import { money } from "../staff/staff.js";
import { Arrow, type PageProps, TopBar } from "./frame.js";
import { inLocale } from "./locale.js";
import type { Link } from "./main.js";

const STATES: Readonly<Record<string, readonly [IconName, string]>> = {
  open: ["done", "teal"],
  suspended: ["locked", "blue"],
  closed: ["locked", "blue"],
  faulted: ["error", "vermilion"],
  unavailable: ["lost", "vermilion"],
};

function SignRow({ link, t, locale }: { link: Link; t: PageProps["t"]; locale: string }) {
  const [icon, tone] = STATES[link.state] ?? (["open", "text-2"] as const);
  const level = link.levels[0];
  return (
    <li>
      <a class="sign-row" href={inLocale(`/sign/${link.link}`)}>
        <span>
          <b>{link.link}</b>
          <span class="secondary">{link.title}</span>
        </span>
        {level && <span class="figure sign-row-amount">{money(level.amount, locale)}</span>}
        <span class="status" style={{ color: `var(--${tone})` }}>
          <Icon name={icon} />
          {t.states[link.state] ?? link.state}
        </span>
        <Arrow />
      </a>
    </li>
  );
}

function Keypad({ t }: { t: PageProps["t"] }) {
  const [table, setTable] = useState("");
  return (
    <form
      class="keypad-form"
      onSubmit={(event) => {
        event.preventDefault();
        location.assign(inLocale(`/table/${encodeURIComponent(table.trim())}`));
      }}
    >
      <div class="field">
        <label for="table">{t.table}</label>
        <input
          id="table"
          required
          autocapitalize="characters"
          autocomplete="off"
          placeholder={t.tableHint}
          value={table}
          onInput={(event) => setTable(event.currentTarget.value)}
        />
      </div>
      <button class="button plain door">
        {t.openTable}
        <Arrow />
      </button>
    </form>
  );
}

function Place(props: { id: string; title: string; text: string; wide?: boolean; children: ComponentChildren }) {
  return (
    <section class={`place-body ${props.wide ? "wide-place" : ""}`} aria-labelledby={props.id}>
      <h2 id={props.id}>{props.title}</h2>
      <p>{props.text}</p>
      {props.children}
    </section>
  );
}

function Door({ to, children }: { to: string; children: string }) {
  return (
    <a class="button plain door" href={inLocale(to)}>
      {children}
      <Arrow />
    </a>
  );
}

export function PlainPage({ t, locale, links, reachable, known }: PageProps & { known: boolean }) {
  return (
    <div class="front plain">
      <TopBar t={t} />
      <main>
        <div class="front-head">
          <h1>{t.plainTitle}</h1>
          <p>{t.plainLead}</p>
        </div>
        {!reachable && (
          <div class="notice" role="alert">
            <Icon name="error" />
            <p>{t.noAnswer}</p>
          </div>
        )}
        <div class="plain-places">
          <Place id="signs" title={t.signs} text={t.signsText} wide>
            {known && links.length === 0 && <p>{t.noLinks}</p>}
            <ul class="sign-rows">
              {links.map((link) => (
                <SignRow key={link.link} link={link} t={t} locale={locale} />
              ))}
            </ul>
          </Place>
          <Place id="floor" title={t.floor.title} text={t.floorText}>
            <Door to="/floor">{t.openFloor}</Door>
          </Place>
          <Place id="office" title={t.office.title} text={t.officeText}>
            <Door to="/office">{t.openOffice}</Door>
          </Place>
          <Place id="keypad" title={t.keypad.title} text={t.keypadText}>
            <Keypad t={t} />
          </Place>
          <Place id="manual" title={t.manual} text={t.manualText}>
            <Door to="/manual">{t.openManual}</Door>
          </Place>
        </div>
      </main>
    </div>
  );
}
