// How signs present a link, and the pit of a table: what people see, without any money.

import { api, type Schema } from "../../api/client.js";
import { Ask, Input } from "../form.js";
import { useOffice } from "../office.js";
import { Card, Facts, type Link } from "../parts.js";
import { useThemes } from "../themes/use-themes.js";

/** Leaves out what is not chosen: the body of a request is the whole presentation. */
export function chosen(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values)
      .map(([name, value]) => [name, value.trim()] as const)
      .filter(([, value]) => value !== ""),
  );
}

/** The card of a link's presentation; nothing if the link's terms can't be read. */
export function LinkPresentation({ link, done }: { link: Link; done(): void }) {
  return link.presentation ? <Presented link={link} shown={link.presentation} done={done} /> : null;
}

interface PresentedProps {
  link: Link;
  shown: NonNullable<Link["presentation"]>;
  done(): void;
}

function Presented({ link, shown, done }: PresentedProps) {
  const { t, may } = useOffice();
  const p = t.links.present;
  const own = useThemes();
  const shipped = t.house.screens.themeNames;
  const theme = shown.theme ?? "";
  const names = [...new Set([...(own.data ?? []).map((row) => row.theme), ...(theme in shipped ? [] : [theme])])];
  const themes: Readonly<Record<string, string>> = {
    ...shipped,
    ...Object.fromEntries(names.filter(Boolean).map((name) => [name, name])),
  };
  return (
    <Card
      title={p.title}
      side={
        may("configure") && (
          <Ask<Record<string, string>>
            label={p.change}
            title={p.title}
            text={p.text}
            action={p.action}
            initial={{
              name: shown.name ?? "",
              celebration: shown.celebration,
              theme,
              locale: shown.locale ?? "",
            }}
            send={(values) =>
              api.PUT("/v1/links/{link}/presentation", {
                params: { path: { link: link.link } },
                body: chosen(values) as Schema<"PresentLinkRequest">,
              })
            }
            done={done}
          >
            {(form) => (
              <>
                <Input form={form} name="name" label={p.name} hint={p.nameHint} />
                <Input form={form} name="celebration" label={p.celebration} options={Object.entries(p.celebrations)} />
                <div class="form-row">
                  <Input form={form} name="theme" label={p.theme} options={[["", p.own], ...Object.entries(themes)]} />
                  <Input form={form} name="locale" label={p.locale} hint={p.localeHint} />
                </div>
              </>
            )}
          </Ask>
        )
      }
    >
      <Facts
        rows={[
          [t.name, shown.name ?? link.title ?? ""],
          [p.celebration, p.celebrations[shown.celebration] ?? shown.celebration],
          [p.theme, themes[theme] ?? (theme || p.own)],
          [p.locale, shown.locale ?? p.own],
        ]}
      />
    </Card>
  );
}

/** The question for the pit of a table. */
export function PitOfTable({ table, pit, done }: { table: string; pit: string; done(): void }) {
  const { t } = useOffice();
  const x = t.house.tables;
  return (
    <Ask
      label={x.setPit}
      title={x.pitTitle(table)}
      action={x.pitAction}
      initial={{ pit }}
      send={(values) =>
        api.PUT("/v1/tables/{table}/presentation", { params: { path: { table } }, body: chosen(values) })
      }
      done={done}
    >
      {(form) => <Input form={form} name="pit" label={x.pit} hint={x.pitHint} />}
    </Ask>
  );
}
