// The login of a person: name, password, and the code of a second factor if the server asks for one. A person with an
// administrator's code sets the password first.

import { useState } from "preact/hooks";
import { Problem, api, dataOf } from "../api/client.js";
import { problemWords, refusedBy } from "../text/problems.js";
import type { StaffTexts } from "../text/staff.en.js";
import { Field } from "./controls.js";
import { DemoLink } from "./demo-link.js";
import { Icon } from "./icons.js";
import type { Holder } from "./staff.js";

interface LoginProps {
  texts: StaffTexts;
  /** Name of the person whose session ended: it stays in the form. */
  name: string;
  done(holder: Holder): void;
}

interface LineProps {
  id: string;
  label: string;
  value: string;
  set(value: string): void;
  type?: "text" | "password";
  autocomplete: "username" | "current-password" | "new-password" | "one-time-code" | "off";
  numeric?: boolean;
  hint?: string;
}

function Line({ id, label, value, set, type = "text", autocomplete, numeric, hint }: LineProps) {
  return (
    <Field id={id} label={label}>
      <input
        id={id}
        type={type as "text"}
        autocomplete={autocomplete}
        autocapitalize="none"
        required
        {...(numeric ? { inputMode: "numeric" as const } : {})}
        {...(hint ? { "aria-describedby": `${id}-hint` } : {})}
        value={value}
        onInput={(event) => set(event.currentTarget.value)}
      />
      {hint && (
        <p class="secondary" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </Field>
  );
}

/** The words for a refused login: `RefusalText` needs a person who is logged in. */
function Refusal({ problem, texts }: { problem: Problem; texts: StaffTexts }) {
  const { text, english } = problemWords(refusedBy(problem), texts.refused);
  return (
    <div>
      <p>{text}</p>
      {english !== null && <p lang="en">{english}</p>}
    </div>
  );
}

export function Login({ texts, name: known, done }: LoginProps) {
  const [name, setName] = useState(known);
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const [needsCode, setNeedsCode] = useState(false);
  /** The administrator's code; null while the person has a password. */
  const [first, setFirst] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  /** The refusal of the server, or "no answer". */
  const [wrong, setWrong] = useState<Problem | "no answer" | null>(null);

  async function logIn(event: Event): Promise<void> {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setWrong(null);
    try {
      if (first !== null) {
        await api.PUT("/v1/password", { body: { name, code: first.trim(), new: password } });
        // The code is used up: from now on the password counts.
        setFirst(null);
      }
      const body = { name, password, ...(code === "" ? {} : { code }) };
      done(await dataOf(api.POST("/v1/login", { body })));
    } catch (error) {
      const problem = error instanceof Problem ? error : null;
      if (problem?.code === "second_factor_missing") setNeedsCode(true);
      setWrong(problem ?? "no answer");
    } finally {
      setBusy(false);
    }
  }

  const title = first !== null ? texts.setPassword : known === "" ? texts.logIn : texts.logInAgain;
  return (
    <form class="login panel" onSubmit={logIn} aria-labelledby="login-title">
      <h1 id="login-title">{title}</h1>
      {known !== "" && first === null && <p class="secondary">{texts.logInAgainHint}</p>}
      <Line id="login-name" label={texts.name} value={name} set={setName} autocomplete="username" />
      {first !== null && (
        <Line id="login-first" label={texts.firstCode} value={first} set={setFirst} autocomplete="off" />
      )}
      <Line
        id="login-password"
        type="password"
        label={first === null ? texts.password : texts.newPassword}
        value={password}
        set={setPassword}
        autocomplete={first === null ? "current-password" : "new-password"}
        {...(first === null ? {} : { hint: texts.newPasswordHint })}
      />
      {needsCode && (
        <Line id="login-code" label={texts.code} value={code} set={setCode} autocomplete="one-time-code" numeric />
      )}
      {wrong !== null && (
        <div class="notice" role="alert">
          <Icon name="error" />
          {wrong === "no answer" ? <p>{texts.noAnswer}</p> : <Refusal problem={wrong} texts={texts} />}
        </div>
      )}
      <button class={`button go ${busy ? "busy" : ""}`} aria-busy={busy}>
        {first === null ? texts.logIn : texts.setPassword}
      </button>
      <button
        type="button"
        class="login-other"
        onClick={() => {
          setFirst(first === null ? "" : null);
          setWrong(null);
        }}
      >
        {first === null ? texts.haveCode : texts.havePassword}
      </button>
      <DemoLink text={texts.demoLogsIn} />
    </form>
  );
}
