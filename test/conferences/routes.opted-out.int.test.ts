import { expect } from "chai";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { useConferenceApi } from "../support/conferences.ts";
import { useDatabase } from "../support/database.ts";

const phone = "+33612345678";

describe("conference operations that invite guests who opted out", () => {
  const database = useDatabase();
  const api = useConferenceApi(database);

  it("mark only the other guests as invited", async () => {
    const { enterpriseId, organizer: as } = api.fixture;
    const silent = "+33612345679";
    await rowsOf(database.db, "INSERT INTO opt_outs (enterprise_id, phone) VALUES (?, ?)", [
      enterpriseId,
      silent,
    ]);
    const json = { participants: `ann@test.example,${silent}`, invite: true };
    const { body } = await api.call("POST /conferences", { as, json });
    const guests = await rowsOf(
      database.db,
      `SELECT email, phone, invited_at IS NOT NULL AS is_invited FROM conference_guests
       WHERE conference_id = ? ORDER BY id`,
      [body["id"]],
    );
    expect(guests).to.deep.equal([
      { email: "ann@test.example", phone: null, is_invited: true },
      { email: null, phone: silent, is_invited: false },
    ]);
  });

  it("are refused if they invite nobody else, and change nothing", async () => {
    const { enterpriseId, organizer: as } = api.fixture;
    const rowsOfEnterprise = (statement: string) => rowsOf(database.db, statement, [enterpriseId]);
    const made = await api.call("POST /conferences", { as, json: { participants: phone } });
    const { id } = made.body;
    await rowsOf(database.db, "INSERT INTO opt_outs (enterprise_id, phone) VALUES (?, ?)", [
      enterpriseId,
      phone,
    ]);
    const read = async () => ({
      conferences: await rowsOfEnterprise(
        "SELECT id, name FROM conferences WHERE enterprise_id = ? ORDER BY id",
      ),
      messages: await rowsOfEnterprise(
        "SELECT id FROM messages WHERE enterprise_id = ? ORDER BY id",
      ),
    });
    const before = await read();
    const inviting: [string, object][] = [
      ["POST /conferences", { participants: phone, invite: true }],
      [`PATCH /conferences/${id}`, { name: "Changed", invite: true }],
      [`POST /conferences/${id}/invitations`, {}],
    ];
    for (const [operation, json] of inviting) {
      const { status, body } = await api.call(operation, { as, json });
      expect([status, body.details], operation).to.deep.equal([409, "opted_out"]);
    }
    expect(await read()).to.deep.equal(before);
  });
});
