import { expect } from "chai";
import { useDatabase } from "../support/database.ts";
import { useStatistics } from "../support/statistics.ts";

describe("the statistics of many tickets", () => {
  const database = useDatabase();
  const fixture = useStatistics(database);

  it("are complete if there is more than one batch", async () => {
    const first = await fixture.aTicket();
    await database.db.raw(
      `INSERT INTO conversations (uid, enterprise_id)
       SELECT gen_random_uuid(), ? FROM generate_series(1, 1200)`,
      [fixture.enterpriseId],
    );
    await database.db.raw(
      `INSERT INTO tickets (enterprise_id, service_id, button_id, conversation_id, state,
         requestor_email, requestor_secret, information_code, start_time, end_time, created_at)
       SELECT t.enterprise_id, t.service_id, t.button_id, c.id, 'new', 'a@b.example',
         gen_random_uuid(), gen_random_uuid(), t.start_time, t.end_time, t.created_at
       FROM tickets t JOIN conversations c ON c.enterprise_id = t.enterprise_id
       WHERE t.id = ? AND c.id <> t.conversation_id`,
      [first.id],
    );
    const rows = (await (await fixture.get()).json()) as { ID: number }[];
    const ids = rows.map(({ ID }) => ID);
    expect(ids).to.have.lengthOf(1201);
    expect(ids).to.deep.equal([...ids].toSorted((a, b) => a - b));
    const csv = await (await fixture.get("?format=csv")).text();
    expect(csv.match(/\r\n/gu)).to.have.lengthOf(1202);
    expect(csv.match(/Navigateur/gu)).to.have.lengthOf(1);
  });
});
