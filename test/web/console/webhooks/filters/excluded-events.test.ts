import { expect } from "chai";
import {
  checkConditions,
  compileConditions,
} from "../../../../../src/pipeline/ledger/conditions.ts";
import {
  excludedEventsOf,
  invertedQuery,
} from "../../../../../web/console/webhooks/filters/excluded-events.ts";

function anEvent(id: string, object = "ticket") {
  return {
    ...{ event_id: id, webhook_id: id, object, event: "update", event_type: null, object_id: 1 },
    ...{ time: "2026-11-22T10:00:00+00:00", filters: [] },
  };
}

describe("the events excluded by filters and conditions", () => {
  it("are shown with the reason, or as unknown if it cannot be determined", () => {
    const [sent, other, open, gone] = [
      ...[anEvent("evt_sent"), anEvent("evt_other", "media")],
      ...[anEvent("evt_open"), anEvent("evt_gone")],
    ];
    const kept = excludedEventsOf(["ticket.*"], {
      happened: [sent!, other!, open!, gone!],
      // Events that are newer than the list appear only in the later responses.
      matched: [anEvent("evt_newer"), sent!],
      refused: [anEvent("evt_newest"), open!],
    });
    expect(kept).to.deep.equal([
      { event: other, why: "filters" },
      { event: open, why: "conditions" },
      { event: gone, why: "unknown" },
    ]);
  });

  it("are requested with negated conditions, which the platform accepts", () => {
    const conditions = { "props.state": "done", $or: [{ objectId: 4 }, { "props.a": null }] };
    const asked = invertedQuery({ filters: ["ticket.*"], conditions });
    expect(asked.filters).to.deep.equal(["ticket.*"]);
    const [holds, isRefused] = [conditions, asked.conditions].map((one) =>
      compileConditions(checkConditions(one)),
    );
    const payloads = [
      { objectId: 4, props: { state: "done" } },
      { objectId: 5, props: { state: "done", a: 1 } },
      { objectId: 4, props: { state: "open" } },
    ];
    expect(payloads.map((one) => holds!(one))).to.deep.equal([true, false, false]);
    expect(payloads.map((one) => isRefused!(one))).to.deep.equal([false, true, true]);
  });
});
