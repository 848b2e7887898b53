/**
 * All actors that change the state of a ticket, with the expected results from the transition
 * table.
 */
import type { TicketState } from "../../src/contracts/events.ts";
import type { Scope } from "../../src/contracts/permissions.ts";
import { Problem } from "../../src/contracts/problems.ts";
import type { Db } from "../../src/platform/db/pool.ts";
import { inTransaction } from "../../src/platform/db/transaction.ts";
import { modifiedColumns } from "../../src/tickets/store.ts";
import { type TicketAction, transition } from "../../src/contracts/tickets.ts";
import { aTestUser, eventsAbout, type TicketFeatures, type TicketFixture } from "./tickets.ts";

/** The effect of an earlier action in the same race. */
export type EarlierEffects = Readonly<{ isChanged: boolean; isInvited: boolean }>;

export const nothing: EarlierEffects = { isChanged: false, isInvited: false };

/** `refused`: the caller gets a conflict. `silent`: the ticket's change sends no event. */
export type Expected = TicketState | "deleted" | "refused" | "silent";

export type Mover = Readonly<{
  name: string;
  expect(state: TicketState, earlier: EarlierEffects): Expected;
  run(ticketId: number): Promise<unknown>;
}>;

function moved(state: TicketState, action: TicketAction, otherwise: Expected): Expected {
  const { isAllowed, to } = transition(state, action);
  return isAllowed ? (to as TicketState | "deleted") : otherwise;
}

const day = 86_400_000;
const signal = new AbortController().signal;

async function staffMovers(
  db: Db,
  features: TicketFeatures,
  fixture: TicketFixture,
): Promise<Mover[]> {
  const { enterpriseId, admin } = fixture;
  const { tickets } = features;
  const scope: Scope = { enterpriseId, userId: admin.id, groupIds: [], reach: "all" };
  // Enough agents that no concurrent transfer selects the current agent.
  const agents = await Promise.all(
    Array.from({ length: 10 }, () => aTestUser(db, enterpriseId, "agent")),
  );
  let turn = 0;
  const nextAgent = (): string => agents[(turn += 1) % agents.length]?.login ?? "";
  let changes = 0;
  const decisions = ["approve", "reject", "complete", "cancel", "close"] as const;
  return [
    ...decisions.map((decision) => ({
      name: decision,
      expect: (state: TicketState) => moved(state, decision, "refused"),
      run: (id: number) => tickets.decide(scope, id, decision),
    })),
    {
      name: "take",
      expect: (state) => moved(state, "take", "refused"),
      run: (id) => tickets.take(scope, id),
    },
    {
      name: "transfer",
      expect: (state) => moved(state, "transfer", "refused"),
      run: (id) => tickets.transfer(scope, id, nextAgent()),
    },
    {
      name: "change",
      expect: (state) => moved(state, "change", "refused"),
      run: (id) => tickets.change(scope, id, { subject: `Subject ${(changes += 1)}` }),
    },
    {
      name: "invite",
      // A second invitation within a minute is refused.
      expect: (state, { isInvited }) => (isInvited ? "refused" : moved(state, "invite", "refused")),
      run: (id) => tickets.invite(scope, id, {}),
    },
    {
      name: "remove",
      expect: (state) => moved(state, "remove", "refused"),
      run: (id) => tickets.remove(scope, id),
    },
  ];
}

function otherMovers(db: Db, features: TicketFeatures, { enterpriseId }: TicketFixture): Mover[] {
  const { clock, ofGuests, room, timers } = features;
  const refOf = (id: number) => ({ kind: "ticket", enterpriseId, id }) as const;
  const sessionOver = (wasEstablished: boolean) => (id: number) =>
    inTransaction(db, (trx) =>
      room.sessionEnded(trx, refOf(id), { cause: "empty", wasEstablished, at: clock.now() }),
    );
  return [
    {
      name: "meet",
      expect: (state) => moved(state, "start", "silent"),
      run: (id) => inTransaction(db, (trx) => room.bothPresent(trx, refOf(id), clock.now())),
    },
    {
      name: "part after talking",
      expect: (state) => moved(state, "complete", "silent"),
      run: sessionOver(true),
    },
    {
      name: "part without",
      expect: (state) => moved(state, "abandon", "silent"),
      run: sessionOver(false),
    },
    {
      name: "decline",
      expect: (state) => moved(state, "decline", "refused"),
      run: (id) =>
        inTransaction(db, async (trx) => {
          const ticket = await ofGuests.lock(trx, { enterpriseId, ticketId: id });
          return ticket && ofGuests.decline(trx, ticket, clock.now());
        }),
    },
    {
      name: "write",
      expect: (state) => {
        const to = moved(state, "change", "silent");
        return to === state ? "silent" : to;
      },
      run: (id) =>
        inTransaction(db, (trx) =>
          ofGuests.recordCustomerInput(trx, { enterpriseId, ticketId: id }, clock.now(), []),
        ),
    },
    {
      name: "age",
      expect: (state, { isChanged, isInvited }) => {
        // The age of an invitation does not depend on other changes of the ticket.
        const isFresh = state === "invited" ? isInvited : isChanged;
        return isFresh ? "silent" : moved(state, "expire", moved(state, "close", "silent"));
      },
      run: async (id) => {
        const task = { id: 1, kind: "ticket.age", key: `ticket:${id}`, enterpriseId } as const;
        await timers["ticket.age"]?.({ ...task, data: {}, attempt: 1, generation: 1 }, signal);
      },
    },
  ];
}

export async function createMovers(
  db: Db,
  features: TicketFeatures,
  fixture: TicketFixture,
): Promise<Mover[]> {
  return [...(await staffMovers(db, features, fixture)), ...otherMovers(db, features, fixture)];
}

/** Puts a ticket into a state, as if it had been in it for a long time. */
export async function growOld(
  db: Db,
  { clock }: TicketFeatures,
  { id, state }: { id: number; state?: TicketState },
): Promise<void> {
  const longAgo = new Date(clock.now().getTime() - 60 * day);
  await db("tickets")
    .where({ id })
    .update({
      ...modifiedColumns(longAgo),
      last_invited_at: longAgo,
      start_time: longAgo,
      end_time: longAgo,
      ...(state === undefined ? {} : { state }),
    });
}

/**
 * Runs the action. Returns whether it was refused with a conflict, or with "not found" after a
 * concurrent deletion.
 */
export async function isRefused(mover: Mover, id: number): Promise<boolean> {
  try {
    await mover.run(id);
    return false;
  } catch (thrown) {
    if (thrown instanceof Problem && ["conflict", "not_found"].includes(thrown.kind)) {
      return true;
    }
    throw thrown;
  }
}

/** The states in the ticket's events, in order; `deleted` at the end. */
export async function reportedStates(db: Db, id: number): Promise<string[]> {
  return (await eventsAbout(db, id))
    .filter(({ object }) => object === "ticket")
    .map(({ event, props }) => (event === "delete" ? "deleted" : String(props["state"])));
}
