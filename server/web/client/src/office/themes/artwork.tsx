// The artwork of a theme: a logo and a background, stored as soon as a file is chosen.

import { useId, useState } from "preact/hooks";
import { Problem, api, dataOf } from "../../api/client.js";
import { Button, ErrorNotice } from "../../staff/controls.js";
import { Icon } from "../../staff/icons.js";
import { type HouseTheme, artworkAddress } from "../../themes/own.js";
import { useOffice } from "../office.js";
import { Card } from "../parts.js";

type Kind = "logo" | "background";

/** Largest file that the server takes. */
const FILE_BYTES_MAX = 4 * 1024 * 1024;

interface PictureProps {
  theme: HouseTheme;
  kind: Kind;
  done(theme: HouseTheme): void;
}

/** Why a file was refused, where it was chosen. */
function Refused({ error }: { error: unknown }) {
  const { t } = useOffice();
  const told = error instanceof Problem ? t.themes.refused[error.code] : undefined;
  if (!told) return <ErrorNotice error={error} />;
  return (
    <div class="notice" role="alert">
      <Icon name="error" />
      <p>{told}</p>
    </div>
  );
}

function PictureField({ theme, kind, done }: PictureProps) {
  const { t } = useOffice();
  const x = t.themes;
  const id = useId();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const picture = theme.artwork[kind];
  const params = { path: { theme: theme.theme, artwork: kind } };
  const name = x.pictures[kind] ?? kind;
  async function run(change: () => Promise<unknown>): Promise<void> {
    setBusy(true);
    setError(null);
    try {
      done((await change()) as HouseTheme);
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy(false);
    }
  }
  const send = (file: File) =>
    run(() => {
      // The server would answer while the file is still being sent, which browsers take for a broken connection.
      if (file.size > FILE_BYTES_MAX) throw new Problem(413, "picture_too_large", "", {}, null, null);
      return dataOf(
        api.PUT("/v1/themes/{theme}/artwork/{artwork}", {
          params,
          body: file as never,
          bodySerializer: (body: unknown) => body as File,
          headers: { "content-type": "application/octet-stream" },
        }),
      );
    });
  return (
    <div class="picture-field" data-picture={kind}>
      <div class={`picture ${picture ? "" : "none"}`}>
        {picture && <img src={artworkAddress(picture)} alt={name} />}
      </div>
      <div>
        <h3>{name}</h3>
        <p class="hint">
          {picture
            ? [
                x.size(picture.width, picture.height),
                ...(typeof picture.opacity_percent === "number" ? [x.opacity(picture.opacity_percent)] : []),
              ].join(", ")
            : x.pictureHints[kind]}
        </p>
        <div class="form-buttons">
          <label class={`button plain small ${busy ? "busy" : ""}`} for={id}>
            {busy ? x.sending : x.choose(name)}
          </label>
          <input
            id={id}
            type="file"
            class="unseen"
            accept="image/png,image/jpeg,image/webp"
            disabled={busy}
            onChange={(event) => {
              const file = event.currentTarget.files?.[0];
              // The same file may be chosen again after it was mended.
              event.currentTarget.value = "";
              if (file) void send(file);
            }}
          />
          {picture && (
            <Button
              kind="quiet"
              small
              busy={busy}
              onClick={() => void run(() => dataOf(api.DELETE("/v1/themes/{theme}/artwork/{artwork}", { params })))}
            >
              {x.remove}
            </Button>
          )}
        </div>
        <Refused error={error} />
      </div>
    </div>
  );
}

/** The card of the artwork. A theme that was not saved yet has none. */
export function ArtworkCard({ theme, done }: { theme: HouseTheme | null; done(theme: HouseTheme): void }) {
  const { t } = useOffice();
  const x = t.themes;
  return (
    <Card title={x.artwork}>
      <p class="hint">{theme ? x.artworkHint : x.artworkFirst}</p>
      {theme &&
        (["logo", "background"] as const).map((kind) => (
          <PictureField key={kind} theme={theme} kind={kind} done={done} />
        ))}
    </Card>
  );
}
