// Devices and their tokens: a token is shown once, and all tokens of a name are revoked together.

import { useState } from "preact/hooks";
import { api, dataOf, type Schema } from "../../api/client.js";
import { Status } from "../../staff/controls.js";
import { fromLocal, when } from "../format.js";
import { Ask, AskToEnd, type FormState, Input } from "../form.js";
import { usePages } from "../load.js";
import { useOffice } from "../office.js";
import { Card, Head, Once, useLinks } from "../parts.js";
import { Empty, List } from "../table.js";

type Token = Schema<"IssuedToken">;

const ROLES = ["controller", "display", "supervisor", "manager", "auditor", "administrator", "witnessed"] as const;

interface Making extends Record<string, string> {
  name: string;
  role: string;
  table: string;
  link: string;
  department: string;
  rights: string;
  expires: string;
}

const EMPTY: Making = { name: "", role: "controller", table: "", link: "", department: "", rights: "", expires: "" };

/** Builds the request for a token; fields that are empty are left out. */
export function requestOf(values: Making): Schema<"TokenRequest"> {
  const given = Object.fromEntries(
    (["table", "link", "department", "rights"] as const)
      .map((name) => [name, values[name].trim()])
      .filter(([, value]) => value !== ""),
  );
  const expires = fromLocal(values.expires);
  return {
    name: values.name.trim(),
    role: values.role as Schema<"Role">,
    ...given,
    ...(expires ? { expires_at: expires } : {}),
  };
}

function MakeFields({ form }: { form: FormState<Making> }) {
  const { t } = useOffice();
  const d = t.house.devices;
  const links = useLinks();
  const { role } = form.values;
  const tables = links.data?.flatMap((link) => link.tables.map(({ table }) => table)) ?? [];
  const person = role === "supervisor" || role === "manager";
  return (
    <>
      <div class="form-row">
        <Input form={form} name="role" label={t.role} options={ROLES.map((one) => [one, t.roles[one] ?? one])} />
        <Input form={form} name="name" label={d.name} hint={d.nameHint} required />
      </div>
      {role === "controller" && (
        <Input
          form={form}
          name="table"
          label={d.table}
          hint={d.tableHint}
          required
          options={[["", ""], ...tables.map((table) => [table, table] as const)]}
        />
      )}
      {role !== "controller" && role !== "administrator" && role !== "witnessed" && (
        <Input
          form={form}
          name="link"
          label={d.link}
          {...(role === "display" ? { hint: d.linkHint } : {})}
          options={[["", t.any], ...(links.data ?? []).map(({ link }) => [link, link] as const)]}
        />
      )}
      {person && (
        <div class="form-row">
          <Input form={form} name="department" label={t.department} />
          <Input form={form} name="rights" label={t.rights} hint={d.rightsHint} />
        </div>
      )}
      <Input form={form} name="expires" label={d.expires} hint={d.expiresHint} type="datetime-local" />
    </>
  );
}

function Standing({ token }: { token: Token }) {
  const { t, locale } = useOffice();
  const d = t.house.devices;
  if (token.revoked_at)
    return (
      <Status icon="disabled" tone="text-2">
        {d.revoked(when(token.revoked_at, locale))}
      </Status>
    );
  if (token.expires_at && Date.parse(token.expires_at) < Date.now())
    return (
      <Status icon="disabled" tone="text-2">
        {d.expired(when(token.expires_at, locale))}
      </Status>
    );
  return (
    <Status icon="done" tone="teal">
      {d.good}
    </Status>
  );
}

function Revoke({ name, done }: { name: string; done(): void }) {
  const { t } = useOffice();
  const d = t.house.devices;
  return (
    <AskToEnd
      label={d.revoke}
      title={d.revokeTitle(name)}
      text={d.revokeText}
      action={d.revokeAction}
      send={() => api.DELETE("/v1/tokens/{person}", { params: { path: { person: name } } })}
      done={done}
    />
  );
}

export function Devices() {
  const { t, locale } = useOffice();
  const d = t.house.devices;
  const [made, setMade] = useState<Schema<"MadeToken"> | null>(null);
  const tokens = usePages<Token>("tokens", async (after) => {
    const page = await dataOf(api.GET("/v1/tokens", { params: { query: after ? { after } : {} } }));
    return { rows: page.tokens, more: page.more, next: page.next ?? null };
  });
  const bound = (token: Token) =>
    token.table ? d.boundTable(token.table) : token.link ? d.boundLink(token.link) : d.house;
  return (
    <>
      <Head title={d.title} under={d.under}>
        <Ask<Making>
          label={d.make}
          title={d.makeTitle}
          action={d.makeAction}
          buttonKind="go"
          initial={EMPTY}
          send={async (values) => {
            setMade(await dataOf(api.POST("/v1/tokens", { body: requestOf(values) })));
            tokens.reload();
          }}
        >
          {(form) => <MakeFields form={form} />}
        </Ask>
      </Head>
      {made && <Once title={d.once(made.name)} secret={made.token} hint={d.onceHint} done={() => setMade(null)} />}
      <Card>
        <List<Token>
          of={tokens}
          caption={d.title}
          rowKey={(token) => `${token.name} ${token.created_at}`}
          empty={<Empty title={d.none}>{d.noneHint}</Empty>}
          columns={[
            { head: d.name, name: true, cell: (token) => token.name },
            { head: t.role, cell: (token) => t.roles[token.role] ?? token.role },
            { head: d.bound, cell: bound },
            { head: d.made, cell: (token) => when(token.created_at, locale) },
            { head: d.expires, cell: (token) => (token.expires_at ? when(token.expires_at, locale) : t.never) },
            { head: t.state, cell: (token) => <Standing token={token} /> },
            {
              head: "",
              cell: (token) =>
                !token.revoked_at && (
                  <div class="row-actions">
                    <Revoke name={token.name} done={tokens.reload} />
                  </div>
                ),
            },
          ]}
        />
      </Card>
    </>
  );
}
