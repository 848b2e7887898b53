import { expect } from "chai";
import fc from "fast-check";
import type { TicketState } from "../../src/contracts/events.ts";
import { expiresAt, isOver, linkEndOf } from "../../src/tickets/model.ts";
import {
  type TicketAction,
  ticketActions,
  type TicketLifecycleState,
  transition,
} from "../../src/contracts/tickets.ts";

/** An independent copy of the transition table: from → action → to. */
const reference: Record<
  TicketLifecycleState,
  Partial<Record<TicketAction, TicketLifecycleState>>
> = {
  none: { create: "new", createInvited: "invited", request: "open" },
  new: {
    approve: "open",
    reject: "rejected",
    take: "opened",
    invite: "invited",
    start: "inprogress",
    expire: "expired",
    change: "new",
    transfer: "new",
    cancel: "closed",
    remove: "deleted",
  },
  open: {
    reject: "rejected",
    take: "opened",
    invite: "invited",
    start: "inprogress",
    expire: "expired",
    change: "updated",
    transfer: "open",
    cancel: "closed",
    remove: "deleted",
  },
  opened: {
    invite: "invited",
    start: "inprogress",
    expire: "expired",
    change: "updated",
    transfer: "opened",
    cancel: "closed",
    remove: "deleted",
  },
  updated: {
    take: "opened",
    invite: "invited",
    start: "inprogress",
    expire: "expired",
    change: "updated",
    transfer: "updated",
    cancel: "closed",
    remove: "deleted",
  },
  invited: {
    invite: "invited",
    start: "inprogress",
    decline: "declined",
    expire: "expired",
    change: "invited",
    transfer: "invited",
    cancel: "closed",
    remove: "deleted",
  },
  inprogress: {
    complete: "done",
    abandon: "invited",
    change: "inprogress",
    transfer: "inprogress",
    cancel: "closed",
  },
  done: {
    start: "inprogress",
    change: "updated",
    transfer: "done",
    close: "closed",
    remove: "deleted",
  },
  expired: { invite: "invited", transfer: "expired", close: "closed", remove: "deleted" },
  declined: { invite: "invited", transfer: "declined", close: "closed", remove: "deleted" },
  rejected: { close: "closed", remove: "deleted" },
  closed: { remove: "deleted" },
  deleted: {},
};

const places = Object.keys(reference) as TicketLifecycleState[];
const anAction = fc.constantFrom(...ticketActions);
const aPath = fc.array(anAction, { maxLength: 40 });

/** The final state after all of these actions, ignoring rejected ones. */
function follow(actions: readonly TicketAction[]): TicketLifecycleState[] {
  const path: TicketLifecycleState[] = ["none"];
  for (const action of actions) {
    const { isAllowed, to } = transition(path.at(-1) ?? "none", action);
    if (isAllowed) {
      path.push(to);
    }
  }
  return path;
}

describe("ticket state machine", () => {
  for (const from of places) {
    it(`allows from ${from} exactly what the reference lists`, () => {
      const found = Object.fromEntries(
        ticketActions
          .map((action) => [action, transition(from, action)] as const)
          .filter(([, { isAllowed }]) => isAllowed)
          .map(([action, { to }]) => [action, to]),
      );
      expect(found).to.deep.equal(reference[from]);
    });
  }

  it("never leaves the table under random actions", () => {
    fc.assert(
      fc.property(aPath, (actions) => {
        const path = follow(actions);
        path.slice(1).forEach((to, index) => {
          const from = path[index] ?? "none";
          expect(Object.values(reference[from])).to.include(to);
        });
      }),
      { numRuns: 2_000 },
    );
  });

  it("allows only deletion from closed, and nothing from deleted", () => {
    fc.assert(
      fc.property(aPath, (actions) => {
        const path = follow(actions);
        const closed = path.indexOf("closed");
        if (closed !== -1) {
          expect([[], ["deleted"]]).to.deep.include(path.slice(closed + 1));
        }
        const deleted = path.indexOf("deleted");
        if (deleted !== -1) {
          expect(path.slice(deleted + 1)).to.deep.equal([]);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("reaches every state", () => {
    const reached = new Set<TicketLifecycleState>(["none"]);
    // Iterating a Set includes items that are added during the iteration.
    for (const from of reached) {
      ticketActions
        .map((action) => transition(from, action))
        .filter(({ isAllowed }) => isAllowed)
        .forEach(({ to }) => reached.add(to));
    }
    expect([...reached].toSorted()).to.deep.equal([...places].toSorted());
  });

  const refusals: [TicketState, TicketAction, TicketLifecycleState][] = [
    ["done", "invite", "invited"],
    ["closed", "change", "updated"],
    ["invited", "approve", "open"],
    ["inprogress", "remove", "deleted"],
    ["closed", "transfer", "closed"],
  ];
  for (const [from, action, wanted] of refusals) {
    it(`rejects ${action} of a ticket that is ${from} and names the state ${wanted}`, () => {
      expect(transition(from, action)).to.deep.equal({ isAllowed: false, to: wanted });
    });
  }
});

describe("expiry of a ticket", () => {
  const day = 86_400_000;
  const changed = new Date("2026-11-20T10:00:00Z");
  const after = (ms: number): Date => new Date(changed.getTime() + ms);
  const ticket = (state: TicketState, more: { endTime?: Date; lastInvitedAt?: Date } = {}) => ({
    state,
    endTime: after(30 * 60_000),
    modifiedAt: changed,
    lastInvitedAt: null,
    closeReason: null,
    ...more,
  });

  const days: [TicketState, number | null][] = [
    ["new", 30],
    ["open", 30],
    ["opened", 30],
    ["updated", 30],
    ["rejected", 30],
    ["declined", 30],
    ["expired", 30],
    ["done", 7],
    ["inprogress", null],
    ["closed", null],
  ];
  for (const [state, expected] of days) {
    it(`is ${expected ?? "never"} days after the last change while it is ${state}`, () => {
      const input = ticket(state, { lastInvitedAt: after(day), endTime: after(90 * day) });
      expect(expiresAt(input)).to.deep.equal(expected === null ? null : after(expected * day));
    });
  }

  it("is a day after the last invitation, or the planned end if that is later", () => {
    const lastInvitedAt = after(1_000);
    expect(expiresAt(ticket("invited", { lastInvitedAt }))).to.deep.equal(after(day + 1_000));
    const endTime = after(2 * day);
    expect(expiresAt(ticket("invited", { lastInvitedAt, endTime }))).to.deep.equal(endTime);
    expect(expiresAt(ticket("invited"))).to.deep.equal(after(day));
  });

  it("says why customers cannot join any more", () => {
    const endOf = (state: TicketState, closeReason: "closed" | "cancelled" | null = null) =>
      linkEndOf({ ...ticket(state), closeReason }, after(day));
    expect(endOf("invited"), "before the timer runs").to.equal("expired");
    expect(endOf("expired")).to.equal("expired");
    expect(endOf("declined")).to.equal("declined");
    expect(endOf("rejected")).to.equal("cancelled");
    expect(endOf("closed", "cancelled")).to.equal("cancelled");
    expect(endOf("closed", "closed")).to.equal("closed");
    expect(endOf("done")).to.equal(undefined);
  });

  it("keeps an invitation open until it expires, and nothing that is over", () => {
    expect(isOver(ticket("invited"), after(day - 1))).to.equal(false);
    expect(isOver(ticket("invited"), after(day))).to.equal(true);
    for (const state of ["new", "open", "opened", "updated", "inprogress", "done"] as const) {
      expect(isOver(ticket(state), after(365 * day)), state).to.equal(false);
    }
    for (const state of ["expired", "declined", "rejected", "closed"] as const) {
      expect(isOver(ticket(state), after(0)), state).to.equal(true);
    }
  });
});
