// The screens: those that were paired, with what each shows; and the sign of each link by its address, without a pairing.

import { api, dataOf, type Schema } from "../../api/client.js";
import type { IconName } from "../../staff/icons.js";
import { Status, type Tone } from "../../staff/controls.js";
import { Ask, Check, Input } from "../form.js";
import { amount, when } from "../format.js";
import { allPages, useLoad } from "../load.js";
import { useOffice } from "../office.js";
import { Card, Head, type Link, State, useLinks } from "../parts.js";
import { to } from "../router.js";
import { type ScreenWord, boxOf, heardAt, pairingOf, screenWord } from "../screen-state.js";
import { Empty, Ready, Table } from "../table.js";

type Screen = Schema<"Screen">;

const EVERY_MS = 3_000;

const LOOKS: Readonly<Record<ScreenWord, readonly [IconName, Tone]>> = {
  showing: ["done", "teal"],
  stale: ["pending", "amber"],
  silent: ["lost", "vermilion"],
  difference: ["error", "vermilion"],
  waiting: ["pending", "text-2"],
};

export function ScreenStatus({ word }: { word: ScreenWord }) {
  const { t } = useOffice();
  const [icon, tone] = LOOKS[word];
  return (
    <Status icon={icon} tone={tone}>
      {t.house.screens.words[word]}
    </Status>
  );
}

/** The amounts that a screen showed of a link, level by level. */
export function Amounts({ shown }: { shown: Pick<Schema<"Shown">, "levels"> }) {
  const { t, locale } = useOffice();
  if (shown.levels.length === 0) return <span class="secondary">{t.house.screens.noAmounts}</span>;
  return (
    <>
      {shown.levels.map(({ level, amount: text }) => (
        <span class="spaced" key={level}>
          {level} <strong>{amount(text, locale, "money")}</strong>
        </span>
      ))}
    </>
  );
}

export function useScreens() {
  return useLoad(
    "screens",
    () =>
      allPages<Screen>(async (after) => {
        const page = await dataOf(api.GET("/v1/screens", { params: { query: after ? { after } : {} } }));
        return { rows: page.screens, more: page.more, next: page.next ?? null };
      }),
    EVERY_MS,
  );
}

/** The question for a screen's code, its name and its links. A screen shows the code until then. */
function Pair({ links, done }: { links: readonly Link[]; done(): void }) {
  const { t } = useOffice();
  const s = t.house.screens;
  const boxes = Object.fromEntries(links.map(({ link }) => [boxOf(link), links.length === 1 ? "yes" : ""]));
  return (
    <Ask<Record<string, string>>
      label={s.pair}
      title={s.pairTitle}
      text={s.pairText(`${location.origin}/sign`)}
      action={s.pairAction}
      buttonKind="go"
      initial={{ code: "", screen: "", replaces: "", ...boxes }}
      send={(values) =>
        api.PUT("/v1/screens/{screen}", {
          params: { path: { screen: (values["screen"] ?? "").trim() } },
          body: pairingOf(values),
        })
      }
      done={done}
    >
      {(form) => (
        <>
          <Input form={form} name="code" label={s.code} hint={s.codeHint} required />
          <Input form={form} name="screen" label={s.name} hint={s.nameHint} required />
          <fieldset class="boxes">
            <legend>{s.links}</legend>
            {links.map(({ link }) => (
              <Check form={form} name={boxOf(link)} key={link}>
                {link}
              </Check>
            ))}
          </fieldset>
          <Check form={form} name="replaces">
            {s.replaces}
          </Check>
        </>
      )}
    </Ask>
  );
}

function Paired() {
  const { t, locale, may, whoMay } = useOffice();
  const s = t.house.screens;
  const screens = useScreens();
  const links = useLinks();
  return (
    <Card
      title={s.paired}
      side={
        may("run") ? (
          links.data && <Pair links={links.data} done={screens.reload} />
        ) : (
          <p class="secondary">{whoMay("run")}</p>
        )
      }
    >
      <Ready of={screens}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title={s.none}>{s.noneHint(`${location.origin}/sign`)}</Empty>
          ) : (
            <Table<Screen>
              caption={s.paired}
              rows={rows}
              rowKey={(screen) => screen.screen}
              href={(screen) => to("screens", screen.screen)}
              columns={[
                { head: t.name, name: true, cell: (screen) => screen.screen },
                { head: t.state, cell: (screen) => <ScreenStatus word={screenWord(screen)} /> },
                { head: s.shows, wide: true, cell: (screen) => <Shows screen={screen} /> },
                { head: s.heard, cell: (screen) => time(heardAt(screen), locale, s.never) },
              ]}
            />
          )
        }
      </Ready>
    </Card>
  );
}

function time(at: string | null, locale: string, never: string): string {
  return at === null ? never : when(at, locale, "time");
}

/** What a screen shows of each of its links, and since when. */
function Shows({ screen }: { screen: Screen }) {
  const { locale, t } = useOffice();
  return (
    <>
      {screen.links.map((link) => {
        const shown = screen.shown.find((one) => one.link === link);
        return (
          <p class="shows" key={link}>
            <span class="spaced secondary">{link}</span>
            {shown && <Amounts shown={shown} />}
            {shown && <span class="secondary">{t.house.screens.since(when(shown.since, locale, "time"))}</span>}
          </p>
        );
      })}
    </>
  );
}

/** The sign of each link by its address: a screen without a pairing. */
function Addresses() {
  const { t } = useOffice();
  const s = t.house.screens;
  const links = useLinks();
  return (
    <Card title={s.byAddress}>
      <p class="secondary">{s.byAddressText}</p>
      <Ready of={links}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title={t.noLinks}>{t.noLinksHint}</Empty>
          ) : (
            <Table
              caption={s.byAddress}
              rows={rows}
              rowKey={(link) => link.link}
              columns={[
                { head: t.link, name: true, cell: (link) => link.link },
                { head: t.state, cell: (link) => <State of={link.state} /> },
                { head: s.address, cell: (link) => `${location.origin}/sign/${link.link}` },
                {
                  head: s.themes,
                  cell: (link) =>
                    Object.entries(s.themeNames).map(([theme, name]) => (
                      <a
                        key={theme}
                        class="spaced"
                        href={`/sign/${link.link}?theme=${theme}`}
                        target="_blank"
                        rel="noopener"
                      >
                        {name}
                      </a>
                    )),
                },
              ]}
            />
          )
        }
      </Ready>
    </Card>
  );
}

export function Screens() {
  const { t, may } = useOffice();
  const s = t.house.screens;
  return (
    <>
      <Head title={s.title} under={s.under} />
      {may("read_floor") && <Paired />}
      <Addresses />
    </>
  );
}
