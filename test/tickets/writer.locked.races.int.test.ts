import { expect } from "chai";
import { ticketStates, type TicketState } from "../../src/contracts/events.ts";
import { useActing } from "../support/acting.ts";
import { useDatabase } from "../support/database.ts";
import {
  createMovers,
  growOld,
  isRefused,
  nothing,
  reportedStates,
  type Expected,
  type Mover,
  type EarlierEffects,
} from "../support/ticket-moves.ts";

type Outcome = { refused: string[]; reported: string[] };

/** The expected result of one of the two orders. */
function inOrder(from: TicketState, [first, second]: readonly [Mover, Mover]): Outcome {
  const outcome: Outcome = { refused: [], reported: [] };
  let state: TicketState | "deleted" = from;
  let earlier: EarlierEffects = nothing;
  for (const mover of [first, second]) {
    // If the ticket is deleted, staff get an error, but rooms and timers do nothing.
    const isQuiet = ["meet", "part after talking", "part without", "write", "age", "decline"];
    const ofGone = isQuiet.includes(mover.name) ? "silent" : "refused";
    const expected: Expected = state === "deleted" ? ofGone : mover.expect(state, earlier);
    if (expected === "refused") {
      outcome.refused.push(mover.name);
    } else if (expected !== "silent") {
      outcome.reported.push(expected);
      state = expected;
      earlier = { isChanged: true, isInvited: earlier.isInvited || mover.name === "invite" };
    }
  }
  return { refused: outcome.refused.toSorted(), reported: outcome.reported };
}

describe("concurrent different actions on one ticket", () => {
  const database = useDatabase();
  const harness = useActing(database);
  let movers: Mover[] = [];
  before(async () => {
    movers = await createMovers(database.db, harness.api.features, harness.fixture);
  });

  const race = async (from: TicketState, pair: readonly [Mover, Mover]): Promise<void> => {
    const id = await harness.create();
    await growOld(database.db, harness.api.features, { id, state: from });
    const [first, second] = await Promise.all(pair.map((mover) => isRefused(mover, id)));
    const refused = pair.filter((_, index) => [first, second][index]).map(({ name }) => name);
    const found = {
      refused: refused.toSorted(),
      reported: (await reportedStates(database.db, id)).slice(1),
    };
    const [one, other] = pair;
    const orders = [inOrder(from, [one, other]), inOrder(from, [other, one])];
    const what = `${one.name} and ${other.name} of a ticket that is ${from}`;
    expect(orders, what).to.deep.include(found);
  };

  const pairsOf = (from: TicketState): (readonly [Mover, Mover])[] => {
    const able = movers.filter(
      (mover) => !["refused", "silent"].includes(mover.expect(from, nothing)),
    );
    return able.flatMap((one, index) => able.slice(index).map((other) => [one, other] as const));
  };

  for (const from of ticketStates) {
    it(`are serialized while it is ${from}: the answers are one legal path`, async () => {
      const pairs = pairsOf(from);
      expect(pairs.length).to.be.greaterThan(0);
      for (let index = 0; index < pairs.length; index += 4) {
        await Promise.all(pairs.slice(index, index + 4).map((pair) => race(from, pair)));
      }
    }).timeout(20_000);
  }
});
