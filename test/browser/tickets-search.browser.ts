import { expect } from "chai";
import type { Page } from "playwright-core";
import { admin, agent } from "../support/browser-platform.ts";
import { findBarriers, screenshots } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { useTicketsConsole } from "../support/tickets-console.ts";

describe("the search of the console", function () {
  // Browsers are slow on machines that do much else.
  this.timeout(120_000);
  const { platform, rest, create, open } = useTicketsConsole();

  describe("for what somebody reads out", () => {
    const look = async (page: Page, text: string): Promise<void> => {
      await page.getByRole("searchbox", { name: "Search" }).fill(text);
      await page.keyboard.press("Enter");
    };

    it("goes straight to the only thing that a number, reference or contact names", async () => {
      const ticket = await create({
        reference: "FIND/ME",
        phone: "+33699887766",
        email: "find.me@example.org",
      });
      const page = await open(admin, "/messages");
      for (const text of ["FIND/ME", "06 99 88 77 66", "+33699887766", "Find.Me@example.org"]) {
        await page.goto(`${platform.url}/messages`);
        await look(page, text);
        await page.waitForURL(`${platform.url}/tickets/${ticket.id}`);
      }
      await page.goto(`${platform.url}/messages`);
      const delivery = await eventually(async () => {
        const found = await rest().succeed(
          `GET /webhooks/deliveries?object=ticket&objectId=${ticket.id}`,
        );
        return (found.body["data"] as { webhook_id: string }[])[0] ?? false;
      });
      await look(page, delivery === false ? "" : delivery.webhook_id);
      await page.waitForURL(/\/dashboard\/explain\?/u);
    });

    it("groups what it found, and says what it looked for where nothing is", async () => {
      await create({ reference: "TWICE" });
      await create({ reference: "TWICE" });
      const page = await open(admin, "/search?q=TWICE");
      await page.getByRole("heading", { name: "2 tickets" }).waitFor();
      await screenshots(page, "search-found");
      expect(await findBarriers(page)).to.deep.equal([]);
      await look(page, "999999999");
      await page.getByText("Nothing was found").waitFor();
      await page.getByText(/a delivery with this number/u).waitFor();
      await page.getByRole("link", { name: /Explain/u }).waitFor();
      await screenshots(page, "search-nothing");
      expect(await findBarriers(page)).to.deep.equal([]);
    });

    it("looks only where the role may read", async () => {
      const page = await open(agent, "/search?q=999999999");
      await page.getByText("Nothing was found").waitFor();
      expect(await page.getByText(/a delivery with this number/u).count()).to.equal(0);
      expect(await page.getByRole("link", { name: /Explain/u }).count()).to.equal(0);
    });
  });
});
