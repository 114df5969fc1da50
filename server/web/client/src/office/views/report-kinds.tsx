// The reports of the API: how each is asked for, and the tables of its page. Every row is written in texts, so that all
// reports share one table.

import { api, dataOf, type Schema } from "../../api/client.js";
import type { OfficeTexts } from "../../text/office.js";
import { amount, bookNamed, count, exact, named, when } from "../format.js";
import { type AdoptedTable, adoptedText } from "./adoption.js";
import type { ReportSection } from "./report-page.js";

export interface Context {
  link: string;
  query: Readonly<Record<string, string>>;
  t: OfficeTexts;
  locale: string;
}

/** A report, loaded: its tables, and what stands under the title. */
export interface Loaded {
  sections: ReportSection[];
  under: string;
}

interface Kind {
  /** Parameters of the page, as fields above the report. */
  fields: readonly ("day" | "from" | "to" | "at" | "threshold" | "tax_threshold")[];
  load(context: Context): Promise<Loaded>;
}

/** Names a book, a level or an account. */
function book(name: string | null | undefined, t: OfficeTexts): string {
  return name ? bookNamed(name, t) : "";
}

function alterations(report: Schema<"AlterationReport">, { t, locale }: Context): Loaded {
  const { c, kinds, batches } = t.reports;
  const optional = (text: string | null | undefined) => (text ? exact(text, locale) : "");
  const adopted = (table: AdoptedTable | null | undefined) => adoptedText(table, t.proposals.adoption);
  return {
    under: batches(count(report.from_batch, locale), count(report.to_batch, locale)),
    sections: [
      {
        title: "",
        heads: [c.at, c.kind, c.level, c.subject, c.before, c.after, c.reason, c.proposedBy, c.by],
        figures: [4, 5],
        // An adopted table is a text among the amounts.
        wide: report.alterations.some((row) => row.adoption) ? [4, 5, 6] : [6],
        rows: report.alterations.map((row) => [
          when(row.at, locale),
          kinds[row.kind] ?? named(row.kind),
          [book(row.level, t), book(row.account, t)].filter(Boolean).join(", "),
          row.table ?? row.hit ?? row.adoption?.adopted.table ?? "",
          row.adoption ? adopted(row.adoption.before) : optional(row.before),
          row.adoption ? adopted(row.adoption.adopted) : optional(row.after),
          row.reason ?? row.fault ?? "",
          row.proposed_by ? t.accountDepartment(row.proposed_by, row.proposed_department ?? null) : "",
          t.accountDepartment(row.by, row.department ?? null),
        ]),
      },
    ],
  };
}

function largeWins(report: Schema<"LargeWins">, { t, locale }: Context): Loaded {
  const { c } = t.reports;
  return {
    under: `${c.amount} ${amount(report.threshold, locale, "money")}, ${c.form} ${amount(report.tax_threshold, locale, "money")}.`,
    sections: [
      {
        title: "",
        heads: [c.at, c.hit, c.hand, c.player, c.amount, c.paid, c.form, c.document, c.state],
        figures: [4, 5],
        rows: report.wins.flatMap(({ hit, players }) =>
          // A player below the threshold is in the report for the sum of the hit.
          players
            .filter((player) => player.large)
            .map((player) => [
              when(hit.keyed_at, locale),
              hit.hit,
              t.hands[hit.hand ?? ""] ?? t.kinds[hit.kind] ?? "",
              player.player ?? player.seats.map((seat) => t.seatNamed(seat, false)).join(", "),
              amount(player.amount, locale),
              amount(player.paid, locale),
              player.tax_form ? c.needed : "",
              hit.payouts
                .filter((payout) => player.seats.includes(payout.seat))
                .map((payout) => payout.payment?.document)
                .filter(Boolean)
                .join(", "),
              t.states[hit.state] ?? hit.state,
            ]),
        ),
        links: { column: 1, to: "hits" },
      },
    ],
  };
}

/** Returns the table of what took from the levels, each with its cause. */
export function decreasesOf(
  { decreases }: Pick<Schema<"DisplayedAmounts">, "decreases">,
  t: OfficeTexts,
  locale: string,
): ReportSection {
  const { c, sections, kinds, noCause } = t.reports;
  return {
    title: sections.decreases,
    heads: [c.at, c.level, c.amount, c.cause, c.hit],
    figures: [2],
    rows: decreases.map((row) => [
      when(row.at, locale),
      book(row.level, t),
      exact(row.amount, locale),
      row.cause ? (kinds[row.cause] ?? named(row.cause)) : noCause,
      row.hit ?? row.proposal ?? "",
    ]),
  };
}

function displayed(report: Schema<"DisplayedAmounts">, { t, locale }: Context): Loaded {
  const { c, sections, complete, incomplete, batches } = t.reports;
  return {
    under: `${batches(count(report.from_batch, locale), count(report.to_batch, locale))} ${report.complete ? complete : incomplete}`,
    sections: [
      {
        title: sections.levels,
        heads: [c.level, c.opening, c.closing],
        figures: [1, 2],
        rows: report.levels.map((row) => [
          book(row.level, t),
          amount(row.opening, locale),
          amount(row.closing, locale),
        ]),
      },
      decreasesOf(report, t, locale),
    ],
  };
}

function liability(report: Schema<"Liability">, { t, locale }: Context): Loaded {
  const { c, batch, complete, incomplete } = t.reports;
  const cells = (row: Schema<"AccountTotals">) =>
    [row.meter, row.reserve, row.overflow, row.pending, row.total].map((text) => exact(text, locale));
  return {
    under: `${when(report.at, locale)}. ${batch(count(report.batch, locale))} ${report.complete ? complete : incomplete}`,
    sections: [
      {
        title: "",
        heads: [c.level, c.meter, c.reserve, c.overflow, c.pending, c.total],
        figures: [1, 2, 3, 4, 5],
        rows: report.levels.map((row) => [book(row.level, t), ...cells(row)]),
        foot: [t.total, ...cells(report.total)],
      },
    ],
  };
}

function lifetime(report: Schema<"Lifetime">, { t, locale }: Context): Loaded {
  const { c, sections, batch } = t.reports;
  const money = (text: string) => exact(text, locale);
  const whole = (value: number) => count(value, locale);
  return {
    under: batch(whole(report.batch)),
    sections: [
      {
        title: sections.totals,
        heads: [c.rounds, c.wagers, c.wagersVoided, c.coinIn, c.coinInVoided],
        figures: [0, 1, 2, 3, 4],
        rows: [
          [
            whole(report.rounds),
            whole(report.wagers),
            whole(report.wagers_voided),
            money(report.coin_in),
            money(report.coin_in_voided),
          ],
        ],
      },
      {
        title: sections.pools,
        heads: [c.level, c.account, c.contributed, c.voided],
        figures: [2, 3],
        rows: report.pools.map((row) => [
          book(row.level, t),
          book(row.account, t),
          money(row.contributed),
          money(row.voided),
        ]),
      },
      {
        title: sections.levels,
        heads: [c.level, c.attendant, c.machine, c.house, c.overflow, c.up, c.down, c.resets],
        figures: [1, 2, 3, 4, 5, 6, 7],
        rows: report.levels.map((row) => [
          book(row.level, t),
          money(row.attendant_paid),
          money(row.machine_paid),
          money(row.house_funded),
          money(row.overflow),
          money(row.adjusted_up),
          money(row.adjusted_down),
          whole(row.resets),
        ]),
      },
      {
        title: sections.lines,
        heads: [c.line, c.hits, c.due],
        figures: [1, 2],
        rows: report.lines.map((row) => [t.hands[row.line] ?? named(row.line), whole(row.hits), money(row.due)]),
      },
    ],
  };
}

function variance(report: Schema<"Variance">, { t, locale }: Context): Loaded {
  const { c, batch, flagged, fine } = t.reports;
  const money = (text: string) => exact(text, locale);
  return {
    under: `${batch(count(report.batch, locale))} ${c.wagers}: ${count(report.wagers, locale)}. ${c.limit}: ${amount(report.limit, locale, "money")}.`,
    sections: [
      {
        title: "",
        heads: [c.level, c.account, c.share, c.expected, c.booked, c.adjusted, c.variance, c.verdict],
        figures: [2, 3, 4, 5, 6],
        rows: report.pools.map((row) => [
          book(row.level, t),
          book(row.account, t),
          money(row.share),
          money(row.expected),
          money(row.booked),
          money(row.adjusted),
          money(row.variance),
          row.flagged ? flagged : fine,
        ]),
      },
    ],
  };
}

function lastHits(report: Schema<"LastHits">, { t, locale }: Context): Loaded {
  const { c, archived } = t.reports;
  return {
    under: "",
    sections: report.levels.map((level) => ({
      title: book(level.level, t),
      heads: [c.at, c.hit, c.hand, c.before, c.due, c.after, c.state],
      figures: [3, 4, 5],
      rows: level.hits.map((hit) => [
        when(hit.keyed_at, locale),
        hit.hit,
        t.hands[hit.hand ?? ""] ?? t.kinds[hit.kind] ?? "",
        hit.before ? exact(hit.before, locale) : "",
        amount(hit.due, locale),
        hit.after ? exact(hit.after, locale) : "",
        t.states[hit.state] ?? hit.state,
      ]),
      links: { column: 1, to: "hits" },
      note: level.archived ? archived : "",
    })),
  };
}

/** Returns path and query of a request, typed as the client wants them. */
function asked({ link, query }: Context) {
  return { params: { path: { link }, query } } as { params: { path: { link: string }; query: never } };
}

export const KINDS: Readonly<Record<string, Kind>> = {
  "last-hits": {
    fields: [],
    load: async (x) => lastHits(await dataOf(api.GET("/v1/links/{link}/last-hits", asked(x))), x),
  },
  alterations: {
    fields: ["from", "to"],
    load: async (x) => alterations(await dataOf(api.GET("/v1/links/{link}/alterations", asked(x))), x),
  },
  "large-wins": {
    fields: ["from", "to", "threshold", "tax_threshold"],
    load: async (x) => largeWins(await dataOf(api.GET("/v1/links/{link}/large-wins", asked(x))), x),
  },
  displayed: {
    fields: ["day", "from", "to"],
    load: async (x) => displayed(await dataOf(api.GET("/v1/links/{link}/displayed", asked(x))), x),
  },
  liability: {
    fields: ["at"],
    load: async (x) => liability(await dataOf(api.GET("/v1/links/{link}/liability", asked(x))), x),
  },
  lifetime: {
    fields: [],
    load: async (x) => lifetime(await dataOf(api.GET("/v1/links/{link}/lifetime", asked(x))), x),
  },
  variance: {
    fields: [],
    load: async (x) => variance(await dataOf(api.GET("/v1/links/{link}/variance", asked(x))), x),
  },
};
