// The editor of a theme: its fields at the left, the real sign at the right. Nothing that was typed is lost: neither by an
// error, nor by a lost session, nor by a reload.

import { useEffect, useId, useMemo, useRef, useState } from "preact/hooks";
import { Problem, api, dataOf } from "../../api/client.js";
import { Button, ErrorNotice } from "../../staff/controls.js";
import { CONTRAST_LEAST } from "../../themes/contrast.js";
import { measure } from "../../themes/legible.js";
import type { HouseTheme } from "../../themes/own.js";
import { AskToEnd } from "../form.js";
import { useLoad } from "../load.js";
import { useOffice } from "../office.js";
import { Head, OnlyFor } from "../parts.js";
import { go, replace, to } from "../router.js";
import { Ready } from "../table.js";
import { ArtworkCard } from "../themes/artwork.js";
import {
  type Draft,
  draftOf,
  dropDraft,
  keepDraft,
  keptDraft,
  previewOf,
  requestOf,
  wrongOf,
} from "../themes/draft.js";
import { Fields } from "../themes/fields.js";
import { Preview } from "../themes/preview.js";
import "../themes/themes.css";

/** Key of the draft of a theme that has no name yet: no theme is called so. */
const NEW = "";
const NO_ARTWORK = { logo: null, background: null };

/** Returns the field of a contrast that was measured, as requests name it. */
function measuredName(field: string): string {
  const level = /^levels\[(\d+)\]\.colour$/.exec(field);
  return level ? `level-${level[1]}` : field.replace(/^colours\./, "");
}

/** The draft with what is wrong with it. What is wrong is shown once saving was tried. */
function useDraft(key: string, saved: HouseTheme | null) {
  const { t } = useOffice();
  const [kept, setKept] = useState(() => keptDraft(key));
  const [draft, setDraft] = useState<Draft>(kept ?? draftOf(saved));
  const [error, setError] = useState<unknown>(null);
  const [tried, setTried] = useState(false);
  const measured = useMemo(() => measure(draft), [draft]);
  const local = useMemo(() => wrongOf(draft), [draft]);
  const refused = error instanceof Problem ? Object.keys(error.fields) : [];
  function wrong(field: string): string | null {
    const { wrong: texts } = t.themes;
    const found = local[field];
    // A broken colour or text is told while it is typed, a missing name once saving was tried.
    if (found && (tried || field !== "theme")) return texts[found] ?? found;
    const name = measuredName(field);
    const isChosen = field.startsWith("colours.")
      ? draft.colours[name as keyof Draft["colours"]].trim() !== ""
      : /^levels\[\d+\]\.colour$/.test(field) && (draft.levels[Number(name.slice(6))]?.colour.trim() ?? "") !== "";
    if (isChosen && (measured[name] ?? Infinity) < CONTRAST_LEAST) return texts["contrast"] ?? "";
    return refused.includes(field) ? (texts["server"] ?? "") : null;
  }
  function change(patch: Partial<Draft>): void {
    setError(null);
    setDraft((before) => {
      const next = { ...before, ...patch };
      keepDraft(key, next);
      return next;
    });
  }
  function discard(): void {
    dropDraft(key);
    setKept(null);
    setDraft(draftOf(saved));
    setError(null);
    setTried(false);
  }
  return { draft, error, setError, setTried, measured, local, wrong, change, discard, kept: kept !== null };
}

interface EditorProps {
  saved: HouseTheme | null;
  changed(theme: HouseTheme): void;
}

function Editor({ saved, changed }: EditorProps) {
  const { t, may } = useOffice();
  const x = t.themes;
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const editing = useDraft(saved?.theme ?? NEW, saved);
  const { draft, error, setError } = editing;
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState(false);
  const preview = useMemo(() => previewOf(draft, saved?.artwork ?? NO_ARTWORK), [draft, saved]);
  const [looks, setLooks] = useState(0);
  useEffect(() => {
    if (looks > 0) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [looks]);
  /** Refuses to make a theme whose name another one has: it would be replaced. */
  async function findTaken(): Promise<boolean> {
    const { themes } = await dataOf(api.GET("/v1/themes"));
    return themes.some(({ theme }) => theme === draft.theme);
  }
  async function send(): Promise<void> {
    if (saved === null && (await findTaken())) {
      setError(new Problem(409, "request_reused", x.taken(draft.theme), { theme: draft.theme }, null, null));
      setLooks((before) => before + 1);
      return;
    }
    const params = { path: { theme: draft.theme } };
    const put = await dataOf(api.PUT("/v1/themes/{theme}", { params, body: requestOf(draft) }));
    dropDraft(saved?.theme ?? NEW);
    setDone(true);
    changed(put as HouseTheme);
  }
  async function submit(): Promise<void> {
    editing.setTried(true);
    setDone(false);
    if (Object.keys(editing.local).length > 0) return setLooks((before) => before + 1);
    setBusy(true);
    setError(null);
    try {
      await send();
    } catch (problem) {
      setError(problem);
      setLooks((before) => before + 1);
    } finally {
      setBusy(false);
    }
  }
  const editable = may("configure");
  return (
    <div class="theme-editor">
      <form
        id={id}
        ref={form}
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) void submit();
        }}
      >
        <fieldset class="bare stack" disabled={!editable}>
          <Fields
            draft={draft}
            fresh={saved === null}
            measured={editing.measured}
            wrong={editing.wrong}
            change={(patch) => {
              setDone(false);
              editing.change(patch);
            }}
          />
        </fieldset>
        {editable && <ArtworkCard theme={saved} done={changed} />}
      </form>
      <div class="theme-side">
        <Preview theme={preview} />
        {editable ? (
          <>
            <ErrorNotice error={error} />
            <div class="form-buttons">
              <Button type="submit" form={id} kind="go" busy={busy}>
                {x.save}
              </Button>
              <Button kind="quiet" onClick={editing.discard}>
                {x.discard}
              </Button>
            </div>
            <p class="secondary" role="status">
              {done ? x.saved : editing.kept ? x.draftKept : ""}
            </p>
          </>
        ) : (
          <OnlyFor right="configure" />
        )}
      </div>
    </div>
  );
}

/** A theme that has no name yet. */
export function NewTheme() {
  const { t } = useOffice();
  const x = t.themes;
  return (
    <>
      <Head title={x.newTitle} above={<a href={to("themes")}>{x.title}</a>} />
      <Editor saved={null} changed={(theme) => replace(to("themes", theme.theme))} />
    </>
  );
}

export function ThemeView({ theme: name }: { theme: string }) {
  const { t, may } = useOffice();
  const x = t.themes;
  const [changed, setChanged] = useState<HouseTheme | null>(null);
  const params = { path: { theme: name } };
  const found = useLoad(name, async () => (await dataOf(api.GET("/v1/themes/{theme}", { params }))) as HouseTheme);
  return (
    <>
      <Head title={x.named(name)} above={<a href={to("themes")}>{x.title}</a>}>
        {may("configure") && (
          <AskToEnd
            label={x.deleteTheme}
            title={x.deleteTitle(name)}
            text={x.deleteText}
            action={x.deleteAction}
            buttonKind="stop"
            send={() => api.DELETE("/v1/themes/{theme}", { params })}
            done={() => {
              dropDraft(name);
              go(to("themes"));
            }}
          />
        )}
      </Head>
      <Ready of={found}>{(theme) => <Editor saved={changed ?? theme} changed={setChanged} />}</Ready>
    </>
  );
}
