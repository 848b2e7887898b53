import { expect } from "chai";
import fc from "fast-check";
import type { TicketState } from "../../src/contracts/events.ts";
import { useActing } from "../support/acting.ts";
import { useDatabase } from "../support/database.ts";
import {
  createMovers,
  growOld,
  isRefused,
  nothing,
  reportedStates,
  type Mover,
} from "../support/ticket-moves.ts";

const hours = 3_600_000;

describe("a ticket under random actions", () => {
  const database = useDatabase();
  const harness = useActing(database);
  let movers: Mover[] = [];
  before(async () => {
    movers = await createMovers(database.db, harness.api.features, harness.fixture);
  });

  /** Runs the actions in order. Returns the expected states, and the rejected actions. */
  const live = async (id: number, names: readonly number[]) => {
    const { features } = harness.api;
    let state: TicketState | "deleted" = "new";
    const path: string[] = ["new"];
    for (const index of names) {
      const mover = movers[index % movers.length];
      if (mover === undefined || state === "deleted") {
        break;
      }
      features.clock.advance(6 * hours);
      if (mover.name === "age") {
        await growOld(database.db, features, { id });
      }
      const expected = mover.expect(state, nothing);
      const wasRefused = await isRefused(mover, id);
      expect(wasRefused, `${mover.name} of a ticket that is ${state}`).to.equal(
        expected === "refused",
      );
      if (expected !== "refused" && expected !== "silent") {
        state = expected;
        path.push(expected);
      }
    }
    return path;
  };

  it("follows the transition table, and emits every transition once", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat({ max: 1_000 }), { minLength: 5, maxLength: 25 }),
        async (names) => {
          const id = await harness.create();
          const path = await live(id, names);
          expect(await reportedStates(database.db, id)).to.deep.equal(path);
          const { status, body } = await harness.read(id);
          expect(status === 404 ? "deleted" : body.state).to.equal(path.at(-1));
        },
      ),
      { numRuns: 25 },
    );
  }).timeout(30_000);
});
