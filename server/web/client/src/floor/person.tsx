// The person who is logged in: single letters, the own PIN, and the way out.

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Button, ErrorNotice } from "../staff/controls.js";
import { DemoLink } from "../staff/demo-link.js";
import { useStaff } from "../staff/staff.js";
import { useKey } from "./keys.js";
import { notices, turnOff, turnOn } from "./notices.js";
import { ownPin, setPin } from "./signing.js";
import { letters, setLetters } from "./tablet.js";
import { useWords } from "./words.js";

/** Sets the own PIN, with which the person signs on every shared tablet. */
function PinForm() {
  const { t } = useWords();
  const { texts } = useStaff();
  const pin = useSignal("");
  const password = useSignal("");
  const busy = useSignal(false);
  const error = useSignal<unknown>(null);
  const done = useSignal(false);

  async function send(event: Event): Promise<void> {
    event.preventDefault();
    if (busy.value) return;
    busy.value = true;
    error.value = null;
    try {
      await setPin(pin.value, password.value);
      done.value = true;
    } catch (refusal) {
      error.value = refusal;
    } finally {
      busy.value = false;
      pin.value = "";
      password.value = "";
    }
  }

  if (done.value) return <p role="status">{t.shell.pinSet}</p>;
  return (
    <form class="step" onSubmit={(event) => void send(event)}>
      <div class="field">
        <label for="new-pin">{t.shell.newPin}</label>
        <input
          id="new-pin"
          type="password"
          inputMode="numeric"
          autocomplete="off"
          maxLength={8}
          value={pin.value}
          onInput={(event) => (pin.value = event.currentTarget.value)}
        />
        <p class="secondary">{t.shell.pinRule}</p>
      </div>
      <div class="field">
        <label for="pin-password">{texts.password}</label>
        <input
          id="pin-password"
          type="password"
          autocomplete="current-password"
          value={password.value}
          onInput={(event) => (password.value = event.currentTarget.value)}
        />
      </div>
      <ErrorNotice error={error.value} />
      <Button small type="submit" busy={busy.value} disabled={pin.value.length < 4 || password.value === ""}>
        {t.shell.setPin}
      </Button>
    </form>
  );
}

/** Turns the notices of waiting hits on this tablet on and off. */
function NoticeSwitch() {
  const { t } = useWords();
  const busy = useSignal(false);
  const error = useSignal<unknown>(null);
  const on = notices.value === "on";

  async function change(): Promise<void> {
    busy.value = true;
    error.value = null;
    await (on ? turnOff() : turnOn()).catch((refusal: unknown) => (error.value = refusal));
    busy.value = false;
  }

  if (notices.value === null || notices.value === "never") return null;
  if (notices.value === "blocked") return <p class="secondary">{t.shell.noticesBlocked}</p>;
  return (
    <>
      <Button small kind="quiet" aria-pressed={on} busy={busy.value} onClick={() => void change()}>
        {t.shell.notices(on)}
      </Button>
      <ErrorNotice error={error.value} />
    </>
  );
}

export function PersonMenu() {
  const { texts, logOut } = useStaff();
  const { t, holder } = useWords();
  const menu = useRef<HTMLDetailsElement>(null);
  const name = holder.department ? `${holder.name} · ${holder.department}` : holder.name;

  // "?" asks for the letters, as in other programs.
  useKey("?", () => {
    menu.current?.setAttribute("open", "");
    menu.current?.querySelector("summary")?.focus();
  });
  useEffect(() => {
    const close = () => menu.current?.removeAttribute("open");
    const outside = (event: Event) => !menu.current?.contains(event.target as Node) && close();
    addEventListener("pointerdown", outside);
    addEventListener("hashchange", close);
    return () => {
      removeEventListener("pointerdown", outside);
      removeEventListener("hashchange", close);
    };
  }, []);

  return (
    <details class="person" ref={menu}>
      <summary aria-label={`${t.shell.person}: ${name}`}>{name}</summary>
      <div class="menu">
        <button
          type="button"
          class="button small quiet"
          aria-pressed={letters.value}
          onClick={() => setLetters(!letters.value)}
        >
          {t.shell.letters(letters.value)}
        </button>
        <NoticeSwitch />
        {letters.value && (
          <dl class="letter-list">
            {t.shell.letterList.map(([key, does]) => (
              <div key={key}>
                <dt class="figure">{key}</dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
        )}
        {ownPin.value !== "unknown" && <PinForm />}
        <DemoLink text={texts.toDemo} />
        <button type="button" class="button small quiet" onClick={logOut}>
          {texts.logOut}
        </button>
      </div>
    </details>
  );
}
