import { expect } from "chai";
import type { Page } from "playwright-core";
import { agent, useBrowserPlatform } from "../support/browser-platform.ts";
import { useBrowser } from "../support/browser.ts";
import { meetingToken } from "../support/call-customer.ts";
import type { RestClient } from "../support/rest-client.ts";
import { type CoreOptions, openCore, see, seeFrames, viewOf } from "../support/rooms-core.ts";
import { useNetwork } from "../support/network.ts";

describe("the core of a meeting", function () {
  this.timeout(90_000);
  const platform = useBrowserPlatform();
  const browser = useBrowser();
  const network = useNetwork();

  let rest: RestClient;
  before(async () => {
    rest = await platform.rest(agent);
  });

  const aMeeting = async (moderation: boolean) => {
    const body = { name: "Review", participants: "jane@example.com", moderation };
    const meeting = (await rest.succeed("POST /conferences", { body })).body;
    const answer = await rest.succeed(`POST /conferences/${String(meeting["id"])}/room-token`);
    const guestToken = (name: string) => meetingToken(platform.url, String(meeting["url"]), name);
    return { host: String(answer.body["room_token"]), guestToken };
  };

  const open = (token: string, context: CoreOptions["context"] = {}): Promise<Page> =>
    openCore(browser, { url: platform.url, token, facing: "user", context });
  const enter = async (token: string): Promise<Page> => {
    const page = await open(token);
    await page.evaluate("room.join()");
    return page;
  };

  it("admits a waiting guest, and connects all participants", async () => {
    const { host, guestToken } = await aMeeting(true);
    const organizer = await enter(host);
    const jane = await open(await guestToken("Jane"));
    await see(jane, ({ phase, admission }) => phase === "waiting" && admission === "waiting");
    const { waiting } = await see(organizer, (view) => view.waiting.length === 1);
    expect(waiting[0]?.name).to.equal("Jane");
    expect((await viewOf(jane)).peers).to.deep.equal([]);

    await organizer.evaluate(`room.admit("all")`);
    await see(jane, ({ phase, peers }) => phase === "in-call" && peers[0]?.media === "connected");
    const joe = await open(await guestToken("Joe"));
    await see(organizer, (view) => view.waiting.length === 1);
    await organizer.evaluate(`room.admit("all")`);
    for (const page of [organizer, jane, joe]) {
      await see(
        page,
        ({ peers }) => peers.length === 2 && peers.every(({ media }) => media === "connected"),
      );
      await seeFrames(page, 5);
    }
  });

  it("tells a waiting guest about a lost connection, and not about being admitted", async () => {
    const { host, guestToken } = await aMeeting(true);
    const organizer = await enter(host);
    const jane = await open(await guestToken("Jane"), { proxy: network.proxy });
    await see(jane, ({ admission }) => admission === "waiting");
    network.takeAway();
    await see(jane, ({ connection }) => connection === "reconnecting");
    network.bringBack();
    await see(jane, ({ connection }) => connection === "connected");
    await jane.evaluate(`{
      window.connectionStates = new Set();
      room.subscribe(() => connectionStates.add(room.view().connection));
    }`);
    await see(organizer, (view) => view.waiting.length === 1);
    await organizer.evaluate(`room.admit("all")`);
    await see(jane, ({ phase }) => phase === "in-call");
    expect(await jane.evaluate("[...connectionStates]")).to.deep.equal(["connected"]);
  });

  it("lets the organizer mute, remove and lock, and refuses a guest who is denied", async () => {
    const { host, guestToken } = await aMeeting(true);
    const organizer = await enter(host);
    const jane = await open(await guestToken("Jane"));
    await see(organizer, (view) => view.waiting.length === 1);
    await organizer.evaluate(`room.admit("all")`);
    const { peers } = await see(organizer, (view) => view.peers[0]?.isInCall === true);
    await see(jane, ({ local }) => local["isMicOn"] === true);
    await organizer.evaluate(`room.muteParticipant("${peers[0]?.id}")`);
    await see(jane, ({ local }) => local["isMicOn"] === false);

    await organizer.evaluate("room.setLocked(true)");
    await see(jane, ({ isLocked }) => isLocked);
    await organizer.evaluate("room.setLocked(false)");
    await see(jane, ({ isLocked }) => !isLocked);

    const joe = await open(await guestToken("Joe"));
    const { waiting } = await see(organizer, (view) => view.waiting.length === 1);
    await organizer.evaluate(`room.deny(["${waiting[0]?.participant}"])`);
    await see(joe, ({ admission }) => admission === "denied");

    await organizer.evaluate(`room.removeParticipant("${peers[0]?.participant}")`);
    await see(jane, ({ phase, leaveReason }) => phase === "left" && leaveReason === "removed");
    await see(
      jane,
      ({ connection, overReason }) => connection === "over" && overReason === "removed",
    );
  });

  it("shows a shared screen beside the camera, and removes it again", async () => {
    const { host, guestToken } = await aMeeting(false);
    const organizer = await enter(host);
    const jane = await enter(await guestToken("Jane"));
    await see(jane, ({ peers }) => peers[0]?.media === "connected");
    await organizer.evaluate("room.shareScreen(true)");
    await see(jane, ({ peers }) => peers[0]?.hasScreen === true);
    await seeFrames(jane, 5);
    await organizer.evaluate("room.shareScreen(false)");
    await see(jane, ({ peers }) => peers[0]?.hasScreen === false);
  });

  it("has one page per person in the call: the newest", async () => {
    const { host } = await aMeeting(false);
    const first = await enter(host);
    await enter(host);
    await see(first, ({ phase, leaveReason }) => phase === "left" && leaveReason === "elsewhere");
  });

  it("stays on the page where a person joined last, if an earlier one finds its way back", async () => {
    const { host } = await aMeeting(false);
    const phone = await open(host, { proxy: network.proxy });
    await phone.evaluate("room.join()");
    await see(phone, ({ phase }) => phase === "in-call");
    network.takeAway();
    await see(phone, ({ connection }) => connection === "reconnecting");
    const laptop = await enter(host);
    await see(laptop, ({ phase }) => phase === "in-call");
    network.bringBack();
    await see(phone, ({ phase, leaveReason }) => phase === "left" && leaveReason === "elsewhere");
    expect((await viewOf(laptop)).phase).to.equal("in-call");
  });
});
