import { randomUUID } from "node:crypto";
import { expect } from "chai";
import { loadConfig } from "../../../../src/config/config.ts";
import { createSfu, type Sfu } from "../../../../src/signalling/room/sfu.ts";
import { describeWithLivekit, useLivekitServer } from "../../../support/livekit-server.ts";

describeWithLivekit("the API of a LiveKit server", () => {
  const livekit = useLivekitServer();
  let sfu: Sfu;
  before(() => {
    const config = loadConfig(livekit.environment).livekit;
    if (config === undefined) {
      throw new Error("LiveKit is not configured");
    }
    sfu = createSfu(config);
  });

  it("is idempotent for deleted rooms and participants", async () => {
    const sessionId = randomUUID();
    expect(await sfu.listRooms()).to.deep.equal([]);
    expect(await sfu.listParticipants(sessionId)).to.deep.equal([]);
    await sfu.remove(sessionId, randomUUID());
    await sfu.endRoom(sessionId);
  });

  it("reports a time-out", async () => {
    await livekit.kill();
    const refused = await sfu.listParticipants(randomUUID()).then(
      () => false,
      () => true,
    );
    expect(refused).to.equal(true);
    await livekit.restart();
    expect(await sfu.listRooms()).to.deep.equal([]);
  });
});
