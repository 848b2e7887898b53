import { expect } from "chai";
import { queueCheck, writesCheck } from "../../src/compose/readiness.ts";
import { readExposed, type Exposed } from "./exposed.ts";
import {
  type Alert,
  type Alertmanager,
  readAlertmanager,
  readAlerts,
  readExternalLabels,
  type Route,
} from "./files.ts";
import { readExpression } from "./promql.ts";

type Matcher = { label: string; test: (value: string) => boolean; words: string[] };

/** The matchers that the example uses: an equal text, or an alternation of words. */
function readMatcher(text: string): Matcher {
  const [, label = "", operator, value = ""] = /^(\w+)(=~?)"([\w|()-]+)"$/u.exec(text) ?? [];
  expect(operator, `not understood: ${text}`).to.be.a("string");
  const [, prefix = "", words = value] = /^(\w+)\(([^()]+)\)$/u.exec(value) ?? [];
  const pattern = new RegExp(`^(?:${value})$`, "u");
  return {
    label,
    test: operator === "=" ? (one) => one === value : (one) => pattern.test(one),
    words: words.split("|").map((word) => `${prefix}${word}`),
  };
}

describe("the example configuration of Alertmanager", () => {
  let alerts: Alert[];
  let config: Alertmanager;
  let exposed: Exposed;
  let external: Set<string>;
  /** Each side of each rule of inhibition, and the labels that both must have. */
  let sides: { matchers: Matcher[]; equal: string[] }[];

  before("read it", async () => {
    [alerts, config, exposed, external] = await Promise.all([
      readAlerts(),
      readAlertmanager(),
      readExposed(),
      readExternalLabels(),
    ]);
    sides = config.inhibit_rules.flatMap(({ source_matchers, target_matchers, equal }) =>
      [source_matchers, target_matchers].map((texts) => ({
        matchers: texts.map(readMatcher),
        equal,
      })),
    );
  });

  /** The labels of the alerts of a rule: those of its result, of the rule, and of Prometheus. */
  const labelsOf = ({ expr, labels }: Alert): Set<string> => {
    const { selectors, groupings, hasAggregation } = readExpression(expr);
    const ofSeries = selectors.flatMap(({ metric }) => [...(exposed.get(metric) ?? [])]);
    const ofResult = hasAggregation ? groupings : ofSeries;
    return new Set(["alertname", ...ofResult, ...Object.keys(labels), ...external]);
  };
  const namesOf = (matchers: readonly Matcher[]): string[] =>
    matchers.flatMap(({ label, words }) => (label === "alertname" ? words : []));
  const routesOf = ({ routes = [], ...route }: Route): Route[] => [
    route,
    ...routes.flatMap(routesOf),
  ];

  it("names only alerts that exist", () => {
    const known = new Set(alerts.map(({ alert }) => alert));
    const names = sides.flatMap(({ matchers }) => namesOf(matchers));
    expect(names).to.have.length.above(10);
    expect(names.filter((name) => !known.has(name))).to.deep.equal([]);
    expect(sides.filter(({ matchers }) => namesOf(matchers).length === 0)).to.deep.equal([]);
  });

  it("compares and groups by labels that the alerts have", () => {
    for (const { matchers, equal } of sides) {
      expect(equal).to.include("cluster"); // else one platform suppresses the alerts of another
      for (const alert of alerts.filter((one) => namesOf(matchers).includes(one.alert))) {
        const used = [...equal, ...matchers.map(({ label }) => label)];
        expect([...labelsOf(alert)], alert.alert).to.include.members(used);
      }
    }
    const groups = routesOf(config.route).flatMap(({ group_by = [] }) => group_by);
    alerts.forEach((alert) => expect([...labelsOf(alert)]).to.include.members(groups));
  });

  it("asks for values that occur: severities, checks of the schedule process, and passes", async () => {
    const texts = await import("../../web/console/platform/texts/en.json", {
      with: { type: "json" },
    });
    const values: Record<string, readonly string[]> = {
      alertname: alerts.map(({ alert }) => alert),
      severity: alerts.map(({ labels }) => labels.severity),
      check: [writesCheck, queueCheck].map((create) => create(undefined as never).name),
      pass: Object.keys(texts.default.pass),
    };
    const matchers = [
      ...sides.flatMap((side) => side.matchers),
      ...routesOf(config.route).flatMap((route) => (route.matchers ?? []).map(readMatcher)),
    ];
    expect(matchers.map(({ label }) => label)).to.include.members(Object.keys(values));
    for (const { label, words } of matchers) {
      expect(values[label], label).to.include.members(words);
    }
  });

  it("suppresses what follows from an outage of Postgres or of the queue, but no cause", () => {
    const suppressedBy = (check: string): string[] =>
      config.inhibit_rules
        .filter(({ source_matchers }) => source_matchers.includes(`check="${check}"`))
        .flatMap(({ target_matchers }) => {
          const name = target_matchers.map(readMatcher).find(({ label }) => label === "alertname");
          return alerts.filter(({ alert }) => name?.test(alert)).map(({ alert }) => alert);
        });
    expect(suppressedBy("queue")).to.have.members([
      ...["SightlinePastDue", "SightlinePastDueForLong", "SightlineTasksLate"],
      "SightlinePassOverdue",
    ]);
    expect(suppressedBy("writes"))
      .to.include.members([...suppressedBy("queue"), "SightlineServerErrors"])
      .and.not.include.members(["SightlineNotReady"])
      .and.not.include.members(["SightlineProcessDown"]);
  });

  it("sends each alert to a receiver that is defined", () => {
    const receivers = routesOf(config.route).map(({ receiver }) => receiver);
    expect(config.receivers.map(({ name }) => name)).to.have.members(receivers);
  });
});
