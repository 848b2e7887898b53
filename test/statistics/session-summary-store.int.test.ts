import { expect } from "chai";
import { useDatabase } from "../support/database.ts";
import { aService } from "../support/factories.ts";
import { useStatistics, type StatisticsCall } from "../support/statistics.ts";

type Summary = {
  total: Record<string, number>;
  days: Record<string, number | string>[];
  services: Record<string, number | string>[];
};

describe("the summary of sessions", () => {
  const database = useDatabase();
  const fixture = useStatistics(database);
  const admin: StatisticsCall = { caller: { role: "admin" } };
  const summaryOf = async (query: string): Promise<Summary> => {
    const response = await fixture.get(query, { ...admin, path: "sessions-stats/summary" });
    expect(response.status).to.equal(200);
    return (await response.json()) as Summary;
  };

  /** A session of ten minutes that ends at this time. */
  const aSessionUntil = async (finished: string, serviceId = fixture.serviceId): Promise<void> => {
    const finishedAt = new Date(finished);
    await fixture.aSession(await fixture.aTicket({ service_id: serviceId }), {
      started_at: new Date(finishedAt.getTime() - 600_000),
      ...{ met_at: null, ended_at: finishedAt, end_reason: "ended", finished_at: finishedAt },
      ...{ billing_seconds: 660, both_seconds: 0, participant_count: 3 },
    });
  };

  const period = "?since=2026-11-19&until=2026-11-20&type=ticket";

  it("groups by the day of the end in the enterprise's time zone, and counts whole minutes", async () => {
    await aSessionUntil("2026-11-18T22:59:00Z");
    await aSessionUntil("2026-11-18T23:01:00Z");
    await aSessionUntil("2026-11-20T09:00:00Z");
    const { total, days } = await summaryOf(period);
    const each = { participants: 3, billing_duration: 660, duration: 600 };
    expect(days).to.deep.equal([
      { day: "2026-11-19", sessions: 1, ...each },
      { day: "2026-11-20", sessions: 1, ...each },
    ]);
    expect(total).to.deep.equal({
      ...{ sessions: 2, participants: 6, billing_duration: 1_320, duration: 1_200 },
    });
    expect((await summaryOf("?since=2026-11-19&until=2026-11-20")).total["sessions"]).to.equal(0);
  });

  it("has a total of as many seconds as its days and services", async () => {
    const aSession = async (finished_at: string): Promise<void> =>
      fixture.aSession(await fixture.aTicket(), {
        started_at: new Date(Date.parse(finished_at) - 10_400),
        ...{ met_at: null, ended_at: finished_at, end_reason: "ended", finished_at },
        ...{ billing_seconds: 60, both_seconds: 0, participant_count: 2 },
      });
    await aSession("2026-11-19T09:00:00Z");
    await aSession("2026-11-19T10:00:00Z");
    await aSession("2026-11-20T09:00:00Z");
    const { total, days, services } = await summaryOf(period);
    expect(days.map(({ duration }) => duration)).to.deep.equal([20, 10]);
    expect(services.map(({ duration }) => duration)).to.deep.equal([30]);
    expect(total["duration"]).to.equal(30);
  });

  it("excludes sessions that ended in the last five minutes", async () => {
    await aSessionUntil("2026-11-20T09:56:00Z");
    expect((await summaryOf(period)).total["sessions"]).to.equal(0);
  });

  it("filters by service key, which only administrators may omit", async () => {
    const other = await aService(database.db, {
      enterprise_id: fixture.enterpriseId,
      name: "Autre",
    });
    await aSessionUntil("2026-11-20T08:00:00Z");
    await aSessionUntil("2026-11-20T09:00:00Z", other.id);
    const { services } = await summaryOf(period);
    expect(services.map(({ name, sessions }) => [name, sessions])).to.deep.equal([
      ["Dépannage", 1],
      ["Autre", 1],
    ]);
    const key = String(services[1]?.["key"]);
    expect((await summaryOf(`${period}&service_key=${key}`)).total["sessions"]).to.equal(1);
    for (const path of ["sessions-stats", "sessions-stats/summary"]) {
      const caller = { role: "integration" } as const;
      expect((await fixture.get(period, { path, caller })).status, path).to.equal(400);
      const unknown = await fixture.get(`${period}&service_key=nobody`, { path, ...admin });
      expect(unknown.status, path).to.equal(400);
    }
  });

  it("contains the same sessions as the export, as JSON and as CSV", async () => {
    await aSessionUntil("2026-11-20T09:00:00Z");
    await aSessionUntil("2026-11-20T08:00:00Z");
    const more = { ...admin, path: "sessions-stats" };
    const rows = (await (await fixture.get(period, more)).json()) as Record<string, unknown>[];
    expect(rows.map((row) => row["end_time"])).to.deep.equal([
      ...["2026-11-20T08:00:00+00:00", "2026-11-20T09:00:00+00:00"],
    ]);
    expect(rows[0]).to.include({ billing_duration: 660, service: "Dépannage", type: "ticket" });
    const csv = await fixture.get(`${period}&format=csv`, more);
    expect(csv.headers.get("content-disposition")).to.include("sessions-2026-11-19-2026-11-20.csv");
    const lines = (await csv.text()).split("\r\n");
    expect(lines[0]).to.equal(Object.keys(rows[0] ?? {}).join(";"));
    expect(lines).to.have.lengthOf(4);
  });
});
