// One hit: the round on the felt and the evidence left, the money and the decision right.

import { useEffect, useRef, useState } from "preact/hooks";
import { Problem } from "../api/client.js";
import { ErrorNotice } from "../staff/controls.js";
import { Decision } from "./decision.js";
import { Evidence } from "./evidence.js";
import { Felt } from "./felt.js";
import { Age } from "./list.js";
import { Heading } from "./parts.js";
import { type Place, routeAddress } from "./route.js";
import { knownHit, knownRound, prepare, roundOf } from "./store.js";
import { useWords } from "./words.js";

/** Seats of a felt whose table is not known. */
const SEATS_USUAL = 6;

export function HitPage({ name, back }: { name: string; back: Place }) {
  const words = useWords();
  const { t } = words;
  const [error, setError] = useState<unknown>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const hit = knownHit(name);

  useEffect(() => {
    prepare(name).then(
      () => setError(null),
      (refusal: unknown) => setError(refusal),
    );
    heading.current?.focus();
    // The focus goes back to the row that was opened.
    return () => {
      requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-hit="${CSS.escape(name)}"]`)?.focus());
    };
  }, [name]);

  if (!hit)
    return (
      <main class="place">
        <h1 ref={heading} tabIndex={-1}>
          {name}
        </h1>
        {error instanceof Problem && error.status === 404 ? (
          <p role="alert">{t.list.noHit(name)}</p>
        ) : error ? (
          <ErrorNotice error={error} />
        ) : (
          <p class="secondary">{t.shell.loading}</p>
        )}
        <a class="button quiet" href={routeAddress(back)}>
          {t.decision.backToHits}
        </a>
      </main>
    );
  const { number, table } = roundOf(hit);
  return (
    <main class="place hit-place">
      <Heading back={routeAddress(back)} label={t.decision.backToHits}>
        <h1 ref={heading} tabIndex={-1}>
          {words.what(hit)}, {hit.table} {words.seat(hit)}
        </h1>
        <span class="secondary">
          {[t.place.round(number), table && words.game(table.game), table?.pit && t.list.pit(table.pit)]
            .filter(Boolean)
            .join(" · ")}
        </span>
        {hit.state === "pending" && (
          <span class="heading-end">
            <Age hit={hit} />
          </span>
        )}
      </Heading>
      <div class="hit-columns">
        <section class="evidence" aria-label={t.felt.name} tabIndex={0}>
          <Felt seats={table?.seats ?? SEATS_USUAL} round={knownRound(hit)} hit={hit} />
          <Evidence hit={hit} />
        </section>
        <Decision hit={hit} back={back} />
      </div>
    </main>
  );
}
