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
    const heartbeats = createHeartbeats({ db, clock });
    const sweep = { name: "sweep", everyMs: 1_000, tookMs: 3.4 };
    await heartbeats.write();
    expect(await readHeartbeats(db)).to.deep.equal([]);
    heartbeats.record({ ...sweep, reason: "first" });
    heartbeats.record({ name: "due", everyMs: 250, tookMs: 1, reason: null });
    await heartbeats.write();
    clock.advance(60_000);
    heartbeats.record({ ...sweep, reason: "second" });
    await heartbeats.write();
    const [due, failing] = await readHeartbeats(db);
    expect(due).to.deep.include({ name: "due", ranAt: start, failingSince: null, reason: null });
    expect(failing).to.deep.equal({
      ...{ name: "sweep", everyMs: 1_000, tookMs: 3, reason: "second" },
      ...{ ranAt: clock.now(), failingSince: start },
    });
    heartbeats.record({ ...sweep, reason: null });
    await heartbeats.write();
    expect((await readHeartbeats(db))[1]).to.deep.include({ failingSince: null, reason: null });
  });

  it("are deleted an hour after the last run of a pass that no version has any more", async () => {
    const { db } = database;
    const ofOlder = createHeartbeats({ db, clock });
    const heartbeats = createHeartbeats({ db, clock });
    const run = { everyMs: 1_000, tookMs: 1, reason: null };
    const namesAfterRun = async (): Promise<string[]> => {
      heartbeats.record({ ...run, name: "due" });
      await heartbeats.write();
      return (await readHeartbeats(db)).map(({ name }) => name);
    };
    heartbeats.register("due");
    heartbeats.register("hanging"); // since the process started
    ofOlder.record({ ...run, name: "hanging" });
    ofOlder.record({ ...run, name: "observe" });
    await ofOlder.write();
    clock.advance(3_600_000);
    expect(await namesAfterRun()).to.include.members(["hanging", "observe"]);
    clock.advance(1);
    expect(await namesAfterRun())
      .to.include("hanging")
      .and.not.include("observe");
  });
});
