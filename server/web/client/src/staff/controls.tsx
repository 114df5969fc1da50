// The controls of the pages for staff: buttons, states, notices, playing cards.

import type { ComponentChildren, ComponentProps } from "preact";
import { NoAnswer, Problem } from "../api/client.js";
import { type Refused, problemWords, refusedBy } from "../text/problems.js";
import { cardParts, cardText, isRed } from "./cards.js";
import { Icon, type IconName, SuitIcon } from "./icons.js";
import { useStaff } from "./staff.js";

interface ButtonProps extends Omit<ComponentProps<"button">, "icon"> {
  kind?: "go" | "plain" | "quiet" | "stop";
  small?: boolean;
  /** The request runs: the word stays, and a second press does nothing. */
  busy?: boolean;
  icon?: IconName;
  children: ComponentChildren;
}

export function Button({ kind = "plain", small, busy, icon, children, onClick, class: more, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-busy={busy ?? false}
      class={`button ${kind} ${small ? "small" : ""} ${busy ? "busy" : ""} ${String(more ?? "")}`}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      {icon && (
        <span class="status">
          <Icon name={icon} />
        </span>
      )}
      {children}
    </button>
  );
}

export type Tone = "amber" | "teal" | "vermilion" | "blue" | "text-2";

/** A state: shape, word and colour, always all three. */
export function Status({ icon, tone, children }: { icon: IconName; tone: Tone; children: ComponentChildren }) {
  return (
    <span class="status" style={{ color: `var(--${tone})` }}>
      <Icon name={icon} />
      {children}
    </span>
  );
}

/** The words for a refusal; the server's own in English after them where the page has none. `say` puts them in a sentence. */
export function RefusalText({ refused, say = (text) => text }: { refused: Refused; say?(text: string): string }) {
  const { text, english } = problemWords(refused, useStaff().texts.refused);
  return (
    <>
      {say(text)}
      {english !== null && (
        <span class="secondary server-words" lang="en">
          {" "}
          {english}
        </span>
      )}
    </>
  );
}

/** What went wrong, where the person looks: what is so and what to do; code and request id under "Details". */
export function ErrorNotice({ error }: { error: unknown }) {
  const { texts } = useStaff();
  if (error === null || error === undefined) return null;
  const problem = error instanceof Problem ? error : null;
  return (
    <div class="notice" role="alert">
      <Icon name="error" />
      <div>
        <p>
          {problem ? (
            <RefusalText refused={refusedBy(problem)} />
          ) : error instanceof NoAnswer ? (
            texts.noAnswer
          ) : (
            texts.unexpected
          )}
        </p>
        <details>
          <summary>{texts.details}</summary>
          {problem ? `${problem.code}${problem.requestId ? ` · ${problem.requestId}` : ""}` : String(error)}
        </details>
      </div>
    </div>
  );
}

/** A field with its label above and what is wrong with it below. */
export function Field(props: { id: string; label: string; wrong?: string | null; children: ComponentChildren }) {
  return (
    <div class={`field ${props.wrong ? "wrong" : ""}`}>
      <label for={props.id}>{props.label}</label>
      {props.children}
      {props.wrong && <p class="wrong-text">{props.wrong}</p>}
    </div>
  );
}

/** A playing card, open or closed (`null`). `width` is in pixels. */
export function PlayingCard({ card, width }: { card: string | null; width: number }) {
  const { texts } = useStaff();
  const size = { "--card": `${width}px` };
  if (card === null) return <div class="playing-card closed" style={size} role="img" aria-label={texts.closedCard} />;
  const { rank, suit } = cardParts(card);
  return (
    <div class={`playing-card ${isRed(suit) ? "red" : ""}`} style={size} role="img" aria-label={cardText(texts, card)}>
      <span class="rank" aria-hidden="true">
        {rank}
      </span>
      {width >= 34 && <SuitIcon suit={suit} className="small-suit" />}
      <SuitIcon suit={suit} className="large-suit" />
    </div>
  );
}
