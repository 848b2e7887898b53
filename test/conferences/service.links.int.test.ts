import { expect } from "chai";
import { useConferenceApi } from "../support/conferences.ts";
import { useDatabase } from "../support/database.ts";

describe("short links of conferences", () => {
  const database = useDatabase();
  const api = useConferenceApi(database);

  it("redirect to the room and keep the query; unknown links are not found", async () => {
    const as = api.fixture.organizer;
    const { body } = await api.call("POST /conferences?participants=a@b.test", { as });
    const code = String(body.short_url).slice(-12);
    const { links } = api.features;
    expect(await links.findByShortCode(code, "name=Ann%20B")).to.deep.equal({
      kind: "found",
      url: `${body.url}?name=Ann%20B`,
    });
    expect(await links.findByShortCode(code, "")).to.deep.equal({ kind: "found", url: body.url });
    for (const wrong of ["AAAAAAAAAAAA", "short", `${code}x`, "'; --"]) {
      expect(await links.findByShortCode(wrong, "")).to.deep.equal({ kind: "unknown" });
    }
  });
});
