/** Camera and microphone after a reload, also in a browser that asks for them again. */
import { expect } from "chai";
import { agent, useBrowserPlatform } from "../support/browser-platform.ts";
import { phone, screenshot, useBrowser } from "../support/browser.ts";
import { askAgain } from "../support/camera-requests.ts";
import { staffToken } from "../support/call-customer.ts";
import { eventually } from "../support/eventually.ts";
import { openCore, see, seeFrames } from "../support/rooms-core.ts";
import { press, seeHeading } from "../support/screens.ts";
import { agree, devices, joinAndWait, leaveTheCall } from "../support/visit-pages.ts";

const pausedVideos = `[...document.querySelectorAll("video")].filter(
  ({ paused, srcObject }) => paused && srcObject !== null,
).length`;

const liveTracks = `window.opened
  .flatMap((stream) => stream.getTracks())
  .filter(({ readyState }) => readyState === "live").length`;

describe("the customer's devices after a reload", function () {
  this.timeout(90_000);
  const platform = useBrowserPlatform();
  const browser = useBrowser();

  const aCall = async () => {
    const rest = await platform.rest(agent);
    const body = { agent: agent.login, email: "jane@customer.example", invite: 1, language: "en" };
    const ticket = (await rest.succeed("POST /tickets", { body })).body;
    const page = await browser.open({ viewport: phone, context: devices });
    await page.goto(String(ticket["requestor_url"]));
    await agree(page);
    await joinAndWait(page);
    const token = await staffToken(rest, Number(ticket["id"]));
    const agentPage = await openCore(browser, { url: platform.url, token, facing: "user" });
    await agentPage.evaluate("room.setCamera(false).then(() => room.join())");
    await seeHeading(page, "Demo Agent is with you");
    return { page, agentPage };
  };

  /** A customer in a call, whose browser asks for the devices again. */
  const aCallThatAsks = async () => {
    const { page, agentPage } = await aCall();
    await page.addInitScript(askAgain);
    await page.reload();
    await seeHeading(page, "Demo Agent is with you");
    const notice = page.getByText("Choose Allow in the message of your browser.");
    await notice.waitFor();
    await screenshot(page, "visit-devices-asked-again");
    return { page, agentPage, notice };
  };

  it("are sent once they are allowed; meanwhile the customer is in the call", async () => {
    const { page, agentPage, notice } = await aCallThatAsks();
    const before = await agentPage.evaluate<number>("window.framesDecoded()");
    await page.evaluate("window.allow()");
    await seeFrames(agentPage, before + 3);
    await notice.waitFor({ state: "detached" });
    // A browser may have refused to play the agent's voice before.
    await eventually(async () => expect(await page.evaluate(pausedVideos)).to.equal(0));
  });

  it("are closed at once if the customer left before allowing them", async () => {
    const { page } = await aCallThatAsks();
    await leaveTheCall(page);
    await page.evaluate("window.allow()");
    await eventually(async () => expect(await page.evaluate("window.opened.length")).to.equal(1));
    await eventually(async () => expect(await page.evaluate(liveTracks)).to.equal(0));
  });

  it("stay off, and the call paused, until the customer resumes", async () => {
    const { page, agentPage } = await aCall();
    await press(page, "Turn the camera off");
    await press(page, "Pause picture and sound");
    const seePaused = async (): Promise<void> => {
      await seeHeading(page, "Demo Agent is with you");
      for (const name of ["Turn the camera on", "Mute the mic", "Resume picture and sound"]) {
        await page.getByRole("button", { name }).waitFor();
      }
      await see(agentPage, ({ peers }) => {
        const { isPaused, isCameraOn } = peers[0]?.state ?? {};
        return isPaused === true && isCameraOn === false;
      });
    };
    await page.reload();
    await seePaused();
    await leaveTheCall(page);
    await press(page, "Return to the call");
    await seePaused();
  });
});
