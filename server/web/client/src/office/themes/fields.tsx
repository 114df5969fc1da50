// The fields of a theme: what it is made of, its texts, its colours and its levels.

import { useId } from "preact/hooks";
import { Field } from "../../staff/controls.js";
import { baseColour } from "../../themes/legible.js";
import { COLOURS } from "../../themes/own.js";
import { useOffice } from "../office.js";
import { Card } from "../parts.js";
import { ColourField } from "./colour-field.js";
import type { Draft, LevelDraft } from "./draft.js";
import { TextField } from "./text-field.js";

export interface FieldsProps {
  draft: Draft;
  /** The theme has no name yet. */
  fresh: boolean;
  measured: Readonly<Record<string, number>>;
  /** What is wrong with a field, if anything. */
  wrong(field: string): string | null;
  change(patch: Partial<Draft>): void;
}

export function Fields(props: FieldsProps) {
  return (
    <>
      <Texts {...props} />
      <Levels {...props} />
      <Colours {...props} />
    </>
  );
}

function Texts({ draft, fresh, wrong, change }: FieldsProps) {
  const { t } = useOffice();
  const x = t.themes;
  const [base, currency] = [useId(), useId()];
  const options = (names: Readonly<Record<string, string>>) =>
    Object.entries(names).map(([value, name]) => (
      <option key={value} value={value}>
        {name}
      </option>
    ));
  return (
    <Card>
      <div class="form">
        <div class="form-row">
          {fresh && (
            <TextField
              field="theme"
              label={x.theme}
              hint={x.themeHint}
              value={draft.theme}
              wrong={wrong("theme")}
              set={(theme) => change({ theme })}
            />
          )}
          <Field id={base} label={x.base}>
            <select id={base} value={draft.base} onChange={(event) => change({ base: event.currentTarget.value })}>
              {options(t.house.screens.themeNames)}
            </select>
          </Field>
          <Field id={currency} label={x.currency}>
            <select
              id={currency}
              value={draft.currency}
              onChange={(event) => change({ currency: event.currentTarget.value })}
            >
              {options(x.currencies)}
            </select>
          </Field>
        </div>
        <div class="form-row">
          <TextField
            field="name"
            label={x.name}
            hint={x.nameHint}
            value={draft.name}
            wrong={wrong("name")}
            set={(name) => change({ name })}
          />
          <TextField
            field="locale"
            label={x.locale}
            hint={x.localeHint}
            value={draft.locale}
            wrong={wrong("locale")}
            set={(locale) => change({ locale })}
          />
        </div>
      </div>
    </Card>
  );
}

function Colours({ draft, measured, wrong, change }: FieldsProps) {
  const { t } = useOffice();
  const x = t.themes;
  return (
    <Card title={x.colours}>
      <p class="hint">{x.coloursHint}</p>
      <div class="colour-fields">
        {COLOURS.map((name) => (
          <ColourField
            key={name}
            field={`colours.${name}`}
            label={x.colourNames[name] ?? name}
            value={draft.colours[name]}
            fallback={baseColour(draft.base, name)}
            contrast={measured[name] ?? null}
            wrong={wrong(`colours.${name}`)}
            set={(colour) => change({ colours: { ...draft.colours, [name]: colour } })}
          />
        ))}
      </div>
    </Card>
  );
}

function Levels({ draft, measured, wrong, change }: FieldsProps) {
  const { t } = useOffice();
  const x = t.themes;
  const set = (index: number, patch: Partial<LevelDraft>) =>
    change({ levels: draft.levels.map((level, at) => (at === index ? { ...level, ...patch } : level)) });
  return (
    <Card title={x.levels}>
      <p class="hint">{x.levelsHint}</p>
      <div class="level-fields">
        {draft.levels.map((level, index) => (
          <div key={index} class="level-field">
            <TextField
              field={`levels[${index}].name`}
              label={x.levelName(index + 1)}
              value={level.name}
              wrong={wrong(`levels[${index}].name`)}
              set={(name) => set(index, { name })}
            />
            <ColourField
              field={`levels[${index}].colour`}
              label={x.levelColour(index + 1)}
              value={level.colour}
              fallback={baseColour(draft.base, index)}
              contrast={measured[`level-${index}`] ?? null}
              wrong={wrong(`levels[${index}].colour`)}
              set={(colour) => set(index, { colour })}
            />
          </div>
        ))}
      </div>
    </Card>
  );
}
