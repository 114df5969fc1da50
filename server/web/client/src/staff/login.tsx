// The login of a person: name, password, and the code of a second factor if the server asks for one.

import { useState } from "preact/hooks";
import { Problem, api, dataOf } from "../api/client.js";
import type { StaffTexts } from "../text/staff.en.js";
import { Icon } from "./icons.js";
import type { Holder } from "./staff.js";

interface LoginProps {
  texts: StaffTexts;
  /** Name of the person whose session ended: it stays in the form. */
  name: string;
  done(holder: Holder): void;
}

export function Login({ texts, name: known, done }: LoginProps) {
  const [name, setName] = useState(known);
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const [needsCode, setNeedsCode] = useState(false);
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<string | null>(null);

  async function logIn(event: Event): Promise<void> {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setWrong(null);
    try {
      const body = { name, password, ...(code === "" ? {} : { code }) };
      done(await dataOf(api.POST("/v1/login", { body })));
    } catch (error) {
      const problem = error instanceof Problem ? error : null;
      if (problem?.code === "second_factor_missing") setNeedsCode(true);
      setWrong(problem ? problem.message : texts.noAnswer);
    } finally {
      setBusy(false);
    }
  }

  return (
    <form class="login panel" onSubmit={logIn} aria-labelledby="login-title">
      <h1 id="login-title">{known === "" ? texts.logIn : texts.logInAgain}</h1>
      {known !== "" && <p class="secondary">{texts.logInAgainHint}</p>}
      <div class="field">
        <label for="login-name">{texts.name}</label>
        <input
          id="login-name"
          autocomplete="username"
          autocapitalize="none"
          required
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </div>
      <div class="field">
        <label for="login-password">{texts.password}</label>
        <input
          id="login-password"
          type="password"
          autocomplete="current-password"
          required
          value={password}
          onInput={(event) => setPassword(event.currentTarget.value)}
        />
      </div>
      {needsCode && (
        <div class="field">
          <label for="login-code">{texts.code}</label>
          <input
            id="login-code"
            inputMode="numeric"
            autocomplete="one-time-code"
            value={code}
            onInput={(event) => setCode(event.currentTarget.value)}
          />
        </div>
      )}
      {wrong !== null && (
        <div class="notice" role="alert">
          <Icon name="error" />
          <p>{wrong}</p>
        </div>
      )}
      <button class={`button go ${busy ? "busy" : ""}`} aria-busy={busy}>
        {texts.logIn}
      </button>
    </form>
  );
}
