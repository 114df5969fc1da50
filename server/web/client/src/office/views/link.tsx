// One link: what it shows, its state, its terms, and what a manager may do with it.

import { Problem, api, dataOf } from "../../api/client.js";
import { withAmounts } from "../../staff/amount.js";
import { Icon } from "../../staff/icons.js";
import { amount, count, named } from "../format.js";
import { Ask, AskReason, Form, Input, useForm } from "../form.js";
import { useLoad } from "../load.js";
import { useOffice } from "../office.js";
import { Card, Facts, Head, type Link, OnlyFor, State } from "../parts.js";
import { to } from "../router.js";
import { Empty, Ready, Table } from "../table.js";
import { AdoptedTables } from "./link-adopted.js";
import { LinkPresentation } from "./presentation.js";

const EVERY_MS = 2_000;

interface Props {
  link: Link;
  done(): void;
}

/** Suspends a link that is open, and resumes one that is suspended. */
function Suspension({ link, done }: Props) {
  const { t, may } = useOffice();
  const l = t.links;
  const params = { path: { link: link.link } };
  if (!may("run") || link.state === "faulted") return null;
  if (link.state === "open")
    return (
      <AskReason
        label={l.suspend}
        title={l.suspendTitle(link.link)}
        text={l.suspendText}
        action={l.suspendAction}
        kind="stop"
        buttonKind="stop"
        send={(body) => api.PUT("/v1/links/{link}/suspension", { params, body })}
        done={done}
        hint={l.publicReason}
      />
    );
  if (link.values_accepted === false) return null;
  return (
    <Ask
      label={l.resume}
      title={l.resumeTitle(link.link)}
      text={l.resumeText}
      action={l.resumeAction}
      buttonKind="go"
      initial={{}}
      send={() => api.DELETE("/v1/links/{link}/suspension", { params })}
      done={done}
    />
  );
}

function LevelSwitch({ link, level, done }: Props & { level: Link["levels"][number] }) {
  const { t, may } = useOffice();
  const l = t.links;
  const params = { path: { link: link.link, level: level.level } };
  if (!may("run")) return null;
  if (level.disabled)
    return (
      <Ask
        label={l.enable}
        title={l.enableTitle(t.levelNamed(level.level))}
        text={l.enableText}
        action={l.enableAction}
        initial={{}}
        send={() => api.DELETE("/v1/links/{link}/levels/{level}/disabled", { params })}
        done={done}
      />
    );
  return (
    <AskReason
      label={l.disable}
      title={l.disableTitle(t.levelNamed(level.level))}
      text={l.disableText}
      action={l.disableAction}
      kind="stop"
      send={(body) => api.PUT("/v1/links/{link}/levels/{level}/disabled", { params, body })}
      done={done}
    />
  );
}

/** The first values: the manager names what each level opened with, from the filing. */
function FirstValues({ link, done }: Props) {
  const { t, locale, may } = useOffice();
  const a = t.links.accept;
  const initial = Object.fromEntries(link.levels.map((level) => [level.level, ""]));
  const form = useForm<Record<string, string>>(initial, async (given) => {
    const values = withAmounts(given, Object.keys(initial), locale);
    await api.PUT("/v1/links/{link}/values", {
      params: { path: { link: link.link } },
      body: { values: link.levels.map(({ level }) => ({ level, amount: values[level] ?? "" })) },
    });
    done();
  });
  return (
    <Card title={a.title}>
      <p class="secondary">{a.text}</p>
      {may("configure") ? (
        <Form form={form} action={a.action}>
          {link.levels.map(({ level }, index) => (
            <Input
              key={level}
              form={form}
              name={level}
              field={`values[${index}].amount`}
              wrong={form.error instanceof Problem && form.error.fields["level"] === level}
              label={a.value(t.levelNamed(level))}
              required
              amount
            />
          ))}
        </Form>
      ) : (
        <OnlyFor right="configure" />
      )}
    </Card>
  );
}

/** What two people have to do before the link plays. */
function TwoPeople({ link }: { link: Link }) {
  const { t, may } = useOffice();
  const l = t.links;
  const notice = link.state === "faulted" ? l.faulted : l.acknowledge;
  const change = link.state === "faulted" ? "clear_fault" : "acknowledge_returns";
  return (
    <Card title={notice.title}>
      <p class="secondary">{notice.text}</p>
      {may("reset") ? (
        <a class="button plain small" href={`${to("proposals", link.link, "new")}?change=${change}`}>
          {notice.action}
        </a>
      ) : (
        <OnlyFor right="reset" />
      )}
    </Card>
  );
}

function Levels({ link, done }: Props) {
  const { t, locale, may } = useOffice();
  const l = t.links;
  return (
    <Card title={l.levels} side={<span>{l.batch(count(link.batch, locale))}</span>}>
      {link.levels.length === 0 ? (
        <Empty title={l.history.noLevels} />
      ) : (
        <Table
          caption={l.levels}
          rows={link.levels}
          rowKey={(level) => level.level}
          columns={[
            { head: t.level, name: true, cell: (level) => t.levelNamed(level.level) },
            {
              head: t.amount,
              figure: true,
              cell: (level) => <span class="big">{amount(level.amount, locale, "money")}</span>,
            },
            {
              head: l.ceiling,
              figure: true,
              cell: (level) => (level.ceiling ? amount(level.ceiling, locale, "money") : t.none),
            },
            { head: t.state, cell: (level) => <State of={level.disabled ? "disabled" : "enabled"} /> },
            {
              head: "",
              cell: (level) => (
                <div class="row-actions">
                  {may("read_link") && (
                    <a class="button quiet small" href={to("history", link.link, level.level)}>
                      {t.nav.history}
                    </a>
                  )}
                  <LevelSwitch link={link} level={level} done={done} />
                </div>
              ),
            },
          ]}
        />
      )}
    </Card>
  );
}

function Terms({ link }: { link: Link }) {
  const { t, locale } = useOffice();
  const l = t.links;
  const { settings, returns } = link;
  return (
    <Card title={l.settings}>
      <Facts
        rows={[
          [l.paytable, link.title ?? link.paytable],
          [l.wager, amount(link.wager, locale, "money")],
          [l.decks, link.decks],
          [l.boxes, link.boxes_max ?? l.noLimit],
          ...(settings
            ? ([
                [l.rate, settings.rounds_a_minute_max ?? l.noLimit],
                [l.silence, l.seconds(settings.silence_seconds_max)],
                [l.badge, settings.badge_required ? l.needed : l.notNeeded],
                ...(settings.magic_card_one_in ? [[t.kinds["magic_card"], l.oneIn(settings.magic_card_one_in)]] : []),
                ...(settings.lucky_bonus_one_in
                  ? [[t.kinds["lucky_bonus"], l.oneIn(settings.lucky_bonus_one_in)]]
                  : []),
              ] as [string, string | number][])
            : []),
          ...(returns
            ? ([
                [l.returns, returns.long_run.percent],
                [l.returnsTotal, returns.total.percent],
              ] as [string, string][])
            : []),
        ]}
      />
    </Card>
  );
}

function LinkTables({ link }: { link: Link }) {
  const { t, may } = useOffice();
  return (
    <Card title={t.tables}>
      {link.tables.length === 0 ? (
        <Empty title={t.links.noTables}>{t.links.noTablesHint}</Empty>
      ) : (
        <Table
          caption={t.tables}
          rows={link.tables}
          rowKey={(table) => table.table}
          href={(table) => (may("read_floor") ? to("tables", table.table) : null)}
          columns={[
            { head: t.table, name: true, cell: (table) => table.table },
            { head: t.game, cell: (table) => t.games[table.game] ?? named(table.game) },
            { head: t.seats, figure: true, cell: (table) => table.seats },
            { head: t.state, cell: (table) => <State of={table.state} /> },
          ]}
        />
      )}
    </Card>
  );
}

function Found({ link, done }: Props) {
  const { t, may } = useOffice();
  const l = t.links;
  const first = link.values_accepted === false;
  const acknowledge = !first && link.state === "suspended" && link.returns?.two_people === true;
  return (
    <>
      {link.reason && (
        <div class="notice">
          <Icon name={link.state === "faulted" ? "error" : "locked"} />
          <p>{first ? l.waitsForValues : link.reason}</p>
        </div>
      )}
      <div class="columns decision">
        <div class="stack">
          <Levels link={link} done={done} />
          <LinkTables link={link} />
          <AdoptedTables link={link} />
        </div>
        <div class="stack">
          {first && <FirstValues link={link} done={done} />}
          {(link.state === "faulted" || acknowledge) && <TwoPeople link={link} />}
          <LinkPresentation link={link} done={done} />
          <Terms link={link} />
          {may("adjust") && (
            <Card title={l.notes}>
              <a class="button quiet small" href={to("proposals", link.link, "new")}>
                {l.propose}
              </a>
            </Card>
          )}
        </div>
      </div>
    </>
  );
}

export function LinkView({ link: name }: { link: string }) {
  const { t } = useOffice();
  const link = useLoad(name, () => dataOf(api.GET("/v1/links/{link}", { params: { path: { link: name } } })), EVERY_MS);
  return (
    <>
      <Head title={t.linkNamed(name)} above={<a href={to("links")}>{t.links.title}</a>}>
        {link.data && <State of={link.data.state} />}
        {link.data && (
          <a class="button quiet small" href={`/sign/${name}`} target="_blank">
            {t.links.sign}
          </a>
        )}
        {link.data && <Suspension link={link.data} done={link.reload} />}
      </Head>
      <Ready of={link} missing={t.noLink(name)}>
        {(found) => <Found link={found} done={link.reload} />}
      </Ready>
    </>
  );
}
