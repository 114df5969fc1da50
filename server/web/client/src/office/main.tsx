// The entry of the office: the side bar, and the view of the address beside it.

import { mount } from "../staff/mount.js";
import { readLocale } from "../text/index.js";
import { loadOfficeTexts } from "../text/office.js";
import "./office.css";
import { listen } from "./router.js";
import { Shell } from "./shell.js";

document.documentElement.dataset["ground"] = "light";
listen();
await loadOfficeTexts(readLocale(new URL(location.href).searchParams.get("locale") ?? navigator.language));
mount(Shell);
