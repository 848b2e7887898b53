/** What the customer sees once there is no call any more: behind the link, and in the room. */
import type { Page } from "playwright-core";
import { expect } from "chai";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { admin, agent, useBrowserPlatform } from "../support/browser-platform.ts";
import { findBarriers, phone, screenshot, seeFits, useBrowser } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import type { RestClient } from "../support/rest-client.ts";
import { seeHeading } from "../support/screens.ts";
import { agree, devices, joinAndWait } from "../support/visit-pages.ts";

describe("a customer's link without a call", function () {
  this.timeout(90_000);
  const platform = useBrowserPlatform();
  const browser = useBrowser();

  let rest: RestClient;
  before(async () => {
    rest = await platform.rest(admin);
  });
  type Ticket = { id: number; requestor_url: string };
  const aTicket = async (more: object = { invite: 1 }): Promise<Ticket> => {
    const body = { agent: agent.login, email: "jane@customer.example", language: "en", ...more };
    return (await rest.succeed("POST /tickets", { body })).body as Ticket;
  };
  const open = async (url: string): Promise<Page> => {
    const page = await browser.open({ viewport: phone, context: devices });
    await page.goto(url);
    return page;
  };
  const seeOnPhone = async (page: Page, name: string): Promise<void> => {
    await seeFits(page, name);
    expect(await findBarriers(page), name).to.deep.equal([]);
    await screenshot(page, `visit-${name}-phone`);
  };

  const over = "This invitation is no longer valid";
  const ends: Record<string, () => Promise<Ticket>> = {
    expired: async () => {
      const ticket = await aTicket();
      const longAgo = `UPDATE tickets SET start_time = now() - interval '3 days',
        end_time = now() - interval '2 days', last_invited_at = now() - interval '2 days'
        WHERE id = ?`;
      await rowsOf(platform.db, longAgo, [ticket.id]);
      return ticket;
    },
    cancelled: async () => {
      const ticket = await aTicket();
      await rest.succeed(`POST /tickets/${ticket.id}/cancel`);
      return ticket;
    },
    closed: async () => {
      const ticket = await aTicket({});
      await rest.succeed(`POST /tickets/${ticket.id}/reject`);
      await rest.succeed(`POST /tickets/${ticket.id}/close`);
      return ticket;
    },
  };

  for (const [name, aTicketOf] of Object.entries(ends)) {
    it(`says that the invitation is no longer valid: ${name}`, async () => {
      const page = await open((await aTicketOf()).requestor_url);
      await seeHeading(page, over);
      await page.getByText("contact the person who invited you").waitFor();
      expect(await page.getByRole("button").count(), "nothing to press").to.equal(0);
      await seeOnPhone(page, name);
    });
  }

  it("says that it does not know the link", async () => {
    const page = await open(`${platform.url}/v/${"a".repeat(22)}`);
    await seeHeading(page, "Page not found");
    await page.getByText("If someone sent you this link, ask them for a new one.").waitFor();
    await seeOnPhone(page, "unknown");
  });

  const enterRoom = async (page: Page): Promise<void> => {
    await agree(page);
    await joinAndWait(page);
  };
  const ended = "The call has ended";

  it("tells the customer who waits in the room of a cancelled ticket that it is over", async () => {
    const ticket = await aTicket();
    const page = await open(ticket.requestor_url);
    await enterRoom(page);
    const present = `SELECT y.id FROM stays y JOIN sessions s ON s.id = y.session_id
      JOIN tickets t ON t.conversation_id = s.conversation_id WHERE t.id = ? AND y.left_at IS NULL`;
    await eventually(async () => (await rowsOf(platform.db, present, [ticket.id])).length === 1);
    await rest.succeed(`POST /tickets/${ticket.id}/cancel`);
    await seeHeading(page, ended);
    expect(await page.getByRole("button").count(), "nothing to press").to.equal(0);
    await seeOnPhone(page, "cancelled-while-waiting");
  });

  it("tells the customer the same whose ticket is cancelled as they join", async () => {
    const ticket = await aTicket();
    const page = await browser.open({ viewport: phone, context: devices });
    await page.routeWebSocket(/\/signalling\//u, (socket) => {
      const server = socket.connectToServer();
      socket.onMessage(async (message) => {
        if (String(message).includes('["join"')) {
          await rest.succeed(`POST /tickets/${ticket.id}/cancel`);
        }
        server.send(message);
      });
    });
    await page.goto(ticket.requestor_url);
    await enterRoom(page);
    await seeHeading(page, ended);
  });
});
