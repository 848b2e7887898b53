import { expect } from "chai";
import { createHeartbeats, readHeartbeats } from "../../../src/pipeline/schedule/schedule.ts";
import { createTestClock } from "../../support/clock.ts";
import { useDatabase } from "../../support/database.ts";

describe("the heartbeats of passes", () => {
  const database = useDatabase();
  const start = new Date("2026-11-20T10:00:00Z");
  const clock = createTestClock(start);

  it("store when each ran last, how long it took, and since when it fails", async () => {
    const { db } = database;
    const notes = createHeartbeats({ db, clock });
    const sweep = { name: "sweep", everyMs: 1_000, tookMs: 3.4 };
    await notes.write();
    expect(await readHeartbeats(db)).to.deep.equal([]);
    notes.record({ ...sweep, reason: "first" });
    notes.record({ name: "due", everyMs: 250, tookMs: 1, reason: null });
    await notes.write();
    clock.advance(60_000);
    notes.record({ ...sweep, reason: "second" });
    await notes.write();
    const [due, failing] = await readHeartbeats(db);
    expect(due).to.deep.include({ name: "due", ranAt: start, failingSince: null, reason: null });
    expect(failing).to.deep.equal({
      ...{ name: "sweep", everyMs: 1_000, tookMs: 3, reason: "second" },
      ...{ ranAt: clock.now(), failingSince: start },
    });
    notes.record({ ...sweep, reason: null });
    await notes.write();
    expect((await readHeartbeats(db))[1]).to.deep.include({ failingSince: null, reason: null });
  });
});
