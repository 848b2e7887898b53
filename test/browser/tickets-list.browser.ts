import { expect } from "chai";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { admin, agent } from "../support/browser-platform.ts";
import { findBarriers, seeFits, phone, screenshots } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { otherAgent, viewer, useTicketsConsole } from "../support/tickets-console.ts";
import { press } from "./keyboard.ts";

describe("the tickets of the console", function () {
  // Browser tests are slow on busy machines.
  this.timeout(120_000);
  const { platform, rest, create, open, groupId } = useTicketsConsole();

  describe("the list", () => {
    it("shows fifty at a time, filtered by the address, and opens one beside it", async () => {
      const page = await open(admin, "/tickets");
      const table = page.getByRole("table", { name: "Tickets" });
      await table.getByText("CRM-2026-4756").waitFor();
      expect(await table.locator("tbody tr").count()).to.equal(50);
      await screenshots(page, "tickets-list");
      expect(await findBarriers(page)).to.deep.equal([]);

      await page.getByRole("button", { name: "Next page" }).click();
      await table.getByText("CRM-2026-4700").waitFor();
      expect(new URL(page.url()).search).to.equal("?page=2");
      await page.goto(`${platform.url}/tickets?page=9`);
      await page.waitForURL(/\?page=2$/u);
      await table.getByText("CRM-2026-4700").waitFor();

      await page.goto(`${platform.url}/tickets?state=declined,expired&sort=oldest`);
      await eventually(async () => {
        const states = await page.evaluate<string[]>(
          '[...document.querySelectorAll("td [data-state]")].map((one) => one.dataset.state)',
        );
        return states.length > 0 && states.every((one) => one === "declined" || one === "expired");
      });
      await page.getByRole("button", { name: "Clear all" }).click();
      await page.getByLabel("Search tickets", { exact: true }).fill("CRM-2026-4733");
      await eventually(async () => (await table.locator("tbody tr").count()) === 1);
      const row = table.locator("tbody tr");
      await press(page, row);
      await page.getByRole("dialog").getByRole("heading", { level: 1 }).waitFor();
      await page.keyboard.press("Escape");
      await page.locator(":focus").and(row).waitFor();
      await page.keyboard.press("Enter");
      await page.getByRole("dialog").getByText("The ticket was created for Demo Agent").waitFor();
      await screenshots(page, "tickets-panel");
      expect(await findBarriers(page)).to.deep.equal([]);
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      expect(new URL(page.url()).searchParams.get("q")).to.equal("CRM-2026-4733");
    });

    it("keeps its header visible below the bar while the page is scrolled", async () => {
      const page = await open(admin, "/tickets");
      const table = page.getByRole("table", { name: "Tickets" });
      await table.getByText("CRM-2026-4756").waitFor();
      const tops = (): Promise<{ bar: number; head: number; seen: boolean; scrolled: number }> =>
        page.evaluate(`(() => {
          const cell = document.querySelector("thead th:nth-child(2)").getBoundingClientRect();
          const seen = document.elementFromPoint(cell.left + 12, cell.top + cell.height / 2);
          return {
            bar: document.querySelector("header").getBoundingClientRect().bottom,
            head: cell.top,
            seen: seen !== null && seen.closest("thead") !== null,
            scrolled: window.scrollY,
          };
        })()`);
      for (const [width, height] of [
        [1280, 800],
        [1440, 700],
      ] as const) {
        await page.setViewportSize({ width, height });
        await page.evaluate("window.scrollTo(0, 900)");
        await eventually(async () => {
          const { bar, head, seen, scrolled } = await tops();
          expect({ seen, scrolled, below: head - bar }).to.deep.equal({
            ...{ seen: true, scrolled: 900, below: 0 },
          });
        });
      }
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.screenshot({ path: ".test/screenshots/tickets-list-scrolled.png" });
      // The column picker is still at the end of the header.
      const choice = page.getByRole("button", { name: "Columns" });
      const [at, around] = [await choice.boundingBox(), await table.boundingBox()];
      const rightOf = (box: typeof at): number => (box?.x ?? 0) + (box?.width ?? 0);
      expect(rightOf(around) - rightOf(at)).to.be.within(0, 8);
      await choice.click();
      await page.getByRole("menu").waitFor();

      // A table that does not fit scrolls in its frame, so that every column is reachable.
      await page.keyboard.press("Escape");
      await page.evaluate(`document.querySelector("thead th").style.minWidth = "2000px"`);
      await eventually(async () =>
        page.evaluate<boolean>(`(() => {
          const frame = document.querySelector('[role="group"]:has(> table)');
          frame.scrollLeft = 5000;
          return frame.scrollLeft > 500;
        })()`),
      );
    });

    it("announces a waiting customer of the agent, in the row and in the title", async () => {
      const { id } = await create({ phone: "+33612345678" });
      const page = await open(agent, "/tickets");
      const room = { type: "ticket", subject_id: id, people: [{ role: "requestor" }] };
      const json = { total: 1, data: [room] };
      await page.route("**/api/rooms?*", (route) => route.fulfill({ json }));
      const call = page.getByRole("link", { name: "Open call" });
      expect(await call.getAttribute("href")).to.match(new RegExp(`/tickets/${id}$`, "u"));
      await eventually(async () => (await page.title()) === "(1) Someone is waiting");
    });

    it("keeps typed letters while a search is running", async () => {
      const page = await open(admin, "/tickets");
      const table = page.getByRole("table", { name: "Tickets" });
      await table.getByText("CRM-2026-4756").waitFor();
      const find = page.getByLabel("Search tickets", { exact: true });
      await find.focus();
      // Types the last letter when the URL already has the first ones but the page has not rendered
      // them.
      await page.evaluate(`(() => {
        window.shown = [];
        const box = document.activeElement;
        const write = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
        const replace = history.replaceState.bind(history);
        const watch = () => {
          window.shown.push(box.value);
          requestAnimationFrame(watch);
        };
        history.replaceState = (...args) => {
          replace(...args);
          if (window.shown.length === 0 && String(args[2]).endsWith("q=CRM-2026-473")) {
            write.call(box, "CRM-2026-4733");
            box.dispatchEvent(new Event("input", { bubbles: true }));
            watch();
          }
        };
      })()`);
      await find.fill("CRM-2026-473");
      await page.waitForURL(/q=CRM-2026-4733$/u);
      await eventually(async () => (await table.locator("tbody tr").count()) === 1);
      const shown = await page.evaluate<string[]>("[...new Set(window.shown)]");
      expect(shown).to.deep.equal(["CRM-2026-4733"]);
    });

    it("opens each ticket in its initial state with the back button", async () => {
      const first = await create({ reference: "BACK-1" });
      await create({ reference: "BACK-2" });
      const page = await open(admin, `/tickets?open=${first.id}`);
      const panel = page.getByRole("dialog");
      const entries = panel.getByRole("list", { name: "Timeline" }).getByRole("listitem");
      await entries.first().waitFor();
      await page.keyboard.press("Escape");
      await panel.waitFor({ state: "detached" });
      await page.getByRole("table", { name: "Tickets" }).getByText("BACK-2").click();
      await entries.first().waitFor();
      await page.evaluate("history.go(-2)");
      await panel.getByText("BACK-1").first().waitFor();
      await entries.first().waitFor();
      expect(await panel.locator("[data-new]").count()).to.equal(0);
    });

    it("shows the next step if nothing matches", async () => {
      const page = await open(admin, "/tickets?q=nobody-has-this");
      await page.getByText("No tickets match").waitFor();
      await page.getByRole("button", { name: "Clear filters" }).last().click();
      await page.getByRole("table", { name: "Tickets" }).getByText("CRM-2026-4756").waitFor();
    });

    it("offers the actions of a row in place", async () => {
      const ticket = await create({ reference: "QUICK-1" });
      const page = await open(admin, "/tickets?q=QUICK-1");
      await page.getByRole("button", { name: `Actions for ticket ${ticket.id}` }).click();
      await page.getByRole("menuitem", { name: "Cancel ticket" }).click();
      await page.getByText("closed permanently").waitFor();
      await page.getByRole("button", { name: "Cancel ticket" }).click();
      await page.getByText(`Ticket ${ticket.id} was cancelled.`).waitFor();
      const { body } = await rest().succeed(`GET /tickets/${ticket.id}`);
      expect(body["state"]).to.equal("closed");
    });
  });

  describe("the invitation of a customer", () => {
    const kept = async (to: string) =>
      rowsOf<{ channel: string }>(platform.db, "SELECT channel FROM messages WHERE recipient = ?", [
        to,
      ]);

    it("accepts a phone number in any notation, with one button, and shows the customer's link", async () => {
      const page = await open(agent, "/tickets");
      await page.getByRole("link", { name: /Invite a customer/u }).waitFor();
      await page.keyboard.press("n");
      const box = page.getByLabel("Customer’s phone or email");
      await box.waitFor();
      // The field has the focus immediately after the page opens.
      await page.keyboard.type("06 44 55 66 77");
      await page.getByText("SMS to +33 6 44 55 66 77").waitFor();
      await screenshots(page, "tickets-create");
      expect(await findBarriers(page)).to.deep.equal([]);
      await page.keyboard.press("Enter");
      await page.waitForURL(/\/tickets\/\d+$/u);
      const link = page.getByRole("region", { name: "Customer link" });
      await link.getByText(/\/v\/\w+/u).waitFor();
      await link.getByRole("button", { name: "Copy link" }).waitFor();
      await page.getByText("+33 6 44 55 66 77 was invited").waitFor();
      await eventually(async () => (await kept("+33644556677")).length === 1);
      expect(await kept("+33644556677")).to.deep.equal([{ channel: "sms" }]);
    });

    it("accepts an email address, and shows the status of the email", async () => {
      const page = await open(admin, "/tickets/new");
      const box = page.getByLabel("Customer’s phone or email");
      await box.fill("marie.curie@example");
      await page.getByRole("combobox", { name: "Agent" }).click();
      await page.getByRole("option", { name: "Demo Agent" }).click();
      await page.getByRole("button", { name: "Send invitation" }).click();
      await page.getByText("The email address is incomplete.").waitFor();
      await box.fill("marie.curie@example.com");
      await page.getByRole("button", { name: "More options" }).click();
      await page.getByLabel("Your reference").fill("MAIL-1");
      await page.getByRole("button", { name: "Send invitation" }).click();
      await page.waitForURL(/\/tickets\/\d+$/u);
      const invitation = page.getByRole("region", { name: "Invitation" });
      await invitation.getByText("marie.curie@example.com").waitFor();
      await invitation.getByText("Sent", { exact: true }).waitFor();
      expect(await kept("marie.curie@example.com")).to.deep.equal([{ channel: "email" }]);
    });

    it("says what to do about a failed message", async () => {
      const ticket = await create({ email: undefined, phone: "+33611111111", invite: true });
      await eventually(async () => (await kept("+33611111111")).length === 1);
      await rowsOf(
        platform.db,
        "UPDATE messages SET status = 'failed', error = 'opted_out' WHERE recipient = ?",
        ["+33611111111"],
      );
      const page = await open(agent, `/tickets/${ticket.id}`);
      await page
        .getByText("This number opted out of SMS. Invite by email, or read out the link.")
        .waitFor();
    });
  });

  describe("roles", () => {
    it("show an agent their own tickets only, and a viewer no buttons", async () => {
      const foreign = await create({ agent: otherAgent.login, reference: "FOREIGN-1" });
      const own = await create({ reference: "OWN-1" });
      const inGroup = await create({
        agent: otherAgent.login,
        group: groupId(),
        reference: "GROUP-1",
      });
      const agents = await open(agent, "/agent");
      await agents.getByRole("table", { name: "Tickets" }).getByText("OWN-1").waitFor();
      expect(await agents.getByText("FOREIGN-1").count()).to.equal(0);
      expect(await agents.getByRole("link", { name: /Invite a customer/u }).count()).to.equal(1);
      await agents.goto(`${platform.url}/tickets/${foreign.id}`);
      await agents.getByText("Your role does not allow this.").waitFor();
      await agents.goto(`${platform.url}/tickets/${own.id}`);
      await agents.getByRole("list", { name: "Timeline" }).waitFor();
      const invitation = agents.getByRole("region", { name: "Invitation" });
      await invitation.getByText("Not invited yet.").waitFor();

      const viewers = await open(viewer, "/tickets");
      await viewers.getByRole("table", { name: "Tickets" }).getByText("GROUP-1").waitFor();
      expect(await viewers.getByText("OWN-1").count()).to.equal(0);
      expect(await viewers.getByRole("link", { name: /Invite a customer/u }).count()).to.equal(0);
      await viewers.goto(`${platform.url}/tickets/${inGroup.id}`);
      await viewers.getByText("Only the ticket’s agent can see the timeline.").waitFor();
      expect(await viewers.locator("[data-action]").count()).to.equal(0);
      expect(await viewers.getByRole("button", { name: "Add files" }).count()).to.equal(0);
      await viewers.goto(`${platform.url}/tickets/new`);
      await viewers.getByText("Your role cannot create tickets").waitFor();
    });
  });

  it("works on a phone, in French", async () => {
    const page = await open(agent, "/agent", { viewport: phone, language: "fr" });
    await page.getByRole("list", { name: "Tickets" }).waitFor();
    await seeFits(page);
    await page.getByRole("link", { name: /Inviter un client/u }).click();
    await page.getByLabel("Téléphone ou e-mail du client").fill("+33 6 12 12 12 12");
    await page.getByRole("button", { name: "Envoyer l’invitation" }).click();
    await page.waitForURL(/\/tickets\/\d+$/u);
    await page.getByText("+33 6 12 12 12 12 a reçu une invitation").waitFor();
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 700 });
      await seeFits(page, String(width));
    }
    await screenshots(page, "tickets-detail-fr");
    await page.setViewportSize(phone);
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.getByRole("button", { name: "Inviter de nouveau" }).waitFor();
    await page.getByLabel("Écrire au client").fill("J’arrive.");
    await page.getByRole("button", { name: "Envoyer", exact: true }).click();
    await page.getByRole("log").getByText("J’arrive.").waitFor();
  });
});
