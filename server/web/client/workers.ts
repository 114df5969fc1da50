// Builds the service workers: one self-contained script each, without a hash in its name, that lists the built files of
// the page that it keeps.

import { type Plugin, build } from "vite";
import type { Shell } from "./src/worker/shell.js";

/** A built file by its name. */
export type Files = Record<string, string | Uint8Array>;

/** Bytes of the digest that names a build. */
const BUILD_BYTES = 8;

/** Returns the names of a page's files: the page, and what its texts name, directly or through others. */
export function filesOf(page: string, files: Files): string[] {
  const found = new Set([page]);
  for (const name of found) {
    const text = files[name];
    if (typeof text !== "string") continue;
    for (const other of Object.keys(files)) if (!other.endsWith(".html") && text.includes(other)) found.add(other);
  }
  return [...found].sort();
}

async function digest(content: string | Uint8Array): Promise<Uint8Array> {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content);
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

/** Returns the digest of a file as Subresource Integrity has it. */
async function integrity(content: string | Uint8Array): Promise<string> {
  return `sha256-${btoa(String.fromCharCode(...(await digest(content))))}`;
}

/** Returns what a worker has to know of the page that it keeps. */
export async function shellOf(page: string, files: Files, base: string): Promise<Shell> {
  const listed: Record<string, string> = {};
  for (const name of filesOf(page, files)) listed[`${base}${name}`] = await integrity(files[name]!);
  const whole = await digest(JSON.stringify(listed));
  const build = [...whole.slice(0, BUILD_BYTES)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return { build, page: `${base}${page}`, files: listed };
}

async function scriptOf(name: string, shell: Shell): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: "warn",
    publicDir: false,
    define: { SHELL: JSON.stringify(shell) },
    build: {
      write: false,
      target: "chrome109",
      rollupOptions: { input: `src/worker/${name}.ts`, output: { format: "iife" } },
    },
  });
  const [script] = (Array.isArray(result) ? result : [result]).flatMap((one) => ("output" in one ? one.output : []));
  if (script?.type !== "chunk") throw new Error(`the worker ${name} is not one script`);
  return script.code;
}

/** Emits `NAME-worker.js` for each page `NAME.html` of `names`. */
export function workers(names: string[], base: string): Plugin {
  return {
    name: "meterhouse-workers",
    apply: "build",
    enforce: "post",
    generateBundle: {
      // After all others: a chunk with a dynamic import is still changed by Vite itself.
      order: "post",
      async handler(_, bundle) {
        const content = (file: (typeof bundle)[string]) => (file.type === "chunk" ? file.code : file.source);
        const files = Object.fromEntries(Object.values(bundle).map((file) => [file.fileName, content(file)]));
        for (const name of names) {
          const source = await scriptOf(name, await shellOf(`${name}.html`, files, base));
          this.emitFile({ type: "asset", fileName: `${name}-worker.js`, source });
        }
      },
    },
  };
}
