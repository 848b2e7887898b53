import { expect } from "chai";
import type { Page } from "playwright-core";
import { useOwnPlatform } from "../../support/browser-platform.ts";
import { useBrowser } from "../../support/browser.ts";
import { aMeeting, seeConnections, seeEverybody } from "../../support/livekit-meeting.ts";
import { describeWithLivekit, useLivekitServer } from "../../support/livekit-server.ts";

const names = ["Ann", "Ben", "Cem", "Dee", "Eva", "Fay"];

describeWithLivekit("a meeting of six over LiveKit", function () {
  this.timeout(300_000);
  const livekit = useLivekitServer();
  const platform = useOwnPlatform(livekit.environment);
  const browser = useBrowser();

  it("shows every participant to all others, and falls back to a mesh of six when LiveKit fails", async () => {
    const meeting = await aMeeting(platform, browser);
    const pages: Page[] = [];
    for (const name of names) {
      pages.push(await meeting.enter(name));
    }
    await seeEverybody(pages, 60_000);
    await seeConnections(pages, 1);
    await pages[5]?.evaluate("room.leave()");
    await seeEverybody(pages.slice(0, 5), 60_000);
    await pages[5]?.evaluate("room.openDevices({ camera: true, microphone: true })");
    await pages[5]?.evaluate("room.join()");
    await seeEverybody(pages, 60_000);

    await livekit.kill();
    await seeConnections(pages, 5);
    await seeEverybody(pages, 60_000);
    const routes = await platform.db("sessions").pluck("media_route");
    expect(routes).to.deep.equal(["fallback"]);
  });
});
