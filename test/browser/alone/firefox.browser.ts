/** Calls and pages in Firefox. Requires Firefox (Debian: firefox-esr). */
import { expect } from "chai";
import { views } from "../../../web/build/pages.ts";
import { admin, agent, useBrowserPlatform } from "../../support/browser-platform.ts";
import { useBrowser } from "../../support/browser.ts";
import { eventually } from "../../support/eventually.ts";
import { useFirefox, type FirefoxPage } from "../../support/firefox.ts";
import { meetingPages, seeFrames, seeRoom } from "../../support/meeting-pages.ts";
import type { Login } from "../../support/rest-client.ts";
import { press, seeHeading } from "../../support/screens.ts";
import { agree, devices } from "../../support/visit-pages.ts";

type Evaluates = { evaluate(expression: string): Promise<unknown> };

/** Resolves when the page shows a new picture of others: only the own one is muted. */
const nextPicture = `new Promise((resolve, reject) => {
  for (const one of document.querySelectorAll("video")) {
    if (!one.muted) one.requestVideoFrameCallback(() => resolve(true));
  }
  setTimeout(() => reject(new Error("No picture")), 3_000);
})`;

describe("in Firefox", function () {
  this.timeout(180_000);
  const platform = useBrowserPlatform();
  const chromium = useBrowser();
  const meetings = meetingPages(platform, chromium);
  const firefox = useFirefox();

  const signIn = async (login: Login): Promise<FirefoxPage> => {
    const page = await firefox.open();
    await page.goto(`${platform.url}/`);
    const body = JSON.stringify(JSON.stringify(login));
    const status = await page.evaluate<number>(`fetch("/api/browser-session", {
      method: "POST", headers: { "content-type": "application/json" }, body: ${body},
    }).then((answer) => answer.status)`);
    expect(status).to.be.within(200, 299);
    return page;
  };

  const aTicket = async (): Promise<Record<string, unknown>> => {
    const rest = await platform.rest(agent);
    const body = { agent: agent.login, email: "jane@customer.example", firstname: "Jane" };
    const made = await rest.succeed("POST /tickets", {
      body: { ...body, language: "en", invite: 1 },
    });
    return made.body;
  };

  const addressOf = (ticket: Record<string, unknown>): string =>
    `${platform.url}/agent/entrypoint/${String(ticket["button_id"])}/tickets/${String(ticket["id"])}`;

  /** Waits until the page shows moving pictures of others. */
  const seeVideo = async (page: Evaluates): Promise<void> => {
    const pictures = async () => {
      await page.evaluate(nextPicture);
      await page.evaluate(nextPicture);
    };
    await eventually(pictures, { timeoutMs: 30_000 });
  };

  it("an agent answers, sees the customer, takes a photo and ends the call", async () => {
    const ticket = await aTicket();
    const page = await signIn(agent);
    await page.goto(addressOf(ticket));
    await page.seeText("Waiting for Jane");
    const customer = await chromium.open({ context: devices });
    await customer.goto(String(ticket["requestor_url"]));
    await agree(customer);
    await press(customer, "Join the call");
    await page.press("Answer");
    await seeHeading(customer, "Demo Agent is with you");
    await seeVideo(page);
    await page.click('[data-tool="camera"]');
    await seeVideo(customer);
    await page.click('[data-tool="photo"]');
    await eventually(() =>
      page.evaluate<boolean>(`document.querySelector("[data-media]") !== null`),
    );
    await page.click('[data-tool="end"]');
    await page.press("End call");
    await page.seeText("The call has ended");
    await seeHeading(customer, /ended|How was it/u);
  });

  it("a customer consents, joins, sees the agent, chats, and comes back", async () => {
    const ticket = await aTicket();
    const page = await firefox.open();
    await page.goto(String(ticket["requestor_url"]));
    await page.press("Start");
    await page.click("input[type=checkbox]:not(:checked)");
    await page.click("input[type=checkbox]:not(:checked)");
    await page.press("Agree and continue");
    await page.press("Allow camera and microphone");
    await page.press("Join the call");
    const staff = await chromium.open({ context: devices });
    await platform.signIn(staff, agent, new URL(addressOf(ticket)).pathname);
    await press(staff, "Answer");
    await seeVideo(staff);
    await staff.locator('[data-tool="camera"]').click();
    await seeVideo(page);
    await page.press("Open the chat");
    await page.click("textarea");
    await page.type("Here it is");
    await page.press("Send");
    await staff.getByText("Here it is").waitFor();
    await page.goto(String(ticket["requestor_url"]));
    await page.seeText("Demo Agent is with you");
    await seeVideo(page);
    await seeVideo(staff);
  });

  it("a guest meets an organizer who uses Chromium", async () => {
    const meeting = await meetings.create();
    const host = await meetings.host(meeting);
    const guest = await firefox.open();
    await guest.goto(meeting.url);
    await guest.click("input");
    await guest.type("Nia");
    await guest.press("Join");
    await Promise.all([seeFrames(host), seeVideo(guest)]);
    await seeRoom(host);
  });

  it("every page of the console that needs no object opens, and stays", async () => {
    const page = await signIn(admin);
    const addresses = views.filter(
      ({ folder, address }) => folder === "console" && !address.includes("$"),
    );
    expect(addresses).to.not.have.length(0);
    for (const { name, address } of addresses) {
      await page.goto(platform.url + address);
      const words = `(document.querySelector("main")?.innerText ?? "").trim()`;
      // After a fault of a script the page is loaded again within two seconds.
      const isOpen = `document.querySelector("#start") === null && ${words} !== "" && performance.now() > 3_000`;
      await eventually(async () => expect(await page.evaluate(isOpen), name).to.equal(true), {
        timeoutMs: 20_000,
      });
      const how = await page.evaluate('performance.getEntriesByType("navigation")[0].type');
      expect(how, name).to.equal("navigate");
    }
  });
});
