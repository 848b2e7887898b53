import { expect } from "chai";
import type { Page } from "playwright-core";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { admin, agent, useBrowserPlatform } from "../support/browser-platform.ts";
import { findBarriers, phone, screenshots, useBrowser } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import type { RestClient } from "../support/rest-client.ts";
import { openCore, seeFrames } from "../support/rooms-core.ts";

const context = { permissions: ["camera", "microphone", "geolocation"] };

describe("the customer's page during a call", function () {
  this.timeout(120_000);
  const platform = useBrowserPlatform();
  const browser = useBrowser();

  let rest: RestClient;
  before(async () => {
    rest = await platform.rest(agent);
  });
  type Ticket = Record<string, unknown>;
  const aTicket = async (): Promise<Ticket> => {
    const body = { agent: agent.login, email: "jane@customer.example", invite: 1, language: "en" };
    return (await rest.succeed("POST /tickets", { body })).body;
  };
  const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).click();
  const see = (page: Page, name: string | RegExp) => page.getByRole("heading", { name }).waitFor();
  const seeAll = async (page: Page, name: string): Promise<void> => {
    await screenshots(page, `visit-${name}`);
    await page.setViewportSize(phone);
    expect(await findBarriers(page), name).to.deep.equal([]);
  };
  const enter = async (ticket: Ticket): Promise<Page> => {
    const page = await browser.open({
      ...{ viewport: phone, context },
      expectedErrors: [/WebSocket connection to .* failed/u],
    });
    await page.goto(String(ticket["requestor_url"]));
    await press(page, "Start");
    await page.getByLabel("I accept the terms of use").check();
    await page.getByLabel("I have read the privacy notice").check();
    await press(page, "Agree and continue");
    await press(page, "Join the call");
    await see(page, /will be with you in a moment/u);
    return page;
  };
  /** The agent's side, without the page of the agent. */
  const answer = async (ticket: Ticket): Promise<Page> => {
    const { body } = await rest.succeed(`POST /tickets/${String(ticket["id"])}/room-token`);
    const token = String(body["room_token"]);
    const page = await openCore(browser, { url: platform.url, token, facing: "user" });
    await page.evaluate("room.setCamera(false).then(() => room.join())");
    return page;
  };
  const customerIn = `room.view().peers.find(({ role }) => role === "requestor").id`;
  const order = (desk: Page, command: object): Promise<{ ok: boolean; mediaId?: number }> =>
    desk.evaluate(`room.command(${customerIn}, ${JSON.stringify(command)})`);

  it("waits calmly, then hears and is seen, chats, sends a file, pauses, and leaves by intent", async () => {
    const ticket = await aTicket();
    const page = await enter(ticket);
    await page.getByText("You are connected. Keep this page open.").waitFor();
    await seeAll(page, "room-waiting");
    const desk = await answer(ticket);
    await see(page, "Demo Agent is with you");
    await seeFrames(desk, 3);
    await seeAll(page, "room-voice");
    await desk.evaluate("room.setCamera(true)");
    await page.getByLabel("Video of Demo Agent").waitFor();
    await eventually(async () => {
      expect(
        await page.evaluate<number>(
          "document.querySelector('[data-place=large] video').videoWidth",
        ),
      ).to.be.greaterThan(0);
      expect(await page.locator("[data-own]").getAttribute("data-place")).to.equal("small");
    });
    await seeAll(page, "room-video");
    await desk.evaluate("room.setCamera(false)");

    await desk.evaluate(`room.sendChat("Please show me the meter")`);
    await press(page, "Open the chat, new messages: 1");
    await page.getByText("Please show me the meter").waitFor();
    await page.getByLabel("Message", { exact: true }).fill("Here it is");
    await page.keyboard.press("Enter");
    await page.getByLabel("Send a photo").setInputFiles({
      name: "meter.png",
      mimeType: "image/png",
      buffer: Buffer.from(
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
        "base64",
      ),
    });
    await page.getByText("meter.png was sent").waitFor();
    expect(await page.getByText("Photo taken and sent").count()).to.equal(0);
    await eventually(async () => {
      expect(await desk.evaluate("room.view().messages.map(({ text }) => text)")).to.include(
        "Here it is",
      );
      expect(await desk.evaluate<unknown[]>("room.view().shared")).to.have.length(1);
    });
    await seeAll(page, "room-chat");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Open the chat", exact: true }).waitFor();

    await press(page, "Pause picture and sound");
    await page.getByText("Nobody sees or hears you.").waitFor();
    await seeAll(page, "room-paused");
    await press(page, "Resume picture and sound");
    await press(page, "Mute the mic");
    await page.getByRole("button", { name: "Switch the mic on" }).waitFor();

    await press(page, "Leave the call");
    await seeAll(page, "room-leave");
    await press(page, "Stay in the call");
    await press(page, "Leave the call");
    await page.getByRole("alertdialog").getByRole("button", { name: "Leave the call" }).click();
    await see(page, "You left the call");
    await seeAll(page, "left");
    await press(page, "Return to the call");
    await see(page, "Demo Agent is with you");
  });

  it("does what the agent asks: photo, pointer, drawing; and asks before a recording", async () => {
    const ticket = await aTicket();
    const page = await enter(ticket);
    const desk = await answer(ticket);
    await see(page, "Demo Agent is with you");
    await seeFrames(desk, 1);
    const taken = await order(desk, { name: "snapshot" });
    expect(taken.ok).to.equal(true);
    await page.getByText("Photo taken and sent").waitFor();

    await desk.evaluate("room.movePointer({ x: 0.5, y: 0.5 })");
    await page.getByTestId("pointer").waitFor();
    await seeAll(page, "room-pointer");
    await desk.evaluate(`room.changeBoard({ op: "open", mediaId: ${taken.mediaId}, shapes: [] })`);
    const shape = {
      id: "5e0f3b1e-7b3c-4a53-9a3f-0d9d7d6a1f10",
      tool: "arrow",
      color: "#e6003c",
      points: [
        { x: 0.2, y: 0.2 },
        { x: 0.6, y: 0.6 },
      ],
      number: 1,
    };
    await desk.evaluate(`room.changeBoard({ op: "put", shape: ${JSON.stringify(shape)} })`);
    await page.getByRole("img", { name: "Photo with drawings of Demo Agent" }).waitFor();
    await eventually(async () => {
      expect(
        await page.evaluate<number>("document.querySelector('img')?.naturalWidth ?? 0"),
      ).to.be.greaterThan(300);
    });
    await seeAll(page, "room-board");
    await desk.evaluate(`room.changeBoard({ op: "close" })`);

    await desk.evaluate("void room.askToRecord()");
    await page.getByRole("alertdialog", { name: "Allow the recording?" }).waitFor();
    await seeAll(page, "room-record");
    await press(page, "Accept");
    await page.getByText("Recording", { exact: true }).waitFor();
    await seeAll(page, "room-recording");
  });

  it("continues after a reload, moves to another tab and back, and ends with the survey", async () => {
    const ticket = await aTicket();
    const page = await enter(ticket);
    const desk = await answer(ticket);
    await see(page, "Demo Agent is with you");
    await page.reload();
    await see(page, "Demo Agent is with you");

    const other = await browser.openBeside(page);
    await other.goto(String(ticket["requestor_url"]));
    await press(other, "Start");
    await other.getByLabel("I accept the terms of use").check();
    await other.getByLabel("I have read the privacy notice").check();
    await press(other, "Agree and continue");
    await press(other, "Join the call");
    await see(other, "Demo Agent is with you");
    await see(page, "The call continues on another page");
    await seeAll(page, "elsewhere");
    await press(page, "Use this page instead");
    await see(page, "Demo Agent is with you");
    await see(other, "The call continues on another page");
    await other.close();

    await desk.evaluate("room.end()");
    await see(page, "How was it?");
    await page.reload();
    await see(page, "How was it?");
    await press(page, "Send");
    await page.getByText("Choose an answer for each question.").waitFor();
    await page.getByText("Very satisfied").click();
    await seeAll(page, "survey");
    await press(page, "Send");
    await see(page, "Thank you");
    await seeAll(page, "thanks");
    const answers = await rowsOf(platform.db, "SELECT 1 FROM survey_answers WHERE ticket_id = ?", [
      ticket["id"],
    ]);
    expect(answers).to.have.length(1);
    await page.reload();
    await see(page, "Thank you");
  });

  it("shows that the network is away, and restores the call", async () => {
    const ticket = await aTicket();
    const page = await enter(ticket);
    await answer(ticket);
    await see(page, "Demo Agent is with you");
    await page.context().setOffline(true);
    await page.getByText("Your connection was lost. It is being restored.").waitFor();
    await seeAll(page, "room-reconnecting");
    await page.context().setOffline(false);
    await page.getByText("Your connection was lost.").waitFor({ state: "detached" });
    await see(page, "Demo Agent is with you");
  });

  it("works in a page of an allowed site, and reports to it what happens", async () => {
    const site = "https://crm.customer.example";
    const { body } = await (await platform.rest(admin)).succeed("GET /users/me");
    await (
      await platform.rest(admin)
    ).succeed(`POST /enterprises/${String(body["enterpriseId"])}/domains`, {
      body: { domain: "crm.customer.example", alias: "video.crm.customer.example" },
    });
    const ticket = await aTicket();
    const page = await browser.open({
      hosts: ["crm.customer.example"],
      viewport: phone,
      context: { permissions: [...context.permissions, "local-network-access"] },
    });
    await page.route(`${site}/**`, (route) =>
      route.fulfill(
        route.request().url().endsWith("/listen.js")
          ? {
              contentType: "text/javascript",
              body: "window.received = []; addEventListener('message', (m) => received.push(m.data));",
            }
          : {
              contentType: "text/html",
              body: `<!doctype html><title>CRM</title><script src="/listen.js"></script>
                <iframe title="Call" style="width:100%;height:760px"
                  allow="microphone;camera;geolocation;display-capture"
                  src="${String(ticket["requestor_url"])}"></iframe>`,
            },
      ),
    );
    await page.goto(`${site}/`);
    const frame = page.frameLocator("iframe");
    await frame.getByRole("button", { name: "Start" }).click();
    await frame.getByLabel("I accept the terms of use").check();
    await frame.getByLabel("I have read the privacy notice").check();
    await frame.getByRole("button", { name: "Agree and continue" }).click();
    await frame.getByRole("button", { name: "Join the call" }).click();
    const desk = await answer(ticket);
    await frame.getByRole("heading", { name: "Demo Agent is with you" }).waitFor();
    await seeFrames(desk, 1);
    const { mediaId } = await order(desk, { name: "snapshot" });
    await desk.evaluate("room.end()");
    await frame.getByRole("heading", { name: "How was it?" }).waitFor();
    expect(await page.evaluate("received")).to.deep.equal([
      { source: "sightline", type: "ready" },
      { source: "sightline", type: "joined" },
      { source: "sightline", type: "snapshot", mediaId },
      { source: "sightline", type: "ended" },
    ]);
  });
});
