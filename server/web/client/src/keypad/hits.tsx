// The hit panel: what became of a keyed hand, what is paid, and from where.

import { Button, Status, type Tone } from "../staff/controls.js";
import type { IconName } from "../staff/icons.js";
import { money } from "../staff/staff.js";
import { useKeypad } from "./context.js";
import { GameOver, VoidKey, gameOverWaits } from "./keys.js";
import { isCancellable } from "./round.js";
import { type Hit, stands } from "./state.js";
import { grouped, hitText, isDue, isHandPaid, payHint } from "./words.js";
import { signal } from "@preact/signals";

export function hitStatus(state: Hit["state"]): [IconName, Tone] {
  switch (state) {
    case "pending":
      return ["pending", "amber"];
    case "validated":
    case "validated_by_rule":
      return ["done", "teal"];
    case "paid":
      return ["paid", "teal"];
    case "rejected":
      return ["rejected", "vermilion"];
    default:
      return ["disabled", "text-2"];
  }
}

/** Names a hit in its state: a hit that was put aside is shown again once it was decided. */
function asideKey(hit: Hit): string {
  return `${hit.hit} ${hit.state}`;
}

/** Number of the hit that is shown among those that were not put aside. */
const at = signal(0);

/** Returns the hits that cover the hand keys: those that were not put aside. */
export function useOpenHits(): readonly Hit[] {
  const { session, asideHits } = useKeypad();
  const hits = session.kept.value.table?.round?.hits ?? [];
  return hits.filter((hit) => hit.state !== "cancelled" && !asideHits.value.has(asideKey(hit)));
}

export function useShownHit(): Hit | null {
  const hits = useOpenHits();
  return hits[Math.min(at.value, hits.length - 1)] ?? null;
}

function Envy({ hit }: { hit: Hit }) {
  const { texts, locale } = useKeypad();
  const groups = grouped(hit.payouts.filter((payout) => payout.kind === "envy"));
  return (
    <>
      {groups.map((group) => (
        <div class="envy" key={group[0]?.payout} title={texts.envyTitle}>
          <p>
            {texts.envyOrder(
              group.map((payout) => payout.seat),
              isDue(hit.due),
              texts.fromWay[group[0]?.handed_over ?? "rack"],
            )}
          </p>
          <p class="figure">{texts.times(group.length, money(group[0]?.amount ?? "0", locale))}</p>
        </div>
      ))}
    </>
  );
}

/** The shares of several players in one award: each wager on the dealer's hand. */
function Shares({ hit }: { hit: Hit }) {
  const { texts, locale } = useKeypad();
  const own = hit.payouts.filter((payout) => payout.kind !== "envy");
  if (own.length < 2) return null;
  return (
    <>
      {own.map((payout) => (
        <div class="envy" key={payout.payout}>
          <p>
            {texts.seat(payout.seat)}, {texts.fromWay[payout.handed_over]}
          </p>
          <p class="figure">{money(payout.amount, locale)}</p>
        </div>
      ))}
    </>
  );
}

export function HitPanel() {
  const { session, texts, locale, panel, asideHits } = useKeypad();
  const hits = useOpenHits();
  const hit = useShownHit();
  if (!hit) return null;
  const index = hits.indexOf(hit);
  const shownState = isHandPaid(hit) ? "paid" : hit.state;
  const [icon, tone] = hitStatus(shownState);
  const waiting = session.kept.value.entries.some(
    ({ command }) => command.command === "cancel_hit" && command.hit === hit.hit,
  );
  const aside = () => {
    asideHits.value = new Set([...asideHits.value, ...hits.map(asideKey)]);
    at.value = 0;
  };
  return (
    <div class="lower">
      <section class={`hit-panel ${hit.state}`} aria-label={hitText(texts, hit)}>
        <div class="hit-head">
          <div class="hit-words" role="status">
            <Status icon={icon} tone={tone}>
              {texts.states[shownState]}
            </Status>
            <h2>{hitText(texts, hit)}</h2>
            <p class="secondary">{payHint(texts, hit)}</p>
          </div>
          <p class={`hit-amount figure ${stands(hit) ? "" : "undone"}`}>
            {money(isDue(hit.due) ? hit.due : hit.envy_due, locale)}
          </p>
        </div>
        {stands(hit) && <Shares hit={hit} />}
        {stands(hit) && <Envy hit={hit} />}
        {hits.length > 1 && (
          <div class="envy">
            <p class="secondary">{texts.hitOf(index + 1, hits.length)}</p>
            <Button small onClick={() => (at.value = (index + 1) % hits.length)}>
              {texts.nextHit}
            </Button>
          </div>
        )}
      </section>
      <div class="actions hit-actions">
        {stands(hit) ? (
          <Button
            kind="stop"
            disabled={!isCancellable(hit)}
            data-opens="takeBack"
            busy={waiting}
            onClick={() => (panel.value = { kind: "takeBack", hit: hit.hit })}
          >
            {texts.mistake}
          </Button>
        ) : (
          <VoidKey locked={gameOverWaits(session) !== null} />
        )}
        <Button kind="quiet" onClick={aside}>
          {texts.another}
        </Button>
        <GameOver />
      </div>
    </div>
  );
}
