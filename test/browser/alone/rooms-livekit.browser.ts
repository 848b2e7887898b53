import { expect } from "chai";
import type { Page } from "playwright-core";
import { useOwnPlatform } from "../../support/browser-platform.ts";
import { useBrowser } from "../../support/browser.ts";
import { eventually } from "../../support/eventually.ts";
import {
  aMeeting,
  seeConnections,
  seeEverybody,
  seenBy,
  seeNoPictures,
  seeSound,
  type Meeting,
} from "../../support/livekit-meeting.ts";
import { describeWithLivekit, useLivekitServer } from "../../support/livekit-server.ts";
import { blockMesh, see } from "../../support/rooms-core.ts";
import { promised } from "../../support/promised.ts";

/** Longest gap at 10 frames per second, on a machine that runs all pages and the server. */
const maxGapMs = 500;

describeWithLivekit("a meeting of four over LiveKit", function () {
  this.timeout(180_000);
  const livekit = useLivekitServer();
  const platform = useOwnPlatform(livekit.environment);
  const browser = useBrowser({ framesPerSecond: 10 });
  afterEach(async () => {
    await platform.db("services").update({ room_backend: "auto" });
  });

  const enterAll = async (meeting: Meeting, names: readonly string[]): Promise<Page[]> => {
    const pages: Page[] = [];
    for (const name of names) {
      pages.push(await meeting.enter(name));
    }
    return pages;
  };

  /** Collects the tokens of the page's further connections to LiveKit. */
  const watchAttempts = (page: Page): { tokens: ReadonlySet<string> } => {
    const tokens = new Set<string>();
    page.on("websocket", (socket) => {
      const token = new URL(socket.url()).searchParams.get("access_token");
      if (token !== null) {
        tokens.add(token);
      }
    });
    return { tokens };
  };

  /** Adds people to the running session, with heartbeats for the duration of the test. */
  const addSilentPeople = async (count: number): Promise<void> => {
    const [present] = await platform
      .db("participations")
      .whereNull("left_at")
      .orderBy("id", "desc")
      .limit(1);
    const people = Array.from({ length: count }, (_, index) => ({
      ...{ enterprise_id: present.enterprise_id, session_id: present.session_id, name: "Listener" },
      ...{ participant: `guest-${index}`, role: "participant", joined_at: present.joined_at },
      last_seen_at: new Date(Date.now() + 600_000),
    }));
    await platform.db("participations").insert(people);
  };

  it("carries switched-off devices, a pause and a screen, from the start", async () => {
    await platform.db("services").update({ room_backend: "livekit" });
    const meeting = await aMeeting(platform, browser);
    const [ann, ben] = (await enterAll(meeting, ["Ann", "Ben"])) as [Page, Page];
    await seeEverybody([ann, ben]);
    await eventually(async () => {
      const [session] = await platform.db("sessions").select("media_route", "established_at");
      expect(session?.media_route).to.equal("livekit");
      expect(session?.established_at).not.to.equal(null);
    });

    await ann.evaluate("room.setCamera(false)");
    await seeNoPictures(ben);
    await ann.evaluate("room.setCamera(true)");
    await seeEverybody([ann, ben]);

    await ann.evaluate("room.setPaused(true)");
    await seeNoPictures(ben);
    await seeSound(ben, false);
    await ann.evaluate("room.setPaused(false)");
    await seeEverybody([ann, ben]);
    await seeSound(ben, true);
    await ann.evaluate("room.setMic(false)");
    await seeSound(ben, false);
    await ann.evaluate("room.setMic(true)");
    await seeSound(ben, true);

    await ann.evaluate("room.shareScreen(true)");
    await see(ben, ({ peers }) => peers[0]?.hasScreen === true);
    await eventually(() => ben.evaluate("room.view().peers[0].screen.getTracks().length === 1"));
    await ann.evaluate("room.shareScreen(false)");
    await see(ben, ({ peers }) => peers[0]?.hasScreen === false);
  });

  it("waits for LiveKit in a call that is too large for a mesh", async () => {
    await platform.db("services").update({ room_backend: "livekit" });
    const meeting = await aMeeting(platform, browser);
    const pages = await enterAll(meeting, ["Ann", "Ben"]);
    await seeEverybody(pages);
    await addSilentPeople(6);
    const attempts = pages.map(watchAttempts);
    await livekit.kill();
    for (const page of pages) {
      await see(page, ({ peers }) => peers[0]?.media === "reconnecting");
    }
    // Waits until LiveKit's client has given up and the page has connected with a new token.
    for (const { tokens } of attempts) {
      await eventually(() => tokens.size > 1, { timeoutMs: 40_000 });
    }
    await livekit.restart();
    await seeEverybody(pages, 60_000);
    await seeConnections(pages, 1);
  });

  it("takes over early if a mesh has no media route", async () => {
    const meeting = await aMeeting(platform, browser);
    const pages = [await meeting.enter("Ann", blockMesh), await meeting.enter("Ben", blockMesh)];
    await seeEverybody(pages, 20_000);
    const routes = await platform.db("sessions").orderBy("started_at").pluck("media_route");
    expect(routes.at(-1)).to.equal("livekit");
  });

  it("takes over a running mesh call without a gap, and falls back when LiveKit fails", async () => {
    const meeting = await aMeeting(platform, browser);
    const first = await enterAll(meeting, ["Ann", "Ben", "Cem"]);
    await seeEverybody(first);
    await seeConnections(first, 2);
    await Promise.all(first.map((page) => page.evaluate("window.forgetGaps()")));
    const all = [...first, await meeting.enter("Dee")];
    await seeEverybody(all);
    await seeConnections(all, 1);
    await seeEverybody(all);
    for (const page of first) {
      const { Dee: _newcomer, ...seen } = await seenBy(page);
      for (const { gapMs } of Object.values(seen)) {
        expect(gapMs).to.be.below(promised(maxGapMs));
      }
    }

    await livekit.kill();
    await seeConnections(all, 3);
    await seeEverybody(all);
    await livekit.restart();
    const routes = await platform.db("sessions").orderBy("started_at").pluck("media_route");
    expect(routes.at(-1), "never to LiveKit again in this session").to.equal("fallback");
  });
});
