// Verification: the newest signed head of each link and of the house's chain, and the heads of other houses.

import { api, dataOf, type Schema } from "../../api/client.js";
import { Button, Status } from "../../staff/controls.js";
import { count, when } from "../format.js";
import { useLoad, usePages } from "../load.js";
import { useOffice } from "../office.js";
import { Card, Command, Facts, Head, useLinks } from "../parts.js";
import { to } from "../router.js";
import { save } from "../save.js";
import { Empty, List, Ready } from "../table.js";

type SignedHead = Schema<"ProofHead">;
type Witnessed = Schema<"WitnessedHead">;

const EVERY_MS = 15_000;

function HeadFacts({ head, newest, house }: { head: SignedHead; newest: number; house: boolean }) {
  const { t, locale } = useOffice();
  const v = t.proof.verification;
  return (
    <Facts
      rows={[
        [v.number, count(head.number, locale)],
        [house ? v.entries : v.batch, count(head.batch, locale)],
        [house ? v.behindEntries : v.behind, count(newest - head.batch, locale)],
        [v.signedAt, when(head.signed_at, locale)],
        [v.root, <span class="code">{head.root}</span>],
        [v.chain, <span class="code">{head.chain_hash}</span>],
        [v.key, <span class="code">{head.public_key}</span>],
      ]}
    />
  );
}

/** Saves a head as JSON: with it anyone can compare the journal later. */
function Save({ name, head }: { name: string; head: SignedHead }) {
  const { t } = useOffice();
  const content = () => new Blob([`${JSON.stringify(head, null, 2)}\n`], { type: "application/json" });
  return (
    <Button kind="quiet" small onClick={() => save(`${name}-head-${head.number}.json`, content())}>
      {t.proof.verification.save}
    </Button>
  );
}

function LinkProof({ link }: { link: string }) {
  const { t } = useOffice();
  const v = t.proof.verification;
  const proof = useLoad(
    `proof ${link}`,
    () => dataOf(api.GET("/v1/links/{link}/proof", { params: { path: { link } } })),
    EVERY_MS,
  );
  const head = proof.data?.head;
  return (
    <Card title={t.linkNamed(link)} side={head && <Save name={link} head={head} />}>
      <Ready of={proof}>
        {(found) =>
          found.head ? (
            <HeadFacts head={found.head} newest={found.batch} house={false} />
          ) : (
            <Empty title={v.none}>{v.noneHint}</Empty>
          )
        }
      </Ready>
    </Card>
  );
}

function HouseProof() {
  const { t } = useOffice();
  const v = t.proof.verification;
  const proof = useLoad("house proof", () => dataOf(api.GET("/v1/proof")), EVERY_MS);
  const head = proof.data?.head;
  return (
    <Card title={v.houseTitle} side={head && <Save name="house" head={head} />}>
      <p class="secondary">{v.houseHint}</p>
      <Ready of={proof}>
        {(found) =>
          found.head ? (
            <HeadFacts head={found.head} newest={found.entry} house />
          ) : (
            <Empty title={v.none}>{v.noneHint}</Empty>
          )
        }
      </Ready>
    </Card>
  );
}

function Witness() {
  const { t, locale } = useOffice();
  const v = t.proof.verification;
  const heads = usePages<Witnessed>("witness", async (after) => {
    const page = await dataOf(api.GET("/v1/witness/heads", { params: { query: after ? { after } : {} } }));
    return { rows: page.heads, more: page.more, next: page.next ?? null };
  });
  return (
    <Card title={v.witness}>
      <List<Witnessed>
        of={heads}
        caption={v.witness}
        rowKey={(head) => `${head.database} ${head.link ?? ""} ${head.number}`}
        empty={<Empty title={v.noWitness}>{v.noWitnessHint}</Empty>}
        columns={[
          { head: v.database, name: true, cell: (head) => <span class="code">{head.database.slice(0, 12)}…</span> },
          { head: t.link, cell: (head) => head.link ?? v.houseTitle },
          { head: v.number, figure: true, cell: (head) => count(head.number, locale) },
          { head: v.batch, figure: true, cell: (head) => count(head.batch, locale) },
          { head: v.signedAt, cell: (head) => when(head.signed_at, locale) },
          {
            head: t.state,
            cell: (head) =>
              head.fork ? (
                <Status icon="error" tone="vermilion">
                  {v.fork}
                </Status>
              ) : (
                <Status icon="done" tone="teal">
                  {v.kept}
                </Status>
              ),
          },
        ]}
      />
    </Card>
  );
}

/** The check of the whole journal: the command to copy, and what the server checks by itself. */
function Whole() {
  const { t } = useOffice();
  const v = t.proof.verification;
  return (
    <Card title={v.whole}>
      <p class="secondary">{v.wholeHint}</p>
      <Command text="meterhouse verify --data-dir FOLDER" />
      <p class="hint">{v.commandHint}</p>
      <p class="secondary card-foot">
        {v.byItself} <a href={to("reconciliation")}>{v.books}</a>
      </p>
    </Card>
  );
}

export function Verification() {
  const { t, may } = useOffice();
  const v = t.proof.verification;
  const links = useLinks();
  return (
    <>
      <Head title={v.title} under={v.under} />
      <Whole />
      <Ready of={links}>
        {(all) => (
          <div class="columns halves">
            {all.map(({ link }) => (
              <LinkProof key={link} link={link} />
            ))}
            {may("read_floor") && <HouseProof />}
          </div>
        )}
      </Ready>
      {may("read_floor") && <Witness />}
    </>
  );
}
