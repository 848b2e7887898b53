/** Commands of the agent's page to the customer's device, with both real pages. */
import { expect } from "chai";
import type { Page } from "playwright-core";
import { agent, useBrowserPlatform } from "../support/browser-platform.ts";
import { phone, useBrowser } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import type { RestClient } from "../support/rest-client.ts";
import { press, seeHeading } from "../support/screens.ts";
import { agree, devices, joinAndWait } from "../support/visit-pages.ts";

/** A phone's camera with torch and zoom; `window.asked` records its commands. */
const phoneCamera = `
  window.asked = [];
  const settings = { torch: false, zoom: 1 };
  const { getCapabilities, getSettings, applyConstraints } = MediaStreamTrack.prototype;
  const added = (track, more) => (track.kind === "video" ? more : {});
  Object.assign(MediaStreamTrack.prototype, {
    getCapabilities() {
      const more = { torch: true, zoom: { min: 1, max: 5, step: 0.1 } };
      return { ...getCapabilities.call(this), ...added(this, more) };
    },
    getSettings() {
      return { ...getSettings.call(this), ...added(this, settings) };
    },
    async applyConstraints(constraints) {
      if (constraints?.advanced === undefined) {
        return applyConstraints.call(this, constraints);
      }
      window.asked.push(constraints);
      Object.assign(settings, ...constraints.advanced);
    },
  });`;

/** A camera whose photos are larger than its video. */
const largePhotos = `
  let photo;
  const draw = () => {
    const canvas = new OffscreenCanvas(4000, 3000);
    const pen = canvas.getContext("2d");
    pen.fillStyle = "teal";
    pen.fillRect(0, 0, 4000, 3000);
    return canvas.convertToBlob({ type: "image/jpeg" });
  };
  window.ImageCapture = class {
    takePhoto() {
      photo ??= draw();
      return photo;
    }
  };`;

describe("the customer's device, controlled by the agent", function () {
  this.timeout(120_000);
  const platform = useBrowserPlatform();
  const browser = useBrowser();

  let rest: RestClient;
  before(async () => {
    rest = await platform.rest(agent);
  });

  /** A running call. `initScript` adds features to the customer's browser. */
  const aCall = async (initScript = "") => {
    const body = {
      ...{ agent: agent.login, email: "jeanne@customer.example", invite: 1, language: "en" },
      ...{ firstname: "Jeanne", lastname: "Martin" },
    };
    const ticket = (await rest.succeed("POST /tickets", { body })).body;
    const id = Number(ticket["id"]);
    const customer = await browser.open({ viewport: phone, context: devices });
    await customer.addInitScript(`(() => {${initScript}})();`);
    await customer.goto(String(ticket["requestor_url"]));
    await agree(customer);
    await joinAndWait(customer);
    const agentPage = await browser.open({ context: { permissions: ["microphone"] } });
    const path = `/agent/entrypoint/${String(ticket["button_id"])}/tickets/${id}`;
    await platform.signIn(agentPage, agent, path);
    await press(agentPage, "Answer");
    await seeHeading(customer, "Demo Agent is with you");
    return { id, customer, agentPage };
  };
  const toolOf = (agentPage: Page, tool: string) => agentPage.locator(`[data-tool="${tool}"]`);

  it("switches the torch on and zooms, shown on both pages", async () => {
    const { customer, agentPage } = await aCall(phoneCamera);
    const seeAsked = (wanted: object[]): Promise<void> =>
      eventually(async () => {
        const asked = wanted.map((one) => ({ advanced: [one] }));
        expect(await customer.evaluate("window.asked")).to.deep.equal(asked);
      });
    const seeTorch = (isOn: boolean): Promise<void> =>
      eventually(async () => {
        const torch = toolOf(agentPage, "torch");
        expect(await torch.getAttribute("aria-pressed")).to.equal(String(isOn));
        expect(await torch.getAttribute("aria-disabled")).to.equal(null);
      });
    await seeTorch(false);
    const on = customer.getByText("Demo Agent turned your light on").waitFor();
    await Promise.all([on, toolOf(agentPage, "torch").click()]);
    await seeTorch(true);
    await seeAsked([{ torch: true }]);
    await toolOf(agentPage, "zoom").click();
    const zoomed = customer.getByText("Demo Agent changed the zoom").waitFor();
    await Promise.all([zoomed, agentPage.getByRole("slider", { name: "Zoom" }).press("End")]);
    await seeAsked([{ torch: true }, { zoom: 5 }]);
    await agentPage.getByRole("slider", { name: "Zoom" }).press("ArrowLeft");
    await seeAsked([{ torch: true }, { zoom: 5 }, { zoom: 4.9 }]);
    await agentPage.keyboard.press("Escape");
    // The note disappears after some seconds.
    const off = customer.getByText("The light is off").waitFor();
    await Promise.all([off, toolOf(agentPage, "torch").click()]);
    await seeTorch(false);
  });

  it("takes photos at the resolution of the camera, not of its video", async () => {
    const { id, customer, agentPage } = await aCall(largePhotos);
    const note = customer.getByText("Photo taken and sent").waitFor();
    await Promise.all([note, toolOf(agentPage, "photo").click()]);
    await agentPage.locator("[data-media]").first().waitFor();
    const { body } = await rest.succeed(`GET /medias?ticketId=${id}`);
    const [photo] = body["data"] as { url: string }[];
    const size = await agentPage.evaluate<number[]>(`(async () => {
      const file = await (await fetch(${JSON.stringify(photo?.url)})).blob();
      const { width, height } = await createImageBitmap(file);
      return [width, height];
    })()`);
    expect(size).to.deep.equal([4000, 3000]);
  });

  it("shows the agent that the customer refused to share the position", async () => {
    const { id, agentPage } = await aCall();
    await toolOf(agentPage, "locate").click();
    await agentPage.getByText("The customer or their browser refused.").waitFor();
    expect(await agentPage.getByText("The customer’s location has arrived.").count()).to.equal(0);
    const { body } = await rest.succeed(`GET /tickets/${id}/events`);
    const types = (body as unknown as { eventType: string }[]).map(({ eventType }) => eventType);
    expect(types).to.include("geo.ansDisallowed");
    expect(types).to.not.include("geo.ansAllowed");
  });
});
