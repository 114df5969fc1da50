// Proposing a change: the first of two people says what and why.

import { useRef } from "preact/hooks";
import { api, dataOf, type Schema } from "../../api/client.js";
import { withAmounts } from "../../staff/amount.js";
import { rightOf } from "../../staff/changes.js";
import { named } from "../format.js";
import { Form, type FormState, Input, Reason, useForm } from "../form.js";
import { useLoad } from "../load.js";
import { useOffice } from "../office.js";
import { Card, Head, type Link, LinkChoice, OnlyFor, useLinks } from "../parts.js";
import { go, query, to } from "../router.js";
import { Empty, Ready } from "../table.js";
import { adoptionOf } from "./adoption.js";
import { AdoptFields } from "./proposal-adopt.js";

interface Fields extends Record<string, string> {
  change: string;
  reason: string;
}

/** Splits cards as a person types them: "As Ks, Qs" as As, Ks and Qs. */
export function cardsIn(text: string): string[] {
  return text.split(/[\s,]+/).filter(Boolean);
}

/** Builds the request from the fields of the form. */
export function requestOf(fields: Fields): Schema<"ProposalRequest"> {
  const { reason } = fields;
  const text = (name: string) => (fields[name] ?? "").trim();
  if (fields.change === "correct") return { change: "correct", hit: text("hit"), reason };
  if (fields.change === "adjust") {
    const account = text("account") === "reserve" ? "reserve" : "meter";
    return { change: "adjust", level: text("level"), account, amount: text("amount"), reason };
  }
  if (fields.change === "late_hit") {
    const cards = cardsIn(text("cards"));
    return {
      change: "late_hit",
      table: text("table"),
      round: Number(text("round")),
      ...(text("seat") === "" ? { dealer: true } : { seat: Number(text("seat")) }),
      hand: text("hand") as Schema<"Hand">,
      ...(cards.length > 0 ? { cards } : {}),
      reason,
    };
  }
  if (fields.change === "adopt_table") return adoptionOf(fields);
  return fields.change === "clear_fault"
    ? { change: "clear_fault", reason }
    : { change: "acknowledge_returns", reason };
}

function ChangeFields({ form, link }: { form: FormState<Fields>; link: Link }) {
  const { t } = useOffice();
  const f = t.proposals.form;
  const paytable = useLoad(link.paytable, () =>
    dataOf(api.GET("/v1/paytables/{paytable}", { params: { path: { paytable: link.paytable } } })),
  );
  const { change } = form.values;
  if (change === "correct") return <Input form={form} name="hit" label={f.hit} hint={f.hitHint} required />;
  if (change === "adjust")
    return (
      <div class="form-row">
        <Input
          form={form}
          name="level"
          label={f.level}
          options={link.levels.map((level) => [level.level, t.levelNamed(level.level)])}
        />
        <Input
          form={form}
          name="account"
          label={f.account}
          options={["meter", "reserve"].map((account) => [account, t.accounts[account] ?? account])}
        />
        <Input form={form} name="amount" label={f.amount} hint={f.amountHint} required amount />
      </div>
    );
  if (change === "adopt_table") return <AdoptFields form={form} />;
  if (change !== "late_hit") return null;
  const hands = paytable.data?.lines.map((line) => line.hand) ?? [];
  return (
    <>
      <div class="form-row">
        <Input form={form} name="table" label={f.table} options={link.tables.map(({ table }) => [table, table])} />
        <Input form={form} name="round" label={f.round} hint={f.roundHint} required numeric />
        <Input form={form} name="seat" label={f.seat} hint={f.seatHint} numeric />
      </div>
      <div class="form-row">
        <Input
          form={form}
          name="hand"
          label={f.hand}
          required
          options={[["", ""], ...hands.map((hand) => [hand, t.hands[hand] ?? named(hand)] as const)]}
        />
        <Input form={form} name="cards" label={f.cards} hint={f.cardsHint} />
      </div>
    </>
  );
}

function NewForm({ link }: { link: Link }) {
  const { t, locale, may } = useOffice();
  const p = t.proposals;
  // The same name for each attempt: sent again after a lost answer, the proposal counts once.
  const id = useRef(crypto.randomUUID());
  const offered = Object.keys(p.changes).filter((change) => may(rightOf(change)));
  const form = useForm<Fields>(
    {
      change: query("change") || offered[0] || "adjust",
      hit: query("hit"),
      level: link.levels[0]?.level ?? "",
      account: "meter",
      amount: "",
      table: link.tables[0]?.table ?? "",
      round: "",
      seat: "",
      hand: "",
      cards: "",
      paytable: "",
      reading: "",
      letter: "",
      reason: "",
    },
    async (fields) => {
      const params = { path: { link: link.link, proposal: id.current } };
      await api.PUT("/v1/links/{link}/proposals/{proposal}", {
        params,
        body: requestOf(withAmounts(fields, ["amount"], locale)),
      });
      go(to("proposals", link.link, id.current));
    },
  );
  return (
    <Card class="narrow">
      <Form form={form} action={p.form.action}>
        <Input
          form={form}
          name="change"
          label={p.form.change}
          options={offered.map((change) => [change, p.changes[change] ?? change])}
          hint={p.hints[form.values.change] ?? ""}
        />
        <ChangeFields form={form} link={link} />
        <Reason form={form} hint={p.form.reasonHint} />
        <p class="secondary">{p.form.next}</p>
      </Form>
    </Card>
  );
}

export function ProposalNew({ link: name }: { link: string }) {
  const { t, may } = useOffice();
  const links = useLinks();
  return (
    <>
      <Head title={t.proposals.form.title(name)} above={<a href={to("proposals")}>{t.proposals.title}</a>}>
        {links.data && (
          <LinkChoice links={links.data} value={name} choose={(other) => go(to("proposals", other, "new"))} />
        )}
      </Head>
      {!may("adjust") && !may("reset") ? (
        <OnlyFor right="adjust" />
      ) : (
        <Ready of={links}>
          {(all) => {
            const link = all.find((one) => one.link === name);
            return link ? <NewForm link={link} /> : <Empty title={t.noLink(name)}>{t.missingHint}</Empty>;
          }}
        </Ready>
      )}
    </>
  );
}
