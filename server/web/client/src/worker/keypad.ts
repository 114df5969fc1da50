// The worker of the keypad: the page opens with its round and its outbox while the server is away.

import { keepPage } from "./keep.js";
import type { Shell } from "./shell.js";

/** Written by the build. */
declare const SHELL: Shell;

keepPage(self as unknown as ServiceWorkerGlobalScope, "keypad", SHELL);
