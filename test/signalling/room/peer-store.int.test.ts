import { randomUUID } from "node:crypto";
import { expect } from "chai";
import { initialPeerState } from "../../../src/contracts/room-messages.ts";
import { keepPeersAlive, takeCall } from "../../../src/signalling/room/peer-store.ts";
import { useDatabase } from "../../support/database.ts";
import { aTicketRoom } from "../../support/tenant-rooms.ts";
import { aTenant } from "../../support/tenant.ts";

describe("the stored pages of a room", () => {
  const database = useDatabase();

  /** A page and its reports, `ms` after the start of the test. */
  const aPage = async () => {
    const { guest } = await aTicketRoom(database.db, await aTenant(database.db));
    const startMs = Date.now();
    return {
      page: {
        ...guest,
        ...{ id: randomUUID(), isInCall: false, state: initialPeerState },
        role: "requestor" as const,
      },
      at: (ms: number) => new Date(startMs + ms),
      read: () => database.db("room_peers").where({ conversation_id: guest.conversationId }),
    };
  };

  it("are stored once for two connections of a page, as the newer one reports", async () => {
    const { page, at, read } = await aPage();
    const back = { ...page, state: { ...page.state, quality: "poor" as const } };
    await keepPeersAlive(database.db, [page, back], at(0));
    expect((await read()).map(({ state }) => state)).to.deep.equal([back.state]);
    const report = [{ ...page, isInCall: true }, back];
    expect(await keepPeersAlive(database.db, report, at(10))).to.deep.equal([]);
  });

  it("keep their state if an outdated heartbeat arrives", async () => {
    const { page, at, read } = await aPage();
    const state = { ...page.state, isMicOn: !page.state.isMicOn };
    await keepPeersAlive(database.db, [{ ...page, state }], at(20));
    await keepPeersAlive(database.db, [page], at(10));
    expect((await read()).map((row) => row.state)).to.deep.equal([state]);
  });

  it("stay in the call if an outdated heartbeat arrives after the join", async () => {
    const { db } = database;
    const { page, at, read } = await aPage();
    const report = (isInCall: boolean, ms: number) =>
      keepPeersAlive(db, [{ ...page, isInCall }], at(ms));
    const isInCall = async (): Promise<boolean> => {
      const [row] = await read();
      return row.is_in_call;
    };
    await report(false, 0);
    await takeCall(db, page, { participant: page.participant, now: at(20) });
    expect(await report(false, 10)).to.deep.equal([]);
    expect(await isInCall(), "an old report").to.equal(true);
    await report(false, 30);
    expect(await isInCall(), "a report that it has left").to.equal(false);
    expect(await report(true, 40), "only a join brings it back").to.deep.equal([page.id]);
  });
});
