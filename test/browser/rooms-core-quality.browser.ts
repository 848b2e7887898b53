/** A call whose connection becomes poor, as its own page sees it. */
import { expect } from "chai";
import type { Page } from "playwright-core";
import { agent, useBrowserPlatform } from "../support/browser-platform.ts";
import { useBrowser } from "../support/browser.ts";
import { aVisit } from "../support/call-customer.ts";
import { eventually } from "../support/eventually.ts";
import { joinCore, seeFrames, viewOf } from "../support/rooms-core.ts";

/** Script for a page, before its own: a round trip takes `roundTripSeconds`, if that is set. */
const slowConnection = `{
  const read = RTCPeerConnection.prototype.getStats;
  window.reads = 0;
  RTCPeerConnection.prototype.getStats = async function () {
    const entries = [...(await read.call(this))];
    window.reads += 1;
    const slow = { currentRoundTripTime: window.roundTripSeconds };
    return new Map(
      entries.map(([id, entry]) => [
        id,
        entry.type === "candidate-pair" && window.roundTripSeconds !== undefined
          ? { ...entry, ...slow }
          : entry,
      ]),
    );
  };
}`;

/** Script for a page, before its own: its clock is ahead by `aheadMs`. */
const movableClock = `{
  const now = performance.now.bind(performance);
  window.aheadMs = 0;
  performance.now = () => now() + window.aheadMs;
}`;

describe("the quality of a call", function () {
  this.timeout(90_000);
  const platform = useBrowserPlatform();
  const browser = useBrowser();

  /** The agent's page in a call whose connection is poor. */
  const aPoorCall = async (): Promise<Page> => {
    const rest = await platform.rest(agent);
    const tokens = await aVisit(platform.url, { rest, agent });
    const initScript = `${slowConnection};${movableClock}`;
    const staff = await joinCore(browser, {
      ...{ url: platform.url, token: tokens.staff, facing: "user", initScript },
    });
    await joinCore(browser, { url: platform.url, token: tokens.customer, facing: "environment" });
    await seeFrames(staff, 1);
    return staff;
  };
  const becomePoor = async (page: Page): Promise<void> => {
    await page.evaluate("window.roundTripSeconds = 2");
    // After two samples of two seconds each.
    await eventually(async () => expect((await viewOf(page)).local["quality"]).to.equal("poor"), {
      timeoutMs: 15_000,
    });
  };

  it("is good again in the next call, until it is measured", async () => {
    const page = await aPoorCall();
    await becomePoor(page);
    await page.evaluate("room.leave()");
    expect((await viewOf(page)).local["quality"]).to.equal("good");
  });

  it("says nothing about the picture to somebody whose camera is off", async () => {
    const page = await aPoorCall();
    await page.evaluate("room.setCamera(false)");
    await becomePoor(page);
    await page.evaluate("aheadMs += 11_000, undefined");
    // The statistics are read every half second, and graded every two seconds.
    const reads = await page.evaluate<number>("reads");
    await eventually(async () => expect(await page.evaluate("reads")).to.be.above(reads + 12), {
      timeoutMs: 20_000,
    });
    await page.evaluate("room.setCamera(true)");
    const { local, notice } = await viewOf(page);
    expect({ notice, isCameraOn: local["isCameraOn"] }).to.deep.equal({
      notice: undefined,
      isCameraOn: true,
    });
    expect(
      await page.evaluate("room.view().self.state.isCameraOn"),
      "the picture is not sent",
    ).to.equal(false);
  });
});
