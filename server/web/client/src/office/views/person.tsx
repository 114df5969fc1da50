// One person: what is known, and what an administrator may do about the person's access.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { api, dataOf, type Schema } from "../../api/client.js";
import { when } from "../format.js";
import { Ask, AskReason } from "../form.js";
import { allPages, useLoad } from "../load.js";
import { useOffice } from "../office.js";
import { Card, Facts, Head } from "../parts.js";
import { to } from "../router.js";
import { Empty, Ready } from "../table.js";
import { CodeOnce, type Person as Found, Standing } from "./people.js";

/** Finds a person in the list of all. */
async function personOf(name: string): Promise<Found | null> {
  const people = await allPages<Found>(async (after) => {
    const page = await dataOf(api.GET("/v1/people", { params: { query: after ? { after } : {} } }));
    return { rows: page.people, more: page.more, next: page.next ?? null };
  });
  return people.find((person) => person.name === name) ?? null;
}

interface Props {
  person: Found;
  done(): void;
  said(text: string): void;
}

/** One action without a field: a question, and the request. */
function Action(props: {
  texts: readonly [label: string, title: string, text: string, action: string];
  send(): Promise<unknown>;
  done?(): void;
}) {
  const { texts, ...ask } = props;
  const [label, title, text, action] = texts;
  return <Ask {...ask} label={label} title={title} text={text} action={action} initial={{}} />;
}

function NewCode({ person, made }: { person: Found; made(code: Schema<"PasswordCode">): void }) {
  const { t } = useOffice();
  const p = t.access.person;
  return (
    <Action
      texts={[p.newCode, p.newCodeTitle(person.name), p.newCodeText, p.newCodeAction]}
      send={async () => {
        const body = {
          name: person.name,
          role: person.role as Schema<"PersonRole">,
          ...(person.department ? { department: person.department } : {}),
          ...(person.rights ? { rights: person.rights } : {}),
        };
        made(await dataOf(api.POST("/v1/people", { body })));
      }}
    />
  );
}

function Actions({
  person,
  done,
  said,
  made,
}: Props & { made(code: Schema<"PasswordCode">): void }): ComponentChildren {
  const { t } = useOffice();
  const p = t.access.person;
  const params = { path: { person: person.name } };
  const name = person.name;
  return (
    <div class="actions">
      {!person.access_ended && <NewCode person={person} made={made} />}
      <Action
        texts={[p.sessions, p.sessionsTitle(name), p.sessionsText, p.sessionsAction]}
        send={async () => {
          const { ended } = await dataOf(api.DELETE("/v1/people/{person}/sessions", { params }));
          said(p.sessionsDone(ended));
        }}
      />
      <Action
        texts={[p.delay, p.delayTitle(name), p.delayText, p.delayAction]}
        send={() => api.DELETE("/v1/people/{person}/login-delay", { params })}
      />
      {person.second_factor && (
        <Action
          texts={[p.factor, p.factorTitle(name), p.factorText, p.factorAction]}
          send={() => api.DELETE("/v1/people/{person}/second-factor", { params })}
          done={done}
        />
      )}
      {person.pin_set_at && (
        <Action
          texts={[p.pin, p.pinTitle(name), p.pinText, p.pinAction]}
          send={() => api.DELETE("/v1/people/{person}/pin", { params })}
          done={done}
        />
      )}
      {person.openid && (
        <Action
          texts={[p.openid, p.openidTitle(name), p.openidText, p.openidAction]}
          send={() => api.DELETE("/v1/people/{person}/openid", { params })}
          done={done}
        />
      )}
    </div>
  );
}

function Ending({ person, done }: Props) {
  const { t } = useOffice();
  const p = t.access.person;
  const params = { path: { person: person.name } };
  if (person.access_ended)
    return (
      <Action
        texts={[p.restore, p.restoreTitle(person.name), p.restoreText, p.restoreAction]}
        send={() => api.DELETE("/v1/people/{person}/access-end", { params })}
        done={done}
      />
    );
  return (
    <AskReason
      label={p.end}
      title={p.endTitle(person.name)}
      text={p.endText}
      action={p.endAction}
      kind="stop"
      buttonKind="stop"
      send={(body) => api.PUT("/v1/people/{person}/access-end", { params, body })}
      done={done}
    />
  );
}

function Known({ person }: { person: Found }) {
  const { t, locale } = useOffice();
  const p = t.access.people;
  return (
    <Card
      title={t.accountDepartment(t.roles[person.role] ?? person.role, person.department ?? null)}
      side={<Standing person={person} />}
    >
      <Facts
        rows={[
          [t.rights, person.rights ?? p.all],
          [t.access.person.admitted, when(person.created_at, locale)],
          [t.access.person.passwordSet, person.password_set_at ? when(person.password_set_at, locale) : p.noPassword],
          [p.secondFactor, person.second_factor ? t.yes : t.no],
          ...(person.pin_set_at
            ? [
                [
                  t.access.person.pinName,
                  person.pin_blocked ? t.access.person.pinBlocked : when(person.pin_set_at, locale),
                ] as const,
              ]
            : []),
          ...(person.openid ? [[p.openidLogin, `${person.openid.subject}, ${person.openid.issuer}`] as const] : []),
          [p.seen, person.seen_at ? when(person.seen_at, locale) : p.neverSeen],
        ]}
      />
      <p class="card-foot">
        <a href={`${to("audit")}?name=${encodeURIComponent(person.name)}`}>{t.access.person.acts}</a>
      </p>
    </Card>
  );
}

export function Person({ person: name }: { person: string }) {
  const { t, holder } = useOffice();
  const p = t.access.person;
  const person = useLoad(name, () => personOf(name).then((found) => ({ found })));
  const [code, setCode] = useState<Schema<"PasswordCode"> | null>(null);
  const [note, setNote] = useState("");
  return (
    <>
      <Head title={name} above={<a href={to("people")}>{t.access.people.title}</a>} />
      {code && <CodeOnce code={code} done={() => setCode(null)} />}
      {note && (
        <p role="status" class="secondary">
          {note}
        </p>
      )}
      <Ready of={person}>
        {({ found }) => {
          if (!found) return <Empty title={p.unknown} />;
          const props = { person: found, done: person.reload, said: setNote };
          return (
            <div class="columns decision">
              <Known person={found} />
              <div class="stack">
                {found.name === holder.name ? (
                  <Card>
                    <p class="secondary">{p.own}</p>
                  </Card>
                ) : (
                  <>
                    <Card title={p.actions}>
                      <Actions {...props} made={setCode} />
                    </Card>
                    <Card title={p.dangerous}>
                      <Ending {...props} />
                    </Card>
                  </>
                )}
              </div>
            </div>
          );
        }}
      </Ready>
    </>
  );
}
