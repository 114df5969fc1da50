// The form of the office: fields with their values, one button, and errors above the button. Nothing that was typed is lost.

import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { Problem } from "../api/client.js";
import { Button, ErrorNotice, Field } from "../staff/controls.js";
import { readAmount } from "../staff/amount.js";
import type { IconName } from "../staff/icons.js";
import { amount as written } from "./format.js";
import { useOffice } from "./office.js";

export type Values = Readonly<Record<string, string>>;

export interface FormState<V extends Values> {
  values: V;
  error: unknown;
  busy: boolean;
  set(name: keyof V & string, value: string): void;
  /** Sends the values; an error stays until the next attempt. */
  submit(): Promise<void>;
  reset(): void;
}

/** Returns a form's state. `send` throws what the server refused. */
export function useForm<V extends Values>(initial: V, send: (values: V) => Promise<void>): FormState<V> {
  const [values, setValues] = useState(initial);
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  async function submit(): Promise<void> {
    if (busy) return;
    setBusy(true);
    setError(null);
    try {
      await send(values);
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy(false);
    }
  }
  return {
    values,
    error,
    busy,
    set: (name, value) => setValues((before) => ({ ...before, [name]: value })),
    submit,
    reset: () => {
      setValues(initial);
      setError(null);
    },
  };
}

interface FormProps<V extends Values> {
  form: FormState<V>;
  /** What the button does: a verb and its thing. */
  action: string;
  kind?: "go" | "plain" | "stop";
  icon?: IconName;
  disabled?: boolean;
  /** Further buttons beside the first one. */
  beside?: ComponentChildren;
  children?: ComponentChildren;
}

export function Form<V extends Values>(props: FormProps<V>) {
  const { form } = props;
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        void form.submit();
      }}
    >
      {props.children}
      <ErrorNotice error={form.error} />
      <div class="form-buttons">
        <Button
          type="submit"
          kind={props.kind ?? "go"}
          busy={form.busy}
          disabled={props.disabled ?? false}
          {...(props.icon ? { icon: props.icon } : {})}
        >
          {props.action}
        </Button>
        {props.beside}
      </div>
    </form>
  );
}

interface InputProps<V extends Values> {
  form: FormState<V>;
  name: keyof V & string;
  label: string;
  hint?: string;
  type?: "text" | "password" | "datetime-local" | "date" | "number";
  required?: boolean;
  options?: readonly (readonly [value: string, label: string])[];
  long?: boolean;
  autocomplete?: string;
  placeholder?: string;
  numeric?: boolean;
  /** An amount in dollars: it may have the marks of the locale. */
  amount?: boolean;
  /** Name of the field in the server's problems, if it is another one than the form's. */
  field?: string;
  /** What is written below the field once it was left, or sent, without what it needs. */
  missing?: string | null;
  /** True if the server's problem is about this field in another way than by its name. */
  wrong?: boolean;
  maxLength?: number;
}

/** Returns true if the server's problem names this field: by one of its fields, or by what the one called "field" says. */
function wrongOf(error: unknown, name: string, field: string | undefined): boolean {
  if (!(error instanceof Problem)) return false;
  return [...Object.keys(error.fields), error.fields["field"] ?? ""].some((one) =>
    field ? one === field : one.split(/[.[]/)[0] === name,
  );
}

export function Input<V extends Values>(props: InputProps<V>) {
  const { form, name, label } = props;
  const { t, locale } = useOffice();
  const id = useId();
  const [left, setLeft] = useState(false);
  const text = form.values[name] ?? "";
  const unreadable = props.amount && left && text.trim() !== "" && readAmount(text, locale) === null;
  const missing = left && props.missing ? props.missing : null;
  const shared = {
    id,
    name,
    required: props.required ?? false,
    value: text,
    "aria-invalid": unreadable || missing !== null || props.wrong || wrongOf(form.error, name, props.field),
    onBlur: () => setLeft(true),
    onInvalid: (event: Event & { currentTarget: HTMLElement }) => {
      setLeft(true);
      if (!props.missing) return;
      // The page's own words stand below the field: the browser's would cover them.
      event.preventDefault();
      event.currentTarget.focus();
    },
    ...(props.hint ? { "aria-describedby": `${id}-hint` } : {}),
    onInput: (event: { currentTarget: { value: string } }) => form.set(name, event.currentTarget.value),
  };
  return (
    <Field id={id} label={label} wrong={unreadable ? t.wrongAmount(written("1000", locale)) : missing}>
      {props.options ? (
        <select {...shared} onChange={(event) => form.set(name, event.currentTarget.value)}>
          {props.options.map(([value, text]) => (
            <option value={value} key={value}>
              {text}
            </option>
          ))}
        </select>
      ) : props.long ? (
        <textarea {...shared} rows={3} maxLength={props.maxLength ?? 500} />
      ) : (
        <input
          {...shared}
          type={(props.type ?? "text") as "text"}
          autocomplete={(props.autocomplete ?? "off") as "off"}
          autocapitalize="none"
          spellcheck={false}
          {...(props.placeholder ? { placeholder: props.placeholder } : {})}
          {...(props.numeric || props.amount ? { inputMode: "decimal" as const } : {})}
        />
      )}
      {props.hint && (
        <p class="hint" id={`${id}-hint`}>
          {props.hint}
        </p>
      )}
    </Field>
  );
}

interface CheckProps<V extends Values> {
  form: FormState<V>;
  name: keyof V & string;
  children: ComponentChildren;
}

/** A box to tick; its value is "yes" or an empty text. */
export function Check<V extends Values>({ form, name, children }: CheckProps<V>) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={form.values[name] === "yes"}
        onChange={(event) => form.set(name, event.currentTarget.checked ? "yes" : "")}
      />
      <span>{children}</span>
    </label>
  );
}

interface AskProps<V extends Values> {
  /** The button that opens the question; it ends with "…". */
  label: string;
  title: string;
  text?: ComponentChildren;
  action: string;
  kind?: "go" | "plain" | "stop";
  buttonKind?: "plain" | "quiet" | "stop" | "go";
  initial: V;
  send(values: V): Promise<unknown>;
  /** What follows once it is done, as that the view loads again. */
  done?(): void;
  children?(form: FormState<V>): ComponentChildren;
}

/** A question before something is done: a dialog with a form. Escape closes it and keeps what was typed. */
export function Ask<V extends Values>(props: AskProps<V>) {
  const { t } = useOffice();
  const dialog = useRef<HTMLDialogElement>(null);
  // The question is drawn once it was asked: a list has one in each row.
  const [asked, setAsked] = useState(0);
  useEffect(() => {
    if (asked > 0) dialog.current?.showModal();
  }, [asked]);
  const id = useId();
  const form = useForm(props.initial, async (values) => {
    await props.send(values);
    props.done?.();
    dialog.current?.close();
  });
  return (
    <>
      <Button kind={props.buttonKind ?? "quiet"} small onClick={() => setAsked(asked + 1)}>
        {props.label}
      </Button>
      <dialog ref={dialog} class="ask" aria-labelledby={id} onClick={(event) => event.stopPropagation()}>
        {asked > 0 && (
          <>
            <h2 id={id}>{props.title}</h2>
            {props.text && <div class="ask-text">{props.text}</div>}
            <Form
              form={form}
              action={props.action}
              kind={props.kind ?? "go"}
              beside={
                <Button kind="quiet" onClick={() => dialog.current?.close()}>
                  {t.back}
                </Button>
              }
            >
              {props.children?.(form)}
            </Form>
          </>
        )}
      </dialog>
    </>
  );
}

/** The field for a reason, which the journal keeps. */
export function Reason<V extends Values & { reason: string }>({ form, hint }: { form: FormState<V>; hint?: string }) {
  const { t } = useOffice();
  return <Input form={form} name="reason" label={t.reason} long required {...(hint ? { hint } : {})} />;
}

/** A question without a field, before something ends for good. */
export function AskToEnd(ask: Omit<AskProps<Values>, "initial" | "kind" | "children">) {
  return <Ask {...ask} kind="stop" initial={{}} />;
}

/** A question that takes a reason alone. */
export function AskReason({ hint, ...ask }: Omit<AskProps<{ reason: string }>, "initial"> & { hint?: string }) {
  return (
    <Ask {...ask} initial={{ reason: "" }}>
      {(form) => <Reason form={form} {...(hint ? { hint } : {})} />}
    </Ask>
  );
}
