import { expect } from "chai";
import { everyToken } from "../../../../../web/console/settings/tokens/every-token.ts";
import { numbered, startPagedApi } from "../../../../support/paged-api.ts";

describe("the API tokens of all users", () => {
  it("are read completely, so that every token can be revoked", async () => {
    const tokens = numbered(101);
    const api = await startPagedApi({ "/api/enterprises/7/api-tokens": tokens });
    try {
      expect(await everyToken(7)).to.deep.equal(tokens);
    } finally {
      await api.stop();
    }
  });
});
