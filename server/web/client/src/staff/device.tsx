// The start of a page that belongs to a device: the context of the pages for staff, without a person who logs in.

import { type ComponentType, render } from "preact";
import { loadProblems } from "../text/problems.js";
import { staffTextsOf } from "../text/staff.js";
import "./base.css";
import { type Holder, type Staff, StaffProvider, pageLocale } from "./staff.js";

/** Takes the value of a name out of the address's fragment, so that it is neither shown nor kept in the history. */
export function takeFromFragment(name: string): string | null {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const value = fragment.get(name);
  if (value === null) return null;
  fragment.delete(name);
  const rest = fragment.toString();
  history.replaceState(history.state, "", `${location.pathname}${location.search}${rest === "" ? "" : `#${rest}`}`);
  return value.trim();
}

/** Draws a page of the device of this name in the document's body. */
export function mountDevice(App: ComponentType, name: string, role: Holder["role"]): void {
  const locale = pageLocale();
  document.documentElement.lang = locale;
  void loadProblems(locale);
  const staff: Staff = {
    texts: staffTextsOf(locale),
    locale,
    holder: { name, role, credential: "token" },
    logOut: () => {},
  };
  render(
    <StaffProvider value={staff}>
      <App />
    </StaffProvider>,
    document.body,
  );
}
