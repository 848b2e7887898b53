import { expect } from "chai";
import { composeFeatures } from "../../src/compose/features.ts";
import { createRoomTokens } from "../../src/http/room-tokens.ts";
import { hourMs } from "../../src/platform/clock.ts";
import { testGuest } from "../support/api.ts";
import { createTestClock } from "../support/clock.ts";
import { useDatabase } from "../support/database.ts";
import { testKey } from "../support/secret-box.ts";
import { startWebProcess, type WebProcess } from "../support/web-process.ts";

describe("the services of a process", () => {
  const database = useDatabase();
  let web: WebProcess;
  beforeEach("start it", async () => {
    web = await startWebProcess(database.url);
  });
  afterEach("stop it", () => web.stop());

  it("date room tokens by the database's clock, not by the host's", async () => {
    const ahead = createTestClock(new Date(Date.now() + 24 * hourMs));
    const clock = { ...ahead, resync: async () => undefined };
    const { roomTokens } = composeFeatures({ ...web.platform, clock });
    const guest = testGuest();
    const token = await roomTokens.issue(guest, new Date(clock.now().getTime() + hourMs));
    const there = createRoomTokens(testKey, () => clock.now().getTime());
    expect(await there.verify(token)).to.deep.equal(guest);
    expect(await createRoomTokens(testKey).verify(token)).to.equal(undefined);
    expect(await roomTokens.verify(token)).to.deep.equal(guest);
  });
});
