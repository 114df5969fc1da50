// A view of one link: it asks for the links, takes that of the address or else the first, and says if there is none.

import type { ComponentChildren } from "preact";
import { useOffice } from "./office.js";
import { Head, type Link, useLinks } from "./parts.js";
import { Empty, Ready } from "./table.js";

interface Props {
  title: string;
  /** Name of the wanted link; the first one if it is left out. */
  name: string | undefined;
  children(link: Link, links: Link[]): ComponentChildren;
}

export function Linked({ title, name, children }: Props) {
  const { t } = useOffice();
  const links = useLinks();
  return (
    <Ready of={links}>
      {(all) => {
        const link = name ? all.find((one) => one.link === name) : all[0];
        if (link) return children(link, all);
        return (
          <>
            <Head title={title} />
            {name && all.length > 0 ? (
              <Empty title={t.noLink(name)}>{t.missingHint}</Empty>
            ) : (
              <Empty title={t.noLinks}>{t.noLinksHint}</Empty>
            )}
          </>
        );
      }}
    </Ready>
  );
}
