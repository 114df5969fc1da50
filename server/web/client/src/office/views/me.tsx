// The own access: session, password, second factor and PIN.

import { useState } from "preact/hooks";
import { api, dataOf, type Schema } from "../../api/client.js";
import { Button, ErrorNotice, Status } from "../../staff/controls.js";
import { useStaff } from "../../staff/staff.js";
import { when } from "../format.js";
import { Ask, Form, Input, useForm } from "../form.js";
import { useLoad } from "../load.js";
import { useOffice } from "../office.js";
import { Card, Facts, Head } from "../parts.js";
import { Ready } from "../table.js";

function Done({ text }: { text: string }) {
  return (
    <p role="status">
      <Status icon="done" tone="teal">
        {text}
      </Status>
    </p>
  );
}

function Session() {
  const { t, locale, holder } = useOffice();
  const m = t.access.me;
  return (
    <Card title={m.session}>
      <Facts
        rows={[
          [t.role, t.accountDepartment(t.roles[holder.role] ?? holder.role, holder.department ?? null)],
          [t.rights, holder.rights ? holder.rights.join(", ") : m.rightsAll],
          ...(holder.expires_at ? [[m.until, when(holder.expires_at, locale)] as const] : []),
        ]}
      />
      <p class="card-foot">
        <Ask
          label={m.endAll}
          title={m.endAllTitle}
          text={m.endAllText}
          action={m.endAllAction}
          kind="stop"
          initial={{}}
          send={async () => {
            await api.DELETE("/v1/session", { params: { query: { all: true } } });
            location.reload();
          }}
        />
      </p>
    </Card>
  );
}

function Password() {
  const { t, holder } = useOffice();
  const p = t.access.me.password;
  const [done, setDone] = useState(false);
  const form = useForm({ old: "", new: "", code: "" }, async (values) => {
    await api.PUT("/v1/password", {
      body: {
        name: holder.name,
        old: values.old,
        new: values.new,
        ...(values.code === "" ? {} : { second_factor: values.code }),
      },
    });
    setDone(true);
    form.reset();
  });
  return (
    <Card title={p.title}>
      {done && <Done text={p.done} />}
      <p class="secondary">{p.text}</p>
      <Form form={form} action={p.action} kind="plain">
        <Input form={form} name="old" label={p.old} type="password" autocomplete="current-password" required />
        <Input form={form} name="new" label={p.new} type="password" autocomplete="new-password" required />
        <Input form={form} name="code" label={p.code} hint={p.codeHint} autocomplete="one-time-code" numeric />
      </Form>
    </Card>
  );
}

interface Drawn {
  secret: string;
  link: string;
}

function SecondFactor() {
  const { t } = useOffice();
  const f = t.access.me.factor;
  const [drawn, setDrawn] = useState<Drawn | null>(null);
  const [done, setDone] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const form = useForm({ code: "", old: "" }, async ({ code, old }) => {
    await api.PUT("/v1/session/second-factor", {
      body: { secret: drawn?.secret ?? "", code, ...(old === "" ? {} : { old }) },
    });
    setDone(true);
    setDrawn(null);
    form.reset();
  });
  async function draw(): Promise<void> {
    setError(null);
    try {
      setDrawn(await dataOf(api.POST("/v1/session/second-factor")));
    } catch (problem) {
      setError(problem);
    }
  }
  return (
    <Card title={f.title}>
      {done && <Done text={f.done} />}
      <p class="secondary">{f.text}</p>
      <ErrorNotice error={error} />
      {drawn === null ? (
        <Button small onClick={() => void draw()}>
          {f.draw}
        </Button>
      ) : (
        <Form form={form} action={f.action} kind="plain">
          <div>
            <p class="label">{f.secret}</p>
            <p class="secret">{drawn.secret.replaceAll(/(.{4})/g, "$1 ").trim()}</p>
            <p class="hint">
              {f.secretHint} <a href={drawn.link}>{f.link}</a>
            </p>
          </div>
          <Input form={form} name="code" label={f.code} autocomplete="one-time-code" numeric required />
          <Input form={form} name="old" label={f.old} hint={f.oldHint} numeric />
        </Form>
      )}
    </Card>
  );
}

function PinForm({ state, done }: { state: Schema<"PinState">; done(): void }) {
  const { t, locale } = useOffice();
  const p = t.access.me.pin;
  const form = useForm({ pin: "", password: "" }, async ({ pin, password }) => {
    const body = { pin, ...(password === "" ? {} : { password }) };
    await api.PUT("/v1/session/pin", { body });
    form.reset();
    done();
  });
  return (
    <>
      <p class="secondary">{p.text}</p>
      {state.blocked ? (
        <Status icon="error" tone="vermilion">
          {p.blocked}
        </Status>
      ) : (
        state.set && <Done text={p.since(state.set_at ? when(state.set_at, locale) : "")} />
      )}
      <Form form={form} action={p.action} kind="plain">
        <Input form={form} name="pin" label={p.pin} hint={p.pinHint} type="password" numeric required />
        <Input form={form} name="password" label={p.password} type="password" autocomplete="current-password" />
      </Form>
    </>
  );
}

function Pin() {
  const { t, may } = useOffice();
  const p = t.access.me.pin;
  const signs = (["validate", "pay", "run", "adjust", "close"] as const).some(may);
  const state = useLoad(signs ? "pin" : null, () => dataOf(api.GET("/v1/session/pin")));
  return (
    <Card title={p.title}>
      {!signs ? (
        <p class="secondary">{p.noRight}</p>
      ) : (
        <Ready of={state}>{(pin) => <PinForm state={pin} done={state.reload} />}</Ready>
      )}
    </Card>
  );
}

export function Me() {
  const { t, holder } = useOffice();
  const { logOut, texts } = useStaff();
  return (
    <>
      <Head title={t.access.me.title} under={holder.name}>
        <Button kind="quiet" small onClick={logOut}>
          {texts.logOut}
        </Button>
      </Head>
      <div class="columns halves">
        <div class="stack">
          <Session />
          <SecondFactor />
        </div>
        <div class="stack">
          <Password />
          <Pin />
        </div>
      </div>
    </>
  );
}
