// Serves the built page as the server is to serve it, with its Content-Security-Policy; and a proxy to a real server.

import { readFileSync } from "node:fs";
import { createServer, request as ask } from "node:http";
import { connect } from "node:net";
import { basename, extname, join } from "node:path";

const POLICY =
  "default-src 'self'; connect-src 'self' ws: wss:; style-src 'self'; script-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";
/** The page of an address, by its first part. */
const PAGES = {
  sign: "sign.html",
  floor: "floor.html",
  table: "keypad.html",
  office: "office.html",
  "": "front.html",
};
const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".woff2": "font/woff2",
  ".txt": "text/plain; charset=utf-8",
};

export function send(response, status, type, body) {
  response.writeHead(status, {
    "content-type": type,
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
  });
  response.end(body);
}

/** Answers a request for the page or one of its files; returns false for any other. */
export function sendBuilt(pathname, response, built) {
  if (pathname === "/assets/icon.png") return send(response, 204, "image/png", "") ?? true;
  const page = PAGES[pathname.split("/")[1] ?? ""];
  if (page) return send(response, 200, TYPES[".html"], readFileSync(join(built, page))) ?? true;
  if (!pathname.startsWith("/built/")) return false;
  try {
    return (
      send(
        response,
        200,
        TYPES[extname(pathname)] ?? "application/octet-stream",
        readFileSync(join(built, basename(pathname))),
      ) ?? true
    );
  } catch {
    return false;
  }
}

/** Listens on a port that the system chooses. */
export async function listen(server) {
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return `http://127.0.0.1:${server.address().port}`;
}

/** Serves the built page in front of a real server's `/v1`. */
export async function startProxy(built, target) {
  const { hostname, port } = new URL(target);
  const server = createServer((request, response) => {
    if (sendBuilt(new URL(request.url, target).pathname, response, built)) return;
    const forward = ask(
      { hostname, port, path: request.url, method: request.method, headers: request.headers },
      (from) => {
        response.writeHead(from.statusCode, from.headers);
        from.pipe(response);
      },
    );
    forward.on("error", () => response.destroy());
    request.pipe(forward);
  });
  server.on("upgrade", (request, socket, head) => {
    const onward = connect(port, hostname, () => {
      const lines = request.rawHeaders.flatMap((name, index, all) =>
        index % 2 === 0 ? [`${name}: ${all[index + 1]}`] : [],
      );
      onward.write(`GET ${request.url} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
      onward.write(head);
      socket.pipe(onward).pipe(socket);
    });
    onward.on("error", () => socket.destroy());
    socket.on("error", () => onward.destroy());
  });
  const url = await listen(server);
  return {
    url,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
