import { expect } from "chai";
import { useDatabase } from "../support/database.ts";
import { aService, aUser } from "../support/factories.ts";
import { useStatistics, type StatisticsCall } from "../support/statistics.ts";
import { aGroup, aTestUser } from "../support/tickets.ts";

type Counts = Record<string, number> & { states: Record<string, number> };
type Named = Counts & { id: number; name: string };
type Summary = {
  total: Counts;
  days: (Counts & { day: string })[];
  services: Named[];
  agents: Named[];
  time_zone: string;
};
type Row = Record<string, number | string>;

const keys = {
  emails: "Nombre d'invitations email",
  sms: "Nombre d'invitations SMS",
  calls: "Nombre Appels",
  call_seconds: "Durée totale des appels (secondes)",
  photos: "Photos",
  videos: "Vidéos",
} as const;

describe("the summary of tickets", () => {
  const database = useDatabase();
  const fixture = useStatistics(database);

  const read = async <T>(query: string, more: StatisticsCall): Promise<T> => {
    const response = await fixture.get(query, more);
    expect(response.status).to.equal(200);
    return (await response.json()) as T;
  };
  const summaryOf = (query = "", more: StatisticsCall = {}): Promise<Summary> =>
    read(query, { path: "tickets-stats/summary", ...more });

  const session = (met: boolean, seconds: number) => ({
    started_at: "2026-11-20T08:00:00Z",
    met_at: met ? "2026-11-20T08:01:00Z" : null,
    ended_at: "2026-11-20T08:12:00Z",
    end_reason: "ended",
    finished_at: "2026-11-20T08:11:05Z",
    billing_seconds: 600,
    both_seconds: seconds,
  });

  /** Tickets of two services and two agents on two days, with a value in every total. */
  const aMixture = async (): Promise<void> => {
    const agent = await aUser(database.db, {
      ...{ enterprise_id: fixture.enterpriseId, firstname: "Léo", lastname: "Martin" },
    });
    const other = await aService(database.db, {
      enterprise_id: fixture.enterpriseId,
      name: "Autre",
    });
    const first = await fixture.aTicket({ agent_id: agent.id, state: "done" });
    const second = await fixture.aTicket({
      ...{ service_id: other.id, state: "inprogress", created_at: "2026-11-19T22:59:59Z" },
    });
    await fixture.aTicket({
      agent_id: agent.id,
      state: "done",
      created_at: "2026-11-18T23:00:00Z",
    });
    await fixture.aTicket({ deleted_at: "2026-11-20T11:00:00Z" });
    await fixture.aSession(first, session(true, 605));
    await fixture.aSession(first, session(false, 0));
    await fixture.aSession(second, session(true, 30));
    await fixture.anInvitation(first, "email");
    await fixture.anInvitation(first, "email", "failed");
    await fixture.anInvitation(first, "sms", "delivered");
    await fixture.anInvitation(second, "sms");
    await fixture.aFile(first, "image/jpeg");
    await fixture.aFile(first, "image/png", { state: "error" });
    await fixture.aFile(second, "video/webm");
    await fixture.aFile(second, "video/webm", { deleted_at: "2026-11-20T10:00:00Z" });
    await fixture.anEntry(first, "session.established");
    await fixture.anEntry(first, "session.established");
    await fixture.anEntry(second, "ticket.new");
  };

  it("is consistent with the rows of the day export, in total and per day", async () => {
    await aMixture();
    const query = "?since=2026-11-18&until=2026-11-20";
    const { total, days } = await summaryOf(query);
    const rows = await read<Row[]>(`${query}&labels=code`, {});
    const sumOf = (some: readonly Row[]) => ({
      tickets: some.length,
      answered: some.filter((row) => row["Répondues"] === "Oui").length,
      ...Object.fromEntries(
        Object.entries(keys).map(([name, key]) => [
          name,
          some.reduce((sum, row) => sum + Number(row[key]), 0),
        ]),
      ),
    });
    expect(total).to.deep.equal({ ...sumOf(rows), states: { done: 2, inprogress: 1 } });
    expect(total).to.include({ tickets: 3, answered: 1, emails: 1, sms: 2, calls: 2 });
    expect(total).to.include({ call_seconds: 635, photos: 1, videos: 1 });
    expect(days.map(({ day }) => day)).to.deep.equal(["2026-11-18", "2026-11-19", "2026-11-20"]);
    for (const { day, states: _states, ...counts } of days) {
      const ofDay = await read<Row[]>(`?since=${day}&until=${day}&labels=code`, {});
      expect(counts, day).to.deep.equal(sumOf(ofDay));
    }
  });

  it("counts an hour that two days could claim once, on the day of its date", async () => {
    const zone = { time_zone: "Atlantic/Azores" };
    await database.db("enterprises").where({ id: fixture.enterpriseId }).update(zone);
    // On 25 October the clocks go back from 01:00 to 00:00.
    await fixture.aTicket({ created_at: "2026-10-24T23:30:00Z" });
    await fixture.aTicket({ created_at: "2026-10-25T00:30:00Z" });
    await fixture.aTicket({ created_at: "2026-10-25T01:30:00Z" });
    const { total, days } = await summaryOf("?since=2026-10-24&until=2026-10-25");
    expect(days.map(({ day, tickets }) => [day, tickets])).to.deep.equal([
      ["2026-10-24", 1],
      ["2026-10-25", 2],
    ]);
    expect(total["tickets"]).to.equal(3);
    const first = await summaryOf("?since=2026-10-24&until=2026-10-24");
    expect(first.total["tickets"]).to.equal(1);
    expect(await read<Row[]>("?since=2026-10-25&until=2026-10-25", {})).to.have.length(2);
  });

  it("lists services and agents with the most tickets first", async () => {
    await aMixture();
    const { services, agents } = await summaryOf("?since=2026-11-18&until=2026-11-20");
    const briefly = (some: Named[]) =>
      some.map(({ name, tickets, calls }) => [name, tickets, calls]);
    expect(briefly(services)).to.deep.equal([
      ["Dépannage", 2, 1],
      ["Autre", 1, 1],
    ]);
    expect(briefly(agents)).to.deep.equal([
      ["Léo Martin", 2, 1],
      ["", 1, 1],
    ]);
    expect(agents[1]?.id).to.equal(0);
  });

  it("lists every day with zeros if there are no tickets", async () => {
    const { total, days, services, time_zone } = await summaryOf("?since=2026-10-22");
    expect(total).to.include({ tickets: 0, calls: 0 });
    expect(days).to.have.lengthOf(30);
    expect([services, time_zone]).to.deep.equal([[], "Europe/Paris"]);
  });

  it("shows managers the tickets within their reach, and none of other enterprises", async () => {
    const mine = await aGroup(database.db, fixture.enterpriseId, "Mine");
    const manager = await aTestUser(database.db, fixture.enterpriseId, "manager", {
      groupIds: [mine],
    });
    const other = await aGroup(database.db, fixture.enterpriseId, "Other");
    await fixture.aTicket({ group_id: mine });
    await fixture.aTicket({ group_id: other });
    const caller = { role: "manager", userId: manager.id, groupIds: [mine] } as const;
    expect((await summaryOf("", { caller })).total["tickets"]).to.equal(1);
    expect((await summaryOf()).total["tickets"]).to.equal(2);
    const stranger = { caller: { enterpriseId: fixture.enterpriseId + 999_999 } };
    for (const path of ["tickets-stats/summary", "tickets-stats/rows", "sessions-stats/summary"]) {
      expect((await fixture.get("", { path, ...stranger })).status, path).to.equal(404);
    }
  });

  it("has a bounded size for any number of services, agents, days and tickets", async () => {
    await database.db.raw(
      `INSERT INTO users (enterprise_id, login, firstname, lastname, role, password_hash)
       SELECT ?, 'many' || n || '@' || ? || '.example', repeat('Maximilian', 6), repeat('Mustermann', 6),
         'agent', 'x' FROM generate_series(1, 80) AS n`,
      [fixture.enterpriseId, fixture.enterpriseId],
    );
    await database.db.raw(
      `WITH talk AS (INSERT INTO conversations (uid, enterprise_id)
         SELECT gen_random_uuid(), ? FROM generate_series(1, 4000) RETURNING id),
       numbered AS (SELECT id, row_number() OVER () AS n FROM talk),
       agent AS (SELECT id, row_number() OVER () AS n FROM users WHERE enterprise_id = ?)
       INSERT INTO tickets (enterprise_id, service_id, button_id, conversation_id, state, agent_id,
         requestor_email, requestor_secret, information_code, start_time, end_time, created_at)
       SELECT ?, b.service_id, b.id, t.id, 'done', a.id, 'a@b.example', gen_random_uuid(),
         gen_random_uuid(), now(), now(), timestamptz '2026-11-20T10:00Z' - (t.n % 92) * interval '1 day'
       FROM numbered t JOIN agent a ON a.n = 1 + t.n % 80, buttons b
       WHERE b.enterprise_id = ?`,
      [fixture.enterpriseId, fixture.enterpriseId, fixture.enterpriseId, fixture.enterpriseId],
    );
    const query = "?since=2026-08-21&until=2026-11-20";
    const summary = await (await fixture.get(query, { path: "tickets-stats/summary" })).text();
    const rows = await (await fixture.get(query, { path: "tickets-stats/rows" })).text();
    expect(JSON.parse(summary)).to.have.nested.property("total.tickets", 4000);
    expect((JSON.parse(summary) as Summary).agents).to.have.lengthOf(50);
    expect((JSON.parse(rows) as { data: Row[] }).data).to.have.lengthOf(25);
    expect(summary.length + rows.length).to.be.lessThan(80_000);
  });

  it("pages through the rows of the export, each once", async () => {
    const ids: number[] = [];
    for (const hour of ["09", "08", "07"]) {
      ids.push((await fixture.aTicket({ created_at: `2026-11-20T${hour}:00:00Z` })).id);
    }
    const whole = await read<Row[]>("", {});
    const pageOf = (query: string) =>
      read<{ data: Row[]; next: number | null }>(query, { path: "tickets-stats/rows" });
    const first = await pageOf("?limit=2");
    expect(first.next).to.equal(ids[1]);
    const second = await pageOf(`?limit=2&after=${first.next}`);
    expect(second.next).to.equal(null);
    expect([...first.data, ...second.data]).to.deep.equal(whole);
    const refused = await fixture.get("?limit=101", { path: "tickets-stats/rows" });
    expect(refused.status).to.equal(400);
  });
});
