// The frame of the console: the bar with the amounts, and the rail with the places.

import { Icon, type IconName } from "../staff/icons.js";
import { now, staleSince } from "./live.js";
import { PersonMenu } from "./person.js";
import { type Place, go, route, routeAddress } from "./route.js";
import { knownHit, levels, links, openExceptions, openProposals, waiting } from "./store.js";
import { muted, screenOn, setMuted, sound, unlockSound } from "./tablet.js";
import { useWords } from "./words.js";

/** Levels that the bar has room for. */
const LEVELS_MOST = 4;

/** Returns the link whose amounts the bar shows: that of the open hit, else of the oldest that waits, else the first one. */
function shownLink(): string | null {
  const { place, open } = route.value;
  const hit = (place === "hits" || place === "today") && open ? knownHit(open) : null;
  return hit?.link ?? waiting.value[0]?.link ?? links.value[0]?.link ?? null;
}

export function TopBar() {
  const { t, money, level } = useWords();
  const link = shownLink();
  const stale = staleSince(now.value) !== null;
  const rows = link ? (levels.value[link] ?? []) : [];
  return (
    <header class="top-bar">
      <a class="mark" href={routeAddress("hits")} aria-label="Meterhouse">
        <svg viewBox="0 0 40 28" aria-hidden="true">
          <path
            d="M4 26 11 3v23L23 3l-2 23h14"
            fill="none"
            stroke="currentColor"
            stroke-width="3.6"
            stroke-linejoin="round"
            stroke-linecap="round"
          />
        </svg>
      </a>
      <dl class={`amounts ${stale ? "stale" : ""}`} aria-label={t.shell.amounts}>
        {links.value.length > 1 && link && <dt class="link-name">{link}</dt>}
        {rows.slice(0, LEVELS_MOST).map((row) => (
          <div key={row.level}>
            <dt>{level(row.level)}</dt>
            <dd class="figure">{money(row.amount)}</dd>
          </div>
        ))}
      </dl>
      <TabletState />
      <PersonMenu />
    </header>
  );
}

function TabletState() {
  const { t, time } = useWords();
  const since = staleSince(now.value);
  const asleep = sound.value === "asleep" && !muted.value;
  const text = muted.value ? t.shell.soundOff : asleep ? t.shell.soundAsleep : t.shell.soundOn;
  return (
    <>
      {since !== null ? (
        <p class="status stale-mark" role="status">
          <Icon name="lost" />
          {t.shell.stale(time(since))}
        </p>
      ) : (
        screenOn.value !== null && (
          <p class="status quiet-state">
            <Icon name="awake" />
            {screenOn.value ? t.shell.screenOn : t.shell.screenOff}
          </p>
        )
      )}
      <button
        type="button"
        class="status quiet-state sound"
        aria-pressed={!muted.value}
        onClick={() => (asleep ? void unlockSound() : setMuted(!muted.value))}
      >
        <Icon name={muted.value ? "muted" : "sound"} />
        {text}
      </button>
    </>
  );
}

interface RailKey {
  place: Place;
  icon: IconName;
  count: number;
  kind: "money" | "alarms" | "people";
}

export function Rail() {
  const { t } = useWords();
  const keys: RailKey[] = [
    { place: "hits", icon: "pending", count: waiting.value.length, kind: "money" },
    { place: "tables", icon: "open", count: 0, kind: "money" },
    { place: "exceptions", icon: "error", count: openExceptions.value.length, kind: "alarms" },
    { place: "two-people", icon: "people", count: openProposals.value.length, kind: "people" },
  ];
  const here = route.value.place === "today" ? "hits" : route.value.place;
  return (
    <nav class="rail" aria-label={t.title} data-arrows>
      {keys.map(({ place, icon, count, kind }) => (
        <a
          key={place}
          href={routeAddress(place)}
          class="rail-key"
          aria-current={here === place ? "page" : undefined}
          onClick={() => go(place)}
        >
          <Icon name={icon} />
          <span>{t.places[place]}</span>
          {count > 0 && (
            <span class={`badge ${kind}`}>
              {count}
              <span class="unseen"> {t.shell.badge(count)}</span>
            </span>
          )}
        </a>
      ))}
    </nav>
  );
}
