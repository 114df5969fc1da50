// A view whose code is loaded when it is opened.

import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ErrorNotice } from "../staff/controls.js";
import { useOffice } from "./office.js";

/** Returns a view that loads another one. */
export function lazily(load: () => Promise<ComponentType<any>>): ComponentType<any> {
  return function Lazy(props: object) {
    const { t } = useOffice();
    const [View, setView] = useState<ComponentType<any> | null>(null);
    const [error, setError] = useState<unknown>(null);
    useEffect(() => {
      let gone = false;
      load().then(
        (view) => !gone && setView(() => view),
        (problem: unknown) => !gone && setError(problem),
      );
      return () => {
        gone = true;
      };
    }, []);
    if (error !== null) return <ErrorNotice error={error} />;
    return View ? <View {...props} /> : <p class="secondary">{t.loading}</p>;
  };
}
