// Tables by pit, and one table with its open round and its last hits.

import { useEffect } from "preact/hooks";
import { Status } from "../staff/controls.js";
import { Felt } from "./felt.js";
import { type ListedTable, byPit, tableWord } from "./model.js";
import { Heading, ShortHits } from "./parts.js";
import { routeAddress } from "./route.js";
import { TABLE_SIGNS } from "./states.js";
import { links, loadTable, recent, tableStates, tables, waiting } from "./store.js";
import { useWords } from "./words.js";

function wordOf(table: ListedTable) {
  const pending = waiting.value.some((hit) => hit.table === table.table);
  return tableWord(table, tableStates.value[table.table]?.round, pending);
}

function Tile({ table }: { table: ListedTable }) {
  const { t } = useWords();
  const word = wordOf(table);
  const [icon, tone] = TABLE_SIGNS[word];
  return (
    <a class={`tile ${word}`} href={routeAddress("tables", table.table)}>
      <span class="figure">{table.table}</span>
      <Status icon={icon} tone={tone}>
        {t.tableStates[word]}
      </Status>
    </a>
  );
}

/** Links that take no coin-in, with the reason: none of their tables plays. */
function StoppedLinks() {
  const { t } = useWords();
  return (
    <>
      {links.value
        .filter((link) => link.state !== "open")
        .map((link) => (
          <section class="panel pit stopped" key={link.link}>
            <Status icon={link.state === "faulted" ? "error" : "disabled"} tone="vermilion">
              {t.list.stopped(link.link, t.list.linkStates[link.state] ?? link.state)}
            </Status>
            {link.reason && <p class="secondary">{link.reason}</p>}
          </section>
        ))}
    </>
  );
}

export function PitTiles() {
  const { t } = useWords();
  const pits = byPit(tables.value);
  if (pits.length === 0) return <p class="secondary">{t.list.noTables}</p>;
  return (
    <>
      <StoppedLinks />
      {pits.map((pit) => (
        <section class="panel pit" key={`${pit.isPit} ${pit.name}`}>
          <div class="pit-head">
            <h2>{pit.isPit ? t.list.pit(pit.name) : t.list.link(pit.name)}</h2>
            <span class="secondary">{t.list.tables(pit.tables.length)}</span>
          </div>
          <ul class="tiles" data-arrows>
            {pit.tables.map((table) => (
              <li key={table.table}>
                <Tile table={table} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

function OneTable({ table }: { table: ListedTable }) {
  const words = useWords();
  const { t } = words;
  useEffect(() => void loadTable(table.table).catch(() => {}), [table.table]);
  const state = tableStates.value[table.table];
  const word = wordOf(table);
  const [icon, tone] = TABLE_SIGNS[word];
  const hits = recent.value.filter((hit) => hit.table === table.table);
  return (
    <main class="place hit-place">
      <Heading back={routeAddress("tables")} label={t.tables.back}>
        <h1>{table.table}</h1>
        <span class="secondary">
          {words.game(table.game)} · {table.link}
        </span>
        <span class="heading-end">
          <Status icon={icon} tone={tone}>
            {t.tableStates[word]}
          </Status>
        </span>
      </Heading>
      <div class="hit-columns">
        <section class="evidence" aria-label={t.tables.openRound}>
          {state?.round ? (
            <Felt seats={table.seats} round={state.round} hit={null} />
          ) : (
            <p class="panel secondary">{t.tables.noRound}</p>
          )}
          {state?.disabled_reason && <p>{t.tables.disabledReason(state.disabled_reason)}</p>}
          <p class="secondary">{table.heard_at ? t.tables.heard(words.time(table.heard_at)) : t.tables.neverHeard}</p>
        </section>
        <section class="panel decision">
          <h2>{t.tables.lastHits}</h2>
          {hits.length === 0 && <p class="secondary">{t.tables.noHits}</p>}
          <ShortHits
            hits={hits}
            place={words.seat}
            address={(hit) => routeAddress(hit.state === "pending" ? "hits" : "today", hit.hit)}
          />
          <a class="button quiet push" href={routeAddress("two-people", `late/${table.table}`)}>
            {t.tables.lateHit}
          </a>
        </section>
      </div>
    </main>
  );
}

export function TablesPage({ open }: { open: string | null }) {
  const { t } = useWords();
  const found = open ? tables.value.find((row) => row.table === open) : undefined;
  if (found) return <OneTable table={found} />;
  return (
    <main class="place">
      <div class="heading">
        <h1>{t.places.tables}</h1>
        <span class="secondary">{t.list.tapTable}</span>
      </div>
      {open && (
        <p role="alert" class="pin-wrong">
          {t.tables.noTable(open)}
        </p>
      )}
      <div class="all-pits">
        <PitTiles />
      </div>
    </main>
  );
}
