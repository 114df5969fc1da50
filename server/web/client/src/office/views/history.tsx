// The history of a level: the saw-tooth of meter and reserve, its hits, and how the amount of one of them arose.

import { useEffect, useState } from "preact/hooks";
import { Button } from "../../staff/controls.js";
import { amount, named, when } from "../format.js";
import { useLoad } from "../load.js";
import { useOffice } from "../office.js";
import { Head, type Link, LinkChoice, Segments, useLinks } from "../parts.js";
import { type History as Data, historyOf, lifeOf, overviewOf, seedOf } from "../plot/history-data.js";
import { HistoryPlot } from "../plot/history-plot.js";
import { type Mark, type Span, inside, moved, neighbour, rangeOf, undone, whole, zoomed } from "../plot/history.js";
import { Strip } from "../plot/strip.js";
import { go, query, setQuery, to } from "../router.js";
import { Empty, Ready } from "../table.js";
import { downloadHits } from "./history-csv.js";
import { HitBooks, HitsInView, StepsInView } from "./history-hits.js";

/** Share of a period by which a key or button zooms and moves. */
const ZOOM = 0.5;
const MOVE = 0.4;

/** The shapes of marks in the legend. */
const WHOLE = { class: "whole", d: "M10 1l9 9l-9 9l-9 -9z" };
const PART = { class: "part", d: "M3 4h14l-7 12z" };

/** Returns a hit for each entry of the legend: the hand that takes all, then those that take a part. */
function legendOf(marks: readonly Mark[]): Mark[] {
  const seen = new Map(marks.map((mark) => [`${mark.hand} ${mark.percent}`, mark]));
  return [...seen.values()].sort((one, other) => Number(whole(other)) - Number(whole(one)));
}

function Legend({ data, reserve }: { data: Data; reserve: boolean }) {
  const { t } = useOffice();
  const h = t.links.history;
  const hand = (mark: Mark) => t.hands[mark.hand ?? ""] ?? named(mark.hand ?? "");
  return (
    <ul class="legend plot-legend">
      <li>
        <svg viewBox="0 0 26 16" class="plot" aria-hidden="true">
          <path class="meter" d="M0 8H26" />
        </svg>
        {h.meter}
      </li>
      {reserve && (
        <li>
          <svg viewBox="0 0 26 16" class="plot" aria-hidden="true">
            <rect class="reserve-fill" x="0" y="3" width="26" height="12" />
            <path class="reserve" d="M0 3H26" />
          </svg>
          {h.reserve}
        </li>
      )}
      {legendOf(data.marks.filter((mark) => !undone(mark))).map((mark) => (
        <li key={mark.hit}>
          <svg viewBox="0 0 20 20" class="plot" aria-hidden="true">
            <path {...(whole(mark) ? WHOLE : PART)} />
          </svg>
          {h.share(hand(mark), mark.percent ?? 0)}
        </li>
      ))}
      {data.marks.some(undone) && (
        <li>
          <svg viewBox="0 0 20 20" class="plot" aria-hidden="true">
            <circle class="undone" cx="10" cy="10" r="6" />
          </svg>
          {h.undone}
        </li>
      )}
    </ul>
  );
}

interface PlotCardProps {
  link: Link;
  level: string;
  life: Span;
  span: Span;
  data: Data;
  chosen: string | null;
  choose(hit: string): void;
  zoom(span: Span): void;
}

function ZoomButtons({ life, span, zoom }: Pick<PlotCardProps, "life" | "span" | "zoom">) {
  const { t } = useOffice();
  const h = t.links.history;
  const middle = (span.from + span.until) / 2;
  const keys: readonly (readonly [string, string, () => Span])[] = [
    ["‹", h.earlier, () => moved(span, -MOVE, life)],
    ["›", h.later, () => moved(span, MOVE, life)],
    ["−", h.zoomOut, () => zoomed(span, middle, 1 / ZOOM, life)],
    ["+", h.zoomIn, () => zoomed(span, middle, ZOOM, life)],
  ];
  return (
    <div class="zoom">
      {keys.map(([sign, label, next]) => (
        <Button key={label} kind="quiet" small aria-label={label} title={label} onClick={() => zoom(next())}>
          {sign}
        </Button>
      ))}
    </div>
  );
}

/** Handles the keys of the plot: from hit to hit, zoom and movement. */
function onKey(event: KeyboardEvent, props: PlotCardProps): void {
  const { data, chosen, choose, zoom, span, life } = props;
  const direction = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : null;
  const middle = (span.from + span.until) / 2;
  if (direction !== null && event.shiftKey) zoom(moved(span, direction * MOVE, life));
  else if (direction !== null) {
    const mark = neighbour(data.marks, chosen, direction);
    if (mark) choose(mark.hit);
  } else if (event.key === "+" || event.key === "=") zoom(zoomed(span, middle, ZOOM, life));
  else if (event.key === "-") zoom(zoomed(span, middle, 1 / ZOOM, life));
  else return;
  event.preventDefault();
}

function PlotCard(props: PlotCardProps) {
  const { link, level, life, span, data } = props;
  const { t, locale } = useOffice();
  const h = t.links.history;
  const seed = useLoad(`seed ${link.link} ${level}`, () => seedOf(link, level));
  const overview = useLoad(`overview ${link.link} ${level} ${life.until}`, (signal) =>
    overviewOf({ link: link.link, level, signal }, life),
  );
  const reserve = data.points.some((point) => Number(point.reserve) > 0);
  const year = (at: number) => new Date(at).getFullYear();
  const years =
    year(life.from) === year(life.until) ? String(year(life.until)) : `${year(life.from)}–${year(life.until)}`;
  const dollars = (text: string) => amount(text, locale, "money");
  return (
    <section class="card plot-frame" aria-label={h.plotName(t.levelNamed(level), link.link)}>
      <div class="plot-head">
        {link.levels.length > 1 && (
          <Segments
            label={h.level}
            options={link.levels.map((one) => [one.level, t.levelNamed(one.level)])}
            value={level}
            choose={(next) => go(to("history", link.link, next) + location.search)}
          />
        )}
        <Legend data={data} reserve={reserve && data.steps === null} />
        <div class="card-side">
          <span>{data.steps === null ? h.hint : h.stepsHint}</span>
          <ZoomButtons life={life} span={span} zoom={props.zoom} />
        </div>
      </div>
      <div
        class="plot-keys"
        tabIndex={0}
        role="group"
        aria-label={h.plotKeys}
        onKeyDown={(event) => onKey(event, props)}
        onWheel={(event) => {
          if (!event.ctrlKey) return;
          event.preventDefault();
          props.zoom(zoomed(span, (span.from + span.until) / 2, event.deltaY > 0 ? 1 / ZOOM : ZOOM, life));
        }}
      >
        <HistoryPlot
          history={data}
          seed={seed.data}
          chosen={props.chosen}
          choose={props.choose}
          zoom={(next) => props.zoom(zoomedTo(next, life))}
          name={h.plotName(t.levelNamed(level), link.link)}
          summary={h.summary(dollars(data.opening.meter), dollars(data.closing.meter), data.marks.length)}
        />
      </div>
      <Strip points={overview.data ?? []} life={life} span={span} zoom={props.zoom} label={h.overview} years={years} />
    </section>
  );
}

/** Cuts a period that was dragged to what the plot can show. */
function zoomedTo(span: Span, life: Span): Span {
  const middle = (span.from + span.until) / 2;
  return inside(zoomed(span, middle, 1, life), life);
}

/** Reads the period from the address: one that was zoomed to, or a named range. */
function spanOf(life: Span): Span {
  const [from, until] = [Date.parse(query("from")), Date.parse(query("until"))];
  if (!Number.isNaN(from) && !Number.isNaN(until) && from < until) return inside({ from, until }, life);
  return inside(rangeOf(query("range"), life), life);
}

function Level({ link, level, links, life }: { link: Link; level: string; links: Link[]; life: Span }) {
  const { t, locale } = useOffice();
  const h = t.links.history;
  const span = spanOf(life);
  const [chosen, setChosen] = useState<string | null>(query("hit") || null);
  const data = useLoad(`${link.link} ${level} ${span.from} ${span.until}`, (signal) =>
    historyOf({ link: link.link, level, signal }, span),
  );
  const [last, setLast] = useState<Data | null>(null);
  useEffect(() => {
    if (data.data) setLast(data.data);
  }, [data.data]);
  const shown = data.data ?? last;
  const zoom = (next: Span) =>
    setQuery({ range: "", from: new Date(next.from).toISOString(), until: new Date(next.until).toISOString() });
  const mark =
    shown?.marks.find((one) => one.hit === chosen) ??
    shown?.marks.find((one) => whole(one) && !undone(one)) ??
    shown?.marks[0] ??
    null;
  const sameLevel = (other: string) => links.find((one) => one.link === other)?.levels[0]?.level ?? "";
  return (
    <>
      <Head
        title={h.title(link.link)}
        under={
          <>
            {link.title}, {amount(link.wager, locale, "money")}. {when(span.from, locale)} – {when(span.until, locale)}
          </>
        }
      >
        <LinkChoice links={links} value={link.link} choose={(other) => go(to("history", other, sameLevel(other)))} />
        <Segments
          label={h.range}
          options={Object.entries(h.ranges)}
          value={query("from") === "" ? query("range") || "all" : ""}
          choose={(range) => setQuery({ range, from: "", until: "" })}
        />
        <Button kind="quiet" small onClick={() => shown && downloadHits(link.link, level, shown)}>
          {h.csv}
        </Button>
      </Head>
      <Ready of={{ ...data, data: shown }}>
        {(found) => (
          <>
            <PlotCard
              link={link}
              level={level}
              life={life}
              span={span}
              data={found}
              chosen={mark?.hit ?? null}
              choose={setChosen}
              zoom={zoom}
            />
            <div class="columns history-below">
              <HitBooks hit={mark?.hit ?? null} level={level} />
              {found.steps !== null && found.marks.length === 0 ? (
                <StepsInView steps={found.steps} />
              ) : (
                <HitsInView link={link.link} level={level} data={found} chosen={mark?.hit ?? null} choose={setChosen} />
              )}
            </div>
            {found.steps !== null && found.marks.length > 0 && <StepsInView steps={found.steps} />}
            <p class="secondary">{found.steps === null && h.buckets}</p>
          </>
        )}
      </Ready>
    </>
  );
}

export function History({ link: name, level }: { link?: string; level?: string }) {
  const { t } = useOffice();
  const links = useLinks();
  const link = links.data?.find((one) => one.link === name) ?? (name === undefined ? links.data?.[0] : undefined);
  const life = useLoad(link ? `life ${link.link}` : null, () => lifeOf(link?.link ?? ""));
  const chosen = link?.levels.find((one) => one.level === level) ?? link?.levels[0];
  const ready = link && chosen ? { ...life, data: life.data } : null;
  return (
    <Ready of={links}>
      {(all) =>
        all.length === 0 ? (
          <>
            <Head title={t.nav.history} />
            <Empty title={t.noLinks}>{t.noLinksHint}</Empty>
          </>
        ) : !link ? (
          <>
            <Head title={t.nav.history} />
            <Empty title={t.noLink(name ?? "")}>{t.missingHint}</Empty>
          </>
        ) : !ready || !chosen ? (
          <>
            <Head title={t.nav.history} />
            <Empty title={t.links.history.noLevels} />
          </>
        ) : (
          <Ready of={ready}>
            {(span) => (
              <Level key={`${link.link} ${chosen.level}`} link={link} level={chosen.level} links={all} life={span} />
            )}
          </Ready>
        )
      }
    </Ready>
  );
}
