/** Recordings whose page was reloaded or lost its network. */
import { expect } from "chai";
import type { Page } from "playwright-core";
import { agent, useBrowserPlatform } from "../support/browser-platform.ts";
import { useBrowser } from "../support/browser.ts";
import { aVisit } from "../support/call-customer.ts";
import { useNetwork } from "../support/network.ts";
import { seePlayed } from "../support/playback.ts";
import {
  keptSeconds,
  recordedSeconds,
  recordingUrl,
  runningRecording,
  seeKeptChunks,
  seeKeptSeconds,
  seeStoredChunks,
  storedChunks,
  watchRecorder,
} from "../support/recordings.ts";
import type { RestClient } from "../support/rest-client.ts";
import { type CoreOptions, loadCore, joinCore, see, seeFrames } from "../support/rooms-core.ts";

/** A recording without a new chunk for this long counts as abandoned. */
const abandonedMs = 12_000;

describe("an interrupted recording", function () {
  this.timeout(120_000);
  const platform = useBrowserPlatform();
  const browser = useBrowser();
  const network = useNetwork();

  let rest: RestClient;
  before(async () => {
    rest = await platform.rest(agent);
  });

  const enter = (
    token: string,
    facing: "user" | "environment",
    context: CoreOptions["context"] = {},
  ): Promise<Page> => joinCore(browser, { url: platform.url, token, facing, context });

  /**
   * A call with media in both directions. The agent's page may use a network that the test
   * controls.
   */
  const aCall = async (context: CoreOptions["context"] = {}) => {
    const tokens = await aVisit(platform.url, { rest, agent });
    const staff = await enter(tokens.staff, "user", context);
    const customer = await enter(tokens.customer, "environment");
    await Promise.all([seeFrames(staff, 5), seeFrames(customer, 5)]);
    return { customer, staff, token: tokens.staff };
  };

  /** Starts a recording with the customer's consent. */
  const record = async (staff: Page, customer: Page): Promise<void> => {
    await staff.evaluate(watchRecorder);
    await staff.evaluate(`room.askToRecord(), undefined`);
    await see(customer, ({ recording }) => recording.state === "asked");
    await customer.evaluate(`room.answerRecording(true)`);
    await see(staff, ({ recording }) => recording.state === "recording");
  };

  it("can be played and seeked after a reload: the next page uploads the rest", async () => {
    const { customer, staff, token } = await aCall();
    let isOffline = true;
    const uploaded = new Set<string>();
    await staff.route("**/chunks/*", (route) => {
      if (isOffline) {
        return route.abort();
      }
      uploaded.add(route.request().url());
      return route.continue();
    });
    await record(staff, customer);
    const id = await runningRecording(rest);
    await seeKeptChunks(staff, 2);
    await seeKeptSeconds(staff, 2);
    expect(await storedChunks(platform.db, id), "nothing was uploaded yet").to.equal(0);
    await staff.clock.install();
    await loadCore(staff, { url: platform.url, token, facing: "user" });
    await see(
      staff,
      ({ connection, notice }) => connection === "connected" && notice === "recording-stopped",
    );
    // What the page had not written before the reload is lost.
    const seconds = await keptSeconds(staff);
    isOffline = false;
    await staff.clock.fastForward(abandonedMs);
    const url = await recordingUrl(rest, id);
    expect(uploaded.size).to.be.at.least(2);
    await seePlayed(staff, url, seconds);
  });

  it("can be played and seeked, including the time of a lost connection", async () => {
    const { customer, staff } = await aCall({ proxy: network.proxy });
    await record(staff, customer);
    const id = await runningRecording(rest);
    await seeStoredChunks(platform.db, id, 1);
    network.takeAway();
    await see(staff, ({ connection }) => connection === "reconnecting");
    await seeKeptChunks(staff, 2);
    const stored = await storedChunks(platform.db, id);
    network.bringBack();
    await see(staff, ({ connection, phase }) => connection === "connected" && phase === "in-call");
    await seeStoredChunks(platform.db, id, stored + 2);
    await staff.evaluate(`room.stopRecording(), undefined`);
    await see(customer, ({ recording }) => recording.state === "off");
    const seconds = await recordedSeconds(staff);
    await seePlayed(staff, await recordingUrl(rest, id), seconds);
  });

  /** Scripts for a page whose recorder is `window.recorder`. */
  const failures = {
    "fails in the browser": `recorder.stream.addTrack(recorder.stream.getTracks()[0].clone())`,
    "is stopped by the browser": `recorder.stop()`,
  };
  for (const [failure, script] of Object.entries(failures)) {
    it(`is not shown any more once it ${failure}`, async () => {
      const { customer, staff } = await aCall();
      await staff.evaluate(`{
        const start = MediaRecorder.prototype.start;
        MediaRecorder.prototype.start = function (...options) {
          window.recorder = this;
          start.apply(this, options);
        };
      }`);
      await record(staff, customer);
      await see(customer, ({ recording }) => recording.state === "recording");
      await staff.evaluate(script);
      await see(staff, ({ recording }) => recording.state === "failed");
      await see(customer, ({ recording }) => recording.state === "off");
      expect(await staff.evaluate("recorder.state")).to.equal("inactive");
    });
  }

  it("leaves nothing running if the browser cannot store it", async () => {
    const { customer, staff } = await aCall();
    await staff.evaluate(`{
      const Original = AudioContext;
      window.contexts = [];
      window.AudioContext = class extends Original {
        constructor() {
          super();
          contexts.push(this);
        }
      };
      IDBObjectStore.prototype.put = () => {
        throw new DOMException("", "QuotaExceededError");
      };
    }`);
    await staff.evaluate(`room.askToRecord(), undefined`);
    await see(customer, ({ recording }) => recording.state === "asked");
    await customer.evaluate(`room.answerRecording(true)`);
    await see(staff, ({ recording }) => recording.state === "failed");
    expect(
      await staff.evaluate("contexts.filter(({ state }) => state !== 'closed').length"),
    ).to.equal(0);
  });
});
