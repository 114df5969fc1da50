// The tables of the house: joining, disabling, and leaving for good.

import { useState } from "preact/hooks";
import { api, dataOf, type Schema } from "../../api/client.js";
import { Status } from "../../staff/controls.js";
import { named, when } from "../format.js";
import { Ask, AskReason, Check, type FormState, Input } from "../form.js";
import { allPages, useLoad } from "../load.js";
import { useOffice } from "../office.js";
import { Card, Facts, Head, State, useLinks } from "../parts.js";
import { to } from "../router.js";
import { Empty, Ready, Table } from "../table.js";
import { usePaytables } from "./open-link.js";
import { PitOfTable } from "./presentation.js";

type Listed = Schema<"ListedTable">;

const EVERY_MS = 3_000;

export function useTables(everyMs?: number) {
  return useLoad(
    "tables",
    () =>
      allPages<Listed>(async (after) => {
        const page = await dataOf(api.GET("/v1/tables", { params: { query: after ? { after } : {} } }));
        return { rows: page.tables, more: page.more, next: page.next ?? null };
      }),
    everyMs,
  );
}

interface Joining extends Record<string, string> {
  table: string;
  link: string;
  paytable: string;
  game: string;
  seats: string;
  confirm: string;
}

/** The fields of a table that joins: link first, since wager and decks are those of the link. */
function JoinFields({ form }: { form: FormState<Joining> }) {
  const { t } = useOffice();
  const x = t.house.tables;
  const links = useLinks();
  const paytables = usePaytables();
  const link = links.data?.find((one) => one.link === form.values.link);
  const id = form.values.paytable || link?.paytable || "";
  const paytable = paytables.data?.find((one) => one.paytable === id);
  return (
    <>
      <Input form={form} name="table" label={x.name} required />
      <Input
        form={form}
        name="link"
        label={t.link}
        required
        options={[["", ""], ...(links.data ?? []).map((one) => [one.link, one.link] as const)]}
      />
      <Input
        form={form}
        name="paytable"
        label={x.paytable}
        hint={x.paytableHint}
        options={[["", link?.title ?? ""], ...(paytables.data ?? []).map((one) => [one.paytable, one.title] as const)]}
      />
      <div class="form-row">
        <Input
          form={form}
          name="game"
          label={t.game}
          required
          options={[
            ["", ""],
            ...(paytable?.games ?? []).map(({ game }) => [game, t.games[game] ?? named(game)] as const),
          ]}
        />
        <Input form={form} name="seats" label={t.seats} required numeric />
      </div>
      {(paytable?.not_in_source.length ?? 0) > 0 && (
        <Check form={form} name="confirm">
          {x.confirm}
        </Check>
      )}
    </>
  );
}

function Join({ done }: { done(table: string): void }) {
  const { t } = useOffice();
  const x = t.house.tables;
  const links = useLinks();
  return (
    <Ask<Joining>
      label={x.join}
      title={x.joinTitle}
      text={x.joinText}
      action={x.joinAction}
      buttonKind="go"
      initial={{ table: "", link: "", paytable: "", game: "", seats: "6", confirm: "" }}
      send={async (values) => {
        const link = links.data?.find((one) => one.link === values.link);
        await api.PUT("/v1/tables/{table}", {
          params: { path: { table: values.table.trim() } },
          body: {
            link: values.link,
            game: values.game,
            seats: Number(values.seats),
            paytable: values.paytable || (link?.paytable ?? ""),
            wager: link?.wager ?? "",
            decks: link?.decks ?? 1,
            ...(values.confirm === "yes" ? { confirm_inferred: true } : {}),
          },
        });
        done(values.table.trim());
      }}
    >
      {(form) => <JoinFields form={form} />}
    </Ask>
  );
}

export function Tables() {
  const { t, locale, may } = useOffice();
  const x = t.house.tables;
  const tables = useTables(EVERY_MS);
  const [joined, setJoined] = useState<string | null>(null);
  const pits = tables.data?.some((row) => row.pit) ?? false;
  return (
    <>
      <Head title={x.title} under={x.under}>
        {may("configure") && (
          <Join
            done={(table) => {
              setJoined(table);
              tables.reload();
            }}
          />
        )}
      </Head>
      {joined && (
        <p role="status" class="with-state">
          <Status icon="done" tone="teal">
            {x.joined(joined)}
          </Status>
          <a href={to("tables", joined)}>{x.openTable}</a>
        </p>
      )}
      <Card>
        <Ready of={tables}>
          {(rows) =>
            rows.length === 0 ? (
              <Empty title={x.none}>{x.noneHint}</Empty>
            ) : (
              <Table<Listed>
                caption={x.title}
                rows={rows}
                rowKey={(row) => row.table}
                chosen={(row) => row.table === joined}
                href={(row) => to("tables", row.table)}
                columns={[
                  { head: t.table, name: true, cell: (row) => row.table },
                  { head: t.state, cell: (row) => <State of={row.state} /> },
                  { head: t.game, cell: (row) => t.games[row.game] ?? named(row.game) },
                  { head: t.seats, figure: true, cell: (row) => row.seats },
                  ...(pits ? [{ head: x.pit, cell: (row: Listed) => row.pit ?? "" }] : []),
                  { head: t.link, cell: (row) => <a href={to("links", row.link)}>{row.link}</a> },
                  { head: x.linkState, cell: (row) => <State of={row.link_state} /> },
                  { head: x.heard, cell: (row) => (row.heard_at ? when(row.heard_at, locale) : t.never) },
                ]}
              />
            )
          }
        </Ready>
      </Card>
    </>
  );
}

type Found = Schema<"Table">;

function Switch({ table, done }: { table: Found; done(): void }) {
  const { t } = useOffice();
  const x = t.house.tables;
  const params = { path: { table: table.table } };
  if (table.state === "disabled")
    return (
      <Ask
        label={x.enable}
        title={x.enableTitle(table.table)}
        text={x.enableText}
        action={x.enableAction}
        buttonKind="go"
        initial={{}}
        send={() => api.DELETE("/v1/tables/{table}/disabled", { params })}
        done={done}
      />
    );
  return (
    <AskReason
      label={x.disable}
      title={x.disableTitle(table.table)}
      text={x.disableText}
      action={x.disableAction}
      kind="stop"
      send={(body) => api.PUT("/v1/tables/{table}/disabled", { params, body })}
      done={done}
    />
  );
}

function Leave({ table, done }: { table: Found; done(): void }) {
  const { t } = useOffice();
  const x = t.house.tables;
  return (
    <AskReason
      label={x.leave}
      title={x.leaveTitle(table.table)}
      text={x.leaveText}
      action={x.leaveAction}
      kind="stop"
      buttonKind="stop"
      send={(body) => api.PUT("/v1/tables/{table}/departure", { params: { path: { table: table.table } }, body })}
      done={done}
    />
  );
}

export function TableView({ table: name }: { table: string }) {
  const { t, locale, may, whoMay } = useOffice();
  const x = t.house.tables;
  const table = useLoad(
    name,
    () => dataOf(api.GET("/v1/tables/{table}", { params: { path: { table: name } } })),
    EVERY_MS,
  );
  const found = table.data;
  const listed = useTables();
  const row = listed.data?.find((one) => one.table === name);
  const stays = found && found.state !== "left";
  return (
    <>
      <Head title={`${t.table} ${name}`} above={<a href={to("tables")}>{x.title}</a>}>
        {found && <State of={found.state} />}
        {stays && row && may("configure") && <PitOfTable table={name} pit={row.pit ?? ""} done={listed.reload} />}
        {stays && may("run") && <Switch table={found} done={table.reload} />}
        {stays && may("configure") && <Leave table={found} done={table.reload} />}
        {found && !may("run") && <span class="secondary">{whoMay("run")}</span>}
      </Head>
      <Ready of={table} missing={x.unknown(name)}>
        {(data) => (
          <div class="columns halves">
            <Card title={t.games[data.game] ?? named(data.game)}>
              <Facts
                rows={[
                  [t.link, <a href={to("links", data.link)}>{data.link}</a>],
                  [t.seats, data.seats],
                  [x.paytable, data.table_paytable],
                  [x.wager, data.wager],
                  [x.decks, data.decks],
                  [x.heard, data.heard_at ? when(data.heard_at, locale) : t.never],
                  [x.lastNumber, data.last_sequence],
                  ...(data.disabled_reason ? [[x.reason, data.disabled_reason] as const] : []),
                ]}
              />
              {data.must_resume && <p class="secondary">{x.mustResume}</p>}
            </Card>
            <Card title={x.roundOf}>
              {data.round ? (
                <Facts
                  rows={[
                    [t.books.hit.round, data.round.round],
                    [t.state, x.roundStates[data.round.state] ?? data.round.state],
                    [x.seatsIn, data.round.seats.join(", ")],
                    [
                      x.openHits,
                      data.round.hits.length === 0
                        ? t.none
                        : data.round.hits.map((hit) => (
                            <a key={hit.hit} href={to("hits", hit.hit)}>
                              {hit.hit}{" "}
                            </a>
                          )),
                    ],
                  ]}
                />
              ) : (
                <p class="secondary">{x.noRound}</p>
              )}
            </Card>
          </div>
        )}
      </Ready>
    </>
  );
}
