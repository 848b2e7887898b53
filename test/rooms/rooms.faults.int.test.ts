import { expect } from "chai";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { useDatabase } from "../support/database.ts";
import { aGuest } from "../support/room-subjects.ts";
import { createRoomFeature, useRooms } from "../support/rooms.ts";

describe("a room with an interrupted change", () => {
  const database = useDatabase();
  const rooms = useRooms(database);

  /** All stored rows of a room. */
  const written = async (conversationId: number) => ({
    sessions: await rowsOf(
      database.db,
      "SELECT * FROM sessions WHERE conversation_id = ? ORDER BY id",
      [conversationId],
    ),
    participations: await rowsOf(
      database.db,
      `SELECT p.* FROM participations p JOIN sessions s ON s.id = p.session_id
       WHERE s.conversation_id = ? ORDER BY p.id`,
      [conversationId],
    ),
    events: await rowsOf(database.db, "SELECT body FROM events WHERE key = ?", [
      `conversation:${conversationId}`,
    ]),
  });

  /** Throws at the n-th call of a dependency outside of the rooms. */
  const createFault = () => {
    let left = Number.POSITIVE_INFINITY;
    return {
      after: (calls: number): void => {
        left = calls;
      },
      step: (): void => {
        left -= 1;
        if (left === 0) {
          throw new Error("cut off");
        }
      },
    };
  };

  const cases = ["join", "leave", "end"] as const;
  for (const action of cases) {
    it(`rolls a ${action} back, at any point of interruption, and completes it the next time`, async () => {
      const fault = createFault();
      const feature = createRoomFeature(database.db, {}, fault.step);
      const subject = await rooms.ticket();
      const agent = aGuest(subject, "agent");
      const customer = aGuest(subject, "requestor");
      const join = (guest: typeof agent) => feature.rooms.join({ guest, userAgent: null });
      if (action !== "join") {
        await join(agent);
      }
      const acts = {
        join: () => join(customer),
        leave: () => feature.rooms.leave(agent),
        end: () => feature.rooms.end(agent),
      };
      const before = await written(subject.conversationId);
      let failedCalls = 0;
      for (;;) {
        fault.after(failedCalls + 1);
        const failure = await acts[action]().then(
          () => undefined,
          (error: Error) => error.message,
        );
        if (failure === undefined) {
          break;
        }
        expect(failure).to.equal("cut off");
        expect(await written(subject.conversationId)).to.deep.equal(before);
        failedCalls += 1;
      }
      expect(failedCalls).to.be.greaterThan(1);
      expect(await written(subject.conversationId)).not.to.deep.equal(before);
    });
  }
});
