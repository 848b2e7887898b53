import { expect } from "chai";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { useDatabase } from "../support/database.ts";
import { aTemplate } from "../support/factories.ts";
import { aTicketFixture, useTicketApi } from "../support/tickets.ts";

describe("the template of a new ticket", () => {
  const database = useDatabase();
  const api = useTicketApi(database);

  it("is rejected if no invitation could use it, even without an invitation now", async () => {
    const { admin, agent, enterpriseId } = await aTicketFixture(database.db);
    const ofReminders = await aTemplate(database.db, enterpriseId, "reminder");
    for (const templateId of [999_999, ofReminders]) {
      const json = { agent: agent.login, email: "jane@example.com", templateId };
      const { body } = await api.call("POST /tickets", { as: admin, json });
      expect(body).to.include({ status: 400, code: 10, details: "Parameter templateId" });
    }
    expect(await rowsOf(database.db, "SELECT 1 FROM tickets")).to.deep.equal([]);
  });
});
