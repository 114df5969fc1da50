// Serves the built pages as the server does, with its Content-Security-Policy.

import { readFileSync } from "node:fs";
import { createServer, request as ask } from "node:http";
import { connect } from "node:net";
import { basename, dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Folder of the built pages: the committed ones, or those that BUILT names. */
export const BUILT = process.env.BUILT ?? join(dirname(fileURLToPath(import.meta.url)), "../../page/built");
const POLICY =
  "default-src 'self'; connect-src 'self' ws: wss:; style-src 'self'; script-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";
const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".woff2": "font/woff2",
  ".txt": "text/plain; charset=utf-8",
};
/** Addresses of the pages, and the file of each. */
const PAGES = [
  [/^\/$/, "front.html"],
  [/^\/sign(\/|$)/, "sign.html"],
  [/^\/table\//, "keypad.html"],
  [/^\/floor$/, "floor.html"],
  [/^\/office(\/|$)/, "office.html"],
];
/** Addresses that each worker may answer for. */
const SCOPES = { "keypad-worker.js": "/table/", "floor-worker.js": "/floor" };

/** Listens on a port that the system chooses. */
export async function listen(server) {
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return `http://127.0.0.1:${server.address().port}`;
}

export function send(response, status, type, body, headers = {}) {
  response.writeHead(status, {
    "content-type": type,
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "cache-control": "no-cache",
    ...headers,
  });
  response.end(body);
}

/** Returns the file of a page or of a built file, or undefined for any other address. */
function builtFile(pathname) {
  if (pathname.startsWith("/built/")) return basename(pathname);
  return PAGES.find(([address]) => address.test(pathname))?.[1];
}

/** Answers a request for a page or one of its files; returns false for any other. */
export function sendBuilt(pathname, response, folder = BUILT) {
  // Headless browsers ask for the icon; no picture shows it.
  if (pathname === "/assets/icon.png") {
    send(response, 204, "image/png", "");
    return true;
  }
  const file = builtFile(pathname);
  if (!file) return false;
  try {
    const scope = SCOPES[file] && { "service-worker-allowed": SCOPES[file] };
    const type = TYPES[extname(file)] ?? "application/octet-stream";
    send(response, 200, type, readFileSync(join(folder, file)), scope);
    return true;
  } catch {
    return false;
  }
}

/** Passes a WebSocket on to a server. */
function passUpgrade({ hostname, port }, request, socket, head) {
  const server = connect(port, hostname, () => {
    const lines = [`${request.method} ${request.url} HTTP/1.1`];
    for (let index = 0; index < request.rawHeaders.length; index += 2)
      lines.push(`${request.rawHeaders[index]}: ${request.rawHeaders[index + 1]}`);
    server.write(`${lines.join("\r\n")}\r\n\r\n`);
    server.write(head);
    server.pipe(socket);
    socket.pipe(server);
  });
  for (const [one, other] of [
    [server, socket],
    [socket, server],
  ])
    for (const event of ["error", "close"]) one.on(event, () => other.destroy());
}

/** Returns the address of the pages: the server's own, or a proxy with those of BUILT in front of it. */
export async function servePages(server) {
  return process.env.BUILT ? await startProxy(BUILT, server) : { url: server, close: () => {} };
}

/**
 * Starts a server that has the built pages of a folder, and passes all else on to the server at `target`. While that one
 * is away it answers nothing. The `folder` of what is returned may be set, and the address that is refused the next time.
 */
export async function startProxy(folder, target) {
  const { hostname, port } = new URL(target);
  const proxy = { folder, url: "", refused: null, close: () => {} };
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, target);
    if (pathname === proxy.refused) {
      proxy.refused = null;
      return send(response, 503, "text/plain", "");
    }
    const { url: path, method, headers } = request;
    const forward = ask({ hostname, port, path, method, headers }, (answer) => {
      if (sendBuilt(pathname, response, proxy.folder)) return void answer.resume();
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    forward.on("error", () => response.destroy());
    request.pipe(forward);
  });
  server.on("upgrade", (request, socket, head) => passUpgrade({ hostname, port }, request, socket, head));
  proxy.url = await listen(server);
  proxy.close = () => {
    server.close();
    server.closeAllConnections();
  };
  return proxy;
}
