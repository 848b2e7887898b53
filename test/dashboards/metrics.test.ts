import { expect } from "chai";
import { settings } from "../../src/config/settings.ts";
import { createMetrics } from "../../src/platform/metrics.ts";
import { faultsOf, readExposed, type Exposed } from "./exposed.ts";
import {
  readAlerts,
  readDashboard,
  readRunbookAnchors,
  shownLabels,
  type Alert,
  type Dashboard,
  type Panel,
} from "./files.ts";
import { readExpression } from "./promql.ts";

describe("the dashboard and the alerts", () => {
  let exposed: Exposed;
  let dashboard: Dashboard;
  let alerts: Alert[];
  let charts: Panel[];

  before("read them", async () => {
    [exposed, dashboard, alerts] = await Promise.all([
      readExposed(),
      readDashboard(),
      readAlerts(),
    ]);
    charts = dashboard.panels.filter(({ type }) => type !== "row");
  });

  const targetsOf = (panels: readonly Panel[]) =>
    panels.flatMap(({ title, targets = [] }) =>
      targets.map(({ expr, legendFormat }) => ({ title, expr, legendFormat })),
    );

  it("name only metrics and labels that a process exposes", () => {
    const targets = targetsOf(charts);
    const inCharts = targets.flatMap(({ title, expr, legendFormat }) =>
      faultsOf(expr, exposed, shownLabels(legendFormat)).map((fault) => `${title}: ${fault}`),
    );
    const inAlerts = alerts.flatMap(({ alert, expr, annotations }) =>
      faultsOf(expr, exposed, shownLabels(annotations.summary, annotations.description)).map(
        (fault) => `${alert}: ${fault}`,
      ),
    );
    expect([...inCharts, ...inAlerts]).to.deep.equal([]);
    expect(targets).to.have.length.above(30);
    expect(alerts).to.have.length.above(10);
  });

  it("fill their variables from metrics and labels that exist", () => {
    const queries = dashboard.templating.list.flatMap(({ definition }) => definition ?? []);
    expect(queries).to.have.lengthOf(2);
    for (const query of queries) {
      const [, metric = "", label = ""] = /^label_values\((\w+), (\w+)\)$/u.exec(query) ?? [];
      expect([...(exposed.get(metric) ?? [])], query).to.include(label);
    }
  });

  it("show every metric of our own", () => {
    const shown = targetsOf(charts)
      .flatMap(({ expr }) => readExpression(expr).selectors)
      .map(({ metric }) => metric.replace(/_bucket$/u, ""));
    const own = Object.values<unknown>(createMetrics()).flatMap((metric) =>
      typeof metric === "object" && metric !== null && "name" in metric ? [metric.name] : [],
    );
    expect(own).to.have.length.above(10);
    expect(shown).to.include.members(own);
  });

  it("use the maximum of platform-wide gauges, since most processes report 0", () => {
    const platformWide =
      /(?:webhook_(?:past_due_seconds|outbox_rows|outbox_dead_rows|outbox_oldest_seconds|queue_jobs|subscriptions|concurrency_window_requests)|task_queue_(?:rows|oldest_due_seconds))\b/u;
    const all = [...targetsOf(charts), ...alerts].map(({ expr }) => expr);
    const uses = all.filter((expr) => platformWide.test(expr));
    expect(uses).to.have.length.above(10);
    for (const expr of uses) {
      expect(expr).to.match(/max(?: by \([a-z, ]+\) )?\((?:webhook|task)_|^absent\(/u);
    }
  });

  it("warn of slow requests shortly before the default limit of a queue", () => {
    const { expr = "" } = alerts.find(({ alert }) => alert === "SightlineOverflowFull") ?? {};
    const bound = settings.DELIVERY_SLOW_CONCURRENCY.default;
    expect(Number(/> (\d+)$/u.exec(expr)?.[1])).to.be.within(bound * 0.8, bound);
  });

  it("count a receiver with an open circuit as failing", () => {
    const { expr = "" } =
      alerts.find(({ alert }) => alert === "SightlineSubscriptionsFailing") ?? {};
    const states = readExpression(expr).selectors.flatMap(({ matchers }) => matchers);
    expect(states.map(({ value }) => value.split("|"))).to.deep.equal([["failing", "open"]]);
  });

  describe("the check of the dashboards", () => {
    const wrong = {
      "a misspelt metric": "sum(rate(webhook_atempts_total[5m]))",
      "a histogram by its bare name": "rate(webhook_attempt_duration_seconds[5m])",
      "a bucket of what has none": "rate(webhook_attempts_total_bucket[5m])",
      "a misspelt label": 'rate(webhook_attempts_total{reslt="2xx"}[5m])',
      "a label of another metric": 'rate(webhook_events_total{result="2xx"}[5m])',
      "a misspelt label to group by": "sum by (reslt) (rate(webhook_attempts_total[5m]))",
      "a label grouped after the sum": "sum(rate(webhook_attempts_total[5m])) by (reslt)",
      "a second metric of two": "webhook_outbox_rows / webhook_outbox_row",
      "a misspelt function": "sum(rat(webhook_attempts_total[5m]))",
    };
    for (const [title, expression] of Object.entries(wrong)) {
      it(`detects ${title}`, () => {
        expect(faultsOf(expression, exposed)).to.have.lengthOf(1);
      });
    }

    it("detects a legend with a label that the sum removes", () => {
      const expression = "sum by (object) (rate(webhook_attempts_total[5m]))";
      expect(faultsOf(expression, exposed, ["object"])).to.deep.equal([]);
      expect(faultsOf(expression, exposed, ["result"])).to.have.lengthOf(1);
    });

    it("rejects unknown syntax", () => {
      expect(() => faultsOf('{__name__="webhook_outbox_rows"}', exposed)).to.throw();
      expect(() => faultsOf("webhook_outbox_rows @ 1", exposed)).to.throw();
    });
  });

  describe("an alert", () => {
    it("on an increase starts with a series of 0", async () => {
      const { text } = await createMetrics().render();
      const increases = alerts.filter(({ expr }) => expr.includes("increase("));
      const selectors = increases.flatMap(({ expr }) => readExpression(expr).selectors);
      expect(selectors).to.have.lengthOf(4);
      for (const { metric, matchers } of selectors) {
        const wanted = matchers.map(({ label, value }) => `${label}="${value}"`).join(",");
        expect(text).to.match(new RegExp(`^${metric}\\{[^}]*${wanted}[^}]*\\} 0$`, "mu"));
      }
    });

    it("waits, has a severity and describes the problem", () => {
      for (const { alert, for: wait, labels, annotations } of alerts) {
        expect(wait, alert).to.match(/^[1-9][0-9]*[mh]$/u);
        expect(labels.severity, alert).to.be.oneOf(["info", "warning", "critical"]);
        expect(annotations.summary, alert).to.match(/^\S+( \S+){2,}$/u);
        expect(annotations.description, alert).to.match(/^\S.{20,}$/u);
      }
      expect(new Set(alerts.map(({ alert }) => alert)).size).to.equal(alerts.length);
    });

    it("links to a section of the runbook", async () => {
      const anchors = await readRunbookAnchors();
      for (const { alert, annotations } of alerts) {
        const [page, anchor = ""] = annotations.runbook.split("#");
        expect(page, alert).to.equal("docs/runbook.md");
        expect([...anchors], alert).to.include(anchor);
      }
    });
  });

  describe("the layout", () => {
    it("has a unit and the chosen data source in every panel", () => {
      for (const { title, datasource, fieldConfig } of charts) {
        expect(datasource?.uid, title).to.equal("${datasource}");
        expect(fieldConfig?.defaults.unit, title).to.be.a("string");
      }
    });

    it("has no overlapping panels", () => {
      const taken = new Set<string>();
      for (const { title, gridPos } of dashboard.panels) {
        const { x, y, w, h } = gridPos;
        expect(x + w, title).to.be.at.most(24);
        for (let i = 0; i < w * h; i += 1) {
          const cell = `${x + (i % w)} ${y + Math.floor(i / w)}`;
          expect(taken.has(cell), `${title} at ${cell}`).to.equal(false);
          taken.add(cell);
        }
      }
    });
  });
});
