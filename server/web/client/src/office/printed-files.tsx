// A report as a file: CSV or a printed page, which the API gives for the header Accept.

import { useState } from "preact/hooks";
import { NoAnswer, problemOf } from "../api/client.js";
import { Button, ErrorNotice } from "../staff/controls.js";
import { useOffice } from "./office.js";
import { save } from "./save.js";

/** Longest wait for a file. */
const FILE_WAIT_MS = 30_000;

const TYPES = { csv: "text/csv", pdf: "application/pdf", json: "application/json" } as const;

/** Fetches an address of the API as a file of a type. */
async function fetchFile(path: string, kind: keyof typeof TYPES): Promise<Blob> {
  let response: Response;
  try {
    const signal = AbortSignal.timeout(FILE_WAIT_MS);
    response = await fetch(path, { headers: { accept: TYPES[kind] }, signal });
  } catch (error) {
    throw new NoAnswer("no answer", { cause: error });
  }
  if (!response.ok) throw await problemOf(response);
  return response.blob();
}

/** Saves addresses of the API as files: which one is under way, and what went wrong with the last one. */
export function useDownload() {
  const [busy, setBusy] = useState<keyof typeof TYPES | null>(null);
  const [error, setError] = useState<unknown>(null);
  async function download(path: string, name: string, kind: keyof typeof TYPES): Promise<void> {
    setBusy(kind);
    setError(null);
    try {
      save(`${name}.${kind}`, await fetchFile(path, kind));
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy(null);
    }
  }
  return { busy, error, download };
}

/** Buttons that save a report as CSV and as a printed page. */
export function Files({
  path,
  name,
  kinds = ["csv", "pdf"],
}: {
  path: string;
  name: string;
  kinds?: ("csv" | "pdf")[];
}) {
  const { t } = useOffice();
  const { busy, error, download } = useDownload();
  return (
    <>
      {kinds.map((kind) => (
        <Button
          key={kind}
          kind="quiet"
          small
          busy={busy === kind}
          {...(kind === "pdf" ? { icon: "print" as const } : {})}
          onClick={() => void download(path, name, kind)}
        >
          {t[kind]}
        </Button>
      ))}
      <ErrorNotice error={error} />
    </>
  );
}
