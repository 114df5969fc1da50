// The waiting hits, the oldest on top, and the hits of today.

import { PlayingCard, Status } from "../staff/controls.js";
import { actionOf } from "./actions.js";
import { now, serverNow, staleSince } from "./live.js";
import { type Hit, ageText, isLong } from "./model.js";
import { Heading, HitStatus } from "./parts.js";
import { go, routeAddress } from "./route.js";
import { recent, tables, waiting } from "./store.js";
import { amountOf } from "./sum.js";
import { PitTiles } from "./tables.js";
import { useWords } from "./words.js";

/** Age of a hit, which counts each second. Screen readers are not told: it would never be quiet. */
export function Age({ hit }: { hit: Hit }) {
  const { t } = useWords();
  void now.value;
  const age = serverNow() - Date.parse(hit.keyed_at);
  return (
    <span class="age" aria-hidden="true">
      <span class="figure">{ageText(age)}</span>
      <span class="age-word">
        {t.list.waiting}
        {isLong(age) && <strong> · {t.list.long}</strong>}
      </span>
    </span>
  );
}

function HitName({ hit }: { hit: Hit }) {
  const words = useWords();
  return (
    <span class="hit-name">
      <strong>{words.what(hit)}</strong>
      <span class="secondary">
        {words.place(hit)} · {words.takesShort(hit)}
      </span>
    </span>
  );
}

function Oldest({ hit }: { hit: Hit }) {
  const words = useWords();
  return (
    <a class="hit oldest" href={routeAddress("hits", hit.hit)} data-hit={hit.hit}>
      <Age hit={hit} />
      <HitName hit={hit} />
      <span class="hit-amount">
        <span class="figure">{words.money(amountOf(hit))}</span>
        <HitStatus hit={hit} />
      </span>
      <span class="hit-cards">
        {hit.cards?.map((card) => <PlayingCard key={card} card={card} width={54} />) ?? (
          <span class="secondary">{words.t.felt.noCards}</span>
        )}
      </span>
      <span class="button go look">
        {words.t.list.look}
        <Chevron />
      </span>
    </a>
  );
}

function Chevron() {
  return (
    <svg class="chevron" viewBox="0 0 24 24" aria-hidden="true">
      <path d="m9 5 7 7-7 7" fill="none" stroke="currentColor" stroke-width="2.4" />
    </svg>
  );
}

function HitRow({ hit, today = false }: { hit: Hit; today?: boolean }) {
  const words = useWords();
  return (
    <a class="hit row" href={routeAddress(today ? "today" : "hits", hit.hit)} data-hit={hit.hit}>
      {today ? (
        <span class="age">
          <span class="figure">{words.time(hit.keyed_at).slice(0, 5)}</span>
        </span>
      ) : (
        <Age hit={hit} />
      )}
      <HitName hit={hit} />
      <span class="hit-amount">
        <span class="figure">{words.money(amountOf(hit))}</span>
        {(today || actionOf(`decision ${hit.hit}`).unanswered) && <HitStatus hit={hit} />}
      </span>
      <Chevron />
    </a>
  );
}

function Nothing() {
  const { t, time } = useWords();
  const stale = staleSince(now.value);
  const playing = tables.value.filter((row) => row.state === "in_service").length;
  return (
    <section class="panel nothing">
      <svg viewBox="0 0 160 90" aria-hidden="true">
        <path
          d="M2 88V56C2 22 34 2 80 2s78 20 78 54v32Z"
          fill="var(--felt)"
          stroke="var(--hairline)"
          stroke-width="3"
        />
        {[
          [20, 58],
          [42, 36],
          [66, 24],
          [94, 24],
          [118, 36],
          [140, 58],
        ].map(([x, y]) => (
          <circle key={x} cx={x} cy={y} r="7" fill="none" stroke="var(--teal)" stroke-width="3" />
        ))}
      </svg>
      <h2>{stale === null ? t.list.allDecided : t.list.notKnown}</h2>
      <p class="secondary">{stale === null ? t.list.next(playing) : t.list.noneSince(time(stale))}</p>
    </section>
  );
}

function LastPaid() {
  const words = useWords();
  const paid = recent.value.find((hit) => hit.state === "paid");
  return (
    <footer class="last-paid">
      {paid && (
        <p>
          <Status icon="paid" tone="teal">
            {words.t.list.lastPaid}
          </Status>{" "}
          <a class="plain-link" href={routeAddress("today", paid.hit)}>
            {words.place(paid)} · {words.what(paid)} · {words.money(amountOf(paid))}
          </a>
        </p>
      )}
      <a class="button small quiet" href={routeAddress("today")} onClick={() => go("today")}>
        {words.t.list.allOfToday}
      </a>
    </footer>
  );
}

export function HitList() {
  const { t } = useWords();
  const [first, ...others] = waiting.value;
  return (
    <main class="place list-place">
      <div class="list-column">
        <div class="heading">
          <h1>{first ? t.list.wait(waiting.value.length) : t.list.none}</h1>
          {others.length > 0 && <span class="secondary">{t.list.oldest}</span>}
        </div>
        {first ? (
          <ul class="hits" data-arrows>
            <li key={first.hit}>
              <Oldest hit={first} />
            </li>
            {others.map((hit) => (
              <li key={hit.hit}>
                <HitRow hit={hit} />
              </li>
            ))}
          </ul>
        ) : (
          <Nothing />
        )}
        <LastPaid />
      </div>
      <aside class="pits" aria-label={t.places.tables}>
        <PitTiles />
        {tables.value.length > 0 && <p class="secondary">{t.list.tapTable}</p>}
      </aside>
    </main>
  );
}

export function TodayList() {
  const { t } = useWords();
  return (
    <main class="place">
      <Heading back={routeAddress("hits")} label={t.decision.backToHits}>
        <h1>{t.places.today}</h1>
      </Heading>
      {recent.value.length === 0 ? (
        <p class="secondary">{t.list.todayNone}</p>
      ) : (
        <ul class="hits" data-arrows>
          {recent.value.map((hit) => (
            <li key={hit.hit}>
              <HitRow hit={hit} today />
            </li>
          ))}
        </ul>
      )}
    </main>
  );
}
