// An amount in cells as wide as the widest digit, and the odometer that rolls its digits.

import { useEffect, useState } from "preact/hooks";
import { type AmountFit, fitAmount } from "../fit/chain.js";
import { type AmountPart, amountParts, amountText } from "../money.js";
import {
  BLANK,
  type OdometerState,
  ROLL_MS,
  ROLL_STEADY_MS,
  SETTLED_MS,
  confirm,
  countUp,
  digitAt,
  dueAt,
  release,
  rollsFrom,
  settle,
} from "../odometer/plan.js";
import { type Box, type SignContext, levelClass, place, useSign } from "./context.js";

export interface AmountSetting {
  cap: number;
  centsShare: number;
  box: Box;
  align?: "left" | "center" | "right";
  /** Index of the level, which chooses the colour. */
  colour: number;
}

/** Returns the digits and group marks of an amount before its point. */
export function sizeOf({ options }: SignContext, cents: bigint): { digits: number; marks: number } {
  const whole = amountParts(cents, options.locale).filter((part) => part.kind !== "currency" && !part.small);
  const digits = whole.filter((part) => part.kind === "digit").length;
  return { digits, marks: whole.length - digits };
}

/** Returns how an amount fits a setting. */
export function fitOf(
  sign: SignContext,
  cents: bigint,
  { cap, centsShare, width }: Pick<AmountSetting, "cap" | "centsShare"> & { width: number },
): AmountFit {
  return fitAmount({ ...sizeOf(sign, cents), cap, centsShare, width }, sign.rulers.metrics);
}

function Glyph({ text }: { text: string }) {
  return (
    <span class="glyph" data-glyph={text}>
      {text}
    </span>
  );
}

interface FaceProps {
  setting: AmountSetting;
  cents: bigint;
  /** The amount that decides size and cells; digits that `cents` lacks stay empty. */
  layout?: bigint;
  odometer?: OdometerState;
  blurred?: boolean;
  className?: string;
}

/** One amount, at rest or rolling. */
function Face({ setting, cents, layout, odometer, blurred, className }: FaceProps) {
  const sign = useSign();
  const whole = layout ?? cents;
  const fit = fitOf(sign, whole, { ...setting, width: setting.box.width });
  const parts = amountParts(whole, sign.options.locale, fit.cents, sign.options.currency);
  const first = parts.findIndex((part) => part.kind === "currency") === 0;
  const lowest = odometer ? lowestRolling(odometer, parts) : 0;
  return (
    <span
      class={`face ${className ?? ""}`}
      style={{ "--c": String(fit.cap), "--small": String(fit.centsCap / fit.cap) }}
    >
      {parts.map((part) => {
        switch (part.kind) {
          case "currency":
            return (
              <span key="currency" class="small currency" style={currencyGap(first, fit, sign.theme.text.ratio)}>
                <Glyph text={part.text} />
              </span>
            );
          case "mark":
            return (
              <span key={part.key} class={part.small ? "small" : "mark"} data-kind={part.small ? "cents" : undefined}>
                <Glyph text={layout !== undefined && isEmptyBefore(parts, part, cents) ? "" : part.text} />
              </span>
            );
          case "digit": {
            const text = layout === undefined ? part.text : (digitAt(cents, part.place) ?? "");
            const from = odometer ? rollsFrom(odometer, part.place) : null;
            return (
              <span
                key={`digit${part.place}`}
                class={`cell ${part.small ? "small" : ""} ${from === null ? "" : "rolling"} ${blurred && part.place < 3 ? "blurred" : ""}`}
                data-kind={part.small ? "cents" : "amount"}
              >
                {from === null || !odometer ? (
                  <Glyph text={text} />
                ) : (
                  <Strip
                    key={odometer.changes}
                    from={from}
                    to={text}
                    delay={40 * (part.place - lowest)}
                    steady={odometer.motion === "steady"}
                  />
                )}
              </span>
            );
          }
        }
      })}
    </span>
  );
}

function currencyGap(first: boolean, fit: AmountFit, ratio: number): Record<string, string> {
  const gap = `${(fit.gap * fit.cap * ratio) / fit.centsCap}em`;
  return first ? { marginRight: gap } : { marginLeft: gap };
}

/** Returns if a counted amount has no digit yet to the left of a group mark. */
function isEmptyBefore(parts: readonly AmountPart[], mark: AmountPart, cents: bigint): boolean {
  const before = parts.slice(0, parts.indexOf(mark)).findLast((part) => part.kind === "digit");
  return before?.kind === "digit" && digitAt(cents, before.place) === null;
}

function lowestRolling(odometer: OdometerState, parts: readonly AmountPart[]): number {
  const places = parts.flatMap((part) =>
    part.kind === "digit" && rollsFrom(odometer, part.place) !== null ? [part.place] : [],
  );
  return Math.min(...places, 99);
}

/** The old digit that rolls out above the new one. */
function Strip({ from, to, delay, steady }: { from: string; to: string; delay: number; steady: boolean }) {
  const style = { "--roll": `${steady ? ROLL_STEADY_MS : ROLL_MS}ms`, "--delay": `${steady ? 0 : delay}ms` };
  return (
    <span class={`strip ${steady ? "steady" : ""}`} style={style}>
      <Glyph text={from} />
      <Glyph text={to} />
    </span>
  );
}

/** Follows an amount of the server by the odometer's rules. */
function useOdometer(cents: bigint): OdometerState {
  const [state, setState] = useState(() => confirm(BLANK, cents, performance.now()));
  useEffect(() => setState((before) => confirm(before, cents, performance.now())), [cents]);
  useEffect(() => {
    const due = dueAt(state) ?? (state.from === null ? null : state.changedAt + SETTLED_MS);
    if (due === null) return undefined;
    const move = () => setState((before) => settle(release(before, performance.now()), performance.now()));
    const timer = setTimeout(move, Math.max(0, due - performance.now()) + 1);
    return () => clearTimeout(timer);
  }, [state]);
  return state;
}

/** An amount that follows the server's. */
export function LiveAmount({ cents, setting }: { cents: bigint; setting: AmountSetting }) {
  const { options, still } = useSign();
  const odometer = useOdometer(cents);
  const shown = odometer.shown ?? cents;
  const fades = odometer.from !== null && (odometer.motion === "fade" || still);
  return (
    <div class={classOf(setting)} style={placed(setting)} role="img" aria-label={amountText(shown, options.locale)}>
      {fades && odometer.from !== null && (
        <Face key={`out${odometer.changes}`} setting={setting} cents={odometer.from} className="fade-out" />
      )}
      <Face
        key={fades ? `in${odometer.changes}` : "face"}
        setting={setting}
        cents={shown}
        {...(still ? {} : { odometer })}
        className={fades ? "fade-in" : ""}
      />
    </div>
  );
}

/** An amount that stays as it is. */
export function StillAmount({ cents, setting }: { cents: bigint; setting: AmountSetting }) {
  const { options } = useSign();
  return (
    <div class={classOf(setting)} style={placed(setting)} role="img" aria-label={amountText(cents, options.locale)}>
      <Face setting={setting} cents={cents} />
    </div>
  );
}

export const COUNT_MS = 2_500;
/** Interval of the steps of a count: its last digits are blurred, and each step draws the whole amount again. */
const COUNT_STEP_MS = 40;

/** A won amount that counts up from `startAt`, stops exactly, and pulses once. */
export function CountedAmount({ cents, setting, startAt }: { cents: bigint; setting: AmountSetting; startAt: number }) {
  const { options, still } = useSign();
  const part = (now: number) => (still ? 1 : Math.min(1, Math.max(0, (now - startAt) / COUNT_MS)));
  const [t, setT] = useState(() => part(performance.now()));
  useEffect(() => {
    const step = () => {
      const next = part(performance.now());
      setT(next);
      if (next >= 1) clearInterval(timer);
    };
    const timer = setInterval(step, COUNT_STEP_MS);
    step();
    return () => clearInterval(timer);
  }, [cents, startAt, still]);
  return (
    <div
      class={`${classOf(setting)} ${t >= 1 ? "pulse" : ""} ${t <= 0 ? "unseen" : ""}`}
      style={placed(setting)}
      role="img"
      aria-label={amountText(cents, options.locale)}
    >
      <Face setting={setting} cents={countUp(cents, t)} layout={cents} blurred={t < 1} />
    </div>
  );
}

/** Returns the place of an amount: one that had to shrink stands in the middle of its height. */
function placed(setting: AmountSetting): Record<string, string> {
  return place({ ...setting.box, height: setting.cap });
}

function classOf(setting: AmountSetting): string {
  return `amount font-text ${levelClass(setting.colour)} align-${setting.align ?? "center"}`;
}
