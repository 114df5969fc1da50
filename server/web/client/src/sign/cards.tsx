// Playing cards, drawn by script, that fly in and turn one after the other.

import { useEffect, useState } from "preact/hooks";
import { Suit } from "./drawings.js";

/** Time after which the last card of seven has turned. */
const LANDED_MS = 1_600;

const RANKS: Readonly<Record<string, string>> = { T: "10" };

interface HandProps {
  /** Cards as the API writes them: "As", "Td". */
  cards: readonly string[];
  /** Width of a card. */
  size: number;
  style: Record<string, string>;
  className?: string;
}

/** A hand in a fan. */
export function Hand({ cards, size, style, className }: HandProps) {
  const [landed, setLanded] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLanded(true), LANDED_MS);
    return () => clearTimeout(timer);
  }, []);
  const middle = (cards.length - 1) / 2;
  return (
    <div
      class={`hand-of-cards ${className ?? ""} ${landed ? "landed" : ""}`}
      style={{ ...style, "--size": String(size) }}
      role="img"
      aria-label={cards.join(" ")}
    >
      {cards.map((card, index) => {
        const rank = card.slice(0, -1);
        const suit = card.slice(-1).toLowerCase();
        const off = index - middle;
        return (
          <div
            key={card}
            class={`card ${suit === "h" || suit === "d" ? "red" : ""}`}
            style={{
              "--turn": `${(off * 6.5).toFixed(2)}deg`,
              "--drop": String((off * off * 0.035).toFixed(3)),
              "--wait": `${250 + index * 120}ms`,
            }}
          >
            <div class="card-turn">
              <div class="card-face">
                <span class="card-rank">{RANKS[rank] ?? rank}</span>
                <Suit suit={suit} className="card-pip" />
                <Suit suit={suit} className="card-suit" />
              </div>
              <div class="card-back" />
            </div>
          </div>
        );
      })}
    </div>
  );
}
