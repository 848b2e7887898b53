import { randomUUID } from "node:crypto";
import { expect } from "chai";
import { createSfuRooms } from "../../../src/signalling/room/sfu-rooms.ts";
import type { Sfu } from "../../../src/signalling/room/sfu.ts";
import { useDatabase } from "../../support/database.ts";
import { aTicketRoom } from "../../support/tenant-rooms.ts";
import { aTenant } from "../../support/tenant.ts";

describe("the sweep of the LiveKit server", () => {
  const database = useDatabase();

  const anEndedSession = async (): Promise<string> => {
    const { guest } = await aTicketRoom(database.db, await aTenant(database.db));
    const [id, now] = [randomUUID(), new Date()];
    await database.db("sessions").insert({
      ...{ id, enterprise_id: guest.enterpriseId, conversation_id: guest.conversationId },
      ...{ started_at: now, ended_at: now, end_reason: "ended", finished_at: now },
      billing_seconds: 0,
    });
    return id;
  };

  it("continues with the other rooms after one that fails", async () => {
    const ids = [await anEndedSession(), await anEndedSession(), await anEndedSession()];
    const ended: string[] = [];
    const reasons: unknown[] = [];
    const sfu: Pick<Sfu, "listRooms" | "endRoom"> = {
      listRooms: async () => ids,
      endRoom: async (id) => {
        ended.push(id);
        if (ended.length === 1) {
          throw new Error("this node is down");
        }
      },
    };
    const rooms = createSfuRooms({
      db: database.db,
      clock: { now: () => new Date() },
      log: { warn: (fields: unknown) => void reasons.push(fields) },
      sfu: sfu as Sfu,
      goneMs: 20_000,
    });
    await rooms.sweep();
    expect(ended).to.have.members(ids);
    expect(reasons).to.deep.equal([{ reason: "this node is down" }]);
  });
});
