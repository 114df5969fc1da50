// The frame of the office: the side bar with what the person may see, and the view of the address.

import { useEffect, useState } from "preact/hooks";
import { api, dataOf } from "../api/client.js";
import { DemoLink } from "../staff/demo-link.js";
import { useStaff } from "../staff/staff.js";
import { useLoad } from "./load.js";
import { useOffice } from "./office.js";
import { Head, OnlyFor, useLinks } from "./parts.js";
import { match, path, pathname, replace, to } from "./router.js";
import { GROUPS, ROUTES, type Entry } from "./routes.js";

/** Interval of the counts beside the side bar's entries. */
const COUNTS_EVERY_MS = 15_000;
/** Most open exceptions and proposals that are counted for a link. */
const COUNTED_MOST = 100;

interface Counts {
  proposals: number;
  exceptions: number;
}

/** Counts what waits on all links: open proposals and exceptions. */
async function countWaiting(names: readonly string[]): Promise<Counts> {
  let [proposals, exceptions] = [0, 0];
  for (const link of names) {
    const at = { path: { link } };
    const [made, noted] = await Promise.all([
      dataOf(api.GET("/v1/links/{link}/proposals", { params: { ...at, query: { limit: COUNTED_MOST } } })),
      dataOf(
        api.GET("/v1/links/{link}/exceptions", { params: { ...at, query: { cleared: false, limit: COUNTED_MOST } } }),
      ),
    ]);
    proposals += made.proposals.filter((proposal) => proposal.state === "open").length;
    exceptions += noted.exceptions.length;
  }
  return { proposals, exceptions };
}

function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 24" fill="none" stroke="currentColor" stroke-width="3" aria-hidden="true">
      <path d="M2 22 9 3l4 14L20 3l-1.5 19H30" stroke-linejoin="round" stroke-linecap="round" />
    </svg>
  );
}

function Entries({ entries, counts }: { entries: readonly Entry[]; counts: Counts | null }) {
  const { t, may } = useOffice();
  return (
    <ul>
      {entries
        .filter((entry) => !entry.right || may(entry.right))
        .map((entry) => {
          const here = path.value === `/${entry.path}` || path.value.startsWith(`/${entry.path}/`);
          const count = entry.count ? (counts?.[entry.count] ?? 0) : 0;
          return (
            <li key={entry.path}>
              <a href={to(entry.path)} aria-current={here ? "page" : undefined}>
                {t.nav[entry.name]}
                {count > 0 && (
                  <span class={`badge ${entry.count ?? ""}`} aria-label={t.nav.waiting(count)}>
                    {count}
                  </span>
                )}
              </a>
            </li>
          );
        })}
    </ul>
  );
}

function SideBar({ counts }: { counts: Counts | null }) {
  const { logOut, texts } = useStaff();
  const { t, holder, may } = useOffice();
  const [open, setOpen] = useState(false);
  useEffect(() => setOpen(false), [pathname.value]);
  return (
    <nav class={`side ${open ? "open" : ""}`} aria-label={t.views}>
      <div class="brand">
        <a href="/" aria-label={t.brand}>
          <Mark />
          <span>{t.brand}</span>
        </a>
        <button type="button" class="menu" aria-expanded={open} onClick={() => setOpen(!open)}>
          {t.menu}
        </button>
      </div>
      <div class="side-body">
        {GROUPS.map((group) => {
          if (!group.entries.some((entry) => !entry.right || may(entry.right))) return null;
          return (
            <div key={group.name ?? "first"}>
              {group.name && <h2>{t.nav[group.name]}</h2>}
              <Entries entries={group.entries} counts={counts} />
            </div>
          );
        })}
        <div class="person">
          <a href={to("me")} aria-current={path.value === "/me" ? "page" : undefined}>
            <span class="person-name">{holder.name}</span>
            <span>{t.accountDepartment(t.roles[holder.role] ?? holder.role, holder.department ?? null)}</span>
          </a>
          <DemoLink text={texts.toDemo} />
          <button type="button" class="log-out" onClick={logOut}>
            {texts.logOut}
          </button>
        </div>
      </div>
    </nav>
  );
}

function View() {
  const { t, may } = useOffice();
  for (const route of ROUTES) {
    const params = match(route.pattern, path.value);
    if (!params) continue;
    if (route.right && !may(route.right))
      return (
        <>
          <Head title={t.forOthers} />
          <OnlyFor right={route.right} />
        </>
      );
    // Another address of the same view begins anew: what was typed for one link is not sent for another.
    return <route.view key={route.keep ? route.pattern : path.value} {...params} />;
  }
  return (
    <>
      <Head title={t.notFound} />
      <p class="secondary">{t.notFoundHint}</p>
    </>
  );
}

export function Shell() {
  const { t, may } = useOffice();
  const links = useLinks(COUNTS_EVERY_MS);
  const names = links.data?.map((link) => link.link) ?? [];
  const counts = useLoad(
    may("read_link") && links.data ? `counts ${names.join(" ")}` : null,
    () => countWaiting(names),
    COUNTS_EVERY_MS,
  );
  useEffect(() => {
    if (path.value === "" || path.value === "/") replace(to("links"));
  }, [path.value]);
  return (
    <div class="office">
      <a class="skip" href="#content" onClick={(event) => event.stopPropagation()}>
        {t.skip}
      </a>
      <SideBar counts={counts.data} />
      <main id="content">
        <View />
      </main>
    </div>
  );
}
