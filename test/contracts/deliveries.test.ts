import { expect } from "chai";
import {
  attemptResults,
  deliveryStates,
  deliveryTransitions,
  endedStates,
  failedStates,
  failureClasses,
  inFlightStates,
  initialDeliveryState,
  liveStates,
  nextDeliveryState,
  resultOf,
  scheduledStates,
  waitingState,
  type DeliveryAction,
  type DeliveryLifecycleState,
  type DeliveryState,
} from "../../src/contracts/deliveries.ts";

/** An independent copy of the transition table: from → action → to. */
const reference: Record<
  DeliveryLifecycleState,
  Partial<Record<DeliveryAction, DeliveryState | "pending|retry">>
> = {
  none: {
    create: "pending",
    createQueued: "queued",
    createPaused: "paused",
    createAvailable: "available",
    createRedacted: "cancelled",
  },
  pending: {
    enqueue: "queued",
    claimDue: "sending",
    pause: "paused",
    cancel: "cancelled",
    redact: "cancelled",
  },
  retry: {
    enqueue: "queued",
    claimDue: "sending",
    pause: "paused",
    cancel: "cancelled",
    redact: "cancelled",
  },
  queued: {
    claim: "sending",
    requeue: "pending|retry",
    succeed: "delivered",
    fail: "retry",
    giveUp: "dead",
    pause: "paused",
    cancel: "cancelled",
    redact: "cancelled",
  },
  sending: {
    expireLease: "pending|retry",
    succeed: "delivered",
    fail: "retry",
    giveUp: "dead",
    redact: "cancelled",
  },
  paused: { resume: "pending|retry", cancel: "cancelled", redact: "cancelled" },
  delivered: {},
  dead: {},
  cancelled: {},
  available: {},
};

const states: readonly DeliveryLifecycleState[] = ["none", ...deliveryStates];
const actions = Object.keys(deliveryTransitions) as DeliveryAction[];

describe("the states of a delivery", () => {
  for (const state of states) {
    for (const action of actions) {
      const to = reference[state][action];
      it(`${state}, ${action}: ${to ?? "refused"}`, () => {
        if (to === undefined) {
          expect(() => nextDeliveryState(state, action)).to.throw(`${state} does not allow`);
          return;
        }
        const [fresh, retried = fresh] = to.split("|");
        expect(nextDeliveryState(state, action, 0)).to.equal(fresh);
        expect(nextDeliveryState(state, action, 3)).to.equal(retried);
      });
    }
  }

  it("are live until they are final", () => {
    expect([...liveStates, ...endedStates]).to.have.members([...deliveryStates]);
    for (const state of deliveryStates) {
      expect(endedStates.includes(state)).to.equal(Object.keys(reference[state]).length === 0);
    }
  });

  it("include the in-flight, scheduled and failed states", () => {
    expect(liveStates).to.include.members([...inFlightStates, ...scheduledStates]);
    expect(endedStates).to.include.members([...failedStates]);
  });

  it("are all reachable", () => {
    const reached = Object.values(reference).flatMap((moves) =>
      Object.values(moves).flatMap((to) => to.split("|")),
    );
    expect(new Set(reached)).to.deep.equal(new Set<string>(deliveryStates));
  });

  it("start by subscription mode and by whether the event was redacted", () => {
    const input = { isRedacted: false, mode: "push", isActive: true } as const;
    expect(initialDeliveryState(input)).to.equal("pending");
    expect(initialDeliveryState({ ...input, isActive: false })).to.equal("paused");
    expect(initialDeliveryState({ ...input, mode: "pull", isActive: false })).to.equal("available");
    for (const mode of ["push", "pull"] as const) {
      expect(initialDeliveryState({ ...input, mode, isRedacted: true })).to.equal("cancelled");
    }
  });

  it("distinguish waiting by the number of finished attempts", () => {
    expect([0, 1, 9].map(waitingState)).to.deep.equal(["pending", "retry", "retry"]);
  });
});

describe("the result of an attempt", () => {
  it("is the class of the status, even if something else failed", () => {
    expect(resultOf(204, null)).to.equal("2xx");
    expect([101, 200, 307, 410, 503].map((status) => resultOf(status, "reset"))).to.deep.equal([
      "1xx",
      "2xx",
      "3xx",
      "4xx",
      "5xx",
    ]);
  });

  it("is the failure class if there was no status", () => {
    for (const failure of failureClasses) {
      expect(resultOf(null, failure)).to.equal(failure);
    }
    expect(resultOf(null, null)).to.equal("other");
  });

  it("is one of the values that the log can filter by, for any response", () => {
    for (const status of [0, 99, 600, 999]) {
      expect(attemptResults).to.include(resultOf(status, null));
    }
  });
});
