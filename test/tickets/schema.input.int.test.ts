import { expect } from "chai";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { useDatabase } from "../support/database.ts";
import { aTicketFixture, useTicketApi, type TicketFixture } from "../support/tickets.ts";

describe("invalid input of a create", () => {
  const database = useDatabase();
  const api = useTicketApi(database);
  let fixture: TicketFixture;
  before(async () => {
    fixture = await aTicketFixture(database.db);
  });

  const post = (json: Record<string, unknown>, as = fixture.admin) =>
    api.call("POST /tickets", { as, json: { agent: fixture.agent.login, ...json } });

  const ticketCount = async (): Promise<number> => {
    const [row] = await rowsOf<{ n: number }>(database.db, "SELECT count(*) AS n FROM tickets");
    return row?.n ?? -1;
  };

  const refusals: [string, Record<string, unknown>, number, string][] = [
    ["no contact", {}, 9, "email"],
    ["empty contacts", { email: "", phone: "" }, 9, "email"],
    ["a bad phone", { phone: "0612345678" }, 10, "phone"],
    ["a bad phone beside a good email", { email: "a@example.com", phone: "12" }, 10, "phone"],
    ["a bad email", { email: "nobody" }, 10, "email"],
    ["an unknown agent", { email: "a@example.com", agent: "nobody@x.test" }, 10, "agent"],
    ["an unknown scope", { email: "a@example.com", scope: "sso,all" }, 10, "scope"],
    [
      "an unknown service",
      { email: "a@example.com", service_key: "x".repeat(32) },
      10,
      "service_key",
    ],
    [
      "a service key of a wrong form",
      { email: "a@example.com", service_key: "X" },
      10,
      "service_key",
    ],
    ["an unknown group", { email: "a@example.com", group: "Nowhere" }, 10, "group"],
    ["an unknown language", { email: "a@example.com", language: "xx" }, 10, "language"],
    ["a priority of 5", { email: "a@example.com", priority: 5 }, 10, "priority"],
    ["a duration of 0", { email: "a@example.com", duration: 0 }, 10, "duration"],
    ["a duration above a day", { email: "a@example.com", duration: 1441 }, 10, "duration"],
    [
      "a start without offset",
      { email: "a@example.com", startTime: "2026-11-20T10:00" },
      10,
      "startTime",
    ],
    [
      "a start that does not exist",
      { email: "a@example.com", startTime: "2026-02-30T10:00:00Z" },
      10,
      "startTime",
    ],
    [
      "a start beyond all calendars",
      { email: "a@example.com", startTime: "9999-12-31T23:59:00Z" },
      10,
      "startTime",
    ],
    ["a reference of 256", { email: "a@example.com", reference: "x".repeat(256) }, 10, "reference"],
    ["a type of 65", { email: "a@example.com", type: "x".repeat(65) }, 10, "type"],
    [
      "a description of 5,001",
      { email: "a@example.com", description: "x".repeat(5001) },
      10,
      "description",
    ],
    [
      "a subject with a line break",
      { email: "a@example.com", subject: "x\r\nBcc: y" },
      10,
      "subject",
    ],
    ["an invite of perhaps", { email: "a@example.com", invite: "perhaps" }, 10, "invite"],
    ["a key that is not known", { email: "a@example.com", color: "red" }, 10, "color"],
    ["a NUL in the name", { email: "a@example.com", name: "a\u0000b" }, 10, "name"],
  ];
  for (const [what, json, code, field] of refusals) {
    it(`is rejected with a 400 that names the field, and writes nothing: ${what}`, async () => {
      const before = await ticketCount();
      const answer = await post(json);
      expect(answer.status, answer.text).to.equal(400);
      expect(answer.body.code).to.equal(code);
      expect(answer.body.details).to.equal(`Parameter ${field}`);
      expect(answer.body.errors[0].field).to.equal(field);
      expect(await ticketCount()).to.equal(before);
    });
  }
});
