// The drawings of the four places: the felt with its seats, the sign, a waiting hit, and the saw-tooth of a meter.

import { Icon, SuitIcon } from "../staff/icons.js";
import type { FrontTexts } from "../text/front.js";

/** Seats on an arc: their place in percent of the drawing, and if a chip lies there. */
const SEATS = [
  [7, 47, true],
  [20, 20, false],
  [37, 8, true],
  [55, 8, false],
  [71, 20, true],
  [84, 47, false],
] as const;

export function Felt({ t }: { t: FrontTexts }) {
  return (
    <div class="drawing felt-drawing" aria-hidden="true">
      <div class="felt-arc" />
      {SEATS.map(([left, top, chip]) => (
        <span key={left} class={`felt-seat ${chip ? "chip" : ""}`} style={{ left: `${left}%`, top: `${top}%` }} />
      ))}
      <span class="felt-key">{t.keypad.coinIn}</span>
    </div>
  );
}

export function Sign(props: { t: FrontTexts; level: string; amount: string }) {
  return (
    <div class="drawing" aria-hidden="true">
      <div class="sign-drawing">
        <span class="sign-level">{props.level}</span>
        <span class={`sign-amount ${props.amount.length > 11 ? "long" : ""}`}>{props.amount}</span>
        <span>{props.t.sign.wins}</span>
      </div>
    </div>
  );
}

export function WaitingHit({ t, amount }: { t: FrontTexts; amount: string }) {
  return (
    <div class="drawing" aria-hidden="true">
      <div class="hit-drawing">
        <div class="hit-cards">
          {["A", "K", "Q", "J", "10"].map((rank) => (
            <div key={rank} class="playing-card" style={{ "--card": "34px" }}>
              <span class="rank">{rank}</span>
              <SuitIcon suit="s" className="large-suit" />
            </div>
          ))}
        </div>
        <div class="hit-line">
          <span class="figure">{amount}</span>
          <span class="status amber">
            <Icon name="pending" />
            {t.floor.pending}
          </span>
        </div>
      </div>
    </div>
  );
}

export function SawTooth() {
  return (
    <div class="drawing light" aria-hidden="true">
      <svg viewBox="0 0 320 190">
        {[30, 71, 112, 153].map((y) => (
          <path key={y} d={`M20 ${y}H300`} stroke="#d5dce3" />
        ))}
        <path d="M20 152 140 136V152L260 134V152L300 148V153H20Z" fill="#c6cfd8" />
        <path d="M20 120 140 54V124L260 52V122L300 100" fill="none" stroke="#1d57b0" stroke-width="3" />
        <path d="M140 32l11 11-11 11-11-11ZM260 30l11 11-11 11-11-11Z" fill="#8a5a00" />
      </svg>
    </div>
  );
}
