import { expect } from "chai";
import { ticketMessageRoutes } from "../../src/messages/routes.ts";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { useDatabase } from "../support/database.ts";
import {
  aTestUser,
  aTicketFixture,
  useTicketApi,
  type TestUser,
  type TicketFixture,
} from "../support/tickets.ts";

describe("GET /tickets/{ticketId}/messages", () => {
  const database = useDatabase();
  const api = useTicketApi(database, ({ tickets }) =>
    ticketMessageRoutes({ db: database.db, requireTicket: tickets.get }),
  );
  let fixture: TicketFixture;
  let id = 0;

  const list = (as: TestUser = fixture.agent, query = "") =>
    api.call(`GET /tickets/${id}/messages${query}`, { as });
  const invite = async (json: object): Promise<number> => {
    const { body } = await api.call("POST /tickets", {
      as: fixture.admin,
      json: { agent: fixture.agent.login, invite: 1, ...json },
    });
    return body.id;
  };

  before(async () => {
    const { db } = database;
    fixture = await aTicketFixture(db);
    id = await invite({ email: "jane@example.com", phone: "+33612345678" });
    await invite({ email: "somebody.else@example.com" });
    await rowsOf(
      db,
      `UPDATE messages SET status = 'failed', error = 'opted_out' WHERE ticket_id = ?
         AND channel = 'sms'`,
      [id],
    );
  });

  it("shows the agent of the ticket the status of its messages, without the text", async () => {
    const { status, body, headers } = await list();
    expect(status).to.equal(200);
    expect(headers.get("x-total-count")).to.equal("2");
    const ids = body.data.map((message: { id: number }) => message.id);
    const at = "2026-11-20T10:00:00+00:00";
    const times = { created: at, modified: at, sent: null };
    const mail = { channel: "email", status: "queued", to: "jane@example.com", error: null };
    const sms = { channel: "sms", status: "failed", to: "+33612345678", error: "opted_out" };
    const expected = [mail, sms].map((message) => ({ ...message, ...times }));
    expect(body.total).to.equal(2);
    expect(
      body.data
        .map(({ id: _id, ...message }: { id: number; channel: string }) => message)
        .toSorted((a: { channel: string }, b: { channel: string }) =>
          a.channel.localeCompare(b.channel),
        ),
    ).to.deep.equal(expected);
    expect((await list(fixture.admin, "?order=asc&limit=1")).body.data[0].id).to.equal(
      Math.min(...ids),
    );
  });

  it("hides private messages, and tickets out of reach or of another enterprise", async () => {
    const { db } = database;
    const other = await aTestUser(db, fixture.enterpriseId, "agent");
    expect((await list(other)).status).to.equal(403);
    const stranger = (await aTicketFixture(db)).admin;
    expect((await list(stranger)).status).to.equal(404);
    await rowsOf(db, "UPDATE messages SET is_private = true WHERE ticket_id = ?", [id]);
    expect((await list()).body).to.deep.equal({ total: 0, data: [] });
  });
});
