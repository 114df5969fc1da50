// A text of a theme, with what is wrong with it below.

import { useId } from "preact/hooks";

interface TextFieldProps {
  field: string;
  label: string;
  value: string;
  wrong: string | null;
  hint?: string;
  set(value: string): void;
}

export function TextField({ field, label, value, wrong, hint, set }: TextFieldProps) {
  const id = useId();
  return (
    <div class={`field ${wrong ? "wrong" : ""}`} data-field={field}>
      <label for={id}>{label}</label>
      <input
        id={id}
        name={field}
        value={value}
        maxLength={200}
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        aria-invalid={wrong !== null}
        aria-describedby={wrong || hint ? `${id}-about` : undefined}
        onInput={(event) => set(event.currentTarget.value)}
      />
      {(wrong || hint) && (
        <p class={wrong ? "wrong-text" : "hint"} id={`${id}-about`}>
          {wrong ?? hint}
        </p>
      )}
    </div>
  );
}
