import { expect } from "chai";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { useConferenceApi } from "../support/conferences.ts";
import { useDatabase } from "../support/database.ts";

const phone = "+33612345678";

describe("conference operations that invite nobody but guests who opted out", () => {
  const database = useDatabase();
  const api = useConferenceApi(database);

  it("are refused, and change nothing", async () => {
    const { enterpriseId, organizer: as } = api.fixture;
    const rowsOfEnterprise = (statement: string) => rowsOf(database.db, statement, [enterpriseId]);
    const made = await api.call("POST /conferences", { as, json: { participants: phone } });
    const { id, name } = made.body;
    await rowsOf(database.db, "INSERT INTO opt_outs (enterprise_id, phone) VALUES (?, ?)", [
      enterpriseId,
      phone,
    ]);
    const inviting: [string, object][] = [
      ["POST /conferences", { participants: phone, invite: true }],
      [`PATCH /conferences/${id}`, { name: "Changed", invite: true }],
      [`POST /conferences/${id}/invitations`, {}],
    ];
    for (const [operation, json] of inviting) {
      const { status, body } = await api.call(operation, { as, json });
      expect([status, body.details], operation).to.deep.equal([409, "opted_out"]);
    }
    const names = await rowsOfEnterprise("SELECT name FROM conferences WHERE enterprise_id = ?");
    expect(names).to.deep.equal([{ name }]);
    const messages = await rowsOfEnterprise("SELECT id FROM messages WHERE enterprise_id = ?");
    expect(messages).to.deep.equal([]);
  });
});
