/** The customer's page after the call has ended: when the link is opened, and in the room. */
import type { Page, Route } from "playwright-core";
import { expect } from "chai";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { admin, agent, useBrowserPlatform } from "../support/browser-platform.ts";
import { findBarriers, phone, screenshot, seeFits, useBrowser } from "../support/browser.ts";
import { callAsGuest, openLink } from "../support/call-customer.ts";
import { eventually } from "../support/eventually.ts";
import type { RestClient } from "../support/rest-client.ts";
import { press, seeHeading } from "../support/screens.ts";
import { agree, devices, joinAndWait, leaveTheCall } from "../support/visit-pages.ts";

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

  /** The heading of each final state in the customer's language, and the rest of the screen. */
  const screens = {
    expired: ["This invitation has expired", "This link works again once you are invited again."],
    cancelled: ["The call was cancelled", "The person who invited you cancelled it."],
    closed: ["The assistance is finished", "Your request is closed."],
    declined: ["You declined the invitation", "If you change your mind, contact"],
    deleted: ["This invitation was withdrawn", "Ask the person who sent it for a new one."],
  } as const;
  const ends: Record<keyof typeof screens, () => Promise<Ticket>> = {
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
    declined: async () => {
      const ticket = await aTicket();
      const token = await openLink(platform.url, ticket.requestor_url);
      await callAsGuest(platform.url, "/decline", { token });
      return ticket;
    },
    deleted: async () => {
      const ticket = await aTicket();
      await rest.succeed(`DELETE /tickets/${ticket.id}`);
      return ticket;
    },
  };

  for (const [name, [heading, text]] of Object.entries(screens)) {
    it(`shows what happened to the invitation: ${name}`, async () => {
      const ticket = await ends[name as keyof typeof ends]();
      const page = await open(ticket.requestor_url);
      await seeHeading(page, heading);
      await page.getByText(text).waitFor();
      expect(await page.getByRole("button").count(), "nothing to press").to.equal(0);
      await seeOnPhone(page, name);
    });
  }

  it("works again once the customer is invited again", async () => {
    const ticket = await ends.declined();
    const page = await open(ticket.requestor_url);
    await seeHeading(page, screens.declined[0]);
    const minutesAgo =
      "UPDATE invitations SET created_at = now() - interval '2 minutes' WHERE ticket_id = ?";
    await rowsOf(platform.db, minutesAgo, [ticket.id]); // one invitation per minute
    await rest.succeed(`POST /tickets/${ticket.id}/invitations`);
    await page.reload();
    await seeHeading(page, "Demo Agent invites you to a video call");
  });

  it("shows the same on the information page", async () => {
    const { id } = await ends.cancelled();
    const { body } = await rest.succeed(`GET /tickets/${id}`);
    const page = await open(String(body["information_page_url"]));
    await seeHeading(page, screens.cancelled[0]);
    await page.getByText(screens.cancelled[1]).waitFor();
    await seeOnPhone(page, "cancelled-information");
  });

  it("is reported as unknown", async () => {
    const page = await open(`${platform.url}/v/${"a".repeat(22)}`);
    await seeHeading(page, "Page not found");
    await page.getByText("If someone sent you this link, ask them for a new one.").waitFor();
    await seeOnPhone(page, "unknown");
  });

  const enterRoom = async (page: Page): Promise<void> => {
    await agree(page);
    await joinAndWait(page);
  };
  it("shows a customer waiting in the room of a cancelled ticket that it has ended", async () => {
    const ticket = await aTicket();
    const page = await open(ticket.requestor_url);
    await enterRoom(page);
    const present = `SELECT y.id FROM participations y JOIN sessions s ON s.id = y.session_id
      JOIN tickets t ON t.conversation_id = s.conversation_id WHERE t.id = ? AND y.left_at IS NULL`;
    await eventually(async () => (await rowsOf(platform.db, present, [ticket.id])).length === 1);
    await rest.succeed(`POST /tickets/${ticket.id}/cancel`);
    await seeHeading(page, screens.cancelled[0]);
    expect(await page.getByRole("button").count(), "nothing to press").to.equal(0);
    await seeOnPhone(page, "cancelled-while-waiting");
  });

  it("asks whether the survey is due one request at a time, and no more once its token ended", async () => {
    const ticket = await aTicket();
    const page = await open(ticket.requestor_url);
    await enterRoom(page);
    const asked: Route[] = [];
    await page.route("**/api/guest/visit", (route) => void asked.push(route));
    await page.clock.install();
    await leaveTheCall(page);
    await eventually(() => expect(asked).to.have.length(1));
    await page.clock.runFor(15_000);
    expect(asked, "before an answer").to.have.length(1);
    await asked[0]?.fulfill({ status: 503, json: {} });
    await eventually(async () => {
      await page.clock.runFor(3_000);
      expect(asked).to.have.length(2);
    });
    const refused = page.waitForResponse("**/api/guest/visit");
    await asked[1]?.fulfill({ status: 401, json: {} });
    await refused;
    await page.clock.runFor(300_000);
    expect(asked, "after a refusal").to.have.length(2);
  });

  it("shows the same if the ticket is cancelled while the customer joins", async () => {
    const ticket = await aTicket();
    // The platform may close the connection before the page asks to join.
    const expectedErrors = [/WebSocket is already in CLOSING or CLOSED state/u];
    const page = await browser.open({ viewport: phone, context: devices, expectedErrors });
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
    await agree(page);
    await press(page, "Join the call"); // the waiting room may appear briefly or not at all
    await seeHeading(page, screens.cancelled[0]);
  });
});
