import { ticketReachSql } from "../../src/access/reach.ts";
import { once } from "node:events";
import { expect } from "chai";
import { createSessionStatistics, createStatistics } from "../../src/statistics/service.ts";
import { useDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { useStatistics } from "../support/statistics.ts";

const tickets = 5_000;

describe("the export of many rows", () => {
  const database = useDatabase();
  const fixture = useStatistics(database);

  /** Creates tickets with one session each, all on one day. */
  beforeEach("make tickets", async () => {
    const { enterpriseId } = fixture;
    await database.db.raw(
      `WITH talk AS (INSERT INTO conversations (uid, enterprise_id)
         SELECT gen_random_uuid(), ? FROM generate_series(1, ?) RETURNING id),
       made AS (INSERT INTO tickets (enterprise_id, service_id, button_id, conversation_id, state,
           requestor_email, requestor_secret, information_code, start_time, end_time, created_at)
         SELECT ?, b.service_id, b.id, t.id, 'new', 'a@b.example', gen_random_uuid(),
           gen_random_uuid(), now(), now(), '2026-11-20T09:00:00Z'
         FROM talk t, buttons b WHERE b.enterprise_id = ? RETURNING conversation_id)
       INSERT INTO sessions (id, enterprise_id, conversation_id, started_at, met_at, ended_at,
         finished_at, end_reason, billing_seconds, both_seconds, participant_count)
       SELECT gen_random_uuid(), ?, conversation_id, '2026-11-20T08:00:00Z', NULL,
         '2026-11-20T08:09:00Z', '2026-11-20T08:09:00Z', 'ended', 540, 0, 2 FROM made`,
      [enterpriseId, tickets, enterpriseId, enterpriseId, enterpriseId],
    );
  });

  /** Counts the statements that read rows, and can make the next one fail. */
  const watchReading = (pattern: RegExp) => {
    const seen = { reads: 0 };
    const count = ({ sql }: { sql: string }): void => {
      seen.reads += pattern.test(sql) ? 1 : 0;
    };
    database.db.on("query", count);
    return { seen, stop: () => database.db.removeListener("query", count) };
  };

  const scope = () => ({
    ...({ reach: "all", userId: 1, groupIds: [] } as const),
    enterpriseId: fixture.enterpriseId,
  });
  const exports = {
    tickets: {
      path: "tickets-stats",
      pattern: /AS "callSeconds"/u,
      open: () =>
        createStatistics({
          db: database.db,
          clock: fixture.clock,
          ticketReach: ticketReachSql,
        }).tickets({
          ...{ scope: scope(), format: "csv", labels: "text", hasDeleted: false },
        }),
    },
    sessions: {
      path: "sessions-stats",
      pattern: /AS "cursorAt"/u,
      open: () =>
        createSessionStatistics({ db: database.db, clock: fixture.clock }).sessions({
          ...{ scope: scope(), format: "csv", kind: "ticket", serviceKey: undefined },
        }),
    },
  } as const;
  const query = "?format=CSV&type=ticket";

  for (const [name, { path, pattern, open }] of Object.entries(exports)) {
    const more = { path, caller: { role: "admin" } } as const;
    const asked = name === "tickets" ? "?format=CSV" : query;

    it(`of ${name} is complete, with each row once`, async () => {
      const lines = (await (await fixture.get(asked, more)).text()).split("\r\n").slice(1, -1);
      expect(new Set(lines.map((line) => line.split(";")[0])).size).to.equal(tickets);
      expect(lines).to.have.lengthOf(tickets);
    });

    it(`of ${name} applies backpressure: one batch before the first bytes, no read-ahead`, async () => {
      const { data } = await open();
      const { seen, stop } = watchReading(pattern);
      try {
        await once(data, "readable");
        const first = String(data.read());
        expect(first.split("\r\n").length).to.be.lessThan(600);
        await once(data, "readable");
        expect(seen.reads).to.be.lessThan(4);
        data.destroy();
        await once(data, "close");
        const after = seen.reads;
        await database.db.raw("SELECT 1");
        expect(seen.reads).to.equal(after);
      } finally {
        stop();
      }
    });

    it(`of ${name} stops reading when the client disconnects`, async () => {
      const { seen, stop } = watchReading(pattern);
      const leaving = new AbortController();
      try {
        const response = await fixture.get(asked, { ...more, signal: leaving.signal });
        await response.body?.getReader().read();
        leaving.abort();
        await eventually(async () => {
          const before = seen.reads;
          await database.db.raw("SELECT pg_sleep(0.05)");
          return seen.reads === before;
        });
        expect(seen.reads).to.be.lessThanOrEqual(tickets / 500);
      } finally {
        stop();
      }
    });

    it(`of ${name} breaks the connection when the database fails, so that no file seems complete`, async () => {
      let reads = 0;
      const raw = (sql: string, bindings: readonly unknown[]): unknown => {
        reads += pattern.test(sql) ? 1 : 0;
        if (reads === 3) {
          throw new Error("Connection terminated unexpectedly");
        }
        return database.db.raw(sql, bindings as string[]);
      };
      const db = new Proxy(database.db, {
        get: (target, key) => (key === "raw" ? raw : (Reflect.get(target, key) as unknown)),
      });
      const response = await fixture.get(asked, { ...more, db });
      expect(response.status).to.equal(200);
      const whole = await response.text().then(
        () => true,
        () => false,
      );
      expect([whole, reads]).to.deep.equal([false, 3]);
    });
  }

  it("of tickets is valid JSON even if a whole batch was purged meanwhile", async () => {
    let reads = 0;
    const raw = async (sql: string, bindings: readonly unknown[]): Promise<unknown> => {
      reads += exports.tickets.pattern.test(sql) ? 1 : 0;
      const isPurged = reads === 1 && exports.tickets.pattern.test(sql);
      return isPurged ? { rows: [] } : database.db.raw(sql, bindings as string[]);
    };
    const db = new Proxy(database.db, {
      get: (target, key) => (key === "raw" ? raw : (Reflect.get(target, key) as unknown)),
    });
    const response = await fixture.get("", { path: exports.tickets.path, db });
    expect(await response.json()).to.have.length.within(1, tickets - 1);
  });
});
