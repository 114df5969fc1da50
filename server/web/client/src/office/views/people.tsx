// The people who may log in, and the admission of one more.

import { useState } from "preact/hooks";
import { api, dataOf, type Schema } from "../../api/client.js";
import { Status } from "../../staff/controls.js";
import { when } from "../format.js";
import { Ask, type FormState, Input } from "../form.js";
import { usePages } from "../load.js";
import { useOffice } from "../office.js";
import { Card, Head, Once } from "../parts.js";
import { to } from "../router.js";
import { Empty, List } from "../table.js";

export type Person = Schema<"AdmittedPerson">;

const ROLES = ["supervisor", "manager", "auditor", "administrator"] as const;

interface Admission extends Record<string, string> {
  name: string;
  role: string;
  department: string;
  rights: string;
  openid: string;
}

const EMPTY: Admission = { name: "", role: "supervisor", department: "", rights: "", openid: "" };

/** Builds the request for an admission; what does not fit the role or is empty is left out. */
export function requestOf(values: Admission): Schema<"PersonRequest"> {
  const deciding = values.role === "supervisor" || values.role === "manager";
  const department = values.department.trim();
  const rights = values.rights.replaceAll(" ", "");
  const subject = values.openid.trim();
  return {
    name: values.name.trim(),
    role: values.role as Schema<"PersonRole">,
    ...(deciding && department ? { department } : {}),
    ...(deciding && rights ? { rights } : {}),
    ...(subject ? { openid_subject: subject } : {}),
  };
}

function AdmitFields({ form }: { form: FormState<Admission> }) {
  const { t } = useOffice();
  const p = t.access.people;
  const deciding = form.values.role === "supervisor" || form.values.role === "manager";
  return (
    <>
      <Input form={form} name="name" label={p.name} hint={p.nameHint} required />
      <div class="form-row">
        <Input form={form} name="role" label={t.role} options={ROLES.map((role) => [role, t.roles[role] ?? role])} />
        {deciding && <Input form={form} name="department" label={p.department} />}
      </div>
      {deciding && <p class="hint">{p.departmentHint}</p>}
      {deciding && <Input form={form} name="rights" label={p.rights} hint={p.rightsHint} />}
      <Input form={form} name="openid" label={p.openid} hint={p.openidHint} />
    </>
  );
}

/** The code of a person, shown once. */
export function CodeOnce({ code, done }: { code: Schema<"PasswordCode">; done(): void }) {
  const { t, locale } = useOffice();
  const c = t.access.code;
  if (!code.code || !code.expires_at)
    return (
      <p class="secondary" role="status">
        {c.openid(code.name)}
      </p>
    );
  return (
    <Once title={c.title(code.name)} secret={code.code} hint={c.hint(when(code.expires_at, locale))} done={done} />
  );
}

/** Says if a person may come in. */
export function Standing({ person }: { person: Person }) {
  const { t } = useOffice();
  const p = t.access.people;
  return person.access_ended ? (
    <Status icon="disabled" tone="text-2">
      {p.ended}
    </Status>
  ) : (
    <Status icon="done" tone="teal">
      {p.active}
    </Status>
  );
}

function usePeople() {
  return usePages<Person>("people", async (after) => {
    const page = await dataOf(api.GET("/v1/people", { params: { query: after ? { after } : {} } }));
    return { rows: page.people, more: page.more, next: page.next ?? null };
  });
}

export function People() {
  const { t, locale } = useOffice();
  const p = t.access.people;
  const people = usePeople();
  const [code, setCode] = useState<Schema<"PasswordCode"> | null>(null);
  const login = (person: Person) =>
    [
      person.password_set_at ? p.password : person.openid ? null : p.noPassword,
      person.openid ? p.openidLogin : null,
      person.second_factor ? p.secondFactor : null,
    ]
      .filter(Boolean)
      .join(", ");
  return (
    <>
      <Head title={p.title} under={p.under}>
        <Ask<Admission>
          label={p.admit}
          title={p.admitTitle}
          text={p.admitText}
          action={p.admitAction}
          buttonKind="go"
          initial={EMPTY}
          send={async (values) => {
            setCode(await dataOf(api.POST("/v1/people", { body: requestOf(values) })));
            people.reload();
          }}
        >
          {(form) => <AdmitFields form={form} />}
        </Ask>
      </Head>
      {code && <CodeOnce code={code} done={() => setCode(null)} />}
      <Card>
        <List<Person>
          of={people}
          caption={p.title}
          rowKey={(person) => person.name}
          href={(person) => to("people", person.name)}
          empty={<Empty title={p.none} />}
          columns={[
            { head: p.name, name: true, cell: (person) => person.name },
            { head: t.role, cell: (person) => t.roles[person.role] ?? person.role },
            { head: t.department, cell: (person) => person.department ?? "" },
            { head: t.rights, cell: (person) => person.rights ?? p.all },
            { head: p.login, cell: login },
            { head: p.seen, cell: (person) => (person.seen_at ? when(person.seen_at, locale) : p.neverSeen) },
            { head: t.state, cell: (person) => <Standing person={person} /> },
          ]}
        />
      </Card>
    </>
  );
}
