// The health of the server, as it checks itself.

import type { Schema } from "../../api/client.js";
import { problemOf } from "../../api/client.js";
import { named } from "../format.js";
import { useLoad } from "../load.js";
import { useOffice } from "../office.js";
import { Card, Head, Hero, State } from "../parts.js";
import { Ready, Table } from "../table.js";

type Readiness = Schema<"Readiness">;

const EVERY_MS = 5_000;
/** Longest wait for the checks; the server's own is 8 s. */
const CHECKS_WAIT_MS = 11_000;

/** Asks for the checks. A server that is not ready answers 503 with the same content. */
async function readiness(): Promise<Readiness> {
  const response = await fetch("/readyz", { signal: AbortSignal.timeout(CHECKS_WAIT_MS) });
  if (!response.ok && response.status !== 503) throw await problemOf(response);
  return (await response.json()) as Readiness;
}

const SIGNS = {
  ready: ["done", "teal"],
  degraded: ["pending", "amber"],
  not_ready: ["error", "vermilion"],
} as const;

export function Health() {
  const { t } = useOffice();
  const h = t.proof.health;
  const health = useLoad("health", readiness, EVERY_MS);
  const words = { ready: h.ready, degraded: h.degraded, not_ready: h.notReady };
  return (
    <>
      <Head title={h.title} under={h.under} />
      <Ready of={health}>
        {(found) => {
          const [icon, tone] = SIGNS[found.status];
          return (
            <>
              <Hero icon={icon} tone={tone} title={words[found.status]}>
                {found.purpose && `${h.purpose} ${h.purposes[found.purpose] ?? found.purpose}`}
              </Hero>
              <Card>
                <Table
                  caption={h.title}
                  rows={found.checks}
                  rowKey={(check) => check.name}
                  columns={[
                    { head: h.check, name: true, cell: (check) => h.checks[check.name] ?? named(check.name) },
                    { head: t.state, cell: (check) => <State of={check.status} /> },
                    { head: t.details, wide: true, cell: (check) => check.detail },
                  ]}
                />
              </Card>
            </>
          );
        }}
      </Ready>
    </>
  );
}
