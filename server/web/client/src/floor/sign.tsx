// Who signs: the PIN pad, and the signature of the session of a person without a PIN.

import { useSignal } from "@preact/signals";
import { useState } from "preact/hooks";
import { NoAnswer } from "../api/client.js";
import { Button, ErrorNotice } from "../staff/controls.js";
import { lastDigit, useKey } from "./keys.js";
import { may } from "./model.js";
import { Choice } from "./parts.js";
import { type Signature, ownSignature, pinRefusal, signByPin, signsBySession } from "./signing.js";
import { longPins, rememberSigner, setLongPin, signers } from "./tablet.js";
import { useWords } from "./words.js";

/** Digits after which a PIN signs by itself, and the most that one has. */
const PIN_DIGITS = 4;
const PIN_DIGITS_MOST = 8;
/** Id of the dots, which take the focus once a name is typed. */
const DOTS = "pin-dots";
/** Names that stand as keys; further ones are typed. */
const NAMES_MOST = 3;

interface SignProps {
  /** What the signature is for, where nothing above says it. */
  says?: string;
  /** Right that the signer needs. */
  right: string;
  /** People who may not sign: shown elsewhere, never chosen. */
  not?: readonly string[];
  busy: boolean;
  signed(signature: Signature): unknown;
  back(): void;
}

const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** Asks for a signature. */
export function Sign({ says, right, not = [], busy, signed, back }: SignProps) {
  const { holder } = useWords();
  const ownMay = may(holder, right) && !not.some((name) => same(name, holder.name));
  const known = [...signers.value, ...(ownMay ? [holder.name] : [])];
  const names = [...new Set(known)].filter((name) => !not.some((other) => same(name, other))).slice(0, NAMES_MOST);
  const [name, setName] = useState(names[0] ?? "");
  const [typed, setTyped] = useState(names.length === 0);
  useKey("Escape", back);
  const bySession = signsBySession(name, holder);

  return (
    <>
      {says && <p class="secondary">{says}</p>}
      <div class="sign">
        <Signers
          names={names}
          name={typed ? null : name}
          typed={typed ? name : null}
          choose={(chosen) => {
            setName(chosen);
            setTyped(false);
          }}
          type={(text) => {
            setName(text);
            setTyped(true);
          }}
        />
        {bySession ? (
          <BySession may={ownMay} right={right} busy={busy} back={back} signed={signed} />
        ) : (
          <PinPad key={typed ? "" : name} name={name} busy={busy} back={back} signed={signed} />
        )}
      </div>
    </>
  );
}

interface SignersProps {
  names: readonly string[];
  /** Name of the key that is chosen. */
  name: string | null;
  /** Name that is being typed; null while a key is chosen. */
  typed: string | null;
  choose(name: string): void;
  type(name: string): void;
}

/** The people who signed on this tablet last, and a field for any other. */
function Signers({ names, name, typed, choose, type }: SignersProps) {
  const { t } = useWords();
  return (
    <fieldset class="signers">
      <legend>{t.sign.who}</legend>
      <div class="names" data-arrows>
        {names.map((known) => (
          <Choice key={known} class="name" chosen={known === name} choose={() => choose(known)}>
            {known}
          </Choice>
        ))}
        {typed === null ? (
          <button type="button" class="button quiet name" onClick={() => type("")}>
            {t.sign.other}
          </button>
        ) : (
          <input
            class="signer-name"
            aria-label={t.sign.name}
            placeholder={t.sign.nameThenEnter}
            autocapitalize="none"
            autocomplete="off"
            ref={(input) => {
              if (input?.value === "") input.focus();
            }}
            value={typed}
            onInput={(event) => type(event.currentTarget.value.trim())}
            onKeyDown={(event) => {
              if (event.key !== "Enter") return;
              event.preventDefault();
              // The next digits are the PIN: they must not be written behind the name.
              event.currentTarget.blur();
              document.getElementById(DOTS)?.focus();
            }}
          />
        )}
      </div>
    </fieldset>
  );
}

function BySession(props: { may: boolean; right: string; busy: boolean } & Pick<SignProps, "signed" | "back">) {
  const { t, holder } = useWords();
  return (
    <>
      <p class="secondary">{props.may ? t.sign.ownHint : t.decision.mayNot(props.right)}</p>
      {props.may && (
        <Button kind="go" class="tall push" busy={props.busy} onClick={() => props.signed(ownSignature(holder))}>
          {t.sign.own(holder.name)}
        </Button>
      )}
      <Button kind="quiet" onClick={props.back}>
        {t.decision.back}
      </Button>
    </>
  );
}

interface PadProps {
  name: string;
  busy: boolean;
  back(): void;
  signed(signature: Signature): unknown;
}

/** State of a PIN that is being typed. */
function usePin({ name, busy, signed }: Omit<PadProps, "back">) {
  // Signals, not states: keys may come faster than the page is drawn.
  const pin = useSignal("");
  const asking = useSignal(false);
  const error = useSignal<unknown>(null);
  const long = longPins.value.includes(name);

  async function sign(full: string): Promise<void> {
    asking.value = true;
    error.value = null;
    try {
      const signature = await signByPin(name, full);
      rememberSigner(name);
      signed(signature);
    } catch (refusal) {
      error.value = refusal;
    } finally {
      pin.value = "";
      asking.value = false;
    }
  }

  function press(key: string): void {
    if (asking.value || busy || name === "") return;
    pin.value = key === "Backspace" ? pin.value.slice(0, -1) : (pin.value + key).slice(0, PIN_DIGITS_MOST);
    if (key !== "Backspace" && pin.value.length === PIN_DIGITS && !long) void sign(pin.value);
  }
  return {
    pin: pin.value,
    error: error.value,
    long,
    running: asking.value || busy,
    press,
    sign: () => void sign(pin.value),
  };
}

function PinPad({ name, busy, back, signed }: PadProps) {
  const { t } = useWords();
  const { pin, error, long, running, press, sign } = usePin({ name, busy, signed });
  useKey("digit", () => press(lastDigit()));
  const dots = Math.max(PIN_DIGITS, pin.length);
  // The refusal stands in the place of the empty dots, so that no key moves under the finger.
  const wrong = error !== null && pin === "" && !running;
  return (
    <div class="pin">
      <div class="dots-line">
        <p
          id={DOTS}
          class={`dots ${running ? "running" : ""} ${wrong ? "unseen" : ""}`}
          role="img"
          tabIndex={-1}
          aria-label={t.sign.digits(pin.length)}
        >
          {Array.from({ length: dots }, (_, index) => (
            <span key={index} class={index < pin.length || running ? "full" : ""} />
          ))}
        </p>
        {wrong && <PinError error={error} />}
      </div>
      <div class="pad" role="group" aria-label={t.sign.pin}>
        {["1", "2", "3", "4", "5", "6", "7", "8", "9"].map((key) => (
          <button key={key} type="button" class="pin-key figure" onClick={() => press(key)}>
            {key}
          </button>
        ))}
        <button type="button" class="pin-key word" onClick={() => press("Backspace")}>
          {t.sign.erase}
        </button>
        <button type="button" class="pin-key figure" onClick={() => press("0")}>
          0
        </button>
        {long ? (
          <button type="button" class="pin-key word" disabled={pin.length <= PIN_DIGITS} onClick={sign}>
            {t.sign.sign}
          </button>
        ) : (
          <button type="button" class="pin-key word" onClick={back}>
            {t.decision.back}
          </button>
        )}
      </div>
      <p class="pin-foot secondary">
        {!long && <span>{t.sign.fourth}</span>}
        <button type="button" class="text-button" onClick={() => setLongPin(name, !long)}>
          {long ? t.sign.shortPin : t.sign.longPin}
        </button>
        {long && (
          <button type="button" class="text-button" onClick={back}>
            {t.decision.back}
          </button>
        )}
      </p>
    </div>
  );
}

function PinError({ error }: { error: unknown }) {
  const { t } = useWords();
  const refusal = pinRefusal(error);
  if (error instanceof NoAnswer)
    return (
      <p class="pin-wrong" role="alert">
        {t.sign.noAnswer}
      </p>
    );
  if (!refusal) return <ErrorNotice error={error} />;
  return (
    <p class="pin-wrong" role="alert">
      {refusal.kind === "blocked" ? t.sign.blocked : t.sign.wrong(refusal.left)}
    </p>
  );
}
