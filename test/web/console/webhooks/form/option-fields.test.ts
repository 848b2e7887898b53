import { expect } from "chai";
import {
  initialValue,
  optionFact,
  type OptionRow,
} from "../../../../../web/console/webhooks/form/option-fields.ts";

const rows = {
  switch: {
    kind: "switch",
    label: "pace.ordered",
    ...({ fact: "page.order", on: "page.ordered", off: "page.unordered" } as const),
  },
  number: { kind: "number", label: "pace.in_flight", unset: "pace.platform", max: 10_000 },
  text: { kind: "text", label: "oauth2.scope", unset: "pace.platform", maxLength: 9 },
  choice: {
    kind: "choice",
    label: "oauth2.authentication",
    choices: { basic: "oauth2.basic", form: "oauth2.form" },
  },
} as const satisfies Record<string, OptionRow>;

const optional: OptionRow = { ...rows.choice, unset: "pace.platform" };

/** Returns the key instead of a translation. */
const t = (key: string): string => key;

describe("an option of a webhook", () => {
  it("is initially empty, a switch off, and a required choice its first value", () => {
    expect(Object.values(rows).map(initialValue)).to.deep.equal([false, "", "", "basic"]);
    expect(initialValue(optional)).to.equal("");
  });

  it("has a fact formatted by its kind", () => {
    const facts = [
      optionFact(rows.switch, true, t),
      optionFact(rows.switch, false, t),
      optionFact(rows.number, 2_500, t),
      optionFact(rows.text, "read", t),
      optionFact(rows.choice, "form", t),
    ];
    expect(facts.map(({ name, value }) => `${name}: ${value}`)).to.deep.equal([
      "page.order: page.ordered",
      "page.order: page.unordered",
      "pace.in_flight: 2,500",
      "oauth2.scope: read",
      "oauth2.authentication: oauth2.form",
    ]);
  });

  it("shows the default if it is not set", () => {
    const unset = [rows.number, rows.text, optional].map((row) => optionFact(row, null, t).value);
    expect(unset).to.deep.equal(["pace.platform", "pace.platform", "pace.platform"]);
  });
});
