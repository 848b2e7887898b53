import { expect } from "chai";
import type { Page } from "playwright-core";
import { signallingPath } from "../../src/contracts/signalling.ts";
import { admin, useBrowserPlatform } from "../support/browser-platform.ts";
import { findBarriers, phone, screenshot, useBrowser } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { meetingPages, seeFrames, seeRoom } from "../support/meeting-pages.ts";
import { press, seeHeading } from "../support/screens.ts";
import { soundsStarted } from "../support/sounds.ts";

describe("the hosts of a meeting, on its page", function () {
  this.timeout(120_000);
  const platform = useBrowserPlatform();
  const browser = useBrowser();
  const meetings = meetingPages(platform, browser);

  it("admit or refuse waiting guests, and end the meeting for everyone", async () => {
    const meeting = await meetings.create({ moderation: true });
    const nia = await meetings.guest(meeting, "Nia");
    await seeHeading(nia, "Waiting to be admitted");
    await screenshot(nia, "meeting-waiting");
    expect(await findBarriers(nia), "the waiting screen").to.deep.equal([]);
    const host = await meetings.host(meeting);
    await host.getByRole("heading", { name: "1 person is waiting" }).waitFor();
    await eventually(async () => expect(await host.title()).to.contain("Someone is waiting"));
    await seeKnocks(host, 1);
    await press(host, "Admit Nia");
    await Promise.all([seeFrames(host), seeFrames(nia)]);
    const bob = await meetings.guest(meeting, "Bob Alexander Featherstonehaugh-Cholmondeley");
    const admit = host.getByRole("button", { name: /^Admit Bob/u });
    const list = await host.getByRole("list").filter({ has: admit }).boundingBox();
    const box = await admit.boundingBox();
    const right = (one: typeof box): number => (one?.x ?? 0) + (one?.width ?? 0);
    expect(right(box), "a long name leaves space for it").to.be.within(1, right(list) + 1);
    await host.getByRole("button", { name: /^Deny Bob/u }).waitFor();
    await seeKnocks(host, 2);
    await press(host, /^Deny Bob/u);
    await seeHeading(bob, "You were not admitted");
    const late = await meetings.guest(meeting, "Late", { viewport: phone, colors: "dark" });
    await seeHeading(late, "Waiting to be admitted");
    await screenshot(late, "meeting-waiting-phone");
    const later = await meetings.guest(meeting, "Later");
    await host.getByRole("heading", { name: "2 people are waiting" }).waitFor();
    await seeKnocks(host, 4);
    await screenshot(host, "meeting-knock");
    expect(await findBarriers(host), "the waiting list").to.deep.equal([]);
    await press(host, "Admit all");
    await Promise.all([seeRoom(late), seeRoom(later)]);
    await late.reload();
    await seeRoom(late);
    await press(host, "Leave or end the meeting");
    await press(host, "End for everyone");
    await screenshot(host, "meeting-end");
    await host.getByRole("dialog").getByRole("button", { name: "End for everyone" }).click();
    for (const page of [host, nia, late, later]) {
      await seeHeading(page, "The meeting has ended");
    }
    await seeKnocks(host, 4);
    expect(await soundsStarted(nia), "only hosts hear the sound of a waiting guest").to.equal(0);
    await eventually(async () =>
      expect((await nia.request.get(meeting.url)).status()).to.equal(410),
    );
  });

  /** Expects two tones for each waiting guest. */
  const seeKnocks = (host: Page, count: number) =>
    eventually(async () => expect(await soundsStarted(host)).to.equal(2 * count));

  it("show nothing of the room to a waiting guest", async () => {
    const meeting = await meetings.create({ moderation: true });
    const host = await meetings.host(meeting);
    const ann = await meetings.guest(meeting, "Ann");
    await press(host, "Admit Ann");
    await Promise.all([seeFrames(host), seeFrames(ann)]);
    const nia = await meetings.guest(meeting, "Nia");
    await seeHeading(nia, "Waiting to be admitted");
    await press(host, "Chat");
    await host.getByLabel("Message to everyone").fill("Between us");
    await host.keyboard.press("Enter");
    await press(ann, "Chat, 1 unread message");
    await ann.getByText("Between us").waitFor();
    const shown = await nia.evaluate<string>("document.body.textContent");
    expect(shown).to.include("Waiting to be admitted");
    expect(shown).to.not.match(/Between us|\bAnn\b/u);
    expect(await nia.evaluate("window.connections.length")).to.equal(0);
    await press(host, "Admit Nia");
    await seeFrames(nia);
    expect(await nia.evaluate("window.connections.length")).to.be.above(0);
  });

  it("mute, remove and lock; a script of a guest can do none of it", async () => {
    const meeting = await meetings.create();
    const host = await meetings.host(meeting);
    const nia = await meetings.guest(meeting, "Nia");
    await Promise.all([seeFrames(host), seeFrames(nia)]);
    await press(host, "People");
    await press(host, "Mute Nia");
    await nia.getByText("A host muted you.").waitFor();
    await nia.getByRole("button", { name: "Unmute" }).waitFor();
    await press(host, "More");
    await press(host, "Lock the meeting");
    await nia.getByText("Locked", { exact: true }).waitFor();
    const late = await meetings.guest(meeting, "Late");
    await late.getByText("The meeting is locked.").waitFor();
    expect(await refusalsOfForgedControls(nia)).to.deep.equal({
      ...{ admit: "forbidden", lock: "forbidden", end: "forbidden", waiting: "forbidden" },
      remove: "forbidden",
    });
    await press(host, "Remove Nia");
    await host.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click();
    await seeHeading(nia, "You were removed from the meeting");
    await screenshot(nia, "meeting-removed");
  });

  /** The server's responses to host actions that are forged with a guest's token. */
  const refusalsOfForgedControls = (page: Page): Promise<unknown> =>
    page.evaluate(
      `(async () => {
      const kept = Object.entries(sessionStorage).find(([key]) => key.startsWith("sightline.meeting."));
      const { token } = JSON.parse(kept[1]);
      const socket = new WebSocket(location.origin.replace("http", "ws") +
        ${JSON.stringify("SIGNALLING_PATH")} + "/?EIO=4&transport=websocket");
      const answers = new Map();
      let next = 0;
      socket.onmessage = ({ data }) => {
        if (data.startsWith("0{")) socket.send("40/rtc," + JSON.stringify({ token }));
        if (data === "2") socket.send("3");
        const ack = /^43\\/rtc,(\\d+)(.*)$/.exec(data);
        if (ack) answers.get(Number(ack[1]))(JSON.parse(ack[2])[0]);
        if (data.startsWith("40/rtc,")) answers.get("open")();
      };
      await new Promise((resolve) => answers.set("open", resolve));
      const ask = (type, input) => new Promise((resolve) => {
        next += 1;
        answers.set(next, resolve);
        socket.send("42/rtc," + next + JSON.stringify([type, input]));
      });
      await ask("hello", {});
      const kinds = {};
      const forged = { admit: { participants: "all" }, lock: { isLocked: false }, end: {}, waiting: {},
        remove: { participant: "user-1" } };
      for (const [type, input] of Object.entries(forged)) {
        const answer = await ask(type, input);
        kinds[type] = answer.ok ? "done" : answer.error.kind;
      }
      socket.close();
      return kinds;
    })()`.replace('"SIGNALLING_PATH"', JSON.stringify(signallingPath)),
    );

  /** Script for a page: it hears a sound in the microphone `loudId` only. */
  const hearOne = `{
    const { connect } = AudioNode.prototype;
    AudioNode.prototype.connect = function (to, ...rest) {
      to.heard = this.mediaStream?.getAudioTracks()[0].id;
      return connect.call(this, to, ...rest);
    };
    AnalyserNode.prototype.getFloatTimeDomainData = function (samples) {
      samples.fill(this.heard !== undefined && this.heard === window.loudId ? 1 : 0);
    };
  }`;

  it("see that somebody who was muted while speaking is silent", async () => {
    const meeting = await meetings.create();
    const host = await meetings.host(meeting);
    await host.evaluate(hearOne);
    const nia = await meetings.guest(meeting, "Nia");
    await meetings.guest(meeting, "Bob");
    const video = host.locator("video[aria-label^=Nia]");
    await eventually(() =>
      host.evaluate(`{
        const video = document.querySelector("video[aria-label^=Nia]");
        window.loudId = video.srcObject.getAudioTracks()[0].id;
      }`),
    );
    const speakers = host.locator("[data-speaking]");
    await speakers.filter({ has: video }).waitFor();
    await host.locator("video[aria-label^=Bob]").waitFor();
    await press(nia, "Mute");
    await eventually(async () => expect(await speakers.count()).to.equal(0));
  });

  it("can be framed by an allowed site, which is notified of events, and by no other", async () => {
    const meeting = await meetings.create();
    const rest = await platform.rest(admin);
    const { body } = await rest.succeed("GET /users/me");
    await rest.succeed(`POST /enterprises/${String(body["enterpriseId"])}/domains`, {
      body: { domain: "crm.localhost", alias: "" },
    });
    const page = await frameAt("http://crm.localhost", `${meeting.url}?name=Nia`);
    const frame = page.frameLocator("iframe");
    await frame.getByRole("button", { name: "People" }).waitFor();
    await frame.getByRole("button", { name: "Leave" }).click();
    await frame.getByRole("heading", { name: "You left the meeting" }).waitFor();
    const seeNotified = (types: readonly string[]) =>
      eventually(async () =>
        expect(await page.evaluate("received")).to.deep.equal(
          types.map((type) => ({ source: "sightline", type })),
        ),
      );
    await seeNotified(["ready", "joined", "left"]);
    await press(frame, "Join again");
    const host = await meetings.host(meeting);
    await seeFrames(host);
    await press(host, "Leave or end the meeting");
    await press(host, "End for everyone");
    await host.getByRole("dialog").getByRole("button", { name: "End for everyone" }).click();
    await seeHeading(frame, "The meeting has ended");
    await seeNotified(["ready", "joined", "left", "joined", "left", "ended"]);
    const refused = await frameAt("http://evil.localhost", meeting.url, [/frame-ancestors/u]);
    await eventually(() =>
      expect(refused.frames().some((one) => one.url().startsWith("chrome-error"))).to.equal(true),
    );
  });

  /** A page of another site that frames the room and records its messages. */
  const frameAt = async (
    site: string,
    src: string,
    expectedErrors: readonly RegExp[] = [/AudioContext/u],
  ): Promise<Page> => {
    const page = await browser.open({
      hosts: [new URL(site).hostname],
      expectedErrors,
      // Browsers ask for permission before a public page frames a local one.
      context: { permissions: ["local-network-access", "camera", "microphone"] },
    });
    await page.route(`${site}/**`, (route) =>
      route.fulfill({
        contentType: "text/html",
        body: `<!doctype html><title>CRM</title>
          <script>window.received = []; addEventListener("message", (m) => received.push(m.data));</script>
          <iframe title="Room" style="width:900px;height:600px"
            allow="microphone;camera;geolocation;display-capture;autoplay" src="${src}"></iframe>`,
      }),
    );
    await page.goto(`${site}/`);
    return page;
  };
});
