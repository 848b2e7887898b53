import { expect } from "chai";
import type { Page, Route } from "playwright-core";
import { admin, agent } from "../support/browser-platform.ts";
import { findBarriers, screenshots } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { useTicketsConsole } from "../support/tickets-console.ts";

describe("the global search of the console", function () {
  // Browser tests are slow on busy machines.
  this.timeout(120_000);
  const { platform, rest, create, open } = useTicketsConsole();

  describe("finds what a caller reads out", () => {
    const searchFor = async (page: Page, text: string): Promise<void> => {
      await page.getByRole("searchbox", { name: "Search" }).fill(text);
      await page.keyboard.press("Enter");
    };

    /** The platform's response to too many concurrent searches. */
    const refuse = (route: Route): Promise<void> =>
      route.fulfill({
        status: 429,
        headers: { "content-type": "application/problem+json", "retry-after": "5" },
        body: JSON.stringify({ status: 429, code: 12, detail: "Too many searches at once." }),
      });

    it("opens the only match of a number, reference or contact", async () => {
      const ticket = await create({
        reference: "FIND/ME",
        phone: "+33699887766",
        email: "find.me@example.org",
      });
      const page = await open(admin, "/messages");
      for (const text of ["FIND/ME", "06 99 88 77 66", "+33699887766", "Find.Me@example.org"]) {
        await page.goto(`${platform.url}/messages`);
        await searchFor(page, text);
        await page.waitForURL(`${platform.url}/tickets/${ticket.id}`);
      }
      await page.goto(`${platform.url}/messages`);
      const delivery = await eventually(async () => {
        const found = await rest().succeed(
          `GET /webhooks/deliveries?object=ticket&objectId=${ticket.id}`,
        );
        return (found.body["data"] as { event_id: string }[])[0] ?? false;
      });
      await searchFor(page, delivery === false ? "" : delivery.event_id);
      await page.waitForURL(/\/dashboard\/explain\?/u);
    });

    it("groups its results, and says what was searched if there are none", async () => {
      await create({ reference: "TWICE" });
      await create({ reference: "TWICE" });
      const page = await open(admin, "/search?q=TWICE");
      await page.getByRole("heading", { name: "2 tickets" }).waitFor();
      await screenshots(page, "search-found");
      expect(await findBarriers(page)).to.deep.equal([]);
      await searchFor(page, "999999999");
      await page.getByText("No results").waitFor();
      await page.getByText(/a delivery with this number/u).waitFor();
      await page.getByRole("link", { name: /Explain/u }).waitFor();
      await screenshots(page, "search-nothing");
      expect(await findBarriers(page)).to.deep.equal([]);
    });

    it("is queued while others search at the same time", async () => {
      const ticket = await create({ reference: "BUSY/1" });
      const page = await open(admin, "/messages");
      await page.route("**/api/tickets?*", refuse, { times: 2 });
      await searchFor(page, "BUSY/1");
      await page.waitForURL(`${platform.url}/tickets/${ticket.id}`);
    });

    it("shows the results found, and names the lists that failed until they respond", async () => {
      const startTime = new Date(Date.now() + 86_400_000).toISOString();
      const body = { name: "AWAY/1", participants: "jane.doe@example.com", startTime };
      await rest().succeed("POST /conferences", { body });
      await create({ reference: "AWAY/1" });
      const page = await open(admin, "/messages");
      await page.route("**/api/tickets?*", refuse);
      await searchFor(page, "AWAY/1");
      await page.getByRole("heading", { name: "1 meeting" }).waitFor({ timeout: 30_000 });
      const fault = page.getByRole("alert");
      await fault.getByText("Tickets could not be searched.").waitFor();
      await screenshots(page, "search-busy");
      expect(await findBarriers(page)).to.deep.equal([]);
      await page.unroute("**/api/tickets?*");
      await fault.getByRole("button", { name: "Try again" }).click();
      await page.getByRole("heading", { name: "1 ticket" }).waitFor();
      expect(await page.getByRole("heading", { name: "1 meeting" }).count()).to.equal(1);
      expect(await fault.count()).to.equal(0);
    });

    it("searches only where the role may read", async () => {
      const page = await open(agent, "/search?q=999999999");
      await page.getByText("No results").waitFor();
      expect(await page.getByText(/a delivery with this number/u).count()).to.equal(0);
      expect(await page.getByRole("link", { name: /Explain/u }).count()).to.equal(0);
    });
  });
});
