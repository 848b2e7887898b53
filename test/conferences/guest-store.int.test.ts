import { expect } from "chai";
import { messagesAbout, useConferenceApi } from "../support/conferences.ts";
import { useDatabase } from "../support/database.ts";

describe("the guests of a conference", () => {
  const database = useDatabase();
  const api = useConferenceApi(database);

  it("are the same with their address in another case", async () => {
    const as = api.fixture.organizer;
    const query = "participants=Ann@b.test&invite=1&startTime=2026-12-01T10:00:00Z";
    const { body } = await api.call(`POST /conferences?${query}`, { as });
    const path = `/conferences/${body.id}`;
    const json = { participants: "ann@b.test" };
    await api.call(`PATCH ${path}`, { as, json });
    await api.call(`POST ${path}/invitations`, { as, json });
    const { body: page } = await api.call(`GET ${path}/participants`, { as });
    expect(page.data.map(({ email }: { email: string }) => email)).to.deep.equal(["Ann@b.test"]);
    expect(await messagesAbout(database.db, body.id)).to.deep.equal(["Ann@b.test", "Ann@b.test"]);
  });
});
