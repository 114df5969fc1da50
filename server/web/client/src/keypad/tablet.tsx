// The tablet itself: its token, the dealer's badge, and the other tab.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Button, Field } from "../staff/controls.js";
import { Icon } from "../staff/icons.js";
import { pageKept } from "../staff/worker.js";
import { useKeypad } from "./context.js";
import { PanelHead } from "./hand.js";

const BADGE = /^[A-Za-z0-9-]{1,32}$/;

/** A page with one message, and perhaps one thing to do. */
export function Message(props: { title: string; hint: string; children?: ComponentChildren }) {
  return (
    <main class="message">
      <section class="panel">
        <h2>{props.title}</h2>
        <p class="secondary">{props.hint}</p>
        {props.children}
      </section>
    </main>
  );
}

export function TokenForm() {
  const { session, texts } = useKeypad();
  const [token, setToken] = useState("");
  const [empty, setEmpty] = useState(false);
  const refusal = session.credential.value;
  const wrong = empty
    ? texts.tokenEmpty
    : refusal
      ? refusal.status === 401
        ? texts.tokenRefused
        : texts.tokenOther
      : null;
  const use = (event: Event) => {
    event.preventDefault();
    setEmpty(token.trim() === "");
    if (token.trim() !== "") void session.setDevice({ token: token.trim() });
  };
  const waiting = session.kept.value.entries.length;
  return (
    <Message title={texts.tokenTitle(session.table)} hint={texts.tokenHint}>
      <form onSubmit={use} class="form">
        <Field id="token" label={texts.token} wrong={wrong}>
          <input
            id="token"
            type="password"
            autocomplete="off"
            spellcheck={false}
            value={token}
            onInput={(event) => setToken(event.currentTarget.value)}
          />
        </Field>
        {waiting > 0 && <p class="secondary">{texts.waitHere(waiting)}</p>}
        <Button kind="go" type="submit">
          {texts.tokenUse}
        </Button>
      </form>
    </Message>
  );
}

export function Elsewhere() {
  const { session, texts } = useKeypad();
  return (
    <Message title={texts.elsewhere} hint={texts.elsewhereHint}>
      <Button kind="go" onClick={() => session.takeOver()}>
        {texts.takeOver}
      </Button>
    </Message>
  );
}

function Badge() {
  const { session, texts, panel } = useKeypad();
  const [badge, setBadge] = useState(session.device.value.badge ?? "");
  const [wrong, setWrong] = useState(false);
  const use = (event: Event) => {
    event.preventDefault();
    const valid = BADGE.test(badge.trim());
    setWrong(!valid);
    if (valid) void session.setDevice({ badge: badge.trim() }).then(() => (panel.value = null));
  };
  return (
    <form onSubmit={use} class="form">
      <Field id="badge" label={`${texts.badge}. ${texts.badgeHint}`} wrong={wrong ? texts.badgeWrong : null}>
        <input
          id="badge"
          autocomplete="off"
          spellcheck={false}
          value={badge}
          onInput={(event) => setBadge(event.currentTarget.value)}
        />
      </Field>
      <Button kind="go" type="submit">
        {texts.badgeUse}
      </Button>
    </form>
  );
}

function Forget() {
  const { session, texts, panel } = useKeypad();
  const [asked, ask] = useState(false);
  if (!asked)
    return (
      <Button kind="quiet" onClick={() => ask(true)}>
        {texts.forget}
      </Button>
    );
  const forget = async () => {
    await session.setDevice({ token: null, badge: null });
    panel.value = null;
  };
  return (
    <div class="form">
      <p class="secondary">{texts.forgetHint(session.kept.value.entries.length)}</p>
      <Button kind="stop" onClick={() => void forget()}>
        {texts.forgetNow}
      </Button>
    </div>
  );
}

export function DevicePanel() {
  const { session, texts, panel } = useKeypad();
  const { letters } = session.device.value;
  return (
    <main class="whole device">
      <PanelHead title={texts.device} hint={session.table} close={() => (panel.value = null)} />
      <div class="columns">
        <section class="panel">
          <Badge />
        </section>
        <section class="panel form">
          <Button kind="quiet" aria-pressed={letters} onClick={() => void session.setDevice({ letters: !letters })}>
            {letters && (
              <span class="status">
                <Icon name="done" />
              </span>
            )}
            {texts.letters}
          </Button>
          {pageKept.value !== null && <p class="secondary">{texts.pageKept(pageKept.value)}</p>}
          <Forget />
        </section>
      </div>
    </main>
  );
}
