// The front page of a house: the places of the roles, and the signs of its links.

import { useState } from "preact/hooks";
import { Icon, type IconName } from "../staff/icons.js";
import { money } from "../staff/staff.js";
import { Arrow, type PageProps, TopBar } from "./frame.js";
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
      <a class="sign-row" href={`/sign/${link.link}`}>
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
        location.assign(`/table/${encodeURIComponent(table.trim())}`);
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
          <section class="place-body wide-place" aria-labelledby="signs">
            <h2 id="signs">{t.signs}</h2>
            <p>{t.signsText}</p>
            {known && links.length === 0 && <p>{t.noLinks}</p>}
            <ul class="sign-rows">
              {links.map((link) => (
                <SignRow key={link.link} link={link} t={t} locale={locale} />
              ))}
            </ul>
          </section>
          <section class="place-body" aria-labelledby="floor">
            <h2 id="floor">{t.floor.title}</h2>
            <p>{t.floorText}</p>
            <a class="button plain door" href="/floor">
              {t.openFloor}
              <Arrow />
            </a>
          </section>
          <section class="place-body" aria-labelledby="office">
            <h2 id="office">{t.office.title}</h2>
            <p>{t.officeText}</p>
            <a class="button plain door" href="/office">
              {t.openOffice}
              <Arrow />
            </a>
          </section>
          <section class="place-body" aria-labelledby="keypad">
            <h2 id="keypad">{t.keypad.title}</h2>
            <p>{t.keypadText}</p>
            <Keypad t={t} />
          </section>
          <section class="place-body" aria-labelledby="manual">
            <h2 id="manual">{t.manual}</h2>
            <p>{t.manualText}</p>
            <a class="button plain door" href="/manual">
              {t.openManual}
              <Arrow />
            </a>
          </section>
        </div>
      </main>
    </div>
  );
}
