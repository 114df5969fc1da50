// The entry of the office: the side bar, and the view of the address beside it.

import { mount } from "../staff/mount.js";
import { pageLocale } from "../staff/staff.js";
import { loadOfficeTexts } from "../text/office.js";
import "./office.css";
import { listen } from "./router.js";
import { Shell } from "./shell.js";

document.documentElement.dataset["ground"] = "light";
listen();
await loadOfficeTexts(pageLocale());
mount(Shell);
