// A server with a link, tables and people, for the end-to-end test of the floor console. The program is
// METERHOUSE_PROGRAM, else the debug build of this repository.

import { execFile, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const here = dirname(fileURLToPath(import.meta.url));
const PROGRAM = process.env["METERHOUSE_PROGRAM"] ?? join(here, "../../../../target/debug/meterhouse");
const START_WAIT_MS = 90_000;

export const PASSWORD = "correct horse battery";
/** Name, role and department of each person. */
const PEOPLE = [
  ["sam", "supervisor", "slots"],
  ["lee", "supervisor", "tables"],
  ["ana", "manager", "finance"],
  ["ben", "manager", "tables"],
  ["aud", "auditor", null],
];
const TABLES = ["C4P-03", "C4P-06", "C4P-07", "C4P-11"];
const SEEDS = [
  ["mega", "10000.00"],
  ["major", "1000.00"],
  ["minor", "250.00"],
];

/** Starts a server on a port that the system chooses; resolves with its address once it listens. */
async function start(folder) {
  const child = spawn(PROGRAM, ["serve", "--data-dir", folder, "--listen", "127.0.0.1:0", "--grpc-listen", "127.0.0.1:0"], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let log = "";
  const url = await new Promise((found, failed) => {
    const timer = setTimeout(() => failed(new Error(`the server did not start:\n${log}`)), START_WAIT_MS);
    const read = (chunk) => {
      log += chunk;
      const match = /listening on (http:\/\/\S+)/.exec(log);
      if (!match) return;
      clearTimeout(timer);
      found(match[1]);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.on("exit", (code) => failed(new Error(`the server ended with ${code}:\n${log}`)));
  });
  return { child, url };
}

export class House {
  #tokens = {};
  #sequence = {};

  /** Starts a house of its own, in a folder that goes with it. */
  static async start() {
    const house = new House();
    house.root = mkdtempSync(join(tmpdir(), "floor-"));
    chmodSync(house.root, 0o777);
    house.folder = join(house.root, "data");
    Object.assign(house, await start(house.folder));
    for (const [name, role, department] of PEOPLE) await house.#admit(name, role, department);
    for (const [name, role, department] of PEOPLE)
      if (role !== "auditor") house.#tokens[name] = await house.#token(name, role, department);
    await house.#open();
    return house;
  }

  async #command(...words) {
    const { stdout } = await run(PROGRAM, [...words, "--data-dir", this.folder], { maxBuffer: 1 << 20 });
    return stdout.trim().split("\n")[0];
  }

  async #admit(name, role, department) {
    const code = await this.#command(
      ...["user", "create", "--name", name, "--role", role],
      ...(department ? ["--department", department] : []),
    );
    await this.call("PUT", "/v1/password", { name, code, new: PASSWORD });
  }

  #token(name, role, department, more = []) {
    return this.#command(
      ...["token", "create", "--name", name, "--role", role],
      ...(department ? ["--department", department] : []),
      ...more,
    );
  }

  async #open() {
    await this.as("ana", "PUT", "/v1/links/main", { paytable: "pa-657a-five-card-c", wager: "1.00", decks: 1 });
    const values = SEEDS.map(([level, amount]) => ({ level, amount }));
    await this.as("ben", "PUT", "/v1/links/main/values", { values });
    for (const table of TABLES) {
      const joined = { link: "main", game: "crazy-4-poker", seats: 6, paytable: "pa-657a-five-card-c", wager: "1.00" };
      await this.as("ana", "PUT", `/v1/tables/${table}`, { ...joined, decks: 1 });
      this.#tokens[table] = await this.#token(table, "controller", null, ["--table", table]);
    }
  }

  /** Sends a request; a refusal is an error with the server's words. */
  async call(method, path, body, token) {
    const response = await fetch(this.url + path, {
      method,
      headers: {
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === "" ? null : JSON.parse(text);
  }

  /** Sends a request with the token of a person or table. */
  as(name, method, path, body) {
    return this.call(method, path, body, this.#tokens[name]);
  }

  /** Sends the next command of a table. */
  async play(table, command) {
    const sequence = (this.#sequence[table] ?? 0) + 1;
    this.#sequence[table] = sequence;
    return this.as(table, "PUT", `/v1/tables/${table}/commands/${sequence}`, command);
  }

  /** Locks a round with a wager on each of these seats. */
  lock(table, seats, dealt = seats) {
    return this.play(table, {
      command: "coin_in",
      wagers: seats.map((seat) => ({ seat, amount: "1.00" })),
      dealt,
    });
  }

  /** Keys a hit; resolves with it. */
  async hit(table, seat, hand, cards) {
    const { hit } = await this.play(table, { command: "hit", seat, hand, cards, by: "d-12" });
    return hit;
  }

  close() {
    return new Promise((done) => {
      this.child.on("exit", () => {
        rmSync(this.root, { recursive: true, force: true });
        done();
      });
      this.child.kill("SIGTERM");
    });
  }
}
