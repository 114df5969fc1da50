// A house for trying the pages: a server on a private Postgres, a link with tables, and people who can log in.
//
//   node scripts/house.mjs [FOLDER]     prints the address, the people and the tables' tokens, and serves until Ctrl-C
//
// The program is METERHOUSE_PROGRAM, target/debug/meterhouse otherwise.

import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const PROGRAM = process.env.METERHOUSE_PROGRAM ?? join(here, "../../../../target/debug/meterhouse");
/** Password of each person. */
export const PASSWORD = "nine lamps over green felt";
const READY_WAIT_MS = 60_000;
/** Lines of the server's log that an error shows. */
const LOG_LINES = 200;

export const PEOPLE = {
  sam: { role: "supervisor", department: "floor", pin: "4071" },
  lee: { role: "supervisor", department: "slots", pin: "5280" },
  cash: { role: "supervisor", department: "cage", rights: "pay", pin: "6193" },
  max: { role: "manager", department: "tables", pin: "7302" },
  mia: { role: "manager", department: "finance", pin: "8416" },
  ada: { role: "auditor" },
};
export const LINK = "main";
const PAYTABLE = "pa-657a-five-card-c";
export const TABLES = { "C4P-07": 6, "C4P-08": 6, "C4P-09": 6 };

/** Runs a command of the program to its end, and returns what it prints. */
function command(folder, args) {
  return new Promise((done, failed) => {
    const child = spawn(PROGRAM, [...args, "--data-dir", folder], { stdio: ["ignore", "pipe", "pipe"] });
    let out = "";
    let log = "";
    child.stdout.on("data", (data) => (out += data));
    child.stderr.on("data", (data) => (log += data));
    child.on("error", failed);
    child.on("close", (code) => (code === 0 ? done(out) : failed(new Error(`${args.join(" ")}: ${log}`))));
  });
}

/** Starts the server and returns its process and its address. */
function serve(folder, listen) {
  const child = spawn(PROGRAM, ["serve", "--data-dir", folder, "--listen", listen, "--grpc-listen", "127.0.0.1:0"], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const log = [];
  const keep = (line) => log.push(line) > LOG_LINES && log.shift();
  createInterface({ input: child.stderr }).on("line", keep);
  return new Promise((done, failed) => {
    const late = setTimeout(() => failed(new Error(`the server is not ready\n${log.join("\n")}`)), READY_WAIT_MS);
    createInterface({ input: child.stdout }).on("line", (line) => {
      const found = /listening on (http:\/\/\S+)/.exec(line);
      if (!found) return;
      clearTimeout(late);
      done({ child, url: found[1], log });
    });
    child.on("error", failed);
    child.on("close", (code) => failed(new Error(`the server ended with ${code}\n${log.join("\n")}`)));
  });
}

/** Sends a request, and returns status and body. Throws unless it succeeds. */
async function send(url, method, path, { body, cookie, csrf, token } = {}) {
  const headers = { "content-type": "application/json" };
  if (cookie) headers.cookie = cookie;
  if (csrf) headers["meterhouse-csrf"] = csrf;
  if (token) headers.authorization = `Bearer ${token}`;
  const answer = await fetch(url + path, { method, headers, body: body && JSON.stringify(body) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return { body: text === "" ? null : JSON.parse(text), headers: answer.headers };
}

/** Logs a person in, and returns a function that sends requests of the session. */
async function logIn(url, name) {
  const { body, headers } = await send(url, "POST", "/v1/login", { body: { name, password: PASSWORD } });
  const cookie = headers.getSetCookie()[0].split(";")[0];
  return async (method, path, content) =>
    (await send(url, method, path, { body: content, cookie, csrf: body.csrf })).body;
}

async function setPassword(url, name, code) {
  await send(url, "PUT", "/v1/password", { body: { name, code, new: PASSWORD } });
}

async function openLink(url, tables) {
  const [max, mia] = [await logIn(url, "max"), await logIn(url, "mia")];
  const terms = { paytable: PAYTABLE, wager: "1.00", decks: 1 };
  const { levels } = await max("PUT", `/v1/links/${LINK}`, terms);
  const values = levels.map(({ level, opened_with }) => ({ level, amount: opened_with }));
  await mia("PUT", `/v1/links/${LINK}/values`, { values });
  for (const [table, seats] of Object.entries(tables))
    await max("PUT", `/v1/tables/${table}`, { link: LINK, game: "crazy-4-poker", seats, ...terms });
}

/** Admits the people, opens the link, lets the tables join, and returns their tokens. */
async function prepare(data, url, tables) {
  const made = await command(data, ["user", "create", "--name", "root", "--role", "administrator"]);
  await setPassword(url, "root", made.trim().split("\n")[0]);
  const root = await logIn(url, "root");
  for (const [name, { role, department, rights }] of Object.entries(PEOPLE)) {
    const { code } = await root("POST", "/v1/people", { name, role, department, rights });
    await setPassword(url, name, code);
  }
  await openLink(url, tables);
  const tokens = {};
  for (const table of Object.keys(tables))
    tokens[table] = (await root("POST", "/v1/tokens", { name: table, role: "controller", table })).token;
  return tokens;
}

/** Starts a house. `close` stops it and removes its folder, `restart` starts the server again at the same address. */
export async function startHouse({ folder, tables = TABLES } = {}) {
  const data = folder ?? mkdtempSync(join(tmpdir(), "meterhouse-house-"));
  // A server that root starts goes on as another user.
  if (!folder) chmodSync(data, 0o777);
  let server = await serve(data, "127.0.0.1:0");
  const { url } = server;
  const stop = () =>
    new Promise((done) => {
      server.child.removeAllListeners("close");
      server.child.once("close", done);
      server.child.kill("SIGTERM");
    });
  let tokens;
  try {
    tokens = await prepare(data, url, tables);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url,
    tokens,
    /** Sends a request of a person. */
    as: async (name) => logIn(url, name),
    /** Sends a command of a table. */
    play: async (table, sequence, content) =>
      (
        await send(url, "PUT", `/v1/tables/${table}/commands/${sequence}`, {
          body: { at: new Date().toISOString(), by: "d-12", ...content },
          token: tokens[table],
        })
      ).body,
    newId: randomUUID,
    stop,
    async restart() {
      server = await serve(data, new URL(url).host);
    },
    async close() {
      await stop();
      if (!folder) rmSync(data, { recursive: true, force: true });
    },
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const house = await startHouse({ folder: process.argv[2] });
  console.log(`page ${house.url}`);
  for (const name of ["root", ...Object.keys(PEOPLE)])
    console.log(`person ${name} ${PEOPLE[name]?.role ?? "administrator"} ${PASSWORD}`);
  for (const [table, token] of Object.entries(house.tokens)) console.log(`table ${table} ${token}`);
  process.once("SIGINT", () => void house.close());
  process.once("SIGTERM", () => void house.close());
}
