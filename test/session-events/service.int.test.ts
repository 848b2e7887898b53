import { expect } from "chai";
import {
  sessionEventAttributes,
  type SessionEventType,
  type TimelineEntry,
} from "../../src/contracts/session-events.ts";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { inTransaction } from "../../src/platform/db/transaction.ts";
import { createSessionEvents } from "../../src/session-events/service.ts";
import { useDatabase } from "../support/database.ts";
import { aTicketFixture, createTicketFeatures, type TicketFixture } from "../support/tickets.ts";

describe("writing a timeline", () => {
  const database = useDatabase();
  let fixture: TicketFixture;
  let ticketId = 0;
  let conversationId = 0;

  before(async () => {
    fixture = await aTicketFixture(database.db);
    const { tickets } = createTicketFeatures(database.db);
    const made = await tickets.create({
      scope: {
        enterpriseId: fixture.enterpriseId,
        userId: fixture.admin.id,
        groupIds: [],
        reach: "all",
      },
      body: { agent: fixture.agent.login, email: "a@example.com" },
      after: async (_trx, { ticket }) => ticket,
    });
    ({ id: ticketId, conversationId } = made);
  });

  const entry = (
    eventType: SessionEventType,
    attributes: Record<string, unknown> = Object.fromEntries(
      sessionEventAttributes[eventType].map((name) => [name, {}]),
    ),
  ): TimelineEntry => ({
    enterpriseId: fixture.enterpriseId,
    ticketId,
    conversationId,
    eventType,
    source: "guest",
    at: new Date("2026-11-20T11:30:00Z"),
    attributes,
  });

  const write = (entries: TimelineEntry[]) => {
    const sessionEvents = createSessionEvents({ db: database.db });
    return inTransaction(database.db, (trx) => sessionEvents.write(trx, entries));
  };

  it("assigns ascending ids in order, and returns events that contain them", async () => {
    const types: SessionEventType[] = [
      "mediaDevice.cameraAllowed",
      "mediaDevice.micAllowed",
      "mediaDevice.allowed",
      "consent.accepted",
      "survey.answered",
    ];
    const events = await write(types.map((type) => entry(type)));
    const rows = await rowsOf<{ id: number; event_type: string; event_code: number }>(
      database.db,
      "SELECT id, event_type, event_code FROM session_events WHERE id >= ? ORDER BY id",
      [events[0]?.objectId],
    );
    expect(rows.map((row) => row.event_type)).to.deep.equal(types);
    expect(rows.map((row) => row.event_code)).to.deep.equal([25, 27, 23, 20, 50]);
    expect(rows.map((row) => row.id)).to.deep.equal(events.map(({ objectId }) => objectId));
    expect(events.map(({ eventType }) => eventType)).to.deep.equal(types);
  });

  it("stores the attributes unchanged, including their order and any text", async () => {
    const attributes = {
      requestor: { zebra: 1, apple: { lng: -3.36, lat: 48.65 } },
      surveyAnswer: 'line 1\nline 2 \u0000 \ud83d\ude00 "quoted" \\ \ud800',
    };
    const [events] = await write([entry("survey.answered", attributes)]);
    const [row] = await rowsOf<{ attributes: string }>(
      database.db,
      "SELECT attributes::text AS attributes FROM session_events WHERE id = ?",
      [events?.objectId],
    );
    expect(row?.attributes).to.equal(JSON.stringify(attributes));
  });

  for (const [what, attributes] of [
    ["missing", { agent: {}, oldPriority: 1 }],
    ["too many", { agent: {}, oldPriority: 1, newPriority: 2, more: 3 }],
    ["in another order", { oldPriority: 1, newPriority: 2, agent: {} }],
  ] as const) {
    it(`rejects attributes that are ${what}, and writes nothing`, async () => {
      const before = await rowsOf(database.db, "SELECT id FROM session_events");
      const failure = await write([
        entry("consent.accepted"),
        entry("ticket.priorityChanged", attributes),
      ]).then(
        () => undefined,
        (error: Error) => error.message,
      );
      expect(failure).to.match(/^ticket\.priorityChanged has the attributes/u);
      expect(await rowsOf(database.db, "SELECT id FROM session_events")).to.deep.equal(before);
    });
  }

  it("does nothing for no entries", async () => {
    expect(await write([])).to.deep.equal([]);
  });

  it("rejects an entry for another enterprise's ticket, and writes none of the others", async () => {
    const other = await aTicketFixture(database.db);
    const before = await rowsOf(database.db, "SELECT id FROM session_events");
    const foreign = { ...entry("consent.accepted"), enterpriseId: other.enterpriseId };
    const failure = await write([entry("consent.accepted"), foreign]).then(
      () => undefined,
      (error: { constraint?: string }) => error.constraint,
    );
    expect(failure).to.match(/session_events_enterprise_id/u);
    expect(await rowsOf(database.db, "SELECT id FROM session_events")).to.deep.equal(before);
  });
});
