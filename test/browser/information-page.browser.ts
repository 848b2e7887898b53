import { expect } from "chai";
import type { Page } from "playwright-core";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { agent, useBrowserPlatform } from "../support/browser-platform.ts";
import {
  findBarriers,
  seeFits,
  screenshot,
  screenshots,
  useBrowser,
  type OpenOptions,
} from "../support/browser.ts";
import type { RestClient } from "../support/rest-client.ts";

const small = { width: 320, height: 640 };

describe("the information page of a customer", function () {
  this.timeout(90_000);
  const platform = useBrowserPlatform();
  const browser = useBrowser();

  let rest: RestClient;
  before(async () => {
    rest = await platform.rest(agent);
  });
  const aTicket = async (more: Record<string, unknown> = {}): Promise<Record<string, unknown>> => {
    const body = { agent: agent.login, email: "jane@customer.example", invite: 1, ...more };
    return (await rest.succeed("POST /tickets", { body })).body;
  };
  const open = async (
    ticket: Record<string, unknown>,
    options: OpenOptions = {},
  ): Promise<Page> => {
    const page = await browser.open({ viewport: small, ...options });
    await page.goto(String(ticket["information_page_url"]));
    return page;
  };
  const stateOf = async (ticket: Record<string, unknown>): Promise<unknown> => {
    return (await rest.succeed(`GET /tickets/${String(ticket["id"])}`)).body["state"];
  };

  it("shows the caller, the subject, the time and the requested permissions, at 320 pixels", async () => {
    const subject = "Water damage in the kitchen of the flat on the second floor";
    const startTime = new Date(Date.now() + 26 * 3_600_000).toISOString();
    const page = await open(await aTicket({ subject, language: "en", startTime }));
    await page.getByRole("heading", { name: "Demo Agent invites you to a video call" }).waitFor();
    await page.getByText("Demo", { exact: true }).waitFor();
    await page.getByText(subject).waitFor();
    await page.getByText(/^(Tomorrow|\w+day \d+ \w+), \d\d:\d\d to \d\d:\d\d$/u).waitFor();
    await page.getByText("So that you can show what you see.").waitFor();
    await page.getByText("Nothing starts until you agree.").waitFor();
    await seeFits(page);
    expect(await findBarriers(page)).to.deep.equal([]);
    await screenshot(page, "information-320");
    await screenshots(page, "information");
  });

  it("links to the customer page, or has no start button if that page does not exist", async () => {
    const ticket = await aTicket({ language: "en" });
    const page = await open(ticket);
    const start = page.getByRole("link", { name: "Start the video call" });
    expect(await start.getAttribute("href")).to.equal(ticket["requestor_url"]);
    await screenshot(page, "information-start");
    await start.click();
    await page.getByRole("heading", { name: "Demo Agent invites you to a video call" }).waitFor();
    await page.getByRole("button", { name: "Start" }).waitFor();
    const { pathname } = new URL(String(ticket["requestor_url"]));
    await page.route(`**${pathname}`, (route) => route.fulfill({ status: 404, body: "" }));
    await page.goto(String(ticket["information_page_url"]));
    await page.getByText("A button appears here when the video call can start.").waitFor();
    expect(await start.count()).to.equal(0);
  });

  it("is rendered again only if the content has changed, and keeps the focus", async () => {
    const ticket = await aTicket({ language: "en", subject: "A leak" });
    const page = await browser.open({ viewport: small });
    await page.clock.install();
    await page.goto(String(ticket["information_page_url"]));
    const decline = page.getByRole("button", { name: "No, thank you" });
    await decline.focus();
    await page.evaluate(`new MutationObserver(() => {
      document.body.dataset.drawn = Number(document.body.dataset.drawn || 0) + 1;
    }).observe(document.querySelector("main"), { childList: true })`);
    const isAskedAgain = page.waitForResponse((answer) => answer.request().method() === "HEAD");
    await page.clock.fastForward(61_000);
    await isAskedAgain;
    await rowsOf(platform.db, "UPDATE tickets SET subject = 'A flood' WHERE id = ?", [
      ticket["id"],
    ]);
    await page.clock.fastForward(31_000);
    await page.getByText("A flood").waitFor();
    expect(await page.evaluate("document.body.dataset.drawn")).to.equal("1");
    expect(await page.evaluate("document.activeElement.textContent")).to.equal("No, thank you");
  });

  it("lets the customer decline after a confirmation, and notifies the agent", async () => {
    const ticket = await aTicket({ language: "en" });
    const page = await open(ticket);
    await page.getByRole("button", { name: "No, thank you" }).click();
    await page.getByRole("heading", { name: "Decline the invitation?" }).waitFor();
    await page.getByRole("button", { name: "Go back" }).click();
    await page.getByRole("button", { name: "No, thank you" }).click();
    expect(await stateOf(ticket)).to.equal("invited");
    await screenshot(page, "information-decline");
    await page.getByRole("button", { name: "Yes, decline" }).click();
    await page.getByRole("heading", { name: "You declined the invitation" }).waitFor();
    expect(await stateOf(ticket)).to.equal("declined");
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.reload();
    await page.getByText("If you change your mind, contact").waitFor();
    await screenshot(page, "information-declined");
  });

  it("says that nothing was declined if the platform was unreachable", async () => {
    const ticket = await aTicket({ language: "en" });
    const page = await open(ticket);
    await page.route("**/api/guest/decline", (route) => route.abort());
    await page.getByRole("button", { name: "No, thank you" }).click();
    await page.getByRole("button", { name: "Yes, decline" }).click();
    await page.getByRole("heading", { name: "The page could not be loaded" }).waitFor();
    expect(await stateOf(ticket)).to.equal("invited");
    await page.unroute("**/api/guest/decline");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("button", { name: "Yes, decline" }).click();
    await page.getByRole("heading", { name: "You declined the invitation" }).waitFor();
  });

  for (const [language, heading] of [
    ["fr", "vous invite à un appel vidéo"],
    ["de", "lädt Sie zu einem Videoanruf ein"],
    ["es", "le invita a una videollamada"],
    ["it", "la invita a una videochiamata"],
    ["nl", "nodigt u uit voor een videogesprek"],
    ["pt", "convida-o\\(a\\) para uma videochamada"],
  ] as const) {
    it(`uses the ticket's language, ${language}, without overflow`, async () => {
      const page = await open(await aTicket({ language }));
      await page.getByRole("heading", { name: new RegExp(heading, "u") }).waitFor();
      expect(await page.evaluate("document.documentElement.lang")).to.equal(language);
      await seeFits(page);
    });
  }

  it("supports another language on request, even in dark mode", async () => {
    const page = await open(await aTicket({ language: "fr" }), { colors: "dark" });
    await page.getByLabel("Langue").selectOption("de");
    await page.getByRole("heading", { name: /lädt Sie/u }).waitFor();
    await page.getByLabel("Sprache").waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await screenshot(page, "information-dark");
  });

  it("escapes the texts of an agent", async () => {
    const page = await open(
      await aTicket({ language: "en", subject: "<img src=x onerror=alert(1)>" }),
    );
    await page.getByText("<img src=x onerror=alert(1)>").waitFor();
  });

  for (const [what, code] of [
    ["nobody has", "LchoxMPI4X"],
    ["no link can have", "x"],
  ] as const) {
    it(`has a friendly page for a link that ${what}`, async () => {
      const page = await browser.open({ viewport: small });
      await page.goto(`${platform.url}/i/${code}`);
      await page.getByRole("heading", { name: "Link not found" }).waitFor();
      expect(await findBarriers(page)).to.deep.equal([]);
    });
  }

  it("says that the page cannot be loaded, and recovers", async () => {
    const ticket = await aTicket({ language: "en" });
    const page = await browser.open({ viewport: small });
    await page.route("**/api/guest/**", (route) => route.abort());
    await page.goto(String(ticket["information_page_url"]));
    await page.getByRole("heading", { name: "The page could not be loaded" }).waitFor();
    await page.unroute("**/api/guest/**");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("heading", { name: /invites you/u }).waitFor();
  });

  it("shows an expired invitation as ended", async () => {
    const ticket = await aTicket({ language: "en" });
    await rowsOf(platform.db, "UPDATE tickets SET state = 'expired' WHERE id = ?", [ticket["id"]]);
    const page = await open(ticket);
    await page.getByRole("heading", { name: "This invitation has expired" }).waitFor();
    expect(await page.getByRole("button", { name: "No, thank you" }).count()).to.equal(0);
  });
});
