// The round as on the felt, seen from behind the dealer.

import { PlayingCard } from "../staff/controls.js";
import { Icon } from "../staff/icons.js";
import { FELT_HEIGHT, FELT_WIDTH, type FeltSeat, type RoundFacts, feltSeats } from "./felt-model.js";
import type { Hit } from "./model.js";
import { hitIcon } from "./states.js";
import { useWords } from "./words.js";

/** Where the open hand lies, and how wide its cards may be together. */
const HAND = { x: 320, y: 242, width: 300, gap: 7, cardMost: 54, halfWidth: 163, halfHeight: 68 };
/** Closed cards of a hand that are drawn: a fan, not a count. */
const CLOSED = [0, 1, 2, 3, 4];
const DEALER_Y = 356;
/** Radius of the mark on the seat that won, and the height of its words below. */
const MARK = { radius: 24, words: 70 };

function Seat({ seat, state }: { seat: FeltSeat; state: string }) {
  const { t, whole } = useWords();
  return (
    <li class={`seat ${seat.word} ${seat.won ? "won" : ""}`} style={{ left: `${seat.x}px`, top: `${seat.y}px` }}>
      {seat.won ? (
        <span class="seat-mark">
          <Icon name={hitIcon(state)} />
        </span>
      ) : seat.word === "empty" || seat.word === "unknown" ? (
        <span class="seat-empty" />
      ) : (
        <span class="fan" aria-hidden="true">
          {CLOSED.map((index) => (
            <span key={index} class="fan-card" />
          ))}
        </span>
      )}
      <strong>{t.place.seat(seat.seat)}</strong>
      <span>{t.seatWords[seat.word]}</span>
      {seat.envy && <span>{t.felt.envy(whole(seat.envy))}</span>}
    </li>
  );
}

/** The line from a seat to the open hand: down from the seats above it, from the side otherwise. */
function Tie({ seat }: { seat: FeltSeat }) {
  const side = seat.x < HAND.x ? -1 : 1;
  const edge = HAND.x + side * HAND.halfWidth;
  if (Math.abs(seat.x - HAND.x) < HAND.halfWidth - MARK.radius)
    return <line x1={seat.x} y1={seat.y + MARK.words} x2={seat.x} y2={HAND.y - HAND.halfHeight} />;
  const end = Math.max(seat.y, HAND.y - HAND.halfHeight + MARK.radius);
  return <line x1={seat.x - side * MARK.radius} y1={seat.y + 2} x2={edge} y2={end} />;
}

function OpenHand({ hit, winner }: { hit: Hit; winner: FeltSeat | undefined }) {
  const words = useWords();
  const cards = hit.validated_cards ?? hit.cards ?? [];
  const count = Math.max(cards.length, 1);
  const width = Math.min(HAND.cardMost, Math.floor((HAND.width - HAND.gap * (count - 1)) / count));
  return (
    <>
      <svg class="felt-tie" viewBox={`0 0 ${FELT_WIDTH} ${FELT_HEIGHT}`} aria-hidden="true">
        {winner ? (
          <Tie seat={winner} />
        ) : (
          hit.dealer && <line x1={HAND.x} y1={DEALER_Y - 10} x2={HAND.x} y2={HAND.y + HAND.halfHeight} />
        )}
      </svg>
      <div class="open-hand" style={{ left: `${HAND.x}px`, top: `${HAND.y}px` }}>
        <div class="open-cards">
          {cards.length > 0 ? (
            cards.map((card) => <PlayingCard key={card} card={card} width={width} />)
          ) : (
            <span class="no-cards">{words.t.felt.noCards}</span>
          )}
        </div>
        <strong>{words.what(hit)}</strong>
      </div>
    </>
  );
}

export function Felt({ seats, round, hit }: { seats: number; round: RoundFacts | null; hit: Hit | null }) {
  const { t } = useWords();
  const places = feltSeats(seats, round, hit);
  const winner = places.find((seat) => seat.won);
  const dealerWager = (round?.dealer_seats.length ?? 0) > 0;
  return (
    <figure class="felt" aria-label={t.felt.name}>
      <svg class="felt-ground" viewBox={`0 0 ${FELT_WIDTH} ${FELT_HEIGHT}`} aria-hidden="true">
        <path d="M1 429V248C1 92 140 1 320 1s319 91 319 247v181Z" />
        <path class="felt-line" d="M150 429C150 300 230 260 320 260s170 40 170 169" />
      </svg>
      <ul class="seats">
        {places.map((seat) => (
          <Seat key={seat.seat} seat={seat} state={hit?.state ?? "pending"} />
        ))}
      </ul>
      {hit && <OpenHand hit={hit} winner={winner} />}
      <div class="felt-dealer" style={{ top: `${DEALER_Y}px` }}>
        {!hit?.dealer && (
          <span class="dealer-cards" aria-hidden="true">
            {CLOSED.map((index) => (
              <span key={index} class="fan-card" />
            ))}
          </span>
        )}
        <strong>{t.felt.dealer}</strong>
        <span>{dealerWager ? t.felt.dealerWager : t.felt.noDealerWager}</span>
      </div>
      {hit && !round && <figcaption>{t.felt.unknownRound}</figcaption>}
    </figure>
  );
}
