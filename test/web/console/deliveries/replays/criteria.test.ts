import { expect } from "chai";
import {
  previewKeyOf,
  durationOf,
  firstFields,
  missingFieldOf,
  toReplayBody,
  toReplaySearch,
} from "../../../../../web/console/deliveries/replays/criteria.ts";

describe("a replay of the filtered log", () => {
  it("adopts the filters that a replay supports, and names the others", () => {
    expect(
      toReplaySearch({
        ...{ webhook: "2", status: "dead,retry", result: "5xx", object: "ticket" },
        ...{ since: "2026-11-22T00:00:00Z", objectId: "4711", text: "boiler" },
      }),
    ).to.deep.equal({
      ...{ make: "1", webhook: "2", status: "dead", result: "5xx", object: "ticket" },
      ...{ since: "2026-11-22T00:00:00Z", left: "status,about,text" },
    });
    expect(toReplaySearch({ webhook: "1,2" })).to.deep.equal({ make: "1", left: "webhook" });
  });

  it("selects failed deliveries by default, and ignores the open delivery", () => {
    const fields = firstFields({ webhook: "2", status: "nothing" });
    expect(toReplayBody({ ...fields, eventType: "ticket.new", rate: 5 })).to.deep.equal({
      ...{ status: ["dead"], eventType: "ticket.new", rate: 5 },
    });
  });

  it("cannot be counted or sent without a webhook or a status", () => {
    const fields = firstFields({ webhook: "2", status: "delivered" });
    expect(missingFieldOf(fields)).to.equal(undefined);
    expect(missingFieldOf({ ...fields, status: [] })).to.equal("status");
    expect(missingFieldOf({ ...fields, webhook: "", status: [] })).to.equal("webhook");
  });

  it("is counted again after each change of its criteria, but not of its rate", () => {
    const fields = firstFields({ webhook: "2" });
    expect(previewKeyOf({ ...fields, rate: 3 })).to.equal(previewKeyOf(fields));
    const others = [
      ...[{ webhook: "3" }, { status: ["delivered"] as const }, { object: "ticket" }],
      ...[{ eventType: "ticket.new" }, { result: "5xx" }],
      ...[{ since: "2026-11-22T00:00:00Z" }, { until: "2026-11-22T00:00:00Z" }],
    ].map((change) => previewKeyOf({ ...fields, ...change }));
    expect(new Set([previewKeyOf(fields), ...others]).size).to.equal(8);
  });

  it("has a rate of at least one per second", () => {
    expect([durationOf(37, 50), durationOf(120, 50), durationOf(0, 1)]).to.deep.equal([
      1_000, 3_000, 1_000,
    ]);
  });
});
