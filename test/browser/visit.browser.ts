import type { Locator, Page, Route } from "playwright-core";
import { expect } from "chai";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { agent, useBrowserPlatform } from "../support/browser-platform.ts";
import {
  findBarriers,
  phone,
  screenshots,
  useBrowser,
  type OpenOptions,
} from "../support/browser.ts";
import { camerasRequested, watchCameraRequests } from "../support/camera-requests.ts";
import { eventually } from "../support/eventually.ts";
import type { RestClient } from "../support/rest-client.ts";
import { press, seeHeading } from "../support/screens.ts";
import { agree, devices, devicesAndPosition } from "../support/visit-pages.ts";
import * as keyboard from "./keyboard.ts";

describe("the customer's page", function () {
  this.timeout(90_000);
  const platform = useBrowserPlatform();
  const browser = useBrowser();

  let rest: RestClient;
  before(async () => {
    rest = await platform.rest(agent);
  });
  type Ticket = Record<string, unknown>;
  const aTicket = async (more: Ticket = {}): Promise<Ticket> => {
    const body = { agent: agent.login, email: "jane@customer.example", invite: 1, ...more };
    return (await rest.succeed("POST /tickets", { body: { language: "en", ...body } })).body;
  };
  const open = async (ticket: Ticket, options: OpenOptions = {}): Promise<Page> => {
    const page = await browser.open({ viewport: phone, context: devices, ...options });
    await page.goto(String(ticket["requestor_url"]));
    return page;
  };
  const stateOf = async (ticket: Ticket): Promise<unknown> =>
    (await rest.succeed(`GET /tickets/${String(ticket["id"])}`)).body["state"];
  /** From the database, because polling the API would use up the page's rate limit. */
  const entriesOf = async (ticket: Ticket): Promise<string[]> => {
    const rows = await rowsOf<{ event_type: string }>(
      platform.db,
      "SELECT event_type FROM session_events WHERE ticket_id = ? ORDER BY id",
      [ticket["id"]],
    );
    return rows.map(({ event_type: type }) => type);
  };
  const seeAll = async (page: Page, name: string): Promise<void> => {
    expect(await findBarriers(page), name).to.deep.equal([]);
    await screenshots(page, `visit-${name}`);
    await page.setViewportSize(phone);
  };

  it("shows the caller and the reason, and counts as opened once, by a person", async () => {
    const ticket = await aTicket({ subject: "Water damage in the kitchen" });
    const page = await open(ticket);
    await seeHeading(page, "Demo Agent invites you to a video call");
    await page.getByText("Water damage in the kitchen").waitFor();
    await eventually(async () =>
      expect(await entriesOf(ticket)).to.include("ticket.invitationClicked"),
    );
    await seeAll(page, "welcome");
    await page.reload();
    await seeHeading(page, "Demo Agent invites you to a video call");
    expect(
      (await entriesOf(ticket)).filter((type) => type === "ticket.invitationClicked"),
    ).to.have.length(1);
  });

  it("changes nothing when it is only fetched", async () => {
    const ticket = await aTicket();
    const before = await entriesOf(ticket);
    const { status } = await fetch(String(ticket["requestor_url"]));
    expect(status).to.equal(200);
    expect(await entriesOf(ticket)).to.deep.equal(before);
  });

  it("asks for both consents before any device is switched on", async () => {
    const ticket = await aTicket();
    const page = await open(ticket);
    await page.evaluate(watchCameraRequests);
    await press(page, "Start");
    await seeHeading(page, "Your consent");
    await seeAll(page, "consent");
    await press(page, "Agree and continue");
    await page.getByRole("alert").getByText("Select both boxes to continue.").waitFor();
    await page.getByLabel("I accept the terms of use").check();
    await press(page, "Agree and continue");
    expect(await entriesOf(ticket)).to.not.include("consent.accepted");
    expect(await camerasRequested(page)).to.deep.equal([]);
    await page.getByLabel("I have read the privacy notice").check();
    await press(page, "Agree and continue");
    await seeHeading(page, "You are ready");
    expect(await camerasRequested(page), "the rear camera").to.deep.equal(["environment"]);
    expect(await entriesOf(ticket)).to.include("consent.accepted");
    const [stored] = await rowsOf(platform.db, "SELECT * FROM consents WHERE ticket_id = ?", [
      ticket["id"],
    ]);
    expect(stored).to.include({ text_version: "2026-11", language: "en" });
  });

  it("checks camera, microphone and connection, and returns there after a reload", async () => {
    const ticket = await aTicket();
    const page = await open(ticket);
    await agree(page);
    await seeHeading(page, "You are ready");
    await page.getByText("Demo Agent sees this picture when you join.").waitFor();
    expect(await page.getByText("works").count()).to.be.greaterThan(1);
    await eventually(async () => expect(await entriesOf(ticket)).to.include("mediaDevice.allowed"));
    // The fake microphone beeps once per second.
    await page.locator('[role="meter"]:not([aria-valuenow="0"])').waitFor();
    await seeAll(page, "devices");
    await page.reload();
    await seeHeading(page, "You are ready");
  });

  it("shows help for this browser if camera and microphone were refused", async () => {
    const ticket = await aTicket();
    const page = await open(ticket);
    await page.addInitScript(`navigator.mediaDevices.getUserMedia = async () => {
      throw new DOMException("refused", "NotAllowedError");
    };`);
    await page.reload();
    await agree(page);
    await seeHeading(page, "Camera and microphone are blocked");
    await page.getByText("Click the icon to the left of the address at the top.").waitFor();
    await eventually(async () =>
      expect(await entriesOf(ticket)).to.include("mediaDevice.disallowed"),
    );
    await seeAll(page, "refused");
    await page.getByRole("button", { name: "Join without camera and microphone" }).waitFor();
    await page.setViewportSize({ width: 320, height: 460 });
    const lastStep = await page.getByRole("listitem").nth(2).boundingBox();
    const retry = await page.getByRole("button", { name: "Try again" }).boundingBox();
    const stepEnd = (lastStep?.y ?? 0) + (lastStep?.height ?? 0);
    expect(stepEnd, "all steps are in sight on the smallest phone").to.be.below(retry?.y ?? 0);
  });

  it("asks for the position if the service requires it, and accepts a refusal", async () => {
    const ticket = await aTicket();
    const serviceId = (
      await rowsOf<{ service_id: number }>(
        platform.db,
        "SELECT service_id FROM tickets WHERE id = ?",
        [ticket["id"]],
      )
    )[0]?.service_id;
    await rowsOf(platform.db, "UPDATE services SET asks_position = true WHERE id = ?", [serviceId]);
    try {
      const page = await open(ticket, {
        context: {
          ...devicesAndPosition,
          geolocation: { latitude: 48.85, longitude: 2.35, accuracy: 25 },
        },
      });
      await agree(page);
      await seeHeading(page, "Share your location?");
      await seeAll(page, "position");
      await page.reload();
      await seeHeading(page, "Share your location?");
      await press(page, "Share my location");
      await seeHeading(page, "You are ready");
      expect(await entriesOf(ticket)).to.include("geo.ansAllowed");
      const { body } = await rest.succeed(`GET /tickets/${String(ticket["id"])}/position`);
      expect(body).to.deep.include({ geoloc: { lat: 48.85, lng: 2.35 }, accuracy: 25 });
      const other = await aTicket();
      const refusing = await open(other);
      await agree(refusing);
      await press(refusing, "Share my location");
      await refusing.getByText("Your location could not be read.").waitFor();
      await press(refusing, "Do not share");
      await seeHeading(refusing, "You are ready");
      expect(await entriesOf(other)).to.include("geo.ansDisallowed");
    } finally {
      await rowsOf(platform.db, "UPDATE services SET asks_position = false WHERE id = ?", [
        serviceId,
      ]);
    }
  });

  it("lets the customer decline after a confirmation", async () => {
    const ticket = await aTicket();
    const page = await open(ticket);
    await press(page, "No, thank you");
    await seeHeading(page, "Decline the invitation?");
    await press(page, "Go back");
    await press(page, "No, thank you");
    await seeAll(page, "decline");
    expect(await stateOf(ticket)).to.equal("invited");
    const loseResponse = async (route: Route): Promise<void> => {
      await route.fetch();
      await route.abort();
    };
    await page.route("**/api/guest/decline", loseResponse, { times: 1 });
    await press(page, "Yes, decline");
    await page.getByText("Check your connection and try again.").waitFor();
    await press(page, "Yes, decline");
    await seeHeading(page, "You declined the invitation");
    await seeAll(page, "declined");
    expect(await stateOf(ticket)).to.equal("declined");
    await page.reload();
    await seeHeading(page, "You declined the invitation");
    await page.getByText("If you change your mind, contact").waitFor();
    await seeAll(page, "declined-before");
  });

  it("says that the platform is unreachable, and recovers", async () => {
    const ticket = await aTicket();
    const page = await browser.open({ viewport: phone });
    await page.route("**/api/guest/**", (route) => route.abort());
    await page.goto(String(ticket["requestor_url"]));
    await seeHeading(page, "The page could not be loaded");
    await seeAll(page, "failed");
    await page.unroute("**/api/guest/**");
    await press(page, "Try again");
    await seeHeading(page, /invites you/u);
    await page.route("**/api/guest/consent", (route) => route.abort());
    await agree(page);
    const fault = page.getByRole("alert").getByText("Check your connection");
    await fault.waitFor();
    await press(page, "No, thank you");
    await seeHeading(page, "Decline the invitation?");
    expect(await fault.count(), "an error of another screen").to.equal(0);
    await press(page, "Go back");
    await page.unroute("**/api/guest/consent");
    await agree(page);
    await seeHeading(page, /Camera and microphone|You are ready/u);
  });

  it("is usable by keyboard only, from the link to the end of the call", async () => {
    const page = await open(await aTicket());
    await seeHeading(page, /invites you/u);
    const button = (name: string): Locator => page.getByRole("button", { name, exact: true });
    await keyboard.press(page, button("Start"));
    await seeHeading(page, "Your consent");
    expect(await page.evaluate("document.activeElement.textContent")).to.equal("Your consent");
    for (const name of ["I accept the terms of use", "I have read the privacy notice"]) {
      await keyboard.press(page, page.getByLabel(name), "Space");
    }
    await keyboard.press(page, button("Agree and continue"));
    await seeHeading(page, "You are ready");
    await keyboard.press(page, button("Join the call"));
    await seeHeading(page, "Demo Agent will be with you in a moment");
    await keyboard.press(page, button("Mute the mic"));
    await button("Unmute the mic").waitFor();
    await keyboard.press(page, button("Open the chat"));
    await keyboard.write(page, "Message", "I am at the meter");
    await page.keyboard.press("Enter");
    await page.getByRole("log", { name: "Chat" }).getByText("I am at the meter").waitFor();
    await page.keyboard.press("Escape");
    await button("Open the chat").waitFor();
    await keyboard.press(page, button("Leave the call"));
    const question = page.getByRole("alertdialog", { name: "Leave the call?" });
    await keyboard.press(page, question.getByRole("button", { name: "Leave the call" }), "Space");
    await seeHeading(page, "You left the call");
    await keyboard.tabTo(page, button("Return to the call"));
  });

  it("asks to open a full browser from an in-app browser without camera access", async () => {
    const userAgent =
      "Mozilla/5.0 (Linux; Android 14; Pixel 8; wv) AppleWebKit/537.36 (KHTML, like Gecko) " +
      "Version/4.0 Chrome/120.0.0.0 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/443.0.0.0;]";
    const ticket = await aTicket();
    const page = await open(ticket, { context: { ...devices, userAgent } });
    await press(page, "Start");
    await seeHeading(page, "Open this page in your browser");
    const link = page.getByRole("link", { name: "Open in Chrome" });
    expect(await link.getAttribute("href")).to.match(
      /^intent:\/\/localhost:\d+\/v\/\w{22}#Intent;/u,
    );
    await seeAll(page, "in-app");
    await press(page, "Try here anyway");
    await seeHeading(page, "Your consent");
  });

  it("says so if the browser does not support calls", async () => {
    const page = await browser.open({ viewport: phone });
    await page.addInitScript("delete window.RTCPeerConnection");
    await page.goto(String((await aTicket())["requestor_url"]));
    await press(page, "Start");
    await seeHeading(page, "This browser cannot make video calls");
    await seeAll(page, "unsupported");
  });
});
