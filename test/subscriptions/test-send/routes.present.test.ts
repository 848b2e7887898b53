import { expect } from "chai";
import { presentTest } from "../../../src/subscriptions/test-send/routes.ts";
import type { SentTest, TestReport } from "../../../src/subscriptions/test-send/service.ts";

function aTest(result: Partial<Extract<SentTest["result"], { kind: "answered" }>>): TestReport {
  return {
    eventId: "evt_1",
    body: "{}",
    sent: {
      kind: "sent",
      url: "https://crm.test/hook/k3y?token=s3cret",
      headers: { "webhook-id": "evt_1", "X-Key": "••••" },
      result: {
        kind: "answered",
        status: 200,
        headers: {},
        body: "",
        durationMs: 5,
        phases: { total: 5 },
        ...result,
      },
    },
  };
}

describe("presentation of a test send", () => {
  it("shows only the origin of the URL", () => {
    expect(presentTest(aTest({})).sent.url).to.equal("https://crm.test/••••");
  });

  it("shows the first 2 KB of the answer, without a partial character", () => {
    const bodyOf = (body: string) => presentTest(aTest({ body })).result.body;
    expect(bodyOf("x".repeat(3_000))).to.equal("x".repeat(2_048));
    expect(bodyOf(`${"x".repeat(2_047)}é…`)).to.equal("x".repeat(2_047));
    expect(bodyOf("é".repeat(1_024))).to.equal("é".repeat(1_024));
  });

  it("masks cookies of the answer, and shows everything else", () => {
    const { result } = presentTest(
      aTest({ headers: { "set-cookie": "a=s3cret" }, note: "Sent twice" }),
    );
    expect(result).to.deep.include({
      headers: { "set-cookie": "••••" },
      error: null,
      error_detail: "Sent twice",
    });
  });
});
