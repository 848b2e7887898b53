/** What a page sends when its devices, its network or its call change at the same time. */
import { expect } from "chai";
import type { Page } from "playwright-core";
import { agent, useBrowserPlatform } from "../support/browser-platform.ts";
import { useBrowser } from "../support/browser.ts";
import { aVisit } from "../support/call-customer.ts";
import { eventually } from "../support/eventually.ts";
import { joinCore, see, seeFrames } from "../support/rooms-core.ts";

describe("what a page sends", function () {
  this.timeout(90_000);
  const platform = useBrowserPlatform();
  const browser = useBrowser();

  const aCall = async (initScript = "") => {
    const rest = await platform.rest(agent);
    const tokens = await aVisit(platform.url, { rest, agent });
    const enter = (token: string): Promise<Page> =>
      joinCore(browser, { url: platform.url, token, facing: "user", initScript });
    const staff = await enter(tokens.staff);
    const customer = await enter(tokens.customer);
    await seeFrames(staff, 1);
    return { customer, staff };
  };

  it("includes a camera that was switched off during a network gap", async () => {
    const { customer, staff } = await aCall();
    const isCameraActive = `connections[0].getSenders()[1].getParameters().encodings[0].active`;
    const seeActive = (isActive: boolean) =>
      eventually(async () => expect(await customer.evaluate(isCameraActive)).to.equal(isActive));
    // The same statistics again and again: nothing arrives.
    await customer.evaluate(`(async () => {
      const [connection] = connections;
      const silent = await connection.getStats();
      connection.getStats = async () => silent;
    })()`);
    await seeActive(false);
    await customer.evaluate("room.setCamera(false)");
    await see(staff, ({ peers }) => peers[0]?.state["isCameraOn"] === false);
    await customer.evaluate("delete connections[0].getStats");
    await seeActive(true);
    await customer.evaluate("room.setCamera(true)");
    const frames = await staff.evaluate<number>("window.framesDecoded()");
    await seeFrames(staff, frames + 5);
  });

  /** Script for a page: its person answers the browser's questions for a screen with `pick()`. */
  const chooseLater = `(() => {
    const asked = [];
    navigator.mediaDevices.getDisplayMedia = () => new Promise((resolve) => asked.push(resolve));
    window.picked = [];
    window.pick = (index) => {
      const stream = document.createElement("canvas").captureStream(1);
      window.picked[index] = stream.getTracks()[0];
      asked[index](stream);
    };
    window.shares = [];
    window.share = () => void window.shares.push(room.shareScreen(true));
  })();`;
  const pickedStates = (page: Page): Promise<string[]> =>
    page.evaluate("Promise.all(shares).then(() => picked.map(({ readyState }) => readyState))");

  it("excludes a screen that was chosen after the call", async () => {
    const { staff } = await aCall(chooseLater);
    await staff.evaluate("share()");
    await staff.evaluate("room.leave()");
    await staff.evaluate("pick(0)");
    expect(await pickedStates(staff)).to.deep.equal(["ended"]);
    expect(await staff.evaluate("room.view().local.screen === undefined")).to.equal(true);
  });

  it("is one screen, even if two were chosen", async () => {
    const { customer, staff } = await aCall(chooseLater);
    await staff.evaluate("share(), share(), pick(1)");
    await see(customer, ({ peers }) => peers[0]?.hasScreen === true);
    await staff.evaluate("pick(0)");
    expect(await pickedStates(staff)).to.deep.equal(["ended", "live"]);
    await staff.evaluate("room.shareScreen(false)");
    expect(await pickedStates(staff)).to.deep.equal(["ended", "ended"]);
  });

  /** Script for a page, before its own: holds what renews the settings of ICE, as `renewals`. */
  const holdRenewals = `{
    const { get } = Object.getOwnPropertyDescriptor(MessageEvent.prototype, "data");
    Object.defineProperty(MessageEvent.prototype, "data", {
      get() {
        const data = get.call(this);
        return typeof data === "string"
          ? data.replace('"expiresInSeconds":null', '"expiresInSeconds":1000')
          : data;
      },
    });
    const wait = window.setTimeout;
    window.renewals = [];
    window.setTimeout = (run, waitMs, ...rest) =>
      waitMs === 800_000 ? renewals.push(run) : wait(run, waitMs, ...rest);
  }`;

  it("includes no request for ICE settings after the call", async () => {
    const { staff } = await aCall(holdRenewals);
    const renew = (next: string) => staff.evaluate(`renewals.at(-1)(), ${next}`);
    await renew("undefined");
    await eventually(async () => expect(await staff.evaluate("renewals.length")).to.equal(2));
    await renew("room.leave()");
    expect(await staff.evaluate("renewals.length")).to.equal(2);
  });
});
