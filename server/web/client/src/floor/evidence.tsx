// What speaks for a hit: the button that was pressed, the server's evaluation of the cards, and the paytable's line.

import { cardParts, cardText } from "../staff/cards.js";
import { Status } from "../staff/controls.js";
import { useStaff } from "../staff/staff.js";
import { type Hit, agreement, numberOf } from "./model.js";
import { isBeingRead, lineOf, links, paytables } from "./store.js";
import { useWords } from "./words.js";

/** Writes cards in words: those of one suit share it ("A K Q J 10 of spades"). */
function useCardsText(): (cards: readonly string[]) => string {
  const { texts } = useStaff();
  const { t } = useWords();
  return (cards) => {
    const parts = cards.map(cardParts);
    const [first] = parts;
    if (first && parts.every((part) => part.suit === first.suit))
      return t.evidence.ofSuit(parts.map((part) => part.rank).join(" "), t.suits[first.suit] ?? first.suit);
    return cards.map((card) => cardText(texts, card)).join(", ");
  };
}

function Button({ hit }: { hit: Hit }) {
  const words = useWords();
  const { t } = words;
  const command = numberOf(hit.hit);
  const time = words.time(hit.keyed_at);
  return (
    <section class="panel proof">
      <h2>{t.evidence.button}</h2>
      <p class="proof-main">
        {words.what(hit)}, {words.seat(hit)}
      </p>
      <p class="secondary">
        {hit.keyed_by ? t.evidence.by(hit.keyed_by, time, command) : t.evidence.byNobody(time, command)}
      </p>
    </section>
  );
}

function Reading({ hit }: { hit: Hit }) {
  const words = useWords();
  const { t } = words;
  const cardsText = useCardsText();
  const found = agreement(hit);
  const cards = hit.validated_cards ?? hit.cards;
  return (
    <section class={`panel proof ${found === "differs" ? "differs" : ""}`}>
      <h2>{t.evidence.reads}</h2>
      {hit.evaluation && cards ? (
        <>
          <p class="proof-main">
            {words.hand(hit.evaluation.hand)}{" "}
            <Status icon={found === "same" ? "done" : "error"} tone={found === "same" ? "teal" : "vermilion"}>
              {found === "same" ? t.evidence.same : t.evidence.differs}
            </Status>
          </p>
          <p class="secondary">
            {cardsText(cards)}, {t.evidence.ranking(hit.evaluation.ranking)}
            {hit.validated_cards ? `, ${t.evidence.cardsSeen}` : ""}
          </p>
        </>
      ) : (
        <>
          <p class="proof-main">{isBeingRead(hit) ? t.evidence.reading : t.evidence.notRead}</p>
          <p class="secondary">{hit.cards ? "" : t.evidence.noCards}</p>
        </>
      )}
    </section>
  );
}

function PaytableLine({ hit }: { hit: Hit }) {
  const words = useWords();
  const { t, count } = words;
  const link = links.value.find((row) => row.link === hit.link);
  const paytable = link && paytables.value[link.paytable];
  const line = paytable && lineOf(paytable, hit);
  const pay = line?.percent && line.level ? t.place.percentOf(line.percent, words.level(line.level)) : null;
  const odds = line?.for_one ? t.evidence.forOne(count(line.for_one)) : null;
  return (
    <section class="panel proof wide">
      <h2>{t.evidence.line}</h2>
      {paytable && line ? (
        <>
          <p class="proof-main">
            {t.evidence.lineOf(
              words.hand(hit.kind === "line" || hit.kind === "envy" ? hit.hand : hit.kind),
              pay ?? odds ?? "",
              line.envy ? t.evidence.envyForOne(count(line.envy)) : null,
            )}
          </p>
          <p class="secondary">
            {paytable.citation}.{" "}
            {paytable.validated_from_for_one
              ? t.evidence.fromOdds(count(paytable.validated_from_for_one))
              : t.evidence.everyHit}
          </p>
        </>
      ) : (
        <p class="secondary">{t.evidence.noLine}</p>
      )}
    </section>
  );
}

export function Evidence({ hit }: { hit: Hit }) {
  return (
    <div class="proofs">
      <Button hit={hit} />
      <Reading hit={hit} />
      <PaytableLine hit={hit} />
    </div>
  );
}
