import { expect } from "chai";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { eventually } from "../support/eventually.ts";
import { aTenant, aTenantTicket, type Member, type Tenant } from "../support/tenant.ts";
import { useWholeApi } from "../support/whole-api.ts";

/** Changed at once. */
const count = 30;

/** What is stored of one ticket: who owns it, its subject, and the number of its events. */
type Stored = { id: number; owner: number; subject: string; events: number };

describe("requests that share commits", function () {
  this.timeout(30_000);
  const api = useWholeApi();
  let tenants: { tenant: Tenant; member: Member }[] = [];
  before("fill two enterprises", async () => {
    tenants = [await aTenant(api.db), await aTenant(api.db)].map((tenant) => ({
      tenant,
      member: tenant.members.superadmin,
    }));
  });

  const ownerOf = (index: number) => {
    const found = tenants[index % tenants.length];
    if (found === undefined) {
      throw new Error("The enterprises are missing");
    }
    return found;
  };

  const manyTickets = (): Promise<number[]> =>
    Promise.all(
      Array.from({ length: count }, (_, index) => {
        const { tenant, member } = ownerOf(index);
        return aTenantTicket(api.db, tenant, { agentId: member.id, state: "opened" });
      }),
    );

  /** The statuses of changes of all of them at once, by enterprises in turn. */
  const changeAll = (ids: readonly number[]): Promise<number[]> =>
    Promise.all(
      ids.map(async (id, index) => {
        const { token } = ownerOf(index).member;
        const json = { subject: `Subject ${id}` };
        return (await api.call(`PATCH /api/tickets/${id}`, { token, json })).status;
      }),
    );

  const storedOf = (ids: readonly number[]): Promise<Stored[]> =>
    rowsOf(
      api.db,
      `SELECT t.id, t.enterprise_id AS owner, t.subject,
         (SELECT count(*) FROM events e WHERE e.object = 'ticket'
           AND e.object_id = t.id::text AND e.enterprise_id = t.enterprise_id) AS events
       FROM tickets t WHERE t.id = ANY(?::bigint[]) ORDER BY t.id`,
      [ids],
    );

  /** The tickets as they are if exactly those of `changed` were changed. */
  const expected = (ids: readonly number[], changed: Set<number>): Stored[] =>
    ids
      .map((id, index) => {
        const { id: owner, mark } = ownerOf(index).tenant;
        const isChanged = changed.has(id);
        const subject = isChanged ? `Subject ${id}` : mark;
        return { id, owner, subject, events: isChanged ? 1 : 0 };
      })
      .toSorted((a, b) => a.id - b.id);

  /** After a failure, a second must pass. */
  beforeEach("wait until they share commits", async () => {
    await eventually(async () => {
      const ids = await manyTickets();
      await changeAll(ids);
      const sql = "SELECT DISTINCT xmin FROM tickets WHERE id = ANY(?::bigint[])";
      expect((await rowsOf(api.db, sql, [ids])).length).to.be.lessThan(count);
    });
  });

  it("are written once each, with their events, for their own enterprise", async () => {
    const ids = await manyTickets();
    expect(new Set(await changeAll(ids))).to.deep.equal(new Set([200]));
    const stored = await storedOf(ids);
    expect(stored).to.deep.equal(expected(ids, new Set(ids)));
  });

  it("are not written if their connection is lost, at most 16 of them", async () => {
    const ids = await manyTickets();
    const fatal = ids[count / 2];
    await api.db.raw(`CREATE FUNCTION end_connection() RETURNS trigger LANGUAGE plpgsql
      AS 'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END'`);
    await api.db.raw(`CREATE TRIGGER fatal BEFORE INSERT ON events FOR EACH ROW
      WHEN (NEW.object_id = '${fatal}') EXECUTE FUNCTION end_connection()`);
    const statuses = await changeAll(ids);
    await api.db.raw("DROP TRIGGER fatal ON events");
    const lost = ids.filter((_, index) => statuses[index] === 503);
    expect(lost).to.include(fatal);
    expect(lost.length).to.be.within(1, 16);
    const accepted = ids.filter((_, index) => statuses[index] === 200);
    expect(accepted.length + lost.length, String(statuses)).to.equal(ids.length);
    expect(await storedOf(ids)).to.deep.equal(expected(ids, new Set(accepted)));
  });

  it("are all answered with their own result if one of them fails", async () => {
    const ids = await manyTickets();
    const fatal = ids[count / 2];
    await api.db.raw(`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql
      AS 'BEGIN RAISE ''too slow'' USING ERRCODE = ''57014''; END'`);
    await api.db.raw(`CREATE TRIGGER fatal BEFORE INSERT ON events FOR EACH ROW
      WHEN (NEW.object_id = '${fatal}') EXECUTE FUNCTION fail()`);
    const statuses = await changeAll(ids);
    await api.db.raw("DROP TRIGGER fatal ON events");
    const accepted = ids.filter((id) => id !== fatal);
    expect(statuses).to.deep.equal(ids.map((id) => (id === fatal ? 503 : 200)));
    expect(await storedOf(ids)).to.deep.equal(expected(ids, new Set(accepted)));
  });
});
