// Serves the built sign as the server does, with its Content-Security-Policy.

import { readFileSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Folder of the built pages: the committed ones, or those that BUILT names. */
const BUILT = process.env.BUILT ?? join(dirname(fileURLToPath(import.meta.url)), "../../page/built");
const POLICY =
  "default-src 'self'; connect-src 'self' ws: wss:; style-src 'self'; script-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";
const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".woff2": "font/woff2",
  ".txt": "text/plain; charset=utf-8",
};

/** Listens on a port that the system chooses. */
export async function listen(server) {
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return `http://127.0.0.1:${server.address().port}`;
}

export function send(response, status, type, body) {
  response.writeHead(status, {
    "content-type": type,
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
  });
  response.end(body);
}

/** Answers a request for the sign or one of its files; returns false for any other. */
export function sendBuilt(pathname, response) {
  // Headless browsers ask for the icon; no picture shows it.
  if (pathname === "/assets/icon.png") {
    send(response, 204, "image/png", "");
    return true;
  }
  const isSign = pathname.startsWith("/sign/");
  if (!isSign && !pathname.startsWith("/built/")) return false;
  const file = isSign ? "sign.html" : basename(pathname);
  try {
    send(response, 200, TYPES[extname(file)] ?? "application/octet-stream", readFileSync(join(BUILT, file)));
    return true;
  } catch {
    return false;
  }
}
