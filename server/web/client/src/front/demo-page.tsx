// The front page of a demo: the four places in the order of the play, each with its person logged in by one click.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Problem, api } from "../api/client.js";
import { Icon } from "../staff/icons.js";
import { money } from "../staff/staff.js";
import { problemWords, refusedBy } from "../text/problems.js";
import { BADGE, type Demo, type DemoPerson, keypadAddress, peopleOf } from "./demo.js";
import { Felt, SawTooth, Sign, WaitingHit } from "./drawings.js";
import { Arrow, type PageProps, TopBar } from "./frame.js";
import { inLocale } from "./locale.js";

interface PlaceProps {
  number: number;
  title: string;
  text: string;
  drawing: ComponentChildren;
  children: ComponentChildren;
}

function Place(props: PlaceProps) {
  const id = `place-${props.number}`;
  return (
    <li class="place" aria-labelledby={id}>
      {props.drawing}
      <div class="place-body">
        <h2 id={id}>
          <span class="place-number">{props.number}</span>
          {props.title}
        </h2>
        <p>{props.text}</p>
        <div class="place-buttons">{props.children}</div>
      </div>
    </li>
  );
}

interface Entering {
  busy: string | null;
  wrong: string | null;
  enter(person: DemoPerson, address: string): void;
}

/**
 * Opens a tab for the page of a person. The browser allows it only in the click itself, before the login is answered; a
 * browser that opens none shows the page in this tab.
 */
function openTab(): { show(address: string): void; close(): void } {
  const tab = window.open("", "_blank");
  if (tab === null) return { show: (address) => location.assign(address), close: () => {} };
  tab.opener = null;
  return { show: (address) => tab.location.replace(new URL(address, location.href)), close: () => tab.close() };
}

/** Logs a person of the demo in, and opens the person's page in a tab of its own. */
function useEntering(t: PageProps["t"]): Entering {
  const [busy, setBusy] = useState<string | null>(null);
  const [wrong, setWrong] = useState<string | null>(null);
  async function enter({ name, password }: DemoPerson, address: string): Promise<void> {
    setBusy(name + address);
    setWrong(null);
    const tab = openTab();
    try {
      await api.POST("/v1/login", { body: { name, password } });
      tab.show(inLocale(address));
    } catch (error) {
      tab.close();
      setWrong(error instanceof Problem ? problemWords(refusedBy(error), error.message).text : t.noAnswer);
    } finally {
      setBusy(null);
    }
  }
  return { busy, wrong, enter: (person, address) => busy === null && void enter(person, address) };
}

interface DoorsProps {
  t: PageProps["t"];
  people: DemoPerson[];
  address: string;
  entering: Entering;
  /** The others sign by PIN, which is said beside them. */
  pins?: boolean;
}

/** The button of the first person, and smaller ones of the others. */
function Doors(props: DoorsProps) {
  const { t, address, entering } = props;
  const [first, ...others] = props.people;
  if (!first) return null;
  const roleOf = (person: DemoPerson) => t.roles[person.role] ?? person.role;
  const nameOf = (person: DemoPerson) => person.name.charAt(0).toUpperCase() + person.name.slice(1);
  const busy = (person: DemoPerson) => entering.busy === person.name + address;
  return (
    <>
      <p class="others">
        {others.length > 0 && <span>{t.orAs}</span>}
        {others.map((person) => (
          <button
            key={person.name}
            type="button"
            class="other"
            aria-busy={busy(person)}
            onClick={() => entering.enter(person, address)}
          >
            {roleOf(person)} {nameOf(person)}
            {person.department && `, ${person.department}`}
            {props.pins && person.pin && `, ${t.pin(person.pin)}`}
          </button>
        ))}
      </p>
      <button
        type="button"
        class={`button plain door ${busy(first) ? "busy" : ""}`}
        aria-busy={busy(first)}
        onClick={() => entering.enter(first, address)}
      >
        {t.openAs(roleOf(first), nameOf(first))}
        <Arrow />
      </button>
    </>
  );
}

/** Names a level for people: "mega" as "Mega". */
function named(level: string): string {
  return level.charAt(0).toUpperCase() + level.slice(1);
}

export function DemoPage({ t, locale, links, reachable, demo }: PageProps & { demo: Demo }) {
  const entering = useEntering(t);
  const link = links.find((one) => one.link === demo.link) ?? links[0];
  const level = link?.levels[0];
  const amount = level ? money(level.amount, locale) : "";
  const supervisors = peopleOf(demo, ["supervisor"]);
  const pin = supervisors[0]?.pin;
  const tables = links.reduce((sum, one) => sum + one.tables.length, 0);
  const wrong = entering.wrong ?? (reachable ? null : t.noAnswer);
  return (
    <div class="front">
      <TopBar t={t}>
        {reachable ? (
          <span class="status teal">
            <Icon name="done" />
            {t.demoRuns}
          </span>
        ) : (
          <span class="status vermilion">
            <Icon name="lost" />
            {t.demoSilent}
          </span>
        )}
        <span>{t.size(links.length, tables)}</span>
      </TopBar>
      <main>
        <div class="front-head">
          <h1>
            {t.title[0]} <br />
            {t.title[1]}
          </h1>
          <p>{t.lead}</p>
        </div>
        {wrong !== null && (
          <div class="notice" role="alert">
            <Icon name="error" />
            <p>{wrong}</p>
          </div>
        )}
        <ol class="places">
          <Place number={1} title={t.keypad.title} text={t.keypad.text(BADGE)} drawing={<Felt t={t} />}>
            <a class="button go door" href={inLocale(keypadAddress(demo))} target="_blank" rel="noopener">
              {t.keypad.open}
              <Arrow />
            </a>
          </Place>
          <Place
            number={2}
            title={t.sign.title}
            text={t.sign.text}
            drawing={<Sign t={t} level={named(level?.level ?? "")} amount={amount} />}
          >
            <a class="button plain door" href={inLocale(`/sign/${demo.link}`)} target="_blank" rel="noopener">
              {t.sign.open}
              <Arrow />
            </a>
          </Place>
          <Place
            number={3}
            title={t.floor.title}
            text={pin ? t.floor.withPin(pin) : t.floor.text}
            drawing={<WaitingHit t={t} amount={amount} />}
          >
            <Doors t={t} people={supervisors} address="/floor" entering={entering} pins />
          </Place>
          <Place number={4} title={t.office.title} text={t.office.text} drawing={<SawTooth />}>
            <Doors
              t={t}
              people={peopleOf(demo, ["manager", "auditor", "administrator"])}
              address="/office"
              entering={entering}
            />
          </Place>
        </ol>
        <p class="one-session">{t.oneSession}</p>
        <dl class="glossary" aria-label={t.glossaryTitle}>
          {t.glossary.map(([word, meaning]) => (
            <div key={word}>
              <dt>{word}</dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
      </main>
      <footer class="front-foot">
        <nav aria-label={t.allSigns}>
          <a href={inLocale("/manual")}>{t.manual}</a>
          {links
            .filter((one) => one.link !== demo.link)
            .map((one) => (
              <a key={one.link} href={inLocale(`/sign/${one.link}`)}>
                {t.sign.title}: {one.link}
              </a>
            ))}
        </nav>
        <p>{link?.title && t.rules(link.title)}</p>
      </footer>
    </div>
  );
}
