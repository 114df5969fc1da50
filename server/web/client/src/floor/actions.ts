// Requests of people that are on their way. They outlive the panel that sent them: going back to the list ends none.

import { type Signal, signal } from "@preact/signals";
import { Problem } from "../api/client.js";
import { type Attempt, Sender } from "./sender.js";
import type { Signature } from "./signing.js";

export interface ActionState {
  attempt: Attempt | null;
  /** The refusal of the last request; null after a new one begins. */
  error: unknown;
  /** True if the signature expired before an answer came. */
  expired: boolean;
}

const IDLE: ActionState = { attempt: null, error: null, expired: false };

export class Action {
  readonly state: Signal<ActionState> = signal(IDLE);
  #sender: Sender<unknown> | null = null;

  get busy(): boolean {
    return this.state.value.attempt !== null;
  }

  /** Returns true once an attempt had no answer. */
  get unanswered(): boolean {
    const { attempt } = this.state.value;
    return attempt !== null && (attempt.nextAt !== null || attempt.attempts > 1);
  }

  /** Sends a request until it is answered. Returns its answer; null if it is refused, or one is on its way already. */
  async run<Answer>(signature: Signature, request: () => Promise<Answer>): Promise<Answer | null> {
    if (this.busy) return null;
    const sender = new Sender(request, {
      bearer: signature.token !== null,
      seen: (attempt) => (this.state.value = { attempt, error: null, expired: false }),
    });
    this.#sender = sender;
    try {
      const answer = await sender.run();
      this.state.value = IDLE;
      return answer;
    } catch (error) {
      const expired = error instanceof Problem && error.code === "unauthenticated";
      this.state.value = { attempt: null, error: expired ? null : error, expired };
      return null;
    } finally {
      this.#sender = null;
    }
  }

  now(): void {
    this.#sender?.now();
  }

  clear(): void {
    if (!this.busy) this.state.value = IDLE;
  }
}

const actions = new Map<string, Action>();

/** Returns the action of one thing, such as the decision about a hit. */
export function actionOf(key: string): Action {
  let found = actions.get(key);
  if (!found) {
    found = new Action();
    actions.set(key, found);
  }
  return found;
}

/** Returns true if something was typed. */
export function isWritten(draft: Signal<string>): boolean {
  return draft.value.trim() !== "";
}

const drafts = new Map<string, Signal<string>>();

/** Returns what was typed in a field: it stays when the panel closes, and under a login over the page. */
export function draftOf(key: string): Signal<string> {
  let found = drafts.get(key);
  if (!found) {
    found = signal("");
    drafts.set(key, found);
  }
  return found;
}
