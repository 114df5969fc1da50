// The tablet itself: its token, the dealer's badge, and the other tab.

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { api, dataOf } from "../api/client.js";
import { Button, Field } from "../staff/controls.js";
import { Icon } from "../staff/icons.js";
import { pageKept } from "../staff/worker.js";
import { behind, useKeypad } from "./context.js";
import { PanelHead, focusOnce } from "./hand.js";

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

/** Returns true if no link has a table of this name; false while that is not known. */
function useUnknownTable(table: string): boolean {
  const [unknown, setUnknown] = useState(false);
  useEffect(() => {
    dataOf(api.GET("/v1/links")).then(
      ({ links }) => setUnknown(!links.some((link) => link.tables.some((one) => one.table === table))),
      // No answer, or none to a tablet: the token is asked for as ever.
      () => {},
    );
  }, [table]);
  return unknown;
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
  const unknown = useUnknownTable(session.table);
  return (
    <Message
      title={unknown ? texts.noSuchTable(session.table) : texts.tokenTitle(session.table)}
      hint={unknown ? texts.noSuchTableHint : texts.tokenHint}
    >
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
  // A hand waits for the badge.
  const asked = behind(panel.value) !== null;
  const [wrong, setWrong] = useState(false);
  const use = (event: Event) => {
    event.preventDefault();
    const valid = BADGE.test(badge.trim());
    setWrong(!valid);
    if (valid) void session.setDevice({ badge: badge.trim() }).then(() => (panel.value = behind(panel.value)));
  };
  return (
    <form onSubmit={use} class="form">
      <Field id="badge" label={`${texts.badge}. ${texts.badgeHint}`} wrong={wrong ? texts.badgeWrong : null}>
        <input
          id="badge"
          {...(asked ? { ref: focusOnce } : {})}
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
      <PanelHead title={texts.device} hint={session.table} close={() => (panel.value = behind(panel.value))} />
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
          {letters && (
            <dl class="letter-list">
              {texts.letterList.map(([key, does]) => (
                <div key={key}>
                  <dt class="figure">{key}</dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          )}
          {pageKept.value !== null && <p class="secondary">{texts.pageKept(pageKept.value)}</p>}
          <Forget />
        </section>
      </div>
    </main>
  );
}
