// Processes that the scripts and the tests start and end.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** Most time until a process prints the line that is waited for. */
const READY_WAIT_MS = 60_000;
/** Lines of its output that an error shows. */
const LOG_LINES = 200;

/**
 * Starts a process, and resolves with it and the first group of `pattern` in a line of `stream`.
 *
 * Rejects with the process's last lines if it ends before that line, or is late.
 */
export function startProcess(program, args, pattern, stream = "stdout") {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
  const log = [];
  return new Promise((done, failed) => {
    const fail = (reason) => {
      clearTimeout(late);
      failed(new Error(`${program} ${args[0]} ${reason}\n${log.join("\n")}`));
    };
    const late = setTimeout(() => {
      child.kill("SIGKILL");
      fail("is not ready");
    }, READY_WAIT_MS);
    for (const name of ["stdout", "stderr"])
      createInterface({ input: child[name] }).on("line", (line) => {
        if (log.push(line) > LOG_LINES) log.shift();
        const found = name === stream ? pattern.exec(line) : null;
        if (!found) return;
        clearTimeout(late);
        done({ child, found: found[1] });
      });
    child.once("error", (error) => fail(String(error)));
    child.once("close", (code) => fail(`ended with ${code}`));
  });
}

/** Ends a process by a signal and waits for its end. One that has ended needs no signal. */
export async function endProcess(child, signal = "SIGTERM") {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "close");
  child.kill(signal);
  await ended;
}
