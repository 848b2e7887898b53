import { expect } from "chai";
import { createHandler, type HandlerDeps } from "../../../src/pipeline/delivery/handle.ts";
import type { SendRequest, SendResult } from "../../../src/pipeline/delivery/send-result.ts";
import type { ClaimedDelivery } from "../../../src/pipeline/ledger/claim.ts";
import type { Settlement } from "../../../src/pipeline/ledger/record-results.ts";
import { createTestClock } from "../../support/clock.ts";

const job = { deliveryId: 5, generation: 2 };

const claimed: ClaimedDelivery = {
  ...job,
  subscriptionId: 9,
  revision: 1,
  sequence: 41,
  attempt: 1,
  object: "ticket",
  eventId: "evt_1",
  body: '{"event":"create"}',
  occurredAt: new Date("2026-11-20T10:00:00Z"),
  isReplay: false,
};

function answered(status: number): Extract<SendResult, { kind: "answered" }> {
  return {
    kind: "answered",
    status,
    headers: {},
    body: "",
    durationMs: 12,
    phases: { total: 12 },
  };
}

const endpoint = {
  revision: 1,
  url: "https://receiver.example/hook",
  headers: [{ name: "X-Key", value: "s3cret" }],
  secrets: [
    { secret: `whsec_${Buffer.alloc(32, 1).toString("base64")}`, until: null },
    { secret: `whsec_${Buffer.alloc(32, 2).toString("base64")}`, until: "2026-11-20T11:00:00Z" },
    { secret: `whsec_${Buffer.alloc(32, 3).toString("base64")}`, until: "2026-11-20T09:00:00Z" },
  ],
  retrySchedule: null,
  authOptions: null,
};

describe("handling a job", () => {
  const setUp = (more: Partial<HandlerDeps> = {}, result: SendResult = answered(200)) => {
    const sent: SendRequest[] = [];
    const settled: Settlement[] = [];
    const switchedOff: number[] = [];
    const deps: HandlerDeps = {
      claim: async () => claimed,
      claimIfSlow: (_, attempt) => attempt(),
      findEndpoint: async () => ({ kind: "endpoint", endpoint }),
      send: async (_, request) => {
        sent.push(request);
        return result;
      },
      settle: async (settlement) => {
        settled.push(settlement);
        return true;
      },
      switchOff: async (id) => void switchedOff.push(id),
      onFirstAttempt: () => undefined,
      onAttempt: () => undefined,
      clock: createTestClock(new Date("2026-11-20T10:00:01Z")),
      random: () => 0.5,
      faultPoint: () => undefined,
      ...more,
    };
    return { ...createHandler(deps), sent, settled, switchedOff };
  };

  it("keeps a delivery until its result is stored", async () => {
    const order: string[] = [];
    const { handle } = setUp({
      claimIfSlow: async (held, attempt) => {
        await attempt();
        order.push(`let go of ${held.deliveryId}`);
      },
      settle: async () => order.push("settled") > 0,
    });
    await handle(job);
    expect(order).to.deep.equal(["settled", "let go of 5"]);
  });

  it("sends nothing without a claim", async () => {
    const { handle, sent, settled } = setUp({ claim: async () => undefined });
    await handle(job);
    expect([sent, settled]).to.deep.equal([[], []]);
  });

  it("settles the result, with secret values masked in the record", async () => {
    const { handle, sent, settled } = setUp();
    await handle(job);
    expect(sent[0]?.headers["X-Key"]).to.equal("s3cret");
    expect(settled[0]).to.include({ deliveryId: 5, generation: 2, state: "delivered" });
    expect(JSON.stringify(settled)).to.not.include("s3cret");
  });

  it("records the revision that was used, which may be newer than the claim", async () => {
    const newer = { ...endpoint, revision: 9 };
    const { handle, settled } = setUp({
      findEndpoint: async () => ({ kind: "endpoint", endpoint: newer }) as const,
    });
    await handle(job);
    expect(settled[0]?.record.revision).to.equal(9);
  });

  it("signs with all valid secrets, and no others", async () => {
    const { handle, sent } = setUp();
    await handle(job);
    expect(sent[0]?.headers["webhook-signature"]?.split(" ")).to.have.length(2);
  });

  it("treats a receiver's failure as a result, and plans the next attempt", async () => {
    const { handle, settled } = setUp({}, answered(500));
    await handle(job);
    expect(settled[0]?.state).to.equal("retry");
    expect(settled[0]?.dueAt).to.deep.equal(new Date("2026-11-20T10:00:06Z"));
  });

  it("follows the subscription's own schedule", async () => {
    const own = { ...endpoint, retrySchedule: [60] };
    const findTarget = async () => ({ kind: "endpoint", endpoint: own }) as const;
    const first = setUp({ findEndpoint: findTarget }, answered(500));
    await first.handle(job);
    expect(first.settled[0]?.dueAt).to.deep.equal(new Date("2026-11-20T10:01:01Z"));
    const claim = async () => ({ ...claimed, attempt: 2 });
    const last = setUp({ findEndpoint: findTarget, claim }, answered(500));
    await last.handle(job);
    expect(last.settled[0]).to.include({ state: "dead", dueAt: null });
  });

  it("marks a replayed delivery for the receiver", async () => {
    const { handle, sent } = setUp({ claim: async () => ({ ...claimed, isReplay: true }) });
    await handle(job);
    expect(sent[0]?.headers).to.include({ "webhook-replay": "true", "webhook-id": "evt_1" });
    const plain = setUp();
    await plain.handle(job);
    expect(plain.sent[0]?.headers).to.not.have.property("webhook-replay");
  });

  it("records a note about the attempt", async () => {
    const { handle, settled } = setUp({}, { ...answered(200), note: "Sent twice" });
    await handle(job);
    expect(settled[0]?.record).to.include({
      status: 200,
      failure: null,
      failureDetail: "Sent twice",
    });
  });

  it("switches the subscription off at a 410, and keeps the delivery", async () => {
    const { handle, settled, switchedOff } = setUp({}, answered(410));
    await handle(job);
    expect(settled[0]?.state).to.equal("retry");
    expect(switchedOff).to.deep.equal([9]);
  });

  it("ignores a 410 if the claim was lost", async () => {
    const { handle, switchedOff } = setUp({ settle: async () => false }, answered(410));
    await handle(job);
    expect(switchedOff).to.deep.equal([]);
  });

  it("records why nothing was sent if the secrets cannot be decrypted", async () => {
    const { handle, sent, settled } = setUp({
      findEndpoint: async () => ({ kind: "unusable", reason: "its secrets do not open" }),
    });
    await handle(job);
    expect(sent).to.deep.equal([]);
    expect(settled[0]?.record.failureDetail).to.include("its secrets do not open");
    expect(settled[0]?.record.revision).to.equal(null);
    expect(settled[0]?.state).to.equal("retry");
  });

  it("throws a fault of our own, so that the queue repeats the job", async () => {
    const { handle } = setUp({
      settle: async () => {
        throw new Error("database away");
      },
    });
    const thrown = await handle(job).catch((error: Error) => error.message);
    expect(thrown).to.equal("database away");
  });
});
