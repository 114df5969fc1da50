// The entry of the page.

import { useMemo } from "preact/hooks";
import { mountDevice, takeFromFragment } from "../staff/device.js";
import { useStaff } from "../staff/staff.js";
import { registerWorker } from "../staff/worker.js";
import { keypadTextsOf } from "../text/keypad.js";
import { App } from "./app.js";
import { KeypadProvider, newKeypad } from "./context.js";
import "./keypad.css";
import { Session } from "./session.js";
import { Message } from "./tablet.js";

const NAME = /^[A-Za-z0-9-]{1,32}$/;

/** Reads the table from the address: `/table/C4P-07`, or `?table=` where a file of the build is opened. */
function tableOf(address: URL): string | null {
  const [, page, name] = address.pathname.split("/");
  const table = page === "table" ? decodeURIComponent(name ?? "") : (address.searchParams.get("table") ?? "");
  return NAME.test(table) ? table : null;
}

const offer = () => ({ token: takeFromFragment("token"), badge: takeFromFragment("badge") });
const table = tableOf(new URL(location.href));
const session = table === null ? null : new Session(table);
void session?.start(offer());
registerWorker("keypad", "/table/");
// An address with another token that is opened in this tab loads nothing again.
addEventListener("hashchange", () => void session?.take(offer()));

function Keypad() {
  const { locale } = useStaff();
  const texts = keypadTextsOf(locale);
  const keypad = useMemo(() => session && newKeypad(session, texts, locale), []);
  if (!keypad) return <Message title={texts.unknownTable} hint={texts.unknownTableHint} />;
  return (
    <KeypadProvider value={keypad}>
      <App />
    </KeypadProvider>
  );
}

mountDevice(Keypad, table ?? "", "controller");
