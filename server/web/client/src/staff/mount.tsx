// The start of a page for staff: finds out who is logged in, asks for a login without one, and draws the page below it.

import { signal } from "@preact/signals";
import { type ComponentType, render } from "preact";
import { useEffect } from "preact/hooks";
import { Problem, api, dataOf, onSessionChanged, onSessionLost, setCsrf } from "../api/client.js";
import { loadProblems } from "../text/problems.js";
import { staffTextsOf } from "../text/staff.js";
import "./base.css";
import "./login.css";
import { Login } from "./login.js";
import { type Holder, StaffProvider, pageLocale } from "./staff.js";

/** Wait until the session is asked for again while the server gives no answer. */
const RETRY_MS = 2_000;

const holder = signal<Holder | null>(null);
/** True while a login is asked for: at the start, or over the page after the session was lost. */
const asked = signal(false);
const reachable = signal(true);

function loggedIn(found: Holder): void {
  setCsrf(found.csrf ?? null);
  // Another person must not go on in the form of the one before.
  if (holder.value !== null && holder.value.name !== found.name) location.reload();
  holder.value = found;
  asked.value = false;
}

let looking = false;

async function findSession(): Promise<void> {
  if (looking) return;
  looking = true;
  try {
    loggedIn(await dataOf(api.GET("/v1/session")));
    reachable.value = true;
  } catch (error) {
    if (error instanceof Problem && error.status === 401) {
      reachable.value = true;
      asked.value = true;
    } else {
      reachable.value = false;
      setTimeout(() => void findSession(), RETRY_MS);
    }
  } finally {
    looking = false;
  }
}

async function logOut(): Promise<void> {
  try {
    await api.DELETE("/v1/session");
  } finally {
    location.reload();
  }
}

function Page({ App }: { App: ComponentType }) {
  const locale = pageLocale();
  const texts = staffTextsOf(locale);
  useEffect(() => {
    document.documentElement.lang = locale;
    // Asked again: the answer may be to a request that was sent before the login that has just succeeded.
    onSessionLost(() => void findSession());
    onSessionChanged(() => void findSession());
    // In another tab another person may have logged in meanwhile.
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible" && holder.value !== null) void findSession();
    });
    void findSession();
  }, []);
  const known = holder.value;
  return (
    <>
      {known && (
        <StaffProvider value={{ texts, locale, holder: known, logOut: () => void logOut() }}>
          <App />
        </StaffProvider>
      )}
      {asked.value && (
        <div class="login-cover">
          <Login texts={texts} name={known?.name ?? ""} done={loggedIn} />
        </div>
      )}
      {!known && !reachable.value && <p class="login-cover">{texts.noAnswer}</p>}
    </>
  );
}

/** Draws a page for staff in the document's body. */
export function mount(App: ComponentType): void {
  void loadProblems(pageLocale());
  render(<Page App={App} />, document.body);
}
