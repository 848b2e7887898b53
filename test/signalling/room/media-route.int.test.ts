import { randomUUID } from "node:crypto";
import { expect } from "chai";
import type { MediaRoute } from "../../../src/contracts/room-messages.ts";
import type { RoomBackend } from "../../../src/contracts/rooms.ts";
import type { Guest } from "../../../src/http/route.ts";
import { eventually } from "../../support/eventually.ts";
import { useFakeLivekit } from "../../support/fake-livekit.ts";
import { aTenantRoom, issueVisitorToken } from "../../support/tenant-rooms.ts";
import { useSignalling } from "../../support/signalling-fixture.ts";
import { hear, hearJoined, joinCall } from "../../support/signalling.ts";

type Route = Readonly<{ route: MediaRoute }>;

type Page = Awaited<ReturnType<typeof joinCall>>;

/** Decodes a LiveKit token without verifying the signature. */
function claimsOf(route: MediaRoute): { sub: string; video: { room: string } } {
  if (route.kind !== "livekit") {
    throw new Error("no LiveKit route");
  }
  return JSON.parse(atob(route.token.split(".")[1] ?? ""));
}

describe("the media route of a call on two processes", () => {
  const livekit = useFakeLivekit();
  const fixture = useSignalling({ nodes: 2, environment: livekit.environment });
  const { database } = fixture;

  const aMeeting = async (backend: RoomBackend = "auto") => {
    await database.db("services").update({ room_backend: backend });
    const { guest, token } = await aTenantRoom(database.db, fixture.tenant, "organizer");
    return { organizer: await joinCall(fixture.node, token), guest };
  };

  /** Joins a participant, alternating between the two processes. */
  const join = async (guest: Guest, index: number): Promise<Page> => {
    const token = await issueVisitorToken(guest, { role: "participant", name: guest.name });
    return joinCall(fixture.at(index % 2), token);
  };

  const joinMany = async (guest: Guest, count: number): Promise<Page[]> => {
    const pages: Page[] = [];
    for (let index = 1; index <= count; index += 1) {
      pages.push(await join(guest, index));
    }
    return pages;
  };

  const hearRoute = async (page: Page, kind: MediaRoute["kind"]): Promise<MediaRoute> =>
    (await hear<Route>(page, "route", ({ route }) => route.kind === kind)).route;

  it("changes with the fourth person, for all, each with their own token", async () => {
    const { organizer, guest } = await aMeeting();
    const others = await joinMany(guest, 2);
    for (const { joined } of [organizer, ...others]) {
      expect(joined.route).to.deep.equal({ kind: "mesh" });
    }
    const fourth = await join(guest, 3);
    const { sessionId, route } = fourth.joined;
    expect(route.url).to.equal("wss://livekit.example.com");
    expect(claimsOf(route)).to.deep.include({ sub: fourth.self.id });
    for (const page of [organizer, ...others]) {
      const { sub, video } = claimsOf(await hearRoute(page, "livekit"));
      expect([sub, video.room]).to.deep.equal([page.self.id, sessionId]);
    }
    const fifth = await join(guest, 4);
    expect(claimsOf(fifth.joined.route).video.room).to.equal(sessionId);
    await fifth.ask("leave");
    await fourth.ask("leave");
    const back = await join(guest, 5);
    expect(back.joined.route.kind, "it never changes back by itself").to.equal("livekit");
    expect(organizer.of("route").length).to.equal(1);
  });

  it("changes for two people after their connection failed, if the service allows it", async () => {
    const { organizer, guest } = await aMeeting();
    const [other] = await joinMany(guest, 1);
    const { route } = await organizer.ask("media-failed", { kind: "mesh" });
    expect(claimsOf(route).sub).to.equal(organizer.self.id);
    expect((await hearRoute(other as Page, "livekit")).kind).to.equal("livekit");
    const direct = await aMeeting("mesh");
    await join(direct.guest, 1);
    const kept = await direct.organizer.ask("media-failed", { kind: "mesh" });
    expect(kept).to.deep.equal({ ok: true, route: { kind: "mesh" } });
  });

  it("is LiveKit from the start, if the service requires it", async () => {
    const { organizer } = await aMeeting("livekit");
    expect(organizer.joined.route.kind).to.equal("livekit");
  });

  it("stays a mesh of six while LiveKit does not respond", async () => {
    livekit.setAway(true);
    const { guest } = await aMeeting();
    for (const { joined } of await joinMany(guest, 5)) {
      expect(joined.route).to.deep.equal({ kind: "mesh" });
    }
    expect((await join(guest, 6)).joined.error.reason).to.equal("full");
  });

  it("falls back to a mesh if LiveKit is lost, but not if a single page cannot reach it", async () => {
    const { organizer, guest } = await aMeeting("livekit");
    const [other] = (await joinMany(guest, 1)) as [Page];
    const { sessionId } = organizer.joined;
    livekit.rooms.set(sessionId, [other.self.id]);
    const kept = await organizer.ask("media-failed", { kind: "livekit" });
    expect(kept.route.kind).to.equal("livekit");
    livekit.setAway(true);
    const { route } = await organizer.ask("media-failed", { kind: "livekit" });
    expect(route).to.deep.equal({ kind: "mesh" });
    await hearRoute(other, "mesh");
    livekit.setAway(false);
    const [late] = await joinMany(guest, 1);
    expect(late?.joined.route, "for the rest of the session").to.deep.equal({ kind: "mesh" });
    await eventually(() => !livekit.rooms.has(sessionId));
  });

  it("removes pages that left, were removed or are unknown from LiveKit", async () => {
    const { organizer, guest } = await aMeeting("livekit");
    const [one, two] = (await joinMany(guest, 2)) as [Page, Page];
    const { sessionId } = organizer.joined;
    await hearJoined(organizer, one);
    await hearJoined(organizer, two);
    const ids = [organizer, one, two].map(({ self }) => self.id);
    livekit.rooms.set(sessionId, [...ids, randomUUID()]);
    livekit.rooms.set("of-another-application", ["somebody"]);
    await eventually(() => expect(livekit.rooms.get(sessionId)).to.deep.equal(ids));
    await organizer.ask("remove", { participant: one.self.participant });
    await two.ask("leave");
    await eventually(() => expect(livekit.rooms.get(sessionId)).to.deep.equal(ids.slice(0, 1)));
    await organizer.ask("end");
    await eventually(() => !livekit.rooms.has(sessionId));
    expect(livekit.rooms.get("of-another-application")).to.deep.equal(["somebody"]);
  });

  it("accepts failure reports for the current route, from pages in the call only", async () => {
    const { organizer } = await aMeeting();
    const wrong = await organizer.ask("media-failed", { kind: "carrier-pigeon" });
    expect(wrong.error.kind).to.equal("invalid_parameter");
    await organizer.ask("leave");
    const outside = await organizer.ask("media-failed", { kind: "mesh" });
    expect(outside.error.kind).to.equal("conflict");
  });
});
