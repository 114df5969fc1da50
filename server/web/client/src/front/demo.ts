// What a demo offers to its visitor: a table, and people of play money. Without a demo there is no such file.

export interface DemoPerson {
  name: string;
  role: string;
  department: string | null;
  password: string;
  pin: string | null;
}

export interface Demo {
  link: string;
  table: { table: string; token: string };
  people: DemoPerson[];
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
const textOr = (value: unknown): string | null => (typeof value === "string" ? value : null);

function personOf(value: unknown): DemoPerson[] {
  if (!isRecord(value)) return [];
  const [name, role, password] = [textOr(value["name"]), textOr(value["role"]), textOr(value["password"])];
  if (name === null || role === null || password === null) return [];
  return [{ name, role, password, department: textOr(value["department"]), pin: textOr(value["pin"]) }];
}

/** Reads the content of /demo.json; null if it is none. */
export function readDemo(value: unknown): Demo | null {
  if (!isRecord(value) || !isRecord(value["table"]) || !Array.isArray(value["people"])) return null;
  const link = textOr(value["link"]);
  const [table, token] = [textOr(value["table"]["table"]), textOr(value["table"]["token"])];
  if (link === null || table === null || token === null) return null;
  return { link, table: { table, token }, people: value["people"].flatMap(personOf) };
}

/** Returns the people of roles, in the order of the roles. */
export function peopleOf(demo: Demo, roles: readonly string[]): DemoPerson[] {
  return roles.flatMap((role) => demo.people.filter((person) => person.role === role));
}

/** Longest wait for the file. */
const DEMO_WAIT_MS = 11_000;

async function read(address: string): Promise<unknown> {
  const response = await fetch(address, { signal: AbortSignal.timeout(DEMO_WAIT_MS) });
  const json = response.headers.get("content-type")?.includes("json");
  return json && (response.ok || response.status === 503) ? response.json() : null;
}

/**
 * Asks for the demo's offer. "none" says that this is no demo, "later" that the demo is still being prepared; a server
 * that gives no answer throws.
 */
export async function findDemo(): Promise<Demo | "none" | "later"> {
  const demo = readDemo(await read("/demo.json"));
  if (demo !== null) return demo;
  const health = await read("/readyz");
  return isRecord(health) && health["purpose"] === "demo" ? "later" : "none";
}

/** Badge of the visitor as a dealer. */
export const BADGE = "d-12";

/** Returns the address of a table's keypad, with the token and the dealer's badge where no server sees them. */
export function keypadAddress({ table: { table, token } }: Demo): string {
  return `/table/${encodeURIComponent(table)}#token=${encodeURIComponent(token)}&badge=${BADGE}`;
}
