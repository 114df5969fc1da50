// A house for trying the pages: a server on a private Postgres, a link with tables, and people who can log in.
//
//   node scripts/house.mjs [FOLDER]     prints the address, the people and the tables' tokens, and serves until Ctrl-C
//
// The program is METERHOUSE_PROGRAM, target/debug/meterhouse otherwise.

import { execFile } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { endProcess, startProcess } from "./process.mjs";

const here = dirname(fileURLToPath(import.meta.url));
export const PROGRAM = process.env.METERHOUSE_PROGRAM ?? join(here, "../../../../target/debug/meterhouse");
/** Password of each person. */
export const PASSWORD = "nine lamps over green felt";

export const PEOPLE = {
  sam: { role: "supervisor", department: "floor", pin: "4071" },
  lee: { role: "supervisor", department: "slots", pin: "5280" },
  cash: { role: "supervisor", department: "cage", rights: "pay", pin: "6193" },
  max: { role: "manager", department: "tables", pin: "7302" },
  mia: { role: "manager", department: "finance", pin: "8416" },
  ada: { role: "auditor" },
};
export const LINK = "main";
export const TABLES = ["C4P-07", "C4P-08", "C4P-09"];
const SEATS = 6;
const TERMS = { paytable: "pa-657a-five-card-c", wager: "1.00", decks: 1 };

/** Makes a folder for data. A server that root starts goes on as another user. */
export function makeDataFolder() {
  const folder = mkdtempSync(join(tmpdir(), "meterhouse-house-"));
  chmodSync(folder, 0o777);
  return folder;
}

function serve(folder, listen) {
  const args = ["serve", "--data-dir", folder, "--listen", listen, "--grpc-listen", "127.0.0.1:0"];
  return startProcess(PROGRAM, args, /listening on (http:\/\/\S+)/);
}

/** Sends a request, and returns the body and the headers of its answer. Throws unless it succeeds. */
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

/** A house whose server is at `url`. */
class House {
  /** Token of the controller of each table. */
  tokens = {};
  /** Commands that `play` has sent for each table. */
  #sent = {};
  #sessions = {};
  #server;
  #folder;
  #keeps;

  /** `keeps` leaves the folder when the house is closed. */
  constructor(server, folder, keeps) {
    this.url = server.found;
    this.#server = server;
    this.#folder = folder;
    this.#keeps = keeps;
  }

  /** Returns a function that sends requests of a person. */
  as(name) {
    return (this.#sessions[name] ??= logIn(this.url, name));
  }

  /** Admits the people. Each sets a password, and a PIN if the person has one. */
  async admitPeople() {
    const args = ["user", "create", "--name", "root", "--role", "administrator", "--data-dir", this.#folder];
    const { stdout } = await promisify(execFile)(PROGRAM, args);
    await this.#setPassword("root", stdout.trim().split("\n")[0]);
    const root = await this.as("root");
    for (const [name, { pin, ...person }] of Object.entries(PEOPLE)) {
      const { code } = await root("POST", "/v1/people", { name, ...person });
      await this.#setPassword(name, code);
      if (pin) await (await this.as(name))("PUT", "/v1/session/pin", { pin, password: PASSWORD });
    }
  }

  #setPassword(name, code) {
    return send(this.url, "PUT", "/v1/password", { body: { name, code, new: PASSWORD } });
  }

  /** Opens a link and accepts its first values. */
  async openLink(link, terms = TERMS) {
    const [max, mia] = [await this.as("max"), await this.as("mia")];
    const { levels } = await max("PUT", `/v1/links/${link}`, terms);
    const values = levels.map(({ level, opened_with }) => ({ level, amount: opened_with }));
    await mia("PUT", `/v1/links/${link}/values`, { values });
  }

  /** Lets a table join a link, and makes the token of its controller. */
  async join(table, link = LINK, terms = TERMS) {
    const [max, root] = [await this.as("max"), await this.as("root")];
    await max("PUT", `/v1/tables/${table}`, { link, game: "crazy-4-poker", seats: SEATS, ...terms });
    this.tokens[table] = (await root("POST", "/v1/tokens", { name: table, role: "controller", table })).token;
  }

  /** Sends a request as the controller of a table. */
  async atTable(table, method, path, body) {
    return (await send(this.url, method, `/v1/tables/${table}${path}`, { body, token: this.tokens[table] })).body;
  }

  /** Sends the next command of a table that nothing else plays. */
  play(table, content) {
    this.#sent[table] = (this.#sent[table] ?? 0) + 1;
    const command = { at: new Date().toISOString(), by: "d-12", ...content };
    return this.atTable(table, "PUT", `/commands/${this.#sent[table]}`, command);
  }

  /** Stops the server. One that has ended stays so. */
  stop() {
    return endProcess(this.#server.child);
  }

  /** Starts the server again at the same address. */
  async restart() {
    this.#server = await serve(this.#folder, new URL(this.url).host);
  }

  /** Stops the server and removes its folder, unless the caller gave it. */
  async close() {
    await this.stop();
    if (!this.#keeps) rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Starts a house. */
export async function startHouse({ folder, tables = TABLES } = {}) {
  const data = folder ?? makeDataFolder();
  const house = new House(await serve(data, "127.0.0.1:0"), data, folder !== undefined);
  try {
    await house.admitPeople();
    await house.openLink(LINK);
    for (const table of tables) await house.join(table);
  } catch (error) {
    await house.close();
    throw error;
  }
  return house;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const house = await startHouse({ folder: process.argv[2] });
  console.log(`page ${house.url}`);
  console.log(`person root administrator ${PASSWORD}`);
  for (const [name, { role, pin }] of Object.entries(PEOPLE))
    console.log(`person ${name} ${role} ${PASSWORD}${pin ? ` PIN ${pin}` : ""}`);
  for (const [table, token] of Object.entries(house.tokens)) console.log(`table ${table} ${token}`);
  process.once("SIGINT", () => void house.close());
  process.once("SIGTERM", () => void house.close());
}
