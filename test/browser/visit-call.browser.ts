import { expect } from "chai";
import type { Page } from "playwright-core";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { admin, agent, useBrowserPlatform } from "../support/browser-platform.ts";
import {
  findBarriers,
  phone,
  screenshots,
  useBrowser,
  type OpenOptions,
} from "../support/browser.ts";
import { staffToken } from "../support/call-customer.ts";
import { eventually } from "../support/eventually.ts";
import { useNetwork } from "../support/network.ts";
import type { RestClient } from "../support/rest-client.ts";
import { openCore, seeFrames } from "../support/rooms-core.ts";
import { press, seeHeading } from "../support/screens.ts";
import { agree, devicesAndPosition, joinAndWait, leaveTheCall } from "../support/visit-pages.ts";

describe("the customer's page during a call", function () {
  this.timeout(120_000);
  const platform = useBrowserPlatform();
  const browser = useBrowser();
  const network = useNetwork();

  let rest: RestClient;
  before(async () => {
    rest = await platform.rest(agent);
  });
  type Ticket = Record<string, unknown>;
  const aTicket = async (): Promise<Ticket> => {
    const body = { agent: agent.login, email: "jane@customer.example", invite: 1, language: "en" };
    return (await rest.succeed("POST /tickets", { body })).body;
  };
  const seeAll = async (page: Page, name: string): Promise<void> => {
    await screenshots(page, `visit-${name}`);
    await page.setViewportSize(phone);
    expect(await findBarriers(page), name).to.deep.equal([]);
  };
  const enter = async (ticket: Ticket, more: OpenOptions["context"] = {}): Promise<Page> => {
    const page = await browser.open({
      ...{ viewport: phone, context: { ...devicesAndPosition, ...more } },
      expectedErrors: [/WebSocket connection to .* failed/u],
    });
    await page.goto(String(ticket["requestor_url"]));
    await agree(page);
    await joinAndWait(page);
    return page;
  };
  /** Joins as the agent through the core of the rooms, without the agent's page. */
  const answer = async (ticket: Ticket): Promise<Page> => {
    const token = await staffToken(rest, Number(ticket["id"]));
    const page = await openCore(browser, { url: platform.url, token, facing: "user" });
    await page.evaluate("room.setCamera(false).then(() => room.join())");
    return page;
  };
  const customerIn = `room.view().peers.find(({ role }) => role === "requestor").id`;
  const order = (agentPage: Page, command: object): Promise<{ ok: boolean; mediaId?: number }> =>
    agentPage.evaluate(`room.command(${customerIn}, ${JSON.stringify(command)})`);

  it("waits, then receives audio and sends video, chats, sends a file, pauses, and leaves", async () => {
    const ticket = await aTicket();
    const page = await enter(ticket);
    await page.getByText("You are connected. Keep this page open.").waitFor();
    await seeAll(page, "room-waiting");
    const agentPage = await answer(ticket);
    await seeHeading(page, "Demo Agent is with you");
    await seeFrames(agentPage, 3);
    await seeAll(page, "room-voice");
    await agentPage.evaluate("room.setCamera(true)");
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
    await agentPage.evaluate("room.setCamera(false)");

    await agentPage.evaluate(`room.sendChat("Please show me the meter")`);
    await press(page, "Open the chat, new messages: 1");
    await page.getByText("Please show me the meter").waitFor();
    await page.getByLabel("Message", { exact: true }).fill("Here it is");
    await page.keyboard.press("Enter");
    await page.evaluate(`{
      const [real, lost] = [fetch, []];
      window.fetch = async (...call) => {
        const answer = await real(...call);
        if (call[0].startsWith("/api/guest/medias") && lost.push(call) === 1) {
          throw new TypeError("The answer is lost");
        }
        return answer;
      };
    }`);
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
    const stored = "SELECT 1 FROM media WHERE ticket_id = ?";
    expect(await rowsOf(platform.db, stored, [Number(ticket["id"])])).to.have.length(1);
    await eventually(async () => {
      expect(await agentPage.evaluate("room.view().messages.map(({ text }) => text)")).to.include(
        "Here it is",
      );
      expect(await agentPage.evaluate<unknown[]>("room.view().shared")).to.have.length(1);
    });
    await seeAll(page, "room-chat");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Open the chat", exact: true }).waitFor();

    await press(page, "Pause picture and sound");
    await page.getByText("No one sees or hears you.").waitFor();
    await seeAll(page, "room-paused");
    await press(page, "Resume picture and sound");
    await press(page, "Mute the mic");
    await page.getByRole("button", { name: "Unmute the mic" }).waitFor();

    await press(page, "Leave the call");
    await seeAll(page, "room-leave");
    await press(page, "Stay in the call");
    await leaveTheCall(page);
    await seeAll(page, "left");
    await press(page, "Return to the call");
    await seeHeading(page, "Demo Agent is with you");
  });

  it("executes the agent's commands: photo, pointer, drawing; and asks before a recording", async () => {
    const ticket = await aTicket();
    const page = await enter(ticket);
    const agentPage = await answer(ticket);
    await seeHeading(page, "Demo Agent is with you");
    await seeFrames(agentPage, 1);
    const taken = await order(agentPage, { name: "snapshot" });
    expect(taken.ok).to.equal(true);
    await page.getByText("Photo taken and sent").waitFor();

    await agentPage.evaluate("room.movePointer({ x: 0.5, y: 0.5 })");
    await page.getByTestId("pointer").waitFor();
    await seeAll(page, "room-pointer");
    await agentPage.evaluate(
      `room.changeBoard({ op: "open", mediaId: ${taken.mediaId}, shapes: [] })`,
    );
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
    await agentPage.evaluate(`room.changeBoard({ op: "put", shape: ${JSON.stringify(shape)} })`);
    await page.getByRole("img", { name: "Photo with drawings of Demo Agent" }).waitFor();
    await eventually(async () => {
      expect(
        await page.evaluate<number>("document.querySelector('img')?.naturalWidth ?? 0"),
      ).to.be.greaterThan(300);
    });
    await seeAll(page, "room-board");
    await agentPage.evaluate(`room.changeBoard({ op: "close" })`);

    await agentPage.evaluate("void room.askToRecord()");
    await page.getByRole("alertdialog", { name: "Allow the recording?" }).waitFor();
    await seeAll(page, "room-record");
    await press(page, "Accept");
    await page.getByText("Recording", { exact: true }).waitFor();
    await seeAll(page, "room-recording");
  });

  it("continues after a reload, moves to another tab and back, and ends with the survey", async () => {
    const ticket = await aTicket();
    const page = await enter(ticket);
    const agentPage = await answer(ticket);
    await seeHeading(page, "Demo Agent is with you");
    await page.reload();
    await seeHeading(page, "Demo Agent is with you");

    const other = await browser.openBeside(page);
    await other.goto(String(ticket["requestor_url"]));
    await agree(other);
    await press(other, "Join the call");
    await seeHeading(other, "Demo Agent is with you");
    await seeHeading(page, "The call continues on another page");
    await seeAll(page, "elsewhere");
    await press(page, "Use this page instead");
    await seeHeading(page, "Demo Agent is with you");
    await seeHeading(other, "The call continues on another page");
    await other.close();

    await page.route("**/api/guest/survey", (route) => route.abort(), { times: 1 });
    await agentPage.evaluate("room.end()");
    await press(page, "Try again");
    await seeHeading(page, "How was it?");
    await page.reload();
    await seeHeading(page, "How was it?");
    await press(page, "Send");
    await page.getByText("Choose an answer for each question.").waitFor();
    await page.getByText("Very satisfied").click();
    await seeAll(page, "survey");
    await press(page, "Send");
    await seeHeading(page, "Thank you");
    await seeAll(page, "thanks");
    const answers = await rowsOf(platform.db, "SELECT 1 FROM survey_answers WHERE ticket_id = ?", [
      ticket["id"],
    ]);
    expect(answers).to.have.length(1);
    await page.reload();
    await seeHeading(page, "Thank you");
  });

  it("shows that the network is unavailable, and restores the call", async () => {
    const ticket = await aTicket();
    const page = await enter(ticket, { proxy: network.proxy });
    const agentPage = await answer(ticket);
    await seeHeading(page, "Demo Agent is with you");
    network.takeAway();
    const banner = page.getByText("The connection was lost. It is being restored.");
    await banner.waitFor();
    await seeAll(page, "room-reconnecting");
    await agentPage.evaluate(`room.sendChat("Are you there?")`);
    expect(await banner.isVisible()).to.equal(true);
    network.bringBack();
    await banner.waitFor({ state: "detached" });
    await seeHeading(page, "Demo Agent is with you");
    await press(page, "Open the chat, new messages: 1");
    await page.getByText("Are you there?").waitFor();
  });

  it("works in a frame of an allowed site, and reports events to it", async () => {
    const site = "https://crm.customer.example";
    const { body } = await (await platform.rest(admin)).succeed("GET /users/me");
    await (
      await platform.rest(admin)
    ).succeed(`POST /enterprises/${String(body["enterpriseId"])}/domains`, {
      body: { domain: "crm.customer.example", alias: "video.crm.customer.example" },
    });
    const ticket = await aTicket();
    const page = await frameAt(site, ticket);
    const frame = page.frameLocator("iframe");
    await agree(frame);
    await press(frame, "Join the call");
    const agentPage = await answer(ticket);
    await seeHeading(frame, "Demo Agent is with you");
    await seeFrames(agentPage, 1);
    const { mediaId } = await order(agentPage, { name: "snapshot" });
    await leaveTheCall(frame);
    await press(frame, "Return to the call");
    await eventually(() => page.evaluate("received.at(-1).type === 'joined'"));
    await agentPage.evaluate("room.end()");
    await seeHeading(frame, "How was it?");
    expect(await page.evaluate("received")).to.deep.equal([
      { source: "sightline", type: "ready" },
      { source: "sightline", type: "joined" },
      { source: "sightline", type: "snapshot", mediaId },
      { source: "sightline", type: "left" },
      { source: "sightline", type: "joined" },
      { source: "sightline", type: "ended" },
    ]);
    const refused = await frameAt("https://evil.example", await aTicket(), [/frame-ancestors/u]);
    await eventually(() =>
      expect(refused.frames().some((one) => one.url().startsWith("chrome-error"))).to.equal(true),
    );
  });

  /** A page of another site that frames the customer's page and records its messages. */
  const frameAt = async (
    site: string,
    ticket: Ticket,
    expectedErrors: readonly RegExp[] = [],
  ): Promise<Page> => {
    const page = await browser.open({
      hosts: [new URL(site).hostname],
      viewport: phone,
      expectedErrors,
      context: { permissions: [...devicesAndPosition.permissions, "local-network-access"] },
    });
    await page.route(`${site}/**`, (route) =>
      route.fulfill({
        contentType: "text/html",
        body: `<!doctype html><title>CRM</title>
          <script>window.received = []; addEventListener("message", (m) => received.push(m.data));</script>
          <iframe title="Call" style="width:100%;height:760px"
            allow="microphone;camera;geolocation;display-capture"
            src="${String(ticket["requestor_url"])}"></iframe>`,
      }),
    );
    await page.goto(`${site}/`);
    return page;
  };
});
