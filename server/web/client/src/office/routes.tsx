// The views of the office: the address of each, the right that it needs, and its place in the side bar.

import type { ComponentType } from "preact";
import type { OfficeTexts } from "../text/office.js";
import { lazily } from "./lazy.js";
import type { Right } from "./rights.js";
import { Audit } from "./views/audit.js";
import { Closing, Closings } from "./views/closings.js";
import { Devices } from "./views/devices.js";
import { Evidence } from "./views/evidence.js";
import { Exceptions } from "./views/exceptions.js";
import { Health } from "./views/health.js";
import { History } from "./views/history.js";
import { HitView } from "./views/hit.js";
import { LinkView } from "./views/link.js";
import { Links } from "./views/links.js";
import { Me } from "./views/me.js";
import { OpenLink } from "./views/open-link.js";
import { People } from "./views/people.js";
import { Person } from "./views/person.js";
import { ProposalNew } from "./views/proposal-new.js";
import { ProposalView } from "./views/proposal.js";
import { Proposals } from "./views/proposals.js";
import { ReconciliationView } from "./views/reconciliation.js";
import { ReportView, Reports } from "./views/reports.js";
import { ScreenView } from "./views/screen.js";
import { Screens } from "./views/screens.js";
import { SlipView, Slips } from "./views/slips.js";
import { TableView, Tables } from "./views/tables.js";
import { Verification } from "./views/verification.js";

interface Route {
  pattern: string;
  view: ComponentType<any>;
  right?: Right;
  /** The view stays as it is while its parameters change. */
  keep?: boolean;
}

export const ROUTES: readonly Route[] = [
  { pattern: "/links", view: Links },
  { pattern: "/links/new/open", view: OpenLink, right: "configure" },
  { pattern: "/links/:link", view: LinkView },
  { pattern: "/history", view: History, right: "read_link" },
  { pattern: "/history/:link", view: History, right: "read_link" },
  { pattern: "/history/:link/:level", view: History, right: "read_link" },
  { pattern: "/proposals", view: Proposals, right: "read_link" },
  { pattern: "/proposals/:link/new", view: ProposalNew, right: "read_link" },
  { pattern: "/proposals/:link/:proposal", view: ProposalView, right: "read_link" },
  { pattern: "/reconciliation", view: ReconciliationView, right: "read_link" },
  { pattern: "/reconciliation/:link", view: ReconciliationView, right: "read_link" },
  { pattern: "/reports", view: Reports, right: "read_link" },
  { pattern: "/reports/closings", view: Closings, right: "read_link" },
  { pattern: "/reports/closings/:link/:date", view: Closing, right: "read_link" },
  { pattern: "/reports/:report", view: ReportView, right: "read_link" },
  { pattern: "/exceptions", view: Exceptions, right: "read_link" },
  { pattern: "/slips", view: Slips, right: "read_floor" },
  { pattern: "/slips/:slip", view: SlipView, right: "read_floor" },
  { pattern: "/hits/:hit", view: HitView, right: "read_floor" },
  { pattern: "/tables", view: Tables, right: "read_floor" },
  { pattern: "/tables/:table", view: TableView, right: "read_floor" },
  { pattern: "/devices", view: Devices, right: "admit" },
  { pattern: "/screens", view: Screens },
  { pattern: "/screens/:screen", view: ScreenView, right: "read_floor" },
  { pattern: "/themes", view: lazily(async () => (await import("./views/themes.js")).Themes) },
  {
    pattern: "/themes/new/make",
    view: lazily(async () => (await import("./views/theme.js")).NewTheme),
    right: "configure",
  },
  { pattern: "/themes/:theme", view: lazily(async () => (await import("./views/theme.js")).ThemeView) },
  { pattern: "/people", view: People, right: "admit" },
  { pattern: "/people/:person", view: Person, right: "admit" },
  { pattern: "/audit", view: Audit },
  { pattern: "/evidence", view: Evidence, right: "read_floor" },
  { pattern: "/verification", view: Verification, right: "read_link" },
  { pattern: "/health", view: Health },
  { pattern: "/me", view: Me },
];

type NavName = {
  [Name in keyof OfficeTexts["nav"]]: OfficeTexts["nav"][Name] extends string ? Name : never;
}[keyof OfficeTexts["nav"]];

export interface Entry {
  path: string;
  name: NavName;
  right?: Right;
  /** What is counted beside the entry. */
  count?: "proposals" | "exceptions";
}

export const GROUPS: readonly { name?: NavName; entries: readonly Entry[] }[] = [
  {
    entries: [
      { path: "links", name: "links" },
      { path: "history", name: "history", right: "read_link" },
      { path: "proposals", name: "proposals", right: "read_link", count: "proposals" },
      { path: "reconciliation", name: "reconciliation", right: "read_link" },
      { path: "reports", name: "reports", right: "read_link" },
      { path: "exceptions", name: "exceptions", right: "read_link", count: "exceptions" },
      { path: "slips", name: "slips", right: "read_floor" },
    ],
  },
  {
    name: "house",
    entries: [
      { path: "tables", name: "tables", right: "read_floor" },
      { path: "screens", name: "screens" },
      { path: "themes", name: "themes" },
      { path: "devices", name: "devices", right: "admit" },
      { path: "people", name: "people", right: "admit" },
    ],
  },
  {
    name: "proof",
    entries: [
      { path: "audit", name: "audit" },
      { path: "evidence", name: "evidence", right: "read_floor" },
      { path: "verification", name: "verification", right: "read_link" },
      { path: "health", name: "health" },
    ],
  },
];
