import { expect } from "chai";
import type { Page } from "playwright-core";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { admin, useBrowserPlatform } from "../support/browser-platform.ts";
import {
  findBarriers,
  phone,
  screenshot,
  screenshots,
  seeFits,
  useBrowser,
  type OpenOptions,
} from "../support/browser.ts";
import type { RestClient } from "../support/rest-client.ts";

const small = { width: 320, height: 640 };

describe("the request form of an entry point", function () {
  this.timeout(90_000);
  const platform = useBrowserPlatform();
  const browser = useBrowser();

  let rest: RestClient;
  let buttonId: number;
  before(async () => {
    rest = await platform.rest(admin);
    const [button] = await rowsOf<{ id: number }>(
      platform.db,
      `SELECT b.id FROM buttons b JOIN services s ON s.id = b.service_id
       WHERE b.enterprise_id = ? AND s.kind = 'ticket' AND b.is_active ORDER BY b.id LIMIT 1`,
      [platform.enterpriseId],
    );
    buttonId = button?.id ?? 0;
  });

  const open = async (options: OpenOptions = {}, id = String(buttonId)): Promise<Page> => {
    const page = await browser.open({ viewport: phone, ...options });
    await page.goto(`${platform.url}/e/${id}`);
    return page;
  };
  const latestTicket = async (): Promise<Record<string, unknown>> => {
    const { body } = await rest.succeed("GET /tickets?limit=1&orderby=id");
    return (body["data"] as Record<string, unknown>[])[0] ?? {};
  };
  const countTickets = async (): Promise<unknown> =>
    (await rest.succeed("GET /tickets?limit=1")).body["total"];

  it("creates an open ticket, and leads to the customer's page", async () => {
    const page = await open();
    await page.getByRole("heading", { name: "Request assistance" }).waitFor();
    await seeFits(page);
    expect(await findBarriers(page)).to.deep.equal([]);
    await screenshots(page, "entry-point");
    await page.getByLabel("First name").fill("Jane");
    await page.getByLabel("Last name").fill("Doe");
    await page.getByLabel("Email address").fill("jane@customer.example");
    await page.getByLabel("Phone number").fill("+33 6 12 34 56 78");
    await page.getByLabel("How can we help you?").fill("Water in the kitchen");
    await page.keyboard.press("Enter");
    const title = page.getByRole("heading", { name: "Your request was sent" });
    await title.waitFor();
    expect(await title.evaluate("document.activeElement.tagName")).to.equal("H1");
    expect(await findBarriers(page)).to.deep.equal([]);
    await screenshots(page, "entry-point-sent");
    const ticket = await latestTicket();
    expect(ticket).to.include({ state: "open", subject: "Water in the kitchen", agent: "" });
    expect(ticket["requestor"]).to.deep.equal({
      ...{ email: "jane@customer.example", phone: "+33612345678" },
      ...{ firstname: "Jane", lastname: "Doe" },
    });
    const link = page.getByRole("link", { name: "Go to the video call" });
    expect(await link.getAttribute("href")).to.equal(ticket["requestor_url"]);
    await link.click();
    await page.waitForURL(String(ticket["requestor_url"]));
    await page.getByRole("button", { name: "Start" }).waitFor();
  });

  it("has errors at the fields, and keeps what was entered", async () => {
    const before = await countTickets();
    const page = await open({ viewport: small, colors: "dark" });
    const [email, number] = [page.getByLabel("Email address"), page.getByLabel("Phone number")];
    const send = page.getByRole("button", { name: "Send request" });
    await send.click();
    await page.getByText("Enter an email address or a phone number.").waitFor();
    expect(await page.evaluate("document.activeElement.id")).to.equal("email");
    await email.fill("jane@");
    await number.fill("0612345678");
    await send.click();
    await page.getByText("Enter a valid email address").waitFor();
    await page.getByText("Enter a valid phone number").waitFor();
    expect(await email.getAttribute("aria-invalid")).to.equal("true");
    expect([await email.inputValue(), await number.inputValue()]).to.deep.equal([
      "jane@",
      "0612345678",
    ]);
    await seeFits(page);
    expect(await findBarriers(page)).to.deep.equal([]);
    await screenshots(page, "entry-point-dark");
    expect(await countTickets()).to.equal(before);
  });

  it("speaks French, and keeps the fields when the language changes", async () => {
    const page = await open({ viewport: small, language: "fr" });
    await page.getByLabel("Prénom").fill("Jeanne");
    await page.getByLabel("Langue").selectOption("de");
    await page.getByRole("heading", { name: "Hilfe anfordern" }).waitFor();
    await seeFits(page);
    await page.getByLabel("Sprache").selectOption("fr");
    expect(await page.getByLabel("Prénom").inputValue()).to.equal("Jeanne");
    await page.getByLabel("Adresse e-mail").fill("jeanne@customer.example");
    await page.getByRole("button", { name: "Envoyer la demande" }).click();
    await page.getByRole("heading", { name: "Votre demande a été envoyée" }).waitFor();
    const { id } = await latestTicket();
    const { body } = await rest.succeed(`GET /tickets/${String(id)}`);
    expect(body["language"]).to.equal("fr");
  });

  it("sends the same fields again after a fault or too many requests", async () => {
    const page = await open();
    const address = "**/api/buttons/*/requests";
    const send = page.getByRole("button", { name: "Send request" });
    await page.getByLabel("Email address").fill("again@customer.example");
    const before = await countTickets();
    // The request arrives, and its answer is lost.
    await page.route(address, async (route) => {
      await route.fetch();
      await route.abort();
    });
    await send.click();
    await page.getByRole("alert").getByText("Your request may have arrived.").waitFor();
    await screenshot(page, "entry-point-failed");
    await page.unroute(address);
    await page.route(address, (route) =>
      route.fulfill({ status: 429, headers: { "Retry-After": "42" }, json: {} }),
    );
    await send.click();
    await page.getByText("Try again in 42 seconds.").waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.unroute(address);
    await send.click();
    await page.getByRole("heading", { name: "Your request was sent" }).waitFor();
    expect((await latestTicket())["requestor"]).to.deep.equal({ email: "again@customer.example" });
    expect(await countTickets()).to.equal(Number(before) + 1);
  });

  for (const id of ["999999999", "x"]) {
    it(`says that there is no entry point ${id}`, async () => {
      const page = await open({}, id);
      await page.getByRole("heading", { name: "This page is not available" }).waitFor();
      expect(await findBarriers(page)).to.deep.equal([]);
    });
  }

  it("says so when the entry point is disabled before the request is sent", async () => {
    const page = await open();
    await page.getByLabel("Email address").fill("late@customer.example");
    const setActive = (isActive: boolean) =>
      rowsOf(platform.db, "UPDATE buttons SET is_active = ? WHERE id = ?", [isActive, buttonId]);
    await setActive(false);
    await page.getByRole("button", { name: "Send request" }).click();
    await page.getByRole("heading", { name: "This page is not available" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "This page is not available" }).waitFor();
    await setActive(true);
  });
});
