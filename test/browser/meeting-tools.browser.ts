/** Recording, screen sharing and lost connections, as seen by the other participants. */
import { expect } from "chai";
import type { Page } from "playwright-core";
import { admin, useBrowserPlatform } from "../support/browser-platform.ts";
import { findBarriers, screenshot, useBrowser, type OpenOptions } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { meetingPages, seeFrames } from "../support/meeting-pages.ts";
import { useNetwork } from "../support/network.ts";
import { seePlayed } from "../support/playback.ts";
import {
  recordedSeconds,
  recordingUrl,
  runningRecording,
  seeStoredChunks,
  storedChunks,
  watchRecorder,
} from "../support/recordings.ts";
import type { RestClient } from "../support/rest-client.ts";
import { press } from "../support/screens.ts";

describe("the tools of a meeting, on its page", function () {
  this.timeout(120_000);
  const platform = useBrowserPlatform();
  const browser = useBrowser();
  const network = useNetwork();
  const meetings = meetingPages(platform, browser);
  let rest: RestClient;
  before(async () => {
    rest = await platform.rest(admin);
  });

  /** A meeting with its organizer, Demo Agent, and a guest, who see each other. */
  const aPair = async (ofGuest?: OpenOptions): Promise<{ host: Page; nia: Page }> => {
    const meeting = await meetings.create();
    const host = await meetings.host(meeting);
    const nia = await meetings.guest(meeting, "Nia", ofGuest);
    await Promise.all([seeFrames(host), seeFrames(nia)]);
    return { host, nia };
  };

  const chooseMore = async (page: Page, item: string): Promise<void> => {
    await press(page, "More");
    await press(page, item);
  };

  it("record only with the consent of all participants", async () => {
    const { host, nia } = await aPair();
    const question = nia.getByRole("dialog", { name: "Record this meeting?" });
    const badges = [
      host.getByText("You are recording this meeting"),
      nia.getByText("Demo Agent is recording this meeting"),
    ];
    await chooseMore(host, "Record");
    await host.getByText("Waiting for everyone to agree to the recording").waitFor();
    await question.getByText("Demo Agent wants to record").waitFor();
    await screenshot(nia, "meeting-record");
    expect(await findBarriers(nia), "the question").to.deep.equal([]);
    await press(question, "Do not record");
    await host.getByText("Not recorded: someone did not agree.").waitFor();
    await question.waitFor({ state: "detached" });
    const { body } = await rest.succeed("GET /medias?status=inprogress,uncompleted,completed");
    expect(body["total"]).to.equal(0);

    await host.evaluate(watchRecorder);
    const answers: (() => void)[] = [];
    await host.route("**/api/rtc/recordings", async (route) => {
      await new Promise<void>((resolve) => answers.push(resolve));
      await route.continue();
    });
    await chooseMore(host, "Record");
    await press(question, "Agree");
    await eventually(() => expect(answers).to.have.length(1));
    await host.getByText("Waiting for everyone to agree to the recording").waitFor();
    for (const badge of badges) {
      expect(await badge.count(), "shown before it can begin").to.equal(0);
    }
    answers.forEach((answer) => answer());
    await Promise.all(badges.map((badge) => badge.waitFor()));
    const id = await runningRecording(rest);
    await seeStoredChunks(platform.db, id, 2);
    await chooseMore(host, "Stop recording");
    await Promise.all(badges.map((badge) => badge.waitFor({ state: "detached" })));
    const seconds = await recordedSeconds(host);
    await seePlayed(host, await recordingUrl(rest, id), seconds);
  });

  it("pause the recording for a new participant until they consent", async () => {
    const meeting = await meetings.create();
    const host = await meetings.host(meeting);
    await chooseMore(host, "Record");
    const badge = host.getByText("You are recording this meeting");
    const paused = host.getByText("Recording paused: waiting for everyone who joined to agree");
    await badge.waitFor();
    const id = await runningRecording(rest);
    await seeStoredChunks(platform.db, id, 1);

    const nia = await meetings.guest(meeting, "Nia");
    const question = nia.getByRole("dialog", { name: "Record this meeting?" });
    await question.waitFor();
    await paused.waitFor();
    await badge.waitFor({ state: "detached" });
    await screenshot(host, "meeting-record-paused");
    expect(await findBarriers(host), "the pause").to.deep.equal([]);
    const before = await storedChunks(platform.db, id);
    await press(question, "Agree");
    await badge.waitFor();
    await paused.waitFor({ state: "detached" });
    await seeStoredChunks(platform.db, id, before + 2);

    const joe = await meetings.guest(meeting, "Joe");
    await press(joe.getByRole("dialog", { name: "Record this meeting?" }), "Do not record");
    await host.getByText("Not recorded: someone did not agree.").waitFor();
    await press(joe, "Leave");
    await eventually(async () => {
      const { body } = await rest.succeed(`GET /medias/${id}`);
      expect(body["status"], "what was recorded before").to.equal("completed");
    });
  });

  it("show a shared screen large to the others, as long as it is shared", async () => {
    const { host, nia } = await aPair();
    await press(host, "Share screen");
    await host.getByText("You are sharing your screen").waitFor();
    const screen = nia.locator("video[aria-label='Demo Agent’s screen']");
    await screen.waitFor();
    await nia.getByLabel("Demo Agent’s video").waitFor();
    await eventually(async () => {
      const size = await nia.evaluate<number>(
        "document.querySelector('video[aria-label$=screen]').videoWidth",
      );
      expect(size).to.be.above(0);
    });
    await screenshot(nia, "meeting-screen");
    expect(await findBarriers(nia), "the shared screen").to.deep.equal([]);
    await host.getByRole("button", { name: "Stop sharing" }).first().click();
    await screen.waitFor({ state: "detached" });
    await host.getByText("You are sharing your screen").waitFor({ state: "detached" });
  });

  it("show a lost connection, and continue in the same call", async () => {
    const { host, nia } = await aPair({
      context: { proxy: network.proxy },
      expectedErrors: [/WebSocket connection to .* failed/u],
    });
    const connections = await nia.evaluate("window.connections.length");
    network.takeAway();
    const banner = nia.getByText("Connection lost. Reconnecting…");
    await banner.waitFor();
    await press(host, "Chat");
    await host.getByLabel("Message to everyone").fill("Still there?");
    await host.keyboard.press("Enter");
    await seeFrames(nia);
    await screenshot(nia, "meeting-reconnecting");
    expect(await findBarriers(nia), "the banner").to.deep.equal([]);
    expect(await banner.isVisible()).to.equal(true);
    network.bringBack();
    await banner.waitFor({ state: "detached" });
    await nia.getByRole("button", { name: "Chat, 1 unread message" }).waitFor();
    expect(await nia.evaluate("window.connections.length")).to.equal(connections);
    await Promise.all([seeFrames(host), seeFrames(nia)]);
  });
});
