import { randomUUID } from "node:crypto";
import { expect } from "chai";
import { initialPeerState } from "../../../src/contracts/room-messages.ts";
import { keepPeersAlive, takeCall } from "../../../src/signalling/room/peer-store.ts";
import { useDatabase } from "../../support/database.ts";
import { aTicketRoom } from "../../support/tenant-rooms.ts";
import { aTenant } from "../../support/tenant.ts";

describe("the stored pages of a room", () => {
  const database = useDatabase();

  it("stay in the call if an outdated heartbeat arrives after the join", async () => {
    const { db } = database;
    const { guest } = await aTicketRoom(db, await aTenant(db));
    const page = {
      ...guest,
      id: randomUUID(),
      role: "requestor",
      state: initialPeerState,
    } as const;
    const startMs = Date.now();
    const at = (ms: number) => new Date(startMs + ms);
    const report = (isInCall: boolean, ms: number) =>
      keepPeersAlive(db, [{ ...page, isInCall }], at(ms));
    const isInCall = async (): Promise<boolean> => {
      const [row] = await db("room_peers").where({ id: page.id }).select("is_in_call");
      return row.is_in_call;
    };
    await report(false, 0);
    await takeCall(db, page, { participant: guest.participant, now: at(20) });
    expect(await report(false, 10)).to.deep.equal([]);
    expect(await isInCall(), "an old report").to.equal(true);
    await report(false, 30);
    expect(await isInCall(), "a report that it has left").to.equal(false);
    expect(await report(true, 40), "only a join brings it back").to.deep.equal([page.id]);
  });
});
